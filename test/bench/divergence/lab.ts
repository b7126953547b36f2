// Family "lab": a refund desk. User, orders, optional reads, a date, a check, an amount, a guarded refund, a mail.

import type { Rng } from '../../../src/analysis/reliability/random.ts'
import { chance, hash, hex, large, pick, PHRASES, uuid } from './generate.ts'
import type { Env, Plan, Slot } from './generate.ts'

/** A task of the refund desk. */
export function labPlan(r: Rng): Plan {
  const uid = `${pick(r, ['yusuf', 'mia', 'omar', 'ivan', 'sofia', 'liam'])}_${pick(r, ['rossi', 'li', 'kim', 'lopez', 'silva'])}_${1000 + r.below(9000)}`
  const email = `${uid.replace(/_/g, '.')}@example.com`
  const count = 2 + r.below(4)
  const orders = Array.from({ length: count }, () => `#W${1000000 + large(r, 9000000)}`)
  const target = r.below(count)
  const iso = `2026-0${1 + r.below(9)}-${String(10 + r.below(18))}`
  const amount = 20 + r.below(400)
  const card = `credit_card_${1000000 + large(r, 9000000)}`
  const slots: Slot[] = []
  const chosen = (env: Env): number => (env.pick as number | undefined) ?? target
  const order = (env: Env): string => orders[chosen(env)]!
  slots.push({
    id: 'ident',
    t: 'read',
    tool: 'find_user_by_email',
    alt: { tool: 'search_customer', map: { email: 'query' } },
    args: () => ({ email }),
    outs: () => ({ user_id: uid, name: uid.split('_')[0]!, tier: 'regular' }),
    usesOuts: true,
    set: (e, o) => {
      e.uid = o.user_id
    },
  })
  slots.push({
    id: 'orders',
    t: 'read',
    tool: 'list_orders',
    args: (e) => ({ user_id: e.uid ?? null, limit: 10 }),
    benign: 'limit',
    outs: () => ({ orders: orders.slice() }),
    set: () => {},
  })
  orders.forEach((id, i) =>
    slots.push({
      id: `ord${i}`,
      t: 'read',
      tool: 'get_order',
      alt: { tool: 'fetch_order_details', map: { order_id: 'id' } },
      grp: 1,
      opt: i === target ? 1 : 0.7,
      args: () => ({ order_id: id }),
      outs: () => ({
        order_id: id,
        status: 'delivered',
        purchased: iso,
        total: (hash(id) % 300) + 20,
        item: `item_${hash(`${id}i`) % 9000}`,
      }),
      isT: i === target,
      usesOuts: true,
      set: (e, o) => {
        if (i === chosen(e)) {
          e.purch = o.purchased
          e.status = o.status
        }
      },
    }),
  )
  if (chance(r, 0.6)) {
    slots.push({
      id: 'item',
      t: 'read',
      grp: 1,
      opt: 0.6,
      tool: 'get_product',
      args: () => ({ item_id: `item_${hash(`${orders[target]}i`) % 9000}` }),
      outs: (_, a) => ({ price: hash(String(a.item_id)) % 400, stock: hash(`${a.item_id}s`) % 30 }),
    })
  }
  slots.push({
    id: 'date',
    t: 'compute',
    tool: 'parse_date',
    args: (e) => ({ text: e.purch ?? null }),
    isoArg: 'text',
    outs: (_, a) => ({ iso: a.text!, days: 10 + (hash(String(a.text)) % 40) }),
    usesOuts: true,
    set: (e, o) => {
      e.days = o.days
      e.iso = o.iso
    },
  })
  slots.push({
    id: 'policy',
    t: 'read',
    tool: 'get_policy',
    grp: 2,
    opt: 0.8,
    args: () => ({ topic: 'refunds' }),
    outs: () => ({ window_days: 60, max: 500 }),
  })
  slots.push({
    id: 'perm',
    t: 'check',
    tool: 'check_permission',
    grp: 2,
    args: (e) => ({ user_id: e.uid ?? null, action: 'refund', order_id: order(e) }),
    outs: (_, a) => ({ allowed: true, rule: `R${hash(String(a.order_id)) % 7}` }),
  })
  slots.push({
    id: 'quote',
    t: 'compute',
    tool: 'compute_refund',
    args: (e) => ({ order_id: order(e), days: e.days ?? null }),
    outs: (_, a) => {
      const isRight = a.days === 10 + (hash(iso) % 40) && a.order_id === orders[target]
      return { amount: amount + (isRight ? 0 : 1 + (hash(`${a.order_id}${a.days}`) % 50)), currency: 'USD' }
    },
    usesOuts: true,
    set: (e, o) => {
      e.amount = o.amount
    },
  })
  slots.push({
    id: 'pay',
    t: 'read',
    tool: 'get_payment_methods',
    opt: 0.7,
    args: (e) => ({ user_id: e.uid ?? null }),
    outs: () => ({ methods: [card, `gift_card_${hash(uid) % 90000}`] }),
  })
  slots.push({
    id: 'ask',
    t: 'ask',
    text: (e) => `I can refund ${e.amount} USD for order ${order(e)}. Shall I proceed?`,
  })
  slots.push({
    id: 'refund',
    t: 'write',
    tool: 'create_refund',
    args: (e) => ({ order_id: order(e), amount: e.amount ?? null, method: e.pm ?? card }),
    outs: (_e, _a, rng) => ({ refund_id: `RF-${hex(rng, 8)}`, status: 'ok' }),
    usesOuts: true,
    set: (e, o) => {
      e.rf = o.refund_id
    },
    guard: 'perm',
  })
  if (chance(r, 0.5)) {
    slots.push({
      id: 'note',
      t: 'write',
      benignWrite: true,
      opt: 0.6,
      tool: 'add_note',
      args: (e, rng) => ({ order_id: order(e), note: `${pick(rng, PHRASES)} ${pick(rng, PHRASES)}` }),
      outs: () => ({ ok: true }),
    })
  }
  slots.push({
    id: 'mail',
    t: 'write',
    tool: 'send_email',
    args: (e) => ({ user_id: e.uid ?? null, template: 'refund_done', ref: e.rf ?? null }),
    volArgs: ['ref'],
    outs: (_e, _a, rng) => ({ message_id: uuid(rng), queued: true }),
  })
  slots.push({
    id: 'final',
    t: 'final',
    text: (e) => `Your refund of ${e.amount} USD for ${order(e)} has been issued (${e.rf}).`,
  })
  const day = iso.slice(8, 10)
  const tens = `1${iso[9]}` > '12' ? '0' : '1'
  const wrongMonth = /^[23]/.test(day) ? `${tens}${iso[9]}` : day
  return {
    family: 'lab',
    slots,
    orders,
    wrongPick: () => (target + 1) % count,
    wrongDate: `${iso.slice(0, 5)}${wrongMonth}-${iso.slice(5, 7)}`,
  }
}
