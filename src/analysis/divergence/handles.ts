// Handles: references that a page or a list gives to its elements anew in every trial (`[ref=e12]`, `{"ref": "e12"}`). In
// arguments they are compared by what they denote – role, name, label – as the trial itself was told before.

import type { Json } from '../../base/json.ts'
import type { Act, NormalTrial } from './input.ts'
import type { Leaf } from './leaf.ts'
import { canonLeaf } from './leaf.ts'
import { foldedLines, foldSpace, HANDLE_IN_LINE } from './textleaves.ts'

/** A handle's token and what it denotes. */
export type Handle = readonly [token: string, denoted: string]

const HANDLE_KEYS = [
  'ref',
  'element_id',
  'elementId',
  'uid',
  'bid',
  'handle',
  'node_id',
  'backend_node_id',
  'index',
  'id',
]
const ROLE_KEYS = ['role', 'tag', 'type', 'kind']
const NAME_KEYS = ['name', 'label', 'text', 'title', 'aria_label', 'aria-label', 'placeholder', 'value']
const ARGUMENT_KEY =
  /(^|[._])(ref|element|element_?id|target|uid|bid|handle|node|node_?id|index|idx|id|selector)$/i
const SHORT_HANDLE = /^(s:[a-zA-Z]{0,3}\d{1,6}|n:\d{1,6})$/

/** Handles kept of one result. */
const MAX_HANDLES = 2000
/** A field belongs to the button that is pressed within this many acts. */
const MAX_FIELDS = 20
/** Share of a tool's calls with a handle from which the denoted element belongs to its name. */
const LEAST_DENOTED = 0.3

/** The handles that a result gives out, from lines of text or from element-like objects. */
export function handlesOf(value: Json | undefined): Handle[] {
  const handles: Handle[] = []
  if (typeof value === 'string') fromText(value, handles)
  else if (value !== undefined) fromJson(value, handles, 0)
  return handles
}

function fromText(text: string, handles: Handle[]): void {
  if (!text.includes('[')) return
  for (const { told, bare } of foldedLines(text)) {
    // A handle leaves its line shorter.
    if (told === bare || handles.length >= MAX_HANDLES) continue
    const found = HANDLE_IN_LINE.exec(told)
    if (found === null) continue
    const denoted = bare.replace(/^[-*•>\s]+/, '').replace(/:(\s.*)?$/, '')
    if (denoted !== '') handles.push([canonLeaf(found[1]!), denoted.slice(0, 80)])
  }
}

function fromJson(value: Json, handles: Handle[], depth: number): void {
  if (value === null || typeof value !== 'object' || depth > 12 || handles.length >= MAX_HANDLES) {
    if (typeof value === 'string' && value.includes('\n')) fromText(value, handles)
    return
  }
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) fromJson(item, handles, depth + 1)
    return
  }
  const object = value as { readonly [key: string]: Json }
  const role = scalar(object, ROLE_KEYS)
  const name = scalar(object, NAME_KEYS)
  if (role !== null && name !== null) {
    for (const key of HANDLE_KEYS) {
      const handle = Object.hasOwn(object, key) ? object[key] : undefined
      if (typeof handle !== 'string' && typeof handle !== 'number') continue
      handles.push([canonLeaf(handle), `${role} "${name}"`])
      break
    }
  }
  for (const item of Object.values(object)) fromJson(item, handles, depth + 1)
}

function scalar(object: { readonly [key: string]: Json }, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = Object.hasOwn(object, key) ? object[key] : undefined
    if (typeof value === 'string' && value !== '') return foldSpace(value).slice(0, 60)
  }
  return null
}

/** An act's argument that is a handle: its path, and what it denotes (null when the trial was never told). */
type Denoted = { readonly path: string; readonly what: string | null }

/**
 * The trials with handles in arguments replaced by what they denote; where most calls of a tool name an element, the
 * element becomes part of the tool's name (`click:button "Save"`), because that is what the call does.
 */
export function resolveHandles(trials: readonly NormalTrial[]): readonly NormalTrial[] {
  if (!trials.some((trial) => trial.acts.some((act) => act.handles.length > 0))) return trials
  const found = trials.map((trial) => denotedIn(trial.acts))
  const counts = new Map<string, [denoted: number, all: number]>()
  trials.forEach((trial, t) =>
    trial.acts.forEach((act, i) => {
      if (act.kind !== 'tool') return
      const count = counts.get(act.tool) ?? [0, 0]
      counts.set(act.tool, [count[0] + (found[t]![i]?.what == null ? 0 : 1), count[1] + 1])
    }),
  )
  return trials.map((trial, t) => ({
    ...trial,
    acts: trial.acts.map((act, i) => {
      const [denoted, all] = counts.get(act.tool) ?? [0, 0]
      const handle = found[t]![i]
      if (handle == null || denoted === 0) return act
      if (denoted < LEAST_DENOTED * all) return asArgument(act, handle)
      return asOperation(act, handle, formButton(trial.acts, found[t]!, i))
    }),
  }))
}

/** Per act its handle argument, resolved by the latest result before it, else by the next one after it. */
function denotedIn(acts: readonly Act[]): (Denoted | null)[] {
  const later = new Map<string, string>()
  for (const act of acts)
    for (const [token, what] of act.handles) if (!later.has(token)) later.set(token, what)
  const latest = new Map<string, string>()
  return acts.map((act) => {
    let denoted: Denoted | null = null
    if (act.kind === 'tool') {
      for (const [path, token] of act.args) {
        if (!ARGUMENT_KEY.test(path) || !SHORT_HANDLE.test(token)) continue
        denoted = { path, what: latest.get(token) ?? later.get(token) ?? null }
        if (denoted.what !== null) break
      }
    }
    for (const [token, what] of act.handles) latest.set(token, what)
    return denoted
  })
}

function replaced(act: Act, { path, what }: Denoted): Leaf[] {
  return act.args.map((leaf) => (leaf[0] === path ? [path, what === null ? '@unknown' : `@${what}`] : leaf))
}

function asArgument(act: Act, handle: Denoted): Act {
  return { ...act, args: replaced(act, handle) }
}

/** What the next pressed button is called, when act `i` fills a field before it; null without one. */
function formButton(acts: readonly Act[], denoted: readonly (Denoted | null)[], i: number): string | null {
  if (!TYPING.test(acts[i]!.sourceTool)) return null
  for (let j = i + 1; j < acts.length && j <= i + MAX_FIELDS; j++) {
    const what = denoted[j]?.what
    if (what != null && !TYPING.test(acts[j]!.sourceTool)) return LOOKING.test(what) ? null : what
  }
  return null
}

function asOperation(act: Act, handle: Denoted, button: string | null): Act {
  const what = handle.what ?? 'unknown element'
  return {
    ...act,
    tool: `${act.tool}:${what}`,
    sourceTool: operationWords(act.sourceTool, button ?? what, button !== null),
    args: act.args.filter(([path]) => path !== handle.path),
  }
}

const TYPING = /type|fill|input|enter|write|select|set|check|upload|paste/i
const LOOKING = /^(link|tab|menuitem|menu|heading|text|img|image|row|cell|listitem|unknown|a|li|td|nav|<a\b)/i

/** The words by which acting on an element is classed: what a button says (also of its fields), what a link opens. */
function operationWords(tool: string, what: string, isField: boolean): string {
  if (TYPING.test(tool) && !isField) return tool
  if (LOOKING.test(what)) return `open ${what}`
  return what.replace(/^(button|btn|<button[^>]*>|submit)\s*/i, '')
}
