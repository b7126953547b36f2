// The task table on 10,000 trials: a page of rows with the whole summary, right after something was written (nothing
// kept in memory) and again. The floor is reading the trial table's columns once with SQLite and doing nothing.

import Database from 'better-sqlite3'
import { join } from 'node:path'
import type { Measured } from './bench.ts'
import { median, processorTime, timed } from './times.ts'
import { coreOn, writeManyTrials } from './workspace.ts'

const TASKS = 500
const TRIALS = 20
const ROUNDS = 15
const LIMIT_MS = 50

/** Imports once, then measures. */
export async function measureTable(folder: string): Promise<readonly Measured[]> {
  const core = coreOn(folder, 'table')
  try {
    const path = writeManyTrials(join(folder, 'table.jsonl'), TASKS, TRIALS)
    await core.request('imports.run', { files: [{ path }] })
    await untilAnalysed(core)
    const ask = (): Promise<unknown> => core.request('tasks.list', {})
    const { rows } = await core.request('tasks.list', {})
    const view = await core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
    const trialId = view.trials[0]?.trialId ?? ''
    const cold: number[] = []
    const warm: number[] = []
    const processor: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      // A write makes everything that is kept in memory stale, as an annotation in the window does.
      await core.request('annotations.save', { trialId, revision: round, draft: draft(`${round}`) })
      processor.push(await processorTime(async () => cold.push(await timed(ask))))
      warm.push(await timed(ask))
    }
    const floors: number[] = []
    const db = new Database(core.info().path, { readonly: true })
    const select = db.prepare('SELECT * FROM trials')
    for (let round = 0; round < ROUNDS; round += 1) floors.push(await timed(() => select.raw().all()))
    db.close()
    const floor = median(floors)
    const value = median(cold)
    return [
      {
        name: `task table, ${(TASKS * TRIALS).toLocaleString('en-US')} trials`,
        value,
        unit: 'ms',
        floor,
        floorName: 'reading the trial rows once',
        ratio: value / floor,
        limit: `≤ ${LIMIT_MS} ms`,
        holds: value <= LIMIT_MS,
        details: {
          tasks: TASKS,
          bestMs: Math.min(...cold).toFixed(1),
          worstMs: Math.max(...cold).toFixed(1),
          processorMs: median(processor).toFixed(1),
          askedAgainMs: median(warm).toFixed(1),
          rounds: ROUNDS,
        },
      },
    ]
  } finally {
    await core.close()
  }
}

function draft(note: string): {
  causes: string[]
  severity: 'none'
  verdict: null
  verdictColumn: null
  evidence: []
  note: string
  confidence: null
} {
  return {
    causes: [],
    severity: 'none',
    verdict: null,
    verdictColumn: null,
    evidence: [],
    note,
    confidence: null,
  }
}

/** Waits until no analysis works beside the measurement. */
async function untilAnalysed(core: ReturnType<typeof coreOn>): Promise<void> {
  for (;;) {
    const { rows } = await core.request('tasks.list', { limit: 1000 })
    if (rows.every((row) => row.lead.state !== 'pending')) return
    await new Promise((done) => setTimeout(done, 100))
  }
}
