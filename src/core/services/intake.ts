// From what an importer read to what the store writes: identity, columns, compressed blocks. Runs in the import
// thread, where hashing and compressing hold nobody up. No database, no file.

import type { RawTrial } from '../importers/importer.ts'
import { longTextsOf } from '../importers/longtexts.ts'
import type { Step, Trial } from '../../model/trial.ts'
import { wellFormed } from '../../base/text.ts'
import { pack, packElsewhere } from '../store/blobs.ts'
import { bodyHash, configurationKey, contentHash, sourceKey, taskId, trialId } from '../store/identity.ts'
import type { PreparedTrial } from '../store/ingest.ts'
import { ownPart, packBeside } from '../store/rawblocks.ts'
import { giveBack, jsonBytes } from './bodytext.ts'

/** Tool names that a trial's row keeps; more are not worth a column. */
const TOOLS_KEPT = 100

/** Trials below this are compressed where they are: handing them over would cost more. */
const ELSEWHERE_BYTES = 32 * 1024

/** A trial that still has to be compressed. */
export type UnpackedTrial = Omit<PreparedTrial, 'body' | 'raw'> & {
  readonly body: Uint8Array
  readonly raw: Uint8Array
  /** What of the record is kept beside the body; null: all of it. */
  readonly own: Buffer | null
}

/** Compresses a trial's blocks; long ones off this thread, several at once. */
export function packTrial(trial: UnpackedTrial): PreparedTrial | Promise<PreparedTrial> {
  const { body, raw, own, ...columns } = trial
  if (body.byteLength + raw.byteLength < ELSEWHERE_BYTES) {
    const packed = { ...columns, body: pack(body), raw: pack(raw) }
    giveBack(body)
    return packed
  }
  // A copy: the record's memory is used again before it is compressed.
  const packedRaw = own === null ? packElsewhere(Buffer.from(raw)) : packBeside(own, raw.byteLength)
  return Promise.all([packElsewhere(body), packedRaw]).then((packed) => {
    giveBack(body)
    return { ...columns, body: packed[0], raw: packed[1] }
  })
}

/**
 * Prepares one trial. `suite` replaces the source's suite when the person gave one. `repeat` is how often the same
 * bytes, with neither id nor steps, have been met before in the same file: equal lines of a bare list of outcomes are
 * repeats, not copies.
 */
export function prepareTrial(
  raw: RawTrial,
  format: string,
  suite: string | null,
  repeat: number,
): UnpackedTrial {
  const trial = raw.trial
  const inSuite = wellFormed(suite ?? trial.suite)
  const salt = repeat === 0 ? raw.identitySalt : `${raw.identitySalt ?? ''}\0repeat ${repeat}`
  const hash = contentHash(raw.recordBytes, salt)
  const configuration = configurationKey(trial.configuration)
  const task = wellFormed(trial.task)
  const texts = raw.held ?? longTextsOf(raw.recordBytes)
  const { bytes: body, shared } = jsonBytes({ steps: trial.steps, extra: trial.extra }, texts)
  const startedMs = timeOf(trial.startedAt)
  const endedMs = timeOf(trial.endedAt)
  return {
    trialId: trialId(hash),
    contentHash: hash,
    sourceKey: sourceKey(format, inSuite, configuration.id, raw.sourceKey),
    taskId: taskId({ suite: inSuite, task }),
    suite: inSuite,
    task,
    title: text(trial.taskTitle),
    input: text(trial.taskInput),
    configurationId: configuration.id,
    configuration: configuration.content,
    configurationLabel: text(trial.configuration.label),
    model: text(trial.configuration.model),
    outcome: trial.outcome,
    score: number(trial.score),
    scoreRaw: JSON.stringify(trial.scoreRaw),
    scores: JSON.stringify(trial.scores),
    scorer: text(trial.scorer),
    termination: text(trial.termination),
    error: trial.error === null ? null : JSON.stringify(trial.error),
    severeEvents: JSON.stringify(trial.severeErrors),
    severeCount: trial.severeErrors.filter((event) => event.severity === 'severe').length,
    ...countSteps(trial.steps),
    inputTokens: whole(trial.usage?.inputTokens),
    outputTokens: whole(trial.usage?.outputTokens),
    cachedTokens: whole(trial.usage?.cachedInputTokens),
    costUsd: number(trial.costUsd),
    durationMs: startedMs === null || endedMs === null || endedMs < startedMs ? null : endedMs - startedMs,
    startedMs,
    startedAt: text(trial.startedAt),
    endedAt: text(trial.endedAt),
    timeNaive: trial.timeNaive,
    sourceId: text(trial.sourceId),
    sourceTrial: text(trial.sourceTrial),
    seed: text(trial.seed),
    body,
    bodyHash: bodyHash(body),
    raw: raw.recordBytes,
    own: shared.length === 0 ? null : ownPart(raw.recordBytes, body, shared),
    record: raw.record,
    line: raw.line,
    byteOffset: raw.byteOffset,
  }
}

/** Text as SQLite can keep it: a lone surrogate is written out, as it is shown. */
function text(value: string | null): string | null {
  return value === null ? null : wellFormed(value)
}

function number(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null
}

/** A count as an integer column; what is none is not known. */
function whole(value: number | null | undefined): number | null {
  return value != null && Number.isFinite(value) ? Math.round(value) : null
}

/** Milliseconds of an ISO time, for ordering and durations; a time without a zone is taken as UTC. */
function timeOf(time: string | null): number | null {
  if (time === null) return null
  const isNaive = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(time)
  const ms = Date.parse(isNaive ? `${time.replace(' ', 'T')}Z` : time)
  return Number.isSafeInteger(ms) ? ms : null
}

function countSteps(
  steps: Trial['steps'],
): Pick<PreparedTrial, 'stepCount' | 'callCount' | 'toolErrors' | 'tools'> {
  const tools = new Set<string>()
  let callCount = 0
  let toolErrors = 0
  for (const step of steps) {
    for (const call of step.calls ?? []) {
      callCount += 1
      if (tools.size < TOOLS_KEPT) tools.add(wellFormed(call.name))
    }
    // A result that answers no recorded call still says which tool was used.
    if (step.toolName !== undefined && tools.size < TOOLS_KEPT) tools.add(wellFormed(step.toolName))
    if (isToolError(step)) toolErrors += 1
  }
  return { stepCount: steps.length, callCount, toolErrors, tools: JSON.stringify([...tools]) }
}

function isToolError(step: Step): boolean {
  return step.isError === true && (step.kind === 'tool_result' || step.role === 'tool')
}
