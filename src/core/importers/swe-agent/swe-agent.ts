// SWE-agent trajectories (github.com/SWE-agent/SWE-agent): a .traj file is one object with the turns of one attempt at
// one instance, and is one trial. Whether the patch solved the instance is never inside: `submitted` is not solved.
// The full prompt that newer files repeat at every turn is left in the original record.

import type { Json, JsonObject } from '../../../base/json.ts'
import { oneLine, wellFormed } from '../../../base/text.ts'
import type { Trial, TrialError } from '../../../model/trial.ts'
import { countedOf } from '../coding-run.ts'
import { tellDoubts, tellNoOutcome } from '../doubts.ts'
import { asId, asList, asNumber, asObject, asText, isBare, member, others } from '../fields.ts'
import type { Importer, RawTrial, Sink, Sniff, Source, SourceHead, SourceRecord } from '../importer.ts'
import type { StepDoubt } from '../messages.ts'
import { fileUnder, tellingStem } from '../naming.ts'
import { guarded, placeOf, readRecords } from '../reader.ts'
import { replayOf, runOf } from './run.ts'
import { isHistoryMessage, isTurn, readTurns } from './steps.ts'

/** How the harness says that the run itself broke. Limits are the agent's own end, and are no error. */
const BROKEN = /^exit_(?:error|environment_error|api)$/
const KNOWN_KEYS = new Set([
  'environment',
  'trajectory',
  'history',
  'info',
  'replay_config',
  'instance_id',
  'attempts',
])
const INFO_KEYS = new Set([
  'exit_status',
  'submission',
  'model_stats',
  // Windows of the edited files, which the patch says too.
  'edited_files30',
  'edited_files50',
  'edited_files70',
  'swe_agent_version',
  'instance_id',
])

/** Reads SWE-agent trajectories. */
export const sweAgent: Importer = {
  id: 'swe-agent',
  title: 'SWE-agent trajectory',
  version: 1,
  status: 'stable',
  nameHint: /\.traj$/i,
  sniff,
  read,
}

function sniff(head: SourceHead): Sniff {
  const fields = asObject(head.records[0]?.value)
  if (isTurn(asList(fields?.['trajectory'])?.[0]))
    return { confidence: 0.95, reason: 'an object with trajectory (action, observation)' }
  if (isHistoryMessage(asList(fields?.['history'])?.[0]))
    return { confidence: 0.9, reason: 'an object with history (role, agent)' }
  if (isEmptyRun(fields)) return { confidence: 0.7, reason: 'an object with an empty trajectory and info' }
  return { confidence: 0, reason: 'no object with trajectory (action, observation) or history (role, agent)' }
}

/** A run that broke before its first turn. */
function isEmptyRun(fields: JsonObject | null): boolean {
  const isEmpty = asList(fields?.['trajectory'])?.length === 0
  return isEmpty && ['exit_status', 'model_stats'].some((key) => member(fields?.['info'], key) !== undefined)
}

async function read(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  let unknown = 0
  for await (const record of readRecords(source, sink, signal)) {
    const raw = guarded(record, sink, () => toRaw(record, source, sink))
    if (raw === null) continue
    if (raw.trial.outcome === 'unknown') unknown += 1
    await sink.trial(raw)
  }
  tellNoOutcome(unknown, 'patch', sink)
}

function toRaw(record: SourceRecord, source: Source, sink: Sink): RawTrial | null {
  const fields = asObject(record.value)
  const turns = asList(fields?.['trajectory']) ?? []
  const history = asList(fields?.['history']) ?? []
  if (fields === null || (!turns.some(isTurn) && !history.some(isHistoryMessage) && !isEmptyRun(fields))) {
    sink.problem({
      severity: 'error',
      code: 'RECORD_INVALID',
      message: 'The record has neither trajectory nor history: skipped.',
      ...placeOf(record),
    })
    return null
  }
  const doubts: StepDoubt[] = []
  const trial = toTrial(fields, readTurns(turns, history, doubts), source)
  tellDoubts(doubts, placeOf(record), null, sink)
  return {
    trial,
    recordBytes: record.bytes,
    // A run that broke before its first turn holds nothing of its own.
    identitySalt: trial.steps.length === 0 ? wellFormed(source.name) : null,
    sourceKey: null,
    record: record.index,
    line: record.line,
    byteOffset: record.byteOffset,
  }
}

