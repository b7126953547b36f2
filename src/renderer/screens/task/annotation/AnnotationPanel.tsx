// The annotation panel: what a person finds about one trial. Reads the stored annotation and the taxonomy, writes
// every change through the trial's saver. Keys: 1–9 recent causes, s severe, e evidence, Mod+Enter save and next.

import { useState, type KeyboardEvent, type ReactElement } from 'react'
import type { FaultData } from '../../../../base/fault.ts'
import { toFaultData } from '../../../../base/fault.ts'
import type { Annotation } from '../../../../model/annotation.ts'
import type { Taxonomy } from '../../../../model/taxonomy.ts'
import type { TaskView } from '../../../../contract/rows.ts'
import { useAsk } from '../../../bridge/queries.ts'
import { Button, IconButton } from '../../../kit/Button.tsx'
import { CloseIcon } from '../../../kit/icons.ts'
import { ErrorState, Loading } from '../../../kit/States.tsx'
import { Text } from '../../../kit/Text.tsx'
import { Region } from '../../../shell/Region.tsx'
import { useCommands } from '../../../shell/usecommands.ts'
import { shownFinding } from '../Finding.tsx'
import { drawnAt } from '../laneColumns.ts'
import type { GoInTask, TaskPlace } from '../taskplace.ts'
import { trialName } from '../words.ts'
import { alikeTrials, applyToAlike } from './alike.ts'
import { AnnotationFields } from './AnnotationFields.tsx'
import { recentCauses } from './causes.ts'
import { Conflict } from './Conflict.tsx'
import { evidenceAt } from './evidence.ts'
import { saverOf, useSaver, type Seen } from './savers.ts'
import styles from './Annotation.module.css'

/** Props of AnnotationPanel. */
export type AnnotationPanelProps = {
  readonly view: TaskView
  readonly trialId: string
  readonly place: TaskPlace
  readonly go: GoInTask
}

/** The panel, once what is stored is known. */
export function AnnotationPanel(props: AnnotationPanelProps): ReactElement {
  const annotations = useAsk('annotations.list', { taskId: null })
  const taxonomy = useAsk('taxonomy.get', {})
  const fault =
    annotations.data === undefined ? annotations.fault : taxonomy.data === undefined ? taxonomy.fault : null
  if (fault !== null) return <ErrorState fault={fault} />
  if (annotations.data === undefined || taxonomy.data === undefined)
    return <Loading what="Reading the annotation…" rows={6} />
  return <Panel {...props} annotations={annotations.data} taxonomy={taxonomy.data} />
}

function savedText(savedAt: string | null): string {
  if (savedAt === null) return 'nothing written yet'
  const at = new Date(savedAt)
  const time = `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`
  return `saved ${time}`
}

/** The failing trial after this one that nobody has annotated, else simply the next; null when it is the only one. */
function nextFailingTrial(view: TaskView, trialId: string): string | null {
  const at = view.trials.findIndex((one) => one.trialId === trialId)
  const around = [...view.trials.slice(at + 1), ...view.trials.slice(0, Math.max(0, at))]
  const failing = around.filter((one) => one.counts === 'fail')
  return (failing.find((one) => one.annotationRevision === null) ?? failing[0])?.trialId ?? null
}

