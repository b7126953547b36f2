// Values to tokens: a leaf of JSON or a text becomes a token that forgets formatting, clocks and random ids,
// but never guesses (03/04/2026 stays text: a date read wrongly is what we look for). First step of normalisation.

import type { Json } from '../../base/json.ts'

import { foldSpace, textLeaves } from './textleaves.ts'

/** A leaf: where it stands in the value, and its token. */
export type Leaf = readonly [path: string, token: string]

const MONTHS: ReadonlyMap<string, string> = new Map(
  `january february march april may june july august september october november december`
    .split(' ')
    .flatMap((name, i) => {
      const number = String(i + 1).padStart(2, '0')
      return [[name, number] as const, [name.slice(0, 3), number] as const]
    })
    .concat([['sept', '09']]),
)

const RE_DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const RE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/
const RE_MONTH_FIRST = /^([A-Za-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/
const RE_DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th)? ([A-Za-z]+)\.?,? (\d{4})$/
const RE_NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d+)?$/
const RE_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const RE_ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/
const RE_HEX = /^(0x)?(?=.*[a-f])(?=.*\d)[0-9a-f]{16,}$/i
const RE_CALL_ID = /^(call|chatcmpl|msg|toolu|req|run)[_-][A-Za-z0-9]{8,}$/
const VOLATILE_KEY =
  /(^|[._[\]])(request_?id|trace_?id|span_?id|correlation_?id|timestamp|ts|created_at|updated_at|latency(_ms)?|duration(_ms)?|elapsed(_ms)?|nonce|etag|session_?id)$/i

/** Leaves kept of one value; the rest of a larger value is not compared. */
export const MAX_LEAVES = 400
/** Nesting that is followed; what lies deeper is not compared. */
const MAX_DEPTH = 64

/** The token of a leaf: `null`, `b:` boolean, `n:` number, `d:` date, `t:` time, `s:` text. */
export function canonLeaf(value: null | boolean | number | string): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? 'b:true' : 'b:false'
  if (typeof value === 'number') return `n:${Object.is(value, -0) ? 0 : value}`
  const text = foldSpace(value)
  if (text.length > 40) return `s:${text}`
  const first = text.charCodeAt(0)
  const isDigit = (first >= 48 && first <= 57) || first === 45
  if (isDigit) {
    if (RE_NUMBER.test(text)) return `n:${Number(text)}`
    if (RE_DATE.test(text)) return `d:${text}`
    if (RE_TIME.test(text)) return `t:${text}`
  }
  return writtenDate(text) ?? `s:${text}`
}

/** `March 4, 2026` and `4 Mar 2026` as a date token; null for everything else. */
function writtenDate(text: string): string | null {
  const last = text.charCodeAt(text.length - 1)
  if (!(last >= 48 && last <= 57) || text.length < 10) return null
  const monthFirst = RE_MONTH_FIRST.exec(text)
  if (monthFirst) {
    const month = MONTHS.get((monthFirst[1] ?? '').toLowerCase())
    if (month !== undefined) return `d:${monthFirst[3]}-${month}-${(monthFirst[2] ?? '').padStart(2, '0')}`
  }
  const dayFirst = RE_DAY_FIRST.exec(text)
  if (dayFirst) {
    const month = MONTHS.get((dayFirst[2] ?? '').toLowerCase())
    if (month !== undefined) return `d:${dayFirst[3]}-${month}-${(dayFirst[1] ?? '').padStart(2, '0')}`
  }
  return null
}

/** True when a path's last key names something that changes in every trial (request_id, timestamp, latency_ms…). */
export function isVolatileKey(path: string): boolean {
  return VOLATILE_KEY.test(path)
}

/** Which random shape a value has (uuid, call id, long hex); null when it has none. */
export function volatileShape(token: string): string | null {
  const length = token.length
  if (length < 14 || token.charCodeAt(0) === 116) return null
  const text = token.slice(2)
  if (length === 38 && RE_UUID.test(text)) return 'V:uuid'
  if (RE_CALL_ID.test(text)) return 'V:call'
  if (length >= 18 && (RE_HEX.test(text) || RE_ULID.test(text))) return 'V:hex'
  return null
}

