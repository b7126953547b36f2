// The task screen's data: the task's row, its trials, the stored analysis with its findings in words, and the same
// figures by configuration. Reads and arranges; computes no statistic and no alignment.

import {
  howComputed,
  findingSentence,
  intervention,
  STATE_SENTENCES,
  whatDiffers,
} from '../../analysis/divergence/wording.ts'
import { countsAs } from '../../analysis/reliability/outcomes.ts'
import { must } from '../../base/assert.ts'
import type { FindingText, LeadRow, TaskRow, TaskView, TrialRow } from '../../contract/rows.ts'
import type { Divergence, TaskAnalysis } from '../../model/analysis.ts'
import { loadAnalysis } from '../store/analyses.ts'
import { unpackJson } from '../store/blobs.ts'
import { annotationStates, type AnnotationState } from '../store/annotations.ts'
import { attachedOfTask } from '../store/attachments.ts'
import { allConfigurations } from '../store/configurations.ts'
import type { ReadableDb } from '../store/connection.ts'
import { rulingsOfTask, type TrialRuling } from '../store/judgements.ts'
import { taskById } from '../store/tasks.ts'
import { sourcesOfTask, trialHeads, type TrialHead, type TrialSource } from '../store/trials.ts'
import { configurationLabels } from './labels.ts'
import { curveOf, rateOf, type TrialLine } from './taskrows.ts'
import type { PartialAnalysis } from '../worker.ts'
import type { ResolvedView } from './analysis.ts'

/** What the task screen draws of one task under a view. `row` is the task's row in the same view. */
export function taskView(
  db: ReadableDb,
  scope: {
    readonly view: ResolvedView
    readonly row: TaskRow
    readonly lines: readonly TrialLine[]
    readonly inputsHash: string
    readonly algorithm: string
    readonly partial: PartialAnalysis | null
  },
): TaskView {
  const { row, view, lines } = scope
  const labels = configurationLabels(allConfigurations(db))
  const stored = loadAnalysis(db, { taskId: row.taskId, viewHash: view.hash })
  const isCurrent =
    stored !== null && stored.inputsHash === scope.inputsHash && stored.algorithm === scope.algorithm
  const whole = isCurrent ? stored.analysis : null
  const partial = isCurrent ? null : scope.partial
  const analysis = partial === null ? whole : unpackJson<TaskAnalysis>(partial.analysis)
  const trials = trialRows(db, scope, labels)
  return {
    row: { ...row, lead: isCurrent && stored.lead !== null ? stored.lead : pendingLead(row, isCurrent) },
    input: taskById(db, row.taskId)?.input ?? null,
    curve: curveOf(row.rate.n, row.rate.passes),
    trials,
    analysis,
    analysisState: partial !== null ? 'partial' : whole !== null ? 'ready' : isCurrent ? 'failed' : 'pending',
    comparing: partial?.comparing ?? 0,
    analysisFault: isCurrent ? stored.fault : null,
    lead: analysis === null || analysis.lead === null ? null : leadText(analysis, analysis.lead),
    findings: analysis === null ? [] : analysis.findings.map((finding) => trialText(analysis, finding)),
    byConfiguration: byConfiguration(lines, view, labels),
    policy: view.policy,
    configurations: row.configurations,
  }
}

function pendingLead(row: TaskRow, isCurrent: boolean): LeadRow {
  return isCurrent ? { ...row.lead, state: 'failed' } : row.lead
}

function trialRows(
  db: ReadableDb,
  scope: { readonly view: ResolvedView; readonly row: TaskRow },
  labels: ReadonlyMap<string, string>,
): readonly TrialRow[] {
  const { view, row } = scope
  const inScope = view.configurations === null ? null : new Set(view.configurations)
  const heads = trialHeads(db, row.taskId).filter(
    (head) => inScope === null || inScope.has(head.configurationId),
  )
  const sources = sourcesOfTask(db, row.taskId)
  const rulings = rulingsOfTask(db, row.taskId)
  const attached = attachedOfTask(db, row.taskId)
  const annotations = new Map(annotationStates(db, row.taskId).map((state) => [state.trialId, state]))
  const isMixed = new Set(heads.map((head) => head.configurationId)).size > 1
  return heads.map((head) => {
    const configurationLabel = labels.get(head.configurationId) ?? head.configurationId
    return trialRow(head, {
      label: isMixed ? `${configurationLabel} · trial ${head.number}` : `trial ${head.number}`,
      configurationLabel,
      counted: head.isConflict ? null : countsAs(head.outcome, view.policy),
      sources: sources.get(head.trialId) ?? [],
      annotation: annotations.get(head.trialId) ?? null,
      ruling: rulings.get(head.trialId) ?? null,
      attached: attached.get(head.trialId) ?? null,
    })
  })
}

