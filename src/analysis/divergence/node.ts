// The working records of one analysis: a node is an act inside this task (class, canonical tool, provenance, tokens),
// a token is what all nodes that did and saw the same have in common. Made by prepare.ts, completed by arrange.ts.

import type { ClassCode } from './constants.ts'
import type { Act } from './input.ts'
import type { Leaf } from './leaf.ts'

/** Where an argument's value came from: the node (by `at`) and the leaf there. */
export type Source = { readonly path: string; readonly from: number; readonly leaf: string }

/** One act of one trial during an analysis. */
export type Node = {
  readonly at: number
  readonly act: Act
  readonly cls: ClassCode
  readonly stage: string
  tool: string
  args: readonly Leaf[]
  observed: readonly Leaf[]
  readonly sources: Source[]
  /** Salient values of a message that are not part of an id which changes in every trial. */
  values: readonly string[]
  /** Interned call (tool and arguments) and interned token (call, error, version, result); -1 for messages. */
  call: number
  token: number
  /** Messages directly before this act, and after it when it is the last. */
  before: readonly Node[]
  isBarrier: boolean
  /** Reads of one block commute; -1 outside blocks. */
  block: number
  /** A failed call of this tool was folded into this node. */
  isRecovered: boolean
}

/** A facet is one thing about a step that can differ: an argument, an observed path, or the error flag. */
export type Facet = {
  readonly type: 0 | 1 | 2
  readonly tool: string
  readonly path: string
  /** Name without the entity version, for noise rates shared by tasks. */
  readonly name: string
}

/** What all nodes with the same token have in common. */
export type Token = {
  /** Hash of what was done and seen: the same whatever the order of the trials. */
  readonly hash: number
  readonly call: number
  readonly tool: number
  readonly toolName: string
  readonly cls: ClassCode
  readonly isError: boolean
  readonly stage: string
  /** Interned `path=value` of the arguments, ascending. */
  readonly leaves: Int32Array
  /** Facet id, value id, facet type; three entries per facet. */
  readonly facets: readonly number[]
  /** Interned values of arguments and results that are longer than a digit or two, ascending, each once. */
  readonly values: Int32Array
}

/** Numbers for strings, in order of first appearance. */
export class Interner {
  readonly names: string[] = []
  readonly #ids = new Map<string, number>()

  /** The number of a string, new ones at the end. */
  id(name: string): number {
    let id = this.#ids.get(name)
    if (id === undefined) {
      id = this.names.length
      this.#ids.set(name, id)
      this.names.push(name)
    }
    return id
  }

  /** The number of a known string, or undefined. */
  find(name: string): number | undefined {
    return this.#ids.get(name)
  }
}
