// The fields of an annotation: root cause and others, severity, verdict on the divergence, evidence, note and
// confidence. Draws a draft and says what changes; saves nothing.

import { useId, useState, type ReactElement } from 'react'
import type { AnnotationDraft, Evidence } from '../../../../model/annotation.ts'
import type { Taxonomy } from '../../../../model/taxonomy.ts'
import type { TaskView } from '../../../../contract/rows.ts'
import { oneLine } from '../../../../base/text.ts'
import { Button } from '../../../kit/Button.tsx'
import { Chip } from '../../../kit/Chip.tsx'
import { RadioGroup, TextField } from '../../../kit/Field.tsx'
import { AddIcon, OpenIcon } from '../../../kit/icons.ts'
import { Text } from '../../../kit/Text.tsx'
import { columnName } from '../laneColumns.ts'
import type { TaskPlace } from '../taskplace.ts'
import { causeName } from './causes.ts'
import { CausePicker } from './CausePicker.tsx'
import { EvidenceList } from './EvidenceList.tsx'
import styles from './Annotation.module.css'

/** Props of AnnotationFields. */
export type AnnotationFieldsProps = {
  readonly view: TaskView
  readonly draft: AnnotationDraft
  readonly place: TaskPlace
  readonly taxonomy: Taxonomy
  readonly recent: readonly string[]
  readonly nameOf: (trialId: string) => string
  readonly onChange: (change: Partial<AnnotationDraft>) => void
  readonly onAddEvidence: (() => void) | null
  readonly onOpenEvidence: (one: Evidence) => void
}

function Causes({ draft, taxonomy, recent, onChange }: AnnotationFieldsProps): ReactElement {
  const [picking, setPicking] = useState<'root' | 'also' | null>(null)
  const labelId = useId()
  const [root, ...also] = draft.causes
  const choose = (id: string): void => {
    const others = also.filter((one) => one !== id)
    if (picking === 'root') onChange({ causes: [id, ...others] })
    else
      onChange({
        causes: root === undefined || root === id ? [id, ...others] : [root, ...others, id].slice(0, 12),
      })
    setPicking(null)
  }
  const picker = (label: string): ReactElement => (
    <CausePicker
      label={label}
      taxonomy={taxonomy}
      recent={recent}
      chosen={draft.causes}
      onChoose={choose}
      onClose={() => setPicking(null)}
    />
  )
  return (
    <>
      <div className={styles.field}>
        <span className={styles.label} id={labelId}>
          Root cause
        </span>
        {picking === 'root' ? (
          picker('Root cause')
        ) : (
          <button
            type="button"
            autoFocus
            className={styles.cause}
            id={`${labelId}-choice`}
            aria-labelledby={`${labelId} ${labelId}-choice`}
            onClick={() => setPicking('root')}
          >
            {root === undefined ? (
              <span className="muted">Choose…</span>
            ) : (
              <Text value={causeName(taxonomy, root)} />
            )}
            <OpenIcon size={14} aria-hidden />
          </button>
        )}
        <div className={styles.recent} role="group" aria-label="Recent causes">
          {recent.slice(0, 9).map((id, i) => (
            <button
              key={id}
              type="button"
              className={styles.recentItem}
              aria-pressed={root === id}
              onClick={() => onChange({ causes: [id, ...also.filter((one) => one !== id)] })}
            >
              <kbd className={styles.digit}>{i + 1}</kbd>
              <Text value={taxonomy.terms.find((term) => term.id === id)?.name ?? id} line />
            </button>
          ))}
        </div>
      </div>
      <div className={styles.field}>
        <span className={styles.label}>Also</span>
        <div className={styles.chips}>
          {also.map((id) => (
            <Chip
              key={id}
              name={oneLine(causeName(taxonomy, id), 120)}
              onRemove={() => onChange({ causes: draft.causes.filter((one) => one !== id) })}
            >
              <Text value={causeName(taxonomy, id)} line />
            </Chip>
          ))}
          {picking === 'also' ? null : (
            <Button size="small" variant="quiet" icon={AddIcon} onPress={() => setPicking('also')}>
              add
            </Button>
          )}
        </div>
        {picking === 'also' ? picker('Another cause') : null}
      </div>
    </>
  )
}

