// What all generated families share: the shape of a case, of a plan's slots, and small random pieces. Every step of a
// generated trial carries a hidden slot (its place in the plan) that the analysis never sees.

import type { Json } from '../../../src/base/json.ts'
import type { Rng } from '../../../src/analysis/reliability/random.ts'
import type { CompactStep } from './convert.ts'

/** A generated step with its hidden slot. */
export type SlotStep = CompactStep & { readonly slot: string }

/** What was planted in a failing trial; `alt` is a second right answer. */
export type Label = { readonly kind: string | null; readonly slot: string | null; readonly alt?: string }

/** A generated trial; passing ones have no label. */
export type CaseTrial = {
  readonly id: string
  readonly pass: boolean
  readonly steps: readonly SlotStep[]
  readonly label: Label | null
}

/** A generated task with its trials. */
export type Case = {
  readonly seed: number
  readonly family: string
  readonly trials: readonly CaseTrial[]
  readonly main: { readonly kind: string; readonly slot: string }
}

/** Values that later slots of a plan read, by name. */
export type Env = { [name: string]: Json | undefined }
export type Args = { readonly [name: string]: Json }

/** One slot of a plan. */
export type Slot = {
  readonly id: string
  readonly t: 'read' | 'compute' | 'check' | 'write' | 'ask' | 'final'
  readonly tool?: string
  readonly alt?: { readonly tool: string; readonly map: { readonly [name: string]: string } }
  readonly args?: (env: Env, rng: Rng) => Args
  readonly outs?: (env: Env, args: Args, rng: Rng) => Args
  readonly set?: (env: Env, outs: Args) => void
  readonly usesOuts?: boolean
  readonly text?: (env: Env) => string
  /** Share of trials that do this optional step; absent = always. */
  opt?: number
  readonly benign?: string | null
  grp?: number
  readonly isT?: boolean
  readonly isoArg?: string
  readonly volArgs?: readonly string[]
  readonly benignWrite?: boolean
  guard?: string
}

/** A task of a slot-based family. */
export type Plan = {
  readonly family: string
  readonly slots: readonly Slot[]
  readonly orders?: readonly string[]
  readonly wrongPick?: () => number
  readonly wrongDate?: string
}

/** How noisy the trials of a case are; all probabilities. */
export type Noise = {
  readonly reorder: number
  readonly dupRead: number
  readonly extraRead: number
  readonly recovErr: number
  readonly altTool: number
  readonly fmt: number
  readonly benignArg: number
  readonly chat: number
  readonly survive: number
  readonly hetero: number
  readonly graderNoise: number
}

export const NOISE: Noise = {
  reorder: 0.35,
  dupRead: 0.06,
  extraRead: 0.08,
  recovErr: 0.06,
  altTool: 0.4,
  fmt: 0.4,
  benignArg: 0.3,
  chat: 0.35,
  survive: 0.1,
  hetero: 0.3,
  graderNoise: 0,
}

export const PHRASES = [
  'Sure, let me look into that.',
  'One moment please while I check.',
  'Let me pull that up.',
  'Happy to help with this.',
  'I will check the details now.',
  'Thanks for waiting.',
  'Looking at it right now.',
  'Let me verify this for you.',
]

export const AGREEMENTS = [
  'yes',
  'Yes please',
  'yes, go ahead',
  'Sounds good, proceed',
  'ok do it',
  'Yes, that is right',
]

/** A 32-bit hash of a text: the "database" of the generated worlds. */
export function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    h ^= text.charCodeAt(i)
    h = Math.imul(h, 0x01000193)
  }
  h ^= h >>> 15
  h = Math.imul(h, 0x2c1b3c6d)
  h ^= h >>> 12
  return h >>> 0
}

/** One of the items; the list must not be empty. */
export function pick<T>(rng: Rng, items: readonly T[]): T {
  return items[rng.below(items.length)]!
}

/** True with probability p. */
export function chance(rng: Rng, p: number): boolean {
  return rng.f64() < p
}

/** A number below a bound beyond the generator's exact range; its tiny bias does not matter here. */
export function large(rng: Rng, bound: number): number {
  const refused = 4294967296 % bound
  for (;;) {
    const product = rng.u32() * bound
    if (product % 4294967296 >= refused) return Math.floor(product / 4294967296)
  }
}

/** Random hex digits. */
export function hex(rng: Rng, length: number): string {
  let digits = ''
  while (digits.length < length) digits += rng.u32().toString(16).padStart(8, '0')
  return digits.slice(0, length)
}

export function uuid(rng: Rng): string {
  return `${hex(rng, 8)}-${hex(rng, 4)}-4${hex(rng, 3)}-a${hex(rng, 3)}-${hex(rng, 12)}`
}

/** Request id, time and latency: new in every result. */
export function noiseFields(rng: Rng): Args {
  const time = (base: number, span: number): string => String(base + rng.below(span))
  const request = uuid(rng)
  const ts = `2026-0${1 + rng.below(9)}-${time(10, 18)}T${time(10, 13)}:${time(10, 49)}:${time(10, 49)}.${time(100, 899)}Z`
  return { request_id: request, ts, latency_ms: 20 + rng.below(900) }
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** The date as ISO or, when it may vary, sometimes in words. */
export function writeDate(rng: Rng, iso: string, varies: boolean): string {
  if (!varies || chance(rng, 0.6)) return iso
  const [year, month, day] = iso.split('-').map(Number) as [number, number, number]
  const name = MONTHS[month - 1]
  return chance(rng, 0.5) ? `${name} ${day}, ${year}` : `${day} ${name} ${year}`
}

/** The same object with its keys in random order. */
export function shuffleKeys(rng: Rng, object: Args): Args {
  const keys = Object.keys(object)
  shuffle(rng, keys)
  return Object.fromEntries(keys.map((key) => [key, object[key]!]))
}

/** Fisher–Yates, in place. */
export function shuffle<T>(rng: Rng, items: T[]): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = rng.below(i + 1)
    const other = items[i]!
    items[i] = items[j]!
    items[j] = other
  }
}

/** Which names a slot reads from the environment when its arguments are made. */
export function readsOf(slot: Slot, rng: Rng): ReadonlySet<string> {
  const names = new Set<string>()
  const probe = new Proxy<Env>(
    {},
    {
      get: (_, name) => {
        names.add(String(name))
        return 'x'
      },
    },
  )
  slot.args?.(probe, rng)
  return names
}
