// Builds trials for the tests of rules: calls with their results, in order, without anything else.

import type { Json } from '../../../src/base/json.ts'
import type { TrialToJudge } from '../../../src/analysis/rules/judge.ts'
import type { Step } from '../../../src/model/trial.ts'

/** A call: tool, arguments, result; `error` makes the result an error. */
export type Made = {
  readonly tool: string
  readonly args?: Json
  readonly result?: Json
  readonly error?: boolean
}

/** Steps of calls: the call of number i is step 2i, its result step 2i + 1. */
export function stepsOf(calls: readonly Made[]): Step[] {
  return calls.flatMap(({ tool, args = {}, result = null, error = false }, i): Step[] => [
    {
      index: 2 * i,
      role: 'assistant',
      kind: 'tool_call',
      text: null,
      calls: [{ id: `c${i}`, name: tool, args }],
    },
    {
      index: 2 * i + 1,
      role: 'tool',
      kind: 'tool_result',
      callId: `c${i}`,
      text: typeof result === 'string' ? result : null,
      ...(typeof result === 'string' ? {} : { content: result }),
      ...(error ? { isError: true } : {}),
    },
  ])
}

/** A trial of these calls; give what else differs. */
export function trialOf(calls: readonly Made[], more: Partial<TrialToJudge> = {}): TrialToJudge {
  return {
    outcome: 'pass',
    score: null,
    scores: {},
    scoreRaw: null,
    scorer: null,
    termination: null,
    error: null,
    extra: {},
    severeErrors: [],
    steps: stepsOf(calls),
    ...more,
  }
}
