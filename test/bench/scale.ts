// `npm run bench -- --scale`: imports of files that do not fit into memory, against a floor measured in the same run on
// the same bytes (JSON.parse, and one uncompressed blob insert per trial). `--scale=0.1` takes a tenth of everything.
// Writes several gigabytes to the temporary folder, deletes them, and says so when there is no room.

import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { threadsByDefault } from '../../src/core/pool.ts'
import type { Measured } from './bench.ts'
import { builtProgram } from './built.ts'
import type { FloorFigures, ScaleFigures, ScaleOrder } from './scalechild.ts'
import { writeScaleJsonl, writeScaleList, writeScaleZip } from './scalefiles.ts'

const TRIALS = 20_000
const TRIAL_BYTES = 136_000
const LIST_BYTES = 700 * 1024 * 1024
const SMALL_TRIALS = 5000
const SMALL_BYTES = 1200
const SMALL_TASKS = 1000
const ZIP_TRIALS = 2000
const BALLAST = 20
const BALLAST_BYTES = 16 * 1024 * 1024
/** Of the floor's throughput. */
const LEAST_SHARE = 0.6
const MOST_MEMORY = 500e6
const MOST_QUERY_MS = 100
const MOST_CANCEL_MS = 1000
const MOST_SILENCE_MS = 200
/** What follows an import, in its own time. */
const MOST_BEHIND = 2
const CANCEL_AFTER_MS = 3000
const TURN_MS = 5

/** What this idle process waited for its own turn meanwhile: the machine's share in every latency. */
type Neighbour = { readonly idleWorstMs: number }

/** Measures everything; `share` of the full sizes. */
export async function measureScale(folder: string, share: number): Promise<readonly Measured[]> {
  const trials = Math.max(50, Math.round(TRIALS * share))
  const needed = trials * TRIAL_BYTES * 4
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < needed) {
    process.stderr.write(`Scale needs ${(needed / 1e9).toFixed(0)} GB free in ${folder}: not measured.\n`)
    return []
  }
  const all: Measured[] = []
  const within = async (name: string, work: (path: string) => Promise<Measured>): Promise<void> => {
    const own = join(folder, name)
    mkdirSync(own)
    try {
      all.push(await work(own))
    } finally {
      rmSync(own, { recursive: true, force: true, maxRetries: 5 })
    }
  }
  await within('jsonl', async (own) => {
    const file = join(own, 'large.jsonl')
    const bytes = writeScaleJsonl(file, trials, TRIAL_BYTES)
    const floor = await run<FloorFigures>({ kind: 'floor', folder: own, file, trials, lines: true })
    rmSync(join(own, 'floor.db'), { force: true })
    const { figures, idleWorstMs } = await importOf(own, 'whole', file, 6)
    const cancelled = await run<ScaleFigures>({
      kind: 'import',
      folder: own,
      name: 'cancelled',
      paths: [file],
      cancelAfterMs: Math.min(CANCEL_AFTER_MS, figures.wallMs / 3),
      patienceMs: 0,
    })
    if (cancelled.state !== 'cancelled') throw new Error(`A cancelled import says ${cancelled.state}`)
    return scaled('Faultline JSONL', { bytes, trials, floor, figures, idleWorstMs, cancelled })
  })
  await within('list', async (own) => {
    const file = join(own, 'list.json')
    const bytes = Math.round(LIST_BYTES * Math.min(1, share * 10))
    const rows = writeScaleList(file, bytes)
    const floor = await run<FloorFigures>({ kind: 'floor', folder: own, file, trials: rows, lines: false })
    rmSync(join(own, 'floor.db'), { force: true })
    const { figures, idleWorstMs } = await importOf(own, 'list', file, 0)
    return scaled('one JSON list', { bytes, trials: rows, floor, figures, idleWorstMs, cancelled: null })
  })
  await within('small', async (own) => {
    const file = join(own, 'small.jsonl')
    const bytes = writeScaleJsonl(file, SMALL_TRIALS, SMALL_BYTES, SMALL_TASKS)
    const floor = await run<FloorFigures>({
      kind: 'floor',
      folder: own,
      file,
      trials: SMALL_TRIALS,
      lines: true,
    })
    const { figures, idleWorstMs } = await importOf(own, 'small', file, 0)
    return scaled('small trials', {
      bytes,
      trials: SMALL_TRIALS,
      floor,
      figures,
      idleWorstMs,
      cancelled: null,
    })
  })
  await within('zip', async (own) => {
    const bare = join(own, 'bare.zip')
    writeScaleZip(bare, ZIP_TRIALS, 0, 0)
    const without = (await importOf(own, 'bare', bare, 0)).figures
    const file = join(own, 'samples.zip')
    writeScaleZip(file, ZIP_TRIALS, BALLAST, BALLAST_BYTES)
    const { figures } = await importOf(own, 'zip', file, 0)
    const more =
      figures.readBytes === null || without.readBytes === null ? null : figures.readBytes - without.readBytes
    if (figures.trials !== ZIP_TRIALS) throw new Error(`${figures.trials} of ${ZIP_TRIALS} samples were read`)
    const unwanted = BALLAST * BALLAST_BYTES
    return {
      name: `import, a zip of ${ZIP_TRIALS} samples beside ${(unwanted / 1e6).toFixed(0)} MB of others`,
      value: figures.wallMs,
      unit: 'ms',
      floor: null,
      floorName: null,
      ratio: null,
      limit: more === null ? null : 'reads less than a tenth of the other members',
      holds: more === null ? null : more < unwanted / 10,
      details: {
        readOfOthersMB: more === null ? 'unknown' : (more / 1e6).toFixed(1),
        withoutOthersMs: Math.round(without.wallMs),
        processorMs: Math.round(figures.processorMs),
        memoryMB: ((figures.rssPeak - figures.rssBefore) / 1e6).toFixed(0),
      },
    }
  })
  return all
}

