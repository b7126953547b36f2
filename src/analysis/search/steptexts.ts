// The texts of a step that can be searched: everything of it that the window shows as a text. Structured values are
// searched as their JSON without its escapes. Pure.

import type { Json } from '../../base/json.ts'
import type { Step, TrialError } from '../../model/trial.ts'

/** What a text is in its step. */
export type TextPart = 'text' | 'content' | 'tool' | 'arguments' | 'error' | 'state'

/** A text of a step; `call`: position of the call that it belongs to. */
export type StepText = { readonly text: string; readonly part: TextPart; readonly call: number | null }

/** The texts of a step, in the order in which they are read. */
export function* textsOfStep(step: Step): Generator<StepText> {
  if (step.text !== null) yield { text: step.text, part: 'text', call: null }
  if (step.content !== undefined) yield { text: readable(step.content), part: 'content', call: null }
  for (const [call, { name, args, argsRaw }] of (step.calls ?? []).entries()) {
    yield { text: name, part: 'tool', call }
    if (argsRaw !== undefined) yield { text: argsRaw, part: 'arguments', call }
    else if (args !== null) yield { text: readable(args), part: 'arguments', call }
  }
  if (step.toolName !== undefined) yield { text: step.toolName, part: 'tool', call: null }
  if (step.error !== undefined) yield { text: step.error, part: 'error', call: null }
  if (step.kind === 'state' && step.state !== undefined)
    yield { text: readable(step.state), part: 'state', call: null }
}

/** The texts of what broke a trial. */
export function* textsOfError(error: TrialError): Generator<string> {
  if (error.message !== null) yield error.message
  if (error.type !== null) yield error.type
}

/** A structured value as its JSON, but its texts as they read: no escapes. */
function readable(value: Json): string {
  if (typeof value === 'string') return value
  const json = JSON.stringify(value)
  return json.includes('\\') ? json.replace(ESCAPE, (whole) => JSON.parse(`"${whole}"`) as string) : json
}

const ESCAPE = /\\(?:u[0-9a-f]{4}|.)/g
