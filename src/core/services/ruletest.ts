// Trying a rule without saving it: the trials are judged with and without it in the worker threads, the hashes of the
// analyses' inputs are compared, and both sides are counted. Writes nothing.

import { Fault } from '../../base/fault.ts'
import { countsAs } from '../../analysis/reliability/outcomes.ts'
import type { Judgement } from '../../analysis/rules/judge.ts'
import type { RuleEvent } from '../../analysis/rules/severity.ts'
import type { Parsed } from '../../contract/contract.ts'
import type { RuleCounts, RuleExample, RuleProgress, RuleTest } from '../../contract/rulerows.ts'
import type { Outcome, OutcomePolicy } from '../../model/outcome.ts'
import { judgesTrials, type Rule } from '../../model/rules.ts'
import { ruleWords } from '../../model/rulewords.ts'
import type { Context, RequestContext } from '../context.ts'
import type { ReadableDb } from '../store/connection.ts'
import { livingTrials, type PackedForJudging } from '../store/judgements.ts'
import { allRules } from '../store/rules.ts'
import { loadPolicy } from '../store/settings.ts'
import { taskById } from '../store/tasks.ts'
import { rulesForTasks } from '../store/tasktools.ts'
import { trialHead } from '../store/trials.ts'
import { judgeAll } from './judging.ts'

/** Examples and task names that an answer holds. */
const EXAMPLES = 20
/** The id that a rule has while it is only tried. */
const TRIED = 'r-tried'

/** What saving (draft), replacing (draft and id) or removing (id) a rule would do. */
export async function testRule(
  context: Context,
  { ruleId, draft }: Parsed<'rules.test'>,
  { signal, progress }: RequestContext<RuleProgress>,
): Promise<RuleTest> {
  const db = context.db()
  const before = allRules(db)
  const old = ruleId === null ? null : before.find((rule) => rule.id === ruleId)
  if (old === undefined || (old === null && draft === null)) {
    throw new Fault('NOT_FOUND', 'There is no such rule in the workspace.', {
      where: ruleId ?? 'ruleId',
      hint: 'Give a draft to try a new rule.',
    })
  }
  const stamp = { revision: 0, createdAt: '', updatedAt: '' }
  const tried: Rule | null = draft === null ? null : { ...draft, ...stamp, id: ruleId ?? TRIED }
  const after =
    old === null
      ? [...before, ...(tried === null ? [] : [tried])]
      : before.flatMap((rule) => (rule.id !== old.id ? [rule] : tried === null ? [] : [tried]))
  const suites = [old?.suite, tried?.suite].filter((suite) => suite !== undefined)
  const [suite] = suites
  const scope = suites.includes(null) || new Set(suites).size > 1 ? null : (suite ?? null)
  const trials = livingTrials(db, scope)
  const tally = new Tally(loadPolicy(db))
  let done = 0
  await judgeAll(
    context,
    {
      db,
      ...relevant(before, after, old ?? null, tried),
      isOver: () => signal.aborted || context.closing.aborted || !db.isOpen(),
    },
    trials.map(({ seq }) => seq),
    (judged, packed) => {
      const bySeq = new Map(packed.map((trial) => [trial.seq, trial]))
      for (const { seq, judgement, before: judgedBefore } of judged) {
        const trial = bySeq.get(seq)
        if (trial === undefined) continue
        if (judgement === null || judgedBefore === null) tally.failed++
        else tally.add(trial, judgedBefore, judgement)
      }
      done += judged.length
      progress({ done, total: trials.length })
    },
  )
  signal.throwIfAborted()
  const recomputed = tally.recomputed(rulesForTasks(db, before), rulesForTasks(db, after))
  return {
    words: tried === null ? null : ruleWords(tried),
    trials: trials.length - tally.failed,
    before: tally.before.counts(),
    after: tally.after.counts(),
    recomputed: recomputed.length,
    recomputedTasks: recomputed.slice(0, EXAMPLES).flatMap((taskId) => {
      const task = taskById(db, taskId)
      return task === null ? [] : [{ taskId, suite: task.suite, task: task.task }]
    }),
    outcomesChanged: tally.outcomesChanged,
    eventsAppear: tally.eventsAppear,
    eventsGo: tally.eventsGo,
    failedTrials: tally.failed,
    examples: tally.examples.map((example) => named(db, example)),
  }
}

/** The rules by which to judge: all, so that the counts are whole, unless the change cannot touch any trial. */
function relevant(
  before: readonly Rule[],
  after: readonly Rule[],
  old: Rule | null,
  tried: Rule | null,
): { readonly rules: readonly Rule[]; readonly before: readonly Rule[] } {
  const touches = (old !== null && judgesTrials(old)) || (tried !== null && judgesTrials(tried))
  return touches ? { rules: after, before } : { rules: before, before }
}

