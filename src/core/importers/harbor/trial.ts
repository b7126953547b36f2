// One Harbor trial: its result, and what was read beside it, as a trial. Pure.

import type { Json, JsonObject } from '../../../base/json.ts'
import { UNKNOWN_CONFIGURATION, type Configuration, type Trial, type Usage } from '../../../model/trial.ts'
import { isNaive } from '../faultline-fields.ts'
import { asList, asNumber, asObject, asText, isBare, member, shortened } from '../fields.ts'
import type { StepDoubt } from '../messages.ts'
import { readVerdict } from './outcome.ts'
import { knownVersion, type Trajectory } from './trajectory.ts'
import { totalUsage } from '../usage.ts'
import { withoutSecrets } from '../secrets.ts'

/** The suite of trials whose task belongs to no data set. */
const SUITE = 'harbor'
const MAX_TESTS = 500
const PHASES = ['environment_setup', 'agent_setup', 'agent_execution', 'verifier'] as const

/** What was read beside a result. */
export type Beside = {
  readonly trajectory: Trajectory | null
  /** Tokens counted from the agent's own sessions. */
  readonly sessions: Usage | null
  readonly ctrf: JsonObject | null
}

/** The trial that a result describes. Doubts are appended. */
export function toTrial(result: JsonObject, beside: Beside, job: string | null, doubts: StepDoubt[]): Trial {
  const { trajectory } = beside
  const verdict = readVerdict(result)
  const name = asText(result['task_name']) ?? ''
  const slash = name.lastIndexOf('/')
  const task = name.slice(slash + 1)
  if (verdict.doubt !== null)
    doubts.push({
      code: 'OUTCOME_MISSING',
      message: `Task ${task}: ${verdict.doubt}: kept with unknown outcome.`,
    })
  const agentResult = asObject(result['agent_result'])
  const counted = totalUsage(agentResult ?? undefined, 'n_input_tokens', 'n_output_tokens', 'n_cache_tokens')
  const startedAt = asText(result['started_at'])
  const endedAt = asText(result['finished_at'])
  return {
    sourceId: asText(result['id']) ?? asText(result['trial_name']),
    suite: asText(result['source']) || (slash > 0 ? name.slice(0, slash) : SUITE),
    task,
    taskTitle: null,
    taskInput: trajectory?.instruction ?? null,
    configuration: configurationOf(result, trajectory),
    sourceTrial: null,
    seed: null,
    outcome: verdict.outcome,
    score: verdict.score,
    scoreRaw: verdict.scoreRaw,
    scores: verdict.scores,
    scorer: verdict.scorer === null ? null : `Harbor ${verdict.scorer}`,
    termination: verdict.termination,
    error: verdict.error,
    severeErrors: [],
    usage: beside.sessions ?? trajectory?.usage ?? counted,
    costUsd: asNumber(agentResult?.['cost_usd']) ?? trajectory?.costUsd ?? null,
    // Local time of the machine; steps carry their own, in UTC. The two are never put together.
    startedAt,
    endedAt,
    timeNaive: isNaive(startedAt, endedAt),
    steps: trajectory?.steps ?? [],
    extra: extraOf(result, beside, job),
  }
}

function configurationOf(result: JsonObject, trajectory: Trajectory | null): Configuration {
  const info = asObject(result['agent_info'])
  const config = asObject(result['config'])
  const agent = asObject(config?.['agent'])
  const name = asText(info?.['name']) ?? asText(agent?.['name']) ?? trajectory?.agent.name ?? null
  const model =
    asText(member(info?.['model_info'], 'name')) ??
    asText(agent?.['model_name']) ??
    trajectory?.agent.model ??
    null
  const params: [string, Json][] = []
  const keep = (key: string, value: Json | undefined): void => {
    if (!isBare(value) && value !== '') params.push([key, value as Json])
  }
  keep('provider', member(info?.['model_info'], 'provider'))
  keep('import_path', agent?.['import_path'])
  for (const key of ['override_timeout_sec', 'override_setup_timeout_sec', 'max_timeout_sec'])
    keep(key, agent?.[key])
  keep('kwargs', withoutSecrets(asObject(agent?.['kwargs']) ?? {}))
  if (config?.['timeout_multiplier'] !== 1) keep('timeout_multiplier', config?.['timeout_multiplier'])
  return {
    ...UNKNOWN_CONFIGURATION,
    label: [name, model].filter((part) => part !== null).join(' ') || null,
    model,
    agent: name,
    agentVersion: knownVersion(asText(info?.['version'])),
    environment: asText(member(config?.['environment'], 'type')),
    params: Object.fromEntries(params),
  }
}

function extraOf(result: JsonObject, beside: Beside, job: string | null): Record<string, Json> {
  const extra: [string, Json][] = []
  const keep = (key: string, value: Json | undefined): void => {
    if (isBare(value) || value === '') return
    extra.push([key, shortened(value as Json)])
  }
  keep('trialName', result['trial_name'])
  keep('job', job ?? undefined)
  keep('taskId', result['task_id'])
  keep('taskChecksum', result['task_checksum'])
  keep('exception', result['exception_info'])
  keep('agentMetadata', member(result['agent_result'], 'metadata'))
  for (const phase of PHASES) keep(phase, result[phase])
  const tests = testsOf(beside.ctrf)
  keep('tests', tests.slice(0, MAX_TESTS))
  if (tests.length > MAX_TESTS) keep('testsNotShown', tests.length - MAX_TESTS)
  keep('usageFrom', usageSource(beside))
  keep('notes', beside.trajectory?.notes ?? undefined)
  return Object.fromEntries(extra)
}

function usageSource(beside: Beside): string | undefined {
  if (beside.sessions !== null) return 'sessions'
  return beside.trajectory?.usage == null ? undefined : 'trajectory'
}

/** The tests of a CTRF report (ctrf.io): name, status, duration and message of each. */
function testsOf(ctrf: JsonObject | null): Json[] {
  return (asList(member(ctrf?.['results'], 'tests')) ?? []).flatMap((test): Json[] => {
    const found = asObject(test)
    if (found === null) return []
    const kept = (['name', 'status', 'duration', 'message'] as const).flatMap((key): [string, Json][] =>
      isBare(found[key]) || found[key] === '' ? [] : [[key, found[key] as Json]],
    )
    return [Object.fromEntries(kept)]
  })
}
