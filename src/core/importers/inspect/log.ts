// What an Inspect log says about all of its samples: suite, configuration, scorers, how the run ended, how many
// samples there should be. Comes from header.json, from _journal/start.json of a run that crashed, or from the
// members of a .json log before its samples. Pure.

import type { Json, JsonObject } from '../../../base/json.ts'
import { plural } from '../../../base/text.ts'
import { UNKNOWN_CONFIGURATION, type Configuration } from '../../../model/trial.ts'
import { asId, asList, asNumber, asObject, asText, isBare, member, others } from '../fields.ts'
import type { Problem } from '../importer.ts'
import { listedScorers } from './scores.ts'

/** The newest version of the log format that is read. */
export const NEWEST_VERSION = 3

/** Settings of a run that change what an agent does; the others (limits of parallel work, display) do not. */
const LIMITS = [
  'message_limit',
  'max_messages',
  'token_limit',
  'time_limit',
  'working_limit',
  'cost_limit',
  'approval',
]
const NOT_PARAMETERS = new Set(['seed', 'max_connections', 'max_retries', 'timeout', 'attempt_timeout'])

/** The facts of a log. */
export type LogFacts = {
  readonly version: number | null
  readonly status: string | null
  readonly runId: string | null
  readonly suite: string
  readonly configuration: Configuration
  readonly seed: string | null
  readonly scorers: readonly string[]
  /** Samples that the log says there were, epochs counted; null when it does not say. */
  readonly expected: number | null
  readonly epochs: number | null
  /** Facts for the trial's own record: ids and dates of the run. */
  readonly about: { readonly [key: string]: Json }
}

/** The facts from the members of a log without its samples. */
export function readLog(log: JsonObject): LogFacts {
  const evaluation = asObject(log['eval'])
  const plan = asObject(log['plan'])
  const results = asObject(log['results'])
  const config = asObject(evaluation?.['config'])
  const status = asText(log['status'])
  return {
    version: asNumber(log['version']),
    status,
    runId: asText(evaluation?.['run_id']),
    suite: asText(evaluation?.['task']) ?? 'inspect',
    configuration: configurationOf(evaluation ?? {}, plan ?? {}, config ?? {}),
    seed: asId(member(evaluation?.['model_generate_config'], 'seed') ?? member(plan?.['config'], 'seed')),
    scorers: listedScorers(evaluation, results),
    expected: asNumber(results?.['total_samples']) ?? expectedOf(evaluation, config),
    epochs: asNumber(config?.['epochs']),
    about: aboutOf(log, evaluation, status),
  }
}

/** Samples times epochs, when the run was not restricted in a way that the log does not tell. */
function expectedOf(evaluation: JsonObject | null, config: JsonObject | null): number | null {
  const ids = asList(member(evaluation?.['dataset'], 'sample_ids'))
  return ids === null ? null : ids.length * (asNumber(config?.['epochs']) ?? 1)
}

function configurationOf(evaluation: JsonObject, plan: JsonObject, config: JsonObject): Configuration {
  const steps = asList(plan['steps']) ?? []
  const solvers = steps.map((step) => asText(member(step, 'solver'))).filter((name) => name !== null)
  const revision = asObject(evaluation['revision'])
  const commit = asText(revision?.['commit'])
  const params: [string, Json][] = []
  const keep = (key: string, value: Json | undefined): void => {
    if (!isBare(value)) params.push([key, value as Json])
  }
  keep('generate', merged(plan['config'], evaluation['model_generate_config']))
  keep('taskArgs', evaluation['task_args'])
  keep('modelArgs', evaluation['model_args'])
  keep('modelRoles', evaluation['model_roles'])
  keep('modelBaseUrl', evaluation['model_base_url'])
  keep('solverArgs', evaluation['solver_args'])
  keep('solvers', steps.some((step) => !isBare(member(step, 'params'))) ? solverList(steps) : undefined)
  keep('limits', Object.fromEntries(Object.entries(config).filter(([key]) => LIMITS.includes(key))))
  keep('packages', evaluation['packages'])
  const taskVersion = evaluation['task_version']
  if (taskVersion !== 0) keep('taskVersion', taskVersion)
  return {
    ...UNKNOWN_CONFIGURATION,
    model: asText(evaluation['model']),
    agent: asText(evaluation['solver']) ?? (solvers.length === 0 ? null : solvers.join(', ')),
    agentVersion: commit === null ? null : `${commit}${revision?.['dirty'] === true ? ' (changed)' : ''}`,
    environment: sandboxOf(evaluation['sandbox']),
    params: Object.fromEntries(params),
  }
}

