// What a report or a copy must not replace, and a workspace whose file was moved away while it is open: nothing that
// a person wrote may be lost without a word.

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EMPTY_DRAFT } from '../../../src/model/annotation.ts'
import { openWriter } from '../../../src/core/store/open.ts'
import { checkTarget } from '../../../src/core/store/targets.ts'
import { codeThrown, faultOf, importPaths, opened, writeExport } from '../opened.ts'

test('neither a report nor a copy replaces the open workspace or what lies beside it', async () => {
  const { core, path, folder } = opened()
  await importPaths(core, [writeExport(join(folder, 'a.jsonl'), [{ id: 'one' }])])
  const alias = join(folder, 'alias')
  symlinkSync(folder, alias)
  const hard = join(folder, 'hard.fault')
  linkSync(path, hard)
  const targets = [path, `${path}-wal`, `${path}-shm`, `${path}-journal`, join(alias, 'test.fault'), hard]
  for (const target of targets) {
    const report = core.request('report.save', { file: { path: target }, report: {} })
    expect(await faultOf(report), target).toMatchObject({ code: 'INVALID_INPUT' })
    const copy = core.request('workspace.saveCopy', { file: { path: target } })
    expect(await faultOf(copy), target).toMatchObject({ code: 'INVALID_INPUT' })
  }
  expect(readFileSync(path).toString('latin1', 0, 15)).toBe('SQLite format 3')
  expect(await core.request('workspace.info', {})).toMatchObject({ trials: 1 })
})

test('a copy does not replace a workspace that another program has open', async () => {
  const { core, folder } = opened()
  const other = join(folder, 'other.fault')
  const db = openWriter(other, { appVersion: 'x' })
  const refused = await faultOf(core.request('workspace.saveCopy', { file: { path: other } }))
  expect(refused).toMatchObject({ code: 'DB_LOCKED', where: other })
  db.close()
  expect((await core.request('workspace.saveCopy', { file: { path: other } })).bytes).toBeGreaterThan(0)
})

test.skipIf(process.platform === 'win32')(
  'devices, folders and read-only files are not replaced',
  async () => {
    const { core, folder } = opened()
    await importPaths(core, [writeExport(join(folder, 'a.jsonl'), [{ id: 'one' }])])
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const frozen = join(folder, 'frozen.md')
    writeFileSync(frozen, 'kept')
    chmodSync(frozen, 0o444)
    mkdirSync(join(folder, 'folder.md'))
    for (const target of ['/dev/null', pipe, frozen, join(folder, 'folder.md')]) {
      const report = core.request('report.save', { file: { path: target }, report: {} })
      expect(await faultOf(report), target).toMatchObject({ code: 'FILE_UNREADABLE' })
      const copy = core.request('workspace.saveCopy', { file: { path: target } })
      expect(await faultOf(copy), target).toMatchObject({ code: 'FILE_UNREADABLE' })
    }
    expect(readFileSync(frozen, 'utf8')).toBe('kept')
    expect(codeThrown(() => checkTarget(join(folder, 'new.md'), ':memory:'))).toBe(null)
    for (const workspace of ['/dev/null', pipe])
      expect(
        codeThrown(() => openWriter(workspace, { appVersion: 'x' })),
        workspace,
      ).toBe('FILE_UNREADABLE')
  },
)

test.skipIf(process.platform === 'win32')('a workspace that was moved away takes no writes', async () => {
  const { core, path, folder } = opened()
  await importPaths(core, [writeExport(join(folder, 'a.jsonl'), [{ id: 'one' }])])
  const { rows } = await core.request('tasks.list', {})
  const { trials } = await core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
  const write = (note: string): Promise<unknown> =>
    core.request('annotations.save', {
      trialId: trials[0]?.trialId ?? '',
      revision: 0,
      draft: { ...EMPTY_DRAFT, note },
    })
  const away = join(folder, 'away.fault')
  renameSync(path, away)
  expect(await faultOf(write('lost?'))).toMatchObject({ code: 'FILE_UNREADABLE', where: path })
  // Another file of the same name is not the workspace either.
  writeFileSync(path, '')
  expect(await faultOf(write('lost?'))).toMatchObject({ code: 'FILE_UNREADABLE' })
  const imported = importPaths(core, [writeExport(join(folder, 'b.jsonl'), [{ id: 'two' }])])
  expect(await faultOf(imported)).toMatchObject({ code: 'FILE_UNREADABLE' })
  renameSync(away, path)
  expect(await write('kept')).toMatchObject({ revision: 1 })
  expect(existsSync(away)).toBe(false)
})
