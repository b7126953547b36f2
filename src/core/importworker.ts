// The import thread: walks, detects, reads, hashes and compresses, so that the core's own loop only writes short
// batches and answers. Talks to importthread.ts, holds no database. Started by process.ts when it finds itself in a
// worker thread.

import { parentPort } from 'node:worker_threads'
import { Fault, toFaultData, type FaultData } from '../base/fault.ts'
import type { FoundFile, ImportNews, ImportOrder, ImportTold, Recognised } from './importnews.ts'
import { detect } from './importers/detect.ts'
import type { Candidate, Importer, Problem, RawTrial, Source } from './importers/importer.ts'
import { importerById } from './importers/registry.ts'
import { runImporter } from './importers/reader.ts'
import { openSources } from './importers/walk.ts'
import { problemLog, type LoggedProblem } from './services/problemlog.ts'
import { packTrial, prepareTrial, type UnpackedTrial } from './services/intake.ts'
import type { PreparedTrial } from './store/ingest.ts'

/** A batch is full at this many trials or bytes of original records, whichever comes first. */
const BATCH_TRIALS = 50
const BATCH_BYTES = 3 * 1024 * 1024
/** A batch that fills slowly is sent after this time, so that a person sees trials arrive. */
const BATCH_MS = 500
/** How far a file is read is told at most this often. */
const PROGRESS_MS = 50
/** Batches on their way that were not yet written: the bound of memory. */
const BATCHES_AHEAD = 2
/** Trials that are compressed at the same time, in the pool of the process. */
const PACKED_AT_ONCE = 2
/** Files that are told at once. */
const FOUND_AT_ONCE = 500

/** Runs the order that this worker thread was started with, to its end. */
export async function runImportOrder(order: ImportOrder): Promise<void> {
  const port = parentPort
  if (port === null) throw new Error('The import thread was started outside of a worker')
  const controller = new AbortController()
  let ahead = 0
  let wake: (() => void) | null = null
  port.on('message', (told: ImportTold) => {
    if (told === 'cancel') controller.abort(new Fault('CANCELLED', 'The import was cancelled.'))
    else ahead -= 1
    wake?.()
  })
  const say = (news: ImportNews, transfer: readonly ArrayBuffer[] = []): void =>
    port.postMessage(news, [...transfer])
  const sendBatch = async (news: ImportNews & { readonly kind: 'batch' }): Promise<void> => {
    while (ahead >= BATCHES_AHEAD) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    ahead += 1
    // The blocks move to the other thread; they are not copied.
    say(
      news,
      news.trials.flatMap((trial) => [trial.body.body.buffer, trial.raw.body.buffer]),
    )
  }
  try {
    await runOrder(order, { say, sendBatch, signal: controller.signal })
    say({ kind: 'end' })
  } catch (error) {
    if (controller.signal.aborted) say({ kind: 'end' })
    else say({ kind: 'failed', fault: toFaultData(error) })
  } finally {
    port.close()
  }
}

type Line = {
  say(news: ImportNews): void
  sendBatch(news: ImportNews & { readonly kind: 'batch' }): Promise<void>
  readonly signal: AbortSignal
}

/** What one order has seen so far. */
type Seen = {
  /** Trials with steps: outcome files beside them speak of them. */
  trajectories: number
  /** Trials and bytes that a sample has taken. */
  trials: number
  bytes: number
  /** Outcome files: whether they are trials by themselves shows when everything else is read. */
  readonly waiting: {
    readonly position: number
    readonly source: Source
    readonly read: () => Promise<void>
    readonly recognised: Recognised
  }[]
}

async function runOrder(order: ImportOrder, line: Line): Promise<void> {
  const sources: (Source | null)[] = []
  const seen: Seen = { trajectories: 0, trials: 0, bytes: 0, waiting: [] }
  let found: FoundFile[] = []
  const flush = (): void => {
    if (found.length > 0) line.say({ kind: 'found', files: found })
    found = []
  }
  const list = (file: FoundFile, source: Source | null): void => {
    sources.push(source)
    found.push(file)
    if (found.length >= FOUND_AT_ONCE) flush()
  }
  for (const path of order.paths) {
    try {
      for await (const opened of openSources(path, line.signal)) {
        if (opened.kind === 'skipped') list({ name: opened.name, bytes: 0, skipped: opened.reason }, null)
        else list({ name: opened.source.name, bytes: opened.source.size, skipped: null }, opened.source)
      }
    } catch (error) {
      line.signal.throwIfAborted()
      const name = path.split(/[/\\]/).findLast((part) => part !== '') ?? path
      list({ name, bytes: 0, skipped: null }, null)
      flush()
      line.say(unreadable(sources.length - 1, toFaultData(error)))
    }
  }
  flush()
  line.say({ kind: 'allFound' })
  for (const [position, source] of sources.entries()) {
    line.signal.throwIfAborted()
    // Let go of: a source keeps its beginning, and a folder may have many thousands of files.
    sources[position] = null
    if (source !== null) await importSource(order, line, position, source, seen)
  }
  for (const { position, recognised, read } of seen.waiting) {
    line.signal.throwIfAborted()
    if (seen.trajectories === 0) await read()
    else line.say(setAside(position, recognised))
  }
}

