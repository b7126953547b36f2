// A disk that runs full in the middle of an import: told as such, and what was written before is whole. Needs a
// small file system of its own, hence root on Linux; skipped elsewhere with a message.

import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { EMPTY_DRAFT } from '../../../src/model/annotation.ts'
import { openWriter } from '../../../src/core/store/open.ts'
import { faultOf, importPaths, opened, temporaryFolder, writeExport } from '../opened.ts'

/** A mounted file system of `megabytes`, or null where that cannot be had. */
function smallDisk(megabytes: number): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const folder = mkdtempSync(join(tmpdir(), 'faultline-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  })
  return folder
}

test('a full disk is told, and what was kept before is whole', async ({ skip }) => {
  const disk = smallDisk(4)
  if (disk === null) return skip('A file system of 4 MB can only be mounted by root on Linux')
  const folder = temporaryFolder()
  const path = join(disk, 'a.fault')
  const { core } = opened({ path, userDataDir: folder })
  await importPaths(core, [writeExport(join(folder, 'small.jsonl'), [{ id: 'first' }])])
  const many = Array.from({ length: 6000 }, (_, index) => ({
    id: `r${index}`,
    note: `${Math.random()} `.repeat(20),
  }))
  const fault = await faultOf(importPaths(core, [writeExport(join(folder, 'many.jsonl'), many)]))
  expect(fault.code).toBe('DISK_FULL')
  expect(fault.hint).toBeTruthy()
  // Questions are still answered.
  const { trials } = await core.request('workspace.info', {})
  expect(trials).toBeGreaterThan(1)
  expect(trials).toBeLessThan(6001)
  const copy = await faultOf(core.request('workspace.saveCopy', { file: { path: join(disk, 'copy.fault') } }))
  expect(copy.code).toBe('DISK_FULL')
  await core.close()

  const db = openWriter(path, { appVersion: 'x' })
  expect(db.pragma('integrity_check')).toBe('ok')
  expect(db.value('SELECT count(*) FROM trials')).toBe(trials)
  expect(db.value('SELECT count(*) FROM trial_blobs')).toBe(trials)
  const trialId = db.value<string>('SELECT id FROM trials LIMIT 1') ?? ''
  db.close()

  const after = opened({ path, userDataDir: folder })
  const [run] = await after.core.request('imports.list', {})
  // What could still be written of it decides how it is told; it is never told as kept.
  expect(['failed', 'interrupted', 'running']).toContain(run?.state)
  await after.core.request('tasks.list', {})
  const note = 'x'.repeat(90_000)
  let revision = 0
  let full: string | null = null
  while (full === null && revision < 200) {
    const draft = { ...EMPTY_DRAFT, note }
    await after.core.request('annotations.save', { trialId, revision, draft }).then(
      (saved) => {
        revision = saved.revision
      },
      (error: { code: string }) => {
        full = error.code
      },
    )
  }
  expect(full).toBe('DISK_FULL')
}, 60_000)

test('an index that has no room is told once, and search reads the trials instead', async ({ skip }) => {
  const disk = smallDisk(12)
  if (disk === null) return skip('A file system of 12 MB can only be mounted by root on Linux')
  const folder = temporaryFolder()
  const path = join(disk, 'a.fault')
  const { core, events } = opened({ path, userDataDir: folder })
  const lines = Array.from({ length: 40 }, (_, i) => ({
    id: `t${i}`,
    note: Array.from({ length: 3000 }, (_, n) => `${(i * 3001 + n).toString(36)}x`).join(' '),
  }))
  await importPaths(core, [writeExport(join(folder, 'a.jsonl'), lines)])
  // No byte is left before the index is begun, nor room in the log that the import made.
  const other = openWriter(path, { appVersion: 'x' })
  expect(other.pragma('wal_checkpoint(TRUNCATE)')).toBe(0)
  other.close()
  const filler = openSync(join(disk, 'filler'), 'w')
  expect(() => {
    for (;;) writeSync(filler, Buffer.alloc(4096))
  }).toThrow('ENOSPC')
  closeSync(filler)
  const told = (): number =>
    events.filter((event) => event.type === 'log' && event.message.includes('search index could not')).length
  while (told() === 0) await pause(20)
  const found = await core.request('search.steps', { view: {}, text: 'get_order' })
  expect(found).toMatchObject({ found: { trials: 40 }, isWhole: true })
  expect(told()).toBe(1)
  rmSync(join(disk, 'filler'))
  // What was not written is taken up at the next opening.
  await core.close()
  const after = opened({ path, userDataDir: folder })
  while ((await after.core.request('workspace.info', {})).indexPending > 0) await pause(20)
  expect(await after.core.request('search.steps', { view: {}, text: 'get_order' })).toEqual(found)
}, 30_000)
