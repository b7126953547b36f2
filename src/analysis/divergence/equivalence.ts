// Tools under several names: those that a person declared, and reads that gave the same results for the same
// arguments. Writes are never merged by themselves. Changes tool and arguments of nodes; sees no outcome.

import { WRITE } from './constants.ts'
import type { Leaf } from './leaf.ts'
import { isVolatileKey, volatileShape } from './leaf.ts'
import type { Node } from './node.ts'
import type { Equivalence } from './options.ts'

/** A learned merge: a tool's other name, and the arguments renamed with it. */
export type LearnedEquivalence = {
  readonly alias: string
  readonly tool: string
  readonly args: ReadonlyMap<string, string>
}

/** The arguments under their canonical names; only the first key of a path is renamed. */
export function renameArgs(args: readonly Leaf[], names: { readonly [alias: string]: string }): Leaf[] {
  return args.map(([path, token]) => {
    const end = path.search(/[.[{$]/)
    const head = end < 0 ? path : path.slice(0, end)
    return Object.hasOwn(names, head)
      ? [(names[head] ?? head) + path.slice(head.length), token]
      : [path, token]
  })
}

/** Applies the equivalences that a person declared; an unknown tool stays as it is. */
export function declaredTool(
  tool: string,
  args: readonly Leaf[],
  equivalences: { readonly [alias: string]: Equivalence } | undefined,
): { tool: string; args: readonly Leaf[] } {
  if (equivalences === undefined || !Object.hasOwn(equivalences, tool)) return { tool, args }
  const rule = equivalences[tool]
  if (rule === undefined) return { tool, args }
  return { tool: rule.tool, args: rule.args === undefined ? args : renameArgs(args, rule.args) }
}

/**
 * Merges reads and checks under several names: two names that returned identical non-volatile results of at least two
 * leaves for the same argument values are one tool, named by the commonest (then the first in order). Tools that a
 * person set apart stay as they are.
 */
export function learnEquivalences(
  rows: readonly (readonly Node[])[],
  apart: readonly string[] = [],
): LearnedEquivalence[] {
  const counts = new Map<string, number>()
  const same = new Map<string, Map<string, Node>>()
  for (const row of rows) {
    for (const node of row) {
      if (node.act.kind !== 'tool' || node.act.isError || node.cls === WRITE) continue
      counts.set(node.tool, (counts.get(node.tool) ?? 0) + 1)
    }
  }
  if (counts.size < 2) return []
  for (const row of rows) {
    for (const node of row) {
      if (node.act.kind !== 'tool' || node.act.isError || node.cls === WRITE) continue
      if (apart.includes(node.tool)) continue
      const key = resultKey(node)
      if (key === null) continue
      let tools = same.get(key)
      if (tools === undefined) same.set(key, (tools = new Map()))
      if (!tools.has(node.tool)) tools.set(node.tool, node)
    }
  }
  const learned = merge(same, counts)
  if (learned.size > 0) for (const row of rows) for (const node of row) apply(node, learned)
  return [...learned.values()]
}

/** Argument values and non-volatile results as one text; null when the result is too small to tell tools apart. */
export function resultKey(node: Node): string | null {
  const results: string[] = []
  for (const [path, token] of node.observed) {
    if (token.length > 2 && !isVolatileKey(path) && volatileShape(token) === null)
      results.push(`${path}=${token}`)
  }
  if (results.length < 2) return null
  const args = node.args.map(([, token]) => token).sort()
  return `${args.join('&')}→${results.sort().join('&')}`
}

/** Names that ever gave the same are one tool: named by the commonest, then the first. Order does not matter. */
function merge(
  same: ReadonlyMap<string, ReadonlyMap<string, Node>>,
  counts: ReadonlyMap<string, number>,
): Map<string, LearnedEquivalence> {
  const byUse = (a: string, b: string): number =>
    (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1)
  const parent = new Map<string, string>()
  const root = (tool: string): string => {
    let name = tool
    for (let up = parent.get(name); up !== undefined; up = parent.get(name)) name = up
    return name
  }
  const votes = new Map<string, Map<string, Map<string, number>>>()
  for (const nodes of same.values()) {
    if (nodes.size < 2) continue
    const [first, ...others] = [...nodes.keys()].sort(byUse)
    for (const name of others) {
      const ends = [root(first!), root(name)].sort(byUse)
      if (ends[0] !== ends[1]) parent.set(ends[1]!, ends[0]!)
      vote(votes, name, nodes.get(name)!.args, nodes.get(first!)!.args)
    }
  }
  const learned = new Map<string, LearnedEquivalence>()
  for (const alias of [...parent.keys()].sort()) {
    learned.set(alias, { alias, tool: root(alias), args: winners(votes.get(alias)) })
  }
  return learned
}

type Votes = Map<string, Map<string, number>>

/** Each argument of an alias votes for the first argument of the other name with the same value. */
function vote(votes: Map<string, Votes>, alias: string, args: readonly Leaf[], twins: readonly Leaf[]): void {
  let paths = votes.get(alias)
  if (paths === undefined) votes.set(alias, (paths = new Map()))
  for (const [path, token] of args) {
    const twin = twins.find((leaf) => leaf[1] === token)
    if (twin === undefined) continue
    let targets = paths.get(path)
    if (targets === undefined) paths.set(path, (targets = new Map()))
    targets.set(twin[0], (targets.get(twin[0]) ?? 0) + 1)
  }
}

function winners(paths: Votes | undefined): Map<string, string> {
  const args = new Map<string, string>()
  for (const [path, targets] of paths ?? []) {
    const best = [...targets].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]
    if (best !== undefined) args.set(path, best[0])
  }
  return args
}

function apply(node: Node, learned: ReadonlyMap<string, LearnedEquivalence>): void {
  if (node.act.kind !== 'tool') return
  const rule = learned.get(node.tool)
  if (rule === undefined || rule.tool === node.tool) return
  node.args = node.args.map(([path, token]) => [rule.args.get(path) ?? path, token])
  node.tool = rule.tool
}
