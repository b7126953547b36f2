// A scripted agent at the refund desk: works a task step by step with the desk's tools and writes down a
// trajectory as a real harness would, with the harmless variation that real trajectories have (order of
// look-ups, an equivalent tool, volatile ids, clocks, wording, retries) and, where told, one planted fault.

import type { Rng } from '../src/analysis/reliability/random.ts'
import type { JsonObject } from '../src/base/json.ts'
import type { Step, ToolCall } from '../src/model/trial.ts'
import { daysSince, isoOf, LIMIT_DAYS, ORDERS, orderById, TODAY, totalUsd } from './refunddesk.ts'
import type { DeskTask, Order, Refund } from './refunddesk.ts'

/** The faults that can be planted. */
export type FaultKind =
  | 'skipped policy check'
  | 'misread date'
  | 'guessed order'
  | 'stopped after a recoverable error'
  | 'refunded twice'
  | 'skipped refund history'

/** What a shift at the desk leaves behind. */
export type Shift = {
  readonly steps: readonly Step[]
  readonly made: readonly Refund[]
  readonly isAnswered: boolean
  /** Indices of the steps that made a refund, in order. */
  readonly refundSteps: readonly number[]
  readonly endedAtMs: number
}

/** How an agent version works. */
export type Manner = {
  readonly name: 'careful' | 'eager'
  readonly system: string
  /** Chance of a look-up that is not needed. */
  readonly extraLookUp: number
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const OPENINGS = [
  'Let me look into this.',
  'One moment, I will check.',
  'Thank you for writing. I am looking it up.',
  'I will see what I can do.',
  '',
]

class Desk {
  readonly steps: Step[] = []
  readonly made: Refund[] = []
  readonly refundSteps: number[] = []
  readonly #rng: Rng
  readonly #task: DeskTask
  #clockMs: number

  constructor(rng: Rng, task: DeskTask, startMs: number) {
    this.#rng = rng
    this.#task = task
    this.#clockMs = startMs
  }

  get nowMs(): number {
    return this.#clockMs
  }

  /** Time passes; the time stamp before and after. */
  #spend(fromMs: number, spanMs: number): { startedAt: string; endedAt: string } {
    const startedAt = new Date(this.#clockMs).toISOString()
    this.#clockMs += fromMs + this.#rng.below(spanMs)
    return { startedAt, endedAt: new Date(this.#clockMs).toISOString() }
  }

  say(role: 'system' | 'user' | 'assistant', text: string): void {
    const time = role === 'assistant' ? this.#spend(700, 2200) : this.#spend(5, 20)
    this.steps.push({ index: this.steps.length, role, kind: 'message', text, ...time })
  }

  hex(length: number): string {
    let out = ''
    while (out.length < length) out += this.#rng.u32().toString(16).padStart(8, '0')
    return out.slice(0, length)
  }

  /** One assistant step with its calls (a batch when several), then one result each. */
  act(calls: readonly { name: string; args: JsonObject }[], failing = false): void {
    const made: ToolCall[] = calls.map(({ name, args }) => ({ id: `call_${this.hex(12)}`, name, args }))
    const text = this.steps.length < 4 ? (OPENINGS[this.#rng.below(OPENINGS.length)] ?? '') : ''
    this.steps.push({
      index: this.steps.length,
      role: 'assistant',
      kind: 'tool_call',
      text: text === '' ? null : text,
      calls: made,
      ...this.#spend(600, 1800),
    })
    for (const call of made) {
      const result = failing
        ? 'Error: order service timed out (retryable), try again'
        : JSON.stringify({
            ...this.#answer(call.name, call.args as JsonObject),
            request_id: `req_${this.hex(12)}`,
            ts: new Date(this.#clockMs).toISOString(),
          })
      this.steps.push({
        index: this.steps.length,
        role: 'tool',
        kind: 'tool_result',
        text: result,
        callId: call.id ?? '',
        toolName: call.name,
        ...(failing ? { isError: true } : {}),
        ...this.#spend(40, 300),
      })
    }
  }

  /** What a tool answers; refunds change the desk's state. */
  #answer(name: string, args: JsonObject): JsonObject {
    const orderId = String(args['order_id'] ?? args['order_number'] ?? '')
    const order = orderById(orderId)
    switch (name) {
      case 'find_customer':
        return { customer_id: args['customer_id'] ?? null, status: 'active' }
      case 'list_orders': {
        const own = ORDERS.filter((one) => one.customer === args['customer_id'])
        return { orders: own.map((one) => ({ order_id: one.id, items: one.items.map((item) => item.name) })) }
      }
      case 'get_order':
      case 'lookup_order':
        return order === null ? { error: 'not found' } : describe(order)
      case 'get_refund_policy':
        return {
          limit_days: LIMIT_DAYS,
          refunds_per_order: 1,
          note: 'Days are counted from delivery. Order dates are written day first.',
        }
      case 'check_refund_policy': {
        const days = daysSince(isoFrom(String(args['delivered_on'])))
        const isEligible = days <= LIMIT_DAYS
        return {
          days,
          today: TODAY,
          eligible: isEligible,
          ground: isEligible ? 'inside_limit' : 'past_limit',
        }
      }
      case 'list_refunds': {
        const all = [...this.#task.earlier, ...this.made].filter((refund) => refund.orderId === orderId)
        return all.length === 0
          ? { refunds: [] }
          : { refunds: all.map((refund) => ({ refund_usd: refund.usd })), ground: 'already_refunded' }
      }
      case 'settle_request':
        if (Number(args['refund_usd']) > 0)
          this.made.push({ orderId, usd: Number(args['refund_usd']), isEarlier: false })
        return { settlement_id: `st_${this.hex(10)}`, state: 'settled' }
      default:
        return { state: 'noted' }
    }
  }

  settle(orderId: string, usd: number, ground: string): void {
    if (usd > 0) this.refundSteps.push(this.steps.length)
    this.act([{ name: 'settle_request', args: { order_id: orderId, refund_usd: usd, ground } }])
  }
}

function describe(order: Order): JsonObject {
  return {
    order_id: order.id,
    delivered: order.delivered,
    items: order.items.map((item) => ({ name: item.name, price_usd: item.usd })),
    total_usd: totalUsd(order),
  }
}

/** `13 Feb 2026` or an ISO date, as ISO. */
function isoFrom(date: string): string {
  const found = /^(\d{1,2}) (\w{3}) (\d{4})$/.exec(date)
  if (found === null) return date
  const month = MONTHS.indexOf(found[2] ?? '') + 1
  return `${found[3]}-${String(month).padStart(2, '0')}-${String(found[1]).padStart(2, '0')}`
}

/** Works one task from the message to the answer. Deterministic in `rng`. */
export function workTask(
  task: DeskTask,
  manner: Manner,
  fault: FaultKind | null,
  rng: Rng,
  startMs: number,
): Shift {
  const desk = new Desk(rng, task, startMs)
  const chance = (p: number): boolean => rng.f64() < p
  const done = (isAnswered: boolean): Shift => ({
    steps: desk.steps.map((step, i) => (i === desk.steps.length - 1 ? { ...step, final: true } : step)),
    made: desk.made,
    isAnswered,
    refundSteps: desk.refundSteps,
    endedAtMs: desk.nowMs,
  })
  desk.say('system', manner.system)
  desk.say('user', task.message)

  const policy = { name: 'get_refund_policy', args: {} }
  if (task.orderId === null) {
    if (chance(manner.extraLookUp))
      desk.act([{ name: 'find_customer', args: { customer_id: task.customer } }])
    desk.act([policy])
    desk.say('assistant', `You can ask for a refund up to ${LIMIT_DAYS} days after delivery.`)
    return done(true)
  }

  desk.act([{ name: 'find_customer', args: { customer_id: task.customer } }])
  let orderId = task.orderId
  if (fault === 'guessed order') {
    orderId = 'R-1003'
  } else if (task.isNumberMissing || chance(manner.extraLookUp)) {
    desk.act([{ name: 'list_orders', args: { customer_id: task.customer } }])
  }
  const order = orderById(orderId)
  if (order === null) throw new Error(`The sample has no order ${orderId}`)

  const read: { name: string; args: JsonObject } = chance(0.3)
    ? { name: 'lookup_order', args: { order_number: orderId } }
    : { name: 'get_order', args: { order_id: orderId } }
  const isErring = fault === 'stopped after a recoverable error' || chance(0.3)
  if (isErring) {
    desk.act([read], true)
    if (fault === 'stopped after a recoverable error') {
      desk.say('assistant', 'I am sorry, our order system does not answer. Please write again tomorrow.')
      return done(true)
    }
  }
  const history = { name: 'list_refunds', args: { order_id: orderId } }
  const isChecking = fault !== 'skipped policy check'
  const lookUps: { name: string; args: JsonObject }[] = [read]
  if (chance(0.6)) lookUps.push(policy)
  if (fault !== 'skipped refund history') lookUps.push(history)
  // The order of look-ups is of no consequence; the order itself must be read before its date is used.
  for (let i = lookUps.length - 1; i > 0; i -= 1) {
    const j = rng.below(i + 1)
    const a = lookUps[i] as (typeof lookUps)[number]
    lookUps[i] = lookUps[j] as (typeof lookUps)[number]
    lookUps[j] = a
  }
  if (chance(0.25)) desk.act(lookUps)
  else for (const lookUp of lookUps) desk.act([lookUp])

  let isEligible = true
  if (isChecking) {
    const rightDate = isoOf(order.delivered)
    const [day, month, year] = order.delivered.split('/')
    const date = fault === 'misread date' ? `${year}-${day}-${month}` : rightDate
    const [y, m, d] = date.split('-').map(Number)
    const written = chance(0.35) ? `${d} ${MONTHS[(m ?? 1) - 1]} ${y}` : date
    desk.act([{ name: 'check_refund_policy', args: { order_id: orderId, delivered_on: written } }])
    const days = daysSince(date)
    isEligible = days <= LIMIT_DAYS
  }
  const isAlreadyPaid =
    fault !== 'skipped refund history' && task.earlier.some((refund) => refund.orderId === orderId)
  if (!isEligible || isAlreadyPaid) {
    desk.settle(orderId, 0, isAlreadyPaid ? 'already_refunded' : 'past_limit')
    desk.say('assistant', isAlreadyPaid ? PAID[rng.below(PAID.length)]! : PAST[rng.below(PAST.length)]!)
    return done(true)
  }
  const isOwn = orderId === task.orderId
  const usd = isOwn && task.expectedUsd > 0 ? task.expectedUsd : totalUsd(order)
  // Without a check there is no ground to name but the customer's word.
  const ground = isChecking ? 'inside_limit' : 'customer_unhappy'
  desk.settle(orderId, usd, ground)
  if (fault === 'refunded twice') desk.settle(orderId, usd, ground)
  const shown = (fault === 'refunded twice' ? 2 * usd : usd).toFixed(2)
  desk.say('assistant', GIVEN[rng.below(GIVEN.length)]!.replace('{usd}', shown).replace('{order}', orderId))
  return done(true)
}

const GIVEN = [
  'Done: ${usd} for order {order} will be back on your card within five days.',
  'I have refunded ${usd} for order {order}.',
  'Your refund of ${usd} for order {order} is on its way.',
]
const PAST = [
  `I am sorry: this order was delivered more than ${LIMIT_DAYS} days ago, so I cannot refund it.`,
  `Refunds are possible up to ${LIMIT_DAYS} days after delivery, and this order is past that.`,
]
const PAID = [
  'This order was refunded already; banks can take some days to show it.',
  'The refund for this order was paid earlier, so I cannot send another one.',
]
