// tau-bench result rows: {task_id, reward, info, traj, trial}, as a list, one per line, or one bare object.
// Rows come in completion order, so position says nothing; domain and configuration are inferred
// (tau-configuration.ts). Holds back a few rows until both are known, never the whole file.

import type { Json, JsonObject } from '../../base/json.ts'
import type { Outcome } from '../../model/outcome.ts'
import type { Step, Trial, TrialError } from '../../model/trial.ts'
import { asId, asList, asNumber, asObject, asText, isBare, member, others } from './fields.ts'
import type { Importer, RawTrial, Sink, Sniff, Source, SourceHead, SourceRecord } from './importer.ts'
import { readConversation } from './messages.ts'
import { guarded, placeOf, readRecords } from './reader.ts'
import {
  domainOf,
  domainOfName,
  runOfName,
  stemOf,
  TrialNumbers,
  UNKNOWN_DOMAIN,
  type NamedRun,
} from './tau-configuration.ts'

/** Rows that wait until one of them tells the domain. */
const MAX_WAITING = 256
/** Messages of a conversation that used up the harness's 30 steps. */
const FULL_LENGTH = 62
/** How far a reward may be from 1 and still be a success: the harness's own rule. */
const REWARD_TOLERANCE = 1e-6

const ROW_KEYS = new Set(['task_id', 'reward', 'info', 'traj', 'trial'])
const INFO_KEYS = new Set(['task', 'source', 'user_cost', 'reward_info', 'error', 'traceback'])

/** Reads tau-bench rows. */
export const tauBench: Importer = {
  id: 'tau-bench',
  title: 'τ-bench rows',
  version: 1,
  status: 'stable',
  nameHint: /(?:^|[^a-z])(?:tau|airline|retail)(?:[^a-z]|$)/i,
  sniff,
  read,
}

function sniff(head: SourceHead): Sniff {
  for (const { value } of head.records) {
    const row = asObject(value)
    if (row === null || !Object.hasOwn(row, 'task_id')) continue
    const has = [...ROW_KEYS].filter((key) => Object.hasOwn(row, key))
    if (has.includes('traj') && (has.includes('reward') || has.includes('info')))
      return { confidence: has.length >= 4 ? 0.95 : 0.8, reason: `records with ${has.join(', ')}` }
    if (has.includes('reward') && has.includes('info'))
      return { confidence: 0.6, reason: `records with ${has.join(', ')}, but no traj at their beginning` }
  }
  return { confidence: 0, reason: 'no record with task_id, reward and traj' }
}

/** One row, read as far as a row alone allows. */
type Row = {
  readonly record: SourceRecord
  readonly fields: JsonObject
  readonly taskId: string
  readonly trialNumber: string | null
  readonly steps: readonly Step[]
  readonly domain: string | null
}

async function read(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const run = runOfName(source.name)
  const numbers = new TrialNumbers()
  const domains = new Set<string>()
  let waiting: Row[] = []
  const ready = (row: Row, isLast: boolean): boolean =>
    numbers.isDecided(isLast) && (row.domain !== null || domains.size > 0 || isLast)

  const release = async (isLast: boolean): Promise<void> => {
    const rows = waiting
    waiting = []
    for (const row of rows) {
      if (!ready(row, isLast)) {
        waiting.push(row)
        continue
      }
      const fileDomain = domains.size === 1 ? ([...domains][0] as string) : domainOfName(source.name)
      const domain = row.domain ?? fileDomain ?? UNKNOWN_DOMAIN
      const raw = guarded(row.record, sink, () =>
        toTrial(row, domain, numbers.areReal ? row.trialNumber : null, run, stemOf(source.name), sink),
      )
      if (raw !== null) await sink.trial(raw)
    }
  }

  for await (const record of readRecords(source, sink, signal)) {
    const row = guarded(record, sink, () => toRow(record, sink))
    if (row === null) continue
    numbers.see(row.taskId, row.trialNumber)
    if (row.domain !== null) domains.add(row.domain)
    waiting.push(row)
    await release(waiting.length > MAX_WAITING)
  }
  await release(true)
}

function toRow(record: SourceRecord, sink: Sink): Row | null {
  const fields = asObject(record.value)
  const taskId = fields === null ? null : asId(fields['task_id'])
  if (fields === null || taskId === null) {
    sink.problem({
      severity: 'error',
      code: 'RECORD_INVALID',
      message:
        fields === null ? 'The record is not an object: skipped.' : 'The record has no task_id: skipped.',
      ...placeOf(record),
    })
    return null
  }
  const messages = asList(fields['traj'])
  if (messages === null && !isBare(fields['traj']))
    sink.problem({
      severity: 'warning',
      code: 'RECORD_INVALID',
      message: 'traj is not a list: kept without steps.',
      ...placeOf(record),
    })
  const { steps, doubts } = readConversation(messages ?? [])
  for (const code of new Set(doubts.map((doubt) => doubt.code))) {
    const same = doubts.filter((doubt) => doubt.code === code)
    const more = same.length > 1 ? ` And ${same.length - 1} more in this record.` : ''
    sink.problem({ severity: 'warning', code, message: `${same[0]?.message}${more}`, ...placeOf(record) })
  }
  const expected = asList(member(member(fields['info'], 'task'), 'actions')) ?? []
  const expectedTools = expected.map((action) => asText(member(action, 'name')) ?? '')
  const trialNumber = asId(fields['trial'])
  return { record, fields, taskId, trialNumber, steps, domain: domainOf(steps, expectedTools) }
}

