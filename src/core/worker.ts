// The worker thread of the core: normalisation, analysis, rules, resampling and finding words happen here, so that queries
// are answered meanwhile.
// It holds no database: it is handed packed trials and gives packed analyses or judgements. Talks to pool.ts only.

import { parentPort } from 'node:worker_threads'
import { OpenAnalysis } from '../analysis/divergence/analyse.ts'
import type { AnalysisOptions } from '../analysis/divergence/options.ts'
import { figuresOf, type Figures, type FiguresInput } from '../analysis/reliability/figures.ts'
import { countsAs } from '../analysis/reliability/outcomes.ts'
import { compareVersions, type Versions, type VersionsInput } from '../analysis/reliability/versions.ts'
import { normaliseTrial, type NormalTrial } from '../analysis/divergence/input.ts'
import { makeRuleSet, type Judgement, type RuleSet } from '../analysis/rules/judge.ts'
import { learnTask, type Learned } from '../analysis/rules/learned.ts'
import { wordsOf } from '../analysis/search/words.ts'
import { toFaultData } from '../base/fault.ts'
import type { LeadRow } from '../contract/rows.ts'
import type { TaskAnalysis } from '../model/analysis.ts'
import { DEFAULT_POLICY } from '../model/outcome.ts'
import type { Rule } from '../model/rules.ts'
import type { Trial } from '../model/trial.ts'
import { packJson, unpack, unpackJson, type Packed } from './store/blobs.ts'
import { trialRules, type PackedForJudging } from './store/judgements.ts'
import { normalVariant, type PackedNormal, type PackedTrial } from './store/packed.ts'
import type { PackedForIndex } from './store/searchindex.ts'

/** Trials of one task to be compared. */
export type AnalyseJob = {
  readonly kind: 'analyse'
  readonly trials: readonly PackedTrial[]
  readonly options: AnalysisOptions
  /**
   * Of a large task columns, lanes and the finding of this failing trial (null: of the first) are told before the others
   * are scored.
   */
  readonly first: string | null
}

/** What an analysis has so far, packed, and how many failing trials are still to be compared. */
export type PartialAnalysis = { readonly analysis: Packed; readonly comparing: number }

/** Trials to be judged by rules; `before`: by these rules, too, to be compared. */
export type JudgeJob = {
  readonly kind: 'judge'
  readonly trials: readonly PackedForJudging[]
  readonly rules: readonly Rule[]
  readonly before: readonly Rule[] | null
}

/** Trials of one task of which is to be told what the analysis learns. */
export type LearnJob = Omit<AnalyseJob, 'kind' | 'first'> & { readonly kind: 'learn' }

/** Two versions to be compared. */
export type VersionsJob = { readonly kind: 'versions'; readonly input: VersionsInput }

/** Tasks whose figures with intervals are asked for. */
export type FiguresJob = { readonly kind: 'figures'; readonly input: FiguresInput }

/** Trials whose words go into the search index. */
export type WordsJob = { readonly kind: 'words'; readonly trials: readonly PackedForIndex[] }

/** What the worker can be asked. */
export type WorkerJob = AnalyseJob | JudgeJob | LearnJob | VersionsJob | FiguresJob | WordsJob

/** The words of one trial in UTF-8, parted by blanks; null when it could not be read. */
export type TrialWords = { readonly seq: number; readonly words: Uint8Array<ArrayBuffer> | null }

/** What the rules say of one trial; null when it could not be read. */
export type Judged = {
  readonly seq: number
  readonly judgement: Judgement | null
  readonly before: Judgement | null
}

/** What the worker answers: the analysis packed with the line that the task table shows, judgements, beliefs, figures, words. */
export type WorkerResult<Job extends WorkerJob = AnalyseJob> = Job extends JudgeJob
  ? readonly Judged[]
  : Job extends LearnJob
    ? Learned
    : Job extends VersionsJob
      ? Versions
      : Job extends FiguresJob
        ? Figures
        : Job extends WordsJob
          ? readonly TrialWords[]
          : {
              readonly analysis: Packed
              readonly lead: LeadRow
              /** Normal forms that were not there yet, to be kept. */
              readonly normals: readonly PackedNormal[]
              /** Time that they took, reading the trials included. */
              readonly normalMs: number
            }

/** The line of an analysis that lists show. */
export function leadRowOf(analysis: TaskAnalysis): LeadRow {
  const { lead } = analysis
  const passes = analysis.lanes.filter((lane) => lane.isPass).length
  return {
    state: analysis.state,
    tooFew: analysis.tooFew,
    stage: lead?.stage ?? null,
    tool: lead?.tool ?? null,
    kind: lead?.kind ?? null,
    level: lead?.level ?? null,
    probability: lead?.probability ?? null,
    a: lead?.counts.a ?? 0,
    F: lead?.counts.F ?? analysis.lanes.length - passes,
    b: lead?.counts.b ?? 0,
    P: lead?.counts.P ?? passes,
  }
}

