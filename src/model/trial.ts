// Trial: one attempt at one task, in the normal form that every importer writes and everything else reads.
// All fields are JSON-plain. Foreign words (run, sample, episode, epoch) are translated before they get here.

import type { Json } from '../base/json.ts'
import type { Outcome } from './outcome.ts'

/** Who speaks or acts in a step. */
export type StepRole = 'system' | 'user' | 'assistant' | 'tool' | 'environment'

/** What a step is. */
export type StepKind =
  | 'message'
  | 'tool_call'
  | 'tool_result'
  | 'reasoning'
  | 'state'
  | 'handoff'
  | 'compaction'
  | 'score'
  | 'error'

/** One tool call of an assistant step. `args` is null where the source's arguments could not be parsed. */
export type ToolCall = {
  readonly id: string | null
  readonly name: string
  readonly args: Json
  /** The arguments as the source wrote them, kept when they are not JSON. */
  readonly argsRaw?: string
  readonly parseError?: string
}

/** Tokens as the source counted them; cached input is part of input. */
export type Usage = {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly cachedInputTokens: number | null
}

/** A recorded change of the environment: JSON path, value before and after. */
export type Effect = { readonly path: string; readonly before: Json; readonly after: Json }

/** One record of a trajectory. */
export type Step = {
  /** The record's own index in its source: stable, unique in the trial, ascending. */
  readonly index: number
  readonly role: StepRole
  readonly kind: StepKind
  readonly agent?: string
  /** The text of a message or of a textual result; null when there is none. */
  readonly text: string | null
  /** A structured result or content, when the source holds JSON and not text. */
  readonly content?: Json
  /** Calls of an assistant step; several entries are one parallel batch. */
  readonly calls?: readonly ToolCall[]
  /** For a result: the id of the call that it answers. */
  readonly callId?: string
  /** For a result: the tool's name, when the source gives it. */
  readonly toolName?: string
  readonly isError?: boolean
  /** The error's own text, when the source separates it from the result. */
  readonly error?: string
  /** A semantic stage named by the source. */
  readonly stage?: string
  /** Index of the step that started this sub-agent's step. */
  readonly parent?: number
  /** Environment snapshot or hash after the step. */
  readonly state?: Json
  readonly effects?: readonly Effect[]
  /** The source says that this is the final answer. */
  readonly final?: boolean
  readonly model?: string
  readonly usage?: Usage
  readonly startedAt?: string
  readonly endedAt?: string
  readonly extra?: Json
}

/** How grave an event is; the severe count counts `severe` only. */
export type Severity = 'minor' | 'major' | 'severe'

/** Something harmful that happened in a trial, whether it passed or not: imported, or found by a rule. */
export type SevereEvent = {
  readonly step: number | null
  readonly kind: string
  readonly severity: Severity
  readonly note: string | null
  /** The rule that found it; absent where the source says so. */
  readonly ruleId?: string
  /** Position in the step's calls, and what it cost in dollars, where a rule says. */
  readonly call?: number | null
  readonly costUsd?: number | null
}

/** Severe events of a list: what a rule found is no second event when the source tells one of its step and kind. */
export function countSevere(events: readonly SevereEvent[]): number {
  const told = events.filter((event) => event.ruleId === undefined)
  return events.filter(
    ({ severity, step, kind, ruleId }) =>
      severity === 'severe' &&
      (ruleId === undefined || !told.some((other) => other.step === step && other.kind === kind)),
  ).length
}

/** Why a trial broke. */
export type TrialError = {
  readonly type: string | null
  readonly message: string | null
  readonly origin: 'agent' | 'infra' | 'user_sim' | 'verifier' | 'unknown'
}

/**
 * What must be equal for two trials to be repeats of the same thing. Equal content is the same configuration.
 * The seed is the trial's, not the configuration's: repeats may differ in it.
 */
export type Configuration = {
  readonly label: string | null
  readonly model: string | null
  readonly agent: string | null
  readonly agentVersion: string | null
  readonly promptVersion: string | null
  readonly toolsVersion: string | null
  readonly policyVersion: string | null
  readonly environment: string | null
  /** Everything else that the source says of it: sampling parameters, user model, tool set. */
  readonly params: { readonly [key: string]: Json }
}

/** A configuration of which nothing is known. */
export const UNKNOWN_CONFIGURATION: Configuration = {
  label: null,
  model: null,
  agent: null,
  agentVersion: null,
  promptVersion: null,
  toolsVersion: null,
  policyVersion: null,
  environment: null,
  params: {},
}

/** One attempt at one task. */
export type Trial = {
  /** The source's own id of this trial, unique within its source; null where it has none. */
  readonly sourceId: string | null
  /** Suite or domain: a task's identity is (suite, task). */
  readonly suite: string
  readonly task: string
  readonly taskTitle: string | null
  /** The instruction that the task gives, when known. */
  readonly taskInput: string | null
  readonly configuration: Configuration
  /** The trial number that the source wrote; Faultline assigns its own. */
  readonly sourceTrial: string | null
  readonly seed: string | null
  readonly outcome: Outcome
  readonly score: number | null
  readonly scoreRaw: Json
  readonly scores: { readonly [name: string]: number | null }
  readonly scorer: string | null
  readonly termination: string | null
  readonly error: TrialError | null
  readonly severeErrors: readonly SevereEvent[]
  readonly usage: Usage | null
  readonly costUsd: number | null
  /** Times as the source wrote them; `timeNaive` when they carry no zone. */
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly timeNaive: boolean
  readonly steps: readonly Step[]
  /** What the source knows beyond this model and a reader may want to see (expected actions, reward details). */
  readonly extra: { readonly [key: string]: Json }
}

/** Where a trial came from. */
export type Provenance = {
  readonly fileName: string
  readonly fileSha256: string
  /** Record index in the file, and where its first byte or line is, when known. */
  readonly record: number
  readonly line: number | null
  readonly byteOffset: number | null
  readonly importer: string
  readonly importerVersion: number
  readonly importedAt: string
}

/** An identity of a task: suite and task id, never joined on the bare id. */
export type TaskKey = { readonly suite: string; readonly task: string }
