// `faultline compare` and `plan` as programs: figures in text, JSON and CSV, exit codes, wrong usage, names of sides.

import { parse } from 'csv-parse/sync'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { deskTrials, faultline, folder, writeTrials, type SmallTrial } from './program.ts'

const outcomes = (config: string, task: string, list: string, severe?: string): readonly SmallTrial[] =>
  [...list].map((letter, i) => ({
    id: `${config}-${task}-${i}`,
    task,
    config,
    outcome: letter === 'p' ? 'pass' : 'fail',
    ...(severe !== undefined && i === 0 ? { severe } : {}),
    calls: [['get_order', { order_id: `${config}${task}${i}` }, '{}']],
  }))

describe('compare', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'faultline-test-'))
  beforeAll(async () => {
    const a = [
      ...['t1', 't2', 't3', 't4', 't5', 't6'].flatMap((task) => outcomes('v1', task, 'pppppppp')),
      ...deskTrials('parts', 'v1'),
      ...outcomes('v1', 'old', 'pf'),
    ]
    const b = [
      ...['t1', 't2', 't3', 't4', 't5', 't6'].flatMap((task) => outcomes('v2', task, 'ffffffff')),
      ...deskTrials('parts', 'v2'),
      ...outcomes('v2', 'new', 'ppp', 'wrong refund'),
    ]
    writeTrials(join(cwd, 'before.jsonl'), 'desk', a)
    writeTrials(join(cwd, 'after.jsonl'), 'desk', b)
    expect((await faultline(cwd, ['import', 'before.jsonl', 'after.jsonl'])).code).toBe(0)
  })

  test('text: what is the same, what changed, what cannot be said', async () => {
    const ran = await faultline(cwd, ['compare', 'v1', 'v2'])
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.out).toContain('same tasks 7 · only A 1 · only B 1')
    expect(ran.out).toMatch(/desk\/t1 +8\/8 1\.00 \(0\.676–1\.000\) +0\/8 0\.00 \(0\.000–0\.324\) +−1\.00/)
    expect(ran.out).toMatch(/desk\/parts .*\+0\.00 \(.*\) same .*check_policy missing/)
    expect(ran.out).toContain('t over tasks')
    expect(ran.out).toMatch(/6 lost, 0 gained;\s+exact p = 0\.031, mid-p = 0\.016/)
    expect(ran.out).toContain('McNemar over trials: refused')
    expect(ran.out).toMatch(/Worse after Holm: desk\/t1, desk\/t2/)
    expect(ran.out).toContain('Only in A: desk/old (1/2)')
    expect(ran.out).toContain('Only in B: desk/new (3/3 ▲1)')
    expect(ran.out).not.toContain('\u001b')
  })

  test('--fail-on: exit 3, what held on standard error; 0 when nothing did', async () => {
    const worse = await faultline(cwd, ['compare', 'v1', 'v2', '--fail-on', 'regression', '--quiet'])
    expect(worse.code).toBe(3)
    expect(worse.err).toContain('--fail-on regression: 6 tasks: desk/t1')
    expect(worse.err).toContain('the mean pass^1')
    const severe = await faultline(cwd, ['compare', 'v1', 'v2', '--fail-on', 'severe,more-severe', '--quiet'])
    expect(severe.code).toBe(3)
    expect(severe.err).toMatch(/severe: 1 task: desk\/new/)
    const better = await faultline(
      cwd,
      'compare v2 v1 --quiet --fail-on severe --fail-on regression'.split(' '),
    )
    expect(better).toMatchObject({ code: 0, err: '' })
  })

  test('--json is the contract’s view, --csv one line per task; files name sides', async () => {
    const json = JSON.parse((await faultline(cwd, ['compare', 'v1', 'v2', '--json'])).out)
    expect(json.tasks).toHaveLength(7)
    expect(json.pending).toBe(0)
    expect(json.atK[0].paired.signFlip).toMatchObject({ isExact: true, nonZero: 6, p: 0.03125 })
    const byFile = JSON.parse(
      (await faultline(cwd, ['compare', 'before.jsonl', 'after.jsonl', '--json'])).out,
    )
    expect(byFile.atK).toEqual(json.atK)
    expect(byFile.tasks[0].a.lead).toEqual(json.tasks[0].a.lead)
    const csv = parse((await faultline(cwd, ['compare', 'v1', 'file:after.jsonl', '--csv'])).out, {
      columns: true,
    }) as Record<string, string>[]
    expect(csv.map((row) => row['listed_in'])).toEqual([...Array(7).fill('both'), 'A', 'B'])
    expect(csv.find((row) => row['task'] === 't1')).toMatchObject({ difference: '-1', certain: 'true' })
    expect(csv.at(-1)).toMatchObject({ task: 'new', b_n: '3', b_severe_trials: '1', error_policy: 'fail' })
  })

  test('how sure: `task` and `tasks --intervals` give the contract’s figures', async () => {
    const text = await faultline(cwd, ['task', 'desk/parts', '--config', 'v1'])
    expect(text.out).toContain('How sure')
    expect(text.out).toMatch(/verdict: flaky, P\(p < \.1\) = 0\.\d+/)
    expect(text.out).toContain('retries: order unknown')
    const task = JSON.parse((await faultline(cwd, ['task', 'desk/parts', '--config', 'v1', '--json'])).out)
    expect(task.statistics).toMatchObject({ n: 6, c: 3, verdict: { verdict: 'flaky' } })
    const suite = await faultline(cwd, ['tasks', '--intervals', '--config', 'v1'])
    expect(suite.out).toMatch(/1 +0\.875 +0\.\d{3}–1 +student-t/)
    expect(suite.out).toContain('xoshiro128ss-1.1, seed 2026, stream task-bootstrap')
    const json = JSON.parse((await faultline(cwd, ['tasks', '--intervals', '--json'])).out)
    expect(json.statistics.atK[0].tasks.resampling.B).toBe(10_000)
  })

  test.each([
    [['compare', 'v1'], /missing required argument/],
    [['compare', 'v1', 'nobody'], /Neither a configuration nor an imported file[\s\S]*v2/],
    [['compare', 'v1', 'v2', '--rule', 'best'], /pass\^4>=0\.5/],
    [['compare', 'v1', 'v2', '--fail-on', 'rain'], /severe, more-severe, regression/],
    [['compare', 'v1', 'v2', '--config', 'v1'], /A and B say/],
    [['plan'], /required option/],
    [['plan', '--rate', '5'], /0\.05 or 5%/],
    [['plan', '--rate', '0.05', '--failures', '-1'], /whole number/],
  ] as const)('%j is wrong usage: exit 2', async (args, message) => {
    const ran = await faultline(cwd, args)
    expect(ran.code).toBe(2)
    expect(ran.err).toMatch(message)
  })
})

