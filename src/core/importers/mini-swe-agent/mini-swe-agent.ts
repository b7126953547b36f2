// mini-swe-agent trajectories (github.com/SWE-agent/mini-swe-agent): a .traj.json is one trial. Version 0 is a bare list
// of messages, versions 1 and 1.1 are an object with info and messages. Whether the patch solved the task is never
// inside: `Submitted` is not solved. Memory is the messages of one trial.

import type { Json, JsonObject } from '../../../base/json.ts'
import { oneLine, wellFormed } from '../../../base/text.ts'
import {
  UNKNOWN_CONFIGURATION,
  type Configuration,
  type Trial,
  type TrialError,
} from '../../../model/trial.ts'
import { countedOf, fingerprint, originOf, runFolder, type RunFolder } from '../coding-run.ts'
import { tellDoubts, tellNoOutcome } from '../doubts.ts'
import { asId, asList, asNumber, asObject, asText, isBare, member, others } from '../fields.ts'
import type { Importer, RawTrial, Sink, Sniff, Source, SourceHead, SourceRecord } from '../importer.ts'
import type { StepDoubt } from '../messages.ts'
import { fileUnder, tellingStem } from '../naming.ts'
import { guarded, placeOf, readRecords } from '../reader.ts'
import { isHarnessText, readFences, readTalk, type Talk } from './messages.ts'
import { joinedBytes, LooseRecords } from '../loose.ts'
import { withoutSecrets } from '../secrets.ts'

const FORMAT = /^mini-swe-agent-(?<version>\d+(?:\.\d+)?)$/
/** The first version that would not be one of the known kind (1, 1.1, …). */
const TOO_NEW = 2
const KNOWN_KEYS = new Set(['info', 'messages', 'trajectory_format', 'instance_id'])
const INFO_KEYS = new Set(['exit_status', 'submission', 'model_stats', 'mini_version', 'config', 'traceback'])
/** Ends by a limit of the agent, or by a person: no breaking of the run. A provider's rate limit is one. */
const LIMIT =
  /^limits?exceeded|(?:cost|step|call)limit|contextwindow|contextlength|format|submitted|interrupt/i
const BROKEN = /error|exception|timeout|expired/i

/** Reads mini-swe-agent trajectories, versions 0, 1 and 1.1. */
export const miniSweAgent: Importer = {
  id: 'mini-swe-agent',
  title: 'mini-swe-agent trajectory',
  version: 1,
  status: 'stable',
  nameHint: /\.traj\.json$/i,
  sniff,
  read,
}

function sniff(head: SourceHead): Sniff {
  const records = head.records.map(({ value }) => asObject(value))
  const first = records[0] ?? null
  if (isTrajectory(first))
    return { confidence: 0.95, reason: 'an object with messages and the info of mini-swe-agent' }
  if (records.length > 1 && records.every((message) => isPlainMessage(message))) {
    const texts = records.map((message) => asText(message?.['content']))
    const answer = records.find((message) => message?.['role'] === 'assistant')
    const { commands } = readFences(asText(answer?.['content']) ?? '')
    if (texts.some(isHarnessText) && (answer === undefined || commands.length > 0))
      return { confidence: 0.93, reason: 'a list of messages with the commands of mini-swe-agent' }
  }
  return { confidence: 0, reason: 'no messages with the info or the commands of mini-swe-agent' }
}

function isTrajectory(fields: JsonObject | null): boolean {
  if (fields === null) return false
  if (FORMAT.test(asText(fields['trajectory_format']) ?? '')) return true
  const info = asObject(fields['info'])
  if (info === null || Object.hasOwn(fields, 'trajectory')) return false
  return (
    Object.hasOwn(info, 'mini_version') ||
    (Object.hasOwn(info, 'exit_status') && asList(fields['messages']) !== null)
  )
}

function isPlainMessage(message: JsonObject | null): boolean {
  return message !== null && asText(message['role']) !== null && Object.hasOwn(message, 'content')
}

function messagesOf(value: Json): readonly Json[] | null {
  const list = asList(value)
  return list !== null && list.some((one) => isPlainMessage(asObject(one))) ? list : null
}

async function read(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const loose = new LooseRecords(sink)
  let unknown = 0
  const give = async (raw: RawTrial | null): Promise<void> => {
    if (raw === null) return
    if (raw.trial.outcome === 'unknown') unknown += 1
    await sink.trial(raw)
  }
  for await (const record of readRecords(source, sink, signal)) {
    const fields = asObject(record.value)
    // A list in a list, or on a line of its own, is a trial as well.
    const messages = asList(fields?.['messages']) ?? messagesOf(record.value)
    if (messages !== null)
      await give(guarded(record, sink, () => toRaw(fields, messages, [record], source, sink)))
    else if (isPlainMessage(fields)) loose.take(record, placeOf(record))
    else
      sink.problem({
        severity: 'error',
        code: 'RECORD_INVALID',
        message: 'The record is neither a message nor an object with messages: skipped.',
        ...placeOf(record),
      })
  }
  for (const records of loose.conversations()) {
    const messages = records.map(({ value }) => value)
    await give(guarded(records[0], sink, () => toRaw(null, messages, records, source, sink)))
  }
  tellNoOutcome(unknown, 'patch', sink)
}

