// Faultline JSONL, the neutral format (docs/formats.md): header, config, task, trial, step, score and label
// records. They may come in any order, so a file is read twice: the first pass notes which records belong
// together, the second emits each trial at its last record. Memory is bounded: trials whose records lie apart
// wait in memory up to a budget; what does not fit is left for a further pass. Nothing is spilled to disk.

import { canonicalJson, type Json, type JsonObject } from '../../base/json.ts'
import { plural } from '../../base/text.ts'
import {
  makeSurvey,
  parsed,
  readPass,
  type Section,
  type Survey,
  type TrialPlan,
} from './faultline-survey.ts'
import { readTrial, type Surroundings } from './faultline-trial.ts'
import { asId, asObject, asText } from './fields.ts'
import type {
  Importer,
  ParseNote,
  Problem,
  RecordBytes,
  Sink,
  Sniff,
  Source,
  SourceHead,
} from './importer.ts'
import { parseHeldRecord, type LongTexts } from './longtexts.ts'
import { mayHoldMedia } from './media.ts'
import type { StepDoubt } from './messages.ts'
import { peekMembers } from './peek.ts'
import { guarded, placeOf } from './reader.ts'
import { joinedBytes } from './loose.ts'

/** Bytes of records that may wait for the rest of their trials. */
const WAITING_BYTES = 64 * 1024 * 1024

/** Reads Faultline JSONL, version 1. */
export const faultlineJsonl: Importer = {
  id: 'faultline-jsonl',
  title: 'Faultline JSONL',
  version: 1,
  status: 'stable',
  nameHint: /\.faultline\.jsonl(?:\.gz)?$/i,
  sniff,
  read: (source, sink, signal) => readFaultline(source, sink, signal, WAITING_BYTES),
}

function sniff(head: SourceHead): Sniff {
  const first = asObject(head.records[0]?.value)
  if (first?.['type'] === 'header' && first['format'] === 'faultline')
    return { confidence: 0.99, reason: 'begins with a Faultline header' }
  for (const { value } of head.records) {
    const record = asObject(value)
    const has = (key: string): boolean => record !== null && Object.hasOwn(record, key)
    if (record?.['type'] === 'trial' && has('trial_id') && has('task_id'))
      return { confidence: 0.8, reason: 'trial records with trial_id and task_id, but no header' }
    const isPart =
      (record?.['type'] === 'config' && has('config_id')) ||
      (record?.['type'] === 'task' && has('task_id')) ||
      (record?.['type'] === 'step' && has('trial_id') && has('index'))
    if (isPart) return { confidence: 0.55, reason: `${asText(record['type'])} records, but no header` }
  }
  return { confidence: 0, reason: 'no Faultline header and no trial records' }
}

/** Reads a source with a given budget of waiting bytes (tests use a small one). */
export async function readFaultline(
  source: Source,
  sink: Sink,
  signal: AbortSignal,
  waitingBytes: number,
): Promise<void> {
  const survey = await makeSurvey(source, sink, signal)
  if (survey.isNewer) return
  for (let pass = 1; ; pass += 1) {
    const { isLeft, emitted } = await emitTrials(source, sink, signal, survey, waitingBytes, pass)
    // What is left and does not come is no longer there.
    if (!isLeft || emitted === 0) break
  }
  reportOrphans(survey, sink)
  reportGone(survey, sink)
}

type Waiting = { readonly section: Section; readonly plan: TrialPlan; readonly records: RecordBytes[] }

/** Emits the trials that fit; says how many, and whether some were left for another pass. */
async function emitTrials(
  source: Source,
  sink: Sink,
  signal: AbortSignal,
  survey: Survey,
  budget: number,
  number: number,
): Promise<{ readonly isLeft: boolean; readonly emitted: number }> {
  const waiting = new Map<TrialPlan, Waiting>()
  let emitted = 0
  let reserved = 0
  let isLeft = false
  let at = 0
  for await (const record of readPass(source, sink, signal, number, survey.places)) {
    const peeked = peekMembers(record.bytes, ['type', 'trial_id'])
    const type = asText(peeked['type'])
    if (type === 'header') at += 1
    const section = survey.sections[at]
    const id = asId(peeked['trial_id'])
    const trial = id === null ? undefined : section?.trials.get(id)
    if (section === undefined || trial === undefined || trial.trial < 0 || trial.isDone) continue
    if (trial.records === 1) {
      trial.isDone = true
      emitted += 1
      await emit([record], section, trial, sink)
      continue
    }
    let known = waiting.get(trial)
    if (known === undefined) {
      // One that was passed over at its first record is not taken up in the middle.
      if (record.index !== trial.first || (waiting.size > 0 && reserved + trial.bytes > budget)) {
        isLeft = true
        continue
      }
      known = { section, plan: trial, records: [] }
      waiting.set(trial, known)
      reserved += trial.bytes
    }
    // A copy: a view would hold the whole chunk that it was read in.
    known.records.push({ ...record, bytes: Buffer.from(record.bytes) })
    if (record.index !== trial.last) continue
    waiting.delete(trial)
    reserved -= trial.bytes
    trial.isDone = true
    emitted += 1
    await emit(known.records, section, trial, sink)
  }
  return { isLeft, emitted }
}

