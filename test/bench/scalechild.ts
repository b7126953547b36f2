// One measurement of scale.ts in a process of its own, so that its memory and processor time are nobody else's: an
// import through a real core, or the floor under it. Takes the order from its first argument as JSON and prints the
// figures as one line of JSON.

import Database from 'better-sqlite3'
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Core } from '../../src/core/core.ts'
import { coreOn } from './workspace.ts'

/** What is to be measured. `cancelAfterMs`: the import is cancelled then, and the wait for its answer measured. */
export type ScaleOrder =
  | {
      readonly kind: 'import'
      readonly folder: string
      readonly name: string
      readonly paths: readonly string[]
      readonly cancelAfterMs: number | null
      /** How long what follows in the background is waited for. */
      readonly patienceMs: number
    }
  | {
      readonly kind: 'floor'
      readonly folder: string
      readonly file: string
      readonly trials: number
      readonly lines: boolean
    }

/** Figures of an import. Times in milliseconds, memory in bytes. */
export type ScaleFigures = {
  readonly wallMs: number
  readonly processorMs: number
  readonly trials: number
  readonly problems: number
  readonly state: string
  readonly rssBefore: number
  readonly rssPeak: number
  /** Longest time without a word of progress while the import ran. */
  readonly progressGapMs: number
  /** Longest time in which the core's loop did not turn, and the 99th percentile. */
  readonly loopWorstMs: number
  readonly loopP99Ms: number
  readonly queryWorstMs: number
  readonly queryP99Ms: number
  readonly queries: number
  /** From the cancel to the answer; null when it was not cancelled. */
  readonly cancelMs: number | null
  /** What follows in the background was waited for, and has ended. */
  readonly isQuiet: boolean
  readonly behindMs: number
  /** Of it: until every comparison is there, and from the first trial in the search index to the last. */
  readonly comparedMs: number
  readonly indexMs: number
  /** Processor time until everything was compared, and from then on. */
  readonly comparedProcessorMs: number
  readonly indexProcessorMs: number
  /** Longest times in which the core's loop did not turn meanwhile: until everything was compared, and after. */
  readonly loopComparedMs: number
  readonly loopIndexMs: number
  /** Of the threads' time that comparisons took: making normal forms. */
  readonly normalMs: number
  /** The slowest of some searches afterwards; null when nothing was waited for. */
  readonly searchMs: number | null
  readonly workspaceBytes: number
  /** What the process has read from files; null where the system does not tell. */
  readonly readBytes: number | null
}

/** Figures of a floor. */
export type FloorFigures = { readonly wallMs: number; readonly processorMs: number }

const QUERY_EVERY_MS = 250
const TURN_MS = 5
const MEMORY_EVERY_MS = 20
const BEHIND_EVERY_MS = 100

const processor = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function bytesRead(): number | null {
  const file = '/proc/self/io'
  if (!existsSync(file)) return null
  return Number(/^rchar: (\d+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? Number.NaN)
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

function largest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), 0)
}

/** Waits for what follows an import, at most `patienceMs`: comparisons and search index, each with its own time. */
async function behindImport(
  core: Core,
  db: Database.Database,
  patienceMs: number,
  gaps: number[],
): Promise<
  Pick<
    ScaleFigures,
    | 'isQuiet'
    | 'behindMs'
    | 'comparedMs'
    | 'indexMs'
    | 'comparedProcessorMs'
    | 'indexProcessorMs'
    | 'loopComparedMs'
    | 'loopIndexMs'
  >
> {
  const state = db.prepare<[], { n: number; indexed: number }>(
    'SELECT (SELECT count(*) FROM trials) AS n, (SELECT count(*) FROM indexed_trials) AS indexed',
  )
  const started = performance.now()
  const since = (): number => performance.now() - started
  let compared: number | null = null
  let loopComparedMs = 0
  const processorFrom = processor()
  let processorCompared: number | null = null
  let indexFrom: number | null = null
  let indexTo: number | null = null
  while ((compared === null || indexTo === null) && since() < patienceMs) {
    const looked = since()
    await new Promise((resolve) => setTimeout(resolve, BEHIND_EVERY_MS))
    const { n, indexed } = state.get() ?? { n: 0, indexed: 0 }
    if (indexed > 0) indexFrom ??= looked
    if (indexed === n) indexTo ??= since()
    if (compared !== null) continue
    const { rows } = await core.request('tasks.list', { limit: 1000 })
    if (rows.some((row) => row.lead.state === 'pending')) continue
    compared = since()
    loopComparedMs = largest(gaps.splice(0))
    processorCompared = processor()
  }
  return {
    isQuiet: compared !== null && indexTo !== null,
    behindMs: since(),
    comparedMs: compared ?? since(),
    comparedProcessorMs: (processorCompared ?? processor()) - processorFrom,
    indexProcessorMs: processor() - (processorCompared ?? processor()),
    loopComparedMs,
    loopIndexMs: largest(gaps),
    indexMs: (indexTo ?? since()) - (indexFrom ?? since()),
  }
}

/** A phrase of frequent words, a piece of a word, and what is nowhere; each of all trials, in milliseconds. */
async function slowestSearch(core: Core): Promise<number> {
  let slowest = 0
  for (const text of ['payment method has not', 'agg', 'not in any trial of this', 'ValueError']) {
    const asked = performance.now()
    await core.request('search.steps', { view: {}, text, waitMs: 30_000, limit: 20 })
    slowest = Math.max(slowest, performance.now() - asked)
  }
  return slowest
}

