// The finding under the lanes: the chosen failing trial's own, else the task's. The sentence comes from the core;
// here stand its level, its chance figures, what to try, how it was computed, and the ways to keep it.

import { useState, type ReactElement } from 'react'
import { plural } from '../../../base/text.ts'
import type { FindingText, TaskView } from '../../../contract/rows.ts'
import type { Divergence, TaskAnalysis } from '../../../model/analysis.ts'
import { DivergenceMark } from '../../../marks/DivergenceMark.tsx'
import { Button } from '../../kit/Button.tsx'
import { classes } from '../../kit/classes.ts'
import { How } from '../../kit/How.tsx'
import { AnnotateIcon } from '../../kit/icons.ts'
import { CopyButton } from '../../kit/States.tsx'
import { Text } from '../../kit/Text.tsx'
import { findingMarkdown } from './copies.ts'
import type { GoInTask, TaskPlace } from './taskplace.ts'
import { drawnAt } from './laneColumns.ts'
import { stateWords, tooFewWords, trialName } from './words.ts'
import styles from './Finding.module.css'

/** What is shown: a text with the divergence that it speaks of. */
type Shown = { readonly text: FindingText; readonly divergence: Divergence | null; readonly isOwn: boolean }

/** The finding to show for a place: the chosen failing trial's own, else the band's. */
export function shownFinding(view: TaskView, analysis: TaskAnalysis, trial: string | null): Shown | null {
  const own = view.findings.find((finding) => finding.trialId === trial)
  if (own !== undefined) {
    const ranked = analysis.findings.find((finding) => finding.trial === trial)
    return {
      text: own,
      divergence: ranked?.state === 'lead' ? (ranked.ranked[0] ?? null) : null,
      isOwn: true,
    }
  }
  // While the others are still being compared there is no finding of the task: the first trial's own stands in.
  const [early] = view.analysisState === 'partial' && trial === null ? view.findings : []
  if (early !== undefined) return shownFinding(view, analysis, early.trialId)
  return view.lead === null ? null : { text: view.lead, divergence: analysis.lead, isOwn: false }
}

/**
 * The core's words in their parts: the level, what differs, the sentence, and what to try. The core writes them as one
 * paragraph for CLI and exports; here each has its own line. Words that do not have the expected shape stay whole.
 */
export function partsOf(
  text: FindingText,
  divergence: Divergence | null,
): {
  readonly level: string | null
  readonly headline: string
  readonly sentence: string
  readonly test: string | null
} {
  const prefix = divergence === null ? '' : `${divergence.level}: `
  const hasLevel = prefix !== '' && text.headline.startsWith(prefix)
  const ending = text.intervention === null ? '' : ` To test it: ${text.intervention}.`
  const hasEnding = ending !== '' && text.sentence.endsWith(ending)
  return {
    level: hasLevel && divergence !== null ? divergence.level : null,
    headline: hasLevel ? text.headline.slice(prefix.length) : text.headline,
    sentence: hasEnding ? text.sentence.slice(0, -ending.length) : text.sentence,
    test: hasEnding ? text.intervention : null,
  }
}

/** Where "Annotate" leads: the chosen failing trial, else the one that the band's finding speaks of. */
export function trialToAnnotate(view: TaskView, analysis: TaskAnalysis, trial: string | null): string | null {
  const isKnown = view.trials.some((one) => one.trialId === trial)
  if (trial !== null && isKnown) return trial
  return (
    analysis.lead?.trial ??
    view.trials.find((one) => one.counts === 'fail')?.trialId ??
    view.trials[0]?.trialId ??
    null
  )
}

/** The panel under the table. */
export function Finding({
  view,
  analysis,
  place,
  go,
}: {
  readonly view: TaskView
  readonly analysis: TaskAnalysis
  readonly place: TaskPlace
  readonly go: GoInTask
}): ReactElement {
  // While the step pair is open the finding is one line, unless it is asked for.
  const [isWhole, setWhole] = useState(false)
  const shown = shownFinding(view, analysis, place.trial)
  const passing = analysis.lanes.filter((lane) => lane.isPass).length
  const failing = analysis.lanes.length - passing
  const target = trialToAnnotate(view, analysis, place.trial)
  const isPartial = view.analysisState === 'partial'
  const state = isPartial || analysis.state === 'lead' ? null : stateWords(analysis.state, passing, failing)
  const divergence = shown?.divergence ?? null
  const parts = shown === null ? null : partsOf(shown.text, divergence)
  const open = (): void => {
    if (divergence !== null) go({ trial: divergence.trial, column: drawnAt(analysis, divergence.column) })
  }
  const isShort = place.column !== null && place.trial !== null && !isWhole
  const actions = (
    <div className={styles.actions}>
      {divergence !== null &&
      (place.column !== drawnAt(analysis, divergence.column) || place.trial !== divergence.trial) ? (
        <Button size="small" onPress={open}>
          Compare the steps
        </Button>
      ) : null}
      {place.column !== null && place.trial !== null && parts !== null ? (
        <Button size="small" variant="quiet" aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>
          {isWhole ? 'Less' : 'More'}
        </Button>
      ) : null}
      {shown === null || isShort ? null : (
        <>
          <How
            look="words"
            title={shown.isOwn ? 'finding of this trial' : 'finding of this task'}
            rows={shown.text.how}
          />
          <CopyButton text={() => findingMarkdown(view, shown.text, divergence)} label="Copy as finding" />
        </>
      )}
      {target === null || isShort ? null : (
        <Button
          size="small"
          icon={AnnotateIcon}
          onPress={() => go({ isAnnotating: true, trial: target })}
          aria-label="Annotate (a)"
        >
          Annotate
        </Button>
      )}
    </div>
  )
  return (
    <section
      className={classes(styles.finding, state !== null && styles.plain, isShort && styles.short)}
      aria-label="Finding"
      data-finding={isPartial ? 'partial' : analysis.state}
    >
      <div className={styles.body}>
        <div className={styles.headline}>
          {parts === null || divergence === null ? null : (
            <>
              <DivergenceMark sign="lead" label={null} />
              {parts.level === null ? null : <span className={styles.level}>{parts.level}</span>}
              <Text value={parts.headline} className={styles.what ?? ''} />
            </>
          )}
          {parts !== null && divergence === null ? (
            <span className={styles.state}>{parts.headline}</span>
          ) : null}
          {parts === null && state !== null ? <span className={styles.state}>{state.state}</span> : null}
          {analysis.tooFew && divergence !== null ? (
            <span className={styles.state} title={tooFewWords(analysis)}>
              too few
            </span>
          ) : null}
          {isPartial ? (
            <span className={styles.state} role="status">
              still comparing {plural(view.comparing, 'failing trial')}…
            </span>
          ) : null}
          {shown === null ? null : (
            <span className={styles.whose}>
              {shown.isOwn ? (
                <Text
                  value={trialName(
                    view.trials.find((one) => one.trialId === shown.text.trialId),
                    'this trial',
                  )}
                />
              ) : (
                'this task'
              )}
            </span>
          )}
        </div>
        {parts === null || isShort ? null : (
          <Text as="p" className={styles.sentence} value={parts.sentence} />
        )}
        {parts === null && state !== null ? <p className={styles.sentence}>{state.meaning}</p> : null}
        {parts === null || parts.test === null || isShort ? null : (
          <p className={styles.test}>
            To test it: <Text value={parts.test} />
          </p>
        )}
      </div>
      {actions}
    </section>
  )
}
