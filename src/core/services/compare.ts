// Two versions of a system in one workspace, and plans of trials: gathers the trials of both sides, pairs them by task,
// has the figures computed in a worker and lays the leads of both sides beside them. Computes no statistic itself.

import { planTrials, passingChance } from '../../analysis/reliability/planning.ts'
import { passHatEstimate } from '../../analysis/reliability/passk.ts'
import type { SeededTrial, TaskRule } from '../../analysis/reliability/regression.ts'
import { REGRESSION_P, type Versions } from '../../analysis/reliability/versions.ts'
import { must } from '../../base/assert.ts'
import { Fault } from '../../base/fault.ts'
import type {
  CompareAtK,
  CompareCell,
  CompareOnly,
  CompareSide,
  CompareTask,
  CompareView,
} from '../../contract/comparerows.ts'
import type { Parsed } from '../../contract/contract.ts'
import type { TaskRow } from '../../contract/rows.ts'
import type { Context, Slice } from '../context.ts'
import { allConfigurations } from '../store/configurations.ts'
import { importedFiles } from '../store/importedfiles.ts'
import { loadPolicy } from '../store/settings.ts'
import { trialFacts } from '../store/trialfacts.ts'
import { resolveView, type Analyser } from './analysis.ts'
import { withLeads, type Counted, type Counter } from './counted.ts'
import { configurationLabels } from './labels.ts'
import { worded, type Resample, type Worded } from './resampled.ts'
import { figure, rateOf } from './taskrows.ts'

type Asked = Parsed<'compare.versions'>

/** compare.versions and plan.trials. */
export function compareService(
  context: Context,
  counter: Counter,
  analyser: Analyser,
  resample: Resample,
): Slice<'compare.versions' | 'plan.trials'> {
  return {
    'compare.versions': async (input, { signal }) => {
      const a = sideOf(context, counter, analyser, input, 'a')
      const b = sideOf(context, counter, analyser, input, 'b')
      const both = a.rows.flatMap((row) => {
        const other = b.byId.get(row.taskId)
        return other === undefined ? [] : [{ a: row, b: other }]
      })
      const policy = a.counted.view.policy
      const shared = new Set(both.map((pair) => pair.a.taskId))
      const result = await resample(
        {
          kind: 'versions',
          input: {
            pairs: both.map((pair) => ({
              taskId: pair.a.taskId,
              a: { n: pair.a.rate.n, c: pair.a.rate.passes },
              b: { n: pair.b.rate.n, c: pair.b.rate.passes },
            })),
            trialsA: seeded(a, shared),
            trialsB: seeded(b, shared),
            policy,
            rule: input.rule,
            correction: input.correction,
            exposure: input.k,
            confidence: input.confidence,
          },
        },
        signal,
      )
      return viewOf(input, a, b, both, result)
    },
    'plan.trials': ({ rate, failures, confidence, good }) => {
      const plan = planTrials(rate, failures, confidence)
      const goodRate = good ?? rate / 5
      return {
        ...plan,
        failures,
        good: goodRate,
        rows: plan.rows.map((row) => ({
          ...row,
          goodPasses: passingChance(row.trials, row.failures, goodRate),
        })),
      }
    },
  }
}

/** One side, gathered at one moment. */
type Side = {
  readonly label: string
  readonly counted: Counted
  /** With their leads. */
  readonly rows: readonly TaskRow[]
  readonly byId: ReadonlyMap<string, TaskRow>
  readonly seeds: ReadonlyMap<string, { readonly seed: string | null }>
  readonly configurations: readonly string[]
}

function sideOf(
  context: Context,
  counter: Counter,
  analyser: Analyser,
  input: Asked,
  which: 'a' | 'b',
): Side {
  const db = context.db()
  const { configurations, files } = input[which]
  const labels = configurationLabels(allConfigurations(db))
  for (const id of configurations ?? []) {
    if (!labels.has(id))
      throw new Fault(
        'NOT_FOUND',
        `No configuration of version ${which.toUpperCase()} is in the workspace.`,
        {
          where: id,
          hint: 'Its trials may have been deleted, or another workspace is open.',
        },
      )
  }
  const names = files === null ? null : importedFiles(db).filter((file) => files.includes(file.fileId))
  const view = resolveView({ configurations, files, policy: input.policy }, loadPolicy(db))
  const counted = counter.count(view)
  const rows = withLeads(db, counted, analyser)
  const parts = [
    ...(configurations ?? []).map((id) => labels.get(id) ?? id),
    ...new Set((names ?? []).map((file) => file.name)),
  ]
  return {
    label: parts.join(' + '),
    counted,
    rows,
    byId: new Map(rows.map((row) => [row.taskId, row])),
    seeds: trialFacts(db, null),
    configurations: [
      ...new Set([...counted.lines.values()].flatMap((lines) => lines.map((line) => line.configurationId))),
    ],
  }
}

function seeded(side: Side, tasks: ReadonlySet<string>): readonly SeededTrial[] {
  return [...side.counted.lines].flatMap(([taskId, lines]) =>
    tasks.has(taskId)
      ? lines.map(({ trialId, outcome }) => ({
          taskId,
          seed: side.seeds.get(trialId)?.seed ?? null,
          outcome,
        }))
      : [],
  )
}