/** Sampling settings; the seed is the trial's, and what only paces the requests changes no result. */
function merged(general: Json | undefined, special: Json | undefined): JsonObject {
  const all = { ...asObject(general), ...asObject(special) }
  return others(all, NOT_PARAMETERS) ?? {}
}

function solverList(steps: readonly Json[]): Json {
  return steps.map((step) => ({
    solver: member(step, 'solver') ?? null,
    params: withoutInstances(member(step, 'params') ?? {}),
  }))
}

/** Tools get a random instance name per run, which would make a configuration of every run. */
const INSTANCE = /^[2-9A-HJ-NP-Za-km-z]{20,24}$/

function withoutInstances(value: Json): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutInstances)
  const kept = Object.entries(value).filter(
    ([key, item]) => key !== 'instance' || typeof item !== 'string' || !INSTANCE.test(item),
  )
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutInstances(item)]))
}

/** `type` or `type:config` of a sandbox, written as an object or, in old logs, as a pair. */
function sandboxOf(value: Json | undefined): string | null {
  const pair = asList(value)
  const parts = pair ?? [member(value, 'type') ?? value ?? null, member(value, 'config') ?? null]
  const shown = parts.filter((part) => part !== null).map((part) => asText(part) ?? JSON.stringify(part))
  return shown.length === 0 ? null : shown.join(':')
}

function aboutOf(
  log: JsonObject,
  evaluation: JsonObject | null,
  status: string | null,
): Record<string, Json> {
  const about: [string, Json][] = []
  const keep = (key: string, value: Json | undefined): void => {
    if (!isBare(value)) about.push([key, value as Json])
  }
  keep('runId', evaluation?.['run_id'])
  keep('evalId', evaluation?.['eval_id'])
  keep('evalSetId', evaluation?.['eval_set_id'])
  keep('taskId', evaluation?.['task_id'])
  keep('created', evaluation?.['created'])
  keep('dataset', member(evaluation?.['dataset'], 'name'))
  keep('tags', evaluation?.['tags'])
  keep('metadata', evaluation?.['metadata'])
  if (status !== 'success') keep('status', status)
  if (log['invalidated'] === true) keep('invalidated', true)
  return Object.fromEntries(about)
}

/** The problem that the log is of a version that is newer than this program; null when it can be read. */
export function tooNew(facts: LogFacts): Problem | null {
  if (facts.version === null || facts.version <= NEWEST_VERSION) return null
  return {
    severity: 'error',
    code: 'FORMAT_NEWER',
    message: `The log says “version”: ${facts.version}; versions up to ${NEWEST_VERSION} are read. Nothing was imported.`,
    hint: 'Convert it to the .json form with the program that wrote it, or use a newer Faultline.',
  }
}

/** What is missing: a run that did not end well, and fewer samples than there should be. */
export function missingTrials(facts: LogFacts, found: number): Problem | null {
  const ended = facts.status === null || facts.status === 'success' ? null : facts.status
  const isShort = facts.expected !== null && found < facts.expected
  if (ended === null && !isShort) return null
  const count =
    facts.expected === null
      ? `${plural(found, 'sample')} ${found === 1 ? 'is' : 'are'} in the file`
      : `${found.toLocaleString('en-US')} of ${plural(facts.expected, 'sample')} ${found === 1 ? 'is' : 'are'} in the file`
  const words: Readonly<Record<string, string>> = {
    started: 'The run crashed or had not ended',
    cancelled: 'The run was cancelled',
    error: 'The run ended with an error',
  }
  const why = ended === null ? null : (words[ended] ?? `The run's status is “${ended.slice(0, 40)}”`)
  return {
    severity: isShort ? 'warning' : 'info',
    code: 'TRIALS_MISSING',
    message: why === null ? `${capital(count)}.` : `${why}: ${count}.`,
    ...(isShort ? { hint: 'Tasks have fewer trials than were run; every figure counts what is here.' } : {}),
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
