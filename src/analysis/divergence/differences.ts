// The differences of one failing trial: column by column what is absent, extra or other than in passing trials, the
// place where it stopped early, and values that its messages and final answer state. Not yet weighed against each other.

import { CAP, CAP_OTHER, CLASS_NAMES, CONFIG, ETA, FINAL, WRITE } from './constants.ts'
import type { DivergenceKind } from '../../model/analysis.ts'
import type { Node } from './node.ts'
import type { Own } from './own.ts'
import { orderPairs, stopOf } from './ending.ts'
import type { Stop } from './ending.ts'
import type { Scene, Variants } from './variants.ts'

/** One difference of one failing trial while it is weighed. */
export type Difference = {
  readonly row: number
  readonly kind: DivergenceKind
  readonly scoringKind: string
  /** Column; a message lies half a place before its column, the final answer in the column after the last. */
  readonly place: number
  /** The act in this trial (`Node.at`), or -1 when it is absent. */
  readonly at: number
  readonly facet: number
  readonly value: number
  readonly b: number
  readonly N: number
  readonly a: number
  readonly terms: Own
  own: number
  /** What this difference says for an earlier one. */
  readonly evidence: number
  readonly afterError: boolean
  isInert: boolean
  isConsequence: boolean
  cascade: number
  score: number
  probability: number
  readonly explains: number[]
}

/** What a finder gives: everything but the trial and what weighing adds. */
type Found = {
  readonly kind: DivergenceKind
  readonly scoringKind: string
  readonly own: Own
  readonly b: number
  readonly N: number
  readonly a: number
  readonly facet?: number
  readonly value?: number
  readonly penalty?: number
  readonly isInert?: boolean
  readonly afterError?: boolean
}

/** Salient values in messages of passing trials, per column and for the final answer. */
export type Said = { readonly values: ReadonlySet<string>; readonly trials: number }

/** Finds the differences of failing trials of one task. */
export class Differences {
  readonly #scene: Scene
  readonly #variants: Variants
  readonly #rows: readonly (readonly Node[])[]
  readonly #lastAction: Int32Array
  readonly #said = new Map<number, Said>()
  readonly #speakers = new Map<number, number>()

