// Import throughput against the least that an import could do: JSON.parse of the same bytes, and one uncompressed blob
// insert per trial into a database of the same settings. On real τ-bench files when they lie beside the repository,
// and always on generated Faultline JSONL.

import Database from 'better-sqlite3'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Measured } from './bench.ts'
import { median, processorTime, timed } from './times.ts'
import { coreOn, writeManyTrials } from './workspace.ts'

const data = resolve(import.meta.dirname, '../../../shared/data')
const ROUNDS = 3

/** Measures every file set. */
export async function measureImport(folder: string): Promise<readonly Measured[]> {
  const real = [
    join(data, 'tau-bench/gpt-4o-airline.json'),
    ...['l0', 'l1', 'l2'].map((level) => join(data, `tau-bench-madhav/retail_tool-calling-${level}-4o.json`)),
  ]
  const made = writeManyTrials(join(folder, 'import.jsonl'), 250, 20)
  const all: Measured[] = []
  if (real.every((file) => existsSync(file)))
    all.push(await measure(folder, 'import, τ-bench files', real, JSON.parse))
  else process.stdout.write(`The τ-bench files are not in ${data}: generated trials only.\n`)
  all.push(await measure(folder, 'import, Faultline JSONL', [made], parseLines))
  return all
}

function parseLines(text: string): unknown {
  return text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
}

async function measure(
  folder: string,
  name: string,
  files: readonly string[],
  parse: (text: string) => unknown,
): Promise<Measured> {
  const values: number[] = []
  const floors: number[] = []
  const processor: number[] = []
  let trials = 0
  const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0)
  for (let round = 0; round < ROUNDS; round += 1) {
    const core = coreOn(folder, 'import')
    const run = async (): Promise<void> => {
      const row = await core.request('imports.run', { files: files.map((path) => ({ path })) })
      trials = row.trialsNew
    }
    processor.push(await processorTime(async () => values.push(await timed(run))))
    await core.close()
    floors.push(await timed(() => floorOf(join(folder, 'floor.db'), files, trials, parse)))
    for (const file of ['import.fault', 'floor.db'])
      for (const end of ['', '-wal', '-shm']) rmSync(join(folder, file + end), { force: true })
  }
  const value = median(values)
  const floor = median(floors)
  return {
    name,
    value,
    unit: 'ms',
    floor,
    floorName: 'JSON.parse and one blob insert per trial',
    ratio: value / floor,
    limit: null,
    holds: null,
    details: {
      trials,
      megabytes: (bytes / 1e6).toFixed(1),
      megabytesPerSecond: (bytes / 1e3 / value).toFixed(1),
      trialsPerSecond: Math.round((trials / value) * 1000),
      processorMs: Math.round(median(processor)),
      rounds: ROUNDS,
    },
  }
}

function floorOf(
  path: string,
  files: readonly string[],
  trials: number,
  parse: (text: string) => unknown,
): void {
  const db = new Database(path)
  db.pragma('journal_mode = WAL')
  db.exec('CREATE TABLE blobs (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT')
  const insert = db.prepare('INSERT INTO blobs (body) VALUES (?)')
  for (const file of files) {
    const bytes = readFileSync(file)
    parse(bytes.toString('utf8'))
    const share = Math.max(1, Math.round(trials / files.length))
    const size = Math.ceil(bytes.length / share)
    db.transaction(() => {
      for (let i = 0; i < share; i += 1) insert.run(bytes.subarray(i * size, (i + 1) * size))
    })()
  }
  db.close()
}
