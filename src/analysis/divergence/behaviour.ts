// What a tool does, from what its calls gave back: asked only when its name says nothing. A tool that tells something
// which was not asked and which other trials were told as well only looks; one that acknowledges changes something.

import type { Act, NormalTrial } from './input.ts'
import { isSpecific, isVolatileKey, volatileShape } from './leaf.ts'
import type { ToolClass } from './options.ts'
import { classOfName } from './words.ts'

/** Calls that a judgement needs, and the share of them that must have told something. */
const LEAST_CALLS = 2
const LEAST_SHARE = 0.6

const VERDICT_KEY =
  /(^|[._])(allow|valid|eligib|permit|authori[sz]|approv|grant|permi[ts]|erlaubt|gueltig|gultig)/i

/** An acknowledgement: `settled`, `queued`, `not found`. Words without a number tell nothing about a thing. */
const STATUS_WORD = /^s:[\p{L}_\- ]{1,24}$/u
const STATUS_KEY = /(^|[._])(status|state|result|message|ok|success|outcome|code)$/i

/** What is known of one tool. */
type Habit = {
  calls: number
  verdicts: number
  /** Per call and trial, the values that it told. */
  readonly told: { readonly trial: number; readonly tokens: readonly string[] }[]
  readonly trialsOf: Map<string, Set<number>>
}

/** The class that behaviour suggests for each tool whose name says nothing and that was called often enough. */
export function classesByBehaviour(trials: readonly NormalTrial[]): ReadonlyMap<string, ToolClass> {
  const habits = new Map<string, Habit>()
  const speaking = new Map<string, boolean>()
  trials.forEach((trial, t) => {
    for (const act of trial.acts) {
      if (act.kind !== 'tool' || act.isError || act.program !== null) continue
      let isSpeaking = speaking.get(act.sourceTool)
      if (isSpeaking === undefined) {
        speaking.set(act.sourceTool, (isSpeaking = classOfName(act.sourceTool).isKnown))
      }
      if (!isSpeaking) note(habits, act, t)
    }
  })
  const classes = new Map<string, ToolClass>()
  for (const [tool, habit] of habits) {
    if (habit.calls < LEAST_CALLS) continue
    const trialCount = new Set(habit.told.map(({ trial }) => trial)).size
    const least = trialCount > 1 ? 2 : 1
    const telling = habit.told.filter(({ tokens }) =>
      tokens.some((token) => (habit.trialsOf.get(token)?.size ?? 0) >= least),
    ).length
    if (habit.verdicts / habit.calls >= LEAST_SHARE) classes.set(tool, 'check')
    else classes.set(tool, telling / habit.calls >= LEAST_SHARE ? 'read' : 'write')
  }
  return classes
}

function note(habits: Map<string, Habit>, act: Act, trial: number): void {
  let habit = habits.get(act.tool)
  if (habit === undefined) {
    habits.set(act.tool, (habit = { calls: 0, verdicts: 0, told: [], trialsOf: new Map() }))
  }
  habit.calls++
  const given = new Set(act.args.map(([, token]) => token))
  const tokens: string[] = []
  let isVerdict = false
  for (const [path, token] of act.observed) {
    if (token.startsWith('b:') && VERDICT_KEY.test(path)) isVerdict = true
    if (given.has(token) || !isSpecific(token) || STATUS_WORD.test(token) || STATUS_KEY.test(path)) continue
    if (isVolatileKey(path) || volatileShape(token) !== null) continue
    tokens.push(token)
    const seen = habit.trialsOf.get(token)
    if (seen === undefined) habit.trialsOf.set(token, new Set([trial]))
    else seen.add(trial)
  }
  if (isVerdict) habit.verdicts++
  habit.told.push({ trial, tokens })
}
