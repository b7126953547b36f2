// Reading fields out of foreign JSON: each function gives the value when it has the expected shape and null
// otherwise. Used by every format file. Must never throw and never touch a prototype.

import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { wellFormed } from '../../base/text.ts'

/** The own member of a JSON object; undefined when it is not there or the value is no object. */
export function member(value: Json | undefined, key: string): Json | undefined {
  if (!isObject(value) || !Object.hasOwn(value, key)) return undefined
  return (value as JsonObject)[key]
}

/** The value as an object, or null. */
export function asObject(value: Json | undefined): JsonObject | null {
  return isObject(value) ? (value as JsonObject) : null
}

/** The value as a list, or null. */
export function asList(value: Json | undefined): readonly Json[] | null {
  return Array.isArray(value) ? (value as readonly Json[]) : null
}

/** The value as a string, or null. Numbers and booleans are not strings. */
export function asText(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}

/** The value as an identifier: a string in well-formed Unicode, or the digits of a number; null otherwise. */
export function asId(value: Json | undefined): string | null {
  if (typeof value === 'string') return wellFormed(value)
  return typeof value === 'number' ? String(value) : null
}

/** A finite number, from a number, a boolean (1, 0) or a string that is one; null otherwise. */
export function asNumber(value: Json | undefined): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'string' || !/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(value))
    return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** The members that are not named, for `extra`; undefined when there are none. */
export function others(value: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  const rest = Object.entries(value).filter(([key]) => !known.has(key))
  return rest.length === 0 ? undefined : Object.fromEntries(rest)
}

/** True when a list or object holds nothing, and for null. */
export function isBare(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Longer values are not repeated beside a trial: its original record has them. */
export const EXTRA_MAX_CHARACTERS = 20_000

/** The value, or in place of a long one how long it is. */
export function shortened(value: Json): Json {
  const { length } = JSON.stringify(value)
  return length <= EXTRA_MAX_CHARACTERS
    ? value
    : `[${length.toLocaleString('en-US')} characters, in the original record]`
}
