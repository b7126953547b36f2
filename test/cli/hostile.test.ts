// The command line against hostile text and rough handling: escapes that a terminal obeys never reach it, not in JSON
// either; what was diagnosed leaves nothing behind when the program is stopped at once; folders that cannot be made.

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { printableJson } from '../../src/base/json.ts'
import { openWriter } from '../../src/core/store/open.ts'
import { faultline, folder, writeTrials } from './program.ts'

const hostile = '\u001b[31mred\u009b31m\u202egnp.exe\u200b\u2028\ufeff\u00ad\udb40\udc41"\\'
// eslint-disable-next-line no-control-regex
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/

test('JSON for a terminal keeps the value and shows every character', () => {
  const value = { [hostile]: [hostile, '\ud800', 'é', '🙂'] }
  const text = printableJson(value)
  expect(JSON.parse(text)).toEqual(value)
  expect(text).not.toMatch(/[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\ufeff]|\udb40/)
  expect(text).toContain('é')
  expect(text).toContain('🙂')
  expect(printableJson(value, 0)).not.toContain('\n')
})

test('no output holds a character that a terminal would obey', async () => {
  const cwd = folder()
  const trials = (['pass', 'fail', 'pass', 'fail'] as const).map((outcome, index) => ({
    id: `${hostile}${index}`,
    task: hostile,
    outcome,
    calls: [[outcome === 'pass' ? hostile : `${hostile}!`, { [hostile]: hostile }, hostile] as const],
    severe: hostile,
  }))
  writeTrials(join(cwd, 'a.jsonl'), hostile, trials)
  const runs = [
    ['import', 'a.jsonl'],
    ['tasks'],
    ['tasks', '--json'],
    ['export', '--no-redact'],
    ['export', '--json'],
    ['search', 'gnp.exe'],
    ['search', hostile],
    ['search', 'gnp', '--json'],
    ['task', 'nothing-of-this-name'],
    ['task', 'nothing-of-this-name', '--json'],
    ['--config', 'nothing', 'tasks'],
  ]
  for (const args of runs) {
    const { out, err } = await faultline(cwd, args)
    expect(out, args.join(' ')).not.toMatch(obeyed)
    expect(err, args.join(' ')).not.toMatch(obeyed)
    expect(out + err, args.join(' ')).not.toMatch(/^\s+at .*:\d+:\d+/m)
    if (args.includes('--json') && out !== '') JSON.parse(out)
  }
  writeFileSync(join(cwd, 'rule.json'), `${hostile}{`)
  const rule = await faultline(cwd, ['rules', 'add', '--file', 'rule.json'])
  expect(rule.code).toBe(2)
  expect(rule.err).not.toMatch(obeyed)
})

test('a report is not written over the workspace', async () => {
  const cwd = folder()
  writeTrials(join(cwd, 'a.jsonl'), 's', [{ id: '1', task: 't', outcome: 'pass' }])
  await faultline(cwd, ['import', 'a.jsonl'])
  for (const args of [
    ['export', '--out', 'w.fault'],
    ['rules', 'export', '--out', 'w.fault'],
  ]) {
    const refused = await faultline(cwd, args)
    expect(refused, args.join(' ')).toMatchObject({ code: 1 })
    expect(refused.err).toContain('belongs to the open workspace')
  }
  expect((await faultline(cwd, ['tasks', '--json'])).code).toBe(0)
})

test('a folder that cannot be made is told', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'file'), '')
  writeTrials(join(cwd, 'a.jsonl'), 's', [{ id: '1', task: 't', outcome: 'pass' }])
  const refused = await faultline(cwd, ['--workspace', 'file/under/w.fault', 'import', 'a.jsonl'])
  expect(refused.code).toBe(1)
  expect(refused.err).toContain('The folder of the workspace cannot be made.')
  expect(refused.err).not.toContain('EEXIST')
})

test.skipIf(process.platform === 'win32')('a diagnosis stopped at once leaves no data behind', async () => {
  const cwd = folder()
  const scratch = join(cwd, 'scratch')
  mkdirSync(scratch)
  const trials = Array.from({ length: 400 }, (_, index) => ({
    id: String(index),
    task: `t${index % 40}`,
    outcome: index % 2 === 0 ? ('pass' as const) : ('fail' as const),
    calls: Array.from({ length: 30 }, (_, at) => [`call${at}`, { at, index }, 'seen'] as const),
  }))
  writeTrials(join(cwd, 'a.jsonl'), 's', trials)
  const child = spawn(
    process.execPath,
    [resolve(import.meta.dirname, '../../src/cli/index.ts'), 'diagnose', 'a.jsonl'],
    { cwd, env: { PATH: process.env['PATH'], HOME: cwd, TMPDIR: scratch }, stdio: 'ignore' },
  )
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  const made = (): boolean =>
    readdirSync(scratch).some((name) => existsSync(join(scratch, name, 'scratch.fault')))
  await expect.poll(made, { timeout: 60_000, interval: 5 }).toBe(true)
  child.kill('SIGINT')
  child.kill('SIGTERM')
  await ended
  expect(readdirSync(scratch).filter((name) => existsSync(join(scratch, name, 'scratch.fault')))).toEqual([])
  expect(readFileSync(join(cwd, 'a.jsonl')).length).toBeGreaterThan(0)
})

test('a folder of thousands of other files: told in a few lines, and the one export in it counts', async () => {
  const cwd = folder()
  mkdirSync(join(cwd, 'in'))
  for (let index = 0; index < 2100; index++) writeFileSync(join(cwd, `in/a${index}.json`), `{"a":${index}}`)
  writeTrials(join(cwd, 'in/z.jsonl'), 's', [{ id: '1', task: 't', outcome: 'pass' }])
  const ran = await faultline(cwd, ['import', 'in'])
  expect(ran.code).toBe(0)
  expect(ran.out).toContain('1 new trial kept')
  expect(ran.out).toContain('… and 101 more files, skipped or of no known format.')
  expect(ran.out).toContain('… and 1,979 more files like these')
  expect(ran.out.match(/--format may be/g)?.length ?? 0).toBeLessThanOrEqual(20)
  expect(ran.out.match(/Tried: /g)).toHaveLength(3)
  expect(ran.out.split('\n').length).toBeLessThan(2150)
})

test('a workspace that takes no writes: the command ends and says why, instead of waiting for ever', async () => {
  const cwd = folder()
  const trials = (['pass', 'fail', 'pass', 'fail'] as const).map((outcome, index) => ({
    id: String(index),
    task: 't',
    outcome,
    calls: [[outcome, {}, 'seen'] as const],
  }))
  writeTrials(join(cwd, 'a.jsonl'), 's', trials)
  await faultline(cwd, ['import', 'a.jsonl'])
  const other = openWriter(join(cwd, 'w.fault'), { appVersion: 'x' })
  other.exec('BEGIN IMMEDIATE')
  try {
    const ran = await faultline(cwd, ['--policy', 'error=exclude,unknown=fail', 'tasks'])
    expect(ran.code).toBe(1)
    expect(ran.err).toContain('Another program is writing to this workspace.')
  } finally {
    other.exec('ROLLBACK')
    other.close()
  }
})
