// One step as read by a person: who, which tool, what was said, arguments, observation, time. Long parts open on
// demand; everything is text.

import { useState, type ReactElement } from 'react'
import type { StepView } from '../../../contract/rows.ts'
import { DivergenceMark } from '../../../marks/DivergenceMark.tsx'
import { Button } from '../../kit/Button.tsx'
import { classes } from '../../kit/classes.ts'
import { Chip } from '../../kit/Chip.tsx'
import { CopyButton } from '../../kit/States.tsx'
import { Text } from '../../kit/Text.tsx'
import { Media } from './Media.tsx'
import { jsonText } from './sections.ts'
import { durationText } from './words.ts'
import styles from './Steps.module.css'

/** What the lanes say of a step. */
export type StepSign = { readonly sign: 'lead' | 'small'; readonly words: string }

const LINES = 14
const SAID_LINES = 18
const CHARS = 2400

/** A long text cut at lines and characters, with a button for the rest. */
function Long({ name, text }: { readonly name: string; readonly text: string }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const lines = text.split('\n', LINES + 1)
  const isLong = lines.length > LINES || text.length > CHARS
  const head = lines.slice(0, LINES).join('\n').slice(0, CHARS)
  return (
    <>
      <div className={styles.dataName}>{name}</div>
      <Text as="div" className={styles.data ?? ''} value={isOpen || !isLong ? text : head} limit={200_000} />
      {isLong ? (
        <Button size="small" variant="quiet" onPress={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show all ${text.length.toLocaleString('en-US')} characters`}
        </Button>
      ) : null}
    </>
  )
}

/** Arguments as text: as written when they are no JSON. */
export function argumentsText(step: StepView): string | null {
  if (step.argsRaw !== null) return step.argsRaw
  return step.tool === null || step.args === null ? null : jsonText(step.args)
}

/** The observation as text: JSON laid out, other text as it is. */
export function observationWords(step: StepView): string | null {
  if (typeof step.observation === 'string') return step.observation
  if (step.observation !== null) return jsonText(step.observation)
  return step.observationText
}

/** A card. */
export function StepCard({
  step,
  sign,
  isCurrent,
}: {
  readonly step: StepView
  readonly sign: StepSign | null
  readonly isCurrent: boolean
}): ReactElement {
  const args = argumentsText(step)
  const seen = observationWords(step)
  return (
    <article
      className={styles.card}
      data-current={isCurrent}
      data-step={step.step}
      aria-label={`step ${step.step}`}
    >
      <div className={styles.cardHead}>
        <span className={styles.index}>{step.step}</span>
        <span className={styles.role}>{step.role}</span>
        {step.tool === null ? null : <Text value={step.tool} className={styles.tool ?? ''} limit={300} />}
        {step.agent === null ? null : <Text value={step.agent} className="muted" limit={100} />}
        {step.stage === null ? null : (
          <Chip>
            <Text value={step.stage} limit={60} />
          </Chip>
        )}
        {step.isError ? <span className={styles.error}>! error</span> : null}
        {sign === null ? null : (
          <span className={classes(styles.sign, sign.sign === 'small' && styles.small)}>
            <DivergenceMark sign={sign.sign} label={null} size={10} />
            <Text value={sign.words} limit={200} />
          </span>
        )}
        <span className={styles.push} />
        {step.durationMs === null ? null : <span className="muted">{durationText(step.durationMs)}</span>}
        {step.startedAt === null ? null : (
          <Text value={step.startedAt} className={styles.time ?? ''} limit={40} />
        )}
        <CopyButton text={() => JSON.stringify(step, null, 2)} label="Copy as JSON" />
      </div>
      {step.said === null || step.said === '' ? null : <Said text={step.said} />}
      {args === null ? null : <Long name="arguments" text={args} />}
      {seen === null || seen === '' ? null : <Long name="observation" text={seen} />}
      {step.error === null || step.error === '' ? null : <Long name="error" text={step.error} />}
      <Media trialId={step.trialId} texts={[step.said, args, seen]} />
      {step.cutFromChars === null ? null : (
        <p className={styles.dataName}>
          The beginning of {step.cutFromChars.toLocaleString('en-US')} characters; the raw record has all of
          it.
        </p>
      )}
    </article>
  )
}

/** What was said, as prose. */
function Said({ text }: { readonly text: string }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const lines = text.split('\n', SAID_LINES + 1)
  const isLong = text.length > CHARS || lines.length > SAID_LINES
  const head = lines.slice(0, SAID_LINES).join('\n').slice(0, CHARS)
  return (
    <>
      <Text as="p" className={styles.said ?? ''} value={isOpen || !isLong ? text : head} limit={200_000} />
      {isLong ? (
        <Button size="small" variant="quiet" onPress={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show all ${text.length.toLocaleString('en-US')} characters`}
        </Button>
      ) : null}
    </>
  )
}
