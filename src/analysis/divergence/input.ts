// From a trial of the model to the analysis' own normal form: one act per call with its result, messages, and the
// final answer. Depends on the trial alone, so it can be made at import, stored and read back. Sees no outcome.

import type { Json } from '../../base/json.ts'
import type { Step, ToolCall, Trial } from '../../model/trial.ts'
import { flatten, longIds, salientValues } from './leaf.ts'
import type { Handle } from './handles.ts'
import { handlesOf } from './handles.ts'
import type { Leaf } from './leaf.ts'
import { shellCall } from './shell.ts'

/** What an act is. */
export type ActKind = 'tool' | 'assistant' | 'user' | 'system' | 'final'

/** One call with its result, or one message. JSON-plain. */
export type Act = {
  readonly kind: ActKind
  /** `Step.index` of the call or message; of the result for a result without a call. */
  readonly step: number
  readonly call: number | null
  readonly resultStep: number | null
  /** The tool's name (for a shell: with its program), or the kind. */
  readonly tool: string
  /** The tool's name as the source wrote it. */
  readonly sourceTool: string
  readonly program: string | null
  readonly args: readonly Leaf[]
  readonly observed: readonly Leaf[]
  /** Handles of elements that the result gives out. */
  readonly handles: readonly Handle[]
  readonly isError: boolean
  readonly hasEffect: boolean
  readonly stage: string | null
  /** Salient values of a message, and its longer ids: values inside an id that changes in every trial say nothing. */
  readonly values: readonly string[]
  readonly ids: readonly string[]
  readonly isQuestion: boolean
  /** A final answer that the source does not call one: that it came does not say that the work was done. */
  readonly isImplied: boolean
}

/** Version of the normal form; a stored one of another version is made anew. */
export const NORMAL_VERSION = 2

/** A trial as the analysis reads it. */
export type NormalTrial = {
  readonly version: number
  readonly acts: readonly Act[]
  readonly stepCount: number
}

/** A call with its result, when it has one. */
export type Pending = {
  readonly step: Step
  readonly call: ToolCall
  readonly position: number
  readonly turn: number
  result: Step | null
  states: Step[]
}

/** What a trial is made of once calls and results are paired. */
export type Item = { readonly pending: Pending } | { readonly message: Step } | { readonly orphan: Step }

const ENDED_OTHERWISE =
  /error|limit|max|timeout|timed|exceed|budget|length|cancel|abort|crash|too_many|infra/i

/**
 * The normal form of a trial. Results are paired with calls by id within the turn, then by order; a result that fits
 * no call is kept as an act of its own. The final answer is the step that says so, else the last assistant message
 * after the last tool step when the trial did not end by an error or a limit (docs: Faultline JSONL).
 */
export function normaliseTrial(trial: Trial): NormalTrial {
  const items = pairSteps(trial.steps)
  const last = trial.steps.some((step) => step.final === true) ? null : impliedFinal(trial, items)
  const acts: Act[] = []
  for (const item of items) {
    if ('pending' in item) acts.push(toolAct(item.pending))
    else if ('orphan' in item) acts.push(orphanAct(item.orphan))
    else {
      const act = messageAct(item.message, item.message === last)
      if (act !== null) acts.push(act)
    }
  }
  return { version: NORMAL_VERSION, acts, stepCount: trial.steps.length }
}

/** Calls, messages and stray results in order of the steps, each call with its result. */
export function pairSteps(steps: readonly Step[]): Item[] {
  const items: Item[] = []
  const open: Pending[] = []
  let turn = 0
  let latest: Pending | null = null
  for (const step of steps) {
    if (step.calls !== undefined && step.calls.length > 0) {
      turn++
      if (hasText(step)) items.push({ message: step })
      step.calls.forEach((call, position) => {
        latest = { step, call, position, turn, result: null, states: [] }
        open.push(latest)
        items.push({ pending: latest })
      })
    } else if (isResult(step, open)) {
      const at = findCall(open, step, turn)
      if (at < 0) items.push({ orphan: step })
      else {
        const pending = open.splice(at, 1)[0]
        if (pending !== undefined) {
          pending.result = step
          latest = pending
        }
      }
    } else if (step.kind === 'state') {
      latest?.states.push(step)
    } else if (step.kind === 'message' || step.kind === 'handoff' || step.kind === 'tool_call') {
      items.push({ message: step })
    }
  }
  return items
}

function isResult(step: Step, open: readonly Pending[]): boolean {
  if (step.kind === 'tool_result' || step.role === 'tool') return true
  return step.role === 'environment' && step.kind === 'message' && open.length > 0
}

/** Position among the open calls of the one that a result answers, or -1. */
function findCall(open: readonly Pending[], result: Step, turn: number): number {
  const fits = (test: (pending: Pending) => boolean): number => {
    const here = open.findIndex((pending) => pending.turn === turn && test(pending))
    return here >= 0 ? here : open.findLastIndex(test)
  }
  const name = result.toolName
  if (result.callId !== undefined) {
    const both = fits((p) => p.call.id === result.callId && (name === undefined || p.call.name === name))
    if (both >= 0) return both
    const byId = fits((p) => p.call.id === result.callId)
    if (byId >= 0) return byId
  }
  const byName = name === undefined ? -1 : fits((p) => p.call.name === name && isFree(p, result))
  return byName >= 0 ? byName : fits((p) => isFree(p, result))
}

