// Runs a plan once: reordering, optional steps, retries, repeats, formats and, in a failing trial, the planted cause.
// Gives the steps with their slots and the label of what was planted.

import type { Json } from '../../../src/base/json.ts'
import type { Rng } from '../../../src/analysis/reliability/random.ts'
import type { Cause } from './causes.ts'
import {
  AGREEMENTS,
  chance,
  large,
  noiseFields,
  PHRASES,
  pick,
  readsOf,
  shuffle,
  shuffleKeys,
  writeDate,
} from './generate.ts'
import type { Args, Env, Label, Noise, Plan, Slot, SlotStep } from './generate.ts'

/** The steps of one trial, and what was planted (nulls when nothing was). */
export type Execution = { readonly steps: SlotStep[]; readonly label: Label }

type MutableLabel = { kind: string | null; slot: string | null; alt?: string }

/** One trial of a plan, with a planted cause or none. */
export function execute(plan: Plan, r: Rng, noise: Noise, cause: Cause | null): Execution {
  return new Runner(plan, r, noise, cause).run()
}

class Runner {
  readonly #plan: Plan
  readonly #r: Rng
  readonly #noise: Noise
  readonly #cause: Cause | null
  readonly #env: Env = {}
  /** What the environment would be without a misreading. */
  readonly #shadow: Env = {}
  readonly #steps: SlotStep[] = []
  readonly #label: MutableLabel
  readonly #usedAlt = new Map<string, boolean>()
  #misread = false

  constructor(plan: Plan, r: Rng, noise: Noise, cause: Cause | null) {
    this.#plan = plan
    this.#r = r
    this.#noise = noise
    this.#cause = cause
    this.#label = { kind: cause?.kind ?? null, slot: cause?.slot ?? null }
  }

