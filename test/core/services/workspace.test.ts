// Workspaces end to end: opening, copies, deleting for good, the sample, the door.

import { randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Core } from '../../../src/core/core.ts'
import { EMPTY_DRAFT } from '../../../src/model/annotation.ts'
import { SCHEMA_VERSION } from '../../../src/core/store/migrate.ts'
import { openWriter } from '../../../src/core/store/open.ts'
import { faultOf, importPaths, opened, temporaryFolder, writeExport } from '../opened.ts'

const secret = 'the customer lives in Ulaanbaatar'

async function withTrials(core: Core, folder: string): Promise<readonly string[]> {
  await importPaths(core, [
    writeExport(join(folder, 'a.jsonl'), [
      { id: 'a', note: secret, outcome: 'fail' },
      { id: 'b' },
      { id: 'c', task: 'exchange' },
    ]),
  ])
  const { rows } = await core.request('tasks.list', {})
  const tasks = await Promise.all(rows.map((row) => core.request('tasks.get', { taskId: row.taskId })))
  return tasks.flatMap((task) => task.trials.map((trial) => trial.trialId))
}

/** What is in the files of a workspace, log included. */
const bytesOf = (folder: string, name: string): string =>
  readdirSync(folder)
    .filter((file) => file.startsWith(name))
    .map((file) => readFileSync(join(folder, file)).toString('latin1'))
    .join('')

test('a new workspace is empty and says what it is', async () => {
  const { core, path } = opened()
  expect(await core.request('workspace.info', {})).toMatchObject({
    path,
    name: 'test',
    isSample: false,
    trials: 0,
    tasks: 0,
    problems: 0,
    policy: { error: 'fail', unknown: 'exclude' },
    backups: [],
    coreVersion: '0.1.0-test',
  })
})

test('another workspace is opened in place of this one, and the window is told', async () => {
  const { core, folder, events, path } = opened()
  await withTrials(core, folder)
  const other = join(folder, 'other.fault')
  const fault = await faultOf(core.request('workspace.open', { file: { path: other } }))
  expect(fault.code).toBe('FILE_UNREADABLE')
  expect((await core.request('workspace.info', {})).trials).toBe(3)
  expect(await core.request('workspace.open', { file: { path: other }, create: true })).toMatchObject({
    name: 'other',
    trials: 0,
  })
  expect(events).toContainEqual({ type: 'workspace', path: other, name: 'other', isSample: false })
  expect(await core.request('workspace.open', { file: { path } })).toMatchObject({ name: 'test', trials: 3 })
  // A file that is none leaves the open one open.
  writeFileSync(join(folder, 'text.fault'), 'not a workspace at all')
  expect(
    (await faultOf(core.request('workspace.open', { file: { path: join(folder, 'text.fault') } }))).code,
  ).toBe('DB_CORRUPT')
  expect((await core.request('workspace.info', {})).trials).toBe(3)
})

test('the policy is kept with the workspace', async () => {
  const { core, folder, path } = opened()
  await core.request('workspace.setPolicy', { policy: { error: 'exclude', unknown: 'fail' } })
  await core.close()
  const again = opened({ userDataDir: folder, path })
  expect((await again.core.request('workspace.info', {})).policy).toEqual({
    error: 'exclude',
    unknown: 'fail',
  })
})

test('a copy holds everything but what was deleted, and is never half there', async () => {
  const { core, folder } = opened()
  const [first] = await withTrials(core, folder)
  await core.request('trials.delete', { trialIds: [first ?? ''] })
  const target = join(folder, "a copy, it's mine.fault")
  writeFileSync(target, 'an older file of this name')
  const copy = await core.request('workspace.saveCopy', { file: { path: target } })
  expect(copy.path).toBe(target)
  expect(copy.bytes).toBe(readFileSync(target).byteLength)
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([])
  const db = openWriter(target, { appVersion: 'x', create: false })
  expect(db.value('SELECT count(*) FROM trials')).toBe(2)
  expect(db.pragma('integrity_check')).toBe('ok')
  db.close()
  expect((await core.request('workspace.info', {})).deletedTrials).toBe(1)
  const onto = await faultOf(
    core.request('workspace.saveCopy', { file: { path: join(folder, 'test.fault') } }),
  )
  expect(onto.code).toBe('INVALID_INPUT')
  const nowhere = await faultOf(
    core.request('workspace.saveCopy', { file: { path: join(folder, 'no', 'such', 'folder.fault') } }),
  )
  expect(nowhere.code).toBe('FILE_UNREADABLE')
})

