// Media of a trial's original record, found again by what its placeholder says: `[image, image/png, 7,534 bytes, sha256
// 1a2b3c4d]` (importers/media.ts). Pure. Nothing is decoded but the first bytes, which say what it is.

import { createHash } from 'node:crypto'
import type { Medium } from '../../contract/textrows.ts'

/** Base64 as it stands in JSON; shorter runs are never placeholders. */
const RUN = /[A-Za-z0-9+/_-]{64,}={0,2}/g
const SIGN = /\\u00(2[bdf]|3d|5f)/gi
/** What files begin with, as hexadecimal. */
const KINDS: readonly (readonly [begins: RegExp, type: string])[] = [
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^47494638/, 'image/gif'],
  [/^52494646.{8}57454250/, 'image/webp'],
  [/^52494646.{8}57415645/, 'audio/wav'],
  [/^25504446/, 'application/pdf'],
]

/** The medium of a record whose base64 has a SHA-256 that begins with `hash`; null when there is none. */
export function mediumIn(record: Buffer, hash: string): Medium | null {
  // Base64 is ASCII; some writers escape its slashes, others all of its signs: `\u002B`.
  const text = record
    .toString('latin1')
    .replaceAll('\\/', '/')
    .replace(SIGN, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  for (const [base64] of text.matchAll(RUN)) {
    if (!createHash('sha256').update(base64).digest('hex').startsWith(hash)) continue
    const head = Buffer.from(base64.slice(0, 64), 'base64').toString('hex')
    return {
      base64,
      type: KINDS.find(([begins]) => begins.test(head))?.[1] ?? null,
      bytes: Math.floor((base64.replace(/=+$/, '').length * 3) / 4),
    }
  }
  return null
}
