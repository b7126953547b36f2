// What the rules say of trials: effective outcomes and events, beside the imported ones. Derived, but never shown as if
// current when it is not: each row carries the hash of the rules that were applied. Written in batches by
// services/judging.ts.

import { createHash } from 'node:crypto'
import type { Json } from '../../base/json.ts'
import type { Judgement, TrialToJudge } from '../../analysis/rules/judge.ts'
import type { Outcome } from '../../model/outcome.ts'
import { draftOf, judgesTrials, rulesOfSuite, type Rule } from '../../model/rules.ts'
import type { SevereEvent, TrialError } from '../../model/trial.ts'
import type { Packed } from './blobs.ts'
import type { ReadableDb, WritableDb } from './connection.ts'

/** The outcome in force, in a query over `trials`. */
export const OUTCOME = `coalesce((SELECT judgements.outcome FROM judgements WHERE trial_seq = trials.seq), trials.outcome)`

/** Severe events, imported and found by rules, in a query over `trials`. */
export const SEVERE = `trials.severe_count + coalesce((SELECT severe FROM judgements WHERE trial_seq = trials.seq), 0)`

/** The rules that judge trials of a suite, in the order in which they are asked. */
export function trialRules(rules: readonly Rule[], suite: string): readonly Rule[] {
  return rulesOfSuite(rules.filter(judgesTrials), suite)
}

/** Names what trial rules do; notes do not count. Empty without rules. */
export function trialRulesHash(rules: readonly Rule[]): string {
  if (rules.length === 0) return ''
  const bodies = rules.map((rule) => ({ id: rule.id, ...draftOf(rule), note: '', suite: null }))
  return createHash('sha256').update(JSON.stringify(bodies)).digest('hex').slice(0, 24)
}

/** A trial that waits to be judged; `body` is loaded when it is needed. */
export type Waiting = { readonly seq: number; readonly suite: string }

/** Suites that have a trial. */
export function suitesOf(db: ReadableDb): readonly string[] {
  return db.rows<[string]>('SELECT DISTINCT suite FROM tasks ORDER BY suite').map(([suite]) => suite)
}

/** Living trials that were judged by other rules than `hashes` (suite → hash, '' without rules), by arrival. */
export function waitingTrials(db: ReadableDb, hashes: ReadonlyMap<string, string>): readonly Waiting[] {
  const isIdle = [...hashes.values()].every((hash) => hash === '')
  if (isIdle && db.value<number>('SELECT NOT EXISTS (SELECT 1 FROM judgements)') === 1) return []
  return db
    .rows<[number, string, string]>(
      `SELECT trials.seq, tasks.suite,
         coalesce((SELECT rules_hash FROM judgements WHERE trial_seq = trials.seq), '')
       FROM trials JOIN tasks ON tasks.id = trials.task_id WHERE deleted_at IS NULL`,
    )
    .flatMap(([seq, suite, hash]) => (hash === (hashes.get(suite) ?? '') ? [] : [{ seq, suite }]))
    .sort((a, b) => a.seq - b.seq)
}

/** Living trials of suites (null: of every suite), by arrival: what a rule is tried on. */
export function livingTrials(db: ReadableDb, suite: string | null): readonly Waiting[] {
  return db
    .rows<[number, string]>(
      `SELECT trials.seq, tasks.suite FROM trials JOIN tasks ON tasks.id = trials.task_id
       WHERE deleted_at IS NULL AND is_conflict = 0 AND (?1 IS NULL OR tasks.suite = ?1) ORDER BY trials.seq`,
      suite,
    )
    .map(([seq, suite]) => ({ seq, suite }))
}

/** A trial as it travels to the thread that judges it. */
export type PackedForJudging = {
  readonly seq: number
  readonly trialId: string
  readonly taskId: string
  readonly suite: string
  readonly head: Omit<TrialToJudge, 'steps' | 'extra'>
  /** Null when the rules can do without. */
  readonly body: Packed | null
}

type HeadRow = {
  readonly seq: number
  readonly trialId: string
  readonly taskId: string
  readonly suite: string
  readonly outcome: Outcome
  readonly score: number | null
  readonly scorer: string | null
  readonly scores: string
  readonly scoreRaw: string
  readonly termination: string | null
  readonly error: string | null
  readonly severeEvents: string
  readonly tools: string
}

/** Loads trials to be judged; `needsBody` says by suite and tools called whether their steps are needed. */
export function trialsToJudge(
  db: ReadableDb,
  seqs: readonly number[],
  needsBody: (suite: string, tools: readonly string[]) => boolean,
): readonly PackedForJudging[] {
  const rows = db.all<HeadRow>(
    `SELECT trials.seq AS seq, trials.id AS trialId, task_id AS taskId, suite, outcome, score, scorer, scores,
       score_raw AS scoreRaw, termination, error, severe_events AS severeEvents, tools
     FROM trials JOIN tasks ON tasks.id = task_id WHERE trials.seq IN (SELECT value FROM json_each(?))
     ORDER BY trials.seq`,
    JSON.stringify(seqs),
  )
  return rows.map((row) => {
    const tools = toolsCalled(row.tools)
    const body = needsBody(row.suite, tools)
      ? db.get<Packed>('SELECT bytes, body FROM trial_blobs WHERE trial_seq = ?', row.seq)
      : undefined
    return {
      seq: row.seq,
      trialId: row.trialId,
      taskId: row.taskId,
      suite: row.suite,
      head: {
        outcome: row.outcome,
        score: row.score,
        scorer: row.scorer,
        scores: JSON.parse(row.scores) as TrialToJudge['scores'],
        scoreRaw: JSON.parse(row.scoreRaw) as Json,
        termination: row.termination,
        error: row.error === null ? null : (JSON.parse(row.error) as TrialError),
        severeErrors: JSON.parse(row.severeEvents) as SevereEvent[],
      },
      body: body ?? null,
    }
  })
}

