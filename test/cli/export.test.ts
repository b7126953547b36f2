// `faultline export` and `diagnose`: the same bytes each time, formats, redaction, faults when a place cannot be
// written, nothing left of the scratch workspace.

import { parse } from 'csv-parse/sync'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { problems } from '../core/reports/schema.ts'
import { deskTrials, faultline, folder, writeTrials } from './program.ts'

const root = resolve(import.meta.dirname, '../..')

async function workspace(): Promise<string> {
  const cwd = folder()
  const trials = [...deskTrials('refund'), ...deskTrials('exchange')].map((trial) => ({
    ...trial,
    calls: (trial.calls ?? []).map(
      ([name, args, result]) => [name, { ...Object(args), to: 'someone@example.com' }, result] as const,
    ),
  }))
  const ran = await faultline(cwd, ['import', writeTrials(join(cwd, 't.jsonl'), 'desk', trials)])
  expect(ran.code).toBe(0)
  return cwd
}

describe('export', () => {
  test('Markdown to standard output: summary, finding, method, footer; nothing else there', async () => {
    const cwd = await workspace()
    const ran = await faultline(cwd, ['export'])
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.out).toMatch(/^# Faultline report: `w`\n/)
    expect(ran.out).toContain('### 1. `desk/')
    expect(ran.out).toContain('Seen in 3 of 3 failing, 0 of 3 passing')
    expect(ran.out).toContain('A lead, not proof.')
    expect(ran.out).toContain('errors count as failures, unknown excluded')
    expect(ran.out).toMatch(/Faultline \d\S+ · analysis \S+ · workspace schema \d+ · report format 1\n$/)
  })

  test('the same workspace gives the same bytes, in every format', async () => {
    const cwd = await workspace()
    for (const format of ['markdown', 'json', 'csv']) {
      const args = ['export', '--format', format, '--step-texts']
      expect((await faultline(cwd, args)).out).toBe((await faultline(cwd, args)).out)
    }
  })

  test('the same trials in another order of lines give the same figures and findings', async () => {
    const cwd = folder()
    const trials = [...deskTrials('refund'), ...deskTrials('exchange')]
    writeTrials(join(cwd, 'a.jsonl'), 'desk', trials)
    writeTrials(join(cwd, 'b.jsonl'), 'desk', trials.toReversed())
    const made: unknown[] = []
    for (const name of ['a', 'b']) {
      await faultline(cwd, ['import', `${name}.jsonl`, '--workspace', `${name}.fault`])
      const report = JSON.parse(
        (await faultline(cwd, ['export', '--json', '--workspace', `${name}.fault`])).out,
      )
      made.push(
        report.summary,
        report.tasks.map((task: { task: string; rate: unknown }) => [task.task, task.rate]),
      )
    }
    expect(made.slice(2)).toEqual(made.slice(0, 2))
  })

  test('--out: format by the ending, counts said, nothing on standard output', async () => {
    const cwd = await workspace()
    const ran = await faultline(cwd, [
      'export',
      '--out',
      'r.json',
      '--task',
      'desk/refund',
      '--policy',
      'error=exclude',
    ])
    expect(ran).toMatchObject({ code: 0, out: '' })
    expect(ran.err).toMatch(
      /Saved .*r\.json: 1 task, 1 finding, 0 annotations, \d+ redactions?, [\d,]+ bytes\./,
    )
    const report = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'))
    const schema = JSON.parse(readFileSync(join(root, 'docs/report.schema.json'), 'utf8'))
    expect(problems(schema, report)).toEqual([])
    expect(report.policy).toEqual({ error: 'exclude', unknown: 'exclude' })
    expect(report.scope).toMatchObject({ tasks: 1, tasksInScope: 2 })
    expect(report.summary).toMatchObject({ tasks: 1, trials: 6 })
    expect(report.summary.pooled.rate.value).toBe(0.5)
    expect((await faultline(cwd, ['export', '--out', 'r.csv', '--quiet'])).err).toBe('')
    const rows = parse(readFileSync(join(cwd, 'r.csv'), 'utf8'), { columns: true }) as Record<
      string,
      string
    >[]
    expect(rows.filter((row) => row['record'] === 'task')).toHaveLength(2)
    expect(rows.filter((row) => row['record'] === 'trial')).toHaveLength(6)
    expect(readdirSync(cwd).filter((name) => name.includes('.part'))).toEqual([])
  })

  test('step texts are redacted unless asked not to be', async () => {
    const cwd = await workspace()
    const redacted = await faultline(cwd, ['export', '--step-texts'])
    expect(redacted.out).toContain('#### The two steps')
    expect(redacted.out).toContain('⟦email 1⟧')
    expect(redacted.out).not.toContain('someone')
    const plain = await faultline(cwd, ['export', '--step-texts', '--no-redact'])
    expect(plain.out).toContain('someone@example.com')
    expect(plain.out).not.toContain('Redacted')
  })

  test('leaves out what is not wanted', async () => {
    const cwd = await workspace()
    const ran = await faultline(cwd, ['export', '--no-summary', '--no-findings'])
    expect(ran.out).not.toContain('## Summary')
    expect(ran.out).not.toContain('## Findings')
    expect(ran.out).toContain('## Method')
  })

  test('a place that cannot be written is a fault; what stood there is untouched', async () => {
    const cwd = await workspace()
    const missing = await faultline(cwd, ['export', '--out', 'no/such/r.md'])
    expect(missing.code).toBe(1)
    expect(missing.err).toContain('its folder does not exist')
    mkdirSync(join(cwd, 'r.md'))
    const isFolder = await faultline(cwd, ['export', '--out', 'r.md'])
    expect(isFolder.code).toBe(1)
    expect(isFolder.err).toContain('a folder has this name')
    expect(readdirSync(cwd).filter((name) => name.includes('.part'))).toEqual([])
    if (process.getuid?.() === 0) return // root may write everywhere
    mkdirSync(join(cwd, 'shut'))
    writeFileSync(join(cwd, 'shut/r.md'), 'before')
    chmodSync(join(cwd, 'shut'), 0o500)
    expect((await faultline(cwd, ['export', '--out', 'shut/r.md'])).err).toContain('not permitted')
    expect(readFileSync(join(cwd, 'shut/r.md'), 'utf8')).toBe('before')
  })
})

