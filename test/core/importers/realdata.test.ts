// Whole real result files, where they stand beside the repository: counts as computed independently.
// A clone does not have them; then these tests are skipped and the cut pieces in test/fixtures hold.

import { describe, expect, it } from 'vitest'
import type { Opened } from '../../../src/core/importers/importer.ts'
import { openSources } from '../../../src/core/importers/walk.ts'
import { hasSharedData, readSource, sharedData } from './readall.ts'

const hasData = hasSharedData('tau-bench/gpt-4o-airline.json', 'whole τ-bench files are')

const read = async (name: string) => {
  const opened: Opened[] = []
  for await (const one of openSources(sharedData(name))) opened.push(one)
  const first = opened[0]
  if (first?.kind !== 'source') throw new Error(`${name} is no file`)
  return readSource(first.source)
}

describe.skipIf(!hasData)('real tau-bench files (../shared/data)', () => {
  it('airline: 200 trials of 50 tasks, 84 pass, 26 tasks mixed', async () => {
    const { trials, problems } = await read('tau-bench/gpt-4o-airline.json')
    expect(problems).toEqual([])
    const passes = new Map<string, number>()
    for (const trial of trials)
      passes.set(trial.task, (passes.get(trial.task) ?? 0) + (trial.outcome === 'pass' ? 1 : 0))
    expect(trials).toHaveLength(200)
    const histogram = [0, 1, 2, 3, 4].map((k) => [...passes.values()].filter((count) => count === k).length)
    expect(histogram).toEqual([14, 12, 10, 4, 10])
    expect(new Set(trials.map((trial) => trial.suite))).toEqual(new Set(['airline']))
    for (const task of passes.keys())
      expect(
        trials
          .filter((trial) => trial.task === task)
          .map((trial) => trial.sourceTrial)
          .toSorted(),
      ).toEqual(['0', '1', '2', '3'])
    const results = trials.flatMap((trial) => trial.steps.filter((step) => step.kind === 'tool_result'))
    expect(results).toHaveLength(1164)
    for (const result of results) expect(result.callId).toBeTruthy()
  })
  it('retail l0, l1, l2: three configurations of the same 115 tasks, two infrastructure errors', async () => {
    const files = await Promise.all(
      [0, 1, 2].map((n) => read(`tau-bench-madhav/retail_tool-calling-l${n}-4o.json`)),
    )
    const trials = files.flatMap((file) => file.trials)
    expect(trials).toHaveLength(345)
    const count = (outcome: string) => trials.filter((trial) => trial.outcome === outcome).length
    expect([count('pass'), count('error'), count('unknown')]).toEqual([290, 2, 0])
    const histogram = new Map<string, number>()
    const tasks = new Set(trials.map((trial) => trial.task))
    for (const task of tasks) {
      const own = trials.filter((trial) => trial.task === task)
      expect(new Set(own.map((trial) => trial.configuration.label)).size).toBe(3)
      const key = `${own.filter((trial) => trial.outcome === 'pass').length}/3`
      histogram.set(key, (histogram.get(key) ?? 0) + 1)
    }
    expect(tasks.size).toBe(115)
    expect(Object.fromEntries(histogram)).toEqual({ '0/3': 4, '1/3': 8, '2/3': 27, '3/3': 76 })
    expect(new Set(trials.map((trial) => trial.suite))).toEqual(new Set(['retail']))
    // Their `trial` is the task's index: no trial number.
    expect(new Set(trials.map((trial) => trial.sourceTrial))).toEqual(new Set([null]))
  })
  it.each([
    ['tau-bench/docent_tb_airline_sample.json', { fail: 1 }, 'airline'],
    ['tau-bench-madhav/airline_tool-calling-Qwen2.5-7B_1211143257.json', { pass: 44, fail: 6 }, 'airline'],
    [
      'tau-bench-madhav/quirk_assertions-agent_no-tool_call_id_16-of-100-rows.json',
      { pass: 6, fail: 6, error: 4 },
      'retail',
    ],
    ['tau-bench-madhav/quirk_deepseek-coder_all-errors_1207070713.json', { error: 6 }, 'tau-bench'],
    ['tau-bench-madhav/quirk_react-Mistral_all-errors_1201105216.json', { error: 19 }, 'tau-bench'],
  ])('%s', async (name, outcomes, suite) => {
    const { trials } = await read(name)
    const counts: Record<string, number> = {}
    for (const trial of trials) counts[trial.outcome] = (counts[trial.outcome] ?? 0) + 1
    expect(counts).toEqual(outcomes)
    expect(new Set(trials.map((trial) => trial.suite))).toEqual(new Set([suite]))
  })
  it('a judge’s file of the same project is not taken for rows', async () => {
    const { detection } = await read('tau-bench-madhav/judge_multiple_runs.json')
    expect(detection.importer).toBeNull()
    expect(detection.problem?.code).toBe('FORMAT_UNKNOWN')
  })
})