/** A trial from an object, or from a bare list of messages when `fields` is null. */
function toRaw(
  fields: JsonObject | null,
  messages: readonly Json[],
  records: readonly SourceRecord[],
  source: Source,
  sink: Sink,
): RawTrial | null {
  const first = records[0] as SourceRecord
  const version = FORMAT.exec(asText(fields?.['trajectory_format']) ?? '')?.groups?.['version']
  if (version !== undefined && Number(version) >= TOO_NEW) {
    sink.problem({
      severity: 'error',
      code: 'FORMAT_NEWER',
      message: `“trajectory_format”: mini-swe-agent-${version} is newer than this program: not read.`,
      ...placeOf(first),
    })
    return null
  }
  const doubts: StepDoubt[] = []
  if (fields !== null)
    doubts.push({
      code: 'FORMAT_BETA',
      message: 'Trajectories of versions 1 and 1.1 were not tried on real files (beta).',
    })
  const trial = toTrial(fields ?? {}, readTalk(messages, doubts), source)
  tellDoubts(doubts, placeOf(first), null, sink)
  return {
    trial,
    recordBytes: joinedBytes(records.map(({ bytes }) => bytes)),
    identitySalt: trial.steps.length === 0 ? wellFormed(source.name) : null,
    sourceKey: null,
    record: first.index,
    line: first.line,
    byteOffset: first.byteOffset,
  }
}

function toTrial(fields: JsonObject, talk: Talk, source: Source): Trial {
  const info = asObject(fields['info']) ?? {}
  const name = source.name.replace(/(?:\.traj)?\.json(?:\.gz)?$/i, '')
  const own = asId(fields['instance_id']) ?? asId(info['instance_id'])
  const filed = fileUnder(name, talk.prompt, tellingStem(name) ?? 'unknown')
  const task = own ?? tellingStem(name) ?? filed.task
  const folder = runFolder(source.name, [task, tellingStem(name)])
  const stated = asText(info['exit_status'])
  const status = stated === null || stated === '' ? (talk.isSubmitted ? 'Submitted' : null) : stated
  const error = errorOf(stated, info)
  return {
    sourceId: null,
    suite: 'mini-swe-agent',
    task,
    taskTitle: null,
    taskInput: talk.prompt,
    configuration: configurationOf(info, folder),
    sourceTrial: folder.number,
    seed: null,
    outcome: error === null ? 'unknown' : 'error',
    score: null,
    scoreRaw: null,
    scores: {},
    scorer: null,
    termination: status,
    error,
    severeErrors: [],
    usage: talk.usage,
    costUsd: countedOf(asNumber(member(info['model_stats'], 'instance_cost'))),
    startedAt: talk.startedAt,
    endedAt: talk.endedAt,
    timeNaive: false,
    steps: talk.steps,
    extra: extraOf(fields, info, error !== null),
  }
}

/** A run that an exception ended: its name is the status, its words are where the submission would be. */
function errorOf(status: string | null, info: JsonObject): TrialError | null {
  if (status === null || !BROKEN.test(status) || LIMIT.test(status)) return null
  const message = asText(info['submission']) ?? asText(info['exception'])
  return {
    type: oneLine(status, 120),
    message: message === '' ? null : message,
    origin: originOf(`${status} ${message ?? ''}`),
  }
}

function configurationOf(info: JsonObject, folder: RunFolder): Configuration {
  const config = asObject(info['config'])
  const agent = asObject(config?.['agent'])
  const model = asObject(config?.['model'])
  const modelName = asText(model?.['model_name'])
  const prompts = Object.entries(agent ?? {}).filter(([key]) => key.endsWith('template'))
  const params: [string, Json | undefined][] = [
    ['model', withoutSecrets(asObject(model?.['model_kwargs']) ?? {})],
    ['stepLimit', agent?.['step_limit']],
    ['costLimit', agent?.['cost_limit']],
    ['agentType', config?.['agent_type']],
    ['modelType', config?.['model_type']],
  ]
  return {
    ...UNKNOWN_CONFIGURATION,
    // A folder's name stands in for what the file does not say.
    label: modelName === null ? folder.label : null,
    model: modelName,
    agent: 'mini-swe-agent',
    agentVersion: asId(info['mini_version']),
    promptVersion: prompts.length === 0 ? null : fingerprint(Object.fromEntries(prompts)),
    environment: asText(config?.['environment_type']),
    params: Object.fromEntries(params.filter(([, value]) => !isBare(value)) as [string, Json][]),
  }
}

function extraOf(fields: JsonObject, info: JsonObject, isBroken: boolean): Record<string, Json> {
  const extra: [string, Json | undefined][] = [
    ['submission', isBroken || info['submission'] === '' ? undefined : info['submission']],
    ['modelStats', info['model_stats']],
    ['traceback', info['traceback']],
    ['info', others(info, INFO_KEYS)],
    ...Object.entries(others(fields, KNOWN_KEYS) ?? {}),
  ]
  return Object.fromEntries(extra.filter(([, value]) => !isBare(value)) as [string, Json][])
}
