// Severity rules over one trial: which calls did harm, with step, kind, severity, a note and what it cost. Events
// never change the outcome; they stand beside the imported severe errors. Pure; the rules are checked by their schema.

import { evaluate, parseArithmetic, type Arithmetic } from '../../model/arithmetic.ts'
import type { RuleOf, SeverityRule } from '../../model/rules.ts'
import type { Severity } from '../../model/trial.ts'
import type { ValuePath } from '../../model/valuepath.ts'
import type { Call } from './calls.ts'
import { checkedPath, meets, numberOf, prepareWhere, tokenOf } from './conditions.ts'

/** An event that a rule found. */
export type RuleEvent = {
  readonly ruleId: string
  readonly step: number
  readonly call: number | null
  readonly kind: string
  readonly severity: Severity
  /** In words and numbers of the rule; of the trial only the amounts. */
  readonly note: string
  readonly costUsd: number | null
}

/** Events of one rule in one trial that are kept; a trial with more is beyond counting. */
export const MAX_EVENTS = 1000

/** A call that broke a rule. */
type Hit = { readonly call: Call; readonly note: string; readonly paid?: number; readonly allowed?: number }

/** A rule made ready for many trials. */
export type Detector = {
  readonly ruleId: string
  /** The tools of which a trial must have called one, else the rule cannot find anything. */
  readonly tool: string
  find(calls: readonly Call[]): readonly RuleEvent[]
}

/** Makes a rule ready: paths and expression are parsed once. */
export function makeDetector(rule: SeverityRule & { readonly id: string }): Detector {
  const find =
    rule.kind === 'must-not'
      ? mustNot(rule)
      : rule.kind === 'duplicate'
        ? duplicate(rule)
        : mustHappenBefore(rule)
  const cost = rule.cost === null ? null : checkedArithmetic(rule.cost)
  const event = (hit: Hit): RuleEvent => ({
    ruleId: rule.id,
    step: hit.call.step,
    call: hit.call.call,
    kind: rule.event,
    severity: rule.severity,
    note: hit.note,
    costUsd: cost === null ? null : evaluate(cost, (path) => amountAt(hit, path)),
  })
  return {
    ruleId: rule.id,
    tool: rule.kind === 'must-happen-before' ? rule.write : rule.tool,
    find: (calls) => find(calls).slice(0, MAX_EVENTS).map(event),
  }
}

function checkedArithmetic(text: string): Arithmetic {
  const tree = parseArithmetic(text)
  if (!tree.ok) throw new Error(`A rule holds an expression that is none: ${tree.error}`)
  return tree.value
}

function amountAt(hit: Hit, path: ValuePath): number | null {
  if (path[0] === 'paid' && path.length === 1) return hit.paid ?? null
  if (path[0] === 'allowed' && path.length === 1) return hit.allowed ?? null
  return numberOf(hit.call.at(path)[0])
}

type Find = (calls: readonly Call[]) => readonly Hit[]

/** True when a call did something, or the rule asks for failed ones, too. */
function counts(call: Call, rule: SeverityRule): boolean {
  return rule.failedCalls || !call.isError
}

function mustNot(rule: RuleOf<'must-not'>): Find {
  const where = prepareWhere(rule.where)
  const beyond = rule.amount === null ? null : amountBeyond(rule.amount)
  return (calls) => {
    const hits: Hit[] = []
    let met = 0
    for (const [i, call] of calls.entries()) {
      if (!call.is(rule.tool) || !counts(call, rule) || !meets(call, where)) continue
      const amount = beyond === null ? null : beyond(calls, i)
      if (beyond !== null && amount === null) continue
      met++
      if (met <= rule.moreThan) continue
      const note =
        amount !== null
          ? `${amount.paid} where ${amount.allowed} is allowed`
          : rule.moreThan > 0
            ? `call ${met} of ${call.tool} where ${rule.moreThan} is allowed`
            : `${call.tool} was called`
      hits.push({ call, note, ...amount })
    }
    return hits
  }
}

