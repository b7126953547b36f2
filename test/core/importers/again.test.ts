// The same trials again, whatever they come in: every fixture imported by a real core, then once more in gzip, as UTF-16,
// with a byte-order mark, between blank lines and in a zip. Nothing is counted twice and no conflict arises.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTemporary, type Temporary } from '../opened.ts'
import { allFixtures } from './formats.ts'
import { makeZip } from './zipwriter.ts'

const fixtures = allFixtures().filter(({ kind }) => kind !== 'folder')
const text = (bytes: Buffer): string => bytes.toString('utf8')
const isText = (kind: string): boolean => kind !== 'zip'

const WAYS: readonly (readonly [name: string, write: (bytes: Buffer) => Buffer | string])[] = [
  ['gzip', (bytes) => gzipSync(bytes)],
  ['UTF-16', (bytes) => Buffer.from(`\ufeff${text(bytes)}`, 'utf16le')],
  ['a byte-order mark', (bytes) => `\ufeff${text(bytes)}`],
  ['blank lines around', (bytes) => `\n\n${text(bytes)}\n\n`],
]

describe('the same trials again', () => {
  let open: Temporary
  let folder = ''
  let trials = 0
  const write = (root: string, name: string, content: Buffer | string): void => {
    const path = join(folder, root, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  const run = (path: string) => open.core.request('imports.run', { files: [{ path: join(folder, path) }] })
  beforeAll(async () => {
    open = openTemporary()
    folder = mkdtempSync(join(tmpdir(), 'faultline-again-'))
    for (const { name, bytes } of fixtures) write('all', name, bytes)
    trials = (await run('all')).trialsNew
  }, 60_000)
  afterAll(async () => {
    await open.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const expectNothingNew = async (path: string): Promise<void> => {
    const conflicts = await open.core.request('conflicts.list', {})
    const row = await run(path)
    expect(
      row.files.filter((file) => file.trialsNew > 0).map(({ name, trialsNew }) => [name, trialsNew]),
    ).toEqual([])
    expect(row.files.filter((file) => file.conflicts > 0).map(({ name }) => name)).toEqual([])
    expect(row.trialsSame).toBeGreaterThan(0)
    expect(await open.core.request('conflicts.list', {})).toEqual(conflicts)
    expect((await open.core.request('workspace.info', {})).trials).toBe(trials)
  }

  it('as they are', async () => {
    expect(trials).toBeGreaterThan(80)
    await expectNothingNew('all')
  })
  it.each(WAYS)('with %s', async (name, write_) => {
    const root = `${name.replaceAll(' ', '-')}/all`
    for (const fixture of fixtures) if (isText(fixture.kind)) write(root, fixture.name, write_(fixture.bytes))
    await expectNothingNew(root)
  })
  it('in a zip', async () => {
    write('zipped', 'all', makeZip(fixtures.map(({ name, bytes }) => ({ name, data: bytes }))))
    await expectNothingNew('zipped/all')
  })
})
