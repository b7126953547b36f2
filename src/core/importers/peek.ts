// Looking into a record without parsing it: the values of a few of its first-level members. Lets a first pass
// over a large file be nearly as fast as reading it. Knows no format.

import type { Json } from '../../base/json.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Offset after the closing quote of the string that begins at `from`; -1 when it does not end. */
function skipString(bytes: Uint8Array, from: number): number {
  for (let i = from + 1; i < bytes.length; i += 1) {
    const byte = bytes[i]
    if (byte === BACKSLASH) i += 1
    else if (byte === QUOTE) return i + 1
  }
  return -1
}

function parseShort(bytes: Buffer, from: number, to: number): Json | undefined {
  try {
    return JSON.parse(bytes.toString('utf8', from, to)) as Json
  } catch {
    return undefined
  }
}

/**
 * The values of the named members of a JSON object, when they are strings, numbers or words. Stops when all
 * are found; the first of equal names wins. Members that hold lists or objects are not given.
 */
export function peekMembers<Name extends string>(
  bytes: Buffer,
  names: readonly Name[],
): Partial<Record<Name, Json>> {
  const found: Partial<Record<Name, Json>> = {}
  let left = names.length
  let depth = 0
  let key: Name | null = null
  let isKey = false
  for (let i = 0; i < bytes.length && left > 0;) {
    const byte = bytes[i] as number
    if (byte === QUOTE) {
      const end = skipString(bytes, i)
      if (end < 0) break
      if (depth === 1 && isKey) {
        const name = names.find((one) => bytes.length >= i + 2 + one.length && isNamed(bytes, i, end, one))
        key = name !== undefined && !Object.hasOwn(found, name) ? name : null
        isKey = false
      } else if (depth === 1 && key !== null) {
        found[key] = parseShort(bytes, i, end)
        left -= 1
        key = null
      }
      i = end
      continue
    }
    if (byte === 0x7b || byte === 0x5b) {
      depth += 1
      isKey = depth === 1 && byte === 0x7b
      key = null
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1
    else if (byte === 0x2c && depth === 1) {
      isKey = true
      key = null
    } else if (key !== null && depth === 1 && byte !== 0x3a && byte > 0x20) {
      let end = i
      while (end < bytes.length && /[\w+.-]/.test(String.fromCharCode(bytes[end] as number))) end += 1
      found[key] = parseShort(bytes, i, end)
      left -= 1
      key = null
      i = Math.max(end, i + 1)
      continue
    }
    i += 1
  }
  return found
}

function isNamed(bytes: Buffer, from: number, end: number, name: string): boolean {
  return end - from === name.length + 2 && bytes.toString('latin1', from + 1, end - 1) === name
}