async function importOf(
  folder: string,
  name: string,
  file: string,
  patience: number,
): Promise<{ readonly figures: ScaleFigures } & Neighbour> {
  let idleWorstMs = 0
  let turned = performance.now()
  const turns = setInterval(() => {
    const now = performance.now()
    idleWorstMs = Math.max(idleWorstMs, now - turned - TURN_MS)
    turned = now
  }, TURN_MS)
  try {
    const figures = await run<ScaleFigures>({
      kind: 'import',
      folder,
      name,
      paths: [file],
      cancelAfterMs: null,
      patienceMs: patience * 60_000,
    })
    return { figures, idleWorstMs }
  } finally {
    clearInterval(turns)
  }
}

function scaled(
  what: string,
  of: {
    readonly bytes: number
    readonly trials: number
    readonly floor: FloorFigures
    readonly figures: ScaleFigures
    readonly cancelled: ScaleFigures | null
  } & Neighbour,
): Measured {
  const { bytes, trials, floor, figures, cancelled } = of
  if (figures.trials !== trials || figures.problems > 0)
    throw new Error(`${what}: ${figures.trials} of ${trials} trials, ${figures.problems} problems`)
  const memory = figures.rssPeak - figures.rssBefore
  const share = floor.wallMs / figures.wallMs
  const preparedMs = figures.normalMs / threadsByDefault() + figures.indexMs
  const holds = {
    throughput: share >= LEAST_SHARE,
    memory: memory < MOST_MEMORY,
    progress: figures.progressGapMs <= MOST_SILENCE_MS,
    queries: figures.queryWorstMs <= MOST_QUERY_MS,
    loop: figures.loopWorstMs <= MOST_QUERY_MS,
    cancel: cancelled === null || (cancelled.cancelMs ?? Infinity) <= MOST_CANCEL_MS,
    behind: cancelled === null || (figures.isQuiet && preparedMs <= MOST_BEHIND * figures.wallMs),
    loopBehind: cancelled === null || Math.max(figures.loopComparedMs, figures.loopIndexMs) <= MOST_QUERY_MS,
  }
  const not = Object.entries(holds).flatMap(([name, isHeld]) => (isHeld ? [] : [name]))
  return {
    name: `import, ${what}, ${trials.toLocaleString('en-US')} trials, ${(bytes / 1e6).toFixed(0)} MB`,
    value: figures.wallMs,
    unit: 'ms',
    floor: floor.wallMs,
    floorName: 'JSON.parse and one blob insert per trial',
    ratio: figures.wallMs / floor.wallMs,
    limit:
      '≥ 60 % of the floor, memory < 500 MB, a word every 200 ms, queries and loop ≤ 100 ms, cancel ≤ 1 s, normal forms and search index ≤ twice the import',
    holds: not.length === 0,
    details: {
      ...(not.length === 0 ? {} : { notHeld: not.join('+') }),
      shareOfFloor: `${(share * 100).toFixed(0)} %`,
      processorMs: Math.round(figures.processorMs),
      floorProcessorMs: Math.round(floor.processorMs),
      processorRatio: (figures.processorMs / floor.processorMs).toFixed(2),
      processorMsPerTrial: (figures.processorMs / trials).toFixed(3),
      memoryMB: (memory / 1e6).toFixed(0),
      progressGapMs: Math.round(figures.progressGapMs),
      loopWorstMs: Math.round(figures.loopWorstMs),
      loopP99Ms: Math.round(figures.loopP99Ms),
      queryWorstMs: Math.round(figures.queryWorstMs),
      queryP99Ms: Math.round(figures.queryP99Ms),
      queries: figures.queries,
      idleNeighbourWorstMs: Math.round(of.idleWorstMs),
      ...(cancelled === null ? {} : { cancelMs: Math.round(cancelled.cancelMs ?? -1) }),
      ...(cancelled === null
        ? {}
        : {
            behindMs: `${Math.round(figures.behindMs)}${figures.isQuiet ? '' : ' (not finished)'}`,
            normalMs: `${Math.round(figures.normalMs)} on ${threadsByDefault()} threads (with the index ${(preparedMs / figures.wallMs).toFixed(2)} of the import)`,
            compareMs: `${Math.round(figures.comparedMs)} (${(figures.comparedMs / figures.wallMs).toFixed(2)} of the import)`,
            searchIndexMs: `${Math.round(figures.indexMs)} (${(figures.indexMs / figures.wallMs).toFixed(2)} of the import)`,
            compareProcessorMs: Math.round(figures.comparedProcessorMs),
            searchIndexProcessorMs: Math.round(figures.indexProcessorMs),
            loopComparedMs: Math.round(figures.loopComparedMs),
            loopIndexMs: Math.round(figures.loopIndexMs),
            searchMs: Math.round(figures.searchMs ?? -1),
          }),
      workspaceMB: (figures.workspaceBytes / 1e6).toFixed(0),
    },
  }
}

let built: Promise<string> | null = null

/** Runs one measurement in a process of its own, with the program as it is shipped. */
async function run<Figures>(order: ScaleOrder): Promise<Figures> {
  const program = await (built ??= builtProgram('scalechild'))
  return new Promise((resolve, reject) => {
    const args = ['--no-warnings', '--expose-gc', program, JSON.stringify(order)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const parts: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(Buffer.concat(parts).toString('utf8')) as Figures)
      else reject(new Error(`The measurement of ${order.kind} ended with code ${code}`))
    })
  })
}
