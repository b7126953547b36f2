// The first place where two JSON values differ, for the one-line hint on a lane's cell. Not a full comparison:
// that is jsonRows. Array items are compared by position here.

import { DIFF_LIMITS } from './rows.ts'
import { isDeeper } from './jsonRows.ts'
import type { Json } from '../../base/json.ts'

/** Where two values differ and what stands there; undefined where a side has nothing. */
export type FirstDifference = {
  readonly path: string
  readonly left: Json | undefined
  readonly right: Json | undefined
}

function childrenOf(value: Json): ReadonlyMap<string, Json> | null {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null
}

function walk(left: Json | undefined, right: Json | undefined, path: string): FirstDifference | null {
  if (left === right) return null
  if (left === undefined || right === undefined) return { path, left, right }
  const a = childrenOf(left)
  const b = childrenOf(right)
  if (a === null || b === null || Array.isArray(left) !== Array.isArray(right)) return { path, left, right }
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    const at = Array.isArray(left) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    const found = walk(a.get(key), b.get(key), at)
    if (found !== null) return found
  }
  return null
}

/** The first differing path (`a.b[2]`, '' for the value itself); null when equal or nested too deeply to say. */
export function firstDifference(left: Json, right: Json): FirstDifference | null {
  if (isDeeper(left, DIFF_LIMITS.depth) || isDeeper(right, DIFF_LIMITS.depth)) return null
  return walk(left, right, '')
}
