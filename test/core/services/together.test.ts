// Several things at once on one workspace: the same file imported twice, an undo while another import runs, a file
// imported while its own import is undone. Nothing is counted twice and nothing is half there.

import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endRun, startRun } from '../../../src/core/store/imports.ts'
import { openWriter } from '../../../src/core/store/open.ts'
import { faultOf, importPaths, opened, repo, writeExport } from '../opened.ts'

const sample = join(repo, 'resources/sample/refund-desk.faultline.jsonl')

test('one file imported twice at once is there once', async () => {
  const { core } = opened()
  const runs = await Promise.all([importPaths(core, [sample]), importPaths(core, [sample])])
  const info = await core.request('workspace.info', {})
  expect(info.trials).toBe(160)
  expect(runs.reduce((sum, run) => sum + run.trialsNew, 0)).toBe(160)
  expect(runs.reduce((sum, run) => sum + run.trialsSame, 0)).toBe(160)
  expect(runs.every((run) => run.state === 'kept')).toBe(true)
  expect(runs.flatMap((run) => run.files.map((file) => file.conflicts))).toEqual([0, 0])
  // Either run can be undone: what the other one brought, too, stays.
  await core.request('imports.undo', { importId: runs[0].importId })
  expect((await core.request('workspace.info', {})).trials).toBe(160)
  await core.request('imports.undo', { importId: runs[1].importId })
  expect((await core.request('workspace.info', {})).trials).toBe(0)
  await core.request('imports.redo', { importId: runs[0].importId })
  expect((await core.request('workspace.info', {})).trials).toBe(160)
})

test('an import is undone and redone while another one runs', async () => {
  const { core, folder } = opened()
  const first = await importPaths(core, [
    writeExport(join(folder, 'a.jsonl'), [{ id: 'one' }, { id: 'two' }]),
  ])
  const running = importPaths(core, [sample])
  for (let round = 0; round < 3; round++) {
    await core.request('imports.undo', { importId: first.importId })
    await core.request('imports.redo', { importId: first.importId })
  }
  await core.request('imports.undo', { importId: first.importId })
  const second = await running
  expect(second).toMatchObject({ state: 'kept', trialsNew: 160 })
  expect(await core.request('workspace.info', {})).toMatchObject({ trials: 160 })
  await core.request('imports.redo', { importId: first.importId })
  expect(await core.request('workspace.info', {})).toMatchObject({ trials: 162 })
})

test('an import that brings what an undone one brought takes the marks away', async () => {
  const { core } = opened()
  const first = await importPaths(core, [sample])
  await core.request('imports.undo', { importId: first.importId })
  const second = await importPaths(core, [sample])
  expect((await core.request('workspace.info', {})).trials).toBe(160)
  expect(second.trialsNew + second.trialsSame).toBe(160)
  // Undoing the first again takes nothing away that the second one holds.
  await core.request('imports.redo', { importId: first.importId })
  await core.request('imports.undo', { importId: first.importId })
  expect((await core.request('workspace.info', {})).trials).toBe(160)
})

test('the policy changes and trials go while they are being compared', async () => {
  const { core } = opened()
  await importPaths(core, [sample])
  const { rows } = await core.request('tasks.list', {})
  const asked = rows.map((row) => core.request('tasks.get', { taskId: row.taskId }))
  await core.request('workspace.setPolicy', { policy: { error: 'exclude', unknown: 'fail' } })
  const view = await core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
  await core.request('trials.delete', { trialIds: view.trials.map((trial) => trial.trialId) })
  await core.request('workspace.setPolicy', { policy: { error: 'fail', unknown: 'exclude' } })
  await Promise.allSettled(asked)
  expect(await faultOf(core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' }))).toMatchObject({
    code: 'NOT_FOUND',
  })
  await expect
    .poll(async () => (await core.request('workspace.info', {})).analysisPending, { timeout: 30_000 })
    .toBe(0)
  const after = await core.request('tasks.list', {})
  expect(after.rows).toHaveLength(rows.length - 1)
  expect(after.rows.filter((row) => row.lead.state === 'pending')).toEqual([])
})

test('an annotation of a trial that was deleted meanwhile is refused, and is there when the trial comes back', async () => {
  const { core } = opened()
  await importPaths(core, [sample])
  const { rows } = await core.request('tasks.list', {})
  const taskId = rows[0]?.taskId ?? ''
  const trialId = (await core.request('tasks.get', { taskId })).trials[0]?.trialId ?? ''
  const draft = {
    causes: [],
    severity: 'none' as const,
    verdict: null,
    verdictColumn: null,
    evidence: [],
    note: 'written',
    confidence: null,
  }
  await core.request('annotations.save', { trialId, revision: 0, draft })
  await core.request('trials.delete', { trialIds: [trialId] })
  const refused = core.request('annotations.save', {
    trialId,
    revision: 1,
    draft: { ...draft, note: 'more' },
  })
  expect(await faultOf(refused)).toMatchObject({ code: 'NOT_FOUND' })
  await core.request('trials.restore', { trialIds: [trialId] })
  const all = await core.request('annotations.list', {})
  expect(all.map((one) => one.note)).toEqual(['written'])
})

test('a scope whose configurations are gone holds nothing, and says so', async () => {
  const { core } = opened()
  await importPaths(core, [sample])
  const view = { configurations: ['no-such-configuration'], policy: null }
  const list = await core.request('tasks.list', { view })
  expect(list).toMatchObject({ rows: [], total: 0 })
  const { rows } = await core.request('tasks.list', {})
  const got = core.request('tasks.get', { taskId: rows[0]?.taskId ?? '', view })
  const view1 = await got.catch((error: unknown) => error)
  expect(view1).toMatchObject({ code: 'NOT_FOUND' })
})

test('what another program imports is not deleted or replaced under it', async () => {
  const { core, folder, path } = opened()
  await importPaths(core, [writeExport(join(folder, 'a.jsonl'), [{ id: 'one' }])])
  await core.request('workspace.saveCopy', { file: { path: `${path}.before-2` } })
  const other = opened({ path, userDataDir: folder })
  // A run of a process that lives and beats.
  const db = openWriter(path, { appVersion: 'x' })
  const reader = { host: hostname(), pid: process.ppid, nowMs: Date.now() }
  startRun(db, { id: 'i1', startedAt: new Date().toISOString(), suite: null, format: null, reader })
  for (const asked of [
    core.request('workspace.restoreBackup', { name: 'test.fault.before-2' }),
    other.core.request('workspace.deleteAll', {}),
  ])
    expect(await faultOf(asked)).toMatchObject({ code: 'DB_LOCKED', hint: expect.stringContaining('Wait') })
  expect(await core.request('workspace.info', {})).toMatchObject({ trials: 1 })
  endRun(db, 'i1', 'kept', new Date().toISOString())
  db.close()
  await core.request('workspace.restoreBackup', { name: 'test.fault.before-2' })
  await other.core.request('workspace.deleteAll', {})
  expect(await core.request('workspace.info', {})).toMatchObject({ trials: 0 })
})
