// Small files are read once, however often they are looked at; large ones and damaged ones as before.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { newPass, type RawBytes } from '../../../src/core/importers/bytes.ts'
import { HEAD_BYTES } from '../../../src/core/importers/head.ts'
import { rememberedBytes } from '../../../src/core/importers/rememberedbytes.ts'

function counted(content: Buffer, failsAt = Infinity): { raw: RawBytes; times: () => number } {
  let times = 0
  const raw: RawBytes = async function* (pass) {
    times += 1
    for (let at = 0; at < content.length; at += 1000) {
      if (at >= failsAt) throw new Error('damaged')
      const chunk = content.subarray(at, at + 1000)
      pass.bytesRead += chunk.length
      yield chunk
    }
    pass.sha256 = createHash('sha256').update(content).digest('hex')
  }
  return { raw, times: () => times }
}

async function all(raw: RawBytes): Promise<{ bytes: Buffer; bytesRead: number; sha256: string | null }> {
  const pass = newPass()
  const parts: Buffer[] = []
  for await (const chunk of raw(pass, undefined)) parts.push(chunk)
  return { bytes: Buffer.concat(parts), bytesRead: pass.bytesRead, sha256: pass.sha256 }
}

test.each([0, 1, 5000, HEAD_BYTES])('%i bytes are read once and given again as they are', async (length) => {
  const content = Buffer.alloc(length, 'a line\n')
  const { raw, times } = counted(content)
  const fresh = await all(raw)
  const { open, takeIn } = rememberedBytes(raw, length)
  await takeIn()
  const again = [await all(open), await all(open)]
  for (const one of again) {
    expect(one.bytes.equals(content)).toBe(true)
    expect(one.sha256).toBe(fresh.sha256)
    expect(one.bytesRead).toBe(length)
  }
  expect(times()).toBe(2)
})

test('a larger file is not held, and damage is told each time it is read', async () => {
  const large = counted(Buffer.alloc(HEAD_BYTES + 1))
  const first = rememberedBytes(large.raw, HEAD_BYTES + 1)
  await first.takeIn()
  expect(large.times()).toBe(0)
  expect((await all(first.open)).bytesRead).toBe(HEAD_BYTES + 1)
  const damaged = rememberedBytes(counted(Buffer.alloc(5000), 3000).raw, 5000)
  await damaged.takeIn()
  await expect(all(damaged.open)).rejects.toThrow('damaged')
  await expect(all(damaged.open)).rejects.toThrow('damaged')
  const aborted = rememberedBytes(counted(Buffer.alloc(5000), 0).raw, 5000)
  const controller = new AbortController()
  controller.abort(new Error('enough'))
  await expect(aborted.takeIn(controller.signal)).rejects.toThrow('enough')
})
