// The benchmark's command line as others run it: Faultline JSONL in, one JSON line per failing trial out, record indices
// and trial ids of the file, rules applied, errors that name what is wrong.

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { toTrial } from '../../bench/divergence/convert.ts'
import type { CompactStep } from '../../bench/divergence/convert.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'faultline-divergence-'))
const cli = resolve(import.meta.dirname, '../../bench/divergence/cli.ts')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Fixtures = Readonly<
  Record<
    string,
    { readonly trials: readonly { readonly pass: boolean; readonly steps: readonly CompactStep[] }[] }
  >
>

/** The fixtures as one file of Faultline JSONL: the tasks F1 to F7, trial ids `F1-0` and so on. */
function writeCases(): string {
  const fixtures = JSON.parse(readFileSync(new URL('fixtures.json', import.meta.url), 'utf8')) as Fixtures
  const lines: object[] = [{ type: 'header', format: 'faultline', version: 1, suite: 'fixtures' }]
  for (const [name, { trials }] of Object.entries(fixtures)) {
    const task = name.slice(0, 2)
    trials.forEach(({ pass, steps }, i) => {
      const trial = toTrial(steps, pass ? 'pass' : 'fail')
      lines.push({
        type: 'trial',
        trial_id: `${task}-${i}`,
        task_id: task,
        outcome: trial.outcome,
        steps: trial.steps.map((step) => ({
          role: step.role,
          kind: step.kind,
          content: step.content ?? step.text,
          ...(step.calls === undefined
            ? {}
            : {
                calls: step.calls.map(({ id, name: tool, args }) => ({
                  call_id: id,
                  name: tool,
                  arguments: args,
                })),
              }),
          ...(step.callId === undefined ? {} : { call_id: step.callId, name: step.toolName }),
          ...(step.isError === undefined ? {} : { is_error: step.isError }),
          ...(step.final === undefined ? {} : { final: true }),
        })),
      })
    })
  }
  const path = join(folder, 'cases.faultline.jsonl')
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path
}

test('prints one line per failing trial with the figures of the fixtures', async () => {
  const { stdout } = await run(process.execPath, ['--no-warnings', cli, writeCases()])
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly [key: string]: unknown })
  expect(lines).toHaveLength(13)
  const first = lines[0]!
  expect(Object.keys(first)).toEqual([
    'suite',
    'task',
    'trial',
    'ranked',
    'pNone',
    'permutationP',
    'floor',
    'state',
  ])
  expect(first).toMatchObject({ suite: 'fixtures', task: 'F1', trial: 'F1-3', state: 'lead', floor: 0.1 })
  const [top] = first.ranked as { readonly [key: string]: unknown }[]
  expect(top).toMatchObject({
    step: null,
    call: null,
    column: 5,
    kind: 'missing',
    tool: 'check_permission',
    columnTool: 'check_permission',
    counts: { a: 2, F: 2, b: 0, P: 3 },
    level: 'Clear lead',
  })
  expect(top!.probability).toBeCloseTo(0.985, 3)
  expect((top!.siblings as { readonly trial: string }[]).map(({ trial }) => trial).sort()).toEqual([
    'F1-0',
    'F1-1',
    'F1-2',
  ])
  // Steps are positions in the file's list: 3 messages and 8 calls with results stand before the second refund.
  const twice = lines.find((line) => line.task === 'F5')!.ranked as { readonly [key: string]: unknown }[]
  expect(twice[0]).toMatchObject({ kind: 'duplicate', step: 19, call: 0 })
  expect(lines.find((line) => line.task === 'F4')).toMatchObject({ state: 'none', ranked: [], pNone: 1 })
}, 30_000)

test('a failing trial without steps is not comparable, and its reason is said; without a pass nothing is', async () => {
  const path = join(folder, 'empty.faultline.jsonl')
  const steps = [
    { index: 0, role: 'user', kind: 'message', content: 'Please.' },
    {
      index: 1,
      role: 'assistant',
      kind: 'tool_call',
      calls: [{ call_id: 'c', name: 'get_order', arguments: { id: 1 } }],
    },
    { index: 2, role: 'tool', kind: 'tool_result', call_id: 'c', name: 'get_order', content: '{}' },
  ]
  const trial = (task: string, id: string, outcome: string, list: readonly object[]): object => ({
    type: 'trial',
    trial_id: id,
    task_id: task,
    config_id: 'c',
    outcome,
    steps: list,
  })
  const records = [
    { type: 'header', format: 'faultline', version: 1, suite: 's' },
    { type: 'config', config_id: 'c', label: 'c' },
    trial('a', 'a-pass', 'pass', steps),
    trial('a', 'a-empty', 'fail', []),
    trial('b', 'b-fail', 'fail', steps),
    trial('b', 'b-empty', 'fail', []),
  ]
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const { stdout } = await run(process.execPath, ['--no-warnings', cli, path])
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.map(({ trial: id, state, reason }) => [id, state, reason])).toEqual([
    ['a-empty', 'not comparable', 'it has no recorded steps'],
    ['b-fail', 'no passing run', undefined],
    ['b-empty', 'no passing run', undefined],
  ])
}, 30_000)

test('names the field of a bad rules file', async () => {
  const rules = join(folder, 'rules.json')
  writeFileSync(rules, '{"toolClasses": {"get_order": "reads"}}')
  const failed = run(process.execPath, ['--no-warnings', cli, writeCases(), '--rules', rules])
  await expect(failed).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('rules.toolClasses.get_order: must be read, check or write'),
  })
}, 30_000)
