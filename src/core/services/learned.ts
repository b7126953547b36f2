// What the analysis believes of the tools of a suite without being told, for `rules.learned`: learned of each task in
// the worker threads, added up, and kept until the suite's trials, their outcomes or the rules for them change.

import { createHash } from 'node:crypto'
import { addLearned, type Learned } from '../../analysis/rules/learned.ts'
import { Fault } from '../../base/fault.ts'
import type { LearnedSuite, RuleProgress } from '../../contract/rulerows.ts'
import type { Rule } from '../../model/rules.ts'
import type { Context, RequestContext } from '../context.ts'
import { taskInputs } from '../store/analyses.ts'
import type { ReadableDb } from '../store/connection.ts'
import { suitesOf } from '../store/judgements.ts'
import { packedTrials } from '../store/packed.ts'
import { allRules } from '../store/rules.ts'
import { loadPolicy } from '../store/settings.ts'
import { rulesForTasks, toolsByTask } from '../store/tasktools.ts'
import { JUDGE_PRIORITY } from './judging.ts'

/** Suites whose answer is kept; each is some kilobytes. */
const KEPT_SUITES = 20

/** Makes the answering of `rules.learned` for one core. */
export function makeLearned(
  context: Context,
): (suite: string, request: RequestContext<RuleProgress>) => Promise<LearnedSuite> {
  /** By suite, with what it was learned from: another workspace with equal inputs has the equal answer. */
  const kept = new Map<string, { readonly inputs: string; readonly learned: Learned }>()

  return async (suite, request) => {
    const db = context.db()
    const rules = allRules(db)
    const tasks = [...toolsByTask(db)].filter(([, task]) => task.suite === suite).map(([taskId]) => taskId)
    if (tasks.length === 0)
      throw new Fault('NOT_FOUND', 'There is no task of this suite in the workspace.', {
        where: suite,
        hint: `Suites: ${suitesOf(db).join(', ') || 'none'}.`,
      })
    const inputs = inputsOf(db, tasks, rules)
    const known = kept.get(suite)
    if (known?.inputs === inputs) return shownAs(suite, tasks.length, known.learned, rules)
    const learned = await learn(context, db, tasks, rules, request)
    // Trials that came meanwhile may be in some tasks' part and not in others': shown, not kept.
    if (db.isOpen() && inputsOf(db, tasks, rules) === inputs) {
      kept.delete(suite)
      kept.set(suite, { inputs, learned })
      for (const oldest of kept.keys()) if (kept.size > KEPT_SUITES) kept.delete(oldest)
    }
    return shownAs(suite, tasks.length, learned, rules)
  }
}

/** What the answer depends on, hashed: the tasks with their trials, outcomes and rules, and the policy. */
function inputsOf(db: ReadableDb, tasks: readonly string[], rules: readonly Rule[]): string {
  const inputs = taskInputs(db, null, rulesForTasks(db, rules))
  const hash = createHash('sha256').update(JSON.stringify(loadPolicy(db)))
  for (const taskId of tasks) hash.update(`\n${taskId} ${inputs.get(taskId) ?? ''}`)
  return hash.digest('hex')
}

async function learn(
  context: Context,
  db: ReadableDb,
  tasks: readonly string[],
  rules: readonly Rule[],
  { signal, progress }: RequestContext<RuleProgress>,
): Promise<Learned> {
  const optionsFor = rulesForTasks(db, rules)
  const policy = loadPolicy(db)
  // In the order of the tasks, not of the threads: which evidence is shown must not be chance.
  const parts: (Learned | null)[] = tasks.map(() => null)
  let at = 0
  let done = 0
  const lane = async (): Promise<void> => {
    while (at < tasks.length) {
      signal.throwIfAborted()
      const place = at++
      const taskId = tasks[place] ?? ''
      parts[place] = await context.analysis().run(JUDGE_PRIORITY, () => {
        if (signal.aborted || !db.isOpen()) return null
        const options = { policy, ...optionsFor(taskId).options }
        return { kind: 'learn' as const, trials: packedTrials(db, taskId, null, 'steps'), options }
      })
      if (parts[place] === null)
        throw new Fault('CANCELLED', 'The workspace was left while its tools were looked at.')
      progress({ done: ++done, total: tasks.length })
    }
  }
  await Promise.all([lane(), lane()])
  signal.throwIfAborted()
  return addLearned(parts.filter((part) => part !== null))
}

function shownAs(suite: string, tasks: number, learned: Learned, rules: readonly Rule[]): LearnedSuite {
  const about = (tool: string) => analysisRuleIds(rules, suite, tool)
  return {
    suite,
    tasks,
    tools: learned.tools.map((tool) => ({ ...tool, ...about(tool.tool) })),
    merges: learned.merges.map(({ evidence, ...merge }) => ({
      ...merge,
      evidence:
        evidence === null
          ? null
          : {
              trialId: evidence.trial,
              step: evidence.step,
              otherTrialId: evidence.otherTrial,
              otherStep: evidence.otherStep,
              values: evidence.values,
            },
    })),
    masks: learned.masks,
  }
}

/** The rules that a person would change to correct a tool: exactly this tool, in this suite or in every one. */
function analysisRuleIds(
  rules: readonly Rule[],
  suite: string,
  tool: string,
): { classRule: string | null; stageRule: string | null; sameRule: string | null } {
  const mine = rules.filter((rule) => rule.enabled && (rule.suite === suite || rule.suite === null))
  const own = [...mine.filter((rule) => rule.suite !== null), ...mine.filter((rule) => rule.suite === null)]
  const find = (test: (rule: Rule) => boolean): string | null => own.find(test)?.id ?? null
  return {
    classRule: find((rule) => rule.kind === 'tool-class' && rule.tool === tool),
    stageRule: find((rule) => rule.kind === 'stage' && rule.tool === tool),
    sameRule: find((rule) => rule.kind === 'equivalence' && rule.alias === tool),
  }
}
