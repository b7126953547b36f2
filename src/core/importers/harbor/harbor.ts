// Harbor results (harbor-framework): a job's folder with a folder per trial, a trial's folder, or a trial's result.json
// alone. A trial is its result.json; steps come from agent/trajectory.json and its parts, tests from the verifier's
// report, tokens from the agent's own sessions. Trials are read one at a time; a broken one costs itself only.

import type { Json, JsonObject } from '../../../base/json.ts'
import { oneLine, plural } from '../../../base/text.ts'
import { inside, tellDoubts } from '../doubts.ts'
import { asNumber, asObject, asText, isBare } from '../fields.ts'
import type {
  Importer,
  Problem,
  Sink,
  Sniff,
  Source,
  SourceEntry,
  SourceHead,
  SourceRecord,
} from '../importer.ts'
import type { StepDoubt } from '../messages.ts'
import { guarded, noteRecord, placeOf, readRecords } from '../reader.ts'
import { refusal, versionDoubts } from './atif.ts'
import { joined, readFile, readFiles, readReward, TRAJECTORY, type RewardFile } from './files.ts'
import { unknownField } from './outcome.ts'
import { isSession, sessionUsage } from './sessions.ts'
import { readTrajectory, type Trajectory } from './trajectory.ts'
import { toTrial, type Beside } from './trial.ts'

const RESULT = 'result.json'
/** What a job's or trial's folder holds; everything in these belongs to it, read or not. */
const OWN_FOLDER = /^(?:[^/]+\/)?(?:agent|verifier|artifacts|steps)\//
const OWN_FILE = /^(?:[^/]+\/)?(?:result\.json|config\.json|lock\.json|job\.log|trial\.log|exception\.txt)$/
const TRAJECTORY_FILE = /^agent\/trajectory(?:\.[^/]+)?\.json$/
const NOTHING: Beside = { trajectory: null, sessions: null, ctrf: null }

/** Reads Harbor jobs and trials. */
export const harbor: Importer = {
  id: 'harbor',
  title: 'Harbor job or trial',
  version: 2,
  status: 'beta',
  nameHint: /(?:^|\/)result\.json$/,
  folder: { markers: [RESULT], owns: (name) => OWN_FOLDER.test(name) || OWN_FILE.test(name) },
  sniff,
  read,
}

function sniff(head: SourceHead): Sniff {
  const value = head.markers === undefined ? head.records[0]?.value : head.markers.get(RESULT)?.[0]?.value
  const where = head.markers === undefined ? 'an object' : `a folder with ${RESULT}`
  if (isTrial(value)) return { confidence: 0.96, reason: `${where} with task_name and trial_name` }
  if (isJob(value)) return { confidence: 0.95, reason: `${where} with n_total_trials` }
  return { confidence: 0, reason: `no ${RESULT} with task_name and trial_name, or n_total_trials` }
}

function isTrial(value: Json | undefined): value is JsonObject {
  const result = asObject(value)
  return result !== null && asText(result['task_name']) !== null && asText(result['trial_name']) !== null
}

function isJob(value: Json | undefined): value is JsonObject {
  const result = asObject(value)
  return (
    result !== null &&
    asNumber(result['n_total_trials']) !== null &&
    ['id', 'started_at', 'stats'].some((key) => Object.hasOwn(result, key))
  )
}

async function read(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const entries = await source.entries(signal)
  if (entries.length === 0) await readAlone(source, sink, signal)
  else await readFolder(source, entries, sink, signal)
}

/** A result.json by itself, or several one after another: outcomes without steps. */
async function readAlone(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  let trials = 0
  for await (const record of readRecords(source, sink, signal)) {
    if (isJob(record.value) && !isTrial(record.value)) {
      sink.problem({
        severity: 'error',
        code: 'TRIALS_MISSING',
        message: `This is the summary of a job of ${plural(asNumber(record.value['n_total_trials']) ?? 0, 'trial')}; it holds none of them.`,
        hint: 'Import the folder of the job: every trial stands in a folder of its own.',
        ...placeOf(record),
      })
      continue
    }
    if (await take(record, null, NOTHING, record.bytes, null, sink)) trials += 1
  }
  if (trials > 0)
    sink.problem({
      severity: 'info',
      code: 'TRIALS_MISSING',
      message: 'A result alone has no steps: they stand in agent/trajectory.json beside it.',
      hint: 'Import the folder of the trial or of the job to have them.',
    })
}

