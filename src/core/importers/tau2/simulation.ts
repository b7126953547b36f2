// One tau2 simulation as a trial, in the light of its file. Pure: a parsed simulation in, a trial and doubts out.
// Checks of the reward, reviews and expected actions are kept as evidence in `extra`; nothing of them is judged anew.

import { canonicalJson, type Json, type JsonObject } from '../../../base/json.ts'
import type { Outcome } from '../../../model/outcome.ts'
import type { SevereEvent, Trial, TrialError } from '../../../model/trial.ts'
import { isNaive } from '../faultline-fields.ts'
import { asId, asList, asNumber, asObject, asText, isBare, member, others, shortened } from '../fields.ts'
import type { ParseNote } from '../importer.ts'
import type { StepDoubt } from '../messages.ts'
import type { ResultFacts, TaskFacts } from './facts.ts'
import { readTalk, type Talk } from './messages.ts'
import { messagesOfTicks } from './ticks.ts'

/** How far a reward may be from 1 and still be a success: the harness's own rule. */
const REWARD_TOLERANCE = 1e-6

/** Endings that are not the agent's doing, whatever reward was written for them. */
const NOT_THE_AGENT: ReadonlyMap<string, TrialError['origin']> = new Map([
  ['infrastructure_error', 'infra'],
  ['unexpected_error', 'unknown'],
  ['user_error', 'user_sim'],
])

/** Fields that are read into the trial, or too long and repeated in every simulation. */
const KNOWN = new Set([
  'id',
  'task_id',
  'timestamp',
  'start_time',
  'end_time',
  'termination_reason',
  'agent_cost',
  'reward_info',
  'messages',
  'ticks',
  'trial',
  'seed',
  'policy',
])

/** A trial with what identifies it. */
export type SimulationTrial = {
  readonly trial: Trial
  readonly sourceKey: string | null
  readonly identitySalt: string | null
}

/** True for an object that has what every simulation has. */
export function isSimulation(value: Json): value is JsonObject {
  const simulation = asObject(value)
  return (
    simulation !== null &&
    asId(simulation['task_id']) !== null &&
    ['id', 'messages', 'ticks', 'reward_info', 'termination_reason'].some((key) =>
      Object.hasOwn(simulation, key),
    )
  )
}

/** The trial that a simulation describes. Doubts are appended. */
export function readSimulation(
  simulation: JsonObject,
  facts: ResultFacts,
  task: TaskFacts | null,
  notes: readonly ParseNote[],
  doubts: StepDoubt[],
): SimulationTrial {
  const id = asId(simulation['id'])
  const taskId = asId(simulation['task_id']) ?? ''
  const talk = talkOf(simulation, doubts)
  const reward = asObject(simulation['reward_info'])
  const score = asNumber(reward?.['reward'])
  const termination = asText(simulation['termination_reason'])
  const error = errorOf(termination, asText(member(reward?.['info'], 'note')))
  const outcome = outcomeOf(error, score)
  if (outcome === 'unknown')
    doubts.push({
      code: 'OUTCOME_MISSING',
      message: `The simulation of task ${taskId} has no reward that is a number: kept with unknown outcome.`,
    })
  const startedAt = asText(simulation['start_time'])
  const endedAt = asText(simulation['end_time'])
  const trial: Trial = {
    sourceId: id,
    suite: facts.suite,
    task: taskId,
    taskTitle: task?.title ?? null,
    taskInput: task?.input ?? null,
    configuration: facts.configuration,
    sourceTrial: asId(simulation['trial']),
    seed: asId(simulation['seed']),
    outcome,
    score,
    scoreRaw: notNumber(notes) ?? reward?.['reward'] ?? null,
    scores: scoresOf(reward, score),
    scorer: 'tau2 reward',
    termination,
    error,
    severeErrors: severeErrorsOf(simulation['review'], talk),
    usage: talk.agentUsage,
    costUsd: asNumber(simulation['agent_cost']),
    startedAt,
    endedAt,
    timeNaive: isNaive(startedAt, endedAt),
    steps: talk.steps,
    extra: extraOf(simulation, reward, facts, task, talk),
  }
  return {
    trial,
    sourceKey: id,
    // Without an id of its own, a simulation holds nothing of its file: the same bytes can come from another run.
    identitySalt: id === null ? canonicalJson([facts.suite, facts.about]) : null,
  }
}

