// One Inspect sample as a trial, in the light of its log. Pure: a parsed sample in, a trial and doubts out.

import { canonicalJson, type Json, type JsonObject } from '../../../base/json.ts'
import { plural } from '../../../base/text.ts'
import type { Step, Trial, TrialError } from '../../../model/trial.ts'
import { isNaive } from '../faultline-fields.ts'
import { asId, asList, asNumber, asObject, asText, isBare, member, shortened } from '../fields.ts'
import type { ParseNote } from '../importer.ts'
import { pairResults, type StepDoubt } from '../messages.ts'
import { Attachments, readParts } from './content.ts'
import { readEvents, type Told } from './events.ts'
import type { LogFacts } from './log.ts'
import { messageSteps, numbered } from './messages.ts'
import { outcomeOf, readScores } from './scores.ts'
import { readTime, sumCost, sumUsage } from './usage.ts'

/** A trial with what identifies it. */
export type SampleTrial = {
  readonly trial: Trial
  readonly sourceKey: string | null
  readonly identitySalt: string | null
  /** Task and epoch, to notice a sample that stands twice in a log. */
  readonly place: string
}

/** True for an object that has what every sample has. */
export function isSample(value: Json): value is JsonObject {
  const sample = asObject(value)
  return (
    sample !== null &&
    asId(sample['id']) !== null &&
    ['epoch', 'input', 'messages', 'events', 'output'].filter((key) => Object.hasOwn(sample, key)).length >= 2
  )
}

/** The trial that a sample describes. Doubts are appended. */
export function readSample(
  sample: JsonObject,
  log: LogFacts,
  notes: readonly ParseNote[],
  doubts: StepDoubt[],
): SampleTrial {
  const task = asId(sample['id']) ?? ''
  const epoch = asId(sample['epoch'])
  const old = asObject(sample['transcript'])
  const attachments = new Attachments(sample['attachments'] ?? old?.['content'])
  const told = readEvents(
    asList(sample['events']) ?? asList(old?.['events']) ?? [],
    asList(member(sample['events_data'], 'messages')) ?? asList(sample['message_pool']) ?? [],
    asList(sample['messages']) ?? [],
    attachments,
    doubts,
  )
  const steps = stepsOf(sample, told, attachments, doubts)
  const scores = readScores(sample, log.scorers, notes)
  const error = readError(sample['error'])
  const isInvalid = !isBare(sample['invalidation'])
  const outcome = isInvalid ? 'unknown' : outcomeOf(error !== null, scores)
  if (outcome === 'unknown')
    doubts.push({
      code: 'OUTCOME_MISSING',
      message: isInvalid
        ? `Sample ${task} was marked as invalid by hand: kept with unknown outcome.`
        : `Sample ${task} ${scores.doubt ?? 'has no outcome'}: kept with unknown outcome.`,
    })
  if (attachments.missing.size > 0)
    doubts.push({
      code: 'REFERENCE_MISSING',
      message: `Sample ${task}: ${plural(attachments.missing.size, 'attachment')} that ${attachments.missing.size === 1 ? 'is' : 'are'} referred to and not there.`,
    })
  const uuid = asText(sample['uuid'])
  const startedAt = readTime(sample['started_at']) ?? told.firstTime
  const endedAt = readTime(sample['completed_at']) ?? told.lastTime
  const trial: Trial = {
    sourceId: uuid ?? `${log.runId ?? ''}:${task}:${epoch ?? ''}`,
    suite: log.suite,
    task,
    taskTitle: null,
    taskInput: inputOf(sample['input'], attachments),
    configuration: log.configuration,
    sourceTrial: epoch,
    seed: log.seed,
    outcome,
    score: scores.score,
    scoreRaw: scores.raw,
    scores: scores.all,
    scorer: scores.scorer,
    termination: terminationOf(sample, error),
    error,
    severeErrors: [],
    usage: sumUsage(sample['model_usage']),
    costUsd: sumCost(sample['model_usage']),
    startedAt,
    endedAt,
    timeNaive: isNaive(startedAt, endedAt),
    steps,
    extra: extraOf(sample, log, told, attachments),
  }
  return {
    trial,
    sourceKey: uuid ?? (log.runId === null ? null : `${log.runId}:${task}:${epoch ?? ''}`),
    // Samples without an id of their own hold nothing of their log: the same bytes can come from another run.
    identitySalt: uuid === null ? canonicalJson([log.runId, log.suite, log.configuration.model]) : null,
    place: canonicalJson([task, epoch]),
  }
}

