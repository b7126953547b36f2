// One line of an OpenHands output as a trial: task, outcome and end, around the steps that its history gives. The
// outcome is the benchmark's report where one was written into the line, or the resolver's own judgement; else it is
// unknown. Part of the OpenHands importer.

import type { Json, JsonObject } from '../../../base/json.ts'
import { oneLine } from '../../../base/text.ts'
import type { Outcome } from '../../../model/outcome.ts'
import type { Trial, TrialError } from '../../../model/trial.ts'
import { countedOf, originOf } from '../coding-run.ts'
import { asId, asList, asNumber, asObject, asText, isBare, member, others } from '../fields.ts'
import type { StepDoubt } from '../messages.ts'
import { fileUnder } from '../naming.ts'
import { readEvents } from './events.ts'
import { runOf } from './run.ts'
import { isSdkEvent, readSdkEvents } from './sdk.ts'
import { accumulated, shownText, type Told } from './story.ts'

const KNOWN_KEYS = new Set(
  `instance_id instance instruction test_result metadata history metrics error issue issue_type base_commit git_patch
  success comment_success result_explanation report attempt`.split(/\s+/),
)
/** Ends of the agent's own making, which the program reports as errors: the patch counts all the same. */
const OWN_ENDS: readonly (readonly [words: RegExp, termination: string])[] = [
  [/maximum iteration|max(?:imum)?[ _]iterations?/i, 'max_iterations'],
  [/maximum budget|budget exceeded|max(?:imum)?[ _]budget/i, 'max_budget'],
  [/stuck in a loop|AgentStuckInLoop/i, 'stuck_in_loop'],
]

/** A trial, and what makes it known again across files; null where nothing does. */
export type Found = { readonly trial: Trial; readonly sourceKey: string | null }

/** Reads a history of either kind. */
export function readHistory(history: readonly Json[], doubts: StepDoubt[]): Told {
  return history.some(isSdkEvent) ? readSdkEvents(history, doubts) : readEvents(history, doubts)
}

/** Reads one line. Doubts are appended. */
export function readLine(fields: JsonObject, fileName: string, doubts: StepDoubt[]): Found {
  const told = readHistory(asList(fields['history']) ?? [], doubts)
  const run = runOf(fields, told, fileName)
  const issue = asObject(fields['issue'])
  const prompt = asText(fields['instruction']) ?? told.prompt
  const own = asId(fields['instance_id']) ?? asId(member(fields['instance'], 'instance_id')) ?? issueId(issue)
  const judged = outcomeOf(fields)
  const ended = endOf(fields)
  const outcome = judged.outcome ?? (ended.error === null ? 'unknown' : 'error')
  const metrics = asObject(fields['metrics'])
  const task = own ?? fileUnder(null, prompt, 'unknown').task
  const trial: Trial = {
    sourceId: null,
    suite: run.suite ?? 'openhands',
    task,
    taskTitle: issue === null ? null : shownText(issue['title']),
    taskInput: prompt,
    configuration: run.configuration,
    sourceTrial: run.number,
    seed: asId(member(member(fields['metadata'], 'llm_config'), 'seed')),
    outcome,
    score: judged.score,
    scoreRaw: judged.raw,
    scores: judged.score === null ? {} : { resolved: judged.score },
    scorer: judged.scorer,
    termination: ended.termination ?? told.lastState,
    error: judged.error ?? ended.error,
    severeErrors: [],
    usage: accumulated(metrics?.['accumulated_token_usage']) ?? told.usage,
    costUsd: countedOf(asNumber(metrics?.['accumulated_cost'])) ?? told.costUsd,
    ...timesOf(told),
    steps: told.steps,
    extra: extraOf(fields, told, run.attempt),
  }
  return { trial, sourceKey: run.id === null ? null : `${run.id}|${task}` }
}

