// ATIF trajectories by themselves (harbor-framework's interchange format): one file, or a folder of trajectory.json
// with its continuations and sub-agents. One trajectory is one trial. It says nothing of task and outcome: the
// instruction stands for the task, and the outcome is unknown until it is attached.

import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '../../../base/json.ts'
import { oneLine } from '../../../base/text.ts'
import { UNKNOWN_CONFIGURATION, type Trial } from '../../../model/trial.ts'
import { inside, tellDoubts } from '../doubts.ts'
import { isNaive } from '../faultline-fields.ts'
import { asId, asObject, isBare, member } from '../fields.ts'
import type { Importer, Sink, Sniff, Source, SourceHead, SourceRecord } from '../importer.ts'
import type { StepDoubt } from '../messages.ts'
import { guarded, noteRecord, placeOf, readRecords } from '../reader.ts'
import { readTrajectory, type Trajectory } from './trajectory.ts'
import { readFiles, TRAJECTORY } from './files.ts'
import { atifVersion, looksLikeAtif } from './version.ts'

const PART = /^trajectory\..+\.json$/
/** The suite of trajectories that stand alone. */
const SUITE = 'atif'
const TITLE_CHARACTERS = 160

/** Reads lone ATIF trajectories, versions 1.0 to 1.8. */
export const atif: Importer = {
  id: 'atif',
  title: 'ATIF trajectory',
  version: 1,
  status: 'stable',
  nameHint: /trajectory/i,
  folder: { markers: [TRAJECTORY], owns: (name) => name === TRAJECTORY || PART.test(name) },
  sniff,
  read,
}

/** True for a trajectory or a part of one, wherever in the folder. */
function isPart(name: string): boolean {
  const base = name.split('/').at(-1) ?? name
  return base === TRAJECTORY || PART.test(base)
}

function sniff(head: SourceHead): Sniff {
  if (head.markers === undefined)
    return head.shape === 'values' || head.shape === 'array'
      ? looksLikeAtif(head.records[0]?.value)
      : { confidence: 0, reason: 'no JSON object' }
  const found = looksLikeAtif(head.markers.get(TRAJECTORY)?.[0]?.value)
  return found.confidence > 0 && head.entries?.some((name) => PART.test(name)) === true
    ? { confidence: found.confidence, reason: `a folder with ${TRAJECTORY} and its parts (${found.reason})` }
    : { confidence: 0, reason: `a folder without ${TRAJECTORY} and parts of it` }
}

async function read(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const entries = await source.entries(signal)
  if (entries.length === 0) {
    for await (const record of readRecords(source, sink, signal))
      await take(record, new Map(), null, record.bytes, sink)
    return
  }
  const { records, values, bytes } = await readFiles(
    entries.filter((entry) => isPart(entry.name)),
    sink,
    signal,
  )
  const main = records.get(TRAJECTORY)
  if (main !== undefined) await take(main, values, TRAJECTORY, bytes, sink)
  sink.progress({ bytesRead: source.bytesRead(), bytesTotal: source.size, records: records.size })
}