async function importing(order: ScaleOrder & { readonly kind: 'import' }): Promise<ScaleFigures> {
  let normalMs = 0
  const core = coreOn(order.folder, order.name, (event) => {
    if (event.type === 'log') normalMs += Number(/normal forms took (\d+) ms/.exec(event.message)?.[1] ?? 0)
  })
  await core.request('tasks.list', {})
  globalThis.gc?.()
  const rssBefore = process.memoryUsage.rss()
  let rssPeak = rssBefore
  let isOn = true
  const gaps: number[] = []
  const queries: number[] = []
  let turned = performance.now()
  const turns = setInterval(() => {
    const now = performance.now()
    gaps.push(Math.max(0, now - turned - TURN_MS))
    turned = now
  }, TURN_MS)
  const memory = setInterval(() => {
    rssPeak = Math.max(rssPeak, process.memoryUsage.rss())
  }, MEMORY_EVERY_MS)
  const asking = (async () => {
    while (isOn) {
      const asked = performance.now()
      await core.request('tasks.list', {})
      queries.push(performance.now() - asked)
      await new Promise((resolve) => setTimeout(resolve, QUERY_EVERY_MS))
    }
  })()
  const cancel = new AbortController()
  let cancelled = 0
  const timer =
    order.cancelAfterMs === null
      ? undefined
      : setTimeout(() => {
          cancelled = performance.now()
          cancel.abort()
        }, order.cancelAfterMs)
  const readBefore = bytesRead()
  const started = performance.now()
  const processorBefore = processor()
  let said = started
  let progressGapMs = 0
  const row = await core.request(
    'imports.run',
    { files: order.paths.map((path) => ({ path })) },
    {
      signal: cancel.signal,
      progress: () => {
        const now = performance.now()
        progressGapMs = Math.max(progressGapMs, now - said)
        said = now
      },
    },
  )
  const ended = performance.now()
  const processorMs = processor() - processorBefore
  const readAfter = bytesRead()
  clearTimeout(timer)
  isOn = false
  await asking
  clearInterval(memory)
  const importGaps = gaps.splice(0)
  const db = new Database(core.info().path, { readonly: true })
  const quiet = await behindImport(core, db, order.cancelAfterMs === null ? order.patienceMs : 0, gaps)
  clearInterval(turns)
  const searchMs = quiet.isQuiet ? await slowestSearch(core) : null
  const workspaceBytes =
    db
      .prepare<[], { bytes: number }>(
        'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
      )
      .get()?.bytes ?? 0
  const stored = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM raw_blobs').get()?.n ?? 0
  db.close()
  await core.close()
  if (stored !== row.trialsNew) throw new Error(`${stored} trials are stored, ${row.trialsNew} were told`)
  return {
    wallMs: ended - started,
    processorMs,
    trials: row.trialsNew,
    problems: row.files.reduce((sum, file) => sum + file.problems, 0),
    state: row.state,
    rssBefore,
    rssPeak,
    progressGapMs,
    loopWorstMs: largest(importGaps),
    loopP99Ms: percentile(importGaps, 0.99),
    queryWorstMs: Math.max(...queries),
    queryP99Ms: percentile(queries, 0.99),
    queries: queries.length,
    cancelMs: order.cancelAfterMs === null ? null : ended - cancelled,
    ...quiet,
    normalMs,
    searchMs,
    workspaceBytes,
    readBytes: readAfter === null || readBefore === null ? null : readAfter - readBefore,
  }
}

/** JSON.parse of every line (or of pieces of a list as long as its rows), and one uncompressed blob per trial. */
function floor(order: ScaleOrder & { readonly kind: 'floor' }): FloorFigures {
  const started = performance.now()
  const processorBefore = processor()
  const db = new Database(join(order.folder, 'floor.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec('CREATE TABLE blobs (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT')
  const insert = db.prepare('INSERT INTO blobs (body) VALUES (?)')
  const write = db.transaction((bodies: readonly Buffer[]) => {
    for (const body of bodies) insert.run(body)
  })
  const file = openSync(order.file, 'r')
  let rest = Buffer.alloc(0)
  let rows = 0
  const separator = order.lines ? '\n' : ', {"task_id"'
  for (;;) {
    const chunk = Buffer.allocUnsafe(16 * 1024 * 1024)
    const length = readSync(file, chunk)
    const bytes = Buffer.concat([rest, chunk.subarray(0, length)])
    const bodies: Buffer[] = []
    let at = 0
    for (;;) {
      const end = bytes.indexOf(separator, at)
      if (end < 0 && length > 0) break
      const body = bytes.subarray(at, end < 0 ? bytes.length : end)
      const text = body.toString('utf8').trim()
      const bare = order.lines ? text : text.replace(/^\[/, '').replace(/\]$/, '')
      if (bare !== '') {
        JSON.parse(bare)
        bodies.push(body)
      }
      if (end < 0) break
      at = end + (order.lines ? 1 : 2)
    }
    write(bodies)
    rows += bodies.length
    if (length === 0) break
    rest = Buffer.from(bytes.subarray(at))
  }
  closeSync(file)
  db.close()
  if (rows < order.trials) throw new Error(`The floor met ${rows} records instead of ${order.trials}`)
  return { wallMs: performance.now() - started, processorMs: processor() - processorBefore }
}

const order = JSON.parse(process.argv[2] ?? '{}') as ScaleOrder
const figures = order.kind === 'import' ? await importing(order) : floor(order)
process.stdout.write(`${JSON.stringify(figures)}\n`)