describe('plan', () => {
  test('needs no workspace and leaves none; both conventions are named', async () => {
    const cwd = folder()
    const ran = await faultline(cwd, ['plan', '--rate', '0.05', '--failures', '2'])
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.out).toContain('124 trials with at most 2 failures')
    expect(ran.out).toMatch(/one-sided exact binomial +59/)
    expect(ran.out).toMatch(/two-sided Wilson interval +73/)
    expect(ran.out).toMatch(/2 +124 +0\.872/)
    const json = JSON.parse((await faultline(cwd, ['plan', '--rate', '5%', '--json'])).out)
    expect(json.rows).toMatchObject([{ failures: 0, trials: 59 }])
    const csv = (await faultline(cwd, ['plan', '--rate', '5%', '--csv'])).out
    const help = (await faultline(cwd, ['plan', '--help'])).out
    // One word for one thing: what is counted is a trial, here too.
    for (const text of [ran.out, csv, help]) expect(text).not.toMatch(/\bruns\b/i)
    const none = await faultline(cwd, ['tasks'])
    expect(none.code).toBe(1)
  })

  test.each(['compare', 'plan'])('%s --help shows examples', async (name) => {
    const ran = await faultline(folder(), [name, '--help'])
    expect(ran.code).toBe(0)
    expect(ran.out).toMatch(/Examples:/)
    expect(ran.out).toContain('--json')
  })
})