function toTrial(fields: JsonObject, told: ReturnType<typeof readTurns>, source: Source): Trial {
  const info = asObject(fields['info']) ?? {}
  const replay = replayOf(fields['replay_config'])
  const problem = asObject(replay?.['problem_statement'])
  const name = source.name.replace(/\.traj(?:\.gz)?$/i, '')
  const stem = tellingStem(name)
  const prompt = asText(problem?.['text']) ?? told.prompt
  const own = asId(fields['instance_id']) ?? asId(info['instance_id']) ?? asId(problem?.['id'])
  const task = own ?? stem ?? fileUnder(null, prompt, stem ?? 'unknown').task
  const run = runOf(source.name, source.path, replay, info, [task, stem])
  const stats = asObject(info['model_stats'])
  const input = asNumber(stats?.['tokens_sent'])
  const output = asNumber(stats?.['tokens_received'])
  const status = asText(info['exit_status'])
  const error = errorOf(status, info)
  return {
    sourceId: null,
    suite: run.data === null || run.data === task || run.data === stem ? 'swe-agent' : run.data,
    task,
    taskTitle: null,
    taskInput: prompt,
    configuration: run.configuration,
    sourceTrial: run.number,
    seed: null,
    outcome: error === null ? 'unknown' : 'error',
    score: null,
    scoreRaw: null,
    scores: {},
    scorer: null,
    termination: status === '' ? null : status,
    error,
    severeErrors: [],
    // A replay counts neither: its zeros are no counts.
    usage:
      countedOf(input) === null && countedOf(output) === null
        ? null
        : { inputTokens: input, outputTokens: output, cachedInputTokens: null },
    costUsd: countedOf(asNumber(stats?.['instance_cost']) ?? asNumber(stats?.['total_cost'])),
    startedAt: null,
    endedAt: null,
    timeNaive: false,
    steps: told.steps,
    extra: extraOf(fields, info, stats),
  }
}

function errorOf(status: string | null, info: JsonObject): TrialError | null {
  if (status === null || !BROKEN.test(status.trim()) || !isBlank(info['submission'])) return null
  const origin = status.trim() === 'exit_error' ? 'unknown' : 'infra'
  return { type: status.trim(), message: null, origin }
}

function isBlank(value: Json | undefined): boolean {
  return isBare(value) || asText(value)?.trim() === ''
}

function extraOf(fields: JsonObject, info: JsonObject, stats: JsonObject | null): Record<string, Json> {
  const extra: [string, Json | undefined][] = [
    ['submission', isBlank(info['submission']) ? undefined : info['submission']],
    ['modelStats', stats === null || Object.values(stats).every((one) => one === 0) ? undefined : stats],
    ['environment', fields['environment']],
    ['info', others(info, INFO_KEYS)],
    ['isDemonstration', Object.keys(fields).join() === 'history' ? true : undefined],
    ['attempts', asList(fields['attempts'])?.map(attemptOf)],
    ...Object.entries(others(fields, KNOWN_KEYS) ?? {}),
  ]
  return Object.fromEntries(extra.filter(([, value]) => !isBare(value)) as [string, Json][])
}

/** What became of an attempt that the harness made and did not choose, or chose: its steps are in the record. */
function attemptOf(value: Json): Json {
  const info = member(value, 'info')
  return {
    exitStatus: oneLine(asText(member(info, 'exit_status')) ?? '', 80),
    turns: asList(member(value, 'trajectory'))?.length ?? 0,
    modelStats: member(info, 'model_stats') ?? null,
  }
}
