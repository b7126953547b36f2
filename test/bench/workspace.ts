// Workspaces to measure on: a real core on files of this run's own folder.

import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { CoreEvent } from '../../src/contract/events.ts'
import { openCore, type Core } from '../../src/core/core.ts'

const root = resolve(import.meta.dirname, '../..')

/** A core on `folder/name.fault`; `emit` hears its events. */
export function coreOn(folder: string, name: string, emit: (event: CoreEvent) => void = () => {}): Core {
  return openCore({
    path: join(folder, `${name}.fault`),
    resourcesDir: join(root, 'resources'),
    userDataDir: folder,
    appVersion: '0.0.0',
    emit,
    watchMs: 0,
  })
}

/**
 * A Faultline JSONL file of `tasks` × `trials` with three calls each. Outcomes follow a fixed rule, so that tasks
 * that always, never and sometimes pass are all there.
 */
export function writeManyTrials(path: string, tasks: number, trials: number): string {
  const lines: string[] = [
    JSON.stringify({ type: 'header', format: 'faultline', version: 1, suite: 'bench' }),
  ]
  for (const config of ['a', 'b'])
    lines.push(JSON.stringify({ type: 'config', config_id: config, label: config, model: config }))
  for (let task = 0; task < tasks; task += 1) {
    for (let trial = 0; trial < trials; trial += 1) {
      const isPass = (trial * 7919 + task * 104_729) % 10 < task % 11
      lines.push(
        JSON.stringify({
          type: 'trial',
          trial_id: `${task}-${trial}`,
          task_id: `task-${task}`,
          config_id: trial % 2 === 0 ? 'a' : 'b',
          outcome: isPass ? 'pass' : 'fail',
          cost_usd: 0.01 + (trial % 5) / 1000,
          severe_errors:
            !isPass && trial % 4 === 0 ? [{ step: 3, kind: 'wrong write', severity: 'high' }] : [],
          steps: steps(task, isPass),
        }),
      )
    }
  }
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

function steps(task: number, isPass: boolean): unknown[] {
  const calls = isPass ? ['find', 'check', 'write'] : ['find', 'write']
  return [
    { index: 0, role: 'user', kind: 'message', content: `Please see to number ${task}.` },
    ...calls.flatMap((name, i) => [
      {
        index: 2 * i + 1,
        role: 'assistant',
        kind: 'tool_call',
        content: null,
        calls: [{ call_id: `c${i}`, name, arguments: { number: task, part: i } }],
      },
      {
        index: 2 * i + 2,
        role: 'tool',
        kind: 'tool_result',
        call_id: `c${i}`,
        name,
        content: `{"state":"${name}"}`,
      },
    ]),
  ]
}
