// How the program is spoken to: help that teaches, exit codes, workspaces, wrong usage, pipes that close.

import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileCache, deskTrials, faultline, folder, writeTrials } from './program.ts'

describe('help and usage', () => {
  test('without a command the help, with examples, exit 0', async () => {
    const ran = await faultline(folder(), [])
    expect(ran.code).toBe(0)
    for (const name of ['import', 'tasks', 'task', 'export', 'doctor', 'formats', 'diagnose'])
      expect(ran.out).toContain(name)
    expect(ran.out).toContain('Exit codes: 0 fine, 1 fault')
    expect(ran.out).toContain('default.fault')
  })

  test.each(['import', 'tasks', 'task', 'search', 'export', 'doctor', 'formats', 'diagnose'])(
    '%s --help shows examples and the global options',
    async (name) => {
      const ran = await faultline(folder(), [name, '--help'])
      expect(ran.code).toBe(0)
      expect(ran.out).toMatch(/Examples?:/)
      expect(ran.out).toContain('--workspace')
      expect(ran.out).toContain('--json')
    },
  )

  test.each([
    [['nonsense'], /unknown command/],
    [['import'], /missing required argument/],
    [['task'], /missing required argument/],
    [['tasks', '--sort', 'colour'], /Allowed choices/],
    [['tasks', '--policy', 'error=maybe'], /error=fail\|exclude/],
    [['tasks', '--limit', '0'], /at least 1/],
    [['tasks', '--nonsense'], /unknown option/],
    [['tasks', '--json', '--csv'], /one of --json and --csv/],
    [['tasks', '--fail-on', 'rain'], /severe and flaky/],
    [['export', '--json', '--format', 'csv'], /contradict/],
  ] as const)('%j is wrong usage: exit 2', async (args, message) => {
    const ran = await faultline(folder(), args)
    expect(ran.code).toBe(2)
    expect(ran.out).toBe('')
    expect(ran.err).toMatch(message)
  })

  test('--version', async () => {
    const ran = await faultline(folder(), ['--version'])
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('workspaces', () => {
  test.each([['tasks'], ['task', 'x'], ['export']])(
    '%s makes no workspace where there is none',
    async (...args) => {
      const cwd = folder()
      const ran = await faultline(cwd, args)
      expect(ran.code).toBe(1)
      expect(ran.err).toContain('There is no workspace here yet')
      expect(ran.err).toContain(join(cwd, 'w.fault'))
      expect(existsSync(join(cwd, 'w.fault'))).toBe(false)
    },
  )

  test('--workspace goes before FAULTLINE_WORKSPACE, both before the folder of the app', async () => {
    const cwd = folder()
    const file = writeTrials(join(cwd, 't.jsonl'), 'desk', deskTrials('a'))
    expect((await faultline(cwd, ['import', file, '--workspace', 'deep/er/x.fault'])).code).toBe(0)
    expect(existsSync(join(cwd, 'deep/er/x.fault'))).toBe(true)
    expect(existsSync(join(cwd, 'w.fault'))).toBe(false)
    const own = await faultline(cwd, ['import', file, '--quiet'], {
      env: { FAULTLINE_WORKSPACE: '', XDG_CONFIG_HOME: join(cwd, 'config') },
    })
    expect(own.code).toBe(0)
    if (process.platform === 'linux')
      expect(existsSync(join(cwd, 'config/Faultline/default.fault'))).toBe(true)
  })

  test('a file that is no workspace is refused in a sentence, not changed', async () => {
    const cwd = folder()
    writeFileSync(join(cwd, 'w.fault'), 'this is not a database, it is a note of some length\n'.repeat(100))
    const ran = await faultline(cwd, ['tasks'])
    expect(ran.code).toBe(1)
    expect(ran.err).toContain('faultline: ')
    expect(ran.err).toContain('w.fault')
    expect(ran.err).not.toMatch(/\n\s+at .*:\d+:\d+/)
  })

  test('with --json a fault is one JSON object on standard error', async () => {
    const ran = await faultline(folder(), ['tasks', '--json'])
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(JSON.parse(ran.err).error).toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('doctor and formats', () => {
  test('doctor works without a workspace and makes none', async () => {
    const cwd = folder()
    const ran = await faultline(cwd, ['doctor', '--json'])
    expect(ran.code).toBe(0)
    expect(JSON.parse(ran.out)).toMatchObject({ workspaceExists: false, schema: expect.any(Number) })
    expect(existsSync(join(cwd, 'w.fault'))).toBe(false)
  })

  test('doctor tells versions of everything and that the file is sound', async () => {
    const cwd = folder()
    await faultline(cwd, ['import', writeTrials(join(cwd, 't.jsonl'), 'desk', deskTrials('a'))])
    const ran = await faultline(cwd, ['doctor', '--json'])
    expect(JSON.parse(ran.out)).toMatchObject({
      node: process.versions.node,
      sqlite: expect.stringMatching(/^3\./),
      integrity: 'ok',
      workspace: join(cwd, 'w.fault'),
      importers: { 'tau-bench': expect.any(Number), 'faultline-jsonl': expect.any(Number) },
    })
    expect((await faultline(cwd, ['doctor'])).out).toContain('sqlite')
  })

  test('formats lists ids that --format takes', async () => {
    const ran = await faultline(folder(), ['formats', '--json'])
    expect(JSON.parse(ran.out).map((row: { format: string }) => row.format)).toContain('tau-bench')
    expect((await faultline(folder(), ['formats', '--csv'])).out).toMatch(
      /^format,title,version,status,holds\r\n/,
    )
  })
})

test('a reader that goes away ends the program quietly', async () => {
  const cwd = folder()
  const many = Array.from({ length: 300 }, (_, i) => deskTrials(`task-${i}`)).flat()
  const file = writeTrials(join(cwd, 't.jsonl'), 'desk', many)
  await faultline(cwd, ['import', file, '--quiet'])
  const entry = resolve(import.meta.dirname, '../../src/cli/index.ts')
  const child = spawn(process.execPath, [entry, 'tasks', '--json'], {
    cwd,
    env: {
      NODE_COMPILE_CACHE: compileCache,
      PATH: process.env['PATH'],
      HOME: cwd,
      FAULTLINE_WORKSPACE: join(cwd, 'w.fault'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stdout.once('data', () => child.stdout.destroy())
  const code = await new Promise((done) => child.once('close', done))
  expect(err).toBe('')
  expect(code).toBe(0)
})
