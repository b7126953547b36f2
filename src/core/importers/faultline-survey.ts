// The first pass over a Faultline JSONL file: headers, configurations and tasks are read, and for every trial it
// is noted which records belong to it. Part of the Faultline importer; emits no trial.

import type { JsonObject } from '../../base/json.ts'
import { plural } from '../../base/text.ts'
import { FAULTLINE_VERSION, RECORD_TYPES } from './faultline-fields.ts'
import { asId, asNumber, asObject, asText } from './fields.ts'
import type { ParseNote, RecordBytes, RecordPlace, Sink, Source } from './importer.ts'
import { peekMembers } from './peek.ts'
import { noteRecord, placeOf } from './reader.ts'
import { parseRecord } from './parserecord.ts'

const PROGRESS_MS = 100
/** More places are not remembered. */
const MAX_PLACES = 100_000

/** What the first pass knows of one trial. */
export type TrialPlan = {
  /** Index of its (first) trial record; -1 when there is none. */
  trial: number
  /** Indices of its first and its last record. */
  readonly first: number
  last: number
  records: number
  bytes: number
  isDone: boolean
}

/** What stands between one header and the next: ids are unique in it. */
export type Section = {
  header: JsonObject | null
  readonly configs: Map<string, JsonObject>
  readonly tasks: Map<string, JsonObject>
  readonly trials: Map<string, TrialPlan>
}

/** Sections in file order (the first is before any header); `isNewer` when the file is for a newer program. */
export type Survey = {
  readonly sections: Section[]
  readonly isNewer: boolean
  /** Where the records lie, so that later passes need not scan; absent when they are too many, or cannot be told. */
  readonly places?: readonly RecordPlace[]
}

/** The records of one pass with progress; the file counts once per pass. */
export async function* readPass(
  source: Source,
  sink: Sink,
  signal: AbortSignal,
  number: number,
  places?: readonly RecordPlace[],
): AsyncGenerator<RecordBytes> {
  // The first pass keeps no record's bytes; the others hand them on.
  const isFleeting = number === 0 || sink.isFleeting === true
  let last = performance.now()
  let records = 0
  const bytesTotal = source.size * Math.max(2, number + 1)
  const report = (): void =>
    sink.progress({ bytesRead: source.size * number + source.bytesRead(), bytesTotal, records })
  for await (const item of source.rawRecords(signal, { places, isFleeting })) {
    signal.throwIfAborted()
    if (item.kind === 'record') {
      records += 1
      yield item.record
    } else if (number === 0) sink.problem(item.problem)
    const now = performance.now()
    if (now - last >= PROGRESS_MS) {
      last = now
      report()
    }
  }
  report()
}

function newSection(header: JsonObject | null): Section {
  return { header, configs: new Map(), tasks: new Map(), trials: new Map() }
}

/** Reads the whole source once; problems of broken records are told here and not again. */
export async function makeSurvey(source: Source, sink: Sink, signal: AbortSignal): Promise<Survey> {
  let section = newSection(null)
  const sections = [section]
  const unknown = new Map<string, { count: number; place: ReturnType<typeof placeOf> }>()
  let places: RecordPlace[] | undefined = []
  for await (const record of readPass(source, sink, signal, 0)) {
    places = noted(places, record)
    const peeked = peekMembers(record.bytes, ['type', 'trial_id'])
    const type = asText(peeked['type'])
    if (type === 'header') {
      const header = parsed(record, sink)?.value ?? null
      const version = asNumber(header?.['version'])
      if (version !== null && version > FAULTLINE_VERSION) {
        sink.problem({
          severity: 'error',
          code: 'FORMAT_NEWER',
          message: `The file is Faultline JSONL version ${version}; this program reads version ${FAULTLINE_VERSION}.`,
          hint: 'Use a newer Faultline, or export the file for version 1.',
          ...placeOf(record),
        })
        return { sections: [], isNewer: true }
      }
      section = newSection(header)
      sections.push(section)
    } else if (type === 'config') keep(section.configs, parsed(record, sink)?.value ?? null, 'config_id')
    else if (type === 'task') keep(section.tasks, parsed(record, sink)?.value ?? null, 'task_id')
    else {
      const id = asId(peeked['trial_id'])
      if (id !== null) plan(section.trials, id, type === 'trial', record)
      else if (type !== null && RECORD_TYPES.has(type))
        sink.problem({
          severity: 'error',
          code: 'RECORD_INVALID',
          message: `The ${type} record has no trial_id: skipped.`,
          ...placeOf(record),
        })
      if (type === null || !RECORD_TYPES.has(type)) {
        const name = type ?? ''
        const known = unknown.get(name)
        if (known !== undefined) known.count += 1
        else if (unknown.size < 100) unknown.set(name, { count: 1, place: placeOf(record) })
      }
    }
  }
  for (const [name, { count, place }] of unknown)
    sink.problem({
      severity: 'warning',
      code: 'RECORD_UNKNOWN',
      message: `${plural(count, 'record')} ${name === '' ? 'without a type' : `of the unknown type '${name.slice(0, 40)}'`}: kept with the trial named in it, otherwise ignored.`,
      ...place,
    })
  return { sections, isNewer: false, ...(places === undefined ? {} : { places }) }
}

function noted(places: RecordPlace[] | undefined, record: RecordBytes): RecordPlace[] | undefined {
  const { bytes, byteOffset, ...rest } = record
  if (places === undefined || byteOffset === null || places.length >= MAX_PLACES) return undefined
  places.push({ ...rest, byteOffset, length: bytes.length })
  return places
}

function keep(map: Map<string, JsonObject>, value: JsonObject | null, key: string): void {
  const id = asId(value?.[key])
  if (value !== null && id !== null) map.set(id, value)
}

function plan(trials: Map<string, TrialPlan>, id: string, isTrial: boolean, record: RecordBytes): void {
  const known = trials.get(id) ?? {
    trial: -1,
    first: record.index,
    last: 0,
    records: 0,
    bytes: 0,
    isDone: false,
  }
  if (isTrial && known.trial < 0) known.trial = record.index
  known.last = record.index
  known.records += 1
  known.bytes += record.bytes.length
  trials.set(id, known)
}

/** A record as an object with its notes, or null after telling the sink why not. */
export function parsed(
  record: RecordBytes,
  sink: Sink,
): { value: JsonObject; notes: readonly ParseNote[] } | null {
  const item = parseRecord(record)
  if (item.kind === 'problem') {
    sink.problem(item.problem)
    return null
  }
  noteRecord(item.record, sink)
  const value = asObject(item.record.value)
  return value === null ? null : { value, notes: item.record.notes }
}
