// Which rules bear on the analysis of which task: by suite and by the tools that its trials called. Gives the options
// that an analysis is made with, and the text that stands for them in the hash of its inputs.

import { canonicalJson, type Json } from '../../base/json.ts'
import { analysisOptions } from '../../analysis/rules/options.ts'
import type { AnalysisOptions } from '../../analysis/divergence/options.ts'
import { judgesTrials, type Rule } from '../../model/rules.ts'
import type { ReadableDb } from './connection.ts'
import { allRules } from './rules.ts'

/** The options that rules give for the analysis of a task, and their text; an empty text where none bears on it. */
export type RulesForTask = (taskId: string) => {
  readonly options: AnalysisOptions
  readonly key: string
}

const NONE = { options: {}, key: '' } as const

/** Looks up the rules that bear on a task. `rules`: those of the workspace, or others to be tried. */
export function rulesForTasks(db: ReadableDb, rules: readonly Rule[] = allRules(db)): RulesForTask {
  const relevant = rules.filter((rule) => rule.enabled && !judgesTrials(rule))
  if (relevant.length === 0) return () => NONE
  const tools = toolsByTask(db)
  const known = new Map<string, ReturnType<RulesForTask>>()
  return (taskId) => {
    let found = known.get(taskId)
    if (found === undefined) {
      const task = tools.get(taskId)
      const options = task === undefined ? undefined : analysisOptions(relevant, task.suite, task.tools)
      found = options === undefined ? NONE : { options, key: canonicalJson(options as unknown as Json) }
      known.set(taskId, found)
    }
    return found
  }
}

/** The suite of every task and the tools that its trials ever called. */
export function toolsByTask(
  db: ReadableDb,
): ReadonlyMap<string, { readonly suite: string; readonly tools: readonly string[] }> {
  const found = new Map<string, { suite: string; tools: string[] }>()
  const rows = db.rows<[string, string, string | null]>(
    `SELECT tasks.id, suite, tool FROM tasks LEFT JOIN task_tools ON task_id = tasks.id`,
  )
  for (const [taskId, suite, tool] of rows) {
    let task = found.get(taskId)
    if (task === undefined) found.set(taskId, (task = { suite, tools: [] }))
    if (tool !== null) task.tools.push(tool)
  }
  return found
}
