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
