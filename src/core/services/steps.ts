// A trial as a person reads it: a list of places, each a call with its result or a message, and the view of one of
// them with bounded texts. Pairing of calls and results is the analysis' own, so that lanes and texts agree. Pure.

import { normaliseTrial } from '../../analysis/divergence/input.ts'
import type { Json } from '../../base/json.ts'
import type { StepView } from '../../contract/rows.ts'
import type { Step, ToolCall, Trial } from '../../model/trial.ts'
import { parseJson } from '../importers/parse.ts'

/** One thing to read: a message (`call` null) or one call of a step with the step that answers it. */
export type Place = { readonly step: Step; readonly call: number | null; readonly result: Step | null }

/** Every place of a trial in the order of its steps. A result stands with its call, or alone when it has none. */
export function readingList(trial: Trial): readonly Place[] {
  const byIndex = new Map(trial.steps.map((step) => [step.index, step]))
  const answers = new Map<string, number>()
  const taken = new Set<number>()
  for (const act of normaliseTrial(trial).acts) {
    if (act.call === null || act.resultStep === null) continue
    answers.set(`${act.step} ${act.call}`, act.resultStep)
    taken.add(act.resultStep)
  }
  const places: Place[] = []
  for (const step of trial.steps) {
    if (taken.has(step.index)) continue
    const calls = step.calls ?? []
    const hasWords = (step.text ?? '').trim() !== '' || step.content !== undefined
    if (calls.length === 0 || hasWords) places.push({ step, call: null, result: null })
    for (const call of calls.keys()) {
      const answer = answers.get(`${step.index} ${call}`)
      const result = answer === undefined ? null : (byIndex.get(answer) ?? null)
      places.push({ step, call, result })
    }
  }
  return places
}

/**
 * The view of one place; every text is cut at `limit` characters and then says how many there were. `withWords`
 * adds what the assistant said beside a call, for where the call is shown alone.
 */
export function stepView(
  trialId: string,
  trial: Trial,
  trialLabel: string,
  place: Place,
  limit: number,
  withWords: boolean,
): StepView {
  const { step, result } = place
  const call = place.call === null ? null : (step.calls?.[place.call] ?? null)
  const cut = cutter(limit)
  const isResult = call === null && (step.kind === 'tool_result' || step.role === 'tool')
  const seen = call === null ? (isResult || step.kind === 'state' ? step : null) : result
  const said = call === null ? (seen === null ? words(step) : null) : withWords ? words(step) : null
  const from = result ?? step
  return {
    trialId,
    trialLabel,
    outcome: trial.outcome,
    step: step.index,
    call: place.call,
    role: step.role,
    kind: call === null ? step.kind : 'tool_call',
    agent: step.agent ?? null,
    stage: step.stage ?? result?.stage ?? null,
    tool: call?.name ?? (isResult ? (step.toolName ?? null) : null),
    ...argumentsOf(call, cut),
    ...observationOf(seen, cut),
    said: said === null ? null : cut.text(said),
    error: from.error === undefined ? null : cut.text(from.error),
    isError: from.isError === true || (from.error !== undefined && from.error !== ''),
    startedAt: step.startedAt ?? null,
    durationMs: duration(result) ?? duration(step),
    cutFromChars: cut.longest(),
  }
}

type Cutter = {
  text(value: string): string
  /** The value when its JSON fits, else null and the beginning of its JSON. */
  json(value: Json): { readonly whole: Json; readonly part: string | null }
  longest(): number | null
}

function cutter(limit: number): Cutter {
  let longest: number | null = null
  const text = (value: string): string => {
    if (value.length <= limit) return value
    longest = Math.max(longest ?? 0, value.length)
    // Not between the two halves of one character.
    const last = value.charCodeAt(limit - 1)
    return value.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)
  }
  return {
    text,
    json: (value) => {
      const whole = JSON.stringify(value)
      return whole.length <= limit ? { whole: value, part: null } : { whole: null, part: text(whole) }
    },
    longest: () => longest,
  }
}

function words(step: Step): string | null {
  if (step.text !== null) return step.text
  if (step.content === undefined) return null
  return typeof step.content === 'string' ? step.content : JSON.stringify(step.content)
}

function argumentsOf(call: ToolCall | null, cut: Cutter): Pick<StepView, 'args' | 'argsRaw'> {
  if (call === null) return { args: null, argsRaw: null }
  if (call.argsRaw !== undefined) return { args: null, argsRaw: cut.text(call.argsRaw) }
  const { whole, part } = cut.json(call.args)
  return { args: whole, argsRaw: part }
}

function observationOf(seen: Step | null, cut: Cutter): Pick<StepView, 'observation' | 'observationText'> {
  if (seen === null) return { observation: null, observationText: null }
  const value = seen.content ?? (seen.kind === 'state' ? seen.state : undefined)
  const text = typeof value === 'string' ? value : value === undefined ? seen.text : null
  if (text === null) {
    const { whole, part } = value === undefined ? { whole: null, part: null } : cut.json(value)
    return { observation: whole, observationText: part }
  }
  const read = readJson(text)
  // Cut JSON is no JSON: a long one is shown as the text that it is.
  if (read === null) return { observation: null, observationText: cut.text(text) }
  const { whole, part } = cut.json(read)
  return { observation: whole, observationText: part === null ? null : cut.text(text) }
}

/** An object or array written as text; numbers that a double cannot hold keep their digits as text. */
function readJson(text: string): Json {
  const first = text.trimStart()[0]
  if (first !== '{' && first !== '[') return null
  const parsed = parseJson(text, Number.POSITIVE_INFINITY)
  return parsed.ok ? parsed.value : null
}

function duration(step: Step | null): number | null {
  if (step?.startedAt === undefined || step.endedAt === undefined) return null
  const ms = Date.parse(step.endedAt) - Date.parse(step.startedAt)
  return Number.isFinite(ms) && ms >= 0 ? ms : null
}
