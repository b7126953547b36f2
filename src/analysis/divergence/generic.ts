// Tools that do everything (api_call, browser, run): their calls are told apart by what they ask for. When one argument
// says which operation is meant (method, action, path …), the operation becomes part of the tool's name.

import type { Act, NormalTrial } from './input.ts'
import type { Leaf } from './leaf.ts'

/** Arguments that name an operation, in the order in which they stand in the name. */
const OPERATION_KEYS = [
  'method',
  'action',
  'operation',
  'op',
  'verb',
  'command',
  'function',
  'name',
  'tool',
  'type',
]
const PLACE_KEYS = ['path', 'endpoint', 'route', 'url', 'uri', 'resource', 'object', 'entity', 'table']

/** A tool counts as generic from this share of all calls of the task. */
const LEAST_SHARE = 0.3
/** Share of its calls that must have the argument, and most different operations per use. */
const LEAST_PRESENT = 0.9
const MOST_DISTINCT = 0.5

/** An act's tool and words once its operation is known; null when it is no generic call. */
export type Operation = { readonly tool: string; readonly words: string; readonly args: readonly Leaf[] }

/** The generic tools of a task, with the arguments that name their operations. */
export class GenericTools {
  readonly #keys: ReadonlyMap<string, readonly string[]>

  constructor(trials: readonly NormalTrial[]) {
    this.#keys = genericKeys(trials)
  }

  /** True when the task has any. */
  get hasAny(): boolean {
    return this.#keys.size > 0
  }

  /** The operation that an act asks for, or null. */
  of(act: Act): Operation | null {
    const keys = this.#keys.get(act.tool)
    if (keys === undefined) return null
    const parts: string[] = []
    const args: Leaf[] = []
    for (const leaf of act.args) {
      const [path, token] = leaf
      if (!keys.includes(path)) {
        args.push(leaf)
        continue
      }
      const { template, ids } = templateOf(token.slice(2))
      parts[keys.indexOf(path)] = template
      ids.forEach((id, i) => args.push([`${path}.${i}`, id]))
    }
    const words = parts.filter((part) => part !== undefined).join(' ')
    return words === '' ? null : { tool: `${act.tool}:${words}`, words: operationWords(words), args }
  }
}

function genericKeys(trials: readonly NormalTrial[]): Map<string, readonly string[]> {
  const calls = new Map<string, Act[]>()
  let total = 0
  for (const trial of trials) {
    for (const act of trial.acts) {
      if (act.kind !== 'tool' || act.program !== null) continue
      total++
      const list = calls.get(act.tool)
      if (list === undefined) calls.set(act.tool, [act])
      else list.push(act)
    }
  }
  const generic = new Map<string, readonly string[]>()
  for (const [tool, acts] of calls) {
    if (acts.length < LEAST_SHARE * total) continue
    const keys = [...OPERATION_KEYS, ...PLACE_KEYS].filter((key) => namesOperations(acts, key))
    if (keys.length > 0) generic.set(tool, keys)
  }
  return generic
}

/** True when nearly all calls have the argument as a short text, with few different operations but more than one. */
function namesOperations(acts: readonly Act[], key: string): boolean {
  const templates = new Set<string>()
  let present = 0
  for (const act of acts) {
    const leaf = act.args.find(([path]) => path === key)
    if (leaf === undefined || !leaf[1].startsWith('s:') || leaf[1].length > 120) continue
    present++
    templates.add(templateOf(leaf[1].slice(2)).template)
  }
  return (
    present >= LEAST_PRESENT * acts.length && templates.size > 1 && templates.size <= MOST_DISTINCT * present
  )
}

/** A path without its ids: segments with digits, except versions, are named `{}` and returned as values. */
function templateOf(text: string): { readonly template: string; readonly ids: readonly string[] } {
  if (!text.includes('/')) return { template: text, ids: [] }
  const ids: string[] = []
  const [route, query] = text.split('?')
  const template = (route ?? '')
    .split('/')
    .map((segment) => {
      if (!/\d/.test(segment) || /^v\d+$/.test(segment)) return segment
      ids.push(`s:${segment}`)
      return '{}'
    })
    .join('/')
  if (query !== undefined) ids.push(`s:${query}`)
  return { template, ids }
}

/** The words by which an operation is classed: the method as a verb, unless the place says more. */
function operationWords(words: string): string {
  if (/^(GET|HEAD)\b/i.test(words)) return `get ${words}`
  if (/^DELETE\b/i.test(words)) return `delete ${words}`
  return words.replace(/^(POST|PUT|PATCH)\b/i, '')
}
