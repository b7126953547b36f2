// Restoring a safety copy: the workspace is what the copy held, what it held before is a copy of its own, and whatever
// goes wrong leaves it as it was.

import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Core } from '../../../src/core/core.ts'
import { MIGRATIONS, SCHEMA_VERSION } from '../../../src/core/store/migrate.ts'
import { openWriter } from '../../../src/core/store/open.ts'
import { EMPTY_DRAFT } from '../../../src/model/annotation.ts'
import { faultOf, importPaths, opened, writeExport } from '../opened.ts'

const trialsOf = async (core: Core): Promise<number> => (await core.request('workspace.info', {})).trials
const notesOf = async (core: Core): Promise<readonly string[]> =>
  (await core.request('annotations.list', {})).map(({ note }) => note)

async function annotateFirst(core: Core, note: string): Promise<void> {
  const { rows } = await core.request('tasks.list', {})
  const { trials } = await core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
  await core.request('annotations.save', {
    trialId: trials[0]?.trialId ?? '',
    revision: 0,
    draft: { ...EMPTY_DRAFT, note },
  })
}

/** Two trials and a copy of them, then a third one and an annotation. */
async function withCopy() {
  const made = opened()
  const { core, folder, path } = made
  await importPaths(core, [writeExport(join(folder, 'a.jsonl'), [{ id: 'a' }, { id: 'b', outcome: 'fail' }])])
  await core.request('workspace.saveCopy', { file: { path: `${path}.before-2` } })
  await importPaths(core, [writeExport(join(folder, 'b.jsonl'), [{ id: 'c' }])])
  await annotateFirst(core, 'written after the copy')
  return made
}

test('the workspace goes back to the copy, what it held is kept beside, and can be had again', async () => {
  const { core, events, path } = await withCopy()
  const { savedAs } = await core.request('workspace.restoreBackup', { name: 'test.fault.before-2' })
  expect(savedAs).toBe('test.fault.before-restore-1')
  expect([await trialsOf(core), await notesOf(core)]).toEqual([2, []])
  const said = events.flatMap((event) => (event.type === 'changed' ? [event.topics] : []))
  expect(said.at(-1)).toEqual(expect.arrayContaining(['trials', 'annotations', 'rules', 'workspace']))
  const { backups } = await core.request('workspace.info', {})
  expect(backups.map(({ name, before }) => [name, before])).toEqual([
    ['test.fault.before-2', 'upgrade'],
    [savedAs, 'restore'],
  ])
  // It is a workspace to write in, not a picture of one.
  await annotateFirst(core, 'written after restoring')
  const again = await core.request('workspace.restoreBackup', { name: savedAs })
  expect([await trialsOf(core), await notesOf(core)]).toEqual([3, ['written after the copy']])
  await core.request('workspace.restoreBackup', { name: again.savedAs })
  expect([await trialsOf(core), await notesOf(core)]).toEqual([2, ['written after restoring']])
  expect(readdirSync(join(path, '..')).filter((name) => name.includes('.part'))).toEqual([])
})

test('restoring a copy of an earlier schema leaves the other copies as they are', async () => {
  const { core, path } = await withCopy()
  openWriter(`${path}.before-restore-1`, { appVersion: 'x', migrations: MIGRATIONS.slice(0, 3) }).close()
  // That of the upgrade that brought such a file to the present schema.
  copyFileSync(`${path}.before-2`, `${path}.before-4`)
  const before = readFileSync(`${path}.before-4`)
  await core.request('workspace.restoreBackup', { name: 'test.fault.before-restore-1' })
  expect(await trialsOf(core)).toBe(0)
  expect(readFileSync(`${path}.before-4`).equals(before)).toBe(true)
  await core.request('workspace.restoreBackup', { name: 'test.fault.before-4' })
  expect(await trialsOf(core)).toBe(2)
})

test('analyses are made of what is there now', async () => {
  const { core } = await withCopy()
  await core.request('workspace.restoreBackup', { name: 'test.fault.before-2' })
  const { rows } = await core.request('tasks.list', {})
  await expect
    .poll(async () => (await core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })).analysisState, {
      timeout: 10_000,
    })
    .toBe('ready')
  const view = await core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
  expect(view.analysis?.lanes).toHaveLength(2)
})

test('a copy of an earlier schema is brought to the present one', async () => {
  const { core, path } = await withCopy()
  openWriter(`${path}.before-4`, { appVersion: 'x', migrations: MIGRATIONS.slice(0, 3) }).close()
  await core.request('workspace.restoreBackup', { name: 'test.fault.before-4' })
  expect(await core.request('workspace.info', {})).toMatchObject({ trials: 0, schemaVersion: SCHEMA_VERSION })
  const db = new Database(path, { readonly: true })
  expect(db.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION)
  db.close()
})

test('what cannot be restored says why and changes nothing', async () => {
  const { core, path, folder } = await withCopy()
  const refused = async (name: string) => {
    const fault = await faultOf(core.request('workspace.restoreBackup', { name }))
    expect([await trialsOf(core), await notesOf(core)]).toEqual([3, ['written after the copy']])
    return fault.code
  }
  writeFileSync(`${path}.before-3`, 'no workspace at all')
  writeFileSync(`${path}.before-4`, '')
  copyFileSync(`${path}.before-2`, `${path}.before-5`)
  const newer = new Database(`${path}.before-5`)
  newer.pragma('user_version = 999')
  newer.close()
  const half = readFileSync(`${path}.before-2`)
  writeFileSync(
    `${path}.before-6`,
    Buffer.concat([half.subarray(0, 8192), Buffer.alloc(half.length - 8192, 7)]),
  )
  expect(await refused('test.fault.before-3')).toBe('DB_CORRUPT')
  expect(await refused('test.fault.before-4')).toBe('DB_CORRUPT')
  expect(await refused('test.fault.before-5')).toBe('DB_NEWER')
  expect(await refused('test.fault.before-6')).toBe('DB_CORRUPT')
  for (const name of ['test.fault', '../test.fault.before-2', 'a.jsonl'])
    expect(await refused(name), name).toBe('NOT_FOUND')
  const writing = new Database(path)
  writing.exec('BEGIN IMMEDIATE')
  expect(await refused('test.fault.before-2')).toBe('DB_LOCKED')
  writing.exec('ROLLBACK')
  writing.close()
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([])
}, 40_000)

test('another program that has the file open sees the restored state and can go on', async () => {
  const { core, path, folder } = await withCopy()
  const other = opened({ path, userDataDir: folder })
  expect(await trialsOf(other.core)).toBe(3)
  await core.request('workspace.restoreBackup', { name: 'test.fault.before-2' })
  expect(await trialsOf(other.core)).toBe(2)
  await annotateFirst(other.core, 'from the other program')
  expect(await notesOf(core)).toEqual(['from the other program'])
})
