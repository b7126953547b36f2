// compare.versions and plan.trials on a real core with real worker threads: pairing by task, unequal n, tasks of one side
// only, files as sides, seeds, conditions, cancel; figures that methods.md gives by hand.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CompareView } from '../../../src/contract/comparerows.ts'
import type { Input } from '../../../src/contract/contract.ts'
import type { Core } from '../../../src/core/core.ts'
import { faultOf, importPaths, opened, temporaryFolder, writeExport, type Line } from '../opened.ts'

const lines = (config: string, task: string, passes: number, n: number, severe = 0): Line[] =>
  Array.from({ length: n }, (_, i) => ({
    id: `${config}-${task}-${i}`,
    task,
    config,
    outcome: i < passes ? 'pass' : 'fail',
    note: `${config} ${task} ${i}`,
    severe: i < severe,
  }))

/** Twelve tasks: five get worse (7 of 10 → 1 of 10), the others stay; one task only on each side. */
function versions(folder: string): string[] {
  const a = Array.from({ length: 12 }, (_, t) => lines('before', `t${t}`, 7, 10)).flat()
  const b = Array.from({ length: 12 }, (_, t) =>
    lines('after', `t${t}`, t < 5 ? 1 : 7, 10, t === 2 ? 1 : 0),
  ).flat()
  return [
    writeExport(join(folder, 'before.jsonl'), [...a, ...lines('before', 'gone', 3, 4)]),
    writeExport(join(folder, 'after.jsonl'), [...b, ...lines('after', 'new', 2, 4, 1)]),
  ]
}

async function sides(
  core: Core,
): Promise<{ a: { configurations: string[] }; b: { configurations: string[] } }> {
  const all = await core.request('configurations.list', {})
  const named = (label: string): { configurations: string[] } => ({
    configurations: all.filter((row) => row.label === label).map((row) => row.configurationId),
  })
  return { a: named('before'), b: named('after') }
}

async function compared(core: Core, input: Input<'compare.versions'>): Promise<CompareView> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const view = await core.request('compare.versions', input)
    if (view.pending === 0) return view
    await new Promise((done) => setTimeout(done, 25))
  }
  throw new Error('The leads never came')
}

