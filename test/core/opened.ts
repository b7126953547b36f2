// A real core on a workspace in a temporary folder, for the tests of the core: opened, asked, closed and removed.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { Fault, type FaultCode } from '../../src/base/fault.ts'
import type { CoreEvent } from '../../src/contract/events.ts'
import { openCore, type Core, type CoreOptions } from '../../src/core/core.ts'

/** The folder of the repository. */
export const repo = resolve(import.meta.dirname, '../..')

/** A folder that is removed when the test has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A core under test, with what it said unasked. */
export type Opened = {
  readonly core: Core
  readonly events: CoreEvent[]
  readonly folder: string
  readonly path: string
}

/** A core under test that lives longer than one test: who opened it closes it. */
export type Temporary = { readonly core: Core; close(): Promise<void> }

/** Opens a core on a new workspace in a folder of its own, which goes with it. */
export function openTemporary(): Temporary {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-test-'))
  const core = openCore({
    path: join(folder, 'test.fault'),
    resourcesDir: join(folder, 'resources'),
    userDataDir: folder,
    appVersion: '0.1.0-test',
    emit: () => {},
    watchMs: 0,
  })
  return {
    core,
    close: async () => {
      await core.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Opens a core; it is closed when the test has ended, if the test did not. */
export function opened(options: Partial<CoreOptions> = {}): Opened {
  const folder = options.userDataDir ?? temporaryFolder()
  const path = options.path ?? join(folder, 'test.fault')
  const events: CoreEvent[] = []
  const core = openCore({
    path,
    resourcesDir: join(folder, 'resources'),
    userDataDir: folder,
    appVersion: '0.1.0-test',
    emit: (event) => events.push(event),
    watchMs: 0,
    ...options,
  })
  onTestFinished(() => core.close())
  return { core, events, folder, path }
}

/** The fault that a promise rejects with; the test fails when it does not, or with something else. */
export async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  try {
    await promise
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('Expected a fault, but it succeeded')
}

/** The fault code that work throws at once. */
export function codeThrown(work: () => unknown): FaultCode | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof Fault) return error.code
    throw error
  }
}

/** What an export of the tests says of one trial. */
export type Line = {
  readonly id?: string
  readonly task?: string
  readonly outcome?: 'pass' | 'fail' | 'error' | 'unknown'
  readonly config?: string
  readonly startedAt?: string
  readonly note?: string
  readonly severe?: boolean
  readonly cost?: number
}

/** Writes Faultline JSONL with these trials, each of a short conversation with one tool call; gives its path. */
export function writeExport(path: string, lines: readonly Line[], suite = 'desk'): string {
  const configs = [...new Set(lines.map((line) => line.config ?? 'careful'))]
  const records: unknown[] = [
    { type: 'header', format: 'faultline', version: 1, suite },
    ...configs.map((config) => ({ type: 'config', config_id: config, label: config, model: 'some-model' })),
    ...lines.map((line, index) => ({
      type: 'trial',
      trial_id: line.id ?? `r${index}`,
      task_id: line.task ?? 'refund',
      config_id: line.config ?? 'careful',
      outcome: line.outcome ?? 'pass',
      ...(line.startedAt === undefined ? {} : { started_at: line.startedAt }),
      ...(line.cost === undefined ? {} : { cost_usd: line.cost }),
      ...(line.severe === true
        ? { severe_errors: [{ step: 1, kind: 'wrong_refund', severity: 'high', note: null }] }
        : {}),
      steps: [
        { index: 0, role: 'user', kind: 'message', content: line.note ?? `Please refund order ${index}.` },
        {
          index: 1,
          role: 'assistant',
          kind: 'tool_call',
          content: 'I look it up.',
          calls: [{ call_id: 'c1', name: 'get_order', arguments: { order_id: `#W${index}` } }],
        },
        {
          index: 2,
          role: 'tool',
          kind: 'tool_result',
          call_id: 'c1',
          name: 'get_order',
          content: `{"days":${index},"total":10.5}`,
        },
        { index: 3, role: 'assistant', kind: 'message', content: 'Done.', final: true },
      ],
    })),
  ]
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return path
}

/** `imports.run` on paths. */
export function importPaths(
  core: Core,
  paths: readonly string[],
  more: { format?: string; suite?: string } = {},
) {
  return core.request('imports.run', { files: paths.map((path) => ({ path })), ...more })
}