/** An outcome file beside trajectories: its rows are no trials of their own. */
function setAside(position: number, recognised: Recognised): ImportNews {
  const reason = `${recognised.reason}; it lies beside trajectories, so its outcomes are there to be attached`
  return {
    kind: 'fileEnd',
    position,
    state: 'skipped',
    sha256: null,
    fault: null,
    recognised: { ...recognised, reason },
  }
}

function unreadable(position: number, fault: FaultData, recognised: Recognised | null = null): ImportNews {
  return { kind: 'fileEnd', position, state: 'unreadable', sha256: null, fault, recognised }
}

async function importSource(
  order: ImportOrder,
  line: Line,
  position: number,
  source: Source,
  seen: Seen,
): Promise<void> {
  const own = Object.hasOwn(order.formats, source.name) ? order.formats[source.name] : undefined
  if (own === 'skip') {
    const recognised = { ...recognisedAs(null, false, []), reason: 'left out by hand' }
    line.say({ kind: 'fileEnd', position, state: 'skipped', sha256: null, fault: null, recognised })
    return
  }
  const detection = await detect(source, line.signal)
  const format = own ?? order.format
  const forced = format === null ? null : importerById(format)
  const importer = forced ?? detection.importer
  const recognised = recognisedAs(importer, forced !== null, detection.candidates)
  if (importer === null) {
    const problem = detection.problem
    // In a folder, what is no export is not worth a question; a file that the person named is.
    const isStranger = source.origin === 'folder' && !detection.ask
    const state = detection.ask ? 'needs format' : isStranger ? 'skipped' : 'unreadable'
    const fault = problem === null ? null : faultOf(problem)
    line.say({ kind: 'fileEnd', position, state, sha256: null, fault, recognised })
    return
  }
  const read = async (): Promise<void> => {
    line.say({ kind: 'reading', position, recognised })
    await readSource(order, line, position, source, importer, seen)
  }
  if (importer.isOutcomes === true && forced === null)
    seen.waiting.push({ position, source, recognised, read })
  else await read()
}

function recognisedAs(
  importer: Importer | null,
  isForced: boolean,
  candidates: readonly Candidate[],
): Recognised {
  const known = candidates.find((candidate) => candidate.id === importer?.id)
  return {
    format: importer?.id ?? null,
    formatTitle: importer?.title ?? null,
    formatVersion: importer?.version ?? null,
    confidence: isForced ? 1 : (known?.confidence ?? 0),
    reason: isForced ? 'chosen by hand' : (known?.reason ?? ''),
    // Who is certainly not meant helps nobody to choose, and would be stored with every stranger of a folder.
    candidates: candidates.flatMap(({ id, ...one }) => (one.confidence > 0 ? [{ format: id, ...one }] : [])),
  }
}

