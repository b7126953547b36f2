// Inspect logs (github.com/UKGovernmentBEIS/inspect_ai): .eval, a zip with one member per sample, and .json, one
// object with a list of samples. One sample is one trial; an epoch is a trial number. Samples are read one at a
// time, whatever the log's length. Broken samples are problems, and the rest goes on.

import type { Json, JsonObject } from '../../../base/json.ts'
import { oneLine } from '../../../base/text.ts'
import { asObject, asText, member } from '../fields.ts'
import type {
  Importer,
  ParseNote,
  Problem,
  RecordBytes,
  Sink,
  Sniff,
  Source,
  SourceEntry,
  SourceHead,
} from '../importer.ts'
import type { StepDoubt } from '../messages.ts'
import { parseJson } from '../parse.ts'
import { guarded, noteRecord, placeOf, problemOf } from '../reader.ts'
import { parseRecord } from '../parserecord.ts'
import { missingTrials, readLog, tooNew, type LogFacts } from './log.ts'
import { isSample, readSample } from './sample.ts'
import { contentsOf, isInspectZip, logError, readZipped, type ZippedSample } from './zipped.ts'

const SAMPLES = new Set(['samples'])
/** Long lists of a log that nothing here needs. */
const LISTS = new Set(['samples', 'reductions'])

/** Reads Inspect logs, versions 1 to 3. */
export const inspect: Importer = {
  id: 'inspect',
  title: 'Inspect log',
  version: 1,
  status: 'stable',
  nameHint: /\.eval$/i,
  sniff,
  read,
}

function sniff(head: SourceHead): Sniff {
  if (head.entries !== null)
    return isInspectZip(head.entries)
      ? { confidence: 0.97, reason: 'a zip with header.json or _journal/start.json of an Inspect log' }
      : { confidence: 0, reason: 'a zip without the members of an Inspect log' }
  const log = asObject(head.records[0]?.value)
  const evaluation = asObject(log?.['eval'])
  if (head.shape === 'values' && log !== null && evaluation !== null) {
    const isNamed = ['task', 'model', 'run_id', 'created'].filter((key) => Object.hasOwn(evaluation, key))
    const isLog = ['version', 'status', 'plan', 'samples', 'results'].some((key) => Object.hasOwn(log, key))
    if (isLog && isNamed.length >= 2)
      return { confidence: 0.95, reason: `an object with eval (${isNamed.join(', ')})` }
  }
  return { confidence: 0, reason: 'no object with eval (task, model), and no zip with header.json' }
}

async function read(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const entries = await source.entries(signal)
  if (entries.length > 0) await readZip(source, entries, sink, signal)
  else await readJson(source, sink, signal)
}

/** The trials of one log: emits them, and knows which were met. */
class Trials {
  readonly #log: LogFacts
  readonly #sink: Sink
  readonly #places = new Set<string>()
  count = 0

  constructor(log: LogFacts, sink: Sink) {
    this.#log = log
    this.#sink = sink
  }

  /** One sample that was parsed. `name` is its member in a zip, for the person to find it. */
  async take(
    record: RecordBytes,
    value: Json,
    notes: readonly ParseNote[],
    name: string | null,
  ): Promise<void> {
    const place = name === null ? placeOf(record) : { record: record.index }
    const say = (severity: Problem['severity'], code: Problem['code'], message: string): void =>
      this.#sink.problem({
        severity,
        code,
        message: name === null ? message : `${oneLine(name, 120)}: ${message}`,
        ...place,
      })
    if (!isSample(value)) {
      say('error', 'RECORD_INVALID', 'The record is not a sample (no id, input or messages): skipped.')
      return
    }
    const raw = guarded(record, this.#sink, () => {
      const doubts: StepDoubt[] = []
      const found = readSample(value, this.#log, notes, doubts)
      for (const code of new Set(doubts.map((doubt) => doubt.code))) {
        const same = doubts.filter((doubt) => doubt.code === code)
        const more = same.length > 1 ? ` And ${same.length - 1} more in this sample.` : ''
        say('warning', code, `${same[0]?.message}${more}`)
      }
      if (this.#places.has(found.place))
        say('warning', 'RECORD_DUPLICATE', `Sample ${found.trial.task} stands twice with this epoch.`)
      this.#places.add(found.place)
      const { trial, sourceKey, identitySalt } = found
      return {
        trial,
        recordBytes: record.bytes,
        identitySalt,
        sourceKey,
        record: record.index,
        line: name === null ? record.line : null,
        byteOffset: name === null ? record.byteOffset : null,
      }
    })
    if (raw === null) return
    this.count += 1
    await this.#sink.trial(raw)
  }

  /** Tells what the log lacks, after its last sample. */
  finish(): void {
    const missing = missingTrials(this.#log, this.count)
    if (missing !== null) this.#sink.problem(missing)
  }
}

/** Tells of a log that cannot be read, or that ended badly; true when its samples may be read. */
function isReadable(log: JsonObject, facts: LogFacts, sink: Sink): boolean {
  const newer = tooNew(facts)
  if (newer !== null) sink.problem(newer)
  const error = logError(log)
  if (error !== null)
    sink.problem({ severity: 'info', code: 'TRIALS_MISSING', message: `The run's own error: ${error}` })
  return newer === null
}