function trialRow(
  head: TrialHead,
  about: {
    readonly label: string
    readonly configurationLabel: string
    readonly counted: boolean | null
    readonly sources: readonly TrialSource[]
    readonly annotation: AnnotationState | null
    readonly ruling: TrialRuling | null
    readonly attached: TrialRow['attached']
  },
): TrialRow {
  return {
    trialId: head.trialId,
    number: head.number,
    label: about.label,
    configurationId: head.configurationId,
    configurationLabel: about.configurationLabel,
    outcome: head.outcome,
    counts: about.counted === null ? 'excluded' : about.counted ? 'pass' : 'fail',
    score: head.score,
    scorer: head.scorer,
    termination: head.termination,
    error: head.error,
    // Imported ones first, then what rules found; both keep their steps.
    severe: [...head.severeEvents, ...(about.ruling?.events ?? [])],
    steps: head.stepCount,
    calls: head.callCount,
    toolErrors: head.toolErrors,
    costUsd: head.costUsd,
    inputTokens: head.inputTokens,
    outputTokens: head.outputTokens,
    durationMs: head.durationMs,
    sourceTrial: head.sourceTrial,
    seed: head.seed,
    sources: about.sources,
    annotationRevision: about.annotation?.revision ?? null,
    causes: about.annotation?.causes ?? [],
    isConflict: head.isConflict,
    attemptOf: head.attemptOf,
    attached: about.attached,
    judged: judgedOf(about.ruling),
  }
}

/** What an outcome rule made of a trial; null when none spoke. */
function judgedOf(ruling: TrialRuling | null): TrialRow['judged'] {
  if (ruling === null || ruling.ruleId === null) return null
  return { imported: ruling.imported, why: ruling.why ?? '', ruleId: ruling.ruleId }
}

const HOW_MEANINGS: Readonly<Record<string, string>> = {
  score: 'compared with the other differences of this trial; “none of them” has score +1',
}

function leadText(analysis: TaskAnalysis, divergence: Divergence): FindingText {
  const { p, floor, labelings, isExact, generator, seed, stream } = analysis.permutation
  return {
    trialId: divergence.trial,
    headline: `${divergence.level}: ${whatDiffers(divergence)}`,
    sentence: findingSentence(analysis, divergence),
    intervention: intervention(divergence),
    how: [
      ...howComputed(divergence).map(({ label, value }) => ({
        name: label,
        value,
        meaning: HOW_MEANINGS[label] ?? '',
      })),
      {
        name: 'permutation p of the task',
        value: p === null ? 'not estimable' : p.toPrecision(3),
        meaning: `share of ${labelings.toLocaleString('en-US')} ${isExact ? 'possible' : 'random'} labelings with a difference at least this clear${isExact ? '' : ` (${generator}, seed ${seed}, stream ${stream})`}`,
      },
      {
        name: 'smallest possible p',
        value: floor === null ? 'not estimable' : floor.toPrecision(3),
        meaning: 'with this many passing and failing trials',
      },
      { name: 'algorithm', value: analysis.version, meaning: 'docs/method-divergence.md' },
    ],
  }
}

function trialText(analysis: TaskAnalysis, finding: TaskAnalysis['findings'][number]): FindingText {
  const top = finding.ranked[0]
  if (finding.state === 'lead' && top !== undefined) return leadText(analysis, top)
  const state = finding.state === 'lead' ? 'none' : finding.state
  return {
    trialId: finding.trial,
    headline: state,
    sentence: STATE_SENTENCES[state],
    intervention: null,
    how: [
      {
        name: 'weight of “none of these differences”',
        value: finding.pNone.toFixed(3),
        meaning: 'at .5 or more no difference is named',
      },
      { name: 'algorithm', value: analysis.version, meaning: 'docs/method-divergence.md' },
    ],
  }
}

function byConfiguration(
  lines: readonly TrialLine[],
  view: ResolvedView,
  labels: ReadonlyMap<string, string>,
): TaskView['byConfiguration'] {
  const groups = Map.groupBy(lines, (line) => line.configurationId)
  return [...labels].flatMap(([configurationId, label]) => {
    if (!groups.has(configurationId)) return []
    const mine = must(groups.get(configurationId), 'trials of a configuration')
    const rate = rateOf(
      mine.map((line) => line.outcome),
      view.policy,
    )
    return [
      {
        configurationId,
        label,
        rate,
        curve: curveOf(rate.n, rate.passes),
        severeTrials: mine.filter((line) => line.severeEvents > 0).length,
      },
    ]
  })
}