/**
 * The leaves of a value: keys sorted, arrays as `path[]` (their order is forgotten), empty ones as `∅`, nulls
 * dropped, at most MAX_LEAVES. Long or multi-line texts become two leaves: what they say, and their status lines.
 */
export function flatten(value: Json | undefined): Leaf[] {
  const leaves: Leaf[] = []
  if (value !== undefined) collect(value, '', leaves, 0)
  return leaves
}

function collect(value: Json, path: string, leaves: Leaf[], depth: number): void {
  if (leaves.length > MAX_LEAVES || value === null) return
  if (typeof value !== 'object') {
    if (typeof value === 'string' && (value.length > 120 || value.includes('\n'))) {
      textLeaves(path, value, leaves, (at, text) => collectText(text, at, leaves, depth + 1))
    } else leaves.push([path, canonLeaf(value)])
    return
  }
  if (depth >= MAX_DEPTH) {
    leaves.push([`${path}…`, 'x:none'])
    return
  }
  if (Array.isArray(value)) {
    const items = value as readonly Json[]
    if (items.length === 0) leaves.push([`${path}[]`, '∅'])
    for (const item of items) collect(item, `${path}[]`, leaves, depth + 1)
    return
  }
  const object = value as { readonly [key: string]: Json }
  const keys = Object.keys(object).sort()
  if (keys.length === 0) leaves.push([`${path}{}`, '∅'])
  for (const key of keys)
    collect(object[key] ?? null, path === '' ? key : `${path}.${key}`, leaves, depth + 1)
}

const SALIENT =
  /\b\d{4}-\d\d-\d\d\b|#?[A-Z]{1,4}\d{3,}|\b[A-Z0-9]{6}\b|\b[a-z]+(?:_[a-z]+)+_\d+\b|\$?\b\d+(?:,\d{3})*(?:\.\d+)?\b/g

/** The values that a text states: dates, order numbers, codes, ids, amounts ($ and thousands commas removed). */
export function salientValues(text: string): string[] {
  const found = text.match(SALIENT)
  return found === null ? [] : [...new Set(found)].map((value) => value.replace(/^\$/, '').replace(/,/g, ''))
}

const LONG_ID = /\b(?=[\w-]{0,64}\d)[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*\b/g

/** The ids of eight or more characters with a digit that a text names (`RF-1a2b3c4d`, uuids). */
export function longIds(text: string): string[] {
  const found = text.match(LONG_ID)
  return found === null ? [] : [...new Set(found)].filter((id) => id.length >= 8)
}

/** The value of a line: JSON when it is some, else a leaf. */
function collectText(text: string, path: string, leaves: Leaf[], depth: number): void {
  if (/^[[{].*[\]}]$/.test(text)) {
    try {
      collect(JSON.parse(text) as Json, path, leaves, depth)
      return
    } catch {
      // Brackets alone do not make it JSON.
    }
  }
  leaves.push([path, canonLeaf(text)])
}

/** True for prose: at least 4 words, 60 % of them purely alphabetic. */
export function isProse(text: string): boolean {
  const words = text.split(' ')
  return (
    words.length >= 4 &&
    words.filter((word) => /^[A-Za-z'’,.!?;:()-]+$/.test(word)).length >= 0.6 * words.length
  )
}

/** True when a token is specific enough to say where a value came from. */
export function isSpecific(token: string): boolean {
  const kind = token[0]
  if (token.length < 4 || kind === 'T' || kind === 'b' || kind === 'x') return false
  return !(kind === 'n' && Math.abs(Number(token.slice(2))) < 10)
}

/** A token as a person reads it; the values of a repeated path stand side by side. */
export function tokenText(token: string): string {
  if (token.includes('¦')) return token.split('¦').map(tokenText).join(', ')
  if (token === '∅') return '(empty)'
  if (token.startsWith('@')) return `(the one that ${token.slice(1).replace('.', ' gave as ')})`
  if (token.startsWith('V:')) return '(changes in every trial)'
  if (token.startsWith('T:'))
    return token.length > 2 ? token.slice(2).replaceAll('|', ', ') : '(text without values)'
  if (token.startsWith('x:')) {
    if (token === 'x:none') return '(no status line)'
    const at = token.indexOf(':', 2)
    return at < 0 ? `(text ${token.slice(2)})` : token.slice(at + 1)
  }
  return /^[bndts]:/.test(token) ? token.slice(2) : token
}
