// What both kinds of Codex files have in common: facts of a session as a trial. Pure. Success is never inside: the
// outcome is unknown unless the session broke.

import type { Json, JsonObject } from '../../../base/json.ts'
import {
  UNKNOWN_CONFIGURATION,
  type Configuration,
  type Trial,
  type TrialError,
  type Usage,
} from '../../../model/trial.ts'
import { numbered, type Draft } from '../blocks.ts'
import { isNaive } from '../faultline-fields.ts'
import { asObject, asText, isBare } from '../fields.ts'
import { pairResults, type StepDoubt } from '../messages.ts'
import { fileUnder } from '../naming.ts'

export const SUITE = 'codex'

/** A session, gathered. `turn` is its first `turn_context`. */
export type CodexFacts = {
  readonly id: string | null
  readonly version: string | null
  readonly models: readonly string[]
  readonly turn: JsonObject | null
  readonly usage: Usage | null
  readonly termination: string | null
  readonly error: TrialError | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly prompt: string | null
  /** Null where several sessions share a file. */
  readonly fileName: string | null
  readonly drafts: readonly Draft[]
  readonly extra: Readonly<Record<string, Json>>
}

/** The trial of a session. Doubts about its steps are appended. */
export function toTrial(facts: CodexFacts, doubts: StepDoubt[]): Trial {
  return {
    sourceId: facts.id,
    suite: SUITE,
    ...fileUnder(facts.fileName, facts.prompt, facts.id ?? SUITE),
    configuration: configurationOf(facts),
    seed: null,
    outcome: facts.error === null ? 'unknown' : 'error',
    score: null,
    scoreRaw: null,
    scores: {},
    scorer: null,
    termination: facts.termination,
    error: facts.error,
    severeErrors: [],
    usage: facts.usage,
    costUsd: null,
    startedAt: facts.startedAt,
    endedAt: facts.endedAt,
    timeNaive: isNaive(facts.startedAt, facts.endedAt),
    steps: pairResults(numbered(facts.drafts), doubts),
    extra: facts.extra,
  }
}

function configurationOf(facts: CodexFacts): Configuration {
  const params: Record<string, Json> = {}
  const keep = (key: string, value: Json | undefined): void => {
    if (!isBare(value)) params[key] = value as Json
  }
  const sandbox = facts.turn?.['sandbox_policy']
  keep('effort', facts.turn?.['effort'])
  keep('approvalPolicy', facts.turn?.['approval_policy'])
  keep('sandboxPolicy', asText(sandbox) ?? asObject(sandbox)?.['type'] ?? asObject(sandbox)?.['mode'])
  const model = facts.models.length === 0 ? null : facts.models.join(', ')
  return {
    ...UNKNOWN_CONFIGURATION,
    label: ['Codex', facts.version, model].filter((word) => word !== null).join(' '),
    model,
    agent: 'codex',
    agentVersion: facts.version,
    params,
  }
}
