// JSON outcome files: a map from task to outcome ({task: true}, {task: 0.5}, {task: {passed: true}}, {task: [1, 0]})
// and lists of rows ({task_id, trial, outcome, …}, as an array or as lines). A key that is missing is not a failure.

import { isObject, type Json, type JsonObject } from '../../../base/json.ts'
import { asList, asObject } from '../fields.ts'
import type { Sniff, Source, SourceHead, SourceRecord } from '../importer.ts'
import { readRecords } from '../reader.ts'
import { outcomeRank, roleOf } from './names.ts'
import { BARE_FIELD, emptyRow, FieldTally, looksLikeRow, outcomeOf, rowOfRecord } from './record.ts'
import type { OutcomeChoice, OutcomeReader, RowPlace, RowSink } from './row.ts'
import { saysOutcome } from './values.ts'

/** Members of a map that decide what it is. */
const LOOKED_AT = 200

/** Reads maps from task to outcome. */
export const outcomeMap: OutcomeReader = {
  id: 'outcome-map',
  title: 'Outcome map',
  version: 2,
  status: 'stable',
  nameHint: /(?:eval|outcome|result|score|reward)/i,
  suite: 'outcomes',
  sniff: sniffMap,
  rows: mapRows,
}

/** Reads lists of outcome rows. */
export const outcomeRows: OutcomeReader = {
  id: 'outcome-rows',
  title: 'Outcome rows',
  version: 1,
  status: 'stable',
  nameHint: /(?:eval|outcome|result|score|reward)/i,
  suite: 'outcomes',
  sniff: sniffRows,
  rows: listRows,
}

type MapValue = 'truth' | 'number' | 'word' | 'row' | 'list'

function mapValue(value: Json | undefined): MapValue | null {
  if (typeof value === 'boolean') return 'truth'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'string') return saysOutcome(value) ? 'word' : null
  if (Array.isArray(value))
    // Null in a list is a trial that was not run.
    return value.every((item) => item === null || saysOutcome(item as Json)) &&
      value.some((item) => item !== null)
      ? 'list'
      : null
  const fields = asObject(value)
  return fields !== null &&
    Object.keys(fields).some((name) => outcomeRank(name) >= 0 && typeof fields[name] !== 'object')
    ? 'row'
    : null
}

/** Members in which harnesses put their list of rows, or their map, beside facts of the run. */
const AROUND = ['results', 'outcomes', 'trials', 'rows', 'records', 'evaluations', 'scores', 'data']
/** What is said around rows, of all of them. */
const OF_ALL = new Set(['suite', 'model', 'agent', 'label'])

/**
 * The rows of an object that holds them in a list, each with what the object says of all (null: what is no row); null for
 * any other.
 */
function rowsWithin(value: Json): readonly (JsonObject | null)[] | null {
  const object = asObject(value)
  if (object === null || looksLikeRow(object)) return null
  for (const key of AROUND) {
    const rows = (asList(object[key]) ?? []).map(asObject)
    const [first] = rows
    if (first === undefined || first === null || !looksLikeRow(first)) continue
    const around = Object.entries(object).filter(
      ([name, one]) => OF_ALL.has(roleOf(name) ?? '') && (typeof one === 'string' || typeof one === 'number'),
    )
    return rows.map((row) => (row === null ? null : { ...Object.fromEntries(around), ...row }))
  }
  return null
}

/** The map, or the one that an object holds in its only member that is no plain value. */
function mapWithin(map: JsonObject | null): JsonObject | null {
  const inner = Object.entries(map ?? {}).filter(([, value]) => value !== null && typeof value === 'object')
  const [one] = inner
  if (map === null || one === undefined || inner.length > 1 || !AROUND.includes(one[0])) return map
  const within = asObject(one[1])
  return within !== null && Object.values(within).every((value) => mapValue(value) !== null) ? within : map
}

function sniffMap(head: SourceHead): Sniff {
  const none = { confidence: 0, reason: 'no map from tasks to outcomes' }
  const maps = head.records.map(({ value }) => mapWithin(asObject(value)))
  if (maps.length === 0 || head.shape !== 'values') return none
  // A head that ends inside cuts the last member.
  const all = maps.flatMap((map) => (map === null ? [undefined] : Object.values(map))).slice(0, LOOKED_AT)
  const values = head.records.every(({ complete }) => complete) ? all : all.slice(0, -1)
  const kinds = new Set(values.map((value) => (value === null ? 'truth' : mapValue(value))))
  if (values.length === 0 || kinds.has(null)) return none
  if (maps.some((map) => map !== null && looksLikeRow(map)))
    return { confidence: 0, reason: 'rows, and no map' }
  if (kinds.size === 1 && kinds.has('truth'))
    return { confidence: 0.8, reason: `every value of ${values.length} is true or false` }
  // Few small numbers may be anything's settings.
  if (kinds.has('number') && values.length < 3)
    return { confidence: 0.3, reason: 'a few numbers by name: they may be outcomes' }
  const isBinary = values.every((value) => typeof value !== 'number' || value === 0 || value === 1)
  if (kinds.has('number') && !isBinary)
    return { confidence: values.length >= 10 ? 0.5 : 0.3, reason: 'numbers by name: they may be scores' }
  return { confidence: 0.65, reason: `every value of ${values.length} says an outcome` }
}

