// The import thread: walks, detects, reads, hashes and compresses, so that the core's own loop only writes short
// batches and answers. Talks to importthread.ts, holds no database. Started by process.ts when it finds itself in a
// worker thread.

import { parentPort } from 'node:worker_threads'
import { Fault, toFaultData, type FaultData } from '../base/fault.ts'
import type { ImportFileRow } from '../contract/rows.ts'
import { detect } from './importers/detect.ts'
import type { Candidate, Importer, Problem, RawTrial, Source } from './importers/importer.ts'
import { importerById } from './importers/registry.ts'
import { runImporter } from './importers/reader.ts'
import { openSources } from './importers/walk.ts'
import { problemLog, type LoggedProblem, type ProblemPiece } from './services/problemlog.ts'
import { prepareTrial } from './services/intake.ts'
import type { PreparedTrial } from './store/ingest.ts'

/** What the thread is started with. */
export type ImportOrder = {
  readonly kind: 'import'
  readonly paths: readonly string[]
  readonly format: string | null
  readonly suite: string | null
}

/** A file that was found; listed before anything is read. */
export type FoundFile = {
  readonly name: string
  readonly bytes: number
  /** Left aside while walking, with the reason; null when it will be read. */
  readonly skipped: string | null
}

/** How a file was recognised. */
export type Recognised = {
  readonly format: string | null
  readonly formatTitle: string | null
  readonly formatVersion: number | null
  readonly confidence: number
  readonly reason: string
  readonly candidates: ImportFileRow['candidates']
}

/** What the thread says. `position` counts the files that were found, from 0. */
export type ImportNews =
  | { readonly kind: 'found'; readonly files: readonly FoundFile[] }
  | { readonly kind: 'allFound' }
  | { readonly kind: 'reading'; readonly position: number; readonly recognised: Recognised }
  | { readonly kind: 'progress'; readonly position: number; readonly bytesRead: number }
  | {
      readonly kind: 'batch'
      readonly position: number
      readonly trials: readonly PreparedTrial[]
      readonly problems: readonly ProblemPiece[]
    }
  | {
      readonly kind: 'fileEnd'
      readonly position: number
      readonly state: ImportFileRow['state'] | 'read'
      readonly sha256: string | null
      readonly fault: FaultData | null
      readonly recognised: Recognised | null
    }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly fault: FaultData }

/** What the thread is told: a batch was written, or stop. */
export type ImportTold = 'written' | 'cancel'

/** A batch is full at this many trials or bytes of original records, whichever comes first. */
const BATCH_TRIALS = 100
const BATCH_BYTES = 4 * 1024 * 1024
/** A batch that fills slowly is sent after this time, so that a person sees trials arrive. */
const BATCH_MS = 500
/** Batches on their way that were not yet written: the bound of memory. */
const BATCHES_AHEAD = 2
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

async function runOrder(order: ImportOrder, line: Line): Promise<void> {
  const sources: (Source | null)[] = []
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
    if (source !== null) await importSource(order, line, position, source)
  }
}

function unreadable(position: number, fault: FaultData, recognised: Recognised | null = null): ImportNews {
  return { kind: 'fileEnd', position, state: 'unreadable', sha256: null, fault, recognised }
}

async function importSource(order: ImportOrder, line: Line, position: number, source: Source): Promise<void> {
  const detection = await detect(source, line.signal)
  const forced = order.format === null ? null : importerById(order.format)
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
  line.say({ kind: 'reading', position, recognised })
  await readSource(order, line, position, source, importer)
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
    candidates: candidates.map(({ id, title, confidence, reason }) => ({
      format: id,
      title,
      confidence,
      reason,
    })),
  }
}

async function readSource(
  order: ImportOrder,
  line: Line,
  position: number,
  source: Source,
  importer: Importer,
): Promise<void> {
  const problems = problemLog()
  const repeats = new Map<string, number>()
  let trials: PreparedTrial[] = []
  let bytes = 0
  let sentAt = performance.now()
  const flush = async (): Promise<void> => {
    const pieces = problems.take()
    if (trials.length === 0 && pieces.length === 0) return
    const batch = { kind: 'batch', position, trials, problems: pieces } as const
    trials = []
    bytes = 0
    sentAt = performance.now()
    await line.sendBatch(batch)
  }
  const report = await runImporter(
    importer,
    source,
    {
      trial: async (raw: RawTrial) => {
        const prepared = prepareOnce(raw, importer.id, order.suite, repeats)
        trials.push(prepared)
        bytes += raw.recordBytes.byteLength
        const isDue = performance.now() - sentAt >= BATCH_MS
        if (trials.length >= BATCH_TRIALS || bytes >= BATCH_BYTES || isDue) await flush()
      },
      problem: (problem: Problem) => problems.add(problem),
      progress: ({ bytesRead }) => line.say({ kind: 'progress', position, bytesRead }),
    },
    line.signal,
  )
  // Also after a cancel: what was read is good.
  await flush()
  const first = problems.worst()
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

/** Prepares a trial; bare outcomes without an id are counted, so that equal lines of a list stay separate trials. */
function prepareOnce(
  raw: RawTrial,
  format: string,
  suite: string | null,
  repeats: Map<string, number>,
): PreparedTrial {
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