async function take(
  record: SourceRecord,
  files: ReadonlyMap<string, JsonObject>,
  name: string | null,
  bytes: Buffer,
  sink: Sink,
): Promise<void> {
  const place = name === null ? placeOf(record) : { record: record.index }
  if (name !== null) noteRecord(record, sink)
  const root = asObject(record.value)
  const refused = root === null ? 'The record is not a trajectory: skipped.' : refusal(root)
  if (root === null || refused !== null) {
    const isNewer = root !== null && atifVersion(root)?.isNewer === true
    sink.problem({
      severity: 'error',
      code: isNewer ? 'FORMAT_NEWER' : 'RECORD_INVALID',
      message: `${inside(name)}${refused}`,
      ...place,
    })
    return
  }
  const doubts: StepDoubt[] = []
  const raw = guarded(record, sink, () => {
    const trajectory = readTrajectory(root, files, doubts)
    doubts.push(...versionDoubts(root))
    if (trajectory.pieceOf !== null)
      doubts.push({
        code: 'RECORD_ORPHAN',
        message: `The trajectory ${trajectory.pieceOf}, whose file is not beside it: kept as a trial of its own.`,
      })
    doubts.push({
      code: 'OUTCOME_MISSING',
      message: 'A trajectory does not say how it was judged: kept with unknown outcome.',
    })
    return {
      trial: toTrial(root, trajectory),
      recordBytes: bytes,
      identitySalt: null,
      // Session ids are shared by a trajectory, its continuations and its copies; only the newer id is its own.
      sourceKey: trajectory.trajectoryId,
      record: record.index,
      line: name === null ? record.line : null,
      byteOffset: name === null ? record.byteOffset : null,
    }
  })
  tellDoubts(doubts, place, name, sink)
  if (raw !== null) await sink.trial(raw)
}

/** Why a trajectory is not read; null when it is. */
export function refusal(root: JsonObject): string | null {
  const version = atifVersion(root)
  if (version?.isNewer === true)
    return `“schema_version” is ${oneLine(version.text, 40)}, which is newer than this program (it reads 1.0 to 1.8): not read.`
  return Object.hasOwn(root, 'steps') || looksLikeAtif(root).confidence > 0
    ? null
    : 'The record is not a trajectory (no “steps”): skipped.'
}

/** What the version of a trajectory leaves open. */
export function versionDoubts(root: JsonObject): StepDoubt[] {
  const version = atifVersion(root)
  if (version === null)
    return [{ code: 'RECORD_UNKNOWN', message: 'The trajectory names no version of ATIF; read as 1.6.' }]
  return version.isBeta
    ? [
        {
          code: 'FORMAT_BETA',
          message: `ATIF ${oneLine(version.text, 40)} was not tried on a real trajectory (beta).`,
        },
      ]
    : []
}

function toTrial(root: JsonObject, trajectory: Trajectory): Trial {
  const { agent, instruction, firstTime, lastTime } = trajectory
  const named = ['task_name', 'task_id', 'instance_id', 'task'].flatMap(
    (key) => asId(member(root['extra'], key)) ?? [],
  )
  const hash = createHash('sha256')
    .update(instruction ?? '')
    .digest('hex')
  return {
    sourceId: trajectory.trajectoryId ?? trajectory.sessionId,
    suite: SUITE,
    task: named[0] ?? (instruction === null ? 'no instruction' : `instruction ${hash.slice(0, 10)}`),
    taskTitle: instruction === null ? null : oneLine(instruction, TITLE_CHARACTERS),
    taskInput: instruction,
    configuration: {
      ...UNKNOWN_CONFIGURATION,
      label: [agent.name, agent.model].filter((part) => part !== null).join(' ') || null,
      model: agent.model,
      agent: agent.name,
      agentVersion: agent.version,
      toolsVersion: agent.tools,
      params: agent.params,
    },
    sourceTrial: null,
    seed: null,
    outcome: 'unknown',
    score: null,
    scoreRaw: null,
    scores: {},
    scorer: null,
    termination: null,
    error: null,
    severeErrors: [],
    usage: trajectory.usage,
    costUsd: trajectory.costUsd,
    startedAt: firstTime,
    endedAt: lastTime,
    timeNaive: isNaive(firstTime, lastTime),
    steps: trajectory.steps,
    extra: extraOf(root, trajectory),
  }
}

function extraOf(root: JsonObject, trajectory: Trajectory): Record<string, Json> {
  const version = atifVersion(root)
  const all: [string, Json | undefined][] = [
    ['atif', version?.text],
    ['notes', trajectory.notes ?? undefined],
    ['extra', root['extra']],
  ]
  return Object.fromEntries(all.filter((one): one is [string, Json] => !isBare(one[1])))
}