describe('diagnose', () => {
  test('files: table, top finding, report; no workspace is made or kept', async () => {
    const cwd = folder()
    const file = writeTrials(join(cwd, 't.jsonl'), 'desk', deskTrials('refund'))
    mkdirSync(join(cwd, 'tmp'))
    const ran = await faultline(cwd, ['diagnose', file, '--out', 'r.md'], {
      env: { TMPDIR: join(cwd, 'tmp') },
    })
    expect(ran.code).toBe(0)
    expect(ran.out).toContain('desk/refund')
    expect(ran.out).toContain('Top finding: desk/refund')
    expect(ran.out).toContain(`Report: ${join(cwd, 'r.md')}`)
    expect(readFileSync(join(cwd, 'r.md'), 'utf8')).toContain('# Faultline report')
    expect(existsSync(join(cwd, 'w.fault'))).toBe(false)
    expect(readdirSync(join(cwd, 'tmp'))).toEqual([])
  })

  test('nothing readable: exit 1', async () => {
    const cwd = folder()
    writeFileSync(join(cwd, 'x.json'), '')
    expect((await faultline(cwd, ['diagnose', 'x.json'])).code).toBe(1)
  })

  test('without a path: the sample workspace, exit 0, and the report is there', async () => {
    const cwd = folder()
    const ran = await faultline(cwd, ['diagnose'], { env: { TMPDIR: cwd } })
    expect(ran.err).toBe('')
    expect(ran.code).toBe(0)
    expect(ran.out).toContain('Top finding: ')
    const path = /^Report: (.+)$/m.exec(ran.out)?.[1] ?? ''
    expect(readFileSync(path, 'utf8')).toContain('# Faultline report')
  })
})
