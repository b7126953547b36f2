// The thread that reads outcome files: walks, recognises, gives rows. The same thread program as the import thread's;
// holds no database and joins nothing. A file that no outcome reader knows is read as trials, whose outcomes are rows.

import { parentPort } from 'node:worker_threads'
import { toFaultData, type FaultData } from '../base/fault.ts'
import { detect } from './importers/detect.ts'
import type { Importer, Problem, RawTrial, Source } from './importers/importer.ts'
import { bareImporter } from './importers/outcomes/bare.ts'
import { OUTCOME_READERS } from './importers/outcomes/readers.ts'
import type {
  OutcomeChoice,
  OutcomeField,
  OutcomeReader,
  OutcomeRow,
  RowSink,
} from './importers/outcomes/row.ts'
import { runImporter } from './importers/reader.ts'
import { IMPORTERS } from './importers/registry.ts'
import { openSources } from './importers/walk.ts'

/** What the thread is started with. */
export type OutcomeOrder = {
  readonly kind: 'outcomes'
  readonly paths: readonly string[]
  readonly only: readonly string[] | null
  readonly choice: OutcomeChoice
}

/** How one file was read. */
export type OutcomeFileNews = {
  readonly name: string
  readonly format: string | null
  readonly formatTitle: string | null
  readonly reason: string
  readonly rows: number
  readonly fault: FaultData | null
}

/** A problem with the file that it stands in. */
export type OutcomeProblem = Problem & { readonly fileName: string }

