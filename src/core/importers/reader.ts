// Running an importer over a source: records with progress and problems, one record's bug contained, and a
// report at the end. Stands between the format files and the import service. Knows no format.

import { isUtf8 } from 'node:buffer'
import { Fault } from '../../base/fault.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import { oneLine, plural, wellFormed } from '../../base/text.ts'
import type { Trial } from '../../model/trial.ts'
import { BrokenArchive } from './bytes.ts'
import type {
  Importer,
  ParseNote,
  Problem,
  ProblemCode,
  RawTrial,
  ReadReport,
  Sink,
  Source,
  SourceRecord,
} from './importer.ts'
import { withoutMedia } from './media.ts'
import { withoutSecretMembers } from './secrets.ts'

/** Problems of one code that are listed one by one; the rest is counted. */
const LISTED_PER_CODE = 1000
const PROGRESS_MS = 100
/** What its settings are called is up to whoever writes it; it is also what an export is read back from. */
const OWN_FORMAT = 'faultline-jsonl'

/** Longest path inside a record that a message repeats. */
const PATH_CHARACTERS = 160

const NOTES: Readonly<Record<ParseNote['kind'], readonly [ProblemCode, Problem['severity'], string]>> = {
  'not-a-number': ['NOT_A_NUMBER', 'info', 'is no number and was read as null'],
  'number-as-text': [
    'NUMBER_KEPT_AS_TEXT',
    'info',
    'is more than a number can hold; its digits are kept as text',
  ],
  'nested-as-text': ['NESTED_TOO_DEEP', 'warning', 'is nested too deep; kept as its text'],
  'control-character': ['NUL_BYTES', 'warning', 'is a raw control character in a string; kept'],
}

/**
 * The records of a source, parsed; problems on the way (broken records, encoding, what was read otherwise than
 * written) and progress go to the sink. Throws the abort reason, and what the file system throws.
 */
export async function* readRecords(
  source: Source,
  sink: Sink,
  signal: AbortSignal,
): AsyncGenerator<SourceRecord> {
  let last = performance.now()
  let records = 0
  const report = (): void =>
    sink.progress({ bytesRead: source.bytesRead(), bytesTotal: source.size, records })
  for await (const item of source.records(signal)) {
    signal.throwIfAborted()
    if (item.kind === 'problem') sink.problem(item.problem)
    else {
      records += 1
      noteRecord(item.record, sink)
      yield item.record
    }
    const now = performance.now()
    if (now - last >= PROGRESS_MS) {
      last = now
      report()
    }
  }
  report()
}

/** Tells the sink what was read otherwise than written in a record. */
export function noteRecord(record: SourceRecord, sink: Sink): void {
  const place = placeOf(record)
  if (!isUtf8(record.bytes))
    sink.problem({
      severity: 'warning',
      code: 'ENCODING',
      message: 'The record holds bytes that are not UTF-8; they are shown as U+FFFD.',
      ...place,
    })
  const kinds = new Map<ParseNote['kind'], ParseNote[]>()
  for (const note of record.notes) {
    const known = kinds.get(note.kind)
    if (known === undefined) kinds.set(note.kind, [note])
    else known.push(note)
  }
  for (const [kind, notes] of kinds) {
    const [code, severity, what] = NOTES[kind]
    const first = notes[0] as ParseNote
    const more = notes.length > 1 ? ` (and ${notes.length - 1} more like it)` : ''
    sink.problem({
      severity,
      code,
      // The path is as deep as the data: what is wrong there must still be read.
      message: `${oneLine(first.path || '/', PATH_CHARACTERS)}: ${first.token} ${what}${more}.`,
      ...place,
    })
  }
}

/** The place of a record, as problems carry it. */
export function placeOf(record: {
  line: number
  byteOffset: number | null
  index: number
}): Pick<Problem, 'line' | 'byte' | 'record'> {
  return {
    line: record.line,
    record: record.index,
    ...(record.byteOffset === null ? {} : { byte: record.byteOffset }),
  }
}

/** What `read` gives, or null after telling the sink that this record met a bug. */
export function guarded<T>(
  record: { line: number; byteOffset: number | null; index: number },
  sink: Sink,
  read: () => T,
): T | null {
  try {
    return read()
  } catch (error) {
    sink.problem({
      severity: 'error',
      code: 'INTERNAL',
      message: `The record could not be read: ${error instanceof Error ? error.message : String(error)}.`,
      hint: 'This is a fault of the importer. Please report it with the record.',
      ...placeOf(record),
    })
    return null
  }
}

/**
 * Reads a source with an importer. Nothing that the file or the importer does is thrown: it is a problem, and
 * the report says how the read ended. What the sink's `trial` throws is thrown on, since it is not the file's.
 */
