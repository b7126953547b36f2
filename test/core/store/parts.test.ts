// Part files: what a killed program left goes with the next write in that folder, and nothing else does.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { partBeside, removeStaleParts } from '../../../src/core/store/parts.ts'
import { writeWhole } from '../../../src/core/store/wholefile.ts'
import { faultOf, opened, repo, temporaryFolder } from '../opened.ts'

/** A program that begins to write beside the target and is killed before it has ended; gives what it left. */
async function killedWhileWriting(target: string): Promise<string> {
  const script = `
    import { writeFileSync } from 'node:fs'
    import { partBeside } from ${JSON.stringify(join(repo, 'src/core/store/parts.ts'))}
    const part = partBeside(${JSON.stringify(target)})
    writeFileSync(part, 'half of all the data')
    process.stdout.write(part)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script])
  const [part] = (await once(child.stdout, 'data')) as [Buffer]
  // While it writes nobody takes its file away.
  expect(removeStaleParts(target)).toBe(0)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(readFileSync(part.toString(), 'utf8')).toBe('half of all the data')
  return part.toString()
}

test('a report removes what a killed one left in the folder, whatever its name was', async () => {
  const folder = temporaryFolder()
  const left = await killedWhileWriting(join(folder, 'last week.md'))
  await writeWhole(join(folder, 'report.md'), Buffer.from('all of it'), 'report')
  expect(existsSync(left)).toBe(false)
  expect(readdirSync(folder)).toEqual(['report.md'])
})

test('a saved copy does the same, with what SQLite keeps beside it', async () => {
  const { core, folder } = opened()
  const left = await killedWhileWriting(join(folder, 'copy.fault'))
  writeFileSync(`${left}-wal`, 'more of the data')
  await core.request('workspace.saveCopy', { file: { path: join(folder, 'copy.fault') } })
  expect([left, `${left}-wal`].filter((path) => existsSync(path))).toEqual([])
  expect(readdirSync(folder).filter((name) => name.includes('.part-'))).toEqual([])
})

test.skipIf(process.platform === 'win32')('only files that are ours and of nobody are removed', () => {
  const folder = temporaryFolder()
  const target = join(folder, 'report.md')
  const [own = '', dead = ''] = [
    partBeside(target),
    partBeside(target).replace(`-${process.pid}-`, '-999999999-'),
  ]
  const host = /-(\w{8})-\w{12}$/.exec(own)?.[1] ?? ''
  const kept = [
    own,
    dead.replace(host, 'ffffffff'),
    `${dead}.txt`,
    `${dead}-notes`,
    dead.replace('/.report', '/report'),
    dead.replace('-999999999-', `-${process.ppid}-`),
    join(folder, '.report.md.part-999999999'),
    join(folder, '.report.md.part'),
    join(folder, 'thesis.part-1-of-2'),
  ]
  for (const path of [...kept, dead]) writeFileSync(path, 'x')
  const [folderOfThisName, link] = [dead.replace('report', 'folder'), dead.replace('report', 'link')]
  mkdirSync(folderOfThisName)
  symlinkSync(target, link)
  expect(removeStaleParts(target)).toBe(1)
  expect(existsSync(dead)).toBe(false)
  expect([...kept, folderOfThisName].filter((path) => !existsSync(path))).toEqual([])
  expect(readdirSync(folder)).toContain(link.slice(folder.length + 1))
  // The number of this process, from before it began: of another one that had it.
  const lastYear = new Date(Date.now() - 365 * 86_400_000)
  utimesSync(own, lastYear, lastYear)
  expect(removeStaleParts(target)).toBe(1)
  expect(existsSync(own)).toBe(false)
})

test('what is being written stays, also when the machine has slept meanwhile', () => {
  const folder = temporaryFolder()
  const own = partBeside(join(folder, 'report.md'))
  writeFileSync(own, 'x')
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 8 * 3_600_000)
  expect(removeStaleParts(own)).toBe(0)
  vi.restoreAllMocks()
  expect(existsSync(own)).toBe(true)
})

test('a write that fails leaves nothing behind', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'taken.md', 'inside'), { recursive: true })
  const fault = await faultOf(writeWhole(join(folder, 'taken.md'), Buffer.from('x'), 'report'))
  expect(fault).toMatchObject({
    code: 'FILE_UNREADABLE',
    message: expect.stringContaining('The report could'),
  })
  expect(readdirSync(folder)).toEqual(['taken.md'])
})

test('the longest names that a file system takes can be written', async () => {
  const folder = temporaryFolder()
  const name = `${'報'.repeat(82)}.md`
  await writeWhole(join(folder, name), Buffer.from('x'), 'report')
  expect(readdirSync(folder)).toEqual([name])
})