function unpackTrial({ head, body }: PackedTrial): Trial {
  const rest = body === null ? { steps: [], extra: {} } : unpackJson<Pick<Trial, 'steps' | 'extra'>>(body)
  return { ...head, steps: rest.steps, extra: rest.extra }
}

/** Tasks with fewer steps in all are told whole: drawing them twice would take longer. */
const PARTIAL_STEPS = 20_000

function analyse(job: AnalyseJob, partial: (value: PartialAnalysis) => void): WorkerResult {
  const normals: PackedNormal[] = []
  let normalMs = 0
  const inputs = job.trials.map((packed) => {
    const { id, head } = packed
    const started = performance.now()
    const trial = unpackTrial(packed)
    if (packed.normal !== null) return { id, trial, normal: unpackJson<NormalTrial>(packed.normal) }
    const normal = normaliseTrial(trial)
    normals.push({ id, variant: normalVariant(head.outcome), form: packJson(normal) })
    normalMs += performance.now() - started
    return { id, trial, normal }
  })
  const open = new OpenAnalysis(inputs, job.options)
  const failing = open.rankable()
  const steps = job.trials.reduce((sum, { stepCount }) => sum + stepCount, 0)
  if (failing.length > 1 && steps >= PARTIAL_STEPS) {
    const wanted = failing.find((id) => id === job.first) ?? failing[0]
    if (wanted !== undefined)
      partial({ analysis: packJson(open.partial(wanted)), comparing: failing.length - 1 })
  }
  const analysis = open.finish()
  return { analysis: packJson(analysis), lead: leadRowOf(analysis), normals, normalMs }
}

/** Judges each trial by itself: a damaged one must not take the others with it. */
function judge(job: JudgeJob): readonly Judged[] {
  const setsOf = (rules: readonly Rule[]): ((suite: string) => RuleSet) => {
    const known = new Map<string, RuleSet>()
    return (suite) => {
      let set = known.get(suite)
      if (set === undefined) known.set(suite, (set = makeRuleSet(trialRules(rules, suite))))
      return set
    }
  }
  const after = setsOf(job.rules)
  const before = job.before === null ? null : setsOf(job.before)
  return job.trials.map(({ seq, suite, head, body }) => {
    try {
      const rest = body === null ? { steps: [], extra: {} } : unpackJson<Pick<Trial, 'steps' | 'extra'>>(body)
      const trial = { ...head, ...rest }
      return { seq, judgement: after(suite).judge(trial), before: before?.(suite).judge(trial) ?? null }
    } catch {
      return { seq, judgement: null, before: null }
    }
  })
}

function learn(job: LearnJob): Learned {
  const policy = job.options.policy ?? DEFAULT_POLICY
  const trials = job.trials
    .map((packed) => ({ id: packed.id, trial: unpackTrial(packed) }))
    .filter(({ trial }) => trial.steps.length > 0 && countsAs(trial.outcome, policy) !== null)
  return learnTask(
    trials.map(({ trial }) => normaliseTrial(trial)),
    trials.map(({ trial }) => trial.outcome === 'pass'),
    trials.map(({ id }) => id),
    job.options,
  )
}

/** A damaged trial must not take the others with it. */
function words(job: WordsJob): readonly TrialWords[] {
  return job.trials.map(({ seq, body, error }) => {
    try {
      return { seq, words: wordsOf([unpack(body), Buffer.from(error ?? '')]) }
    } catch {
      return { seq, words: null }
    }
  })
}

function run(job: WorkerJob, partial: (value: PartialAnalysis) => void): WorkerResult<WorkerJob> {
  switch (job.kind) {
    case 'analyse':
      return analyse(job, partial)
    case 'judge':
      return judge(job)
    case 'learn':
      return learn(job)
    case 'versions':
      return compareVersions(job.input)
    case 'figures':
      return figuresOf(job.input)
    case 'words':
      return words(job)
  }
}

parentPort?.on('message', (message: { readonly id: number; readonly job: WorkerJob }) => {
  try {
    const partial = (value: PartialAnalysis): void =>
      parentPort?.postMessage({ id: message.id, partial: value })
    parentPort?.postMessage({ id: message.id, ok: true, value: run(message.job, partial) })
  } catch (error) {
    parentPort?.postMessage({ id: message.id, ok: false, error: toFaultData(error) })
  }
})
