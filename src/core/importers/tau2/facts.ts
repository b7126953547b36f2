// What a tau2 result file says about all of its simulations: domain, configuration, how many trials there should be;
// and its tasks. Pure.

import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '../../../base/json.ts'
import { UNKNOWN_CONFIGURATION, type Configuration } from '../../../model/trial.ts'
import { asId, asNumber, asObject, asText, isBare, member } from '../fields.ts'

/** The suite of simulations whose domain nothing tells. */
export const UNKNOWN_DOMAIN = 'tau2-bench'

/** The facts of a file. */
export type ResultFacts = {
  readonly suite: string
  readonly configuration: Configuration
  /** Trials of every task, as planned; null when the file does not say. */
  readonly trialsPerTask: number | null
  /** Facts for the trial's own record: the harness's commit, the seed that the seeds were made from. */
  readonly about: { readonly [key: string]: Json }
}

/** Settings of `info` that change what happens in a trial, by their own names. */
const SETTINGS = [
  'max_steps',
  'max_errors',
  'speech_complexity',
  'audio_native_config',
  'retrieval_config',
  'retrieval_config_kwargs',
] as const

/** Facts from the member `info`. */
export function readInfo(info: JsonObject | null): ResultFacts {
  const agent = asObject(info?.['agent_info'])
  const user = asObject(info?.['user_info'])
  const environment = asObject(info?.['environment_info'])
  const model = asText(agent?.['llm'])
  const implementation = asText(agent?.['implementation'])
  const params: [string, Json][] = []
  const keep = (key: string, value: Json | undefined): void => {
    if (!isBare(value) && value !== '') params.push([key, value as Json])
  }
  keep('llm_args', agent?.['llm_args'])
  keep('user_model', user?.['llm'])
  keep('user_implementation', user?.['implementation'])
  keep('user_llm_args', user?.['llm_args'])
  keep('user_persona', user?.['persona_config'])
  keep('user_guidelines', fingerprint(user?.['global_simulation_guidelines']) ?? undefined)
  for (const key of SETTINGS) keep(key, info?.[key])
  return {
    suite: asText(environment?.['domain_name']) || UNKNOWN_DOMAIN,
    configuration: {
      ...UNKNOWN_CONFIGURATION,
      label: [model, implementation].filter((part) => part !== null).join(' ') || null,
      model,
      agent: implementation,
      policyVersion: fingerprint(environment?.['policy']),
      toolsVersion: fingerprint(environment?.['tool_defs']),
      params: Object.fromEntries(params),
    },
    trialsPerTask: asNumber(info?.['num_trials']),
    about: Object.fromEntries(
      // Not in the configuration: it names the state of a whole repository, which changes between two files of one series.
      (['git_commit', 'seed'] as const).flatMap((key): [string, Json][] =>
        isBare(info?.[key]) ? [] : [[key === 'seed' ? 'runSeed' : 'gitCommit', info?.[key] as Json]],
      ),
    ),
  }
}

/** A short hash of a long text or structure: equal ones are equal, and nobody reads 20 KB of it. */
function fingerprint(value: Json | undefined): string | null {
  if (isBare(value) || value === '') return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `sha256 ${createHash('sha256').update(text).digest('hex').slice(0, 12)}`
}

/** A task as its trials need it. */
export type TaskFacts = {
  readonly title: string | null
  readonly input: string | null
  readonly expectedActions: Json
  /** The other criteria, when there are any. */
  readonly criteria: JsonObject
}

/** A task of the file with its id, or null when it is none. */
export function readTask(value: Json): { readonly id: string; readonly task: TaskFacts } | null {
  const task = asObject(value)
  const id = asId(task?.['id'])
  if (task === null || id === null) return null
  const criteria = asObject(task['evaluation_criteria']) ?? {}
  const scenario = asObject(task['user_scenario'])
  return {
    id,
    task: {
      title: asText(member(task['description'], 'purpose')) || null,
      input: inputOf(scenario?.['instructions']),
      expectedActions: criteria['actions'] ?? null,
      criteria: Object.fromEntries(
        Object.entries(criteria).filter(([key, criterion]) => key !== 'actions' && !isBare(criterion)),
      ),
    },
  }
}

const INSTRUCTIONS = ['reason_for_call', 'known_info', 'unknown_info', 'task_instructions'] as const

/** What the user is told to want: a text, or the parts of one. */
function inputOf(value: Json | undefined): string | null {
  if (typeof value === 'string') return value || null
  const parts = INSTRUCTIONS.flatMap((key) => {
    const text = asText(member(value, key))?.trim()
    return text ? [text] : []
  })
  return parts.length === 0 ? null : parts.join('\n\n')
}
