// Paths into JSON values, as a person writes them in a rule: `arguments.items[].price`, `result["a.b"][0]`. Parsed
// once into steps and followed with a bound. Trace data is hostile: nothing here recurses into it or runs anything.

import type { Json, JsonObject } from '../base/json.ts'
import { err, ok, type Result } from '../base/result.ts'

/** A key, a position, or null for every item of an array. */
export type PathStep = string | number | null

/** A parsed path; the empty path is the value itself. */
export type ValuePath = readonly PathStep[]

/** Longest path text and most steps. */
const MAX_CHARS = 500
const MAX_STEPS = 32
/** Values looked at while following a path; what lies beyond is not found. */
const MAX_VISITS = 10_000

/**
 * The steps of a path. Keys stand between dots; `[]` is every item of an array, `[2]` the third one, `["a.b"]` a key
 * with signs in it. The error says what is wrong and where.
 */
export function parsePath(text: string): Result<ValuePath, string> {
  if (text.length > MAX_CHARS) return err(`a path has at most ${MAX_CHARS} characters`)
  const steps: PathStep[] = []
  let at = 0
  let needsKey = true
  while (at < text.length) {
    if (steps.length >= MAX_STEPS) return err(`a path has at most ${MAX_STEPS} steps`)
    if (text[at] === '[' && (!needsKey || steps.length === 0)) {
      const step = bracket(text, at)
      if (!step.ok) return step
      steps.push(step.value.step)
      at = step.value.end
      needsKey = false
    } else if (needsKey) {
      let end = at
      while (end < text.length && text[end] !== '.' && text[end] !== '[') end++
      if (end === at) return err(`a key is missing at character ${at + 1}`)
      if (text.slice(at, end).includes(']')) return err(`a “]” without “[” before character ${end + 1}`)
      steps.push(text.slice(at, end))
      at = end
      needsKey = false
    } else if (text[at] === '.') {
      at++
      needsKey = true
    } else return err(`a dot or “[” is missing at character ${at + 1}`)
  }
  return needsKey ? err('a key is missing at the end') : ok(steps)
}

function bracket(text: string, at: number): Result<{ step: PathStep; end: number }, string> {
  if (text[at + 1] === '"') {
    let end = at + 2
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
    if (text[end] !== '"' || text[end + 1] !== ']')
      return err(`the key in quotes at character ${at + 1} does not end`)
    try {
      return ok({ step: String(JSON.parse(text.slice(at + 1, end + 1))), end: end + 2 })
    } catch {
      return err(`the key in quotes at character ${at + 1} is not written as JSON`)
    }
  }
  const end = text.indexOf(']', at)
  if (end < 0) return err(`“[” at character ${at + 1} has no “]”`)
  const inner = text.slice(at + 1, end)
  if (inner === '') return ok({ step: null, end: end + 1 })
  if (/^\d{1,6}$/.test(inner)) return ok({ step: Number(inner), end: end + 1 })
  return err(`in “[ ]” stands nothing, a number or a key in quotes (character ${at + 2})`)
}

/** Every value that the path leads to, in order; none when it leads nowhere. */
export function valuesAt(value: Json | undefined, path: ValuePath): readonly Json[] {
  let found: Json[] = value === undefined ? [] : [value]
  let visits = 0
  for (const step of path) {
    const next: Json[] = []
    for (const item of found) {
      if (visits > MAX_VISITS) break
      if (typeof item !== 'object' || item === null) continue
      if (Array.isArray(item)) {
        const items = item as readonly Json[]
        if (step === null) {
          const some = items.slice(0, MAX_VISITS - visits)
          visits += some.length
          for (const one of some) next.push(one)
        } else if (typeof step === 'number') {
          const one = items[step]
          visits++
          if (one !== undefined) next.push(one)
        }
      } else if (typeof step === 'string' && Object.hasOwn(item, step)) {
        visits++
        const one = (item as JsonObject)[step]
        if (one !== undefined) next.push(one)
      }
    }
    found = next
  }
  return found
}
