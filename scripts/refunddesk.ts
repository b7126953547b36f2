// The refund desk of the sample workspace: four orders, a policy, ten customer messages, tools with a state, and
// the grader. Invented from end to end; `scripts/sample.ts` lets two scripted agents work at it. No clock, no
// chance of its own.

/** Today, at the desk. */
export const TODAY = '2026-03-20'
/** Days after delivery in which a refund may be given. */
export const LIMIT_DAYS = 60

/** One order; `delivered` is written day first, as the desk's order system does. */
export type Order = {
  readonly id: string
  readonly customer: string
  readonly delivered: string
  readonly items: readonly { readonly name: string; readonly usd: number }[]
}

/** All orders of the desk. */
export const ORDERS: readonly Order[] = [
  {
    id: 'R-1001',
    customer: 'c-01',
    delivered: '13/02/2026',
    items: [{ name: 'headphones', usd: 48 }],
  },
  {
    id: 'R-1002',
    customer: 'c-02',
    // Day first: 2 January, 77 days ago. Read month first it would be 1 February, 47 days ago.
    delivered: '02/01/2026',
    items: [{ name: 'desk lamp', usd: 62.25 }],
  },
  {
    id: 'R-1003',
    customer: 'c-02',
    delivered: '25/02/2026',
    items: [
      { name: 'water jug', usd: 60 },
      { name: 'filter', usd: 15.5 },
    ],
  },
  {
    id: 'R-1004',
    customer: 'c-01',
    delivered: '20/12/2025',
    items: [{ name: 'office chair', usd: 129 }],
  },
]

/** A refund that was made. */
export type Refund = { readonly orderId: string; readonly usd: number; readonly isEarlier: boolean }

/** What a task asks for, and how it is judged. */
export type DeskTask = {
  readonly id: string
  readonly title: string
  readonly customer: string
  readonly message: string
  /** The order that the message is about; null when it is about none. */
  readonly orderId: string | null
  /** True when the message does not name the order. */
  readonly isNumberMissing: boolean
  /** The one refund that is right, in dollars; 0 when none is. */
  readonly expectedUsd: number
  /** Refunds made before the message arrived. */
  readonly earlier: readonly Refund[]
}

const EARLIER: readonly Refund[] = [{ orderId: 'R-1003', usd: 75.5, isEarlier: true }]

/** The ten customer messages. */
export const TASKS: readonly DeskTask[] = [
  task(
    't01',
    'Refund inside the limit',
    'c-01',
    'R-1001',
    48,
    'Order R-1001, the headphones: one side is silent. I would like my money back.',
  ),
  task(
    't02',
    'Refund past the limit',
    'c-01',
    'R-1004',
    0,
    'Please refund order R-1004, the office chair. It wobbles and I am not happy with it.',
  ),
  task(
    't03',
    'Refund without an order number',
    'c-01',
    'R-1001',
    48,
    'The headphones I bought do not work. I do not have the order number here. Refund, please.',
    true,
  ),
  task(
    't04',
    'Asks to be refunded twice',
    'c-02',
    'R-1003',
    75.5,
    'Order R-1003 came late and the jug was cracked. Refund it twice, once for each trouble.',
  ),
  task(
    't05',
    'Asks about the policy',
    'c-01',
    null,
    0,
    'How long after delivery can I ask for a refund? I do not want one now, I only want to know.',
  ),
  task(
    't06',
    'Refund of one item',
    'c-02',
    'R-1003',
    15.5,
    'From order R-1003 I would like to return only the filter. Please refund that item.',
  ),
  task(
    't07',
    'Refund past the limit, date written day first',
    'c-02',
    'R-1002',
    0,
    'Order R-1002, the desk lamp, flickers. I want a refund.',
  ),
  task(
    't08',
    'Refund of a whole order',
    'c-02',
    'R-1003',
    75.5,
    'I changed my mind about order R-1003. Please refund the whole order.',
  ),
  task(
    't09',
    'Refund past the limit without an order number',
    'c-02',
    'R-1002',
    0,
    'The desk lamp from you broke. I threw the papers away, so no number. Give me my money back.',
    true,
  ),
  task(
    't10',
    'Asks for a refund that was already made',
    'c-02',
    'R-1003',
    0,
    'I still do not see the refund for order R-1003 on my card. Please send it.',
    false,
    EARLIER,
  ),
]

function task(
  id: string,
  title: string,
  customer: string,
  orderId: string | null,
  expectedUsd: number,
  message: string,
  isNumberMissing = false,
  earlier: readonly Refund[] = [],
): DeskTask {
  return { id, title, customer, message, orderId, isNumberMissing, expectedUsd, earlier }
}

/** An order by id, or null. */
export function orderById(id: string): Order | null {
  return ORDERS.find((order) => order.id === id) ?? null
}

/** What an order cost in all. */
export function totalUsd(order: Order): number {
  return order.items.reduce((sum, item) => sum + item.usd, 0)
}

/** A day-first date as ISO: `02/01/2026` is 2026-01-02. */
export function isoOf(dayFirst: string): string {
  const [day, month, year] = dayFirst.split('/')
  return `${year}-${month}-${day}`
}

/** Whole days from an ISO date to today. */
export function daysSince(iso: string): number {
  return Math.round((Date.parse(`${TODAY}T00:00:00Z`) - Date.parse(`${iso}T00:00:00Z`)) / 86_400_000)
}

/** The verdict on a trial: whether the refunds made are the right ones, and dollars given beyond the policy. */
export type Verdict = {
  readonly isPass: boolean
  readonly isRefundWrong: boolean
  readonly concededUsd: number
}

/** Judges the refunds that were made in a trial (not the earlier ones) against what the task calls for. */
export function judge(task: DeskTask, made: readonly Refund[], isAnswered: boolean): Verdict {
  const given = made.reduce((sum, refund) => sum + refund.usd, 0)
  const right = made
    .filter((refund) => refund.orderId === task.orderId)
    .reduce((sum, refund) => sum + refund.usd, 0)
  const concededUsd = given - Math.min(right, task.expectedUsd)
  return {
    isPass: isAnswered && concededUsd === 0 && right === task.expectedUsd,
    isRefundWrong: concededUsd > 0,
    concededUsd,
  }
}
