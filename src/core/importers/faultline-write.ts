// Writing trials as Faultline JSONL (docs/formats.md): what is written here reads back as equal trials.
// Used by the export and by round-trip tests. Streams: one string per record, never the whole file.

import { canonicalJson, type Json, type JsonObject } from '../../base/json.ts'
import type { Trial } from '../../model/trial.ts'
import {
  DEFAULT_SUITE,
  FAULTLINE_VERSION,
  isNaive,
  writeConfiguration,
  writeUsage,
} from './faultline-fields.ts'
import { writeStep } from './faultline-steps.ts'

/** What the header says. `createdAt` is an ISO time; without it the output depends on the trials only. */
export type FaultlineHeader = {
  readonly producer: string
  readonly createdAt?: string
  /** Name of the body of data in which trial ids are unique. */
  readonly source?: string
  readonly suite?: string
}

/** Trials as lines, each with its line feed: header, then each config and task before its first trial. */
export function* writeFaultlineJsonl(trials: Iterable<Trial>, header: FaultlineHeader): Generator<string> {
  const suite = header.suite ?? DEFAULT_SUITE
  yield line({
    type: 'header',
    format: 'faultline',
    version: FAULTLINE_VERSION,
    created_at: header.createdAt,
    producer: header.producer,
    source: header.source,
    suite,
  })
  const configs = new Map<string, string>()
  const tasks = new Map<string, Trial>()
  const usedIds = new Set<string>()
  let number = 0
  for (const trial of trials) {
    number += 1
    const configKey = canonicalJson(trial.configuration)
    let configId = configs.get(configKey)
    if (configId === undefined) {
      configId = `c${configs.size + 1}`
      configs.set(configKey, configId)
      yield line(writeConfiguration(trial.configuration, configId))
    }
    // Tasks of one id in two suites share a record key: the second keeps its texts on its trials.
    let described = tasks.get(trial.task)
    if (described === undefined) {
      described = trial
      tasks.set(trial.task, trial)
      yield line({
        type: 'task',
        task_id: trial.task,
        title: trial.taskTitle ?? undefined,
        input: trial.taskInput ?? undefined,
      })
    }
    let id = trial.sourceId ?? `trial-${number}`
    for (let n = 2; usedIds.has(id); n += 1) id = `${trial.sourceId ?? `trial-${number}`}~${n}`
    usedIds.add(id)
    yield line(writeTrial(trial, id, configId, suite, described))
  }
}

function writeTrial(trial: Trial, id: string, configId: string, suite: string, described: Trial): JsonObject {
  const record: Record<string, Json | undefined> = {
    type: 'trial',
    trial_id: id,
    // The trial's own id in its source, when the written one had to be made up.
    source: id === trial.sourceId ? undefined : { id: trial.sourceId },
    task_id: trial.task,
    suite: trial.suite === suite ? undefined : trial.suite,
    task_title: trial.taskTitle === described.taskTitle ? undefined : trial.taskTitle,
    task_input: trial.taskInput === described.taskInput ? undefined : trial.taskInput,
    config_id: configId,
    trial_index: trial.sourceTrial ?? undefined,
    seed: trial.seed ?? undefined,
    started_at: trial.startedAt ?? undefined,
    ended_at: trial.endedAt ?? undefined,
    time_naive: trial.timeNaive === isNaive(trial.startedAt, trial.endedAt) ? undefined : trial.timeNaive,
    outcome: trial.outcome,
    score: trial.score,
    score_raw: trial.scoreRaw === trial.score ? undefined : trial.scoreRaw,
    scores: Object.keys(trial.scores).length === 0 ? undefined : trial.scores,
    scorer: trial.scorer ?? undefined,
    termination_reason: trial.termination ?? undefined,
    error: trial.error === null ? undefined : { ...trial.error },
    severe_errors:
      trial.severeErrors.length === 0 ? undefined : trial.severeErrors.map((event) => ({ ...event })),
    usage: trial.usage === null ? undefined : writeUsage(trial.usage),
    cost_usd: trial.costUsd ?? undefined,
    steps: trial.steps.map(writeStep),
    extra: Object.keys(trial.extra).length === 0 ? undefined : trial.extra,
  }
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  )
}

/** One record as a line. JSON.stringify escapes lone surrogates, so the bytes are valid UTF-8. */
function line(record: { readonly [key: string]: Json | undefined }): string {
  return `${JSON.stringify(record)}\n`
}
