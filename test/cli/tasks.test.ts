// `faultline tasks` and `task` on small real workspaces: figures, scope, policy, filters, conditions, addresses,
// lanes and findings, and text of traces that cannot steer the terminal.

import { parse } from 'csv-parse/sync'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { deskTrials, faultline, folder, writeTrials, type SmallTrial } from './program.ts'

const outcomes = (task: string, list: string, config = 'careful'): readonly SmallTrial[] =>
  [...list].map((letter, i) => ({
    id: `${config}-${task}-${i}`,
    task,
    config,
    outcome: ({ p: 'pass', f: 'fail', e: 'error', u: 'unknown' } as const)[letter] ?? 'unknown',
  }))

describe('tasks', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'faultline-test-'))
  beforeAll(async () => {
    writeTrials(
      join(cwd, 'a.jsonl'),
      'desk',
      [
        ...outcomes('mixed', 'pppppppfff'),
        ...outcomes('always', 'ppp'),
        ...outcomes('broken', 'ppee'),
        ...outcomes('silent', 'uu'),
        ...outcomes('mixed', 'fffff', 'eager'),
        { id: 'harm', task: 'harmful', outcome: 'pass', severe: 'wrong refund' },
      ],
      { mixed: 'Refund twice' },
    )
    expect((await faultline(cwd, ['import', 'a.jsonl'])).code).toBe(0)
  })

  const json = async (...args: string[]): Promise<Record<string, unknown>> =>
    JSON.parse((await faultline(cwd, ['tasks', '--json', ...args])).out)

  test('figures per task and as a whole, policy and scope said', async () => {
    const ran = await faultline(cwd, ['tasks'])
    expect(ran.code).toBe(0)
    expect(ran.out).toContain(
      '5 tasks · 25 trials · 2 configurations pooled · errors count as failures, unknown excluded',
    )
    expect(ran.out).toMatch(/desk\/mixed +15 +7 +0\.467 \(0\.\d{3}–0\.\d{3}\) +0\.200/)
    expect(ran.out).toMatch(/desk\/always +3 +3 +1\.000 \(0\.439–1\.000\) +1 +–/)
    expect(ran.out).toContain('not estimable (no trial counts)')
    expect(ran.out).toContain('–: not estimable (needs n ≥ k)')
    expect(ran.out).toContain('2 errors counted as failure, 2 unknown excluded')
    expect(ran.out).toContain('other reading (errors excluded')
    expect(ran.out).toContain('1 passed but harmful')
    expect(ran.out).not.toContain('\u001b')
  })

  test('--config is a scope: by label, by id, several pooled', async () => {
    const careful = await faultline(cwd, ['tasks', '--config', 'careful', '--filter', 'mixed'])
    expect(careful.out).toContain('1 of 5 tasks · 20 trials · 1 of 2 configurations ·')
    expect(careful.out).toMatch(/desk\/mixed +10 +7 +0\.700/)
    const both = await faultline(cwd, ['tasks', '--config', 'careful', '--config', 'eager'])
    expect(both.out).toContain('2 configurations pooled')
    const wrong = await faultline(cwd, ['tasks', '--config', 'nobody'])
    expect(wrong.code).toBe(2)
    const id = /^ {2}(\S+) {2}eager/m.exec(wrong.err)?.[1] ?? ''
    expect(id).not.toBe('')
    const byId = await json('--config', id)
    expect(byId['summary']).toMatchObject({ trials: 5, configurations: 1, configurationsTotal: 2 })
  })

  test('--policy changes the denominator and stands in the head', async () => {
    const ran = await faultline(cwd, ['tasks', '--policy', 'error=exclude,unknown=fail'])
    expect(ran.out).toContain('errors excluded, unknown counts as failure')
    expect(ran.out).toMatch(/desk\/broken +2 +2 +1\.000/)
    expect(ran.out).toMatch(/desk\/silent +2 +0 +0\.000/)
    const partial = await json('--policy', 'error=exclude')
    expect((partial['summary'] as Record<string, unknown>)['policy']).toEqual({
      error: 'exclude',
      unknown: 'exclude',
    })
  })

  test.each([
    [
      ['--outcome', 'sometimes'],
      ['mixed', 'broken'],
    ],
    [
      ['--outcome', 'always', '--sort', 'task'],
      ['always', 'harmful'],
    ],
    [['--severe'], ['harmful']],
    [['--filter', 'TWICE'], ['mixed']],
    [['--suite', 'other'], []],
    [
      ['--sort', 'task', '--desc', '--limit', '2'],
      ['silent', 'mixed'],
    ],
  ] as const)('%j', async (args, tasks) => {
    const list = (await json(...args)) as { rows: readonly { task: string }[] }
    expect(list.rows.map((row) => row.task).sort()).toEqual([...tasks].sort())
  })

  test('--fail-on: 3 when it holds, 0 when not, and which tasks', async () => {
    const severe = await faultline(cwd, ['tasks', '--fail-on', 'severe'])
    expect(severe.code).toBe(3)
    expect(severe.err).toContain('--fail-on severe: 1 task: desk/harmful')
    expect((await faultline(cwd, ['tasks', '--fail-on', 'severe', '--filter', 'mixed'])).code).toBe(0)
    expect(
      (await faultline(cwd, ['tasks', '--fail-on', 'flaky,severe', '--limit', '1', '--quiet'])).code,
    ).toBe(3)
    expect((await faultline(cwd, ['tasks', '--fail-on', 'flaky', '--filter', 'always'])).code).toBe(0)
  })

  test('--csv reads back with full precision, empty where there is no figure', async () => {
    const rows = parse((await faultline(cwd, ['tasks', '--csv'])).out, { columns: true }) as Record<
      string,
      string
    >[]
    const row = (task: string): Record<string, string> => rows.find((each) => each['task'] === task) ?? {}
    expect(Number(row('mixed')['pass_hat_2'])).toBeCloseTo((7 * 6) / (15 * 14), 15)
    expect(row('always')['pass_hat_4']).toBe('')
    expect(row('silent')['rate']).toBe('')
    expect(row('mixed')).toMatchObject({ error_policy: 'fail', unknown_policy: 'exclude' })
  })
})