async function readFolder(
  source: Source,
  entries: readonly SourceEntry[],
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  const top = entries.find((entry) => entry.name === RESULT)
  const first = top === undefined ? null : await readFile(top, sink, signal)
  tellBeta(sink)
  const report = (records: number): void =>
    sink.progress({ bytesRead: source.bytesRead(), bytesTotal: source.size, records })
  if (first !== null && isTrial(first.value)) {
    await readTrial(first, entries, '', jobOf(first.value), 0, sink, signal)
    report(1)
    return
  }
  const folders = new Map<string, SourceEntry[]>()
  for (const entry of entries) {
    const slash = entry.name.indexOf('/')
    const name = entry.name.slice(0, slash + 1)
    const known = folders.get(name)
    if (slash >= 0 && known === undefined) folders.set(name, [entry])
    else known?.push(entry)
  }
  const job = source.name.split('/').at(-1) ?? null
  let found = 0
  for (const prefix of [...folders.keys()].sort()) {
    signal.throwIfAborted()
    const within = folders.get(prefix) ?? []
    const entry = within.find((one) => one.name === `${prefix}${RESULT}`)
    if (entry === undefined) {
      tellUnfinished(prefix, within, sink)
      continue
    }
    const record = await readFile(entry, sink, signal)
    if (record !== null && (await readTrial(record, within, prefix, job, found, sink, signal))) found += 1
    report(found)
  }
  const planned = first === null ? null : asNumber(asObject(first.value)?.['n_total_trials'])
  if (planned !== null && found < planned)
    sink.problem({
      severity: 'warning',
      code: 'TRIALS_MISSING',
      message: `The job planned ${plural(planned, 'trial')}; ${found.toLocaleString('en-US')} ${found === 1 ? 'was' : 'were'} read.`,
    })
}

function tellBeta(sink: Sink): void {
  sink.problem({
    severity: 'info',
    code: 'FORMAT_BETA',
    message: 'Harbor folders are read after the format’s definition; no real one was at hand (beta).',
  })
}

/** A trial that was started and has no result. Other folders of a job are none. */
function tellUnfinished(prefix: string, entries: readonly SourceEntry[], sink: Sink): void {
  const isTrialFolder = entries.some(({ name }) =>
    /^(?:config\.json|trial\.log|agent\/.*)$/.test(name.slice(prefix.length)),
  )
  if (isTrialFolder)
    sink.problem({
      severity: 'warning',
      code: 'TRIALS_MISSING',
      message: `${inside(prefix.slice(0, -1))}The trial has no ${RESULT}: it was not finished. Not read.`,
    })
}

function jobOf(result: JsonObject): string | null {
  return asText(asObject(result['config'])?.['job_id'])
}

