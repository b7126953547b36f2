// What configuration an OpenHands line was made with, and which attempt it is: its metadata, the folder that the
// evaluation wrote to, the names of attempt files. Part of the OpenHands importer. Keys and addresses of a model's
// provider are never taken over.

import type { Json, JsonObject } from '../../../base/json.ts'
import { UNKNOWN_CONFIGURATION, type Configuration } from '../../../model/trial.ts'
import { fingerprint, runFolder } from '../coding-run.ts'
import { asId, asNumber, asObject, asText, isBare, member } from '../fields.ts'
import type { Told } from './story.ts'

/** Settings of a model that change what it answers. */
const MODEL_SETTINGS = [
  'temperature',
  'top_p',
  'top_k',
  'seed',
  'max_output_tokens',
  'max_message_chars',
  'reasoning_effort',
  'extended_thinking_budget',
  'native_tool_calling',
  'custom_llm_provider',
  'disable_vision',
]
/** `output.critic_attempt_2.jsonl`: instances that a critic turned down are tried again. */
const ATTEMPT_FILE = /critic[-_]attempt[-_](\d+)/i
/** What the evaluation calls its folder: model, iterations, and a note that may end in the repetition. */
const OUTPUT_FOLDER = /_maxiter_\d+(?:_N)?_?(?<note>.*)$/

/** The run that a line belongs to. */
export type Run = {
  readonly configuration: Configuration
  readonly suite: string | null
  /** The repetition, then the attempt, as far as names or the line tell them. */
  readonly number: string | null
  readonly attempt: string | null
  /** What tells runs apart; null where nothing does. */
  readonly id: string | null
}

/** The run of a line. `fileName` is the source's name. */
export function runOf(fields: JsonObject, told: Told, fileName: string): Run {
  const metadata = asObject(fields['metadata'])
  const model = asObject(metadata?.['llm_config']) ?? asObject(metadata?.['llm'])
  const folder = asText(metadata?.['eval_output_dir'])
  const named = runFolder(`${folder ?? fileName.split('/').slice(0, -1).join('/')}/`)
  const base = fileName.split('/').at(-1) ?? ''
  const attempt = asId(fields['attempt']) ?? ATTEMPT_FILE.exec(base)?.[1] ?? null
  const modelName = asText(model?.['model']) ?? told.model
  const started = asText(metadata?.['start_time'])
  return {
    configuration: configurationOf(metadata, model, modelName, told, folder, named.label),
    suite: suiteOf(metadata),
    number:
      named.number === null || attempt === null ? (named.number ?? attempt) : `${named.number}.${attempt}`,
    attempt,
    id: folder === null ? null : [folder, started ?? '', attempt ?? ''].join('|'),
  }
}

function configurationOf(
  metadata: JsonObject | null,
  model: JsonObject | null,
  modelName: string | null,
  told: Told,
  folder: string | null,
  label: string | null,
): Configuration {
  const commit = asText(metadata?.['git_commit'])
  const params: [string, Json | undefined][] = [
    ...MODEL_SETTINGS.map((key): [string, Json | undefined] => [key, model?.[key]]),
    ['maxIterations', asNumber(metadata?.['max_iterations']) ?? undefined],
    ['condenser', asText(member(metadata?.['condenser_config'], 'type')) ?? undefined],
    ['note', noteOf(folder) ?? undefined],
    ['details', metadata?.['details']],
    ['commit', commit ?? undefined],
  ]
  const { seed: _, ...settings } = Object.fromEntries(
    params.filter(([, value]) => !isBare(value)) as [string, Json][],
  )
  return {
    ...UNKNOWN_CONFIGURATION,
    // A folder's name stands in for what the line does not say.
    label: modelName === null && folder === null ? label : null,
    model: modelName,
    agent: asText(metadata?.['agent_class']) ?? 'OpenHands',
    agentVersion: told.agentVersion ?? commit,
    promptVersion: fingerprint(told.systemPrompt ?? undefined),
    toolsVersion: fingerprint(told.tools),
    params: settings,
  }
}

/** What the evaluation's folder notes beside model and iterations, without the repetition. */
function noteOf(folder: string | null): string | null {
  const base = folder?.split('/').findLast((part) => part !== '') ?? ''
  const note = base.length > 255 ? '' : (OUTPUT_FOLDER.exec(base)?.groups?.['note'] ?? '')
  return note === '' ? null : runFolder(`${note}/`).label
}

/** The data set. What was a path is cut to its last part: the machine's folders are no part of a suite. */
function suiteOf(metadata: JsonObject | null): string | null {
  const data = asText(metadata?.['dataset'])
  if (data === null || data === '') return null
  const name = data.startsWith('__') || data.startsWith('/') ? (data.split(/__|\//).at(-1) as string) : data
  const split = asText(metadata?.['data_split']) ?? asText(metadata?.['dataset_split'])
  return split === null || split === '' || name.endsWith(split) ? name : `${name}-${split}`
}
