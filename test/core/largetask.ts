// A file with one large generated task, for the tests of what is drawn while its trials are still compared.

import { writeFileSync } from 'node:fs'
import { largeTask } from '../bench/divergence/speed.ts'

/** Writes the task `large`, half of its trials failing, as Faultline JSONL; gives the path. */
export function writeLargeTask(path: string, trials: number, steps: number): string {
  const records: unknown[] = [
    { type: 'header', format: 'faultline', version: 1, suite: 'large' },
    { type: 'config', config_id: 'c', label: 'c' },
    ...largeTask(5, trials, steps, 0.02).map((trial, i) => ({
      type: 'trial',
      trial_id: `t${i}`,
      task_id: 'large',
      config_id: 'c',
      outcome: trial.outcome,
      steps: trial.steps.map((step) => ({
        index: step.index,
        role: step.role,
        kind: step.kind,
        content: step.content ?? step.text,
        ...(step.calls === undefined
          ? {}
          : { calls: step.calls.map(({ id, name, args }) => ({ call_id: id, name, arguments: args })) }),
        ...(step.callId === undefined ? {} : { call_id: step.callId, name: step.toolName }),
        ...(step.final === undefined ? {} : { final: true }),
      })),
    })),
  ]
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return path
}