/** A row keeps a hundred tool names: a full one may lack some. */
const TOOLS_KEPT = 100

function toolsCalled(json: string): readonly string[] {
  const tools = JSON.parse(json) as string[]
  return tools.length >= TOOLS_KEPT ? [...tools, '*'] : tools
}

/** A judgement to be written. */
export type JudgementToWrite = {
  readonly seq: number
  readonly rulesHash: string
  readonly judgement: Judgement
}

/**
 * Writes what the rules say of some trials, in one transaction. Gives the tasks whose outcomes changed. Not durable: it
 * can be computed again, and is stale until it is.
 */
export function writeJudgements(
  db: WritableDb,
  judgements: readonly JudgementToWrite[],
): { readonly taskIds: readonly string[] } {
  return db.write(() => {
    const changed = new Set<string>()
    for (const { seq, rulesHash, judgement } of judgements) {
      const before = db.get<{ taskId: string; outcome: Outcome; severe: number }>(
        `SELECT task_id AS taskId, ${OUTCOME} AS outcome, ${SEVERE} AS severe FROM trials WHERE seq = ?`,
        seq,
      )
      // Erased meanwhile.
      if (before === undefined) continue
      db.run('DELETE FROM rule_events WHERE trial_seq = ?', seq)
      if (rulesHash === '') db.run('DELETE FROM judgements WHERE trial_seq = ?', seq)
      else {
        const { outcome } = judgement
        db.run(
          'INSERT OR REPLACE INTO judgements VALUES (?, ?, ?, ?, ?, ?)',
          seq,
          rulesHash,
          outcome?.outcome ?? null,
          outcome?.why ?? null,
          outcome?.ruleId ?? null,
          judgement.severe,
        )
      }
      judgement.events.forEach((event, position) =>
        db.run(
          'INSERT INTO rule_events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
          seq,
          event.ruleId,
          position,
          event.step,
          event.call,
          event.kind,
          event.severity,
          event.note,
          event.costUsd,
        ),
      )
      const after = db.value<Outcome>(`SELECT ${OUTCOME} FROM trials WHERE seq = ?`, seq)
      if (after !== before.outcome) changed.add(before.taskId)
    }
    return { taskIds: [...changed] }
  })
}

/** What the rules say of one trial, as a task's list of trials shows it. */
export type TrialRuling = {
  readonly imported: Outcome
  readonly why: string | null
  readonly ruleId: string | null
  readonly events: readonly SevereEvent[]
}

/** What the rules say of the trials of a task that have something: trial id → ruling. */
export function rulingsOfTask(db: ReadableDb, taskId: string): ReadonlyMap<string, TrialRuling> {
  const rulings = new Map<string, TrialRuling & { events: SevereEvent[] }>()
  const rows = db.rows<[string, Outcome, string | null, string | null]>(
    `SELECT trials.id, trials.outcome, why, rule_id FROM trials JOIN judgements ON trial_seq = trials.seq
     WHERE task_id = ?`,
    taskId,
  )
  for (const [trialId, imported, why, ruleId] of rows)
    rulings.set(trialId, { imported, why, ruleId, events: [] })
  const events = db.all<SevereEvent & { trialId: string }>(
    `SELECT trials.id AS trialId, rule_id AS ruleId, step, call, kind, severity, note, rule_events.cost_usd AS costUsd
     FROM rule_events JOIN trials ON trials.seq = trial_seq WHERE task_id = ? ORDER BY trials.seq, step, position`,
    taskId,
  )
  for (const { trialId, ...event } of events) rulings.get(trialId)?.events.push(event)
  return rulings
}

/** What one rule has found among counted trials. */
export type RuleEffect = {
  readonly events: number
  readonly trials: number
  readonly tasks: number
  /** Sum over the events whose cost is known; null when none is. */
  readonly costUsd: number | null
}

/** What severity rules have found: rule id → effect. */
export function eventEffects(db: ReadableDb): ReadonlyMap<string, RuleEffect> {
  const rows = db.rows<[string, number, number, number, number | null]>(
    `SELECT rule_id, count(*), count(DISTINCT trial_seq), count(DISTINCT task_id), sum(rule_events.cost_usd)
     FROM rule_events JOIN trials ON trials.seq = trial_seq
     WHERE deleted_at IS NULL AND is_conflict = 0 GROUP BY rule_id`,
  )
  return new Map(rows.map(([id, events, trials, tasks, costUsd]) => [id, { events, trials, tasks, costUsd }]))
}

/** Trials to which outcome rules gave an outcome, and how many of them had another one: rule id → counts. */
export function outcomeEffects(
  db: ReadableDb,
): ReadonlyMap<string, { readonly trials: number; readonly changed: number; readonly tasks: number }> {
  const rows = db.rows<[string, number, number, number]>(
    `SELECT rule_id, count(*), sum(judgements.outcome <> trials.outcome), count(DISTINCT task_id)
     FROM judgements JOIN trials ON trials.seq = trial_seq
     WHERE rule_id IS NOT NULL AND deleted_at IS NULL AND is_conflict = 0 GROUP BY rule_id`,
  )
  return new Map(rows.map(([id, trials, changed, tasks]) => [id, { trials, changed, tasks }]))
}
