// What the analysis believes of a suite's tools without being told: class and stage with the reason, merged tools and
// masked paths with the evidence. For a person to look at and to correct by a rule. Uses the analysis' own
// preparation, so that what is shown is what is used. Pure: one task at a time, then added up.

import type { StepClass } from '../../model/analysis.ts'
import { CLASS_NAMES } from '../divergence/constants.ts'
import { resultKey } from '../divergence/equivalence.ts'
import type { NormalTrial } from '../divergence/input.ts'
import { isVolatileKey, tokenText, volatileShape } from '../divergence/leaf.ts'
import { learnVolatile } from '../divergence/masks.ts'
import type { Node } from '../divergence/node.ts'
import type { AnalysisOptions } from '../divergence/options.ts'
import { prepare, type Prepared } from '../divergence/prepare.ts'

/** A tool with what is believed of it. */
export type LearnedTool = {
  readonly tool: string
  /** The tool that it counts as: itself, or what it was merged with. */
  readonly canonical: string
  readonly stepClass: StepClass
  readonly stage: string
  readonly reason: string
  readonly calls: number
  readonly failedCalls: number
  readonly tasks: number
}

/** Two names that were taken for one tool, with one pair of calls that shows it. */
export type LearnedMerge = {
  readonly alias: string
  readonly tool: string
  readonly args: { readonly [alias: string]: string }
  readonly tasks: number
  readonly evidence: {
    readonly trial: string
    readonly step: number
    readonly otherTrial: string
    readonly otherStep: number
    /** Values that both results have in common. */
    readonly values: number
  } | null
}

/** Why a path of results is not compared. */
export type MaskReason = 'name' | 'random value' | 'differs between passing trials' | 'never the same twice'

/** A path of results that is not compared, with examples of its values. */
export type LearnedMask = {
  readonly tool: string
  readonly path: string
  readonly reason: MaskReason
  readonly seen: number
  readonly different: number
  readonly examples: readonly string[]
  readonly tasks: number
}

/** What was learned of one task, or of a suite. */
export type Learned = {
  readonly tools: readonly LearnedTool[]
  readonly merges: readonly LearnedMerge[]
  readonly masks: readonly LearnedMask[]
}

/** Masks and merges that are kept per task and suite. */
const KEPT = 500
const EXAMPLES = 3
const EXAMPLE_CHARS = 80

/** What the analysis learns of one task; `ids` name the trials in evidence. */
export function learnTask(
  trials: readonly NormalTrial[],
  isPass: readonly boolean[],
  ids: readonly string[],
  options: AnalysisOptions,
): Learned {
  const prepared = prepare(trials, isPass, options)
  return {
    tools: toolsIn(prepared),
    merges: mergesIn(prepared, ids).slice(0, KEPT),
    masks: masksIn(prepared, isPass, options).slice(0, KEPT),
  }
}

function toolsIn(prepared: Prepared): LearnedTool[] {
  const tools = new Map<string, LearnedTool>()
  for (const row of prepared.rows) {
    for (const node of row) {
      if (node.act.kind !== 'tool') continue
      const name = node.act.tool
      const known = tools.get(name)
      const failed = node.act.isError ? 1 : 0
      tools.set(
        name,
        known === undefined
          ? {
              tool: name,
              canonical: node.tool,
              stepClass: CLASS_NAMES[node.cls],
              stage: node.stage,
              reason: prepared.classes.of(node.act).reason,
              calls: 1,
              failedCalls: failed,
              tasks: 1,
            }
          : { ...known, calls: known.calls + 1, failedCalls: known.failedCalls + failed },
      )
    }
  }
  return [...tools.values()]
}

function mergesIn(prepared: Prepared, ids: readonly string[]): LearnedMerge[] {
  return prepared.learned.map((merge) => ({
    alias: merge.alias,
    tool: merge.tool,
    args: Object.fromEntries([...merge.args].filter(([from, to]) => from !== to)),
    tasks: 1,
    evidence: evidenceOf(prepared, merge.alias, ids),
  }))
}