function stepsOf(
  sample: JsonObject,
  told: Told,
  attachments: Attachments,
  doubts: StepDoubt[],
): readonly Step[] {
  if (told.modelCalls > 0) return pairResults(numbered(told.drafts), doubts)
  const messages = asList(sample['messages']) ?? []
  // Without events the message doubts of the conversation are all there are.
  const drafts = messages.flatMap((message) => messageSteps(message, attachments, doubts))
  const limits = told.drafts.filter((draft) => draft.kind === 'error')
  return pairResults(numbered([...drafts, ...limits]), doubts)
}

function inputOf(value: Json | undefined, attachments: Attachments): string | null {
  const messages = asList(value)
  const contents =
    messages === null
      ? [value]
      : messages.filter((one) => member(one, 'role') !== 'system').map((one) => member(one, 'content'))
  const parts = contents.flatMap((content) => readParts(content, attachments))
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  return texts.length === 0 ? null : texts.join('\n')
}

const INFRA =
  /connection|timed? ?out|rate ?limit|service ?unavailable|api ?error|overloaded|ssl|dns|quota|docker|sandbox|kubernetes|k8s|out ?of ?memory|cancel/i

function readError(value: Json | undefined): TrialError | null {
  if (isBare(value)) return null
  const message = asText(value) ?? asText(member(value, 'message')) ?? JSON.stringify(value)
  const type =
    /^([A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Timeout|Group))\b/.exec(message)?.[1] ?? null
  return { type, message, origin: INFRA.test(message) ? 'infra' : 'unknown' }
}

/** Why the sample ended: a limit, an error, or what the last model call says. */
function terminationOf(sample: JsonObject, error: TrialError | null): string | null {
  const limit = sample['limit']
  const type = asText(member(limit, 'type')) ?? asText(limit)
  if (type !== null) return `limit:${type}`
  if (error !== null) return 'error'
  const reason = asText(member(asList(member(sample['output'], 'choices'))?.[0], 'stop_reason'))
  return reason === 'tool_calls' ? null : reason
}

function extraOf(
  sample: JsonObject,
  log: LogFacts,
  told: Told,
  attachments: Attachments,
): Record<string, Json> {
  const extra: [string, Json][] = []
  const keep = (key: string, value: Json | undefined): void => {
    if (isBare(value) || value === '') return
    extra.push([key, shortened(attachments.value(value as Json))])
  }
  keep('target', sample['target'])
  keep('choices', sample['choices'])
  keep('metadata', sample['metadata'])
  keep('scoreDetails', sample['scores'] ?? sample['score'])
  keep('limit', sample['limit'])
  keep('errorRetries', retriesOf(sample['error_retries']))
  keep('traceback', asText(member(sample['error'], 'traceback')) ?? undefined)
  keep('invalidation', sample['invalidation'])
  keep('files', sample['files'])
  keep('modelUsage', sample['model_usage'])
  keep('roleUsage', sample['role_usage'])
  keep('totalSeconds', asNumber(sample['total_time']))
  keep('workingSeconds', asNumber(sample['working_time']))
  keep('eventsNotShown', told.unread)
  keep('log', log.about)
  return Object.fromEntries(extra)
}

/** Attempts that failed before this one: their messages; what they did is in the original record. */
function retriesOf(value: Json | undefined): Json {
  return (asList(value) ?? []).map((retry) => asText(member(retry, 'message')) ?? asText(retry) ?? 'error')
}
