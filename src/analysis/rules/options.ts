// Rules about tools and paths as options of the analysis, task by task: only what bears on the tools that a task's
// trials call is put in, so that a correction recomputes the tasks that it can change and no others.

import { judgesTrials, rulesOfSuite, type RuleDraft } from '../../model/rules.ts'
import type {
  AnalysisOptions,
  Equivalence,
  IgnoredPath,
  StageRule,
  ToolClass,
} from '../divergence/options.ts'
import { mayHaveCalled } from './judge.ts'

type RuleOptions = Pick<
  AnalysisOptions,
  'toolClasses' | 'equivalences' | 'stages' | 'ignoredPaths' | 'apart' | 'comparedPaths'
>

/** True when a rule can change the analysis of a task whose trials called these tools (`names`: canonical ones, too). */
function bears(rule: RuleDraft, tools: readonly string[], names: readonly string[]): boolean {
  switch (rule.kind) {
    case 'tool-class':
    case 'stage':
      return mayHaveCalled(tools, rule.tool)
    case 'equivalence':
      return mayHaveCalled(tools, rule.alias)
    case 'apart':
    case 'ignored-path':
    case 'compared-path':
      return mayHaveCalled(names, rule.tool)
    default:
      return false
  }
}

/**
 * The options that the rules of a suite give for a task whose trials called `tools` (null: whatever they called).
 * A suite's own rules come before those for every suite; of two rules that contradict each other the first holds.
 * Undefined when nothing bears on the task.
 */
export function analysisOptions(
  rules: readonly RuleDraft[],
  suite: string,
  tools: readonly string[] | null,
): RuleOptions | undefined {
  const on = rulesOfSuite(rules, suite).filter((rule) => !judgesTrials(rule))
  const names =
    tools === null
      ? null
      : [
          ...tools,
          ...on.flatMap((rule) =>
            rule.kind === 'equivalence' && mayHaveCalled(tools, rule.alias) ? [rule.tool] : [],
          ),
        ]
  const mine = tools === null || names === null ? on : on.filter((rule) => bears(rule, tools, names))
  if (mine.length === 0) return undefined
  // Maps, not objects: a tool may be named __proto__.
  const toolClasses = new Map<string, ToolClass>()
  const equivalences = new Map<string, Equivalence>()
  const stages: StageRule[] = []
  const ignoredPaths: IgnoredPath[] = []
  const apart: string[] = []
  const comparedPaths: { tool: string; path: string }[] = []
  for (const rule of mine) {
    if (rule.kind === 'tool-class') {
      if (!toolClasses.has(rule.tool)) toolClasses.set(rule.tool, rule.class)
    } else if (rule.kind === 'equivalence') {
      if (!equivalences.has(rule.alias)) equivalences.set(rule.alias, { tool: rule.tool, args: rule.args })
    } else if (rule.kind === 'stage') stages.push({ tool: rule.tool, stage: rule.stage })
    else if (rule.kind === 'ignored-path')
      ignoredPaths.push({
        tool: rule.tool,
        path: rule.path,
        ...(rule.where === null ? {} : { where: rule.where }),
      })
    else if (rule.kind === 'apart') apart.push(rule.tool)
    else if (rule.kind === 'compared-path') comparedPaths.push({ tool: rule.tool, path: rule.path })
  }
  return {
    ...(toolClasses.size > 0 ? { toolClasses: Object.fromEntries(toolClasses) } : {}),
    ...(equivalences.size > 0 ? { equivalences: Object.fromEntries(equivalences) } : {}),
    ...(stages.length > 0 ? { stages } : {}),
    ...(ignoredPaths.length > 0 ? { ignoredPaths } : {}),
    ...(apart.length > 0 ? { apart } : {}),
    ...(comparedPaths.length > 0 ? { comparedPaths } : {}),
  }
}