function talkOf(simulation: JsonObject, doubts: StepDoubt[]): Talk {
  const messages = asList(simulation['messages'])
  const ticks = asList(simulation['ticks'])
  for (const key of ['messages', 'ticks'] as const)
    if (!isBare(simulation[key]) && asList(simulation[key]) === null)
      doubts.push({ code: 'RECORD_INVALID', message: `${key} is not a list: not read.` })
  if (messages !== null && (messages.length > 0 || ticks === null)) return readTalk(messages, doubts)
  return readTalk(messagesOfTicks(ticks ?? []), doubts)
}

function notNumber(notes: readonly ParseNote[]): string | null {
  return (
    notes.find((note) => note.kind === 'not-a-number' && note.path === '/reward_info/reward')?.token ?? null
  )
}

function errorOf(termination: string | null, note: string | null): TrialError | null {
  const origin = termination === null ? undefined : NOT_THE_AGENT.get(termination)
  if (origin !== undefined) return { type: termination, message: note, origin }
  // An error of the agent is its failure, and what it was is worth to be seen.
  return termination === 'agent_error' || termination === 'context_window_exceeded'
    ? { type: termination, message: note, origin: 'agent' }
    : null
}

function outcomeOf(error: TrialError | null, score: number | null): Outcome {
  if (error !== null && error.origin !== 'agent') return 'error'
  if (score === null) return 'unknown'
  return Math.abs(score - 1) <= REWARD_TOLERANCE ? 'pass' : 'fail'
}

function scoresOf(reward: JsonObject | null, score: number | null): Record<string, number | null> {
  const scores: [string, number][] = score === null ? [] : [['reward', score]]
  for (const [name, value] of Object.entries(asObject(reward?.['reward_breakdown']) ?? {})) {
    const part = asNumber(value)
    if (part !== null) scores.push([name, part])
  }
  return Object.fromEntries(scores)
}

/** Errors of the agent that a reviewer marked. Those of the simulated user are no harm that the agent did. */
function severeErrorsOf(review: Json | undefined, talk: Talk): SevereEvent[] {
  return (asList(member(review, 'errors')) ?? []).flatMap((error): SevereEvent[] => {
    const found = asObject(error)
    if (found === null || found['source'] === 'user') return []
    const tags = (asList(found['error_tags']) ?? []).map((tag) => asText(tag)).filter((tag) => tag !== null)
    const severity = asText(found['severity'])
    return [
      {
        step: talk.stepOfTurn.get(asId(found['turn_idx']) ?? '') ?? null,
        kind: tags.join(', ') || 'review',
        severity:
          severity === 'minor' ? 'minor' : severity?.startsWith('critical') === true ? 'severe' : 'major',
        note: asText(found['reasoning']),
      },
    ]
  })
}

function extraOf(
  simulation: JsonObject,
  reward: JsonObject | null,
  facts: ResultFacts,
  task: TaskFacts | null,
  talk: Talk,
): Record<string, Json> {
  const extra: [string, Json][] = []
  const keep = (key: string, value: Json | undefined): void => {
    if (isBare(value) || value === '' || value === 0) return
    extra.push([key, shortened(value as Json)])
  }
  keep('rewardInfo', reward === null ? undefined : withoutEmpty(reward))
  keep('expectedActions', task?.expectedActions)
  keep('criteria', task?.criteria)
  keep('userUsage', talk.userUsage === null ? undefined : { ...talk.userUsage })
  for (const [key, value] of Object.entries(others(simulation, KNOWN) ?? {})) keep(key, value)
  keep('source', facts.about)
  return Object.fromEntries(extra)
}

function withoutEmpty(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => !isBare(item)))
}
