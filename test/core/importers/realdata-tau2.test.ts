// Whole real files of tau2-bench and ATIF, where they stand beside the repository: counts as computed independently.
// A clone does not have them; then these tests are skipped and the pieces in test/fixtures hold.

import { describe, expect, it } from 'vitest'
import { writeFaultlineJsonl } from '../../../src/core/importers/faultline-write.ts'
import { openAll } from './openall.ts'
import { hasSharedData, readBytes, sharedData } from './readall.ts'

const hasTau2 = hasSharedData('tau2-bench-activegraph', 'real τ²-bench files are')
const hasAtif = hasSharedData('harbor-atif', 'real ATIF files are')

const count = (values: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

describe.skipIf(!hasTau2)('real tau2-bench files (../shared/data)', () => {
  it('airline, one file per trial: merged by start time, in one configuration per task', async () => {
    const { reads } = await openAll(sharedData('tau2-bench-activegraph'))
    expect(reads.map((read) => read.detection.importer?.id)).toEqual(Array(12).fill('tau2'))
    expect(reads.flatMap((read) => read.problems)).toEqual([])
    const airline = reads
      .flatMap((read) => read.trials)
      .filter((trial) => trial.suite === 'airline')
      .toSorted((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? -1 : 1))
    const passes = (task: string): number[] =>
      airline.filter((trial) => trial.task === task).map((trial) => (trial.outcome === 'pass' ? 1 : 0))
    expect([passes('8'), passes('0')]).toEqual([[0, 0, 1, 0], [1]])
    expect(new Set(airline.map((trial) => trial.sourceTrial))).toEqual(new Set(['0']))
    const configurations = airline
      .filter((trial) => trial.task === '8')
      .map((trial) => JSON.stringify(trial.configuration))
    expect(new Set(configurations).size).toBe(1)
    const keys = reads.flatMap((read) => read.raws.map((raw) => raw.sourceKey))
    expect(new Set(keys).size).toBe(keys.length)
  })
  it('answer every call: results are paired, parallel ones too', async () => {
    const { reads } = await openAll(sharedData('tau2-bench-activegraph'))
    const steps = reads.flatMap((read) => read.trials).flatMap((trial) => trial.steps)
    const calls = steps.flatMap((step) => step.calls ?? [])
    const results = steps.filter((step) => step.kind === 'tool_result')
    expect(results.length).toBe(calls.length)
    for (const result of results) expect(result.callId).toBeTruthy()
    expect(Math.max(...steps.map((step) => step.calls?.length ?? 0))).toBe(5)
    expect(steps.filter((step) => step.role === 'user' && step.kind === 'tool_call')).toHaveLength(2)
  })
  it('of another harness, and spoken ones in a folder', async () => {
    const { reads } = await openAll(sharedData('tau2-bench-whissle'))
    expect(count(reads[0]!.trials.map((trial) => trial.outcome))).toEqual({ fail: 4, pass: 1 })
    expect(reads[0]!.trials.every((trial) => trial.suite === 'retail')).toBe(true)
    const voice = await openAll(sharedData('tau2-bench'))
    expect(voice.reads).toHaveLength(1)
    expect(voice.reads[0]!.trials.map((trial) => [trial.task, trial.outcome])).toEqual([
      ['40', 'unknown'],
      ['20', 'unknown'],
    ])
    for (const trial of voice.reads[0]!.trials) expect(trial.steps.length).toBeGreaterThan(10)
  })
  it('are the same after an export and an import', async () => {
    const { reads } = await openAll(sharedData('tau2-bench-activegraph'))
    for (const { trials } of reads) {
      const lines = [...writeFaultlineJsonl(trials, { producer: 'test' })].join('')
      expect((await readBytes(lines)).trials).toEqual(trials)
    }
  })
})

describe.skipIf(!hasAtif)('real ATIF files (../shared/data)', () => {
  it('are trajectories or named; nothing is guessed', async () => {
    const { reads, strangers } = await openAll(sharedData('harbor-atif'))
    const own = reads.filter((read) => read.detection.importer?.id === 'atif')
    expect(own).toHaveLength(5)
    expect(count(own.flatMap((read) => read.trials.map((trial) => trial.outcome)))).toEqual({ unknown: 5 })
    expect(strangers.filter((name) => name.includes('.traces.json: FORMAT_NOT_READ'))).toHaveLength(3)
    const whole = own.flatMap((read) => read.trials).filter((trial) => trial.steps[0]?.extra === undefined)
    // One instruction in four harnesses' words.
    expect(new Set(whole.map((trial) => trial.task)).size).toBe(1)
  })
})
