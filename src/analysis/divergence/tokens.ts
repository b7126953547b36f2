// Interning: every act becomes a call number (tool and arguments) and a token number (with error flag, entity version
// and masked result). On the way it is noted where each argument value came from in its own trial.

import { ARGUMENT, ERROR, FINAL, OBSERVATION, WRITE } from './constants.ts'
import type { Leaf } from './leaf.ts'
import { canonLeaf, isSpecific, isVolatileKey, salientValues, volatileShape } from './leaf.ts'
import { fnv } from './textleaves.ts'
import type { PathSet } from './masks.ts'
import type { Facet, Node, Token } from './node.ts'
import { Interner } from './node.ts'

/** The interned vocabulary of a task. */
export class Vocabulary {
  readonly tokens: Token[] = []
  readonly calls = new Interner()
  readonly values = new Interner()
  readonly tools = new Interner()
  readonly facets: Facet[] = []
  readonly #states = new Interner()
  readonly #facetIds = new Map<string, number>()

  /** The facet's number; the same facet of another entity version is another facet. */
  facet(type: 0 | 1 | 2, tool: string, path: string, version: number): number {
    const prefix = type === ARGUMENT ? 'a' : type === OBSERVATION ? 'o' : 'e'
    const key = `${prefix}${version === 0 ? '' : version}:${tool}:${path}`
    let id = this.#facetIds.get(key)
    if (id === undefined) {
      id = this.facets.length
      this.#facetIds.set(key, id)
      this.facets.push({ type, tool, path, name: `${prefix}:${tool}:${path}` })
    }
    return id
  }

  /** The number of an argument facet that exists, or -1. */
  argumentFacet(tool: string, path: string): number {
    return this.#facetIds.get(`a:${tool}:${path}`) ?? -1
  }

  /** Sets a node's call and token numbers; a token met for the first time is recorded. */
  intern(node: Node, args: readonly Leaf[], observed: readonly Leaf[], version: number): void {
    let call = `${node.tool}(`
    for (const [path, token] of args) call += `${path}=${token}&`
    let state = `${call}${node.act.isError ? '!E' : ''}#${version}→`
    for (const [path, token] of observed) state += `${path}=${token}&`
    node.call = this.calls.id(call)
    node.token = this.#states.id(state)
    if (node.token === this.tokens.length) {
      this.tokens.push(this.#token(node, fnv(state), args, observed, version))
    }
  }

  /** The one token of all final answers: what they say is compared by its values, not by its words. */
  internFinal(node: Node): void {
    node.call = this.calls.id('final')
    node.token = this.#states.id('final')
    if (node.token < this.tokens.length) return
    this.tokens.push({
      hash: 0,
      call: node.call,
      tool: this.tools.id('final'),
      toolName: 'final',
      cls: FINAL,
      isError: false,
      stage: node.stage,
      leaves: new Int32Array(0),
      facets: [],
      values: new Int32Array(0),
    })
  }

  #token(node: Node, hash: number, args: readonly Leaf[], observed: readonly Leaf[], version: number): Token {
    const facets: number[] = []
    this.#addFacets(facets, args, ARGUMENT, node.tool, 0)
    this.#addFacets(facets, observed, OBSERVATION, node.tool, version)
    facets.push(this.facet(ERROR, node.tool, '', 0), node.act.isError ? 1 : 0, ERROR)
    const values = new Set<number>()
    for (const [, token] of args) if (token.length > 3) values.add(this.values.id(token))
    for (const [, token] of observed) if (token.length > 3) values.add(this.values.id(token))
    return {
      hash,
      call: node.call,
      tool: this.tools.id(node.tool),
      toolName: node.tool,
      cls: node.cls,
      isError: node.act.isError,
      stage: node.stage,
      leaves: Int32Array.from(args, ([path, token]) => this.values.id(`${path}=${token}`)).sort(),
      facets,
      values: Int32Array.from(values).sort(),
    }
  }

  /** One facet per path of sorted leaves; the values of a repeated path are joined. */
  #addFacets(into: number[], leaves: readonly Leaf[], type: 0 | 1, tool: string, version: number): void {
    let i = 0
    while (i < leaves.length) {
      const path = leaves[i]![0]
      let value = leaves[i]![1]
      let end = i + 1
      for (; end < leaves.length && leaves[end]![0] === path; end++) value += `¦${leaves[end]![1]}`
      into.push(this.facet(type, tool, path, version), this.values.id(value), type)
      i = end
    }
  }
}

/** Where a value was first seen in a trial; values of volatile leaves are compared by that place. */
type Origin = {
  readonly at: number
  readonly path: string
  readonly tool: string
  readonly isVolatile: boolean
  /** Made by a write of this trial, or volatile: another value in every trial. */
  readonly isFresh: boolean
}

