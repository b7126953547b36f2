// Family "abstract": plans of 8 to 47 slots over a few made-up tools. Outputs are a hash of tool, slot and arguments, so
// that a wrong value spreads by itself to everything that depends on it.

import type { Json } from '../../../src/base/json.ts'
import type { Rng } from '../../../src/analysis/reliability/random.ts'
import { chance, hash, pick, readsOf } from './generate.ts'
import type { Plan, Slot } from './generate.ts'

const READ_VERBS = ['get', 'list', 'search', 'lookup', 'query', 'fetch', 'read', 'describe']
const WRITE_VERBS = ['update', 'create', 'cancel', 'assign', 'delete', 'set', 'send', 'apply']
const NOUNS = [
  'ticket',
  'flight',
  'server',
  'file',
  'invoice',
  'account',
  'route',
  'policy',
  'seat',
  'build',
  'node',
  'alert',
  'index',
  'record',
  'shipment',
  'lease',
]
const CHECKS = ['check_policy', 'verify_access', 'validate_input']

type Variable = { readonly name: string; used: boolean }
type Source = { readonly key: string; readonly variable?: string; readonly constant?: string }

/** An abstract task of `length` slots. */
export function abstractPlan(r: Rng, length: number): Plan {
  const slots: Slot[] = []
  const variables: Variable[] = []
  const toolCount = 3 + r.below(6)
  const readTools = Array.from(
    { length: toolCount },
    (_, i) => `${pick(r, READ_VERBS)}_${pick(r, NOUNS)}${i}`,
  )
  const writeTools = Array.from(
    { length: 2 + r.below(3) },
    (_, i) => `${pick(r, WRITE_VERBS)}_${pick(r, NOUNS)}${i}`,
  )
  const aliased = new Map(
    readTools
      .filter(() => chance(r, 0.3))
      .map((tool) => [tool, `${tool.split('_').reverse().join('_')}_v2`] as const),
  )
  const seed = r.u32()
  const make = (i: number, t: 'read' | 'compute' | 'check' | 'write', tool: string): Slot =>
    makeSlot(r, seed, i, t, tool, variables, aliased)
  let group = 1
  let guard: string | null = null
  for (let i = 0; i < length - 2; i++) {
    const x = r.f64()
    if (i < 2 || x < 0.55) {
      const slot = make(i, chance(r, 0.15) ? 'compute' : 'read', pick(r, readTools))
      const before = slots.at(-1)?.grp
      slot.grp = before !== undefined && before !== 0 && chance(r, 0.6) ? before : ++group
      if (slot.t === 'read' && chance(r, 0.2)) slot.opt = 0.6
      slots.push(slot)
    } else if (x < 0.65) {
      const slot = make(i, 'check', pick(r, CHECKS))
      slot.grp = 0
      slots.push(slot)
      guard = slot.id
    } else if (x < 0.82) {
      const slot = make(i, 'write', pick(r, writeTools))
      if (guard !== null && chance(r, 0.8)) {
        slot.guard = guard
        guard = null
      }
      slots.push(slot)
    } else slots.push({ id: `s${i}`, t: 'ask', text: () => 'Shall I continue?' })
  }
  const last = make(length - 2, 'write', pick(r, writeTools))
  if (guard !== null) last.guard = guard
  slots.push(last)
  const reference = variables.at(-1)?.name ?? ''
  slots.push({ id: 'final', t: 'final', text: (e) => `Done. Reference ${e[reference]}` })
  requireUsed(slots, r)
  return { family: 'abstract', slots }
}

function makeSlot(
  r: Rng,
  seed: number,
  i: number,
  t: 'read' | 'compute' | 'check' | 'write',
  tool: string,
  variables: Variable[],
  aliased: ReadonlyMap<string, string>,
): Slot {
  const argCount = 1 + r.below(3)
  const sources: Source[] = []
  for (let j = 0; j < argCount; j++) {
    const x = r.f64()
    const free = variables.filter((variable) => !variable.used || chance(r, 0.5))
    if (x < 0.6 && variables.length > 0) {
      const variable = pick(r, free.length > 0 ? free.slice(-4) : variables)
      variable.used = true
      sources.push({ key: `a${j}`, variable: variable.name })
    } else {
      sources.push({ key: `a${j}`, constant: `${pick(r, NOUNS)}-${hash(`${seed}:${i}:${j}`) % 100000}` })
    }
  }
  const isBenign = t === 'read' && chance(r, 0.25)
  const outCount = 1 + r.below(3)
  const alt = aliased.get(tool)
  const slot: Slot = {
    id: `s${i}`,
    t,
    tool,
    ...(alt === undefined ? {} : { alt: { tool: alt, map: {} } }),
    args: (e) => {
      const args: { [key: string]: Json } = {}
      for (const source of sources) args[source.key] = source.constant ?? e[source.variable ?? ''] ?? 'unset'
      if (isBenign) args.limit = 10
      return args
    },
    benign: isBenign ? 'limit' : null,
    outs: (_, a) => {
      const key = sources.map((source) => a[source.key]).join('|')
      return Object.fromEntries(
        Array.from({ length: outCount }, (_u, j) => [
          `f${j}`,
          `v${hash(`${seed}${tool}${i}${key}${j}`) % 1000000}`,
        ]),
      )
    },
    usesOuts: true,
    set: (e, o) => {
      for (let j = 0; j < outCount; j++) e[`s${i}.f${j}`] = o[`f${j}`]
    },
  }
  for (let j = 0; j < outCount; j++) variables.push({ name: `s${i}.f${j}`, used: false })
  return slot
}

/** An optional slot that something reads from is done always. */
function requireUsed(slots: readonly Slot[], r: Rng): void {
  const used = new Set<string>()
  for (const slot of slots) if (slot.args !== undefined) for (const name of readsOf(slot, r)) used.add(name)
  for (const slot of slots) {
    if (slot.opt !== undefined && [0, 1, 2].some((j) => used.has(`${slot.id}.f${j}`))) slot.opt = 1
  }
}
