// tasks.statistics on a real core with real worker threads: hand-checked figures of a task and of a suite, reasons where
// there is none, the order of execution by start times, and the same numbers again.

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Core } from '../../../src/core/core.ts'
import { faultOf, importPaths, opened, writeExport, type Line } from '../opened.ts'

/** Trials of a task, `p` passing, others failing, started one minute apart when `timed`. */
const lines = (task: string, list: string, timed = true): Line[] =>
  [...list].map((letter, i) => ({
    id: `${task}-${i}`,
    task,
    outcome: letter === 'p' ? 'pass' : letter === 'e' ? 'error' : 'fail',
    note: `${task} ${i}`,
    ...(timed ? { startedAt: new Date(1_700_000_000_000 + i * 60_000).toISOString() } : {}),
  }))

async function idOf(core: Core, task: string): Promise<string> {
  const { rows } = await core.request('tasks.list', {})
  return rows.find((row) => row.task === task)?.taskId ?? ''
}

describe('one task', () => {
  test('verdict, interval for p^k, deviation, severe bounds, cost per success', async () => {
    const { core, folder } = opened()
    await importPaths(core, [
      writeExport(join(folder, 'x.jsonl'), [
        ...lines('eight', 'ppppppppff').map((line, i) => ({ ...line, cost: 1, severe: i < 1 })),
        ...lines('never', 'fffff', false),
      ]),
    ])
    const { task, suite } = await core.request('tasks.statistics', { taskId: await idOf(core, 'eight') })
    expect(suite).toBeNull()
    expect(task).toMatchObject({ n: 10, c: 8, isFew: false })
    // Jeffreys posterior Beta(8.5, 2.5).
    expect(task?.verdict).toMatchObject({ verdict: 'flaky', moreTrials: null })
    const { below, between, above } = task?.verdict ?? { below: 0, between: 0, above: 0 }
    expect(below + between + above).toBeCloseTo(1, 12)
    const two = task?.atK.find((at) => at.k === 2)
    expect(two?.estimate).toEqual({ ok: true, value: expect.closeTo(28 / 45, 12) })
    // Clopper–Pearson of 8 of 10 is [.4439, .9748]; squared.
    const exact = two?.clopperPearson.ok === true ? two.clopperPearson.value : null
    expect(exact?.lower).toBeCloseTo(0.4439045 ** 2, 6)
    expect(exact?.upper).toBeCloseTo(0.9747893 ** 2, 6)
    // √(.64 − 28/45) at k = 1.
    expect(task?.atK[0]?.deviation).toEqual({
      ok: true,
      value: expect.closeTo(Math.sqrt(0.64 - 28 / 45), 12),
    })
    expect(task?.atK.find((at) => at.k === 10)?.deviation).toEqual({
      ok: false,
      reason: 'not estimable (needs n ≥ 2k)',
    })
    expect(task?.severity).toMatchObject({ severeTrials: 1, passedButHarmful: { trials: 1, events: 1 } })
    expect(task?.cost.perSuccess).toEqual({ ok: true, value: 10 / 8 })

    const never = (await core.request('tasks.statistics', { taskId: await idOf(core, 'never') })).task
    expect(never?.verdict).toMatchObject({ verdict: 'undecided', moreTrials: expect.any(Number) })
    expect(never?.order.independence).toEqual({
      ok: false,
      reason: 'not estimable (order of trials unknown)',
    })
    expect(never?.cost.perSuccess.ok).toBe(false)
    // 0 of 5: 1 − .05^(1/5).
    const none = never?.severity.upperExact
    expect(none?.ok === true ? none.value.upper : null).toBeCloseTo(1 - 0.05 ** 0.2, 12)
    expect((await faultOf(core.request('tasks.statistics', { taskId: 'nobody' }))).code).toBe('NOT_FOUND')
  })
})

describe('all tasks', () => {
  test('intervals by the number of tasks, generator and seed beside them, the same again', async () => {
    const { core, folder } = opened()
    await importPaths(core, [
      writeExport(
        join(folder, 'x.jsonl'),
        Array.from({ length: 12 }, (_, t) =>
          lines(`t${t}`, 'p'.repeat(t % 5) + 'f'.repeat(8 - (t % 5))),
        ).flat(),
      ),
    ])
    const ask = () => core.request('tasks.statistics', { taskId: null })
    const { suite, task } = await ask()
    expect(task).toBeNull()
    const [one] = suite?.atK ?? []
    expect(one).toMatchObject({ k: 1, defined: 12, total: 12 })
    expect(one?.tasks.headline).toMatchObject({ ok: true, value: { method: 'bca' } })
    expect(one?.tasks.resampling).toEqual({
      generator: 'xoshiro128ss-1.1',
      seed: 2026,
      stream: 'task-bootstrap',
      B: 10_000,
    })
    expect(one?.fixed).toMatchObject({
      isApproximate: false,
      interval: { value: { method: 'fixed-tasks-z' } },
    })
    const eight = suite?.atK.find((at) => at.k === 8)
    expect(eight?.fixed.isApproximate).toBe(true)
    expect(suite?.variance.ok).toBe(true)
    // Every sequence is passes, then failures: as bunched as can be, and later trials fail.
    const order = suite?.order
    expect(order).toMatchObject({ known: 12, unknown: 0 })
    const found = order?.independence.ok === true ? order.independence.value : null
    expect(found?.isSuspect).toBe(true)
    expect(found?.runs.ok === true ? found.runs.value.z : 0).toBeLessThan(-4)
    expect(order?.stopping).toEqual({ ok: true, value: null })
    expect((await ask()).suite).toEqual(suite)
  })

  test('few tasks: Student from three on, nothing below; unknown order; a stopping rule', async () => {
    const { core, folder } = opened()
    await importPaths(core, [
      writeExport(join(folder, 'x.jsonl'), [
        ...lines('a', 'pppf'),
        ...lines('b', 'ppf'),
        ...lines('c', 'pppppp'),
        ...lines('d', 'pf', false),
      ]),
    ])
    const { suite } = await core.request('tasks.statistics', { taskId: null, k: 40 })
    expect(suite?.atK[0]?.tasks.headline).toMatchObject({ ok: true, value: { method: 'student-t' } })
    const four = suite?.atK.find((at) => at.k === 4)
    expect(four).toMatchObject({ defined: 2, total: 4 })
    expect(four?.tasks.headline).toEqual({ ok: false, reason: 'not estimable (needs at least 3 tasks)' })
    expect(suite?.atK.find((at) => at.k === 40)?.tasks.estimate.ok).toBe(false)
    expect(suite?.order).toMatchObject({
      known: 3,
      unknown: 1,
      stopping: { ok: true, value: { kind: 'stops-at-failure', tasks: 2 } },
    })
  })

  test('an empty scope has reasons, not numbers', async () => {
    const { core } = opened()
    const { suite } = await core.request('tasks.statistics', { taskId: null })
    expect(suite).toMatchObject({
      tasks: 0,
      atK: [],
      variance: { ok: false, reason: 'not estimable (no task)' },
      order: { independence: { ok: false } },
      severity: { upperExact: { ok: false } },
    })
  })
})