  constructor(scene: Scene, variants: Variants, rows: readonly (readonly Node[])[]) {
    this.#scene = scene
    this.#variants = variants
    this.#rows = rows
    this.#lastAction = Int32Array.from(scene.alignment.cells, (cells) => {
      for (let c = cells.length - 1; c >= 0; c--) {
        if (cells[c]! >= 0 && scene.columns[c]!.cls !== FINAL) return c
      }
      return -1
    })
  }

  /** All differences of failing trial `row`, in order of place. */
  of(row: number): Difference[] {
    const { alignment, columns } = this.#scene
    const cells = alignment.cells[row]!
    const moved = orderPairs(this.#scene, row)
    const stop = stopOf(this.#scene, this.#rows[row]!, row, this.#lastAction[row]!, moved)
    const calls = new Set<number>()
    const found: Difference[] = []
    for (let c = 0; c < columns.length; c++) {
      const i = cells[c]!
      if (i < 0) {
        const absent = this.#absent(row, c, moved, stop)
        if (absent !== null) found.push(record(row, c, -1, absent))
        continue
      }
      const node = this.#rows[row]![i]!
      if (node.cls === FINAL) continue
      const present = this.#present(c, node, moved, calls)
      calls.add(node.call)
      if (present !== null) found.push(record(row, c, node.at, present))
    }
    this.#messages(row, found)
    this.#final(row, found)
    return found.sort((x, y) => x.place - y.place)
  }

  #absent(row: number, c: number, moved: ReadonlyMap<number, number>, stop: Stop | null): Found | null {
    const { columns, failing, passing, novelty, scores } = this.#scene
    const column = columns[c]!
    if (column.pass === 0 || column.cls === FINAL) return null
    const P = passing.length
    const others = failing.length - 1
    if (stop !== null && c >= stop.from) return c === stop.column ? this.#stopped(row, stop) : null
    const to = moved.get(c)
    // Most columns of a noisy task are strays of single trials: leave before anything is computed.
    if (to === undefined ? column.pass < P * CONFIG.minPresence : to <= c) return null
    const cls = CLASS_NAMES[column.cls]
    const a = failing.length - column.fail
    const eta = novelty.presenceRate('missing', cls, column.tool)
    if (to !== undefined) {
      const own = scores.of(`${cls}.order`, 0, P, eta, Math.max(0, a - 1), others)
      return { kind: 'order', scoringKind: `${cls}.order`, own, b: 0, N: P, a }
    }
    const own = scores.of(`${cls}.missing`, P - column.pass, P, eta, a - 1, others)
    const penalty = Math.log(column.coherence)
    return { kind: 'missing', scoringKind: `${cls}.missing`, own, b: P - column.pass, N: P, a, penalty }
  }

  #stopped(row: number, stop: Stop): Found {
    const { failing, passing, scores } = this.#scene
    const endsBefore = (r: number): boolean => this.#lastAction[r]! < stop.column
    const fail = failing.filter((r) => r !== row && endsBefore(r)).length
    const pass = passing.filter(endsBefore).length
    const own = scores.of('term', pass, passing.length, ETA.term, fail, failing.length - 1)
    return {
      kind: 'termination',
      scoringKind: 'term',
      own,
      b: pass,
      N: passing.length,
      a: fail + 1,
      afterError: stop.afterError,
    }
  }

  #present(
    c: number,
    node: Node,
    moved: ReadonlyMap<number, number>,
    calls: ReadonlySet<number>,
  ): Found | null {
    const { columns, failing, passing, novelty, scores } = this.#scene
    const column = columns[c]!
    const P = passing.length
    const others = failing.length - 1
    const cls = CLASS_NAMES[node.cls]
    const extra = (kind: 'extra' | 'duplicate', scoringKind: string): Found => {
      const eta = novelty.presenceRate('extra', cls, node.tool)
      const own = scores.of(scoringKind, column.pass, P, eta, column.fail - 1, others)
      return { kind, scoringKind, own, b: column.pass, N: P, a: column.fail }
    }
    if (column.pass === 0) {
      if (moved.has(c)) {
        const own = scores.of(`${cls}.order`, 0, P, ETA.order, column.fail - 1, others)
        return { kind: 'order', scoringKind: `${cls}.order`, own, b: 0, N: P, a: column.fail }
      }
      const isRepeat = calls.has(node.call)
      return extra(
        isRepeat ? 'duplicate' : 'extra',
        isRepeat && node.cls === WRITE ? 'write.dup' : `${cls}.extra`,
      )
    }
    let best: Found | null = null
    for (const d of this.#variants.of(c, node.token).list) {
      if (best !== null && d.own <= best.own.own) continue
      best = { ...d, own: d }
    }
    if (column.pass >= P * 0.5) return best
    const rare = extra('extra', `${cls}.extra`)
    return best === null || rare.own.own > best.own.own ? rare : best
  }

  /** Messages before an action that state a value which no passing trial states there. */
  #messages(row: number, found: Difference[]): void {
    const cells = this.#scene.alignment.cells[row]!
    for (let c = 0; c < cells.length; c++) {
      const i = cells[c]!
      if (i < 0) continue
      for (const message of this.#rows[row]![i]!.before) {
        if (message.act.kind === 'system' || message.values.length === 0) continue
        const said = this.#saidBefore(c)
        if (said.trials === 0 || message.values.every((value) => said.values.has(value))) continue
        const own = this.#scene.scores.of('msg.val', 0, said.trials, ETA.val, 0, 0)
        const a = this.#novelSpeakers(c)
        found.push(
          record(row, c - 0.5, message.at, {
            kind: 'message',
            scoringKind: 'msg.val',
            own,
            b: 0,
            N: said.trials,
            a,
          }),
        )
        break
      }
    }
  }

  /** Failing trials that state a value before column `c` which no passing trial states there. */
  #novelSpeakers(c: number): number {
    let count = this.#speakers.get(c)
    if (count === undefined) {
      const { values } = this.#saidBefore(c)
      const { cells } = this.#scene.alignment
      count = this.#scene.failing.filter((r) => {
        const i = cells[r]![c]!
        return (
          i >= 0 && spokenBefore(this.#rows[r]![i]!).some((node) => node.values.some((v) => !values.has(v)))
        )
      }).length
      this.#speakers.set(c, count)
    }
    return count
  }

  #saidBefore(c: number): Said {
    let said = this.#said.get(c)
    if (said === undefined) {
      const { cells } = this.#scene.alignment
      const messages = this.#scene.passing.map((r) => {
        const i = cells[r]![c]!
        return i < 0 ? [] : spokenBefore(this.#rows[r]![i]!)
      })
      said = saidIn(messages)
      this.#said.set(c, said)
    }
    return said
  }

  /** A final answer with a value that no passing trial's answer has. */
  #final(row: number, found: Difference[]): void {
    const answers = (r: number): Node[] =>
      this.#rows[r]!.filter((node) => node.act.kind === 'final').slice(0, 1)
    const answer = answers(row)[0]
    if (answer === undefined) return
    const end = this.#scene.columns.length
    let said = this.#said.get(end)
    if (said === undefined) this.#said.set(end, (said = saidIn(this.#scene.passing.map(answers))))
    const { values, trials } = said
    if (trials === 0 || answer.values.every((value) => values.has(value))) return
    const own = this.#scene.scores.of('final.val', 0, trials, ETA.val, 0, 0)
    const a = this.#scene.failing.filter((r) =>
      answers(r).some((node) => node.values.some((value) => !values.has(value))),
    ).length
    found.push(
      record(row, end, answer.at, { kind: 'final', scoringKind: 'final.val', own, b: 0, N: trials, a }),
    )
  }
}

function spokenBefore(node: Node): Node[] {
  return node.before.filter((message) => message.act.kind !== 'system')
}

function saidIn(messages: readonly (readonly Node[])[]): Said {
  const spoken = messages.filter((list) => list.length > 0)
  return { values: new Set(spoken.flat().flatMap((node) => node.values)), trials: spoken.length }
}

function record(row: number, place: number, at: number, found: Found): Difference {
  return {
    row,
    kind: found.kind,
    scoringKind: found.scoringKind,
    place,
    at,
    facet: found.facet ?? -1,
    value: found.value ?? -1,
    b: found.b,
    N: found.N,
    a: found.a,
    terms: found.own,
    own: found.own.own + (found.penalty ?? 0),
    evidence: evidenceOf(found),
    afterError: found.afterError ?? false,
    isInert: found.isInert ?? false,
    isConsequence: false,
    cascade: 0,
    score: 0,
    probability: 0,
    explains: [],
  }
}

/** How surprising a difference is, as evidence for an earlier one; fixed for messages and final answers. */
function evidenceOf(found: Found): number {
  if (found.kind === 'message') return 0.1
  if (found.kind === 'final') return 0.3
  const surprise = Math.log(CONFIG.rho / Math.max(found.own.q, 0.01))
  return Math.max(-0.3, Math.min(CAP[found.scoringKind] ?? CAP_OTHER, surprise))
}