type Example = Omit<RuleExample, 'suite' | 'task' | 'number'>

function named(db: ReadableDb, example: Example): RuleExample {
  const task = taskById(db, example.taskId)
  const { number } = trialHead(db, example.trialId)
  return { ...example, suite: task?.suite ?? '', task: task?.task ?? '', number }
}

/** One side of the comparison. */
class Side {
  readonly #outcomes: Record<Outcome, number> = { pass: 0, fail: 0, error: 0, unknown: 0 }
  #severeTrials = 0
  #severeEvents = 0
  #passedButHarmful = 0
  #ruleEvents = 0
  #cost: number | null = null

  add(outcome: Outcome, imported: number, judgement: Judgement): void {
    this.#outcomes[outcome]++
    const severe = imported + judgement.severe
    this.#severeEvents += severe
    if (severe > 0) {
      this.#severeTrials++
      if (outcome === 'pass') this.#passedButHarmful++
    }
    this.#ruleEvents += judgement.events.length
    for (const { costUsd } of judgement.events) {
      if (costUsd !== null) this.#cost = (this.#cost ?? 0) + costUsd
    }
  }

  counts(): RuleCounts {
    const { pass, fail, error, unknown } = this.#outcomes
    return {
      passes: pass,
      fails: fail,
      errors: error,
      unknown,
      severeTrials: this.#severeTrials,
      severeEvents: this.#severeEvents,
      passedButHarmful: this.#passedButHarmful,
      ruleEvents: this.#ruleEvents,
      ruleCostUsd: this.#cost,
    }
  }
}

class Tally {
  readonly before = new Side()
  readonly after = new Side()
  readonly examples: Example[] = []
  failed = 0
  outcomesChanged = 0
  eventsAppear = 0
  eventsGo = 0
  readonly #policy: OutcomePolicy
  readonly #tasks = new Map<string, { passes: number; fails: number; isChanged: boolean }>()

  constructor(policy: OutcomePolicy) {
    this.#policy = policy
  }

  add(trial: PackedForJudging, before: Judgement, after: Judgement): void {
    const imported = trial.head.severeErrors.filter((event) => event.severity === 'severe').length
    const from = before.outcome?.outcome ?? trial.head.outcome
    const to = after.outcome?.outcome ?? trial.head.outcome
    this.before.add(from, imported, before)
    this.after.add(to, imported, after)
    const task = this.#tasks.get(trial.taskId) ?? { passes: 0, fails: 0, isChanged: false }
    this.#tasks.set(trial.taskId, task)
    const counted = countsAs(to, this.#policy)
    if (counted === true) task.passes++
    if (counted === false) task.fails++
    if (from !== to) {
      task.isChanged = true
      this.outcomesChanged++
      this.#example(trial, { is: 'outcome', from, to, why: after.outcome?.why ?? 'as it was imported' })
    }
    for (const event of missingIn(after.events, before.events)) {
      this.eventsAppear++
      this.#example(trial, eventChange(event, true))
    }
    for (const event of missingIn(before.events, after.events)) {
      this.eventsGo++
      this.#example(trial, eventChange(event, false))
    }
  }

  #example(trial: PackedForJudging, change: Example['change']): void {
    if (this.examples.length >= EXAMPLES) return
    this.examples.push({ trialId: trial.trialId, taskId: trial.taskId, change })
  }

  /** Tasks with passing and failing trials whose outcomes or rules of comparison would be others. */
  recomputed(
    before: (taskId: string) => { readonly key: string },
    after: (taskId: string) => { readonly key: string },
  ): readonly string[] {
    return [...this.#tasks].flatMap(([taskId, { passes, fails, isChanged }]) =>
      passes > 0 && fails > 0 && (isChanged || before(taskId).key !== after(taskId).key) ? [taskId] : [],
    )
  }
}

/** Events of the first list that are not in the second. */
function missingIn(events: readonly RuleEvent[], others: readonly RuleEvent[]): readonly RuleEvent[] {
  if (events.length === 0) return []
  const known = new Set(others.map((event) => JSON.stringify(event)))
  return events.filter((event) => !known.has(JSON.stringify(event)))
}

function eventChange(event: RuleEvent, appears: boolean): RuleExample['change'] {
  const { step, kind, severity, note, costUsd } = event
  return { is: 'event', appears, step, kind, severity, note, costUsd }
}