function viewOf(
  input: Asked,
  a: Side,
  b: Side,
  both: readonly { readonly a: TaskRow; readonly b: TaskRow }[],
  result: Versions,
): CompareView {
  const { atK, mcnemar, regressions, tasks, trials, worse } = worded(result)
  const shownK = Math.max(1, ...atK.filter((at) => at.a.headline.ok && at.b.headline.ok).map((at) => at.k))
  const k = input.k ?? shownK
  const tested = new Map(regressions.tasks.map((task) => [task.taskId, task]))
  const inB = new Set([...b.counted.lines.values()].flat().map((line) => line.trialId))
  const rows = both.map((pair, i): CompareTask => {
    const test = tested.get(pair.a.taskId)
    const { difference } = must(tasks[i], 'a difference per task')
    return {
      taskId: pair.a.taskId,
      suite: pair.a.suite,
      task: pair.a.task,
      title: pair.a.title,
      a: cellOf(pair.a, k),
      b: cellOf(pair.b, k),
      difference,
      change: changeOf(difference),
      regression: test === undefined ? null : { p: test.p, adjusted: test.adjusted, floor: test.floor },
    }
  })
  const onlyB = b.rows.filter((row) => !a.byId.has(row.taskId))
  return {
    a: wholeSide(a),
    b: wholeSide(b),
    policy: a.counted.view.policy,
    confidence: input.confidence,
    sharedTrials: [...a.counted.lines.values()].flat().filter((line) => inB.has(line.trialId)).length,
    shownK: k,
    tasks: rows,
    onlyA: a.rows.filter((row) => !b.byId.has(row.taskId)).map(onlyOf),
    onlyB: onlyB.map(onlyOf),
    atK: atK.map(atKOf),
    mcnemar: {
      rule: ruleWords(input.rule),
      test: mcnemar.test,
      compared: mcnemar.compared,
      leftOut: mcnemar.leftOut,
    },
    trialMcnemar: trials,
    regressions: {
      correction: regressions.correction,
      m: regressions.m,
      leftOut: regressions.leftOut,
      adjustedFloor: regressions.adjustedFloor,
      canTell: regressions.m > 0 && regressions.adjustedFloor < REGRESSION_P,
    },
    conditions: {
      severe: b.rows.filter((row) => row.severeTrials > 0).map((row) => row.taskId),
      moreSevere: [
        ...both.filter((pair) => severeShare(b, pair.b) > severeShare(a, pair.a)).map((pair) => pair.b),
        ...onlyB.filter((row) => row.severeTrials > 0),
      ].map((row) => row.taskId),
      worse: worse.taskIds,
      worseOverall: worse.overall,
    },
    pending: [...a.rows, ...b.rows].filter((row) => row.lead.state === 'pending').length,
  }
}

/** Share of a task's trials with a severe event, whatever their outcome. */
function severeShare(side: Side, row: TaskRow): number {
  const trials = side.counted.lines.get(row.taskId)?.length ?? 0
  return trials === 0 ? 0 : row.severeTrials / trials
}

function cellOf(row: TaskRow, k: number): CompareCell {
  return {
    rate: row.rate,
    curve: row.curve,
    passHatK: figure(passHatEstimate(row.rate.n, row.rate.passes, k)),
    severeTrials: row.severeTrials,
    severeEvents: row.severeEvents,
    passedButHarmful: row.passedButHarmful,
    costMean: row.costMean,
    lead: row.lead,
  }
}

function changeOf(difference: CompareTask['difference']): CompareTask['change'] {
  if (!difference.ok) return 'not estimable'
  if (difference.value.difference === 0) return 'same'
  return difference.value.difference > 0 ? 'better' : 'worse'
}

function onlyOf(row: TaskRow): CompareOnly {
  const { taskId, suite, task, rate, severeTrials } = row
  return { taskId, suite, task, n: rate.n, passes: rate.passes, severeTrials }
}

function wholeSide(side: Side): CompareSide {
  const lines = [...side.counted.lines.values()].flat()
  const total = (of: (row: TaskRow) => number): number => side.rows.reduce((sum, row) => sum + of(row), 0)
  return {
    label: side.label,
    configurations: side.configurations,
    trials: lines.length,
    tasks: side.rows.length,
    pooled: rateOf(
      lines.map((line) => line.outcome),
      side.counted.view.policy,
    ),
    severeTrials: total((row) => row.severeTrials),
    severeEvents: total((row) => row.severeEvents),
    passedButHarmful: total((row) => row.passedButHarmful),
  }
}

function atKOf({ k, a, b, paired }: Worded<Versions['atK'][number]>): CompareAtK {
  const { headline } = paired.difference
  const isCertain = headline.ok && (headline.value.lower > 0 || headline.value.upper < 0)
  const mean = ({ mean, headline, defined, total, bounds }: typeof a): CompareAtK['a'] => ({
    k,
    mean,
    headline,
    defined,
    total,
    bounds,
  })
  return { k, a: mean(a), b: mean(b), paired: { ...paired, isCertain } }
}

/** When a task counts as passed, in words. */
export function ruleWords(rule: TaskRule): string {
  if (rule.kind === 'all') return 'a task passes when all of its trials pass'
  if (rule.kind === 'pass-hat') return `a task passes when pass^${rule.k} is at least ${rule.threshold}`
  return 'a task passes when more than half of its trials pass; a tie is not estimable'
}
