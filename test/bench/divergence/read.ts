// Trials from a file for the benchmark, through the product's own importers, grouped by task.

import { statSync } from 'node:fs'
import { DEFAULT_POLICY } from '../../../src/model/outcome.ts'
import type { Trial } from '../../../src/model/trial.ts'
import type { Importer } from '../../../src/core/importers/importer.ts'
import { fileSource } from '../../../src/core/importers/source.ts'
import type { TrialInput } from '../../../src/analysis/divergence/options.ts'

/** All trials of a file in order; an Error when there are none. `warn` hears of every problem. */
export async function readTrials(
  path: string,
  importer: Importer,
  warn: (message: string) => void = () => {},
): Promise<Trial[]> {
  const trials: Trial[] = []
  await importer.read(
    fileSource({ path, size: statSync(path).size }),
    {
      trial: (raw) => {
        trials.push(raw.trial)
      },
      problem: (problem) => warn(`${problem.severity}: ${problem.message}`),
      progress: () => {},
    },
    new AbortController().signal,
  )
  if (trials.length === 0) throw new Error(`${path} holds no trials`)
  return trials
}

/** The trials of one task. Ids are the source's own, or the position where it has none or repeats one. */
export type Group = {
  readonly suite: string
  readonly task: string
  readonly inputs: readonly TrialInput<Trial>[]
}

/** Trials grouped by suite and task, in order of first appearance. */
export function byTask(trials: readonly Trial[]): Group[] {
  const groups = new Map<string, { suite: string; task: string; inputs: TrialInput<Trial>[] }>()
  for (const trial of trials) {
    const key = JSON.stringify([trial.suite, trial.task])
    let group = groups.get(key)
    if (group === undefined) groups.set(key, (group = { suite: trial.suite, task: trial.task, inputs: [] }))
    const { inputs } = group
    const own = trial.sourceId ?? `t${inputs.length}`
    const id = inputs.some((other) => other.id === own) ? `${own}#${inputs.length}` : own
    inputs.push({ id, trial })
  }
  return [...groups.values()]
}

/** The trials that count as failing under the default policy. */
export function failingOf(group: Group): TrialInput<Trial>[] {
  return group.inputs.filter(
    ({ trial }) => trial.outcome === 'fail' || (trial.outcome === 'error' && DEFAULT_POLICY.error === 'fail'),
  )
}
