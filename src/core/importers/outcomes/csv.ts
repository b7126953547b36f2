// CSV outcome files: one row per trial (task, trial, outcome, …) or one row per task with a column per trial. Comma,
// semicolon and tab. Derived pass^k columns are no data: they are compared with the trials and told when they differ.

import { isUtf8 } from 'node:buffer'
import { CsvError, parse } from 'csv-parse/sync'
import { passAtEstimate, passHatEstimate } from '../../../analysis/reliability/passk.ts'
import { Fault } from '../../../base/fault.ts'
import { oneLine } from '../../../base/text.ts'
import type { Json } from '../../../base/json.ts'
import { BrokenArchive } from '../bytes.ts'
import type { Problem, Sniff, Source, SourceHead } from '../importer.ts'
import { problemOf } from '../reader.ts'
import { derivedColumn, outcomeRank, roleOf, trialOfColumn } from './names.ts'
import { BARE_FIELD, emptyRow, FieldTally, isEnd, outcomeOf, rowOfRecord } from './record.ts'
import type { OutcomeChoice, OutcomeReader, RowPlace, RowSink } from './row.ts'

/** Tables of outcomes are small; what is longer is no table of outcomes. */
const MAX_BYTES = 64 * 1024 * 1024
/** How far a derived column may be from the figure of the trials. */
const DERIVED_TOLERANCE = 0.0051

/** Reads CSV outcome tables. */
export const outcomeCsv: OutcomeReader = {
  id: 'outcome-csv',
  title: 'CSV outcomes',
  version: 2,
  status: 'stable',
  nameHint: /\.[ct]sv(?:\.gz)?$/i,
  suite: 'outcomes',
  sniff,
  rows,
}

/** What a table's header says: a matrix with a column per trial, or one row per trial. */
type Table =
  | {
      readonly kind: 'matrix'
      readonly task: number
      readonly trials: readonly (readonly [at: number, trial: string])[]
    }
  | { readonly kind: 'long' }

function tableOf(header: readonly string[]): Table | null {
  const trials = header.flatMap((name, at) => {
    const trial = trialOfColumn(name)
    return trial === null ? [] : [[at, trial] as const]
  })
  const task = header.findIndex((name) => roleOf(name) === 'task')
  if (trials.length > 0) {
    const named = task >= 0 ? task : header.findIndex((name) => trialOfColumn(name) === null)
    return named < 0 ? null : { kind: 'matrix', task: named, trials }
  }
  return isNamed(header) && header.some((name) => outcomeRank(name) >= 0) ? { kind: 'long' } : null
}

function isNamed(header: readonly string[]): boolean {
  return header.some((name) => ['task', 'id', 'file'].includes(roleOf(name) ?? '') || name === 'id')
}

function delimiterOf(line: string): string {
  const counts = [',', ';', '\t'].map((sign) => [line.split(sign).length, sign] as const)
  return counts.toSorted((a, b) => b[0] - a[0])[0]?.[1] ?? ','
}

/** What spreadsheets write above a table to name its separator. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=.?"?$/i

function firstLine(text: string): string {
  return (
    text.split(/\r\n|\n|\r/).find((line) => line.trim() !== '' && !SEPARATOR_LINE.test(line.trim())) ?? ''
  )
}

const cellsOf = (line: string): string[] =>
  line.split(delimiterOf(line)).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))

function sniff(head: SourceHead): Sniff {
  if (head.shape !== 'text') return { confidence: 0, reason: 'not a table' }
  const header = cellsOf(firstLine(head.text))
  const table = header.length < 2 ? null : tableOf(header)
  if (table === null)
    return isNamed(header) && header.some(isEnd)
      ? { confidence: 0.3, reason: 'a table with a task or trial and how it ended: that may be its outcome' }
      : { confidence: 0, reason: 'no header with a task and outcomes' }
  if (table.kind === 'matrix')
    return {
      confidence: 0.9,
      reason: `a table with the columns ${table.trials.length === 1 ? 'of one trial' : `of ${table.trials.length} trials`} of each task`,
    }
  const names = header.filter((name) => outcomeRank(name) >= 0).map((name) => oneLine(name, 20))
  return { confidence: 0.85, reason: `a table with a task or trial and ${names.join(', ')}` }
}

/** A row of the table, with the number of its first line. */
type Line = { readonly record: readonly string[]; readonly raw: string; readonly line: number }

