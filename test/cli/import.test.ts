// `faultline import`: what is kept and said, the same again, files that cannot be read, cancelling.

import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { deskTrials, faultline, folder, writeTrials } from './program.ts'

describe('import', () => {
  test('keeps trials, then says that nothing changed', async () => {
    const cwd = folder()
    const file = writeTrials(join(cwd, 't.jsonl'), 'desk', deskTrials('a'))
    const first = await faultline(cwd, ['import', file])
    expect(first.code).toBe(0)
    expect(first.out).toContain('6 new trials kept, 0 already here')
    expect(first.out).toContain(`Workspace: ${join(cwd, 'w.fault')}`)
    const again = await faultline(cwd, ['import', file])
    expect(again.code).toBe(0)
    expect(again.out).toContain('Nothing changed: all 6 trials are already here')
    expect(JSON.parse((await faultline(cwd, ['tasks', '--json'])).out).summary.trials).toBe(6)
  })

  test('takes folders, and answers with the contract’s row for --json', async () => {
    const cwd = folder()
    mkdirSync(join(cwd, 'runs'))
    writeTrials(join(cwd, 'runs/a.jsonl'), 'desk', deskTrials('a'))
    writeTrials(join(cwd, 'runs/b.jsonl'), 'desk', deskTrials('b'))
    const ran = await faultline(cwd, ['import', 'runs', '--json'])
    expect(ran.code).toBe(0)
    const row = JSON.parse(ran.out)
    expect(row).toMatchObject({ state: 'kept', trialsNew: 12, trialsSame: 0 })
    expect(row.files.map((file: { name: string }) => file.name).sort()).toEqual([
      'runs/a.jsonl',
      'runs/b.jsonl',
    ])
    expect(ran.err).toBe('')
  })

  test('--csv: one line per file', async () => {
    const cwd = folder()
    const ran = await faultline(cwd, [
      'import',
      writeTrials(join(cwd, 't.jsonl'), 's', deskTrials('a')),
      '--csv',
    ])
    expect(ran.out.split('\r\n')[1]).toMatch(/,t\.jsonl,\d+,faultline-jsonl,kept,6,0,0,1,0,,$/)
  })

  test.each([
    ['empty.json', ''],
    ['note.txt', 'Dear diary, nothing was run today.\n'],
    ['cut.json', '[{"task_id": 1, "reward": 1.0, "traj": ['],
    ['nul.json', '\0'.repeat(5000)],
  ])('%s alone: its own message, exit 1, no stack', async (name, content) => {
    const cwd = folder()
    writeFileSync(join(cwd, name), content)
    const ran = await faultline(cwd, ['import', name])
    expect(ran.code).toBe(1)
    expect(ran.out + ran.err).toContain(name)
    expect(ran.out + ran.err).not.toMatch(/\n\s+at .*:\d+:\d+/)
    expect(ran.out).toContain('0 new trials kept')
  })

  test('a missing file is a fault', async () => {
    const cwd = folder()
    const ran = await faultline(cwd, ['import', 'nowhere.json'])
    expect(ran.code).toBe(1)
    expect(ran.out + ran.err).toContain('nowhere.json')
  })

  test('a bad file beside a good one: the good one is kept, the bad one named, exit 0', async () => {
    const cwd = folder()
    writeTrials(join(cwd, 'good.jsonl'), 'desk', deskTrials('a'))
    writeFileSync(join(cwd, 'bad.json'), '')
    const ran = await faultline(cwd, ['import', 'good.jsonl', 'bad.json'])
    expect(ran.code).toBe(0)
    expect(ran.out).toContain('6 new trials kept')
    expect(ran.out).toMatch(/bad\.json: \S+/)
  })

  test('a torn line is a problem with its place; the other records are kept', async () => {
    const cwd = folder()
    const file = writeTrials(join(cwd, 't.jsonl'), 'desk', deskTrials('a'))
    writeFileSync(file, '{"type":"trial","trial_id":"x","tas\n', { flag: 'a' })
    const ran = await faultline(cwd, ['import', file])
    expect(ran.code).toBe(0)
    expect(ran.out).toContain('6 new trials kept')
    expect(ran.out).toMatch(/Problems:\n {2}(error|warning) [A-Z_]+\n {4}t\.jsonl, line 9/)
  })

  test('an unknown --format is said with the known ones', async () => {
    const cwd = folder()
    const file = writeTrials(join(cwd, 't.jsonl'), 'desk', deskTrials('a'))
    const ran = await faultline(cwd, ['import', file, '--format', 'nonsense'])
    expect(ran.code).toBe(1)
    expect(ran.err).toContain('tau-bench')
  })

  test('Ctrl+C: ends cleanly, says what was kept, and that is in the store', async () => {
    const cwd = folder()
    const filler = 'x'.repeat(4000)
    const many = Array.from({ length: 2500 }, (_, i) => ({
      id: `t-${i}`,
      task: `task-${i % 50}`,
      outcome: 'pass' as const,
      calls: [['look', { n: i }, `${filler}${i}`] as const],
    }))
    const file = writeTrials(join(cwd, 'big.jsonl'), 'desk', many)
    // Trials are being written when the write-ahead log has grown past the empty workspace's.
    const log = join(cwd, 'w.fault-wal')
    const stopWhen = (): boolean => (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 500_000
    const ran = await faultline(cwd, ['import', file, '--json'], { stopWhen })
    expect(ran.err).toContain('Stopping')
    const row = JSON.parse(ran.out)
    expect(row.state).toBe('cancelled')
    expect(ran.code).toBe(1)
    expect(row.trialsNew).toBeLessThan(2500)
    const listed = await faultline(cwd, ['tasks', '--json'])
    const kept = listed.code === 0 ? JSON.parse(listed.out).summary.trials : 0
    expect(kept).toBe(row.trialsNew)
    // The rest comes with the next import, nothing twice.
    const rest = JSON.parse((await faultline(cwd, ['import', file, '--json'])).out)
    expect(rest.trialsNew + rest.trialsSame).toBe(2500)
    expect(rest.trialsSame).toBe(kept)
  })
})

test('problems are grouped by code, the first of each with its place; what was left aside says why', async () => {
  const cwd = folder()
  mkdirSync(join(cwd, 'in'))
  const lines = Array.from({ length: 12 }, (_, i) => `{"task_id":"t","trial":${i},"messages":[{"role":"user"`)
  const good = '{"task_id":"t","passed":true,"messages":[{"role":"user","content":"hi"}]}'
  writeFileSync(join(cwd, 'in/a.jsonl'), `${lines.join('\n')}\n${good}\n`)
  symlinkSync(join(cwd, 'in/a.jsonl'), join(cwd, 'in/link.jsonl'))
  const { out, code } = await faultline(cwd, ['import', 'in'])
  expect(code).toBe(0)
  expect(out).toContain('Left aside:\n  in/link.jsonl: a symbolic link')
  expect(out).toMatch(/Problems:\n {2}error JSON_\w+\n {4}in\/a\.jsonl, line \d+, record 0: /)
  expect(out.match(/^ {4}in\/a\.jsonl, line/gm)).toHaveLength(5)
  expect(out).toContain('    … and 7 more of these')
})

test('an empty folder, and a file read as what it is not, say so and what to do', async () => {
  const cwd = folder()
  mkdirSync(join(cwd, 'empty'))
  const empty = await faultline(cwd, ['import', 'empty'])
  expect([empty.code, empty.out.split('\n')[0]]).toEqual([
    1,
    'There is no file in what was named: nothing to import.',
  ])
  writeFileSync(join(cwd, 'chat.json'), '[{"role":"user","content":"hi"}]')
  const wrong = await faultline(cwd, ['import', 'chat.json', '--format', 'tau2'])
  expect(wrong.code).toBe(1)
  expect(wrong.out).toMatch(/is not a simulation|holds no trials that can be read as τ²-bench results/)
  const inspect = await faultline(cwd, ['import', 'chat.json', '--format', 'inspect'])
  expect(inspect.out).toContain('holds no trials that can be read as Inspect log.\n  If it should hold some')
})