function toTrial(
  row: Row,
  domain: string,
  sourceTrial: string | null,
  run: NamedRun,
  stem: string,
  sink: Sink,
): RawTrial {
  const { fields, record, steps } = row
  const info = asObject(fields['info']) ?? {}
  const task = asObject(info['task'])
  const error = readError(info)
  const score = asNumber(fields['reward'])
  const outcome = outcomeOf(error, score)
  if (outcome === 'unknown')
    sink.problem({
      severity: 'warning',
      code: 'OUTCOME_MISSING',
      message: `Task ${row.taskId} has no reward that is a number: kept with unknown outcome.`,
      ...placeOf(record),
    })
  const trial: Trial = {
    sourceId: null,
    suite: domain,
    task: row.taskId,
    taskTitle: null,
    taskInput: asText(task?.['instruction']),
    configuration: run.configuration,
    sourceTrial,
    seed: null,
    outcome,
    score,
    scoreRaw: notNumber(record, '/reward') ?? fields['reward'] ?? null,
    scores: readScores(info, score),
    scorer: 'tau-bench reward',
    termination: terminationOf(info, steps, error),
    error,
    severeErrors: [],
    usage: null,
    costUsd: null,
    startedAt: null,
    endedAt: null,
    timeNaive: false,
    steps,
    extra: readExtra(fields, info, task, run),
  }
  return {
    trial,
    recordBytes: record.bytes,
    // An infra-error row holds nothing of its own: the same bytes can come from another run.
    identitySalt: steps.length === 0 ? stem : null,
    sourceKey: null,
    record: record.index,
    line: record.line,
    byteOffset: record.byteOffset,
  }
}

/** The word that stood where a number was expected (`NaN`), so that it is not lost behind the null. */
function notNumber(record: SourceRecord, path: string): string | null {
  return record.notes.find((note) => note.kind === 'not-a-number' && note.path === path)?.token ?? null
}

function outcomeOf(error: TrialError | null, score: number | null): Outcome {
  if (error !== null) return 'error'
  if (score === null) return 'unknown'
  return Math.abs(score - 1) <= REWARD_TOLERANCE ? 'pass' : 'fail'
}

const INFRA =
  /connection|timed? ?out|winerror|http|rate ?limit|service ?unavailable|litellm|api ?error|apistatus|badrequest|overloaded|socket|ssl|dns|quota/i

function readError(info: JsonObject): TrialError | null {
  const value = info['error']
  if (value === undefined || value === null || value === false || value === '') return null
  const message = asText(value) ?? JSON.stringify(value)
  const traceback = asText(info['traceback'])
  const last = traceback
    ?.trimEnd()
    .match(/^([A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Exit)):/gm)
    ?.at(-1)
  const type = last === undefined ? null : last.slice(0, -1)
  return { type, message, origin: INFRA.test(`${type ?? ''} ${message}`) ? 'infra' : 'unknown' }
}

function readScores(info: JsonObject, score: number | null): Record<string, number | null> {
  const scores: Record<string, number | null> = {}
  if (score !== null) scores['reward'] = score
  const details = member(info['reward_info'], 'info')
  for (const name of ['r_actions', 'r_outputs']) {
    const value = asNumber(member(details, name))
    if (value !== null) scores[name] = value
  }
  return scores
}

function terminationOf(info: JsonObject, steps: readonly Step[], error: TrialError | null): string | null {
  if (error !== null) return 'error'
  const last = steps.at(-1)
  if (last === undefined) return null
  if (last.role === 'user' && last.text?.includes('###STOP###') === true) return 'user_stop'
  const lastCall = steps.findLast((step) => step.kind === 'tool_call')?.calls?.at(-1)
  const isTransfer =
    (last.kind === 'tool_result' && lastCall?.name === 'transfer_to_human_agents') ||
    last.text?.includes('###TRANSFER###') === true
  if (isTransfer) return 'transfer'
  // The harness computes a reward only when the conversation ended; without one it ran out of steps.
  if (info['reward_info'] === null || steps.length >= FULL_LENGTH) return 'max_steps'
  return null
}

function readExtra(
  fields: JsonObject,
  info: JsonObject,
  task: JsonObject | null,
  run: NamedRun,
): Record<string, Json> {
  const extra: [string, Json][] = []
  const keep = (key: string, value: Json | undefined): void => {
    if (!isBare(value)) extra.push([key, value as Json])
  }
  keep('expectedActions', task?.['actions'])
  keep('expectedOutputs', task?.['outputs'])
  keep('userId', task?.['user_id'])
  keep('source', info['source'])
  keep('userCost', info['user_cost'])
  keep('rewardInfo', info['reward_info'])
  keep('traceback', info['traceback'])
  keep(
    'task',
    task === null ? undefined : others(task, new Set(['actions', 'outputs', 'user_id', 'instruction'])),
  )
  keep('info', others(info, INFO_KEYS))
  keep('run', run.about)
  for (const [key, value] of Object.entries(others(fields, ROW_KEYS) ?? {})) keep(key, value)
  return Object.fromEntries(extra)
}