async function rows(
  source: Source,
  choice: OutcomeChoice,
  sink: RowSink,
  signal: AbortSignal,
): Promise<void> {
  const text = await textOf(source, sink, signal)
  const lines = linesOf(text, sink)
  const header = lines[0]?.record.map((name) => name.trim()) ?? []
  const table = tableOf(header) ?? (isNamed(header) ? { kind: 'long' } : null)
  const tally = new FieldTally()
  if (table === null) return
  for (const [at, line] of lines.slice(1).entries()) {
    signal.throwIfAborted()
    const place: RowPlace = { file: source.name, line: line.line, record: at }
    // Tables that were put one behind the other; rows that a spreadsheet left empty.
    if (line.record.length === header.length && line.record.every((cell, i) => cell.trim() === header[i]))
      continue
    if (line.record.every((cell) => cell.trim() === '')) continue
    if (line.record.length > header.length) sink.problem(tooWide(line, header, place))
    const written = line.raw.replace(/[\r\n]+$/, '')
    if (table.kind === 'matrix')
      await matrixRow(table, header, line.record, choice, sink, place, written, tally)
    else {
      const record: Record<string, Json> = {}
      for (const [column, name] of header.entries()) {
        const cell = line.record[column]?.trim()
        if (cell !== undefined && cell !== '' && name !== '' && !Object.hasOwn(record, name))
          record[name] = cell
      }
      const { row, problem } = rowOfRecord(record, choice, place, written, tally)
      if (problem !== null) sink.problem(problem)
      if (row !== null) await sink.row(row)
    }
    if (at % 1000 === 0)
      sink.progress({ bytesRead: source.bytesRead(), bytesTotal: source.size, records: at })
  }
  sink.fields(table.kind === 'matrix' ? tally.scales() : tally.list())
}

/** Quotes that are never closed, after which a table is read on; a file with more of them is no table. */
const MAX_OPEN_QUOTES = 20

/** The rows of a table. A quote that is never closed costs the line that it stands in; what comes after is read on. */
function linesOf(text: string, sink: RowSink): Line[] {
  const all = text.split('\n')
  const skipped = all.findIndex((line) => line.trim() !== '')
  if (skipped >= 0 && SEPARATOR_LINE.test((all[skipped] ?? '').trim())) all[skipped] = ''
  const delimiter = delimiterOf(firstLine(text))
  const lines: Line[] = []
  let before = 0
  for (let tries = 0; before < all.length && tries <= MAX_OPEN_QUOTES; tries += 1) {
    let isOpen = false
    let end = 0
    const rest = parse(all.slice(before).join('\n'), {
      bom: before === 0,
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      info: true,
      raw: true,
      skip_records_with_error: true,
      on_skip: (error: Error | undefined) => {
        isOpen = error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED'
        if (!isOpen) sink.problem(broken(error?.message ?? 'not readable', null))
        return undefined
      },
    }) as unknown as readonly {
      readonly record: readonly string[]
      readonly raw: string
      readonly info: { readonly lines: number }
    }[]
    for (const { record, raw, info } of rest) {
      // csv-parse counts the lines read so far, this row's included; empty ones may stand before it.
      let first = before + end
      while (all[first] === '') first += 1
      lines.push({ record, raw, line: first + 1 })
      end = info.lines
    }
    if (!isOpen) return lines
    while (all[before + end] === '') end += 1
    sink.problem(broken('it has a quote that is never closed', before + end + 1))
    before += end + 1
  }
  return lines
}

/**
 * The whole lines of a table; of a damaged archive those before the damage, and that is said. A table that is not UTF-8
 * is what a spreadsheet saves by default: Windows-1252, as far as its bytes are at hand.
 */