/** A bare list of events: a conversation without what an evaluation says around it. `about` may hold its `metadata`. */
export function readConversation(
  events: readonly Json[],
  fileName: string,
  doubts: StepDoubt[],
  about: JsonObject = {},
): Trial {
  const told = readHistory(events, doubts)
  const run = runOf(about, told, fileName)
  const filed = fileUnder(fileName, told.prompt, 'unknown')
  return {
    sourceId: null,
    suite: 'openhands',
    ...filed,
    sourceTrial: filed.sourceTrial ?? run.number,
    configuration: run.configuration,
    seed: null,
    outcome: 'unknown',
    score: null,
    scoreRaw: null,
    scores: {},
    scorer: null,
    termination: told.lastState,
    error: null,
    severeErrors: [],
    usage: told.usage,
    costUsd: told.costUsd,
    ...timesOf(told),
    steps: told.steps,
    extra: extraOf({}, told, null),
  }
}

function timesOf(told: Told): Pick<Trial, 'startedAt' | 'endedAt' | 'timeNaive'> {
  const isNaive = told.startedAt !== null && !/(?:z|[+-]\d\d:?\d\d)$/i.test(told.startedAt)
  return { startedAt: told.startedAt, endedAt: told.endedAt, timeNaive: isNaive }
}

function issueId(issue: JsonObject | null): string | null {
  const number = asId(issue?.['number'])
  if (number === null) return null
  const place = [asText(issue?.['owner']), asText(issue?.['repo'])].filter((part) => part !== null).join('/')
  return `${place}#${number}`
}

type Judged = {
  readonly outcome: Outcome | null
  readonly score: number | null
  readonly raw: Json
  readonly scorer: string | null
  readonly error: TrialError | null
}

/** The benchmark's report, or the resolver's judgement of itself. */
function outcomeOf(fields: JsonObject): Judged {
  const report = asObject(member(fields['test_result'], 'report')) ?? asObject(fields['report'])
  const resolved = report?.['resolved']
  if (typeof resolved === 'boolean') {
    const about = { score: resolved ? 1 : 0, raw: resolved, scorer: 'report.resolved' }
    // The tests did not run: that nothing was resolved says nothing of the patch.
    if (!resolved && report?.['error_eval'] === true)
      return {
        ...about,
        outcome: 'error',
        score: null,
        error: { type: 'error_eval', message: null, origin: 'verifier' },
      }
    return { ...about, outcome: resolved ? 'pass' : 'fail', error: null }
  }
  const success = fields['success']
  if (typeof success === 'boolean' && Object.hasOwn(fields, 'issue'))
    return {
      outcome: success ? 'pass' : 'fail',
      score: success ? 1 : 0,
      raw: success,
      scorer: 'resolver (a model judged)',
      error: null,
    }
  return { outcome: null, score: null, raw: null, scorer: null, error: null }
}

function endOf(fields: JsonObject): {
  readonly termination: string | null
  readonly error: TrialError | null
} {
  const words =
    shownText(fields['error']) ?? (isBare(fields['error']) ? null : JSON.stringify(fields['error']))
  if (words === null) return { termination: null, error: null }
  const own = OWN_ENDS.find(([pattern]) => pattern.test(words.slice(0, 2000)))
  if (own !== undefined) return { termination: own[1], error: null }
  const type = /^([A-Za-z_][\w.]{0,100}):/.exec(words)?.[1] ?? null
  return { termination: 'error', error: { type, message: words, origin: originOf(words.slice(0, 2000)) } }
}

function extraOf(fields: JsonObject, told: Told, attempt: string | null): Record<string, Json> {
  const result = asObject(fields['test_result'])
  const patch = asText(result?.['git_patch']) ?? asText(fields['git_patch'])
  const error = asText(fields['error'])
  const extra: [string, Json | undefined][] = [
    ['submission', shownText(patch ?? undefined) ?? undefined],
    ['report', result?.['report'] ?? fields['report']],
    [
      'testResult',
      result === null ? fields['test_result'] : others(result, new Set(['git_patch', 'report'])),
    ],
    ['resultExplanation', fields['result_explanation']],
    ['commentSuccess', fields['comment_success']],
    ['issueType', fields['issue_type']],
    ['baseCommit', asText(fields['base_commit']) === '' ? undefined : fields['base_commit']],
    ['runError', error === null ? undefined : oneLine(error, 400)],
    ['attempt', attempt ?? undefined],
    ['eventsNotShown', told.notShown],
    ...Object.entries(others(fields, KNOWN_KEYS) ?? {}),
  ]
  return Object.fromEntries(extra.filter(([, value]) => !isBare(value)) as [string, Json][])
}
