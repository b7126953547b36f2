// Stored blocks: what goes in comes out, several frames are read to the end, damage is noticed.

import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pack, packJson, unpack, unpackJson } from '../../../src/core/store/blobs.ts'

test('bytes and JSON come back as they were, lone surrogates and NUL included', () => {
  for (const text of ['', 'x', 'ä€𝄞\0\n', 'a'.repeat(100_000)]) {
    expect(unpack(pack(text)).toString('utf8')).toBe(text)
  }
  const value = { lone: '\ud835', zero: -0.5, deep: [[{ '': null }]], big: '9007199254740993' }
  expect(unpackJson(packJson(value))).toEqual(value)
  expect(pack('x'.repeat(10_000)).body.byteLength).toBeLessThan(200)
})

test('a packed block owns its memory, so that handing it over takes nothing else along', () => {
  const { body } = pack('hello')
  expect(body.byteOffset).toBe(0)
  expect(body.buffer.byteLength).toBe(body.byteLength)
})

test('several frames are read to the end', () => {
  const body = Buffer.concat([zstdCompressSync(Buffer.from('one ')), zstdCompressSync(Buffer.from('two'))])
  expect(unpack({ bytes: 7, body }).toString()).toBe('one two')
})

test('a block of another length, or a damaged one, is an error and never silent', () => {
  const packed = pack('some text of some length')
  expect(() => unpack({ ...packed, bytes: packed.bytes + 1 })).toThrow('instead of')
  expect(() => unpack({ ...packed, bytes: 3 })).toThrow()
  expect(() => unpack({ ...packed, body: packed.body.subarray(0, packed.body.length - 5) })).toThrow()
})