/** What the thread says. */
export type OutcomeNews =
  | {
      readonly kind: 'rows'
      readonly rows: readonly OutcomeRow[]
      readonly problems: readonly OutcomeProblem[]
    }
  | { readonly kind: 'file'; readonly file: OutcomeFileNews; readonly fields: readonly OutcomeField[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly fault: FaultData }

/** Rows that are sent at once. */
const BATCH = 2000
/** More rows than any table of outcomes has; what is beyond is not read, and that is said. */
const MAX_ROWS = 500_000
/** Problems of one file that are sent. */
const MAX_PROBLEMS = 1000

const DETECTED: readonly Importer[] = OUTCOME_READERS.map((reader) =>
  bareImporter(reader, { isOutcomes: true }),
)

/** Runs the order that this worker thread was started with, to its end. */
export async function runOutcomeOrder(order: OutcomeOrder): Promise<void> {
  const port = parentPort
  if (port === null) throw new Error('The outcome thread was started outside of a worker')
  const controller = new AbortController()
  port.on('message', () => controller.abort())
  const say = (news: OutcomeNews): void => port.postMessage(news)
  try {
    await readAll(order, say, controller.signal)
    say({ kind: 'end' })
  } catch (error) {
    say(controller.signal.aborted ? { kind: 'end' } : { kind: 'failed', fault: toFaultData(error) })
  } finally {
    port.close()
  }
}

async function readAll(
  order: OutcomeOrder,
  say: (news: OutcomeNews) => void,
  signal: AbortSignal,
): Promise<void> {
  const only = order.only === null ? null : new Set(order.only)
  let total = 0
  for (const path of order.paths) {
    for await (const opened of openSources(path, signal, DETECTED)) {
      if (opened.kind === 'skipped' || (only !== null && !only.has(opened.source.name))) continue
      total += await readOne(opened.source, order.choice, say, signal, MAX_ROWS - total)
    }
  }
}

/** Reads one file; gives its rows. In a folder, what holds no outcomes is passed over. */
async function readOne(
  source: Source,
  choice: OutcomeChoice,
  say: (news: OutcomeNews) => void,
  signal: AbortSignal,
  room: number,
): Promise<number> {
  const { reader, title, reason, problem, importer } = await recognised(source, signal)
  const file = { name: source.name, format: reader?.id ?? importer?.id ?? null, formatTitle: title, reason }
  if (reader === null && importer === null) {
    if (source.origin === 'folder') return 0
    const fault: FaultData = {
      code: problem?.code === 'FILE_EMPTY' ? 'FILE_EMPTY' : 'FORMAT_UNKNOWN',
      message: problem?.message ?? `${source.name} holds no outcomes.`,
      hint: 'A table or map of outcomes names a task or trial and says pass or fail: docs/formats.md has the shapes.',
    }
    say({ kind: 'file', file: { ...file, rows: 0, fault }, fields: [] })
    return 0
  }
  let rows: OutcomeRow[] = []
  let problems: OutcomeProblem[] = []
  let fields: readonly OutcomeField[] = []
  let count = 0
  let told = 0
  const flush = (): void => {
    if (rows.length > 0 || problems.length > 0) say({ kind: 'rows', rows, problems })
    rows = []
    problems = []
  }
  const sink: RowSink = {
    row: (row) => {
      count += 1
      if (count > room) return
      rows.push(row)
      if (rows.length >= BATCH) flush()
    },
    problem: (met) => {
      told += 1
      if (told <= MAX_PROBLEMS) problems.push({ ...met, fileName: source.name })
    },
    progress: () => {},
    fields: (met) => (fields = met),
  }
  let fault: FaultData | null = null
  try {
    if (reader !== null) await reader.rows(source, choice, sink, signal)
    else if (importer !== null) await rowsOfTrials(importer, source, sink, signal)
  } catch (error) {
    signal.throwIfAborted()
    fault = toFaultData(error)
  }
  if (count > room)
    problems.push({
      severity: 'error',
      code: 'TOO_LARGE',
      message: `More than ${MAX_ROWS.toLocaleString('en-US')} rows: what is beyond was not read.`,
      fileName: source.name,
    })
  flush()
  say({ kind: 'file', file: { ...file, rows: Math.min(count, room), fault }, fields })
  return Math.min(count, room)
}

type Recognised = {
  readonly reader: OutcomeReader | null
  readonly importer: Importer | null
  readonly title: string | null
  readonly reason: string
  readonly problem: Problem | null
}

async function recognised(source: Source, signal: AbortSignal): Promise<Recognised> {
  const asOutcomes = await detect(source, signal, DETECTED)
  // A file that a person names as outcomes is read as the likeliest kind, also where nobody is sure.
  const likeliest =
    source.origin === 'file' ? asOutcomes.candidates.find(({ confidence }) => confidence > 0) : undefined
  const sure = asOutcomes.importer?.id ?? likeliest?.id
  const reader = OUTCOME_READERS.find(({ id }) => id === sure) ?? null
  // A file of a folder is taken for outcomes only when it is nothing else.
  const asTrials = await detect(source, signal, IMPORTERS)
  const other = asTrials.importer?.isOutcomes === true ? null : asTrials.importer
  if (reader !== null && (other === null || other.id === reader.id))
    return {
      reader,
      importer: null,
      title: reader.title,
      reason: asOutcomes.candidates.find(({ id }) => id === reader.id)?.reason ?? '',
      problem: null,
    }
  const importer = source.origin === 'file' ? other : null
  return {
    reader: null,
    importer,
    title: importer?.title ?? null,
    reason: asTrials.candidates.find(({ id }) => id === importer?.id)?.reason ?? '',
    problem: asOutcomes.problem,
  }
}

/** The outcomes of trials that an importer reads. */
async function rowsOfTrials(
  importer: Importer,
  source: Source,
  sink: RowSink,
  signal: AbortSignal,
): Promise<void> {
  await runImporter(
    importer,
    source,
    {
      trial: (raw) => sink.row(rowOfTrial(raw, source.name)),
      problem: (problem) => sink.problem(problem),
      progress: (progress) => sink.progress(progress),
    },
    signal,
  )
}

function rowOfTrial({ trial, record, line }: RawTrial, file: string): OutcomeRow {
  return {
    suite: trial.suite,
    task: trial.task,
    trial: trial.sourceTrial,
    sourceId: trial.sourceId,
    fileStem: null,
    folder: null,
    outcome: trial.outcome,
    score: trial.score,
    scoreRaw: trial.scoreRaw,
    scores: trial.scores,
    scorer: trial.scorer,
    error: trial.error,
    costUsd: trial.costUsd,
    configuration: {
      label: trial.configuration.label,
      model: trial.configuration.model,
      agent: trial.configuration.agent,
    },
    extra: {},
    written: '',
    place: { file, line, record },
  }
}
