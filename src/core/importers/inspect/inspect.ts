// Inspect logs (github.com/UKGovernmentBEIS/inspect_ai): .eval, a zip with one member per sample, and .json, one
// object with a list of samples. One sample is one trial; an epoch is a trial number. Samples are read one at a
// time, whatever the log's length. Broken samples are problems, and the rest goes on.

import type { JsonObject } from '../../../base/json.ts'
import { oneLine } from '../../../base/text.ts'
import { asObject } from '../fields.ts'
import type { Importer, Sink, Sniff, Source, SourceEntry, SourceHead } from '../importer.ts'
import { parseJson } from '../parse.ts'
import { noteRecord, problemOf } from '../reader.ts'
import { readJson } from './json.ts'
import { readLog } from './log.ts'
import { isReadable, Trials } from './trials.ts'
import { contentsOf, isInspectZip, readZipped, type ZippedSample } from './zipped.ts'

/** Reads Inspect logs, versions 1 to 3. */
export const inspect: Importer = {
  id: 'inspect',
  title: 'Inspect log',
  version: 2,
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
  if ((head.shape === 'values' || head.shape === 'array') && log !== null && evaluation !== null) {
    const isNamed = ['task', 'model', 'run_id', 'created'].filter((key) => Object.hasOwn(evaluation, key))
    const isLog = ['version', 'status', 'plan', 'samples', 'results'].some((key) => Object.hasOwn(log, key))
    if (isLog && isNamed.length >= 2)
      return {
        confidence: 0.95,
        reason: `${head.shape === 'array' ? 'a list of objects' : 'an object'} with eval (${isNamed.join(', ')})`,
      }
  }
  return { confidence: 0, reason: 'no object with eval (task, model), and no zip with header.json' }
}

async function read(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const entries = await source.entries(signal)
  if (entries.length > 0) await readZip(source, entries, sink, signal)
  else await readJson(source, sink, signal)
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
