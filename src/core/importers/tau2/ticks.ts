// Spoken tau2 simulations: hundreds of short ticks with what each side said in them, as messages. What one side says
// without a pause of more than a second is one message; exports without the transcript say so. Pure.

import type { Json, JsonObject } from '../../../base/json.ts'
import { asList, asObject, asText, isBare, member } from '../fields.ts'

/** Silent ticks (0.2 s each) inside of one utterance. */
const PAUSE_TICKS = 5
const NO_TRANSCRIPT = '[speech without a transcript]'

type Utterance = {
  role: 'assistant' | 'user'
  first: number
  last: number
  from: Json
  to: Json
  texts: string[]
}
type Said = { readonly utterance: Utterance } | { readonly message: Json }

/** The messages of ticks, in the order in which they began. */
export function messagesOfTicks(ticks: readonly Json[]): JsonObject[] {
  const said: Said[] = []
  const open = new Map<Utterance['role'], Utterance>()
  ticks.forEach((tick, at) => {
    for (const [role, side] of [
      ['user', 'user'],
      ['assistant', 'agent'],
    ] as const) {
      const chunk = asObject(member(tick, `${side}_chunk`))
      if (chunk !== null) hear(chunk, role, at, member(tick, 'timestamp') ?? null, open, said)
      const calls = asList(member(tick, `${side}_tool_calls`)) ?? asList(chunk?.['tool_calls'])
      if (calls !== null && calls.length > 0)
        said.push({ message: { role, tool_calls: calls, timestamp: member(tick, 'timestamp') ?? null } })
      for (const result of asList(member(tick, `${side}_tool_results`)) ?? [])
        if (asObject(result) !== null)
          said.push({ message: { role: 'tool', requestor: role, ...(result as JsonObject) } })
    }
  })
  return said.map((one) => ('message' in one ? (one.message as JsonObject) : asMessage(one.utterance)))
}

function hear(
  chunk: JsonObject,
  role: Utterance['role'],
  at: number,
  time: Json,
  open: Map<Utterance['role'], Utterance>,
  said: Said[],
): void {
  const text = asText(chunk['content']) ?? ''
  if (text === '' && chunk['contains_speech'] !== true) return
  const known = open.get(role)
  if (known !== undefined && at - known.last <= PAUSE_TICKS) {
    known.last = at
    known.to = time
    known.texts.push(text)
    return
  }
  const utterance: Utterance = { role, first: at, last: at, from: time, to: time, texts: [text] }
  open.set(role, utterance)
  said.push({ utterance })
}

function asMessage({ role, first, last, from, to, texts }: Utterance): JsonObject {
  return {
    role,
    content: texts.join('').trim() || NO_TRANSCRIPT,
    is_audio: true,
    ticks: [first, last],
    timestamp: from,
    ...(isBare(to) ? {} : { ended: to }),
  }
}