async function textOf(source: Source, sink: RowSink, signal: AbortSignal): Promise<string> {
  const head = await source.head(signal)
  if (head.isWhole && !isUtf8(head.bytes)) {
    sink.problem({
      severity: 'info',
      code: 'ENCODING',
      message: `${source.name} is not UTF-8: read as Windows-1252.`,
      hint: 'Where names look wrong, save it as “CSV UTF-8”.',
    })
    return plainLines(new TextDecoder('windows-1252').decode(head.bytes))
  }
  const lines: string[] = []
  let length = 0
  try {
    for await (const { text } of source.lines(signal)) {
      lines.push(text)
      length += text.length + 1
      if (length > MAX_BYTES)
        throw new Fault('TOO_LARGE', `${source.name} is longer than 64 MiB as a table of outcomes.`)
    }
  } catch (error) {
    if (!(error instanceof BrokenArchive)) throw error
    sink.problem({
      ...problemOf(error),
      message: `${source.name}: ${error.message}. Rows before the damage were read.`,
    })
  }
  if (!isUtf8(head.bytes))
    sink.problem({
      severity: 'warning',
      code: 'ENCODING',
      message: `${source.name} is not UTF-8: signs that could not be read are shown as �, and names with them match nothing.`,
      hint: 'Save it as “CSV UTF-8” and take that file.',
    })
  return plainLines(lines.join('\n'))
}

/** With line feeds only: csv-parse counts a line end of two signs inside a quoted cell twice. */
function plainLines(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

function broken(why: string, line: number | null): Problem {
  return {
    severity: 'error',
    code: 'RECORD_INVALID',
    message: `A row of the table is broken: ${oneLine(why, 200)}.`,
    ...(line === null ? {} : { line }),
  }
}

function tooWide(line: Line, header: readonly string[], place: RowPlace): Problem {
  return {
    severity: 'warning',
    code: 'RECORD_INVALID',
    message: `The row has ${line.record.length} cells, the header ${header.length}: what is beyond it was not read.`,
    record: place.record,
    ...(place.line === null ? {} : { line: place.line }),
  }
}

async function matrixRow(
  table: Table & { readonly kind: 'matrix' },
  header: readonly string[],
  cells: readonly string[],
  choice: OutcomeChoice,
  sink: RowSink,
  place: RowPlace,
  written: string,
  tally: FieldTally,
): Promise<void> {
  const task = cells[table.task]?.trim() ?? ''
  if (task === '') {
    sink.problem({
      severity: 'error',
      code: 'RECORD_INVALID',
      message: 'A row has no task: skipped.',
      record: place.record,
      ...(place.line === null ? {} : { line: place.line }),
    })
    return
  }
  let n = 0
  let passes = 0
  for (const [column, trial] of table.trials) {
    const cell = cells[column]?.trim() ?? ''
    // An empty cell is a trial that was not run.
    if (cell === '') continue
    tally.see(BARE_FIELD, cell)
    const { outcome, problem } = outcomeOf(cell, header[column] ?? null, choice, place)
    if (problem !== null) sink.problem(problem)
    if (outcome.outcome !== 'unknown') n += 1
    if (outcome.outcome === 'pass') passes += 1
    // The column names the trial, not a scorer.
    await sink.row({ ...emptyRow(place, written), task, trial, ...outcome, scorer: null })
  }
  for (const [column, name] of header.entries()) {
    const problem = differs(name, cells[column] ?? '', n, passes, place)
    if (problem !== null)
      sink.problem({ ...problem, message: `Task “${oneLine(task, 60)}”: ${problem.message}` })
  }
}

/** The problem of a derived column that does not agree with the trials. */
function differs(name: string, cell: string, n: number, passes: number, place: RowPlace): Problem | null {
  const derived = derivedColumn(name)
  if (derived === null || cell.trim() === '') return null
  const written = Number(cell)
  const estimate = (derived.kind === 'hat' ? passHatEstimate : passAtEstimate)(n, passes, derived.k)
  if (!Number.isFinite(written) || !estimate.ok) return null
  if (Math.abs(written - estimate.value) <= DERIVED_TOLERANCE) return null
  return {
    severity: 'warning',
    code: 'DERIVED_DIFFERS',
    message: `${name.trim()} is written as ${written}, but ${passes} of ${n} trials give ${estimate.value.toFixed(4)}. The trials count.`,
    record: place.record,
    ...(place.line === null ? {} : { line: place.line }),
  }
}