/** A call that carries another id than the result asks for is not taken by order. */
function isFree(pending: Pending, result: Step): boolean {
  return result.callId === undefined || pending.call.id === null || pending.call.id === result.callId
}

function hasText(step: Step): boolean {
  return (step.text ?? '').trim() !== ''
}

function impliedFinal(trial: Trial, items: readonly Item[]): Step | null {
  if (trial.error !== null || trial.outcome === 'error') return null
  if (trial.termination !== null && ENDED_OTHERWISE.test(trial.termination)) return null
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i]
    if (item === undefined || !('message' in item)) return null
    const step = item.message
    if (step.calls !== undefined && step.calls.length > 0) return null
    if (step.role === 'assistant' && hasText(step)) return step
  }
  return null
}

function toolAct(pending: Pending): Act {
  const { call, step, result } = pending
  const shell = shellCall(call.name, call.args)
  const value = result === null ? undefined : resultValue(result)
  const raw: Json =
    call.argsRaw !== undefined && call.args === null ? { '(unparsed)': call.argsRaw } : call.args
  return {
    kind: 'tool',
    step: step.index,
    call: pending.position,
    resultStep: result?.index ?? null,
    tool: shell?.tool ?? call.name,
    sourceTool: call.name,
    program: shell?.program ?? null,
    args: flatten(shell?.args ?? raw),
    handles: handlesOf(value),
    observed: observedLeaves(value, [step, ...(result === null ? [] : [result]), ...pending.states]),
    isError: result !== null && isErrorResult(result),
    hasEffect: hasEffect(step) || (result !== null && hasEffect(result)),
    stage: step.stage ?? result?.stage ?? null,
    values: [],
    ids: [],
    isQuestion: false,
    isImplied: false,
  }
}

/** A result that answers no call: kept under its tool's name, without arguments. */
function orphanAct(step: Step): Act {
  const tool = step.toolName ?? 'read_result'
  const value = resultValue(step)
  return {
    kind: 'tool',
    step: step.index,
    call: null,
    resultStep: step.index,
    tool,
    sourceTool: tool,
    program: null,
    args: [],
    handles: handlesOf(value),
    observed: observedLeaves(value, [step]),
    isError: isErrorResult(step),
    hasEffect: hasEffect(step),
    stage: step.stage ?? null,
    values: [],
    ids: [],
    isQuestion: false,
    isImplied: false,
  }
}

function hasEffect(step: Step): boolean {
  return step.effects !== undefined && step.effects.length > 0
}

/** An error says so, or is a plain text that begins with “Error:”. */
export function isErrorResult(step: Step): boolean {
  if (step.isError === true || (step.error !== undefined && step.error !== '')) return true
  return step.isError === undefined && typeof step.text === 'string' && /^\s*Error:/.test(step.text)
}

/** What a call gave back: the result's leaves, recorded states and effects. A text that is JSON is read as JSON. */
function observedLeaves(value: Json | undefined, around: readonly Step[]): Leaf[] {
  const leaves = flatten(value)
  for (const step of around) {
    if (step.state !== undefined) {
      for (const [path, token] of flatten(step.state)) leaves.push([`$state.${path}`, token])
    }
    for (const effect of step.effects ?? []) {
      for (const [path, token] of flatten(effect.after))
        leaves.push([`$effect.${effect.path}.${path}`, token])
    }
  }
  return leaves
}

/** What a result holds: its content, or its text, read as JSON when it is JSON. */
export function resultValue(result: Step): Json | undefined {
  if (result.content !== undefined)
    return typeof result.content === 'string' ? parsed(result.content) : result.content
  if (result.text !== null) return parsed(result.text)
  return result.error === undefined ? undefined : { error: result.error }
}

function parsed(text: string): Json {
  const first = text.trimStart()[0]
  if (first !== '{' && first !== '[') return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

function messageAct(step: Step, isFinal: boolean): Act | null {
  const text = step.text ?? (typeof step.content === 'string' ? step.content : '')
  const kind: ActKind =
    step.final === true || isFinal
      ? 'final'
      : step.role === 'assistant' || step.role === 'user'
        ? step.role
        : 'system'
  if (text.trim() === '' && kind !== 'final') return null
  return {
    kind,
    step: step.index,
    call: null,
    resultStep: null,
    tool: kind,
    sourceTool: kind,
    program: null,
    args: [],
    handles: [],
    observed: [],
    isError: false,
    hasEffect: false,
    stage: step.stage ?? null,
    values: salientValues(text),
    ids: longIds(text),
    isQuestion: /\?\s*$/.test(text),
    isImplied: isFinal && step.final !== true,
  }
}