export async function runImporter(
  importer: Importer,
  source: Source,
  sink: Sink,
  signal: AbortSignal,
): Promise<ReadReport> {
  const counts: Record<string, number> = {}
  let trials = 0
  let errors = 0
  let sinkFailure: { readonly error: unknown } | null = null
  const counted: Sink = {
    ...(sink.isFleeting === true ? { isFleeting: true } : {}),
    async trial(raw: RawTrial): Promise<void> {
      try {
        await sink.trial(finished(raw, importer))
      } catch (error) {
        sinkFailure = { error }
        throw error
      }
      trials += 1
    },
    problem(told: Problem): void {
      // What a file says may stand in a message; half a character must not travel on with it.
      const problem = { ...told, message: wellFormed(told.message) }
      const count = (counts[problem.code] ?? 0) + 1
      counts[problem.code] = count
      if (problem.severity === 'error') errors += 1
      if (count <= LISTED_PER_CODE) sink.problem(problem)
    },
    progress: (progress) => sink.progress(progress),
  }
  let state: ReadReport['state'] = 'done'
  try {
    await importer.read(source, counted, signal)
  } catch (error) {
    if (sinkFailure !== null) throw (sinkFailure as { error: unknown }).error
    if (signal.aborted) state = 'cancelled'
    else {
      state = 'failed'
      counted.problem(problemOf(error))
    }
  }
  if (state === 'done' && trials === 0 && errors === 0)
    counted.problem({
      severity: 'error',
      code: 'FILE_EMPTY',
      message: `${source.name} holds no trials that can be read as ${importer.title}.`,
      hint: 'If it should hold some, export it again; if it is of another format, choose that one.',
    })
  for (const [code, count] of Object.entries(counts))
    if (count > LISTED_PER_CODE)
      sink.problem({
        severity: 'info',
        code: code as ProblemCode,
        message: `${plural(count - LISTED_PER_CODE, 'more problem')} of this kind ${count === LISTED_PER_CODE + 1 ? 'is' : 'are'} not listed.`,
      })
  return { state, trials, problems: counts }
}

/** A trial as it goes on to the store, whatever format it came from. */
function finished(raw: RawTrial, importer: Importer): RawTrial {
  // Whoever held its texts has seen that there is no media in them.
  const trial = raw.held === undefined ? withoutMedia(raw.trial, raw.recordBytes) : raw.trial
  const bare = trial === raw.trial ? raw : { ...raw, trial }
  return withWholeCharacters(importer.id === OWN_FORMAT ? bare : withHarmlessSettings(bare))
}

/** The same trial, its configuration without what may be a key. */
function withHarmlessSettings(raw: RawTrial): RawTrial {
  const { configuration } = raw.trial
  const params = withoutSecretMembers(configuration.params)
  if (params === configuration.params) return raw
  return {
    ...raw,
    trial: { ...raw.trial, configuration: { ...configuration, params: params as JsonObject } },
  }
}

/** The same trial; half a character in what names it would not be found again after the store wrote it. */
function withWholeCharacters(raw: RawTrial): RawTrial {
  const { trial, sourceKey } = raw
  const { sourceId, suite, task, configuration } = trial
  const labels = Object.values(configuration).filter((value) => typeof value === 'string')
  const names = [suite, task, sourceId ?? '', sourceKey ?? '', ...labels]
  if (names.every((name) => name.isWellFormed())) return raw
  const whole = (name: string | null): string | null => (name === null ? null : wellFormed(name))
  return {
    ...raw,
    sourceKey: whole(sourceKey),
    trial: {
      ...trial,
      sourceId: whole(sourceId),
      suite: wellFormed(suite),
      task: wellFormed(task),
      configuration: Object.fromEntries(
        Object.entries(configuration).map(([name, value]) => [
          name,
          typeof value === 'string' ? wellFormed(value) : value,
        ]),
      ) as Trial['configuration'],
    },
  }
}

/** A thrown value as a problem: a fault keeps its code where problems have one of that name. */
export function problemOf(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof BrokenArchive)
    return {
      severity: 'error',
      code: 'ARCHIVE_BROKEN',
      message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.`,
    }
  if (error instanceof Fault) {
    const code: ProblemCode =
      error.code === 'FILE_UNREADABLE' || error.code === 'TOO_LARGE'
        ? error.code
        : error.code === 'FORMAT_INVALID'
          ? 'ARCHIVE_BROKEN'
          : 'INTERNAL'
    return {
      severity: 'error',
      code,
      message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...byteOf(error.details),
    }
  }
  return { severity: 'error', code: 'INTERNAL', message }
}

/** The place that a fault names in its details. */
function byteOf(details: unknown): { readonly byte?: number } {
  return isObject(details) && typeof details['byte'] === 'number' ? { byte: details['byte'] } : {}
}