async function readZip(
  source: Source,
  entries: readonly SourceEntry[],
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  const contents = contentsOf(entries)
  const log = await readHeader(contents.header, contents.start, sink, signal)
  const facts = readLog(log)
  if (!isReadable(log, facts, sink)) return
  for (const entry of contents.refused)
    sink.problem({
      severity: entry.refused?.startsWith('another member') === true ? 'warning' : 'error',
      code: entry.refused?.startsWith('another member') === true ? 'RECORD_DUPLICATE' : 'ARCHIVE_BROKEN',
      message: `${oneLine(entry.name, 120)} was not read: ${entry.refused}.`,
    })
  const trials = new Trials(facts, sink)
  if (contents.samples.some((sample) => sample.kind === 'chunked'))
    sink.problem({
      severity: 'info',
      code: 'FORMAT_BETA',
      message:
        'Samples of this log are in the chunked layout, whose reading was not tried on a real log (beta).',
    })
  let index = 0
  for (const sample of contents.samples) {
    signal.throwIfAborted()
    await takeZipped(sample, index, trials, sink, signal)
    index += 1
    sink.progress({ bytesRead: source.bytesRead(), bytesTotal: source.size, records: index })
  }
  trials.finish()
}

async function takeZipped(
  sample: ZippedSample,
  index: number,
  trials: Trials,
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  let found
  try {
    found = await readZipped(sample, signal)
  } catch (error) {
    signal.throwIfAborted()
    sink.problem({ ...problemOf(error), record: index })
    return
  }
  if (!found.ok) {
    sink.problem({
      severity: 'error',
      code: 'JSON_INVALID',
      message: `${oneLine(found.name, 120)} is not JSON: ${found.message} (byte ${found.at.toLocaleString('en-US')} of it).`,
      record: index,
    })
    return
  }
  const record = { bytes: found.bytes, index, line: 1, byteOffset: null, depth: 0 }
  noteRecord({ ...record, value: found.value, notes: found.notes }, sink)
  await trials.take(record, found.value, found.notes, sample.name)
}

/** The log's header; after a crash, or when it is damaged, what was written when the run began. */
async function readHeader(
  header: SourceEntry | null,
  start: SourceEntry | null,
  sink: Sink,
  signal: AbortSignal,
): Promise<JsonObject> {
  for (const entry of [header, start]) {
    if (entry === null) continue
    try {
      const parsed = parseJson((await entry.read(signal)).toString('utf8'), Number.POSITIVE_INFINITY)
      const log = parsed.ok ? asObject(parsed.value) : null
      if (log !== null && asObject(log['eval']) !== null)
        return entry === start ? { ...log, status: 'started' } : log
      const why = parsed.ok ? 'has no “eval”' : `is not JSON: ${parsed.message}`
      sink.problem({ severity: 'error', code: 'RECORD_INVALID', message: `${entry.name} ${why}.` })
    } catch (error) {
      signal.throwIfAborted()
      sink.problem(problemOf(error))
    }
  }
  return {}
}

/** A .json log. When its samples come before what describes them, it is read twice. */
async function readJson(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const log: Record<string, Json> = {}
  let trials: Trials | null = null
  let isUnread = false
  const begin = (): Trials | null => {
    const facts = readLog(log)
    return isReadable(log, facts, sink) ? new Trials(facts, sink) : null
  }
  for await (const item of source.members(LISTS, signal)) {
    if (item.kind === 'problem') sink.problem(item.problem)
    else if (item.kind === 'member') {
      const parsed = parseJson(item.record.bytes.toString('utf8'), item.record.depth)
      if (parsed.ok) {
        log[item.name] = parsed.value
        const places = parsed.notes.map((note) => ({ ...note, path: `/${item.name}${note.path}` }))
        noteRecord({ ...item.record, value: parsed.value, notes: places }, sink)
      } else
        sink.problem({
          severity: 'error',
          code: 'JSON_INVALID',
          message: `“${item.name.slice(0, 60)}” is not JSON: ${parsed.message}.`,
          ...placeOf(item.record),
        })
    } else if (item.kind === 'list' && item.name === 'samples') {
      isUnread = !isDescribed(log)
      if (!isUnread && (trials = begin()) === null) return
    } else if (item.kind === 'element' && item.name === 'samples' && trials !== null) {
      await takeElement(item.record, trials, source, sink)
    }
  }
  if (isUnread) {
    trials = begin()
    if (trials === null) return
    for await (const item of source.members(SAMPLES, signal))
      if (item.kind === 'element') await takeElement(item.record, trials, source, sink)
  }
  trials ??= begin()
  trials?.finish()
}

function isDescribed(log: JsonObject): boolean {
  return asText(member(log['eval'], 'task')) !== null && Object.hasOwn(log, 'plan')
}

async function takeElement(record: RecordBytes, trials: Trials, source: Source, sink: Sink): Promise<void> {
  const parsed = parseRecord(record)
  if (parsed.kind === 'problem') {
    sink.problem(parsed.problem)
    return
  }
  noteRecord(parsed.record, sink)
  await trials.take(record, parsed.record.value, parsed.record.notes, null)
  sink.progress({ bytesRead: source.bytesRead(), bytesTotal: source.size, records: record.index + 1 })
}
