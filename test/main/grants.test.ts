// Grants: what stands for a path; a path that cannot be looked at costs no other file of the same drop.

import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Fault } from '../../src/base/fault.ts'
import { makeGrants } from '../../src/main/grants.ts'

test('a grant stands for one path and one use, and is no path', () => {
  const grants = makeGrants()
  const read = grants.add('/tmp/x.jsonl', 'read')
  expect(grants.add('/tmp/x.jsonl', 'read').grant).toBe(read.grant)
  expect(grants.pathOf(read.grant, 'read')).toBe('/tmp/x.jsonl')
  expect(() => grants.pathOf(read.grant, 'write')).toThrow(Fault)
  expect(() => grants.pathOf('/tmp/x.jsonl', 'read')).toThrow(Fault)
  expect(JSON.stringify(read)).not.toContain('/tmp')
})

test.skipIf(process.platform === 'win32')('circles of links and names that are too long are granted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  symlinkSync('self', join(folder, 'self'))
  const grants = makeGrants()
  expect(grants.add(join(folder, 'self'), 'read')).toMatchObject({ name: 'self', isFolder: false })
  expect(grants.add(join(folder, 'x'.repeat(5000)), 'read').isFolder).toBe(false)
  expect(grants.add(folder, 'read').isFolder).toBe(true)
})
