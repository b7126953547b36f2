// One trial of Faultline JSONL: its trial record with the step, score and label records that belong to it, in
// the light of header, config and task. Pure: records in, a model trial and doubts out.

import type { Json, JsonObject } from '../../base/json.ts'
import type { Outcome } from '../../model/outcome.ts'
import { UNKNOWN_CONFIGURATION, type Configuration, type Step, type Trial } from '../../model/trial.ts'
import {
  DEFAULT_SUITE,
  isNaive,
  readConfiguration,
  readOutcome,
  readProse,
  readSevereEvent,
  readTime,
  readTrialError,
  readUsage,
} from './faultline-fields.ts'
import { readSteps } from './faultline-steps.ts'
import { asId, asList, asNumber, asObject, asText, others } from './fields.ts'
import type { ParseNote } from './importer.ts'
import { readConversation, type StepDoubt } from './messages.ts'

const TRIAL_KEYS = new Set([
  'type',
  'trial_id',
  'task_id',
  'suite',
  'config_id',
  'task_title',
  'task_input',
  'trial_index',
  'seed',
  'started_at',
  'ended_at',
  'time_naive',
  'outcome',
  'score',
  'score_raw',
  'scores',
  'scorer',
  'termination_reason',
  'error',
  'severe_errors',
  'usage',
  'cost_usd',
  'source',
  'steps',
  'messages',
  'extra',
])
const SEVERE_KEYS = new Set(['step', 'kind', 'severity', 'note'])
/** Keys of a trial record that make a configuration when no config record is named. */
const INLINE_CONFIGURATION = ['model', 'agent', 'agent_version', 'prompt_version', 'environment', 'params']
/** How far below the threshold a score may be and still pass: floating-point dust. */
const SCORE_TOLERANCE = 1e-6

/** What the records before a trial say about it. */
export type Surroundings = {
  readonly header: JsonObject | null
  readonly config: JsonObject | null
  readonly task: JsonObject | null
}

/** Records that came apart from their trial, in file order. */
export type Parts = {
  readonly steps: readonly Json[]
  readonly scores: readonly JsonObject[]
  readonly labels: readonly JsonObject[]
  readonly unknown: readonly JsonObject[]
}

/** The trial's own member, even when it is null; otherwise what its surroundings say. */
function ownOr(record: JsonObject, key: string, otherwise: Json | undefined): Json | undefined {
  return Object.hasOwn(record, key) ? record[key] : otherwise
}

/** The suite of a trial: its own, its task's, its file's. */
export function suiteOf(record: JsonObject, around: Surroundings): string {
  return (
    asId(record['suite']) ?? asId(around.task?.['suite']) ?? asId(around.header?.['suite']) ?? DEFAULT_SUITE
  )
}

function configurationOf(record: JsonObject, config: JsonObject | null): Configuration {
  if (config !== null) return readConfiguration(config)
  const inline: [string, Json][] = []
  for (const key of ['config_id', ...INLINE_CONFIGURATION]) {
    const value = record[key]
    if (Object.hasOwn(record, key) && value !== undefined) inline.push([key, value])
  }
  return inline.length === 0 ? UNKNOWN_CONFIGURATION : readConfiguration(Object.fromEntries(inline))
}

function outcomeOf(record: JsonObject, score: number | null, doubts: StepDoubt[]): Outcome {
  const given = record['outcome']
  const outcome = readOutcome(given)
  if (outcome !== null) return outcome
  if (score !== null) {
    const threshold = asNumber(record['score_threshold']) ?? 1
    return score >= threshold - SCORE_TOLERANCE ? 'pass' : 'fail'
  }
  doubts.push({
    code: 'OUTCOME_MISSING',
    message:
      given === undefined || given === null
        ? 'The trial has neither outcome nor score: kept with unknown outcome.'
        : 'The outcome is no word that is known, and there is no score: kept with unknown outcome.',
  })
  return 'unknown'
}

