// A workspace whose file or folder cannot be written opens for reading: everything is answered, analyses too, every
// command that would change it is refused, and neither the file nor its folder is touched.

import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Input, Method } from '../../../src/contract/contract.ts'
import { EMPTY_DRAFT } from '../../../src/model/annotation.ts'
import { MIGRATIONS } from '../../../src/core/store/migrate.ts'
import { openWriter } from '../../../src/core/store/open.ts'
import { faultOf, importPaths, opened, repo, writeExport } from '../opened.ts'

const isPosix = process.platform !== 'win32'
/** Of this run only: the folder of temporary files is everybody's. */
const NAME = `shared-${process.pid}`

/** A workspace with trials in a folder of its own, closed. */
async function closedWorkspace() {
  const { core, folder, path } = opened()
  await importPaths(core, [
    writeExport(join(folder, 'a.jsonl'), [{ id: 'a' }, { id: 'b', outcome: 'fail' }, { id: 'c' }]),
  ])
  await core.close()
  const home = join(folder, 'shared')
  mkdirSync(home)
  const shared = join(home, `${NAME}.fault`)
  cpSync(path, shared)
  return { folder, home, shared }
}

function freeze(path: string, mode: number): void {
  chmodSync(path, mode)
  onTestFinished(() => chmodSync(path, 0o755))
}

const left = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`.${NAME}.fault`))

test.runIf(isPosix)(
  'a folder that cannot be written: everything can be read, nothing is left or touched',
  async () => {
    const { folder, home, shared } = await closedWorkspace()
    const before = readFileSync(shared)
    freeze(home, 0o555)
    const { core } = opened({
      path: shared,
      userDataDir: folder,
      eraseOnClose: true,
      resourcesDir: join(repo, 'resources'),
    })
    expect(core.info().path).toBe(shared)
    expect(await core.request('workspace.info', {})).toMatchObject({
      path: shared,
      name: NAME,
      trials: 3,
      isReadOnly: true,
    })
    const { rows } = await core.request('tasks.list', {})
    const taskId = rows[0]?.taskId ?? ''
    await expect
      .poll(async () => (await core.request('tasks.get', { taskId })).analysisState, { timeout: 10_000 })
      .toBe('ready')
    expect((await core.request('report.preview', {})).text).toContain('refund')
    // What a copy of it holds can be changed.
    const target = join(folder, 'mine.fault')
    await core.request('workspace.saveCopy', { file: { path: target } })
    expect(left()).toHaveLength(3)
    await core.request('workspace.open', { file: { path: target } })
    expect(await core.request('workspace.info', {})).toMatchObject({ trials: 3, isReadOnly: false })
    expect(left()).toEqual([])
    await core.request('workspace.setPolicy', { policy: { error: 'exclude', unknown: 'fail' } })
    expect(readdirSync(home)).toEqual([`${NAME}.fault`])
    expect(readFileSync(shared).equals(before)).toBe(true)
  },
)

test.runIf(isPosix)('every command that writes is refused with what to do', async () => {
  const { folder, shared } = await closedWorkspace()
  freeze(shared, 0o444)
  const { core } = opened({ path: shared, userDataDir: folder })
  const { rows } = await core.request('tasks.list', {})
  const { trials } = await core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
  const trialId = trials[0]?.trialId ?? ''
  const refused = async <M extends Method>(method: M, input: Input<M>): Promise<void> => {
    const fault = await faultOf(core.request(method, input))
    expect(fault, method).toMatchObject({
      code: 'READ_ONLY',
      where: shared,
      hint: expect.stringContaining('Save a copy'),
    })
  }
  await refused('annotations.save', { trialId, revision: 0, draft: { ...EMPTY_DRAFT, note: 'x' } })
  await refused('trials.delete', { trialIds: [trialId] })
  await refused('workspace.deleteAll', {})
  await refused('workspace.erase', {})
  await refused('workspace.setPolicy', { policy: { error: 'exclude', unknown: 'fail' } })
  await refused('workspace.restoreBackup', { name: `${NAME}.fault.before-1` })
  await refused('rules.save', { draft: { kind: 'tool-class', tool: 'get_order', class: 'write' } })
  await refused('imports.run', { files: [{ path: join(folder, 'a.jsonl') }] })
  await refused('rules.apply', {})
  // What writes nothing is answered.
  expect(
    await core.request('rules.test', { draft: { kind: 'must-not', event: 'x', tool: 'get_*' } }),
  ).toBeDefined()
  expect((await core.request('rules.learned', { suite: 'desk' })).tasks).toBe(1)
  await core.close()
  expect(left()).toEqual([])
})

test.runIf(isPosix)(
  'an earlier schema is read without a copy beside it; what is no workspace says so',
  async () => {
    const { folder, home } = await closedWorkspace()
    const old = join(home, `${NAME}.fault`)
    rmSync(old)
    openWriter(old, { appVersion: 'x', migrations: MIGRATIONS.slice(0, 2) }).close()
    writeFileSync(join(home, 'text.fault'), 'not a workspace at all')
    freeze(home, 0o555)
    const { core } = opened({ path: old, userDataDir: folder })
    expect(await core.request('workspace.info', {})).toMatchObject({
      trials: 0,
      isReadOnly: true,
      backups: [],
    })
    const text = join(home, 'text.fault')
    const fault = await faultOf(core.request('workspace.open', { file: { path: text } }))
    expect(fault).toMatchObject({ code: 'DB_CORRUPT', where: text })
    expect((await core.request('workspace.info', {})).path).toBe(old)
    await core.close()
    expect([left(), readdirSync(home).toSorted()]).toEqual([[], [`${NAME}.fault`, 'text.fault']])
  },
)

test.runIf(isPosix)(
  'through a link: what another program wrote last is there, and both folders decide',
  async () => {
    const { folder, home, shared } = await closedWorkspace()
    const links = join(folder, 'links')
    mkdirSync(links)
    const link = join(links, `${NAME}.fault`)
    symlinkSync(shared, link)
    const writing = opened({ path: shared, userDataDir: folder })
    await writing.core.request('rules.decide', { suite: 'desk', scorer: 'reward', threshold: 1 })
    for (const frozen of [links, home]) {
      chmodSync(frozen, 0o555)
      const { core } = opened({ path: link, userDataDir: folder })
      const info = await core.request('workspace.info', {})
      await core.close()
      chmodSync(frozen, 0o755)
      expect(info).toMatchObject({ path: link, trials: 3, rules: 1, isReadOnly: true })
    }
    const { core } = opened({ path: link, userDataDir: folder })
    expect(await core.request('workspace.info', {})).toMatchObject({ rules: 1, isReadOnly: false })
  },
)