function sniffRows(head: SourceHead): Sniff {
  const records = head.records.map(({ value }) => asObject(value))
  const within = records.length === 1 ? rowsWithin(records[0] as Json) : null
  if (within !== null)
    return { confidence: 0.55, reason: 'an object with a list of records that name a task and an outcome' }
  const rows = records.filter((record) => record !== null && looksLikeRow(record))
  if (rows.length === 0 || rows.length < records.length)
    return { confidence: 0, reason: 'no records with a task and an outcome' }
  const named = Object.keys(rows[0] ?? {}).filter((name) => outcomeRank(name) >= 0)
  return {
    confidence: 0.55,
    reason: `records with a task or trial and ${named.slice(0, 4).join(', ')}, without steps`,
  }
}

async function mapRows(
  source: Source,
  choice: OutcomeChoice,
  sink: RowSink,
  signal: AbortSignal,
): Promise<void> {
  const tally = new FieldTally()
  const bare = new FieldTally()
  let at = 0
  for await (const record of readRecords(source, problemsOf(sink), signal)) {
    const map = mapWithin(asObject(record.value))
    if (map === null) {
      sink.problem(noObject(record))
      continue
    }
    for (const [task, value] of Object.entries(map)) {
      const place: RowPlace = { file: source.name, line: record.line, record: at }
      at += 1
      await mapRow(task, value, choice, sink, place, { tally, bare })
    }
  }
  sink.fields([...tally.list(), ...bare.scales()])
}

async function mapRow(
  task: string,
  value: Json,
  choice: OutcomeChoice,
  sink: RowSink,
  place: RowPlace,
  seen: { readonly tally: FieldTally; readonly bare: FieldTally },
): Promise<void> {
  const list = asList(value)
  for (const item of list ?? [value]) if (asObject(item) === null) seen.bare.see(BARE_FIELD, item)
  if (list !== null) {
    for (const [trial, item] of list.entries())
      if (item !== null)
        await valueRow({ [`${task} ${trial + 1}`]: item }, task, String(trial + 1), item, choice, sink, place)
    return
  }
  const fields = asObject(value)
  if (fields === null) {
    await valueRow({ [task]: value }, task, null, value, choice, sink, place)
    return
  }
  const named: JsonObject = { task_id: task, ...fields }
  const { row, problem } = rowOfRecord(named, choice, place, JSON.stringify({ [task]: value }), seen.tally)
  if (problem !== null) sink.problem(problem)
  if (row !== null) await sink.row(row)
}

async function valueRow(
  written: JsonObject,
  task: string,
  trial: string | null,
  value: Json,
  choice: OutcomeChoice,
  sink: RowSink,
  place: RowPlace,
): Promise<void> {
  const { outcome, problem } = outcomeOf(value, null, choice, place)
  if (problem !== null) sink.problem(problem)
  const row = emptyRow(place, JSON.stringify(written))
  await sink.row({ ...row, task, trial: trial ?? row.trial, ...outcome })
}

async function listRows(
  source: Source,
  choice: OutcomeChoice,
  sink: RowSink,
  signal: AbortSignal,
): Promise<void> {
  const tally = new FieldTally()
  for await (const record of readRecords(source, problemsOf(sink), signal)) {
    const place: RowPlace = { file: source.name, line: record.line, record: record.index }
    if (!isObject(record.value)) {
      sink.problem(noObject(record))
      continue
    }
    const within = rowsWithin(record.value as Json)
    const rows = within ?? [record.value as JsonObject]
    for (const [at, one] of rows.entries()) {
      const written = within === null ? record.bytes.toString('utf8') : JSON.stringify(one)
      const own = within === null ? place : { ...place, record: at }
      if (one === null) {
        sink.problem({ ...noObject(record), record: at })
        continue
      }
      const { row, problem } = rowOfRecord(one, choice, own, written, tally)
      if (problem !== null) sink.problem(problem)
      if (row !== null) await sink.row(row)
    }
  }
  sink.fields(tally.list())
}

/** The problem of a record that is no object. */
export function noObject(record: SourceRecord): Parameters<RowSink['problem']>[0] {
  return {
    severity: 'error',
    code: 'RECORD_INVALID',
    message: 'The record is not an object: skipped.',
    record: record.index,
    line: record.line,
  }
}

/** A row sink as the record reader's sink; rows do not pass through it. */
export function problemsOf(sink: RowSink): Parameters<typeof readRecords>[1] {
  return {
    trial: () => {},
    problem: (problem) => sink.problem(problem),
    progress: (now) => sink.progress(now),
  }
}