/** Gives what was paid and what was allowed when a call went beyond, else null. */
function amountBeyond({
  path,
  allowed,
}: NonNullable<RuleOf<'must-not'>['amount']>): (
  calls: readonly Call[],
  at: number,
) => { readonly paid: number; readonly allowed: number } | null {
  const paidAt = checkedPath(path)
  const allowedAt = typeof allowed === 'number' ? null : checkedPath(allowed.path)
  const tool = typeof allowed === 'number' ? null : allowed.tool
  // The latest allowance is looked for once per trial, not once per call.
  const known = new WeakMap<readonly Call[], readonly (number | null)[]>()
  const allowances = (calls: readonly Call[]): readonly (number | null)[] => {
    let list = known.get(calls)
    if (list === undefined) {
      let latest: number | null = null
      list = calls.map((call) => {
        const before = latest
        if (tool !== null && allowedAt !== null && !call.isError && call.is(tool))
          latest = numberOf(call.at(allowedAt)[0]) ?? latest
        return before
      })
      known.set(calls, list)
    }
    return list
  }
  return (calls, at) => {
    const call = calls[at]
    const numbers = (call?.at(paidAt) ?? []).flatMap((value) => numberOf(value) ?? [])
    if (call === undefined || numbers.length === 0) return null
    const paid = Math.max(...numbers)
    const limit =
      typeof allowed === 'number'
        ? allowed
        : tool === null
          ? numberOf(allowedAt === null ? undefined : call.at(allowedAt)[0])
          : (allowances(calls)[at] ?? null)
    return limit !== null && paid > limit ? { paid, allowed: limit } : null
  }
}

function duplicate(rule: RuleOf<'duplicate'>): Find {
  const keys = rule.keys?.map(checkedPath) ?? null
  return (calls) => {
    const first = new Map<string, number>()
    const hits: Hit[] = []
    for (const call of calls) {
      if (!call.is(rule.tool) || !counts(call, rule)) continue
      const parts = keys === null ? [tokenOf(call.args)] : keys.map((path) => joined(call, path))
      // Calls without any of the keys cannot be told to be the same.
      if (keys !== null && parts.every((part) => part === '')) continue
      const key = JSON.stringify([call.tool, ...parts])
      const step = first.get(key)
      if (step === undefined) first.set(key, call.step)
      else hits.push({ call, note: `the same call of ${call.tool} as in step ${step}` })
    }
    return hits
  }
}

/** All values at a path as one text; empty when there are none. */
function joined(call: Call, path: ValuePath): string {
  return call.at(path).map(tokenOf).sort().join('¦')
}

function mustHappenBefore(rule: RuleOf<'must-happen-before'>): Find {
  const checkWhere = prepareWhere(rule.checkWhere)
  const writeWhere = prepareWhere(rule.writeWhere)
  const match = rule.match.map(({ check, write }) => ({
    check: checkedPath(check),
    write: checkedPath(write),
  }))
  const names = rule.match.map(({ write }) => write.replace(/^arguments\./, '')).join(', ')
  return (calls) => {
    const checks = new Checks(match.map(({ check }) => check))
    const hits: Hit[] = []
    for (const call of calls) {
      if (call.is(rule.write) && counts(call, rule) && meets(call, writeWhere)) {
        const values = match.map(({ write }) => call.at(write).map(tokenOf))
        if (!checks.have(values)) {
          const same = match.length === 0 ? '' : ` with the same ${names}`
          hits.push({ call, note: `${call.tool} without ${rule.check}${same} before it` })
        }
      }
      if (call.is(rule.check) && !call.isError && meets(call, checkWhere)) checks.add(call)
    }
    return hits
  }
}

/** The checks of a trial so far, to be asked by the values that a write has. */
class Checks {
  readonly #paths: readonly ValuePath[]
  readonly #calls: (readonly (readonly string[])[])[] = []
  /** Keys of the checks over a choice of paths, made when a write first asks by that choice. */
  readonly #known = new Map<string, { upTo: number; readonly keys: Set<string> }>()

  constructor(paths: readonly ValuePath[]) {
    this.#paths = paths
  }

  add(call: Call): void {
    this.#calls.push(this.#paths.map((path) => call.at(path).map(tokenOf)))
  }

  /**
   * True when the checks cover a write. Values that the write does not have are not compared. With one value to
   * compare, each of its items may have been checked by another call; with several, one call must have them all.
   */
  have(values: readonly (readonly string[])[]): boolean {
    const chosen = values.flatMap((value, i) => (value.length > 0 ? [i] : []))
    if (chosen.length === 0) return this.#calls.length > 0
    const name = chosen.join()
    let known = this.#known.get(name)
    if (known === undefined) this.#known.set(name, (known = { upTo: 0, keys: new Set() }))
    for (; known.upTo < this.#calls.length; known.upTo++) {
      const call = this.#calls[known.upTo] ?? []
      for (const key of keysOf(chosen.map((i) => call[i] ?? []))) known.keys.add(key)
    }
    const { keys } = known
    return keysOf(chosen.map((i) => values[i] ?? [])).every((key) => keys.has(key))
  }
}

function keysOf(values: readonly (readonly string[])[]): readonly string[] {
  const [only] = values
  if (values.length === 1 && only !== undefined) return only
  return [JSON.stringify(values.map((value) => [...value].sort()))]
}
