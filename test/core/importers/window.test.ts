// A window gives the bytes of the stream whatever pieces it comes in, also where memory is used again.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteWindow } from '../../../src/core/importers/window.ts'

/** The bytes in chunks that lie side by side in slabs; with `isFleeting` two slabs take turns. */
async function* slabs(
  bytes: Buffer,
  chunk: number,
  slab: number,
  isFleeting: boolean,
): AsyncGenerator<Buffer> {
  let memory = Buffer.allocUnsafeSlow(slab)
  let spare: typeof memory | null = null
  let used = 0
  for (let at = 0; at < bytes.length;) {
    if (used === slab) {
      const next: typeof memory = (isFleeting ? spare : null) ?? Buffer.allocUnsafeSlow(slab)
      spare = memory
      memory = next
      used = 0
    }
    const length = Math.min(chunk, slab - used, bytes.length - at)
    bytes.copy(memory, used, at, at + length)
    yield memory.subarray(used, used + length)
    used += length
    at += length
  }
}

test.each([false, true])('pieces of every size, chunks of every size; fleeting: %s', async (isFleeting) => {
  const pieces = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 40 })
  const size = fc.integer({ min: 1, max: 50 })
  await fc.assert(
    fc.asyncProperty(pieces, size, size, async (lengths, chunk, slab) => {
      const total = lengths.reduce((sum, length) => sum + length, 0)
      const bytes = Buffer.from(Array.from({ length: total }, (_, i) => (i % 17 === 5 ? 0x0a : i % 251)))
      const window = new ByteWindow(slabs(bytes, chunk, slab, isFleeting), isFleeting)
      const given: Buffer[] = []
      let at = 0
      for (const length of lengths) {
        window.kept = at
        while (window.end < at + length) expect(await window.more()).toBe(true)
        const view = window.view(at, at + length)
        expect(view.equals(bytes.subarray(at, at + length))).toBe(true)
        expect(window.byte(at)).toBe(bytes[at])
        const lines = bytes.subarray(0, at).filter((byte) => byte === 0x0a).length
        expect(window.lineAt(at)).toBe(lines + 1)
        given.push(view)
        at += length
      }
      expect(await window.more()).toBe(false)
      // Where memory is not used again, what was given out stays.
      if (!isFleeting) expect(Buffer.concat(given).equals(bytes)).toBe(true)
    }),
    { seed: 3, numRuns: 400 },
  )
})
