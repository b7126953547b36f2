// The step pair: the reference's step and the trial's step of one column, side by side. Opened from the lanes; moves
// along the aligned columns and from difference to difference; shows the raw record; copies.

import { useEffect, useMemo, useRef, useState, type ReactElement } from 'react'
import { plural } from '../../../base/text.ts'
import type { TaskView } from '../../../contract/rows.ts'
import type { TaskAnalysis } from '../../../model/analysis.ts'
import { DivergenceMark } from '../../../marks/DivergenceMark.tsx'
import { skipToken, useAsk } from '../../bridge/queries.ts'
import { Button, IconButton } from '../../kit/Button.tsx'
import { AnnotateIcon, CloseIcon, LessIcon, MoreIcon } from '../../kit/icons.ts'
import { CopyButton, ErrorState, Loading } from '../../kit/States.tsx'
import { Text } from '../../kit/Text.tsx'
import { Region } from '../../shell/Region.tsx'
import { useCommands } from '../../shell/usecommands.ts'
import { pairJson, pairMarkdown } from './copies.ts'
import { columnName, drawnAt } from './laneColumns.ts'
import { PairBody } from './PairBody.tsx'
import { PairFoot } from './PairFoot.tsx'
import { PairStrip, SideHead } from './PairHead.tsx'
import { isDifferentAt, neighbour, pairColumns, pairRefs } from './pairRefs.ts'
import { usePairLook } from './pairlook.ts'
import { RawPane } from './RawPane.tsx'
import { countPairDifferences, pairSections } from './sections.ts'
import type { GoInTask } from './taskplace.ts'
import { trialName } from './words.ts'
import styles from './Pair.module.css'

/** Props of StepPair: what stands left and right, and where. */
export type StepPairProps = {
  readonly view: TaskView
  readonly analysis: TaskAnalysis
  readonly reference: string | null
  readonly isPinned: boolean
  readonly trial: string
  readonly column: number
  readonly isAnnotating: boolean
  readonly go: GoInTask
}