function stepsOf(record: JsonObject, parts: Parts, doubts: StepDoubt[]): readonly Step[] {
  const inline = asList(record['steps'])
  const messages = asList(record['messages'])
  for (const key of ['steps', 'messages'])
    if (record[key] !== undefined && record[key] !== null && asList(record[key]) === null)
      doubts.push({ code: 'STEP_INVALID', message: `${key} is not a list; ignored.` })
  if (inline !== null || parts.steps.length > 0 || messages === null)
    return readSteps([...(inline ?? []), ...parts.steps], doubts)
  const conversation = readConversation(messages)
  doubts.push(...conversation.doubts)
  return conversation.steps
}

function extraOf(record: JsonObject, around: Surroundings, parts: Parts): Record<string, Json> {
  const extra: [string, Json][] = []
  const keep = (key: string, value: Json | undefined): void => {
    if (value !== undefined && value !== null) extra.push([key, value])
  }
  keep('expected', around.task?.['expected'])
  keep('tags', around.task?.['tags'])
  const severe = asList(record['severe_errors'])
  if (severe?.some((event) => others(asObject(event) ?? {}, SEVERE_KEYS) !== undefined))
    keep('severeErrors', severe)
  const source = others(asObject(record['source']) ?? {}, new Set(['id']))
  keep('source', source)
  if (parts.scores.some((score) => Object.keys(score).length > 2)) keep('scoreRecords', parts.scores)
  if (parts.labels.length > 0) keep('labels', parts.labels)
  if (parts.unknown.length > 0) keep('records', parts.unknown)
  const inline = around.config === null ? new Set([...TRIAL_KEYS, ...INLINE_CONFIGURATION]) : TRIAL_KEYS
  for (const [key, value] of Object.entries(others(record, inline) ?? {})) extra.push([key, value])
  const given = record['extra']
  if (given !== undefined && asObject(given) === null) keep('extra', given)
  return Object.fromEntries([...extra, ...Object.entries(asObject(given) ?? {})])
}

function scoresOf(record: JsonObject, parts: Parts): Record<string, number | null> {
  const scores: [string, number | null][] = []
  for (const [name, value] of Object.entries(asObject(record['scores']) ?? {}))
    scores.push([name, asNumber(value)])
  for (const score of parts.scores) scores.push([asId(score['name']) ?? 'score', asNumber(score['value'])])
  return Object.fromEntries(scores)
}

/** The trial that a record and its parts describe, or null when it has no task id. Doubts are appended. */
export function readTrial(
  record: JsonObject,
  around: Surroundings,
  parts: Parts,
  notes: readonly ParseNote[],
  doubts: StepDoubt[],
): Trial | null {
  const task = asId(record['task_id'])
  if (task === null) return null
  const score = asNumber(record['score'])
  const word = notes.find((note) => note.kind === 'not-a-number' && note.path === '/score')?.token
  const source = asObject(record['source'])
  const startedAt = readTime(record['started_at'])
  const endedAt = readTime(record['ended_at'])
  const naive = record['time_naive']
  return {
    sourceId: source !== null && Object.hasOwn(source, 'id') ? asId(source['id']) : asId(record['trial_id']),
    suite: suiteOf(record, around),
    task,
    taskTitle: readProse(ownOr(record, 'task_title', around.task?.['title'])),
    taskInput: readProse(ownOr(record, 'task_input', around.task?.['input'])),
    configuration: configurationOf(record, around.config),
    sourceTrial: asId(record['trial_index']),
    seed: asId(record['seed']),
    outcome: outcomeOf(record, score, doubts),
    score,
    scoreRaw: Object.hasOwn(record, 'score_raw')
      ? (record['score_raw'] ?? null)
      : (word ?? record['score'] ?? null),
    scores: scoresOf(record, parts),
    scorer: asText(record['scorer']),
    termination: asText(record['termination_reason']),
    error: readTrialError(record['error']),
    severeErrors: (asList(record['severe_errors']) ?? []).map(readSevereEvent),
    usage: readUsage(record['usage']),
    costUsd: asNumber(record['cost_usd']),
    startedAt,
    endedAt,
    timeNaive: typeof naive === 'boolean' ? naive : isNaive(startedAt, endedAt),
    steps: stepsOf(record, parts, doubts),
    extra: extraOf(record, around, parts),
  }
}
