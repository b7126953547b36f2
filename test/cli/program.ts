// Runs the command line program as a child process, from source, on workspaces of its own; and writes small files
// in Faultline JSONL for it to import. Nothing of the program is replaced.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished, vi } from 'vitest'

// Each step starts a program of its own; on a busy machine that adds up.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const root = resolve(import.meta.dirname, '../..')

/** Node keeps what it compiled here: a start then takes a quarter of the time. */
export const compileCache = join(root, 'out/compile-cache')

/** Real data beside the repository; absent on a stranger's clone. */
export const data = resolve(root, '../shared/data')

/** What a run of the program gave. */
export type Ran = { readonly code: number | null; readonly out: string; readonly err: string }

/** A folder that goes away with the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'faultline-test-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Runs `faultline …` in `cwd` with the workspace `cwd/w.fault`. When `stopWhen` first holds,
 * it is sent SIGINT, as Ctrl+C does. */
export function faultline(
  cwd: string,
  args: readonly string[],
  more: { readonly env?: Readonly<Record<string, string>>; readonly stopWhen?: () => boolean } = {},
): Promise<Ran> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [join(root, 'src/cli/index.ts'), ...args], {
      cwd,
      env: {
        NODE_COMPILE_CACHE: compileCache,
        PATH: process.env['PATH'],
        HOME: cwd,
        FAULTLINE_WORKSPACE: join(cwd, 'w.fault'),
        TZ: 'UTC',
        ...more.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    const { stopWhen } = more
    const watch = setInterval(() => {
      if (stopWhen?.() !== true) return
      clearInterval(watch)
      child.kill('SIGINT')
    }, 5)
    child.once('error', fail)
    child.once('close', (code) => {
      clearInterval(watch)
      done({ code, out, err })
    })
  })
}

/** One trial for a JSONL file: its steps are calls by name with arguments and a result. */
export type SmallTrial = {
  readonly id: string
  readonly task: string
  readonly outcome: 'pass' | 'fail' | 'error' | 'unknown'
  readonly config?: string
  readonly calls?: readonly (readonly [name: string, args: unknown, result: string])[]
  readonly severe?: string
}

/** Writes a Faultline JSONL file and gives its path. */
export function writeTrials(
  path: string,
  suite: string,
  trials: readonly SmallTrial[],
  tasks: Readonly<Record<string, string>> = {},
): string {
  const configs = [...new Set(trials.map((trial) => trial.config ?? 'careful'))]
  const lines: unknown[] = [
    { type: 'header', format: 'faultline', version: 1, suite },
    ...configs.map((name) => ({ type: 'config', config_id: name, label: name, model: 'model-a' })),
    ...Object.entries(tasks).map(([id, title]) => ({ type: 'task', task_id: id, title })),
    ...trials.map((trial) => ({
      type: 'trial',
      trial_id: trial.id,
      task_id: trial.task,
      config_id: trial.config ?? 'careful',
      outcome: trial.outcome,
      ...(trial.severe === undefined
        ? {}
        : { severe_errors: [{ step: 1, kind: trial.severe, severity: 'high', note: 'noted' }] }),
      steps: stepsOf(trial.calls ?? []),
    })),
  ]
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path
}

function stepsOf(calls: NonNullable<SmallTrial['calls']>): unknown[] {
  return [
    { index: 0, role: 'user', kind: 'message', content: 'Please help.' },
    ...calls.flatMap(([name, args, result], i) => [
      {
        index: 2 * i + 1,
        role: 'assistant',
        kind: 'tool_call',
        content: null,
        calls: [{ call_id: `c${i}`, name, arguments: args }],
      },
      { index: 2 * i + 2, role: 'tool', kind: 'tool_result', call_id: `c${i}`, name, content: result },
    ]),
  ]
}

/** Three passing trials that check the policy and three failing ones that do not, over one suite. */
export function deskTrials(task: string, config = 'careful'): readonly SmallTrial[] {
  const look = ['get_order', { order_id: 'o-1' }, '{"status":"delivered","total":40}'] as const
  const check = ['check_policy', { order_id: 'o-1' }, '{"refundable":false}'] as const
  const refund = ['refund_order', { order_id: 'o-1', amount: 40 }, '{"ok":true}'] as const
  const refuse = ['refuse', { order_id: 'o-1' }, '{"ok":true}'] as const
  return [1, 2, 3].flatMap((i) => [
    { id: `${config}-${task}-p${i}`, task, config, outcome: 'pass', calls: [look, check, refuse] } as const,
    { id: `${config}-${task}-f${i}`, task, config, outcome: 'fail', calls: [look, refund] } as const,
  ])
}