/** Interns the acts of one trial in order, noting the sources of arguments and the entity versions of reads. */
export function internRow(
  row: readonly Node[],
  vocabulary: Vocabulary,
  volatile: PathSet,
  prose: PathSet,
  volatileKeys: Map<string, boolean>,
): void {
  const origins = new Map<string, Origin>()
  const written = new Written()
  for (const node of row) {
    if (node.act.kind !== 'tool') {
      noteMessage(node, origins)
      continue
    }
    const args = argumentLeaves(node, origins, prose.of(node.tool), volatileKeys)
    const version = entityVersion(node, written)
    const observed = observedLeaves(node, origins, volatile.of(node.tool))
    vocabulary.intern(node, args.sort(byPathThenValue), observed.sort(byPathThenValue), version)
  }
}

function noteMessage(node: Node, origins: Map<string, Origin>): void {
  const fresh = node.act.ids.filter((id) => origins.get(canonLeaf(id))?.isFresh === true)
  if (fresh.length > 0) {
    const parts = new Set(fresh.flatMap(salientValues))
    node.values = node.values.filter((value) => !parts.has(value))
  }
  for (const value of node.values) {
    const token = canonLeaf(value)
    if (isSpecific(token) && !origins.has(token)) {
      origins.set(token, { at: node.at, path: 'msg', tool: node.tool, isVolatile: false, isFresh: false })
    }
  }
}

/** Arguments as compared: prose by the values in it, ids returned earlier by their place, random shapes by their kind. */
function argumentLeaves(
  node: Node,
  origins: Map<string, Origin>,
  prose: ReadonlySet<string> | undefined,
  volatileKeys: Map<string, boolean>,
): Leaf[] {
  const leaves: Leaf[] = []
  for (const [path, token] of node.args) {
    if (prose !== undefined && token.charCodeAt(0) === 115 && prose.has(path)) {
      const numbers = salientValues(token).filter((value) => /\d/.test(value))
      leaves.push([path, `T:${numbers.sort().join('|')}`])
      continue
    }
    const origin = origins.get(token)
    if (origin !== undefined) node.sources.push({ path, from: origin.at, leaf: origin.path })
    else if (isSpecific(token)) {
      origins.set(token, {
        at: node.at,
        tool: node.tool,
        path: `arg:${path}`,
        isVolatile: false,
        isFresh: false,
      })
    }
    if (origin?.isVolatile === true) leaves.push([path, `@${origin.tool}.${origin.path}`])
    else {
      let isKey = volatileKeys.get(path)
      if (isKey === undefined) volatileKeys.set(path, (isKey = isVolatileKey(path)))
      leaves.push([path, isKey ? 'V:key' : (volatileShape(token) ?? token)])
    }
  }
  return leaves
}

/** The values of the writes so far: value → the writes that had it, by number. */
class Written {
  readonly #writes = new Map<string, number[]>()
  #count = 0

  add(values: Iterable<string>): void {
    for (const value of values) {
      const writes = this.#writes.get(value)
      if (writes === undefined) this.#writes.set(value, [this.#count])
      else if (writes.at(-1) !== this.#count) writes.push(this.#count)
    }
    this.#count++
  }

  /** How many writes had any of the values. */
  sharing(values: readonly string[]): number {
    const lists = values.flatMap((value) => {
      const writes = this.#writes.get(value)
      return writes === undefined ? [] : [writes]
    })
    if (lists.length < 2) return lists[0]?.length ?? 0
    return new Set(lists.flat()).size
  }
}

/** How many earlier writes of this trial share a value with a read: what it sees is a later state of the same thing. */
function entityVersion(node: Node, written: Written): number {
  const values = node.args.map(([, token]) => token).filter((token) => token.length > 4)
  if (node.cls !== WRITE) return written.sharing(values)
  if (!node.act.isError) written.add(values)
  return 0
}

function observedLeaves(
  node: Node,
  origins: Map<string, Origin>,
  volatile: ReadonlySet<string> | undefined,
): Leaf[] {
  const leaves: Leaf[] = []
  for (const leaf of node.observed) {
    const [path, token] = leaf
    const isVolatile = volatile !== undefined && volatile.has(path)
    if (!isVolatile) leaves.push(leaf)
    if (!isSpecific(token) || origins.has(token)) continue
    const kind = token.charCodeAt(0)
    // A volatile number or time is not worth following: equal ones are chance.
    if (isVolatile && (kind === 110 || kind === 116)) continue
    const isFresh = isVolatile || node.cls === WRITE
    origins.set(token, { at: node.at, tool: node.tool, path, isVolatile, isFresh })
  }
  return leaves
}

function byPathThenValue(a: Leaf, b: Leaf): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0
}