/** One trial's folder; true when it gave a trial. `prefix` is where it lies, with `/` behind, or nothing. */
async function readTrial(
  record: SourceRecord,
  entries: readonly SourceEntry[],
  prefix: string,
  job: string | null,
  index: number,
  sink: Sink,
  signal: AbortSignal,
): Promise<boolean> {
  const name = `${prefix}${RESULT}`
  const inner = (pattern: RegExp): SourceEntry[] =>
    entries.filter((entry) => pattern.test(entry.name.slice(prefix.length)))
  noteRecord({ ...record, index }, sink)
  if (problemOfResult(record.value) !== null)
    return take({ ...record, index }, name, NOTHING, record.bytes, job, sink)
  const parts = await readFiles(inner(TRAJECTORY_FILE), sink, signal)
  const [report] = inner(/^verifier\/ctrf\.json$/)
  const ctrf = report === undefined ? null : asObject((await readFile(report, sink, signal))?.value)
  const doubts: StepDoubt[] = []
  const reward = lacksVerdict(record.value) ? await readReward(inner(/^verifier\//), sink, signal) : null
  if (reward !== null)
    sink.problem({
      severity: 'warning',
      code: 'REFERENCE_MISSING',
      message: `${inside(name)}The result has no verdict of the verifier: its reward is taken from ${oneLine(reward.name.slice(prefix.length), 60)}.`,
      record: index,
    })
  const main = parts.values.get(TRAJECTORY)
  const trajectory = main === undefined ? null : steps(main, parts.values, doubts)
  if (main === undefined)
    doubts.push({
      code: 'REFERENCE_MISSING',
      message: 'The trial has no agent/trajectory.json: kept without steps.',
    })
  const sessions = await sessionUsage(
    entries.filter((entry) => isSession(entry.name)),
    sink,
    signal,
  )
  const where = main === undefined ? name : `${prefix}agent/${TRAJECTORY}`
  tellDoubts(doubts, { record: index }, where, sink)
  const bytes = joined([
    record.bytes,
    ...(main === undefined ? [] : [parts.bytes]),
    ...(reward === null ? [] : [reward.bytes]),
  ])
  const value = withReward(record.value, reward)
  return take({ ...record, value, index }, name, { trajectory, sessions, ctrf }, bytes, job, sink)
}

/** A trial that ended without an exception, and whose result does not say what the verifier gave. */
function lacksVerdict(result: Json): boolean {
  return isTrial(result) && isBare(result['verifier_result']) && isBare(result['exception_info'])
}

function withReward(result: Json, reward: RewardFile | null): Json {
  if (reward === null || !isTrial(result)) return result
  return { ...result, verifier_result: { rewards: reward.rewards } }
}

/** The steps of a trajectory; null, with the reason among the doubts, when it cannot be read. */
function steps(
  main: JsonObject,
  files: ReadonlyMap<string, JsonObject>,
  doubts: StepDoubt[],
): Trajectory | null {
  const refused = refusal(main)
  if (refused !== null) {
    doubts.push({
      code: 'FORMAT_NEWER',
      message: `${refused} The trial is kept without steps.`,
    })
    return null
  }
  doubts.push(...versionDoubts(main))
  return readTrajectory(main, files, doubts)
}

/** Why a result is no trial: the kind of problem and its sentence; null when it is one. */
function problemOfResult(value: Json): { readonly code: Problem['code']; readonly message: string } | null {
  if (!isTrial(value))
    return {
      code: 'RECORD_INVALID',
      message: 'The record is not the result of a trial (no task_name and trial_name): skipped.',
    }
  const field = unknownField(value)
  return field === null
    ? null
    : {
        code: 'FORMAT_NEWER',
        message: `The result of ${oneLine(asText(value['trial_name']) ?? '', 60)} has ${field}: a version of Harbor that this program does not know. Not read, since its outcome cannot be told.`,
      }
}

async function take(
  record: SourceRecord,
  name: string | null,
  beside: Beside,
  bytes: Buffer,
  job: string | null,
  sink: Sink,
): Promise<boolean> {
  const place = name === null ? placeOf(record) : { record: record.index }
  const problem = problemOfResult(record.value)
  if (problem !== null || !isTrial(record.value)) {
    if (problem !== null)
      sink.problem({ severity: 'error', ...problem, message: `${inside(name)}${problem.message}`, ...place })
    return false
  }
  const result = record.value
  const doubts: StepDoubt[] = []
  const raw = guarded(record, sink, () => ({
    trial: toTrial(result, beside, job ?? jobOf(result), doubts),
    recordBytes: bytes,
    identitySalt: null,
    sourceKey: asText(result['id']),
    record: record.index,
    line: name === null ? record.line : null,
    byteOffset: name === null ? record.byteOffset : null,
  }))
  tellDoubts(doubts, place, name, sink)
  if (raw === null) return false
  await sink.trial(raw)
  return true
}