/** The first two calls, one of each name, that gave the same for the same. */
function evidenceOf(prepared: Prepared, alias: string, ids: readonly string[]): LearnedMerge['evidence'] {
  const place = (found: { node: Node; row: number }): { trial: string; step: number } => ({
    trial: ids[found.row] ?? '',
    step: found.node.act.step,
  })
  const byKey = new Map<string, { node: Node; row: number }>()
  const others: { key: string; node: Node; row: number }[] = []
  const canonical = prepared.learned.find((merge) => merge.alias === alias)?.tool
  prepared.rows.forEach((row, r) => {
    for (const node of row) {
      if (node.act.kind !== 'tool' || node.act.isError || node.tool !== canonical) continue
      const key = resultKey(node)
      if (key === null) continue
      if (node.act.tool !== alias) others.push({ key, node, row: r })
      else if (!byKey.has(key)) byKey.set(key, { node, row: r })
    }
  })
  for (const other of others) {
    const mine = byKey.get(other.key)
    if (mine === undefined) continue
    const to = place(other)
    const values = mine.node.observed.filter(
      ([path, token]) => token.length > 2 && !isVolatileKey(path) && volatileShape(token) === null,
    ).length
    return { ...place(mine), otherTrial: to.trial, otherStep: to.step, values }
  }
  return null
}

function masksIn(
  prepared: Prepared,
  isPass: readonly boolean[],
  options: AnalysisOptions,
): readonly LearnedMask[] {
  const volatile = learnVolatile(prepared.rows, isPass, options.comparedPaths)
  type Seen = { tool: string; path: string; seen: number; values: Map<string, number>; isShared: boolean }
  const found = new Map<string, Seen>()
  prepared.rows.forEach((row, r) => {
    for (const node of row) {
      const paths = node.act.kind === 'tool' ? volatile.of(node.tool) : undefined
      if (paths === undefined) continue
      for (const [path, token] of node.observed) {
        if (!paths.has(path)) continue
        const key = `${node.tool}\n${path}`
        let mask = found.get(key)
        if (mask === undefined)
          found.set(
            key,
            (mask = { tool: node.tool, path, seen: 0, values: new Map<string, number>(), isShared: false }),
          )
        mask.seen++
        const first = mask.values.get(token)
        if (first === undefined) mask.values.set(token, r)
        else if (first !== r) mask.isShared = true
      }
    }
  })
  return [...found.values()].map(({ tool, path, seen, values, isShared }) => ({
    tool,
    path,
    reason: isVolatileKey(path)
      ? 'name'
      : [...values.keys()].some((token) => volatileShape(token) !== null)
        ? 'random value'
        : isShared
          ? 'differs between passing trials'
          : 'never the same twice',
    seen,
    different: values.size,
    examples: [...values.keys()].slice(0, EXAMPLES).map((token) => tokenText(token).slice(0, EXAMPLE_CHARS)),
    tasks: 1,
  }))
}

/** Adds what was learned of several tasks; where two disagree, the belief with more calls stands. */
export function addLearned(parts: readonly Learned[]): Learned {
  const tools = new Map<string, LearnedTool>()
  const merges = new Map<string, LearnedMerge>()
  const masks = new Map<string, LearnedMask>()
  for (const part of parts) {
    for (const tool of part.tools) {
      const known = tools.get(tool.tool)
      const stronger = known === undefined || tool.calls > known.calls ? tool : known
      tools.set(tool.tool, {
        ...stronger,
        calls: tool.calls + (known?.calls ?? 0),
        failedCalls: tool.failedCalls + (known?.failedCalls ?? 0),
        tasks: tool.tasks + (known?.tasks ?? 0),
      })
    }
    for (const merge of part.merges) {
      const key = `${merge.alias}\n${merge.tool}`
      const known = merges.get(key)
      merges.set(key, { ...(known ?? merge), tasks: merge.tasks + (known?.tasks ?? 0) })
    }
    for (const mask of part.masks) {
      const key = `${mask.tool}\n${mask.path}`
      const known = masks.get(key)
      const examples = [...new Set([...(known?.examples ?? []), ...mask.examples])].slice(0, EXAMPLES)
      masks.set(key, {
        ...(known ?? mask),
        examples,
        seen: mask.seen + (known?.seen ?? 0),
        different: mask.different + (known?.different ?? 0),
        tasks: mask.tasks + (known?.tasks ?? 0),
      })
    }
  }
  const byTasks = <T extends { readonly tasks: number; readonly tool: string }>(a: T, b: T): number =>
    b.tasks - a.tasks || (a.tool < b.tool ? -1 : a.tool > b.tool ? 1 : 0)
  return {
    tools: [...tools.values()].sort((a, b) => (a.tool < b.tool ? -1 : 1)),
    merges: [...merges.values()].sort(byTasks).slice(0, KEPT),
    masks: [...masks.values()].sort((a, b) => byTasks(a, b) || (a.path < b.path ? -1 : 1)).slice(0, KEPT),
  }
}
