// A trial as severity rules read it: its calls in order, each with its whole arguments and result (the analysis' own
// normal form keeps only tokens). Values are read when a rule asks for them. Sees no outcome.

import type { Json } from '../../base/json.ts'
import type { ValuePath } from '../../model/valuepath.ts'
import { valuesAt } from '../../model/valuepath.ts'
import type { Step, Trial } from '../../model/trial.ts'
import { isErrorResult, pairSteps, resultValue } from '../divergence/input.ts'
import { shellCall } from '../divergence/shell.ts'
import { matchesGlob } from '../divergence/words.ts'

/** One call of a tool in a trial. */
export class Call {
  /** `Step.index` of the step that made it (of the result, where the source has no calls), and its place there. */
  readonly step: number
  readonly call: number | null
  /** The tool's name as the source wrote it. */
  readonly tool: string
  readonly args: Json
  /** It failed. A call without a result is not known to have failed. */
  readonly isError: boolean
  readonly #shell: string | null
  readonly #result: Step | null
  #value: { readonly read: Json | undefined } | null = null

  constructor(at: { step: number; call: number | null; tool: string; args: Json }, result: Step | null) {
    this.step = at.step
    this.call = at.call
    this.tool = at.tool
    this.args = at.args
    this.isError = result !== null && isErrorResult(result)
    this.#shell = shellCall(at.tool, at.args)?.tool ?? null
    this.#result = result
  }

  /** True when a glob fits the tool's name, or that of the program which a shell call runs (`bash:rm`). */
  is(glob: string): boolean {
    return matchesGlob(glob, this.tool) || (this.#shell !== null && matchesGlob(glob, this.#shell))
  }

  /** The values at a path that begins with arguments, result or isError. */
  at(path: ValuePath): readonly Json[] {
    const [root, ...rest] = path
    if (root === 'arguments') return valuesAt(this.args, rest)
    if (root === 'isError') return valuesAt(this.isError, rest)
    return root === 'result' ? valuesAt(this.#read(), rest) : []
  }

  #read(): Json | undefined {
    this.#value ??= { read: this.#result === null ? undefined : resultValue(this.#result) }
    return this.#value.read
  }
}

/** The calls of a trial in order; results that answer no recorded call are calls without arguments. */
export function callsOf(trial: Pick<Trial, 'steps'>): readonly Call[] {
  const calls: Call[] = []
  for (const item of pairSteps(trial.steps)) {
    if ('pending' in item) {
      const { step, call, position, result } = item.pending
      calls.push(
        new Call({ step: step.index, call: position, tool: call.name, args: call.args ?? null }, result),
      )
    } else if ('orphan' in item && item.orphan.toolName !== undefined) {
      const { index, toolName } = item.orphan
      calls.push(new Call({ step: index, call: null, tool: toolName, args: null }, item.orphan))
    }
  }
  return calls
}
