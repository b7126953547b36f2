// Rules over 10,000 trials: judging all of them by three severity rules in the worker threads, and the task table with
// judgements, events and tool rules in force. The floor of judging is unpacking and parsing the same trials once.

import Database from 'better-sqlite3'
import { join } from 'node:path'
import { EMPTY_DRAFT, type AnnotationDraft } from '../../src/model/annotation.ts'
import type { RuleInput } from '../../src/model/rules.ts'
import { unpackJson } from '../../src/core/store/blobs.ts'
import type { Measured } from './bench.ts'
import { median, processorTime, timed } from './times.ts'
import { coreOn, writeManyTrials } from './workspace.ts'

const TASKS = 500
const TRIALS = 20
const ROUNDS = 15
const LIMIT_MS = 50
const LEARNED_MS = 30

const RULES: readonly RuleInput[] = [
  {
    kind: 'must-happen-before',
    event: 'unchecked',
    check: 'check',
    write: 'write',
    match: [{ check: 'arguments.number', write: 'arguments.number' }],
  },
  { kind: 'duplicate', event: 'twice', tool: 'write' },
  {
    kind: 'must-not',
    event: 'large',
    tool: 'write',
    amount: { path: 'arguments.number', allowed: 400 },
    cost: 'paid - allowed',
  },
]

/** Imports once, adds rules, then measures. */
export async function measureRules(folder: string): Promise<readonly Measured[]> {
  const core = coreOn(folder, 'rules')
  try {
    const path = writeManyTrials(join(folder, 'rules.jsonl'), TASKS, TRIALS)
    await core.request('imports.run', { files: [{ path }] })
    await untilQuiet(core)
    let judging = 0
    const judgingProcessor = await processorTime(async () => {
      judging = await timed(async () => {
        for (const draft of RULES) await core.request('rules.save', { draft })
        await core.request('rules.apply', {})
      })
    })
    const list = await core.request('rules.list', {})
    if (list.waitingTrials > 0 || list.rows.some(({ effect }) => effect.is !== 'events' || effect.trials < 0))
      throw new Error('Not every trial was judged')
    await core.request('rules.save', { draft: { kind: 'outcome', scorer: 'none', value: 1 } })
    await core.request('rules.save', { draft: { kind: 'tool-class', tool: 'find', class: 'check' } })
    await core.request('rules.apply', {})
    await untilQuiet(core)
    const { rows } = await core.request('tasks.list', {})
    const view = await core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
    const trialId = view.trials[0]?.trialId ?? ''
    const cold: number[] = []
    const listing: number[] = []
    const processor: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      await core.request('annotations.save', { trialId, revision: round, draft: draft(`${round}`) })
      processor.push(
        await processorTime(async () => cold.push(await timed(() => core.request('tasks.list', {})))),
      )
      listing.push(await timed(() => core.request('rules.list', {})))
    }
    const tried = await timed(() => core.request('rules.test', { draft: RULES[1] ?? null }))
    const learning = (): Promise<unknown> => core.request('rules.learned', { suite: 'bench' })
    const learned = await timed(learning)
    const again: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) again.push(await timed(learning))
    const floor = await unpackingAll(core.info().path)
    const value = median(cold)
    const count = (TASKS * TRIALS).toLocaleString('en-US')
    return [
      {
        name: `judging ${count} trials by ${RULES.length} severity rules`,
        value: judging,
        unit: 'ms',
        floor,
        floorName: 'unpacking and parsing them once',
        ratio: judging / floor,
        limit: null,
        holds: null,
        details: {
          events: list.rows.map(({ effect }) => (effect.is === 'events' ? effect.events : 0)).join('/'),
          processorMs: judgingProcessor.toFixed(0),
          tryingOneMs: tried.toFixed(0),
          listMs: median(listing).toFixed(1),
        },
      },
      {
        name: `task table, ${count} trials, rules in force`,
        value,
        unit: 'ms',
        floor: null,
        floorName: null,
        ratio: null,
        limit: `≤ ${LIMIT_MS} ms`,
        holds: value <= LIMIT_MS,
        details: {
          bestMs: Math.min(...cold).toFixed(1),
          worstMs: Math.max(...cold).toFixed(1),
          processorMs: median(processor).toFixed(1),
          rounds: ROUNDS,
        },
      },
      {
        name: `what was learned of ${count} trials, asked again`,
        value: median(again),
        unit: 'ms',
        floor: null,
        floorName: null,
        ratio: null,
        limit: `≤ ${LEARNED_MS} ms`,
        holds: median(again) <= LEARNED_MS,
        details: { firstMs: learned.toFixed(0), worstMs: Math.max(...again).toFixed(1), rounds: ROUNDS },
      },
    ]
  } finally {
    await core.close()
  }
}

/** Milliseconds to read, unpack and parse every trial's steps. */
async function unpackingAll(path: string): Promise<number> {
  const db = new Database(path, { readonly: true })
  const blobs = db.prepare<[], { bytes: number; body: Uint8Array }>('SELECT bytes, body FROM trial_blobs')
  const ms = await timed(() => {
    for (const packed of blobs.iterate()) unpackJson(packed)
  })
  db.close()
  return ms
}

function draft(note: string): AnnotationDraft {
  return { ...EMPTY_DRAFT, note }
}

/** Waits until no analysis works beside the measurement. */
async function untilQuiet(core: ReturnType<typeof coreOn>): Promise<void> {
  for (;;) {
    const { rows } = await core.request('tasks.list', { limit: 1000 })
    if (rows.every((row) => row.lead.state !== 'pending')) return
    await new Promise((done) => setTimeout(done, 100))
  }
}