describe('compare.versions', () => {
  test('pairs by task and says what goes for all of them', async () => {
    const { core, folder } = opened()
    await importPaths(core, versions(folder))
    const view = await compared(core, await sides(core))
    expect(view.tasks).toHaveLength(12)
    expect(view.onlyA.map((row) => row.task)).toEqual(['gone'])
    expect(view.onlyB).toMatchObject([{ task: 'new', n: 4, passes: 2, severeTrials: 1 }])
    expect(view.sharedTrials).toBe(0)

    const worse = view.tasks.find((row) => row.task === 't0')
    expect(worse).toMatchObject({ change: 'worse', a: { severeTrials: 0 }, b: { severeTrials: 0 } })
    // methods.md A9.3: 1/10 − 7/10 mirrors 3/10 − 9/10.
    const gap = worse?.difference.ok === true ? worse.difference.value : null
    expect(gap?.difference).toBeCloseTo(-0.6, 12)
    expect(gap?.interval.lower).toBeCloseTo(-0.809018, 6)
    expect(gap?.interval.upper).toBeCloseTo(-0.170523, 6)
    expect(gap?.isCertain).toBe(true)
    const same = view.tasks.find((row) => row.task === 't9')
    expect(same).toMatchObject({ change: 'same', difference: { value: { isCertain: false } } })
    expect(same?.a.lead.state).not.toBe('pending')

    const [at1] = view.atK
    expect(at1?.k).toBe(1)
    expect(at1?.a.mean).toEqual({ ok: true, value: expect.closeTo(0.7, 12) })
    const change = at1?.paired.difference
    expect(change?.estimate).toEqual({ ok: true, value: expect.closeTo(-0.25, 12) })
    expect(change?.headline).toMatchObject({ ok: true, value: { method: 'bca' } })
    expect(change?.resampling).toEqual({
      generator: 'xoshiro128ss-1.1',
      seed: 2026,
      stream: 'paired-bootstrap',
      B: 10_000,
    })
    // Five equal differences: 2 of 32 sign patterns are as extreme, and no fewer can be.
    expect(at1?.paired.signFlip).toMatchObject({ p: 0.0625, floor: 0.0625, nonZero: 5, isExact: true })
    expect(view.mcnemar).toMatchObject({
      compared: 12,
      test: { b: 5, c: 0, exact: expect.closeTo(0.0625, 12), midP: expect.closeTo(0.03125, 12) },
    })
    expect(view.trialMcnemar).toEqual({
      ok: false,
      reason: 'not estimable (trials have no shared seeds)',
    })
    // Fisher of (7,3;1,9) is .01977, times 12 after Holm: no task is told.
    expect(view.regressions).toMatchObject({ correction: 'holm', m: 12, canTell: true })
    expect(worse?.regression?.p).toBeCloseTo(0.0197666111, 9)
    expect(worse?.regression?.adjusted).toBeCloseTo(12 * 0.0197666111, 8)
    expect(view.conditions.worse).toEqual([])
    expect(view.conditions.worseOverall).toBe(false)
    const ids = (names: readonly string[]): string[] =>
      [...view.tasks, ...view.onlyB].filter((row) => names.includes(row.task)).map((row) => row.taskId)
    expect(new Set(view.conditions.severe)).toEqual(new Set(ids(['t2', 'new'])))
    expect(new Set(view.conditions.moreSevere)).toEqual(new Set(ids(['t2', 'new'])))
  })

  test('ties and rules, a chosen k that no task reaches', async () => {
    const { core, folder } = opened()
    await importPaths(core, [
      writeExport(join(folder, 'x.jsonl'), [
        ...lines('before', 'one', 2, 4),
        ...lines('after', 'one', 4, 4),
        ...lines('before', 'two', 4, 4),
        ...lines('after', 'two', 1, 3),
      ]),
    ])
    const pair = await sides(core)
    const view = await compared(core, { ...pair, k: 9 })
    expect(view.mcnemar).toMatchObject({ compared: 1, leftOut: [expect.any(String)], test: { b: 1, c: 0 } })
    const nine = view.atK.find((at) => at.k === 9)
    expect(nine?.a.mean).toEqual({ ok: false, reason: 'not estimable (needs n ≥ k)' })
    expect(view.tasks[0]?.a.passHatK.ok).toBe(false)
    expect(view.regressions.canTell).toBe(false)
    expect(view.atK[0]?.paired.difference.headline).toEqual({
      ok: false,
      reason: 'not estimable (needs at least 3 tasks)',
    })
    const all = await compared(core, { ...pair, rule: { kind: 'all' } })
    expect(all.mcnemar).toMatchObject({ compared: 2, test: { b: 1, c: 1, exact: 1 } })
    const by = await compared(core, { ...pair, rule: { kind: 'pass-hat', k: 2, threshold: 0.5 } })
    expect(by.mcnemar.rule).toBe('a task passes when pass^2 is at least 0.5')
  })

  test('files of one configuration can be the sides; their analyses are kept apart', async () => {
    const { core, folder } = opened()
    const paths = ['one', 'two'].map((name, i) =>
      writeExport(
        join(folder, `${name}.jsonl`),
        lines('same', 'refund', i === 0 ? 3 : 1, 4).map((line) => ({
          ...line,
          id: `${name}-${line.id}`,
          note: `${name} ${line.note}`,
        })),
      ),
    )
    for (const path of paths) await importPaths(core, [path])
    const files = (await core.request('imports.list', {})).flatMap((run) => run.files)
    const side = (name: string): { files: string[] } => ({
      files: files.filter((file) => file.name === name).map((file) => file.fileId),
    })
    const view = await compared(core, { a: side('one.jsonl'), b: side('two.jsonl') })
    expect(view.tasks).toMatchObject([{ a: { rate: { n: 4, passes: 3 } }, b: { rate: { n: 4, passes: 1 } } }])
    expect(view.a.label).toBe('one.jsonl')
    expect(view.tasks[0]?.a.lead).toMatchObject({ F: 1, P: 3 })
    expect(view.tasks[0]?.b.lead).toMatchObject({ F: 3, P: 1 })
    const both = await compared(core, { a: side('one.jsonl'), b: side('one.jsonl') })
    expect(both.sharedTrials).toBe(4)
  })

  test('trials are compared one by one only where both sides ran the same seeds', async () => {
    const { core, folder } = opened()
    const path = join(folder, 'seeds.jsonl')
    const trials = ['before', 'after'].flatMap((config) =>
      Array.from({ length: 4 }, (_, i) => ({
        type: 'trial',
        trial_id: `${config}-${i}`,
        task_id: 'refund',
        config_id: config,
        seed: String(i),
        outcome: config === 'before' || i === 0 ? 'pass' : 'fail',
        steps: [{ index: 0, role: 'assistant', kind: 'message', content: `${config} ${i}`, final: true }],
      })),
    )
    const head = [
      { type: 'header', format: 'faultline', version: 1, suite: 'desk' },
      ...['before', 'after'].map((id) => ({ type: 'config', config_id: id, label: id })),
    ]
    writeFileSync(path, [...head, ...trials].map((record) => `${JSON.stringify(record)}\n`).join(''))
    await importPaths(core, [path])
    const view = await compared(core, await sides(core))
    expect(view.trialMcnemar).toMatchObject({
      ok: true,
      value: {
        pairs: 4,
        leftOut: 0,
        treatsTrialsAsIndependent: true,
        test: { b: 3, c: 0, exact: expect.closeTo(0.25, 12) },
      },
    })
  })

  test('faults: a configuration that is not there, a side without anything, a cancel', async () => {
    const { core, folder } = opened()
    await importPaths(core, versions(folder))
    const pair = await sides(core)
    const missing = await faultOf(
      core.request('compare.versions', { ...pair, b: { configurations: ['nobody'] } }),
    )
    expect(missing.code).toBe('NOT_FOUND')
    expect((await faultOf(core.request('compare.versions', { ...pair, b: {} }))).code).toBe('INVALID_INPUT')
    const cancel = new AbortController()
    const asked = core.request('compare.versions', pair, { signal: cancel.signal })
    cancel.abort()
    expect((await faultOf(asked)).code).toBe('CANCELLED')
    // The next one is not spoilt by it.
    expect((await compared(core, pair)).tasks).toHaveLength(12)
  })
})

test('plan.trials: both conventions, and what a good system does', async () => {
  const { core } = opened({ userDataDir: temporaryFolder() })
  const plan = await core.request('plan.trials', { rate: 0.05, failures: 2 })
  expect(plan.rows.map((row) => row.trials)).toEqual([59, 93, 124])
  expect(plan.clean).toEqual({ oneSidedExact: 59, twoSidedWilson: 73, ruleOfThree: 60 })
  expect(plan.good).toBeCloseTo(0.01, 12)
  expect(plan.rows.map((row) => row.goodPasses.toFixed(4))).toEqual(['0.5527', '0.7616', '0.8716'])
  expect((await faultOf(core.request('plan.trials', { rate: 1 }))).code).toBe('INVALID_INPUT')
})