describe('task', () => {
  test('lanes, the lead and the sentence', async () => {
    const cwd = folder()
    await faultline(cwd, ['import', writeTrials(join(cwd, 't.jsonl'), 'desk', deskTrials('refund'))])
    const ran = await faultline(cwd, ['task', 'desk/refund'])
    expect(ran.code).toBe(0)
    expect(ran.out).toContain('3 of 6 passed: 0.500 (0.188–0.812), Wilson 95 %; nothing excluded')
    expect(ran.out).toContain('= 1/5')
    expect(ran.out).toContain('Lanes')
    expect(ran.out).toContain('◆')
    expect(ran.out).toMatch(/✓ .* and 2 others/)
    expect(ran.out).toMatch(/✗ .* and 2 others/)
    expect(ran.out).toContain('check_policy')
    expect(ran.out.replace(/\s+/g, ' ')).toContain('A lead, not proof')
    expect(ran.out).toContain('seen in    3 of 3 failing, 0 of 3 passing')
    expect(ran.out).not.toMatch(/root cause proven|because/i)
    const view = JSON.parse((await faultline(cwd, ['task', 'refund', '--json'])).out)
    expect(view.analysisState).toBe('ready')
    expect(view.curve[1]).toMatchObject({ k: 2, exactHat: '1/5', exactAt: '4/5' })
    expect(view.analysis.lead.counts).toEqual({ a: 3, F: 3, b: 0, P: 3 })
  })

  test('--trial by number: its own differences', async () => {
    const cwd = folder()
    await faultline(cwd, ['import', writeTrials(join(cwd, 't.jsonl'), 'desk', deskTrials('refund'))])
    const all = JSON.parse((await faultline(cwd, ['task', 'refund', '--json'])).out)
    const failing = all.trials.find((trial: { outcome: string }) => trial.outcome === 'fail')
    const ran = await faultline(cwd, ['task', 'refund', '--trial', String(failing.number)])
    expect(ran.out).toContain('Differences of')
    const view = JSON.parse(
      (await faultline(cwd, ['task', 'refund', '--trial', failing.trialId, '--json'])).out,
    )
    expect(view.trials).toHaveLength(1)
    expect(view.analysis.findings).toHaveLength(1)
    const wrong = await faultline(cwd, ['task', 'refund', '--trial', '99'])
    expect(wrong.code).toBe(1)
    expect(wrong.err).toContain('Its trials:')
  })

  test('addresses: id, suite/task, bare id; ambiguous ones are listed', async () => {
    const cwd = folder()
    writeTrials(join(cwd, 'a.jsonl'), 'desk', deskTrials('refund'))
    writeTrials(join(cwd, 'b.jsonl'), 'shop', deskTrials('refund', 'other'))
    await faultline(cwd, ['import', 'a.jsonl', 'b.jsonl'])
    const bare = await faultline(cwd, ['task', 'refund'])
    expect(bare.code).toBe(2)
    expect(bare.err).toContain('desk/refund')
    expect(bare.err).toContain('shop/refund')
    const view = JSON.parse((await faultline(cwd, ['task', 'shop/refund', '--json'])).out)
    expect(view.row.suite).toBe('shop')
    expect((await faultline(cwd, ['task', view.row.taskId])).out).toContain('shop/refund')
    const missing = await faultline(cwd, ['task', 'refnd'])
    expect(missing.code).toBe(1)
    const near = await faultline(cwd, ['task', 'REFUN'])
    expect(near.err).toContain('Did you mean')
  })

  test('without passing trials: the state in its words, no lead', async () => {
    const cwd = folder()
    const failing = deskTrials('refund').filter((trial) => trial.outcome === 'fail')
    await faultline(cwd, ['import', writeTrials(join(cwd, 't.jsonl'), 'desk', failing)])
    const ran = await faultline(cwd, ['task', 'refund'])
    expect(ran.code).toBe(0)
    expect(ran.out).toContain('No lead: no passing run')
  })

  test('hostile text reaches the terminal as text', async () => {
    const cwd = folder()
    const nasty = '\u001b]0;owned\u0007\u001b[2J\u202Eevil\r\n'
    const trials = deskTrials('refund').map((trial) => ({
      ...trial,
      task: `${nasty}refund`,
      config: `c${nasty}`,
      severe: nasty,
      calls: (trial.calls ?? []).map(
        ([name, , result]) => [`${name}${nasty}`, { [nasty]: nasty }, nasty + result] as const,
      ),
    }))
    await faultline(cwd, [
      'import',
      writeTrials(join(cwd, 't.jsonl'), `desk${nasty}`, trials, { [`${nasty}refund`]: nasty }),
    ])
    const list = await faultline(cwd, ['tasks', '--fail-on', 'severe'])
    expect(list.code).toBe(3)
    const [id] = JSON.parse((await faultline(cwd, ['tasks', '--json'])).out).rows.map(
      (r: { taskId: string }) => r.taskId,
    )
    const task = await faultline(cwd, ['task', id])
    expect(task.code).toBe(0)
    const wrong = await faultline(cwd, ['task', nasty])
    for (const text of [list.out, list.err, task.out, task.err, wrong.err]) {
      // eslint-disable-next-line no-control-regex
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    }
    expect(task.out).toContain('\\u{001B}')
  })
})
