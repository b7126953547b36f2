// The core as a process: how it begins and ends, kills in the middle of work, two processes on one workspace.

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EMPTY_DRAFT } from '../../src/model/annotation.ts'
import { SCHEMA_VERSION } from '../../src/core/store/migrate.ts'
import { openWriter } from '../../src/core/store/open.ts'
import { forked } from './forked.ts'
import { importPaths, opened, repo, temporaryFolder, writeExport } from './opened.ts'

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, task: `t${index % 40}` }))

/** Every row that belongs to a trial is there, for every trial. */
function expectWhole(path: string): number {
  const db = openWriter(path, { appVersion: 'x' })
  const count = (sql: string): number => db.value<number>(`SELECT count(*) FROM ${sql}`)
  expect(db.pragma('integrity_check')).toBe('ok')
  expect(db.all('PRAGMA foreign_key_check')).toEqual([])
  const trials = count('trials')
  expect(count('trial_blobs')).toBe(trials)
  expect(count('raw_blobs')).toBe(trials)
  expect(count('origins')).toBe(trials)
  expect(db.value('SELECT coalesce(sum(trials_new), 0) FROM import_files')).toBe(trials)
  db.close()
  return trials
}

test('started by hand it says so and ends with 2', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(repo, 'src/core/process.ts')], {
    encoding: 'utf8',
  })
  expect(status).toBe(2)
  expect(stderr).toContain('faultline --help')
})

test('its first word is ready, it answers, and it ends by itself when its channel is closed', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'a.fault')
  const core = forked(folder, path)
  expect(await core.event('ready')).toMatchObject({ type: 'ready', schemaVersion: SCHEMA_VERSION, path })
  expect(core.events[0]?.type).toBe('ready')
  expect(await core.ask('workspace.info', {})).toMatchObject({ path, trials: 0 })
  core.child.channel.close()
  expect(await core.ended).toBe(0)
})

test('a file that it cannot open is told before it ends', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'a.fault')
  writeFileSync(path, 'not a workspace')
  const core = forked(folder, path)
  expect(await core.event('failed')).toMatchObject({ path, fault: { code: 'DB_CORRUPT' } })
  expect(await core.ended).toBe(1)
})

test('killed in the middle of an import: nothing is half there, it is told, and it can be finished', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'a.fault')
  const source = writeExport(join(folder, 'many.jsonl'), many(4000))
  const core = forked(folder, path)
  await core.event('ready')
  const running = core.client.request('import', 'imports.run', { files: [{ path: source }] })
  for (;;) {
    const { trials } = await core.ask('workspace.info', {})
    if (trials > 0) break
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  core.child.kill()
  expect(await core.ended).toBeNull()
  expect(await running).toMatchObject({ ok: false, error: { code: 'CORE_GONE' } })
  const kept = expectWhole(path)
  expect(kept).toBeGreaterThan(0)
  expect(kept).toBeLessThan(4000)

  const after = opened({ userDataDir: folder, path })
  const [run] = await after.core.request('imports.list', {})
  expect(run).toMatchObject({ state: 'interrupted', trialsNew: kept })
  expect(run?.finishedAt).not.toBeNull()
  expect(run?.files[0]?.state).toBe('cancelled')
  const { rows } = await after.core.request('tasks.list', {})
  const first = await after.core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
  expect(first.trials.map((trial) => trial.number)).toEqual(first.trials.map((_, index) => index + 1))
  const again = await importPaths(after.core, [source])
  expect(again).toMatchObject({ state: 'kept', trialsSame: kept, trialsNew: 4000 - kept })
}, 60_000)

test('an annotation that was answered is there after kill -9', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'a.fault')
  const core = forked(folder, path)
  await core.event('ready')
  await core.ask('imports.run', { files: [{ path: writeExport(join(folder, 'a.jsonl'), [{}]) }] })
  const { rows } = await core.ask('tasks.list', {})
  const { trials } = await core.ask('tasks.get', { taskId: rows[0]?.taskId ?? '' })
  const trialId = trials[0]?.trialId ?? ''
  for (const revision of [0, 1, 2]) {
    await core.ask('annotations.save', {
      trialId,
      revision,
      draft: { ...EMPTY_DRAFT, note: `note ${revision}` },
    })
  }
  core.child.kill()
  await core.ended
  const after = opened({ userDataDir: folder, path })
  expect(await after.core.request('annotations.list', {})).toMatchObject([{ note: 'note 2', revision: 3 }])
  expect(await after.core.request('annotations.history', { trialId })).toHaveLength(2)
}, 30_000)

test('two processes have one workspace open: each sees what the other wrote', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'a.fault')
  const app = forked(folder, path)
  await app.event('ready')
  // The other one is in this process, as a command line is.
  const cli = opened({ userDataDir: folder, path })
  const source = writeExport(join(folder, 'many.jsonl'), many(1500))
  const importing = importPaths(cli.core, [source])
  // A run of a living process is not taken for interrupted by one that opens the file meanwhile.
  while ((await cli.core.request('workspace.info', {})).trials === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const third = forked(folder, path)
  await third.event('ready')
  const run = await importing
  expect(run).toMatchObject({ state: 'kept', trialsNew: 1500 })
  expect((await app.ask('imports.list', {}))[0]).toMatchObject({ state: 'kept', trialsNew: 1500 })
  const changed = await app.event('changed')
  expect(changed['topics']).toContain('trials')

  const { rows } = await app.ask('tasks.list', { limit: 1 })
  const { trials } = await app.ask('tasks.get', { taskId: rows[0]?.taskId ?? '' })
  const trialId = trials[0]?.trialId ?? ''
  await app.ask('annotations.save', { trialId, revision: 0, draft: { ...EMPTY_DRAFT, note: 'from the app' } })
  await expect(
    cli.core.request('annotations.save', {
      trialId,
      revision: 0,
      draft: { ...EMPTY_DRAFT, note: 'from the cli' },
    }),
  ).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await cli.core.request('annotations.list', {})).toMatchObject([{ note: 'from the app' }])
}, 60_000)

test('writes of two processes at once wait for each other, none is lost', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'a.fault')
  const [one, two] = [forked(folder, path), forked(folder, path)]
  await Promise.all([one.event('ready'), two.event('ready')])
  const runs = await Promise.all([
    one.ask('imports.run', { files: [{ path: writeExport(join(folder, 'a.jsonl'), many(800), 'a') }] }),
    two.ask('imports.run', { files: [{ path: writeExport(join(folder, 'b.jsonl'), many(800), 'b') }] }),
  ])
  expect(runs.map((run) => [run.state, run.trialsNew])).toEqual([
    ['kept', 800],
    ['kept', 800],
  ])
  for (const core of [one, two]) {
    core.child.channel.close()
    expect(await core.ended).toBe(0)
  }
  expect(expectWhole(path)).toBe(1600)
}, 60_000)

test('asked to end in the middle of an import it keeps what it has, and says so to the next', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'a.fault')
  const core = forked(folder, path)
  await core.event('ready')
  const source = writeExport(join(folder, 'many.jsonl'), many(4000))
  void core.client.request('import', 'imports.run', { files: [{ path: source }] })
  while ((await core.ask('workspace.info', {})).trials === 0)
    await new Promise((resolve) => setTimeout(resolve, 5))
  core.child.channel.close()
  expect(await core.ended).toBe(0)
  const kept = expectWhole(path)
  const after = opened({ userDataDir: folder, path })
  expect((await after.core.request('imports.list', {}))[0]).toMatchObject({
    state: 'cancelled',
    trialsNew: kept,
  })
}, 60_000)