async function readSource(
  order: ImportOrder,
  line: Line,
  position: number,
  source: Source,
  importer: Importer,
  seen: Seen,
): Promise<void> {
  const { sample } = order
  const enough = new AbortController()
  const signal = sample === null ? line.signal : AbortSignal.any([line.signal, enough.signal])
  let count = 0
  if (sample !== null && (seen.trials >= sample.trials || seen.bytes >= sample.bytes)) enough.abort()
  const problems = problemLog()
  const repeats = new Map<string, number>()
  let trials: (PreparedTrial | Promise<PreparedTrial>)[] = []
  const packing: Promise<unknown>[] = []
  let bytes = 0
  let sentAt = performance.now()
  let toldAt = sentAt
  const flush = async (): Promise<void> => {
    const pieces = problems.take()
    if (trials.length === 0 && pieces.length === 0) return
    const full = trials
    trials = []
    bytes = 0
    sentAt = performance.now()
    packing.length = 0
    await line.sendBatch({ kind: 'batch', position, trials: await Promise.all(full), problems: pieces })
  }
  const pack = async (unpacked: UnpackedTrial): Promise<void> => {
    const packed = packTrial(unpacked)
    trials.push(packed)
    if (!(packed instanceof Promise)) return
    // What is thrown is thrown where the batch is sent.
    packing.push(packed.catch(() => {}))
    if (packing.length >= PACKED_AT_ONCE) await packing.shift()
  }
  const report = await runImporter(
    importer,
    source,
    {
      isFleeting: true,
      trial: async (raw: RawTrial) => {
        if (enough.signal.aborted) return
        const prepared = prepareOnce(labelled(raw, order.label), importer.id, order.suite, repeats)
        count += 1
        seen.trials += 1
        seen.bytes += raw.recordBytes.byteLength
        if (raw.trial.steps.length > 0) seen.trajectories += 1
        if (
          sample !== null &&
          (count >= sample.fileTrials || seen.trials >= sample.trials || seen.bytes >= sample.bytes)
        )
          enough.abort()
        await pack(prepared)
        bytes += raw.recordBytes.byteLength
        const isDue = performance.now() - sentAt >= BATCH_MS
        if (trials.length >= BATCH_TRIALS || bytes >= BATCH_BYTES || isDue) await flush()
      },
      problem: (problem: Problem) => problems.add(problem),
      progress: ({ bytesRead, bytesTotal }) => {
        const share = bytesTotal > 0 ? Math.min(1, bytesRead / bytesTotal) : 0
        const now = performance.now()
        // Of a small file its end is progress enough.
        if (now - toldAt >= PROGRESS_MS) {
          toldAt = now
          line.say({ kind: 'progress', position, share })
        }
        if (sample !== null && bytesRead > sample.fileBytes) enough.abort()
      },
    },
    signal,
  )
  // Also after a cancel: what was read is good.
  await flush()
  const first = problems.worst()
  if (report.state === 'cancelled' && enough.signal.aborted && !line.signal.aborted) {
    line.say({
      kind: 'fileEnd',
      position,
      state: 'read',
      sha256: null,
      fault: null,
      recognised: null,
      isPartial: true,
    })
    return
  }
  const fault =
    report.state === 'failed' || report.trials === 0 ? (first === null ? null : faultOf(first)) : null
  line.say({
    kind: 'fileEnd',
    position,
    state: report.state === 'cancelled' ? 'cancelled' : report.trials === 0 ? 'unreadable' : 'read',
    sha256: report.state === 'done' ? await source.sha256(line.signal) : null,
    fault,
    recognised: null,
  })
}

/** The trial with another label of its configuration, when the person gave one. */
function labelled(raw: RawTrial, label: string | null): RawTrial {
  if (label === null) return raw
  const configuration = { ...raw.trial.configuration, label }
  return { ...raw, trial: { ...raw.trial, configuration } }
}

/** Prepares a trial; bare outcomes without an id are counted, so that equal lines of a list stay separate trials. */
function prepareOnce(
  raw: RawTrial,
  format: string,
  suite: string | null,
  repeats: Map<string, number>,
): UnpackedTrial {
  if (raw.sourceKey !== null || raw.trial.steps.length > 0) return prepareTrial(raw, format, suite, 0)
  const first = prepareTrial(raw, format, suite, 0)
  const repeat = repeats.get(first.contentHash) ?? 0
  repeats.set(first.contentHash, repeat + 1)
  return repeat === 0 ? first : prepareTrial(raw, format, suite, repeat)
}

/** A problem that ended a file, as a fault for its row. */
function faultOf(problem: LoggedProblem): FaultData {
  const code = FAULTS[problem.code] ?? 'FORMAT_INVALID'
  const where =
    problem.line === undefined
      ? problem.byte === undefined
        ? undefined
        : `byte ${problem.byte.toLocaleString('en-US')}`
      : `line ${problem.line.toLocaleString('en-US')}`
  return {
    code,
    message: problem.message,
    ...(problem.hint === undefined ? {} : { hint: problem.hint }),
    ...(where === undefined ? {} : { where }),
  }
}

const FAULTS: Readonly<Record<string, FaultData['code']>> = {
  FILE_EMPTY: 'FILE_EMPTY',
  FILE_UNREADABLE: 'FILE_UNREADABLE',
  FORMAT_UNKNOWN: 'FORMAT_UNKNOWN',
  FORMAT_NOT_READ: 'FORMAT_UNKNOWN',
  TOO_LARGE: 'TOO_LARGE',
  INTERNAL: 'INTERNAL',
}
