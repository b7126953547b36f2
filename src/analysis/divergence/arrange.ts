// One trial put in order for alignment: messages go with the next action, recovered errors and idempotent repeats are
// folded, reads between two writes or user turns form a block in which order does not matter. Order itself stays.

import { CHECK, CONFIG, READ, WRITE } from './constants.ts'
import type { Node, Token } from './node.ts'

/** The actions of a trial, folded; writes `before`, `isBarrier`, `block` and `isRecovered` of its nodes. */
export function arrange(row: readonly Node[]): Node[] {
  const recovered = recoveredErrors(row)
  const actions: Node[] = []
  const seenAtWrite = new Map<number, number>()
  let waiting: Node[] = []
  let isBarrier = false
  let writes = 0
  for (const node of row) {
    const { kind } = node.act
    if (kind !== 'tool' && kind !== 'final') {
      waiting.push(node)
      if (kind === 'user' || node.act.isQuestion || node.values.length > 0) isBarrier = true
      continue
    }
    if (kind === 'tool') {
      if (recovered.has(node)) continue
      if (node.cls !== WRITE && !node.act.isError) {
        if (seenAtWrite.get(node.token) === writes) continue
        seenAtWrite.set(node.token, writes)
      }
      if (node.cls === WRITE) writes++
    }
    node.before = waiting
    node.isBarrier = isBarrier
    waiting = []
    isBarrier = false
    actions.push(node)
  }
  numberBlocks(actions)
  return actions
}

/**
 * The positions of the trials in an order that depends on what they did alone: ties in alignment and scoring are broken
 * by it, so that the order of the trials in the import does not matter.
 */
export function canonicalOrder(
  rows: readonly (readonly Node[])[],
  isPass: readonly boolean[],
  tokens: readonly Token[],
): number[] {
  const keys = rows.map((row) => Uint32Array.from(row, (node) => tokens[node.token]!.hash))
  return rows
    .map((_, r) => r)
    .sort((a, b) => Number(isPass[b]) - Number(isPass[a]) || compare(keys[a]!, keys[b]!) || a - b)
}

function compare(a: Uint32Array, b: Uint32Array): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}

/** Failed calls that were followed by the same tool without error within a few actions; marks what recovered. */
function recoveredErrors(row: readonly Node[]): ReadonlySet<Node> {
  const recovered = new Set<Node>()
  const actions = row.filter((node) => node.act.kind === 'tool' || node.act.kind === 'final')
  actions.forEach((node, i) => {
    if (!node.act.isError) return
    const retry = actions
      .slice(i + 1, i + 1 + CONFIG.recoverWithin)
      .find((later) => later.act.kind === 'tool' && later.tool === node.tool && !later.act.isError)
    if (retry === undefined) return
    recovered.add(node)
    retry.isRecovered = true
  })
  return recovered
}

/** Numbers the runs of reads and checks without a barrier between them. */
function numberBlocks(actions: readonly Node[]): void {
  let block = 0
  let isOpen = false
  for (const node of actions) {
    if (node.cls !== READ && node.cls !== CHECK) {
      node.block = -1
      isOpen = false
      continue
    }
    if (!isOpen || node.isBarrier) block++
    isOpen = true
    node.block = block
  }
}
