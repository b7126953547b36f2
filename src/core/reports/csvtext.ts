// Rows as CSV text (RFC 4180, CR LF), and the columns that every table of tasks has, by one name each. A spreadsheet must
// run nothing from it: cells that it would compute are guarded with an apostrophe.

import { stringify } from 'csv-stringify/sync'
import { visibleText } from '../../base/text.ts'
import type { TaskRow } from '../../contract/rows.ts'

/** What a cell may hold. Null is an empty cell. */
export type Cell = string | number | boolean | null

/** A spreadsheet cell holds at most 32,767 characters; a longer one is cut and says so. */
export const CELL_CHARS = 32_767

/** Rows as CSV text. Strings are made visible, bounded, and guarded against being computed. */
export function csvText(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return stringify([header, ...rows.map((row) => row.map(safeCell))], {
    escape_formulas: true,
    record_delimiter: 'windows',
    cast: { boolean: (value) => (value ? 'true' : 'false') },
  })
}

/** Numbers stay numbers. The first sign that matters is looked for behind white space too. */
function safeCell(value: Cell): Cell {
  if (typeof value !== 'string') return value
  const text = visibleText(value)
  const note = `… [cut, ${text.length} characters in all]`
  const bounded =
    text.length < CELL_CHARS ? text : `${wholeCharacters(text, CELL_CHARS - note.length - 2)}${note}`
  return /^\s+[=+\-@＝＋－＠]/.test(bounded) ? `'${bounded}` : bounded
}

/** The first `length` UTF-16 units, one less where that would split a character. */
function wholeCharacters(text: string, length: number): string {
  const cut = text.slice(0, length)
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** A task's rate with its interval. */
export const RATE_COLUMNS = ['n', 'passes', 'rate', 'wilson_low', 'wilson_high'] as const

/** What else was counted of a task. */
export const COUNT_COLUMNS = [
  'errors',
  'unknown',
  'excluded',
  'severe_trials',
  'severe_events',
  'passed_but_harmful',
] as const

/** What a task's trials cost. */
export const COST_COLUMNS = ['cost_mean_usd', 'cost_worst_usd'] as const

/** Where the failing trials of a task part; empty beyond `state` where there is no lead. */
export const LEAD_COLUMNS = [
  'state',
  'level',
  'stage',
  'tool',
  'kind',
  'failing_with',
  'failing',
  'passing_with',
  'passing',
  'weight',
] as const

type FigureColumn =
  (typeof RATE_COLUMNS)[number] | (typeof COUNT_COLUMNS)[number] | (typeof COST_COLUMNS)[number]

/** The cells of a task's rate, counts and costs, by column. */
export function taskFigures({ rate, ...row }: TaskRow): Readonly<Record<FigureColumn, Cell>> {
  return {
    n: rate.n,
    passes: rate.passes,
    rate: rate.rate.ok ? rate.rate.value : null,
    wilson_low: rate.wilson?.[0] ?? null,
    wilson_high: rate.wilson?.[1] ?? null,
    errors: rate.errors,
    unknown: rate.unknown,
    excluded: rate.excluded,
    severe_trials: row.severeTrials,
    severe_events: row.severeEvents,
    passed_but_harmful: row.passedButHarmful,
    cost_mean_usd: row.costMean,
    cost_worst_usd: row.costWorst,
  }
}