function VerdictFields({ view, draft, place, onChange }: AnnotationFieldsProps): ReactElement | null {
  const { analysis } = view
  if (analysis === null) return null
  const needsColumn = draft.verdict === 'earlier' || draft.verdict === 'later'
  const named = draft.verdictColumn === null ? null : columnName(analysis, draft.verdictColumn)
  const open = place.column === null ? null : columnName(analysis, place.column)
  return (
    <div className={styles.field}>
      <RadioGroup
        label="Is the computed divergence right?"
        orientation="horizontal"
        options={[
          { id: 'right', title: 'yes' },
          { id: 'earlier', title: 'earlier' },
          { id: 'later', title: 'later' },
          { id: 'wrong', title: 'no' },
        ]}
        value={draft.verdict}
        onChange={(verdict) =>
          onChange({
            verdict,
            verdictColumn: verdict === 'earlier' || verdict === 'later' ? draft.verdictColumn : null,
          })
        }
      />
      {needsColumn ? (
        <div className={styles.chips}>
          {named === null ? null : (
            <Chip name="column" onRemove={() => onChange({ verdictColumn: null })}>
              <Text value={`at ${named.stage} · ${named.tool}`} line />
            </Chip>
          )}
          {open !== null && place.column !== draft.verdictColumn ? (
            <Button size="small" onPress={() => onChange({ verdictColumn: place.column })}>
              use the open step: <Text value={oneLine(open.tool, 40)} />
            </Button>
          ) : null}
          {open === null && named === null ? (
            <span className="muted">Open the right cell, then name it here.</span>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}

/** All fields. */
export function AnnotationFields(props: AnnotationFieldsProps): ReactElement {
  const { draft, nameOf, onChange, onAddEvidence, onOpenEvidence } = props
  return (
    <>
      <Causes {...props} />
      <RadioGroup
        label="Severity"
        orientation="horizontal"
        options={[
          { id: 'none', title: 'none' },
          { id: 'minor', title: 'minor' },
          { id: 'major', title: 'major' },
          { id: 'severe', title: '▲ severe' },
        ]}
        value={draft.severity}
        onChange={(severity) => onChange({ severity })}
      />
      <VerdictFields {...props} />
      <div className={styles.field}>
        <span className={styles.label}>Evidence</span>
        <EvidenceList
          evidence={draft.evidence}
          nameOf={nameOf}
          onOpen={onOpenEvidence}
          onRemove={(index) => onChange({ evidence: draft.evidence.filter((_, i) => i !== index) })}
          onAdd={onAddEvidence}
          addLabel={onAddEvidence === null ? 'add: open a step first' : 'add the open step'}
        />
      </div>
      <TextField
        label="Note"
        lines={5}
        value={draft.note}
        maxLength={100_000}
        onChange={(note) => onChange({ note })}
      />
      <div className={styles.field}>
        <span className={styles.label} id="confidence-label">
          Confidence
        </span>
        <div className={styles.confidence}>
          <span className="muted">low</span>
          <input
            type="range"
            min={0}
            max={1}
            step={0.25}
            aria-labelledby="confidence-label"
            aria-valuetext={
              draft.confidence === null ? 'not said' : `${Math.round(draft.confidence * 100)} %`
            }
            value={draft.confidence ?? 0.5}
            data-unset={draft.confidence === null}
            onChange={(event) => onChange({ confidence: Number(event.target.value) })}
          />
          <span className="muted">high</span>
          <span>{draft.confidence === null ? 'not said' : `${Math.round(draft.confidence * 100)} %`}</span>
        </div>
      </div>
    </>
  )
}
