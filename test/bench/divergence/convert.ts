// Turns the compact steps of generated cases and fixtures into trials of the model: one call and one result per tool
// step. Record index 2i is the call or message of compact step i, 2i + 1 its result.

import type { Json } from '../../../src/base/json.ts'
import type { Outcome } from '../../../src/model/outcome.ts'
import { UNKNOWN_CONFIGURATION } from '../../../src/model/trial.ts'
import type { Step, Trial } from '../../../src/model/trial.ts'

/** A step as generators write it: a call with its result, or a message. */
export type CompactStep = {
  readonly kind: 'tool' | 'assistant' | 'user' | 'system' | 'final'
  readonly tool?: string
  readonly args?: Json
  readonly obs?: Json
  readonly error?: string | null
  readonly text?: string
}

/** The trial of the model that a list of compact steps stands for. */
export function toTrial(steps: readonly CompactStep[], outcome: Outcome, task = 'task'): Trial {
  return {
    sourceId: null,
    suite: 'bench',
    task,
    taskTitle: null,
    taskInput: null,
    configuration: UNKNOWN_CONFIGURATION,
    sourceTrial: null,
    seed: null,
    outcome,
    score: null,
    scoreRaw: null,
    scores: {},
    scorer: null,
    termination: null,
    error: null,
    severeErrors: [],
    usage: null,
    costUsd: null,
    startedAt: null,
    endedAt: null,
    timeNaive: false,
    steps: steps.flatMap(toSteps),
    extra: {},
  }
}

/** The position of the compact step that a record index belongs to. */
export function compactIndex(index: number): number {
  return index >> 1
}

function toSteps(step: CompactStep, i: number): Step[] {
  if (step.kind !== 'tool') {
    const role = step.kind === 'final' ? 'assistant' : step.kind
    const message: Step = { index: 2 * i, role, kind: 'message', text: step.text ?? '' }
    return [step.kind === 'final' ? { ...message, final: true } : message]
  }
  const id = `call-${i}`
  const name = step.tool ?? ''
  const failed = step.error !== null && step.error !== undefined && step.error !== ''
  return [
    {
      index: 2 * i,
      role: 'assistant',
      kind: 'tool_call',
      text: null,
      calls: [{ id, name, args: step.args ?? {} }],
    },
    {
      index: 2 * i + 1,
      role: 'tool',
      kind: 'tool_result',
      callId: id,
      toolName: name,
      isError: failed,
      ...(typeof step.obs === 'string' ? { text: step.obs } : { text: null, content: step.obs ?? null }),
    },
  ]
}
