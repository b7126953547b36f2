// Which cause is planted where: twelve kinds, each only at a slot where it changes what the trial does in the end.

import { Rng } from '../../../src/analysis/reliability/random.ts'
import { pick, readsOf } from './generate.ts'
import type { Plan, Slot } from './generate.ts'

/** All kinds of planted causes. */
export const CAUSES = [
  'omit_check',
  'wrong_arg',
  'date_misparse',
  'stop_after_error',
  'early_stop',
  'external_state',
  'dup_write',
  'wrong_tool',
  'order_violation',
  'ungrounded_id',
  'omit_write',
  'ignore_obs',
] as const

export type CauseKind = (typeof CAUSES)[number]

/** A cause at a slot, with the wrong tool or invented value where the kind needs one. */
export type Cause = { readonly kind: CauseKind; readonly slot: string; readonly val?: string }

type Place = { readonly slot: string; readonly val?: string }

/** A random cause that fits the plan. */
export function chooseCause(plan: Plan, r: Rng, kinds: readonly CauseKind[]): Cause {
  for (let attempt = 0; attempt < 60; attempt++) {
    const kind = pick(r, kinds)
    const place = placeFor(kind, plan, r)
    if (place !== null) return { kind, ...place }
  }
  return { kind: 'omit_write', slot: plan.slots.find((slot) => slot.t === 'write')?.id ?? '' }
}

function placeFor(kind: CauseKind, plan: Plan, r: Rng): Place | null {
  const isRequired = (slot: Slot): boolean => slot.opt === undefined || slot.opt >= 1
  const calls = plan.slots.filter((slot) => slot.t !== 'ask' && slot.t !== 'final' && isRequired(slot))
  const writes = plan.slots.filter(
    (slot) => slot.t === 'write' && isRequired(slot) && slot.benignWrite !== true,
  )
  const at = (slots: readonly Slot[]): Place | null =>
    slots.length === 0 ? null : { slot: pick(r, slots).id }
  switch (kind) {
    case 'omit_check':
    case 'order_violation': {
      const guards = plan.slots.flatMap((slot) => slot.guard ?? [])
      return guards.length === 0 ? null : { slot: pick(r, guards) }
    }
    case 'date_misparse': {
      const slot = plan.slots.find((candidate) => candidate.isoArg !== undefined)
      return slot === undefined ? null : { slot: slot.id }
    }
    case 'wrong_arg':
      return at(
        calls.filter((slot) => slot.isoArg === undefined && feeds(plan, slot) && slot.benignWrite !== true),
      )
    case 'stop_after_error':
    case 'early_stop': {
      const slot = calls[1 + r.below(Math.max(1, calls.length - 1))]
      return slot === undefined ? null : { slot: slot.id }
    }
    case 'external_state':
    case 'ignore_obs':
      return at(
        calls.filter(
          (slot) =>
            (slot.t === 'read' || slot.t === 'compute') && feeds(plan, slot) && slot.usesOuts === true,
        ),
      )
    case 'dup_write':
    case 'omit_write':
      return at(writes)
    case 'wrong_tool': {
      const place = at(writes)
      if (place === null) return null
      return { ...place, val: pick(r, ['cancel_order', 'transfer_to_human', 'issue_credit', 'close_case']) }
    }
    case 'ungrounded_id': {
      const place = at(calls.filter((slot) => slot.t === 'write' || slot.t === 'check'))
      return place === null ? null : { ...place, val: `guess-${r.below(100000)}` }
    }
  }
}

/** True when what a slot gives, or that it is done at all, reaches a write. */
function feeds(plan: Plan, slot: Slot): boolean {
  if (plan.family === 'lab') {
    return ['ident', 'date', 'quote', 'refund', 'perm', 'mail'].includes(slot.id) || slot.isT === true
  }
  if (slot.t === 'write') return true
  const reached = new Set([slot.id])
  for (let grew = true; grew;) {
    grew = false
    for (const other of plan.slots) {
      if (other.args === undefined || reached.has(other.id)) continue
      const names = readsOf(other, new Rng(1))
      if (![...names].some((name) => reached.has(name.split('.')[0] ?? ''))) continue
      reached.add(other.id)
      grew = true
    }
  }
  return plan.slots.some((other) => other.t === 'write' && other.id !== slot.id && reached.has(other.id))
}
