// Redaction: text that came from traces or people, with personal and secret things replaced by counted stubs such
// as ⟦email 1⟧. Equal things get the equal stub within one report, in the order in which they are met. Looks into
// JSON keys and values, escaped JSON, base64 and file paths. Does not recognise names of people, and says so.

import { isObject, type Json } from '../../base/json.ts'
import type { RedactionCount } from './input.ts'
import { KEY_KINDS, PATTERNS, type Pattern } from './patterns.ts'

/** Replaces and counts. One redactor serves one report. */
export type Redactor = {
  /** Content: everything is looked for. */
  text(text: string): string
  /** A name or label (task, tool, configuration, file): everything except bare codes, which tell such names apart. */
  name(text: string): string
  /** A JSON value with its keys; a value whose key says what it is goes whatever it looks like. */
  json(value: Json): Json
  /** Remembers values under telling keys, so that they are replaced wherever they stand in any text. */
  learn(value: Json): void
  /** What was replaced, by kind, in the order of the alphabet. */
  counts(): readonly RedactionCount[]
}

/** Zero-width and direction characters, which would hide a number or address from the patterns. */
const HIDDEN = /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const BASE64 = /(?<![A-Za-z0-9+/_=-])(?:data:[\w.+-]+\/[\w.+-]+;base64,)?[A-Za-z0-9+/_-]{16,}={0,2}/g
const DATA_URL = /data:[\w.+-]*\/?[\w.+-]*(?:;[\w.+=-]+)*;base64,[A-Za-z0-9+/_=\s-]+/g
/** Base64 broken into lines, as mail and PEM do. */
const BASE64_LINES = /(?:[A-Za-z0-9+/]{48,76}(?:\r?\n|\\r?\\n|\\n))+[A-Za-z0-9+/]{1,76}={0,2}/g
const HEX = /(?<![A-Za-z0-9])(?:[0-9a-fA-F]{2}){12,}(?![A-Za-z0-9])/g
const STUB = /⟦[a-z ]+ \d+⟧/
const DEPTH = 3

/** A new redactor with nothing counted. */
export function createRedactor(): Redactor {
  const numbers = new Map<string, Map<string, number>>()
  const found = new Map<string, number>()
  const learned = new Map<string, string>()
  let learnedRegex: RegExp | null = null

  const stub = (kind: string, value: string): string => {
    const known = numbers.get(kind) ?? new Map<string, number>()
    numbers.set(kind, known)
    const key = kind === 'email' ? value.toLowerCase() : value.replace(/[\s().-]/g, '')
    const number = known.get(key) ?? known.size + 1
    known.set(key, number)
    found.set(kind, (found.get(kind) ?? 0) + 1)
    return `⟦${kind} ${number}⟧`
  }

  const applyPatterns = (text: string, everywhereOnly: boolean): string => {
    let result = text
    for (const pattern of PATTERNS) {
      if (everywhereOnly && !pattern.everywhere) continue
      result = replaceOutsideStubs(result, pattern, (value) => stub(pattern.kind, value))
    }
    return result
  }

  const applyLearned = (text: string): string => {
    if (learned.size === 0) return text
    learnedRegex ??= wordsRegex([...learned.keys()])
    return text.replace(learnedRegex, (value) => stub(learned.get(value) ?? 'id', value))
  }

  const encoded = (text: string): string =>
    text
      .replace(DATA_URL, (value) => stub('encoded', value))
      .replace(BASE64_LINES, (value) =>
        hidesSomething(value.replace(/\\[rn]|\s/g, ''), learned, 'base64') ? stub('encoded', value) : value,
      )
      .replace(BASE64, (value) => (hidesSomething(value, learned, 'base64') ? stub('encoded', value) : value))
      .replace(HEX, (value) => (hidesSomething(value, learned, 'hex') ? stub('encoded', value) : value))

  const replace = (text: string, everywhereOnly: boolean): string => {
    const plain = unhidden(text, everywhereOnly)
    const start = encoded(plain)
    return applyPatterns(everywhereOnly ? start : applyLearned(start), everywhereOnly)
  }

  const walk = (value: Json, key: string | null): Json => {
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => walk(item, key))
    if (isObject(value)) {
      const entries = Object.entries(value as { readonly [key: string]: Json })
      return Object.fromEntries(entries.map(([name, item]) => [replace(name, false), walk(item, name)]))
    }
    if (value === null || typeof value === 'boolean' || value === '') return value
    const kind = key === null ? null : kindOfKey(key)
    if (kind !== null) return stub(kind, String(value))
    if (typeof value === 'string') return replace(value, false)
    const text = String(value)
    const replaced = replace(text, false)
    return replaced === text ? value : replaced
  }

  const learn = (value: Json, key: string | null): void => {
    if (Array.isArray(value)) for (const item of value as readonly Json[]) learn(item, key)
    else if (isObject(value)) for (const [name, item] of Object.entries(value)) learn(item as Json, name)
    else if (key !== null && (typeof value === 'string' || typeof value === 'number')) {
      const kind = kindOfKey(key)
      const text = String(value)
      // A plain word or a short number would be replaced in innocent sentences.
      if (kind === null || text.length < 4 || text.length > 500) return
      if (kind !== 'secret' && kind !== 'personal' && !/[\d_@]/.test(text)) return
      if (/^\d{1,5}$/.test(text)) return
      if (!learned.has(text)) {
        learned.set(text, kind)
        learnedRegex = null
      }
    }
  }

  return {
    text: (text) => replace(text, false),
    name: (text) => replace(text, true),
    json: (value) => walk(value, null),
    learn: (value) => learn(value, null),
    counts: () =>
      [...found]
        .map(([kind, count]) => ({ kind, found: count, different: numbers.get(kind)?.size ?? 0 }))
        .sort((a, b) => (a.kind < b.kind ? -1 : 1)),
  }
}

