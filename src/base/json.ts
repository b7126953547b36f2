// JSON as a type, and the one canonical way to write it. Stands under everything; knows no domain.

/** Any value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json }

/** True when the value is a plain JSON object (not null, not an array). */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The value as JSON text with keys sorted at every depth, so that equal values give equal text.
 * Keys are compared by UTF-16 code unit. Nesting beyond 10,000 levels throws a RangeError (stack).
 */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalJson).join(',')}]`
  const object = value as JsonObject
  const parts: string[] = []
  for (const key of Object.keys(object).sort()) {
    const item = object[key]
    if (item !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(item)}`)
  }
  return `{${parts.join(',')}}`
}

/**
 * The value as JSON (indented by two; `indent` 0: one line) in which every character stands as an escape that a terminal would obey or that an eye
 * would miss: C1 controls, bidi marks, zero-width characters, line separators. A reader gets the same value.
 */
export function printableJson(value: unknown, indent = 2): string {
  // C0 controls and lone surrogates are escaped by JSON.stringify itself.
  return (JSON.stringify(value, null, indent) ?? 'null').replace(
    // eslint-disable-next-line no-control-regex
    /[\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|\udb40[\udc00-\udc7f]/g,
    (found) => Array.from({ length: found.length }, (_, at) => escapeOf(found.charCodeAt(at))).join(''),
  )
}

function escapeOf(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