function Panel(
  props: AnnotationPanelProps & { readonly annotations: readonly Annotation[]; readonly taxonomy: Taxonomy },
): ReactElement {
  const { view, trialId, place, go, annotations, taxonomy } = props
  const { analysis } = view
  const taskId = view.row.taskId
  const nameOf = (id: string): string =>
    trialName(
      view.trials.find((one) => one.trialId === id),
      id,
    )
  const name = nameOf(trialId)
  const stored = annotations.find((one) => one.trialId === trialId) ?? null
  const shown = analysis === null ? null : shownFinding(view, analysis, trialId)
  const seen: Seen = {
    leadShown: shown === null ? null : `${shown.text.headline}\n${shown.text.sentence}`.slice(0, 4000),
    algorithm: analysis?.version ?? null,
  }
  const [saver] = useState(() => saverOf(trialId, taskId, `Annotation of ${name}`, stored, seen))
  const { draft, status, savedAt, theirs, fault } = useSaver(saver, trialId, stored)
  const [other, setOther] = useState<{ readonly said: string } | { readonly fault: FaultData } | null>(null)
  // Kept while the panel is open: a digit must mean the same cause when it is pressed twice.
  const [recent] = useState(() => recentCauses(taxonomy, annotations))
  const alike = alikeTrials(analysis, trialId)
  const addable = evidenceAt(view, place, trialId)

  const addEvidence = (): void => {
    const one = addable?.()
    if (one !== undefined) saver.change({ evidence: [...draft.evidence, one] })
  }
  const toggleSevere = (): void => saver.change({ severity: draft.severity === 'severe' ? 'none' : 'severe' })
  const saveAndNext = async (): Promise<void> => {
    await saver.flush()
    if (saver.state().status !== 'clean') return
    const next = nextFailingTrial(view, trialId)
    if (next === null) {
      setOther({ said: 'This is the only failing trial.' })
      return
    }
    const finding = analysis?.findings.find((one) => one.trial === next)
    const top = finding?.state === 'lead' ? finding.ranked[0] : undefined
    const column = analysis === null || top === undefined ? null : drawnAt(analysis, top.column)
    go({ trial: next, column: place.column === null ? null : column, step: null })
  }
  const apply = async (): Promise<void> => {
    try {
      await saver.flush()
      const { applied, kept } = await applyToAlike(taskId, alike, draft, seen)
      setOther({ said: `${applied} annotated alike${kept > 0 ? `, ${kept} kept their own` : ''}` })
    } catch (error) {
      setOther({ fault: toFaultData(error) })
    }
  }
  const close = (): void => go({ isAnnotating: false })
  useCommands({
    'annotation.severe': toggleSevere,
    'annotation.evidence': addEvidence,
    'annotation.next': () => void saveAndNext(),
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented) return
    if (event.key === 'Escape') close()
    const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
    const isTyped = !event.ctrlKey && !event.metaKey && !event.altKey && !isField
    const cause = isTyped && /^[1-9]$/.test(event.key) ? recent[Number(event.key) - 1] : undefined
    if (cause === undefined) return
    event.preventDefault()
    saver.change({ causes: [cause, ...draft.causes.slice(1).filter((one) => one !== cause)] })
  }

  return (
    <Region label="Annotation" context="annotation" className={styles.panel}>
      <div className={styles.panel} onKeyDown={onKeyDown} onBlur={() => void saver.flush()}>
        <header className={styles.head}>
          <h2>
            Annotate{' '}
            <span className={styles.about}>
              <Text value={`${view.row.task} · ${name}`} />
            </span>
          </h2>
          <IconButton
            icon={CloseIcon}
            label="Close, keep what is written"
            keys="Esc"
            size="small"
            onPress={close}
          />
        </header>
        <div className={styles.body}>
          {status === 'conflict' ? (
            <Conflict
              mine={draft}
              theirs={theirs}
              taxonomy={taxonomy}
              onResolve={(keep) => void saver.resolve(keep)}
            />
          ) : null}
          {fault === null ? null : (
            <ErrorState
              compact
              fault={fault}
              title="Not saved"
              actions={
                <Button size="small" onPress={() => void saver.flush()}>
                  Try again
                </Button>
              }
            />
          )}
          <AnnotationFields
            view={view}
            draft={draft}
            place={place}
            taxonomy={taxonomy}
            recent={recent}
            nameOf={nameOf}
            onChange={saver.change}
            onAddEvidence={addable === null ? null : addEvidence}
            onOpenEvidence={(one) =>
              go({ lens: 'steps', trial: one.trialId, step: one.step, isAnnotating: true })
            }
          />
          {alike.length === 0 ? null : (
            <Button size="small" onPress={() => void apply()}>
              Apply to {alike.length} alike
            </Button>
          )}
          {other === null ? null : 'fault' in other ? (
            <ErrorState compact fault={other.fault} />
          ) : (
            <p role="status">{other.said}</p>
          )}
        </div>
        <footer className={styles.foot}>
          <span className={styles.saved} role="status" data-saved={status}>
            {status === 'clean'
              ? savedText(savedAt)
              : status === 'conflict'
                ? 'not saved: choose above'
                : status === 'fault'
                  ? 'not saved'
                  : 'saving…'}
          </span>
          <Button size="small" variant="primary" onPress={() => void saveAndNext()}>
            Save and next failing
          </Button>
        </footer>
      </div>
    </Region>
  )
}
