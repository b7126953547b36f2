// The tools of a task with the class and stage that they were given, and why: for a person to check and correct.

import type { TaskAnalysis } from '../../model/analysis.ts'
import { CLASS_NAMES } from './constants.ts'
import type { Prepared } from './prepare.ts'

/** Every tool name of the task once, in alphabetical order. */
export function toolsOf(prepared: Prepared): TaskAnalysis['tools'] {
  const merged = new Map(prepared.learned.map((rule) => [rule.alias, rule.tool]))
  const tools = new Map<string, TaskAnalysis['tools'][number]>()
  for (const row of prepared.rows) {
    for (const node of row) {
      if (node.act.kind !== 'tool' || tools.has(node.act.tool)) continue
      const name = node.act.tool
      const { reason } = prepared.classes.of(node.act)
      const twin = merged.get(name)
      tools.set(name, {
        name,
        canonical: node.tool,
        stepClass: CLASS_NAMES[node.cls],
        stage: node.stage,
        reason:
          twin !== undefined
            ? `${reason}; gave the same results as ${twin} for the same arguments`
            : node.tool !== name
              ? `${reason}; set to be the same as ${node.tool}`
              : reason,
      })
    }
  }
  return [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}