/** The inspector. */
export function StepPair(props: StepPairProps): ReactElement {
  const { view, analysis, reference, isPinned, trial, column, isAnnotating, go } = props
  const { isUnified, isWrapped, asText, ignoreSpace, set } = usePairLook()
  const [isSwapped, setSwapped] = useState(false)
  const [raw, setRaw] = useState<'left' | 'right' | null>(null)
  const body = useRef<HTMLDivElement>(null)
  const isSelf = reference === trial
  const refs = pairRefs(analysis, isSelf ? null : reference, trial, column)
  const hasStep = refs.left !== null || refs.right !== null
  const pair = useAsk('trials.pair', hasStep ? { left: refs.left, right: refs.right } : skipToken, {
    keep: false,
  })
  const ofReference = pair.data?.left ?? null
  const ofTrial = pair.data?.right ?? null
  const [left, right] = isSwapped ? [ofTrial, ofReference] : [ofReference, ofTrial]
  const sections = useMemo(
    () => pairSections(left, right, { asText, ignoreSpace }),
    [left, right, asText, ignoreSpace],
  )
  const differences = countPairDifferences(sections)

  const columns = pairColumns(analysis, isSelf ? null : reference, trial)
  const different = columns.filter((one) => isDifferentAt(analysis, reference, trial, one))
  const moveTo = (to: number | null): void => {
    if (to !== null) go({ column: to }, { replace: true })
  }
  const marks = (): HTMLElement[] => [...(body.current?.querySelectorAll<HTMLElement>('[data-diff]') ?? [])]
  const moveDifference = (step: 1 | -1): void => {
    const all = marks()
    const now = all.findIndex((one) => one.classList.contains(styles.current ?? ''))
    const next = all[now < 0 ? (step === 1 ? 0 : all.length - 1) : now + step]
    all[now]?.classList.remove(styles.current ?? '')
    // Past the last difference of this step, the next column that differs.
    if (next === undefined || all.length === 0) {
      moveTo(neighbour(different, column, step))
      return
    }
    next.classList.add(styles.current ?? '')
    next.scrollIntoView({ block: 'nearest' })
  }
  // Another column begins at its top; a focus that stood on something that is gone stays in the pane.
  const at = `${trial} ${column}`
  useEffect(() => {
    const element = document.querySelector<HTMLElement>(`[data-pair="${CSS.escape(at)}"]`)
    if (element === null) return
    element.scrollTop = 0
    if (document.activeElement === document.body) element.focus({ preventScroll: true })
  }, [at])
  const close = (): void => go({ column: null })
  useCommands({
    'pair.previous': () => moveTo(neighbour(columns, column, -1)),
    'pair.next': () => moveTo(neighbour(columns, column, 1)),
    'pair.nextDifference': () => moveDifference(1),
    'pair.previousDifference': () => moveDifference(-1),
    'pair.swap': () => setSwapped(!isSwapped),
    'pair.split': () => set({ isUnified: !isUnified }),
    'pair.wrap': () => set({ isWrapped: !isWrapped }),
    'pair.raw': () => setRaw(raw === null ? 'right' : null),
  })

  const lead = analysis.lead === null ? null : drawnAt(analysis, analysis.lead.column)
  const own = analysis.findings.find((one) => one.trial === trial)
  const ownLead = own?.state === 'lead' && own.ranked[0] ? drawnAt(analysis, own.ranked[0].column) : null
  const { stage, tool } = columnName(analysis, column)
  const rowOf = (id: string | null) => view.trials.find((one) => one.trialId === id)
  const trialLabel = trialName(rowOf(trial), trial)
  const referenceLabel = reference === null ? 'none' : trialName(rowOf(reference), reference)
  const skipped = (who: string): string => `no step here: ${who} skipped ${tool} (${stage})`
  const absentReference =
    ofReference !== null || pair.isLoading
      ? null
      : isSelf
        ? 'this trial is the reference'
        : reference === null
          ? 'no reference: no passing trial'
          : skipped(referenceLabel)
  const absentTrial = ofTrial !== null || pair.isLoading ? null : skipped('this trial')
  const names = { reference: `${isPinned ? 'pinned' : 'consensus'} · ${referenceLabel}`, trial: trialLabel }
  const [leftHead, rightHead] = [
    <SideHead key="reference" step={ofReference} name={names.reference} role="reference" />,
    <SideHead key="trial" step={ofTrial} name={names.trial} role="trial" />,
  ]
  const title = `${stage} · ${tool}: ${trialLabel} beside ${referenceLabel}`
  const rawTrial = raw === null ? null : (raw === 'left') === isSwapped ? trial : reference

  return (
    <Region label="Step pair" context={['pair', 'lanes']} className={styles.pane}>
      <div
        className={styles.pane}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.defaultPrevented) close()
        }}
      >
        <div className={styles.head}>
          <h2 className={styles.title}>
            {refs.divergence === null ? null : (
              <DivergenceMark sign={ownLead === column ? 'lead' : 'small'} label={null} />
            )}{' '}
            <Text value={`${stage} · ${tool}`} line />
          </h2>
          <PairStrip
            analysis={analysis}
            columns={columns}
            column={column}
            different={different}
            lead={lead}
            ownLead={ownLead}
            onChoose={moveTo}
          />
          <IconButton
            icon={LessIcon}
            label="Previous aligned step"
            keys=","
            size="small"
            isDisabled={neighbour(columns, column, -1) === null}
            onPress={() => moveTo(neighbour(columns, column, -1))}
          />
          <IconButton
            icon={MoreIcon}
            label="Next aligned step"
            keys="."
            size="small"
            isDisabled={neighbour(columns, column, 1) === null}
            onPress={() => moveTo(neighbour(columns, column, 1))}
          />
          <IconButton icon={CloseIcon} label="Close the step pair" keys="Esc" size="small" onPress={close} />
        </div>
        <div ref={body} className={styles.body} tabIndex={0} role="region" aria-label="Compared steps">
          {rawTrial === null ? (
            <div className={styles.sides} data-unified={isUnified}>
              {isSwapped ? [rightHead, leftHead] : [leftHead, rightHead]}
            </div>
          ) : null}
          {rawTrial !== null ? (
            <RawPane key={rawTrial} trialId={rawTrial} />
          ) : pair.fault !== null ? (
            <ErrorState
              fault={pair.fault}
              compact
              actions={
                <Button size="small" onPress={() => void pair.refetch()}>
                  Try again
                </Button>
              }
            />
          ) : pair.isLoading ? (
            <Loading what="Reading both steps…" rows={6} />
          ) : (
            <PairBody
              sections={sections}
              left={left}
              right={right}
              absent={
                isSwapped
                  ? { left: absentTrial, right: absentReference }
                  : { left: absentReference, right: absentTrial }
              }
              isUnified={isUnified}
              isWrapped={isWrapped}
              isSwapped={isSwapped}
            />
          )}
        </div>
        <PairFoot
          raw={raw === null ? null : rawTrial === reference ? 'reference' : 'trial'}
          hasReference={reference !== null}
          onSwap={() => setSwapped(!isSwapped)}
          onRaw={() => setRaw(raw === null ? 'right' : null)}
          onRawSide={() => setRaw(raw === 'left' ? 'right' : 'left')}
          said={
            pair.data === undefined || left === null || right === null
              ? ''
              : differences === null
                ? 'not compared'
                : differences === 0
                  ? 'no difference'
                  : plural(differences, 'difference')
          }
        >
          <CopyButton text={() => pairJson(ofReference, ofTrial)} label="Copy as JSON" />
          <span className={styles.wide}>
            <CopyButton text={() => pairMarkdown(title, ofReference, ofTrial)} label="Copy as text" />
          </span>
          {isAnnotating ? null : (
            <Button size="small" icon={AnnotateIcon} onPress={() => go({ isAnnotating: true })}>
              Annotate
            </Button>
          )}
        </PairFoot>
      </div>
    </Region>
  )
}
