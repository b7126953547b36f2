// What configuration a SWE-agent trajectory was made with: the name of its run's folder, which the harness builds from
// model, data and settings, and the replay_config inside of newer files. Part of the SWE-agent importer. Keys and
// addresses of a model's provider are never taken over.

import { basename, dirname } from 'node:path'
import type { Json, JsonObject } from '../../../base/json.ts'
import { UNKNOWN_CONFIGURATION, type Configuration } from '../../../model/trial.ts'
import { fingerprint, runFolder } from '../coding-run.ts'
import { asId, asList, asNumber, asObject, asText, isBare, member } from '../fields.ts'
import { parseJson } from '../parse.ts'
import { withoutSecrets } from '../secrets.ts'

/** `{model}__{data}__{config}__t-0.00__p-0.95__c-3.00__install-1`, perhaps with a suffix: harness 0.x. */
const OLD_NAME =
  /^(?<model>.+?)__(?<data>.+)__(?<config>.+?)__t-(?<t>[\d.]+)__p-(?<p>[\d.]+|None)__c-(?<c>[\d.]+)__install-(?<install>\d)(?:_+(?<suffix>.+))?$/
/** `{config}__{model}__t-0.00__p-1.00__c-3.00___{data}`: harness 1.x. */
const NEW_NAME =
  /^(?<config>.+?)__(?<model>.+)__t-(?<t>[\d.]+)__p-(?<p>[\d.]+|None)__c-(?<c>[\d.]+)(?:___(?<data>.+))?$/

/** Names that a disk can have; longer ones, in a zip, are not taken apart. */
const MAX_FOLDER = 255

/** What is known of the run that a trajectory belongs to. */
export type Run = {
  readonly configuration: Configuration
  /** The data set that the folder names; null when none does. */
  readonly data: string | null
  /** The repetition that the folder names. */
  readonly number: string | null
}

/** The replay_config of a file, which newer harnesses write as JSON text; null when there is none. */
export function replayOf(value: Json | undefined): JsonObject | null {
  const text = asText(value)
  if (text === null) return asObject(value)
  const parsed = parseJson(text, Number.POSITIVE_INFINITY)
  return parsed.ok ? asObject(parsed.value) : null
}

/**
 * The run of a trajectory from the folders that it lies in and what is inside. `path` gives the folders of a file that
 * was opened by itself: those count only when they have the harness's own form. `task` and `stem` name no run.
 */
export function runOf(
  name: string,
  path: string,
  replay: JsonObject | null,
  info: JsonObject,
  aside: readonly (string | null)[],
): Run {
  const above = dirname(path)
  const folders = [...name.split('/').slice(0, -1).toReversed(), basename(above), basename(dirname(above))]
  const named = folders.map(namedRun).find((one) => one !== null) ?? null
  const folder = runFolder(name, aside)
  const agent = asObject(replay?.['agent'])
  const model = asObject(agent?.['model'])
  const modelName = asText(model?.['name']) ?? named?.model ?? null
  const params: Record<string, Json> = { ...named?.params, ...settingsOf(agent, model) }
  const environment = asText(member(member(replay?.['env'], 'deployment'), 'type'))
  return {
    configuration: {
      ...UNKNOWN_CONFIGURATION,
      label: named === null ? folder.label : `${named.model} ${named.config}`,
      model: modelName,
      agent: 'SWE-agent',
      agentVersion: asId(info['swe_agent_version']),
      promptVersion: fingerprint(promptsOf(agent)),
      toolsVersion: fingerprint(agent?.['tools']),
      environment,
      params,
    },
    data: named?.data ?? null,
    number: named?.number ?? folder.number,
  }
}

type Named = {
  readonly model: string
  readonly config: string
  readonly data: string | null
  readonly number: string | null
  readonly params: Record<string, Json>
}

function namedRun(folder: string): Named | null {
  if (folder.length > MAX_FOLDER) return null
  const groups = (OLD_NAME.exec(folder) ?? NEW_NAME.exec(folder))?.groups
  if (groups === undefined) return null
  const { model, config, data, t, p, c, install, suffix } = groups
  // A repetition is told by a suffix like `run-2`; another suffix is part of what was run.
  const repeated = suffix === undefined ? null : runFolder(`${suffix}/`)
  return {
    model: model ?? '',
    config: config ?? '',
    data: data ?? null,
    number: repeated?.number ?? null,
    params: {
      config: config ?? '',
      temperature: Number(t),
      ...(p === 'None' ? {} : { top_p: Number(p) }),
      costLimit: Number(c),
      ...(install === undefined ? {} : { install: install === '1' }),
      ...(repeated === null || repeated.label === null ? {} : { suffix: repeated.label }),
    },
  }
}

/** Texts that the model is given whatever the task is. */
function promptsOf(agent: JsonObject | null): Json | undefined {
  const templates = asObject(agent?.['templates'])
  if (templates === null) return undefined
  return Object.fromEntries(Object.entries(templates).filter(([, text]) => !isBare(text)))
}

/** What was set for agent and model, without names of files, places and secrets. */
function settingsOf(agent: JsonObject | null, model: JsonObject | null): Record<string, Json> {
  const found: [string, Json | undefined][] = [
    ['temperature', asNumber(model?.['temperature']) ?? undefined],
    ['top_p', asNumber(model?.['top_p']) ?? undefined],
    ['costLimit', asNumber(model?.['per_instance_cost_limit']) ?? undefined],
    ['callLimit', asNumber(model?.['per_instance_call_limit']) ?? undefined],
    ['completion', withoutSecrets(asObject(model?.['completion_kwargs']) ?? {})],
    ['parser', asText(member(member(agent?.['tools'], 'parse_function'), 'type')) ?? undefined],
    [
      'tools',
      (asList(member(agent?.['tools'], 'bundles')) ?? []).flatMap((bundle) => {
        const path = asText(member(bundle, 'path'))
        return path === null ? [] : [path.split(/[/\\]/).slice(-2).join('/')]
      }),
    ],
    ['historyProcessors', agent?.['history_processors'] ?? agent?.['history_processor']],
    ['agentType', asText(agent?.['type']) ?? undefined],
  ]
  return Object.fromEntries(found.filter(([, value]) => !isBare(value)) as [string, Json][])
}
