// Analyses as the core computes and keeps them: the sample's tasks through real worker threads, normal forms kept and
// used again, the same result whether they were there or not.

import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Input } from '../../../src/contract/contract.ts'
import type { Core } from '../../../src/core/core.ts'
import { NORMAL_VERSION } from '../../../src/analysis/divergence/input.ts'
import { opened, repo } from '../opened.ts'

const sample = join(repo, 'resources/sample/refund-desk.faultline.jsonl')

type View = NonNullable<Input<'tasks.get'>['view']>

const excluding: View = { policy: { error: 'exclude', unknown: 'exclude' } }

async function analysisOf(core: Core, task: string, view: View = {}): Promise<unknown> {
  const { rows } = await core.request('tasks.list', {})
  const taskId = rows.find((row) => row.task === task)?.taskId ?? ''
  for (let attempt = 0; attempt < 200; attempt++) {
    const found = await core.request('tasks.get', { taskId, view })
    if (found.analysisState === 'ready' || found.analysisState === 'failed') return found.analysis
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('The analysis never came')
}

function forms(path: string): { count: number; variants: string[] } {
  const db = new Database(path, { readonly: true })
  const rows = db.prepare('SELECT variant FROM normal_forms').all() as { variant: string }[]
  db.close()
  return { count: rows.length, variants: [...new Set(rows.map((row) => row.variant))] }
}

test('normal forms are kept, used again, and change nothing in the result', async () => {
  const { core, path } = opened()
  await core.request('imports.run', { files: [{ path: sample }] })
  const first = await analysisOf(core, 't02')
  expect(first).not.toBeNull()
  const kept = forms(path)
  expect(kept.count).toBeGreaterThanOrEqual(16)
  expect(kept.variants).toEqual([`${NORMAL_VERSION}`])

  // Another view of the same trials is another analysis, made from the kept forms.
  const again = await analysisOf(core, 't02', excluding)
  expect(again).toEqual(first)
})

test('a kept form of another version is made anew', async () => {
  const { core, path } = opened()
  await core.request('imports.run', { files: [{ path: sample }] })
  const first = await analysisOf(core, 't07')
  const db = new Database(path)
  db.prepare(`UPDATE normal_forms SET variant = '0', bytes = 2, body = x'00'`).run()
  db.close()
  expect(await analysisOf(core, 't07', excluding)).toEqual(first)
  expect(forms(path).variants).toContain(`${NORMAL_VERSION}`)
})

/** Stored analyses: how many of each view, and of which algorithms. */
function stored(path: string): { readonly views: readonly string[]; readonly algorithms: readonly string[] } {
  const db = new Database(path, { readonly: true })
  const rows = db.prepare('SELECT DISTINCT view_hash, algorithm FROM analyses').all() as {
    view_hash: string
    algorithm: string
  }[]
  db.close()
  return {
    views: [...new Set(rows.map((row) => row.view_hash))],
    algorithms: [...new Set(rows.map((row) => row.algorithm))],
  }
}

/** Puts analyses of scopes that nobody asks for into a workspace file, as many as given, of `copies` tasks each. */
function putOld(path: string, views: number, algorithm: string): void {
  const db = new Database(path)
  const insert = db.prepare(
    `INSERT INTO analyses SELECT id, ?, 'old', ?, '2026-01-01', 'ready', NULL, NULL, 4, x'00010203' FROM tasks`,
  )
  for (let i = 0; i < views; i++) insert.run(`${algorithm} old ${i}`, algorithm)
  db.close()
}

test('analyses of scopes and of methods that are no longer used go after a change, and those in use stay', async () => {
  const { core, path } = opened()
  await core.request('imports.run', { files: [{ path: sample }] })
  const algorithm = (await core.request('workspace.info', {})).algorithm
  const whole = await analysisOf(core, 't02')
  await analysisOf(core, 't02', excluding)
  const inUse = stored(path).views
  expect(inUse).toHaveLength(2)
  // More than are removed in one piece: 30 scopes of ten tasks.
  putOld(path, 30, algorithm)
  putOld(path, 3, 'align@0')
  expect(stored(path).views).toHaveLength(35)
  await core.request('workspace.setPolicy', { policy: { error: 'fail', unknown: 'exclude' } })
  await expect.poll(() => stored(path).views.toSorted(), { timeout: 15_000 }).toEqual(inUse.toSorted())
  expect(stored(path).algorithms).toEqual([algorithm])
  expect(await analysisOf(core, 't02')).toEqual(whole)
}, 40_000)

test('scopes of earlier sessions are kept, the eight used last', async () => {
  const { core, path, folder } = opened()
  await core.request('imports.run', { files: [{ path: sample }] })
  await analysisOf(core, 't02', excluding)
  const first = stored(path).views
  const saved = (): readonly string[] => {
    const db = new Database(path, { readonly: true })
    const row = db.prepare("SELECT value FROM settings WHERE key = 'recentViews'").get() as
      { value: string } | undefined
    db.close()
    return row === undefined ? [] : (JSON.parse(row.value) as string[])
  }
  await expect.poll(() => saved().toSorted(), { timeout: 15_000 }).toEqual(first.toSorted())
  await core.close()
  putOld(path, 3, 'align@0')

  const later = opened({ path, userDataDir: folder })
  // Only the workspace's own scope is asked for: the other one is of the earlier session.
  await later.core.request('workspace.setPolicy', { policy: { error: 'fail', unknown: 'exclude' } })
  await expect.poll(() => stored(path).views.toSorted(), { timeout: 15_000 }).toEqual(first.toSorted())
  const configurations = (await later.core.request('configurations.list', {})).map(
    (row) => row.configurationId,
  )
  let most = 0
  for (const error of ['fail', 'exclude'] as const)
    for (const unknown of ['fail', 'exclude'] as const)
      for (const scope of [null, ...configurations.map((id) => [id])]) {
        await analysisOf(later.core, 't02', { configurations: scope, policy: { error, unknown } })
        most = Math.max(most, stored(path).views.length)
      }
  expect(most).toBeGreaterThan(8)
  await expect.poll(() => stored(path).views.length, { timeout: 30_000 }).toBe(8)
}, 90_000)
