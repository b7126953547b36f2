// Changes of a case that must not change its finding: other trial order, key order, ids, clocks, white space, date
// formats, and a consistent renaming of nouns, argument names and values.

import type { Json } from '../../../src/base/json.ts'
import { Rng } from '../../../src/analysis/reliability/random.ts'
import { classOfName, nameWords, stageOfName } from '../../../src/analysis/divergence/words.ts'
import { hex, shuffle, uuid, writeDate } from './generate.ts'
import type { Case, CaseTrial, SlotStep } from './generate.ts'

/** A variation by name; `isExact` when probabilities must stay the same to 1e-6. */
export type Variation = {
  readonly name: string
  readonly isExact: boolean
  readonly apply: (made: Case) => Case
}

function mapSteps(made: Case, change: (step: SlotStep, trial: CaseTrial) => SlotStep): Case {
  return {
    ...made,
    trials: made.trials.map((trial) => ({ ...trial, steps: trial.steps.map((step) => change(step, trial)) })),
  }
}

function mapJson(value: Json, leaf: (text: string) => Json, key: (name: string) => string): Json {
  if (typeof value === 'string') return leaf(value)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => mapJson(item, leaf, key))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [key(name), mapJson(item, leaf, key)]),
  )
}

function withJson(step: SlotStep, change: (value: Json) => Json): SlotStep {
  return {
    ...step,
    ...(step.args === undefined ? {} : { args: change(step.args) }),
    ...(step.obs === undefined ? {} : { obs: change(step.obs) }),
  }
}

function reversedKeys(value: Json): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return (value as readonly Json[]).map(reversedKeys)
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [name, reversedKeys(item)]),
  )
}

/** Other request ids, message and refund ids, times and latencies; equal ids stay equal. */
function freshIds(made: Case): Case {
  const rng = new Rng(made.seed, 'ids')
  const known = new Map<string, string>()
  const renew = (old: string, make: () => string): string => {
    let fresh = known.get(old)
    if (fresh === undefined) known.set(old, (fresh = make()))
    return fresh
  }
  return mapSteps(made, (step) => {
    const text = JSON.stringify(step)
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}/g, (id) =>
        renew(id, () => uuid(rng)),
      )
      .replace(/RF-[0-9a-f]{8}/g, (id) => renew(id, () => `RF-${hex(rng, 8)}`))
      .replace(/"ts":"[^"]*"/g, () => `"ts":"2027-01-02T${10 + rng.below(13)}:05:0${rng.below(9)}Z"`)
      .replace(/"latency_ms":\d+/g, () => `"latency_ms":${rng.below(3000)}`)
    return JSON.parse(text) as SlotStep
  })
}

/** The metamorphic variations. */
export const VARIATIONS: readonly Variation[] = [
  {
    name: 'trial order',
    isExact: false,
    apply: (made) => {
      const trials = [...made.trials]
      shuffle(new Rng(made.seed, 'order'), trials)
      return { ...made, trials }
    },
  },
  {
    name: 'key order',
    isExact: true,
    apply: (made) => mapSteps(made, (step) => withJson(step, reversedKeys)),
  },
  { name: 'ids, clocks, latencies', isExact: true, apply: freshIds },
  {
    name: 'white space',
    isExact: true,
    apply: (made) =>
      mapSteps(made, (step) =>
        withJson(step, (value) =>
          mapJson(
            value,
            (text) => `  ${text.replace(/ /g, '  ')} `,
            (name) => name,
          ),
        ),
      ),
  },
  {
    name: 'date format of passing trials',
    isExact: true,
    apply: (made) => {
      const rng = new Rng(made.seed, 'dates')
      const format = (text: string): string =>
        /^\d{4}-\d\d-\d\d$/.test(text) ? writeDate(rng, text, true) : text
      return mapSteps(made, (step, trial) =>
        trial.pass ? withJson(step, (value) => mapJson(value, format, (name) => name)) : step,
      )
    },
  },
]

const KEPT_KEYS: ReadonlySet<string> = new Set(['request_id', 'ts', 'latency_ms', 'error'])

/** Each letter thirteen places on. */
function rotate(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })
}

function isVerb(word: string): boolean {
  if (nameWords(word)[0] !== word) return false
  return (
    !classOfName(word).reason.startsWith('no known verb') ||
    stageOfName(word, false) !== 'gather' ||
    stageOfName(`find_${word}`, false) === 'identify'
  )
}

function renameTool(tool: string): string {
  return tool
    .split('_')
    .map((word) => (isVerb(word.replace(/\d+$/, '')) ? word : rotate(word)))
    .join('_')
}

/** Everything a person named, renamed: nouns of tools, argument names, values; verbs and check words stay. */
export function renamed(made: Case): Case {
  const isDate = (text: string): boolean => /\b\d{4}$/.test(text) && /^(\d|[A-Z][a-z]+ \d)/.test(text)
  const value = (text: string): string => (isDate(text) || /^[0-9a-f]{8}-/.test(text) ? text : rotate(text))
  const key = (name: string): string => (KEPT_KEYS.has(name) ? name : rotate(name))
  return mapSteps(made, (step) => ({
    ...withJson(step, (json) => mapJson(json, value, key)),
    ...(step.tool === undefined ? {} : { tool: renameTool(step.tool) }),
    ...(step.text === undefined ? {} : { text: rotate(step.text) }),
  }))
}