test('everything can be deleted and brought back, until it is erased', async () => {
  const { core, folder } = opened()
  await withTrials(core, folder)
  expect(await core.request('workspace.deleteAll', {})).toEqual({ trials: 3, rules: 0 })
  expect(await core.request('workspace.info', {})).toMatchObject({ trials: 0, tasks: 0, deletedTrials: 3 })
  expect(await core.request('imports.list', {})).toEqual([])
  expect(await core.request('workspace.restoreAll', {})).toEqual({ trials: 3, rules: 0 })
  expect(await core.request('workspace.info', {})).toMatchObject({ trials: 3, tasks: 2, deletedTrials: 0 })
  expect(await core.request('imports.list', {})).toHaveLength(1)
  await core.request('workspace.deleteAll', {})
  expect(await core.request('workspace.erase', {})).toEqual({ trials: 3, rules: 0 })
  expect(await core.request('workspace.restoreAll', {})).toEqual({ trials: 0, rules: 0 })
  expect(await core.request('workspace.info', {})).toMatchObject({ trials: 0, deletedTrials: 0 })
})

test('what is erased is no longer in the file', async () => {
  const { core, folder } = opened()
  const trials = await withTrials(core, folder)
  await core.request('annotations.save', {
    trialId: trials.find((id) => id !== '') ?? '',
    revision: 0,
    draft: {
      causes: [],
      severity: 'none',
      verdict: null,
      verdictColumn: null,
      evidence: [],
      note: secret,
      confidence: null,
    },
  })
  expect(bytesOf(folder, 'test.fault')).toContain('Ulaanbaatar')
  await core.request('workspace.deleteAll', {})
  await core.request('workspace.erase', {})
  expect(bytesOf(folder, 'test.fault')).not.toContain('Ulaanbaatar')
})

test('the app erases when it closes; a command line does not', async () => {
  const { core, folder, path } = opened()
  await withTrials(core, folder)
  await core.request('workspace.deleteAll', {})
  await core.close()
  const app = opened({ userDataDir: folder, path, eraseOnClose: true })
  expect((await app.core.request('workspace.info', {})).deletedTrials).toBe(3)
  await app.core.close()
  const after = opened({ userDataDir: folder, path })
  expect((await after.core.request('workspace.info', {})).deletedTrials).toBe(0)
  expect(bytesOf(folder, 'test.fault')).not.toContain('refund')
})

test('an erased run leaves what another run brought', async () => {
  const { core, folder } = opened()
  const first = await importPaths(core, [writeExport(join(folder, 'a.jsonl'), [{ id: 'a' }, { id: 'b' }])])
  await importPaths(core, [writeExport(join(folder, 'b.jsonl'), [{ id: 'a' }])])
  await core.request('imports.undo', { importId: first.importId })
  expect(await core.request('workspace.erase', {})).toEqual({ trials: 1, rules: 0 })
  expect((await core.request('workspace.info', {})).trials).toBe(1)
  const runs = await core.request('imports.list', {})
  expect(runs.map((run) => run.files[0]?.name)).toEqual(['b.jsonl'])
})

test('safety copies are listed and removed by their name only', async () => {
  const { core, path } = opened()
  writeFileSync(`${path}.before-2`, 'a safety copy')
  writeFileSync(`${path}.before-lunch`, 'not one')
  utimesSync(`${path}.before-2`, new Date('2026-03-01T10:00:00Z'), new Date('2026-03-01T10:00:00Z'))
  expect((await core.request('workspace.info', {})).backups).toEqual([
    { name: 'test.fault.before-2', before: 'upgrade', bytes: 13, madeAt: '2026-03-01T10:00:00.000Z' },
  ])
  for (const name of ['test.fault', '../test.fault.before-2', 'test.fault.before-lunch']) {
    expect((await faultOf(core.request('workspace.removeBackup', { name }))).code).toBe('NOT_FOUND')
  }
  await core.request('workspace.removeBackup', { name: 'test.fault.before-2' })
  expect((await core.request('workspace.info', {})).backups).toEqual([])
  expect(existsSync(`${path}.before-lunch`)).toBe(true)
})

test('the sample is made once from the files that come with the program', async () => {
  const resourcesDir = temporaryFolder()
  mkdirSync(join(resourcesDir, 'sample'))
  writeExport(join(resourcesDir, 'sample', 'desk.faultline.jsonl'), [
    { id: 'a' },
    { id: 'b', outcome: 'fail' },
  ])
  const { core, folder, path } = opened({ resourcesDir })
  const made = await core.request('workspace.openSample', {})
  expect(made).toMatchObject({
    isSample: true,
    name: 'sample',
    trials: 2,
    path: join(folder, 'sample.fault'),
  })
  await core.request('workspace.open', { file: { path } })
  const again = await core.request('workspace.openSample', {})
  expect(again).toMatchObject({ isSample: true, trials: 2 })
  expect(await core.request('imports.list', {})).toHaveLength(1)
})