  run(): Execution {
    const r = this.#r
    const order = this.#order()
    this.#steps.push({ kind: 'user', text: `${pick(r, PHRASES)} ${pick(r, PHRASES)}`, slot: 'u0' })
    for (const slot of order) {
      const isOptional = slot.opt !== undefined && slot.opt < 1 && this.#cause?.slot !== slot.id
      if (isOptional && !chance(r, slot.opt ?? 1)) continue
      if (chance(r, this.#noise.chat) && slot.t !== 'ask' && slot.t !== 'final') {
        this.#steps.push({ kind: 'assistant', text: pick(r, PHRASES), slot: 'chat' })
      }
      if (slot.t === 'ask') this.#ask(slot)
      else if (slot.t === 'final') this.#final(slot)
      else if (!this.#act(slot)) break
    }
    return { steps: this.#steps, label: this.#label }
  }

  #order(): Slot[] {
    const order = this.#plan.slots.slice()
    if (chance(this.#r, this.#noise.reorder)) {
      const groups = new Map<number, number[]>()
      order.forEach((slot, i) => {
        if (slot.grp === undefined || slot.grp === 0) return
        const group = groups.get(slot.grp) ?? []
        group.push(i)
        groups.set(slot.grp, group)
      })
      for (const [, places] of [...groups].sort((a, b) => a[0] - b[0])) {
        if (places.length < 2) continue
        const slots = places.map((i) => order[i]!)
        const shuffled = slots.slice()
        shuffle(this.#r, shuffled)
        if (independent(slots, this.#r)) places.forEach((place, k) => (order[place] = shuffled[k]!))
      }
    }
    if (this.#cause?.kind === 'order_violation') {
      const at = order.findIndex((slot) => slot.id === this.#cause?.slot)
      const moved = order.splice(at, 1)
      order.splice(order.findIndex((slot) => slot.guard === this.#cause?.slot) + 1, 0, ...moved)
    }
    return order
  }

  #ask(slot: Slot): void {
    const text = slot.text?.(this.#env) ?? ''
    if (this.#misread && this.#label.slot === null && text !== slot.text?.(this.#shadow))
      this.#label.slot = slot.id
    this.#steps.push({ kind: 'assistant', text, slot: slot.id })
    this.#steps.push({ kind: 'user', text: pick(this.#r, AGREEMENTS), slot: `${slot.id}.u` })
  }

  #final(slot: Slot): void {
    const said = (env: Env): string => slot.text?.({ ...env, rf: 0 }) ?? ''
    if (this.#misread && this.#label.slot === null && said(this.#env) !== said(this.#shadow)) {
      this.#label.slot = 'final'
    }
    this.#steps.push({ kind: 'final', text: slot.text?.(this.#env) ?? '', slot: 'final' })
  }

  /** One call with everything around it; false when the trial ends here. */
  #act(slot: Slot): boolean {
    const r = this.#r
    const planted = this.#cause !== null && this.#cause.slot === slot.id ? this.#cause : null
    const kind = planted?.kind ?? null
    if (kind === 'omit_check' || kind === 'omit_write') return true
    if (kind === 'early_stop') {
      this.#stop(slot, 'I am unable to complete this request further.')
      return false
    }
    const intended = this.#noteMisreading(slot, slot.args?.(this.#env, r) ?? {})
    const { tool, args: planned } = this.#tampered(slot, intended, planted)
    if (kind === 'stop_after_error') {
      this.#call(slot, tool, planned, null, 'TimeoutError: upstream did not respond')
      this.#stop(slot, 'There was an error, please try again later.')
      this.#label.alt = `stop:${slot.id}`
      return false
    }
    let args = planned
    if (slot.benign && chance(r, this.#noise.benignArg))
      args = { ...args, [slot.benign]: pick(r, [20, 50, 100]) }
    if (slot.t === 'read' && chance(r, this.#noise.recovErr)) {
      const formatted = this.#format(args)
      const error = pick(r, ['TimeoutError: upstream did not respond', 'RateLimit: retry later'])
      this.#push(tool, formatted, null, error, `${slot.id}.err`)
    }
    const right = slot.outs?.(this.#env, args, r) ?? {}
    let out = right
    if (planted !== null && kind === 'external_state') {
      const key = pick(r, Object.keys(right))
      out = { ...right, [key]: planted.val ?? mutate(right[key]!, r, this.#plan) }
    }
    const [usedTool, usedArgs] = this.#alias(slot, tool, args)
    this.#call(slot, usedTool, usedArgs, out, null)
    this.#learn(slot, right, out, planted)
    if (kind === 'dup_write') {
      this.#duplicate(slot, usedTool, usedArgs, args)
    }
    if (slot.t === 'read' && chance(r, this.#noise.dupRead)) {
      this.#call(slot, usedTool, usedArgs, out, null, `${slot.id}.dup`)
    }
    if (chance(r, this.#noise.extraRead)) this.#stray()
    return true
  }

  /** Labels the first call that uses a misread value. */
  #noteMisreading(slot: Slot, args: Args): Args {
    if (!this.#misread || this.#label.slot !== null) return args
    const right = slot.args?.(this.#shadow, this.#r) ?? {}
    const differs = Object.keys(right).some(
      (key) => right[key] !== args[key] && slot.benignWrite !== true && !(slot.volArgs ?? []).includes(key),
    )
    if (differs) this.#label.slot = slot.id
    return args
  }

  #tampered(slot: Slot, args: Args, cause: Cause | null): { tool: string; args: Args } {
    const tool = slot.tool ?? ''
    switch (cause?.kind) {
      case 'wrong_arg': {
        const keys = Object.keys(args).filter(
          (key) => key !== slot.benign && !(slot.volArgs ?? []).includes(key),
        )
        const key = pick(this.#r, keys)
        return { tool, args: { ...args, [key]: cause.val ?? mutate(args[key]!, this.#r, this.#plan) } }
      }
      case 'ungrounded_id':
        return { tool, args: { ...args, [Object.keys(args)[0] ?? '']: cause.val ?? null } }
      case 'date_misparse':
        return { tool, args: { ...args, [slot.isoArg ?? '']: this.#plan.wrongDate ?? null } }
      case 'wrong_tool':
        return { tool: cause.val ?? tool, args }
      default:
        return { tool, args }
    }
  }

  #alias(slot: Slot, tool: string, args: Args): [string, Args] {
    const { alt } = slot
    if (alt === undefined || tool !== slot.tool) return [tool, args]
    let uses = this.#usedAlt.get(tool)
    if (uses === undefined) this.#usedAlt.set(tool, (uses = chance(this.#r, this.#noise.altTool)))
    if (!uses) return [tool, args]
    return [
      alt.tool,
      Object.fromEntries(Object.entries(args).map(([key, value]) => [alt.map[key] ?? key, value])),
    ]
  }

  /** Takes over what a call gave back; a misreading takes over something else. */
  #learn(slot: Slot, right: Args, out: Args, cause: Cause | null): void {
    const r = this.#r
    if (cause?.kind === 'ignore_obs') {
      const key = pick(r, Object.keys(right))
      const wrong = { ...right, [key]: cause.val ?? mutate(right[key]!, r, this.#plan) }
      slot.set?.(this.#shadow, right)
      slot.set?.(this.#env, wrong)
      this.#misread = true
      this.#label.slot = null
      return
    }
    if (this.#misread && slot.set !== undefined) {
      slot.set(this.#shadow, slot.outs?.(this.#shadow, slot.args?.(this.#shadow, r) ?? {}, r) ?? {})
    }
    slot.set?.(this.#env, out)
    if (!this.#misread) slot.set?.(this.#shadow, out)
  }

  #duplicate(slot: Slot, tool: string, usedArgs: Args, args: Args): void {
    const formatted = this.#format(usedArgs)
    const out = slot.outs?.(this.#env, args, this.#r) ?? {}
    this.#push(tool, formatted, out, null, `dup:${slot.id}`)
    this.#label.slot = `dup:${slot.id}`
    this.#label.alt = slot.id
  }

  /** A read that has nothing to do with the task. */
  #stray(): void {
    const slot = pick(
      this.#r,
      this.#plan.slots.filter((candidate) => candidate.t === 'read'),
    )
    const args = { q: `probe-${this.#r.below(100000)}` }
    this.#push(slot.tool ?? '', args, { hits: this.#r.below(5) }, null, 'extra')
  }

  #stop(slot: Slot, text: string): void {
    this.#steps.push({ kind: 'final', text, slot: `stop:${slot.id}` })
  }

  #call(slot: Slot, tool: string, args: Args, out: Args | null, error: string | null, name = slot.id): void {
    this.#push(tool, this.#format(args), out, error, name)
  }

  #push(tool: string, args: Args, out: Args | null, error: string | null, name: string): void {
    const obs: Json =
      error === null ? { ...out, ...noiseFields(this.#r) } : { error, ...noiseFields(this.#r) }
    this.#steps.push({ kind: 'tool', tool, args, obs, error, slot: name })
  }

  /** Dates and numbers in varying formats, keys in varying order. */
  #format(args: Args): Args {
    const r = this.#r
    const formatted: { [key: string]: Json } = { ...args }
    for (const key of Object.keys(formatted)) {
      const value = formatted[key]!
      if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) {
        formatted[key] = writeDate(r, value, chance(r, this.#noise.fmt))
      } else if (typeof value === 'number' && chance(r, this.#noise.fmt * 0.3)) formatted[key] = String(value)
    }
    return shuffleKeys(r, formatted)
  }
}

/** True when no slot of the group reads from another one of it. */
function independent(slots: readonly Slot[], r: Rng): boolean {
  const ids = new Set(slots.map((slot) => slot.id))
  return slots.every((slot) => [...readsOf(slot, r)].every((name) => !ids.has(name.split('.')[0] ?? '')))
}

/** Another value of the same kind. */
function mutate(value: Json, r: Rng, plan: Plan): Json {
  if (typeof value === 'number') return value + 1 + r.below(40)
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return [...value.slice(0, -1), `#W${1000000 + large(r, 9000000)}`]
  const text = String(value)
  if (/^\d{4}-\d\d-\d\d$/.test(text))
    return text.slice(0, 8) + String(10 + ((Number(text.slice(8)) + 3) % 18))
  if (plan.orders !== undefined && text.startsWith('#W')) return plan.orders[plan.wrongPick?.() ?? 0] ?? text
  const changed = text.replace(/\d+$/, (digits) => String((Number(digits) + 1 + r.below(999)) % 1000000))
  if (changed !== text) return changed
  return text.includes('@') ? text.replace('@', '1@') : `${text}_alt`
}