async function emit(
  records: readonly RecordBytes[],
  section: Section,
  trial: TrialPlan,
  sink: Sink,
): Promise<void> {
  const main = records.find((record) => record.index === trial.trial)
  const first = main ?? records[0]
  if (main === undefined || first === undefined) return
  const parts = {
    steps: [] as Json[],
    scores: [] as JsonObject[],
    labels: [] as JsonObject[],
    unknown: [] as JsonObject[],
  }
  const twins: RecordBytes[] = []
  for (const record of records) {
    if (record === main) continue
    const value = parsed(record, sink)?.value
    if (value === undefined) continue
    const { type, trial_id: _, ...rest } = value
    if (type === 'step') parts.steps.push(value)
    else if (type === 'score') parts.scores.push(rest)
    else if (type === 'label') parts.labels.push(rest)
    else if (type === 'trial') twins.push(record)
    else parts.unknown.push(value)
  }
  const own = records.filter((record) => !twins.includes(record))
  await emitOne(main, own, section, parts, sink)
  for (const twin of twins) {
    sink.problem({
      severity: 'warning',
      code: 'RECORD_DUPLICATE',
      message: `A second trial record with a trial_id of line ${main.line}; its steps, scores and labels went to the first.`,
      ...placeOf(twin),
    })
    await emitOne(twin, [twin], section, { steps: [], scores: [], labels: [], unknown: [] }, sink)
  }
}

async function emitOne(
  main: RecordBytes,
  records: readonly RecordBytes[],
  section: Section,
  parts: Parameters<typeof readTrial>[2],
  sink: Sink,
): Promise<void> {
  const held = records.length === 1 ? heldSteps(main, sink) : null
  const record = held ?? parsed(main, sink)
  if (record === null) return
  const raw = guarded(main, sink, () => {
    const doubts: StepDoubt[] = []
    const around = surroundingsOf(record.value, section, doubts)
    const trial = readTrial(record.value, around, parts, record.notes, doubts)
    if (trial === null) doubts.push({ code: 'RECORD_INVALID', message: 'The trial has no task_id: skipped.' })
    report(doubts, main, sink)
    if (trial === null) return null
    const id = asId(record.value['trial_id'])
    const scope =
      asId(section.header?.['source']) ??
      canonicalJson([trial.suite, trial.task, trial.configuration.label, trial.configuration.model])
    return {
      trial,
      recordBytes: records.length === 1 ? main.bytes : joinedBytes(records.map((one) => one.bytes)),
      // Suite and configuration stand in other records: without them, equal lines of two files would be one.
      identitySalt: canonicalJson([trial.suite, trial.configuration]),
      sourceKey: id === null ? null : `faultline:${scope}:${id}`,
      ...(held === null ? {} : { held: held.texts }),
      record: main.index,
      line: main.line,
      byteOffset: main.byteOffset,
    }
  })
  if (raw !== null) await sink.trial(raw)
}

/** The trial record with its steps' long texts held, when the sink takes that and nothing has to look at them. */
function heldSteps(
  main: RecordBytes,
  sink: Sink,
): { value: JsonObject; notes: readonly ParseNote[]; texts: LongTexts } | null {
  if (sink.isFleeting !== true || mayHoldMedia(main.bytes)) return null
  const long = parseHeldRecord(main, 'steps', 'content')
  const value = asObject(long?.value)
  return long === null || value === null ? null : { value, notes: [], texts: long.texts }
}

function surroundingsOf(record: JsonObject, section: Section, doubts: StepDoubt[]): Surroundings {
  const configId = asId(record['config_id'])
  const only = section.configs.size === 1 ? ([...section.configs.values()][0] ?? null) : null
  const config = configId === null ? only : (section.configs.get(configId) ?? null)
  if (configId !== null && config === null)
    doubts.push({
      code: 'REFERENCE_MISSING',
      message: `No config record has the id ${configId.slice(0, 60)}: a configuration of that name is assumed.`,
    })
  const taskId = asId(record['task_id'])
  const task = taskId === null ? null : (section.tasks.get(taskId) ?? null)
  return { header: section.header, config, task }
}

function report(doubts: readonly StepDoubt[], record: RecordBytes, sink: Sink): void {
  for (const code of new Set(doubts.map((doubt) => doubt.code))) {
    const same = doubts.filter((doubt) => doubt.code === code)
    const severity: Problem['severity'] =
      code === 'RECORD_INVALID' ? 'error' : code === 'REFERENCE_MISSING' ? 'info' : 'warning'
    const more = same.length > 1 ? ` And ${same.length - 1} more in this record.` : ''
    sink.problem({ severity, code, message: `${same[0]?.message}${more}`, ...placeOf(record) })
  }
}

/** Trials that the first pass saw and a later one did not meet: somebody writes to the file. */
function reportGone(survey: Survey, sink: Sink): void {
  const gone = survey.sections
    .flatMap((section) => [...section.trials.values()])
    .filter((trial) => trial.trial >= 0 && !trial.isDone)
  if (gone.length === 0) return
  sink.problem({
    severity: 'error',
    code: 'JSON_CUT_OFF',
    message: `${plural(gone.length, 'trial')} ${gone.length === 1 ? 'was' : 'were'} in the file when it was first looked at and no longer when ${gone.length === 1 ? 'it was' : 'they were'} read: the file was changed meanwhile.`,
    hint: 'Import it again when nothing writes to it any more.',
  })
}

function reportOrphans(survey: Survey, sink: Sink): void {
  let trials = 0
  let records = 0
  for (const section of survey.sections)
    for (const trial of section.trials.values())
      if (trial.trial < 0) {
        trials += 1
        records += trial.records
      }
  if (trials > 0)
    sink.problem({
      severity: 'warning',
      code: 'RECORD_ORPHAN',
      message: `${plural(records, 'step, score or label record')} of ${plural(trials, 'trial')} that ${trials === 1 ? 'is' : 'are'} not in this file: not read.`,
      hint: 'Put the trial records into the same file. Joining labels to trials imported earlier is not possible in this version.',
    })
}
