// What varies without meaning: observed paths whose values change in every trial (ids, clocks, latencies), and
// argument paths that hold prose. Learned from all trials of a task; differences among passing trials decide.

import type { Leaf } from './leaf.ts'
import { isProse, isVolatileKey, volatileShape } from './leaf.ts'
import type { Node } from './node.ts'
import type { AnalysisOptions } from './options.ts'
import { matchesGlob } from './words.ts'

/** Observed and argument paths by tool, for quick questions without gluing keys. */
export class PathSet {
  readonly #paths = new Map<string, Set<string>>()

  add(tool: string, path: string): void {
    let paths = this.#paths.get(tool)
    if (paths === undefined) this.#paths.set(tool, (paths = new Set()))
    paths.add(path)
  }

  /** The paths of a tool, undefined when it has none. */
  of(tool: string): ReadonlySet<string> | undefined {
    return this.#paths.get(tool)
  }
}

/** How often values of a path are new in another trial. */
type Spread = {
  readonly rows: Map<string, number>
  rowCount: number
  lastRow: number
  isShared: boolean
  distinct: number
  compared: number
  isVolatile: boolean
}

const STATE_PREFIX = '$state.'

/** Calls of passing trials that asked the same, in trial order. */
type Group = { readonly tool: string; readonly rows: number[]; readonly results: (readonly Leaf[])[] }

/**
 * Observed paths that are not compared: by key or shape of a value; or when passing trials asked the same and at
 * least half of the answers were new (over two comparisons or more); or never equal in any two of three trials or more.
 * Paths that a person wants compared are never among them.
 */
export function learnVolatile(
  rows: readonly (readonly Node[])[],
  isPass: readonly boolean[],
  compared: AnalysisOptions['comparedPaths'] = [],
): PathSet {
  const spreads = new Map<string, Map<string, Spread>>()
  const groups = new Map<string, Group>()
  rows.forEach((row, r) => {
    for (const node of row) {
      if (node.act.kind !== 'tool' || node.observed.length === 0) continue
      let paths = spreads.get(node.tool)
      if (paths === undefined) spreads.set(node.tool, (paths = new Map()))
      for (const [path, token] of node.observed) observe(paths, path, token, node.act.isError ? -1 : r)
      if (isPass[r] === true && !node.act.isError) addToGroup(groups, node, r)
    }
  })
  for (const group of groups.values()) {
    const paths = spreads.get(group.tool)
    if (paths !== undefined && group.results.length > 1) compareGroup(group, paths)
  }
  const found = new PathSet()
  for (const [tool, paths] of spreads) {
    for (const [path, spread] of paths) {
      const isNoisy = spread.compared >= 2 && spread.distinct / spread.compared >= 0.5
      const isUnique = !spread.isShared && spread.rowCount >= 3 && spread.rows.size >= 3
      if (!spread.isVolatile && !isNoisy && !isUnique) continue
      const isWanted = compared.some((rule) => matchesGlob(rule.tool, tool) && matchesGlob(rule.path, path))
      if (!isWanted) found.add(tool, path)
    }
  }
  return found
}

/** Notes one value; `row` is -1 for results of failed calls, which count for key and shape only. */
function observe(paths: Map<string, Spread>, path: string, token: string, row: number): void {
  let spread = paths.get(path)
  if (spread === undefined) {
    const isVolatile = isVolatileKey(path)
    paths.set(
      path,
      (spread = {
        rows: new Map(),
        rowCount: 0,
        lastRow: -1,
        isShared: false,
        distinct: 0,
        compared: 0,
        isVolatile,
      }),
    )
  }
  if (spread.isVolatile) return
  if (!path.startsWith(STATE_PREFIX) && volatileShape(token) !== null) {
    spread.isVolatile = true
    return
  }
  if (row < 0) return
  if (spread.lastRow !== row) {
    spread.rowCount++
    spread.lastRow = row
  }
  if (spread.isShared) return
  const first = spread.rows.get(token)
  if (first === undefined) spread.rows.set(token, row)
  if ((first !== undefined && first !== row) || token.length < 6) spread.isShared = true
}

function addToGroup(groups: Map<string, Group>, node: Node, row: number): void {
  let key = node.tool
  for (const [path, token] of node.args) key += `|${path}=${token}`
  const group = groups.get(key)
  if (group === undefined) groups.set(key, { tool: node.tool, rows: [row], results: [node.observed] })
  else {
    group.rows.push(row)
    group.results.push(node.observed)
  }
}

/** Adds, per path, how many of the first values per trial were new. */
function compareGroup(group: Group, paths: ReadonlyMap<string, Spread>): void {
  const firsts = new Map<string, { lastRow: number; rowCount: number; values: Set<string> }>()
  group.results.forEach((leaves, i) => {
    const row = group.rows[i] ?? -1
    for (const [path, token] of leaves) {
      if (paths.get(path)?.isVolatile !== false) continue
      const seen = firsts.get(path)
      if (seen === undefined) firsts.set(path, { lastRow: row, rowCount: 1, values: new Set([token]) })
      else if (seen.lastRow !== row) {
        seen.lastRow = row
        seen.rowCount++
        seen.values.add(token)
      }
    }
  })
  for (const [path, seen] of firsts) {
    const spread = paths.get(path)
    if (spread === undefined || seen.rowCount < 2) continue
    spread.distinct += seen.values.size - 1
    spread.compared += seen.rowCount - 1
  }
}

/**
 * Argument paths that hold prose: some value has at least four, mostly alphabetic words, unless the path is a small
 * vocabulary (at least 6 uses of at most max(2, 34 %) different values).
 */
export function learnTextPaths(rows: readonly (readonly Node[])[]): PathSet {
  const uses = new Map<string, Map<string, { isProse: boolean; count: number; values: Set<string> }>>()
  for (const row of rows) {
    for (const node of row) {
      if (node.act.kind !== 'tool') continue
      for (const [path, token] of node.args) {
        if (token.charCodeAt(0) !== 115) continue
        let paths = uses.get(node.tool)
        if (paths === undefined) uses.set(node.tool, (paths = new Map()))
        let use = paths.get(path)
        if (use === undefined) paths.set(path, (use = { isProse: false, count: 0, values: new Set() }))
        use.count++
        if (use.values.has(token)) continue
        use.values.add(token)
        if (!use.isProse && isProse(token.slice(2))) use.isProse = true
      }
    }
  }
  const found = new PathSet()
  for (const [tool, paths] of uses) {
    for (const [path, use] of paths) {
      const isVocabulary = use.count >= 6 && use.values.size <= Math.max(2, 0.34 * use.count)
      if (use.isProse && !isVocabulary) found.add(tool, path)
    }
  }
  return found
}
