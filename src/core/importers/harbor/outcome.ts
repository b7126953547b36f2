// How a Harbor trial was judged and why it broke. A result whose verdict does not stand where it should is refused
// with the field named: it is never read as a reward of 0. Pure.

import type { Json, JsonObject } from '../../../base/json.ts'
import { oneLine } from '../../../base/text.ts'
import type { Outcome } from '../../../model/outcome.ts'
import type { TrialError } from '../../../model/trial.ts'
import { asList, asNumber, asObject, asText, isBare, member } from '../fields.ts'

/** How far below 1 a reward may be and still be a success. */
const REWARD_TOLERANCE = 1e-6

/** Class names of exceptions by what they are the fault of. */
const VERIFIER =
  /^(?:VerifierTimeoutError|VerifierOutputParseError|RewardFileNotFoundError|RewardFileEmptyError|DownloadVerifierDirError|AddTestsDirError)$/
const INFRA =
  /^(?:EnvironmentStartTimeoutError|HealthcheckError|AgentSetupTimeoutError|CancelledError)$|Docker|Daytona|API|RateLimit|Connection|ServiceUnavailable|InternalServer|Overloaded|Authentication|BadRequest|Quota/i
const AGENT = /^(?:AgentTimeoutError|ContextLengthExceededError|OutputLengthExceededError)$/
/** The fault of the agent only once it ran. */
const EXIT_CODE = 'NonZeroAgentExitCodeError'

/** The verdict on a trial. `doubt`: why it has none. */
export type Verdict = {
  readonly outcome: Outcome
  readonly score: number | null
  readonly scoreRaw: Json
  readonly scores: { readonly [name: string]: number | null }
  readonly scorer: string | null
  readonly error: TrialError | null
  readonly termination: string | null
  readonly doubt: string | null
}

/** The field that keeps a result from being read, with what stands there; null when it can be read. */
export function unknownField(result: JsonObject): string | null {
  const verifier = result['verifier_result']
  const exception = asObject(result['exception_info'])
  if (verifier === undefined && exception === null) return `no “verifier_result” (it has ${keysOf(result)})`
  if (!isBare(verifier)) {
    if (asObject(verifier) === null) return '“verifier_result” that is no object'
    const rewards = member(verifier, 'rewards')
    if (rewards === undefined && asNumber(member(verifier, 'reward')) === null)
      return `no “verifier_result.rewards” (it has ${keysOf(verifier as JsonObject)})`
    if (rewards !== undefined && rewards !== null && asObject(rewards) === null)
      return '“verifier_result.rewards” that is no object'
  }
  const steps = asList(result['step_results'])
  if (isBare(verifier) && exception === null && steps !== null && steps.length > 0)
    return '“step_results” instead of “verifier_result”'
  return null
}

function keysOf(value: JsonObject): string {
  const keys = Object.keys(value)
  const shown = keys.slice(0, 12).map((key) => oneLine(key, 30))
  return keys.length === 0 ? 'nothing' : `${shown.join(', ')}${keys.length > 12 ? ', …' : ''}`
}

/** The verdict in a result that `unknownField` has nothing against. */
export function readVerdict(result: JsonObject): Verdict {
  const verifier = asObject(result['verifier_result'])
  // `reward` alone is how the first versions wrote it.
  const isOld = verifier !== null && !Object.hasOwn(verifier, 'rewards')
  const rewards = isOld ? { reward: verifier['reward'] ?? null } : (asObject(verifier?.['rewards']) ?? {})
  const scores = Object.fromEntries(Object.entries(rewards).map(([name, value]) => [name, asNumber(value)]))
  const name = Object.hasOwn(rewards, 'reward') ? 'reward' : onlyOne(Object.keys(rewards))
  const score = name === null ? null : (scores[name] ?? null)
  const error = readError(result)
  const isOff = member(member(result['config'], 'verifier'), 'disable') === true
  const base = {
    score,
    scoreRaw: name === null ? null : (rewards[name] ?? null),
    scores,
    scorer: name,
    error,
    termination: error?.type ?? null,
  }
  if (score !== null && (score < -REWARD_TOLERANCE || score > 1 + REWARD_TOLERANCE))
    return {
      ...base,
      outcome: 'unknown',
      doubt: `its reward ${score} is no number between 0 and 1, and from where it is a pass is not said`,
    }
  if (score !== null)
    return { ...base, outcome: score >= 1 - REWARD_TOLERANCE ? 'pass' : 'fail', doubt: null }
  if (error !== null || (verifier === null && !isOff)) return { ...base, outcome: 'error', doubt: null }
  const doubt =
    verifier === null
      ? 'its verifier was switched off'
      : Object.keys(rewards).length > 1
        ? `of its rewards (${keysOf(rewards)}) none is “reward”`
        : 'its reward is no number'
  return { ...base, outcome: 'unknown', doubt }
}

function onlyOne(names: readonly string[]): string | null {
  return names.length === 1 ? (names[0] as string) : null
}

function readError(result: JsonObject): TrialError | null {
  const exception = asObject(result['exception_info'])
  if (exception === null) {
    // Without an exception and a verdict the verifier is what is missing.
    return isBare(result['verifier_result']) &&
      member(member(result['config'], 'verifier'), 'disable') !== true
      ? { type: null, message: 'The trial has no verifier result.', origin: 'unknown' }
      : null
  }
  const type = asText(exception['exception_type'])
  return {
    type,
    message: asText(exception['exception_message']),
    origin: type === null ? 'unknown' : originOf(type, result),
  }
}

function originOf(type: string, result: JsonObject): TrialError['origin'] {
  const name = type.split('.').at(-1) as string
  if (name === EXIT_CODE) return isBare(result['agent_execution']) ? 'infra' : 'agent'
  if (AGENT.test(name)) return 'agent'
  if (VERIFIER.test(name)) return 'verifier'
  return INFRA.test(name) ? 'infra' : 'unknown'
}