/** The text, or its form without hidden characters and with compatibility digits folded, when that shows more. */
function unhidden(text: string, everywhereOnly: boolean): string {
  if (/^[\u0020-\u007e\n\t]*$/.test(text)) return text
  const folded = text.replace(HIDDEN, '').normalize('NFKC')
  return folded !== text && hits(folded, everywhereOnly) > hits(text, everywhereOnly) ? folded : text
}

function hits(text: string, everywhereOnly: boolean): number {
  let count = 0
  for (const pattern of PATTERNS) {
    if (everywhereOnly && !pattern.everywhere) continue
    for (const match of text.matchAll(pattern.regex)) {
      if (pattern.holds?.(match[pattern.group] ?? '') ?? true) count += 1
    }
  }
  return count
}

function replaceOutsideStubs(text: string, pattern: Pattern, stub: (value: string) => string): string {
  return text.replace(pattern.regex, (...args: unknown[]) => {
    const whole = String(args[0])
    const value = pattern.group === 0 ? whole : String(args[pattern.group] ?? '')
    if (value === '' || STUB.test(value) || pattern.holds?.(value) === false) return whole
    // The group stands at the end of every pattern that has one, perhaps before a quote.
    const at = whole.lastIndexOf(value)
    return `${whole.slice(0, at)}${stub(value)}${whole.slice(at + value.length)}`
  })
}

/** True when the decoded text is readable and holds something to replace, also when it was encoded more than once. */
function hidesSomething(
  value: string,
  learned: ReadonlyMap<string, string>,
  encoding: 'base64' | 'hex',
  depth = DEPTH,
): boolean {
  if (depth === 0) return false
  const compact = value.replace(/-/g, '+').replace(/_/g, '/')
  const bytes = Buffer.from(encoding === 'hex' ? value : compact, encoding)
  if (bytes.length < 6) return false
  const decoded = bytes.toString('utf8')
  // Printable, save for a torn character at either end.
  const odd = decoded.match(/[\u0000-\u0008\u000e-\u001f\ufffd]/g)?.length ?? 0
  if (odd > 2 + decoded.length / 50) return false
  if (hits(decoded, true) > 0) return true
  for (const known of learned.keys()) if (decoded.includes(known)) return true
  return [...decoded.matchAll(BASE64)].some((match) => hidesSomething(match[0], learned, 'base64', depth - 1))
}

function kindOfKey(key: string): string | null {
  return KEY_KINDS.find((rule) => rule.key.test(key))?.kind ?? null
}

/** Any of the words, longest first, not inside a longer word. */
function wordsRegex(words: readonly string[]): RegExp {
  const escaped = words
    .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${escaped.join('|')})(?![\\p{L}\\p{N}_])`, 'gu')
}