test('a sample that cannot be made leaves the open workspace open and nothing behind', async () => {
  const resourcesDir = temporaryFolder()
  const { core, folder, path } = opened({ resourcesDir })
  expect((await faultOf(core.request('workspace.openSample', {}))).code).toBe('FILE_UNREADABLE')
  mkdirSync(join(resourcesDir, 'sample'))
  writeFileSync(join(resourcesDir, 'sample', 'bad.faultline.jsonl'), '{"type":"header"')
  expect((await faultOf(core.request('workspace.openSample', {}))).code).toBe('FILE_UNREADABLE')
  expect((await core.request('workspace.info', {})).path).toBe(path)
  expect(readdirSync(folder).filter((name) => name.startsWith('sample'))).toEqual([])
})

test('the door names the field, and every error is a fault', async () => {
  const { core } = opened()
  const wrong = await faultOf(core.request('workspace.setPolicy', { policy: { error: 'pass' } } as never))
  expect(wrong.code).toBe('INVALID_INPUT')
  expect(wrong.message).toContain('policy.error')
  const context = { id: '1', signal: new AbortController().signal, progress: () => {} }
  const unknown = await faultOf(Promise.resolve().then(() => core.handler('no.such', {}, context)))
  expect(unknown.code).toBe('NOT_FOUND')
  for (const method of ['trials.steps', 'trials.raw', 'annotations.history'] as const) {
    const request = core.request(method, { trialId: 'nobody' })
    if (method === 'annotations.history') expect(await request).toEqual([])
    else expect((await faultOf(request)).code).toBe('NOT_FOUND')
  }
  expect((await faultOf(core.request('imports.undo', { importId: 'x' }))).code).toBe('NOT_FOUND')
  await core.close()
  expect((await faultOf(core.request('workspace.info', {}))).code).toBe('CORE_GONE')
})

test('the doctor names versions and the state of the file', async () => {
  const { core } = opened()
  expect(await core.request('core.doctor', {})).toMatchObject({
    node: process.versions.node,
    schema: SCHEMA_VERSION,
    integrity: 'ok',
    importers: { 'faultline-jsonl': 1 },
    faultline: '0.1.0-test',
  })
})

test('a workspace made by an earlier copy of the program opens from anywhere', async () => {
  const { core, folder, path } = opened()
  await withTrials(core, folder)
  await core.close()
  const elsewhere = join(temporaryFolder(), 'moved.fault')
  cpSync(path, elsewhere)
  const again = opened({ path: elsewhere })
  expect(await again.core.request('workspace.info', {})).toMatchObject({ name: 'moved', trials: 3 })
})

test('while deleted data is erased, questions are answered, and what is written waits for it', async () => {
  const { core, folder, path } = opened()
  const lines = Array.from({ length: 60 }, (_, index) => ({
    id: `t${index}`,
    note: randomBytes(300_000).toString('base64'),
  }))
  await importPaths(core, [writeExport(join(folder, 'large.jsonl'), lines)])
  const { rows } = await core.request('tasks.list', {})
  const { trials } = await core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
  await core.request('trials.delete', { trialIds: [trials[0]?.trialId ?? ''] })
  const before = statSync(path).size
  let isErased = false
  const erased = core.request('workspace.erase', {}).then((answer) => {
    isErased = true
    return answer
  })
  const written = core
    .request('annotations.save', {
      trialId: trials[1]?.trialId ?? '',
      revision: 0,
      draft: { ...EMPTY_DRAFT, note: 'meanwhile' },
    })
    .then(() => isErased)
  let answers = 0
  while (!isErased) {
    await core.request('tasks.list', {})
    answers += 1
    await new Promise((done) => setTimeout(done, 1))
  }
  expect(await erased).toEqual({ trials: 1, rules: 0 })
  // In one piece it would be one answer.
  expect(answers).toBeGreaterThan(3)
  expect(await written).toBe(true)
  expect(statSync(path).size).toBeLessThan(before)
  expect(await core.request('annotations.list', {})).toHaveLength(1)
}, 60_000)

test('a workspace that is left is erased behind the person, and can be opened again', async () => {
  const { core, folder, path } = opened({ eraseOnClose: true })
  await importPaths(core, [writeExport(join(folder, 'a.jsonl'), [{ id: 'one' }, { id: 'two' }])])
  const { rows } = await core.request('tasks.list', {})
  const { trials } = await core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
  await core.request('trials.delete', { trialIds: [trials[0]?.trialId ?? ''] })
  await core.request('workspace.open', { file: { path: join(folder, 'other.fault') }, create: true })
  expect(await core.request('workspace.open', { file: { path }, create: false })).toMatchObject({
    trials: 1,
    deletedTrials: 0,
  })
  expect(await core.request('workspace.restoreAll', {})).toEqual({ trials: 0, rules: 0 })
})
