// A disk that runs full in the middle of an import: told as such, and what was written before is whole. Needs a
// small file system of its own, hence root on Linux; skipped elsewhere with a message.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  db.close()

  const after = opened({ path, userDataDir: folder })
  const [run] = await after.core.request('imports.list', {})
  // What could still be written of it decides how it is told; it is never told as kept.
  expect(['failed', 'interrupted', 'running']).toContain(run?.state)
  const { rows } = await after.core.request('tasks.list', {})
  const view = await after.core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
  const note = 'x'.repeat(90_000)
  let revision = 0
  let full: string | null = null
  while (full === null && revision < 200) {
    const draft = { ...EMPTY_DRAFT, note }
    await after.core
      .request('annotations.save', { trialId: view.trials[0]?.trialId ?? '', revision, draft })
      .then(
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
