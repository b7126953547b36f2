// The evidence of an annotation: steps of the trial or of the reference, with the words that were selected.

import type { ReactElement } from 'react'
import type { Evidence } from '../../../../model/annotation.ts'
import { Button, IconButton } from '../../../kit/Button.tsx'
import { AddIcon, CloseIcon } from '../../../kit/icons.ts'
import { Text } from '../../../kit/Text.tsx'
import styles from './Annotation.module.css'

/** Props of EvidenceList. `nameOf` gives a trial's name; `addable` is null when no step is open. */
export type EvidenceListProps = {
  readonly evidence: readonly Evidence[]
  readonly nameOf: (trialId: string) => string
  readonly onOpen: (one: Evidence) => void
  readonly onRemove: (index: number) => void
  readonly onAdd: (() => void) | null
  readonly addLabel: string
}

/** One piece of evidence in words: "step 6, arguments". */
export function evidenceText(one: Evidence): string {
  const step = one.step === null ? 'the whole trial' : `step ${one.step}`
  return one.part === 'step' ? step : `${step}, ${one.part}`
}

/** The list with its add button. */
export function EvidenceList(props: EvidenceListProps): ReactElement {
  const { evidence, nameOf, onOpen, onRemove, onAdd, addLabel } = props
  return (
    <div className={styles.evidence}>
      {evidence.length === 0 ? (
        <p className="muted">None yet. Open a step pair, select words, press e.</p>
      ) : null}
      <ul>
        {evidence.map((one, index) => (
          // The same step can be named twice with different words.
          <li key={index} className={styles.evidenceRow}>
            <Button size="small" variant="quiet" onPress={() => onOpen(one)}>
              <Text value={nameOf(one.trialId)} />
              {` · ${evidenceText(one)}`}
            </Button>
            {one.quote === null ? null : (
              <span className={styles.quote}>
                “<Text value={one.quote} line />”
              </span>
            )}
            <IconButton
              icon={CloseIcon}
              size="small"
              label={`Remove evidence: ${evidenceText(one)}`}
              onPress={() => onRemove(index)}
            />
          </li>
        ))}
      </ul>
      <Button size="small" icon={AddIcon} isDisabled={onAdd === null} onPress={() => onAdd?.()}>
        {addLabel}
      </Button>
    </div>
  )
}
