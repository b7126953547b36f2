// Records stored beside their body: they come back byte for byte whatever is claimed to be shared, and damage is noticed.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pack } from '../../../src/core/store/blobs.ts'
import { needsBody, ownPart, packBeside, unpackBeside } from '../../../src/core/store/rawblocks.ts'

const LONG = 'a long text, “quoted” '.repeat(400)
const body = Buffer.from(`{"steps":["${LONG}","other"]}`)
const record = Buffer.from(`{"first": "${LONG}", "again": "${LONG}", "last": 1}`)
const piece = (from: number) => {
  const at = record.indexOf(LONG, from)
  return { at, bodyAt: body.indexOf(LONG), length: Buffer.byteLength(LONG) }
}
const pieces = [piece(0), piece(20 + Buffer.byteLength(LONG))]

test('what the body holds is not kept again, equal texts included', () => {
  const own = ownPart(record, body, pieces)
  if (own === null) throw new Error('Nothing is shared')
  expect(own.length).toBeLessThan(100)
  const block = packBeside(own, record.length)
  expect(needsBody(block)).toBe(true)
  expect(block.body.byteOffset).toBe(0)
  expect(block.body.buffer.byteLength).toBe(block.body.byteLength)
  expect(unpackBeside(block, body).equals(record)).toBe(true)
  // As SQLite gives it: somewhere in a larger buffer.
  const within = Buffer.concat([Buffer.from('xyz'), block.body]).subarray(3)
  expect(unpackBeside({ bytes: block.bytes, body: within }, body).equals(record)).toBe(true)
})

test('a whole record is stored as ever, and told apart', () => {
  expect(ownPart(record, body, [])).toBeNull()
  expect(ownPart(record, Buffer.from('{}'), pieces)).toBeNull()
  expect(needsBody(pack(record))).toBe(false)
})

test('claims that are not true change nothing', () => {
  const number = fc.integer({ min: 0, max: record.length + 10 })
  const claim = fc.record({ at: number, bodyAt: number, length: number })
  fc.assert(
    fc.property(fc.array(claim, { maxLength: 6 }), (claims) => {
      const own = ownPart(record, body, [...claims, ...pieces])
      if (own !== null) expect(unpackBeside(packBeside(own, record.length), body).equals(record)).toBe(true)
    }),
    { seed: 5, numRuns: 500 },
  )
  expect(ownPart(record, body, [{ at: 0, bodyAt: 0, length: 1 }, ...pieces])).not.toBeNull()
})

test('another body, another length or a damaged block is an error', () => {
  const own = ownPart(record, body, pieces)
  if (own === null) throw new Error('Nothing is shared')
  const block = packBeside(own, record.length)
  expect(() => unpackBeside(block, body.subarray(0, 100))).toThrow('does not fit')
  expect(() => unpackBeside({ ...block, bytes: block.bytes + 1 }, body)).toThrow('instead of')
  expect(() => unpackBeside({ ...block, bytes: block.bytes - 1 }, body)).toThrow('does not fit')
  for (const length of [0, 1, 4, 5, 12, block.body.length - 3])
    expect(() => unpackBeside({ bytes: block.bytes, body: block.body.subarray(0, length) }, body)).toThrow()
})
