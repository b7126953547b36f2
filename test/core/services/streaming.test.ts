// A large task that a person opens: its columns and the asked trial's finding come before the rest is compared, are
// told apart from the whole, and are replaced by it. Generated trials through a real core with real worker threads.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TaskView } from '../../../src/contract/rows.ts'
import { writeLargeTask } from '../largetask.ts'
import { importPaths, opened, writeExport } from '../opened.ts'

test('200 trials of 400 steps: columns and one failing trial first, the whole in its place', async () => {
  const { core, folder, events } = opened()
  await importPaths(core, [writeLargeTask(join(folder, 'large.jsonl'), 200, 400)])
  const { rows } = await core.request('tasks.list', {})
  const taskId = rows[0]?.taskId ?? ''
  // Another policy than the workspace's, so that the background has not computed this view.
  const view = { policy: { error: 'exclude', unknown: 'exclude' } as const }
  const started = performance.now()
  const seen: { state: string; afterMs: number }[] = []
  const ask = async (first: string | null): Promise<TaskView> => {
    const task = await core.request('tasks.get', { taskId, view, first })
    seen.push({ state: task.analysisState, afterMs: Math.round(performance.now() - started) })
    return task
  }
  let partial: TaskView | null = null
  let whole = await ask(null)
  const failing = whole.trials.filter((trial) => trial.counts === 'fail')
  expect(failing).toHaveLength(100)
  for (let i = 0; i < 400 && whole.analysisState !== 'ready'; i++) {
    if (whole.analysisState === 'partial') partial ??= whole
    whole = await ask(failing[41]?.trialId ?? null)
  }
  console.info(seen.map(({ state, afterMs }) => `${state} ${afterMs} ms`).join(', '))
  expect(partial).toMatchObject({ comparing: 99, lead: null, analysis: { lead: null, modes: [] } })
  expect(partial?.findings).toHaveLength(1)
  expect(whole).toMatchObject({ analysisState: 'ready', comparing: 0 })
  expect(whole.findings).toHaveLength(100)
  expect(whole.lead).not.toBeNull()
  // What was told first is what stands in the whole.
  expect(partial?.analysis?.lanes).toEqual(whole.analysis?.lanes)
  expect(partial?.analysis?.columns).toEqual(whole.analysis?.columns)
  const [early] = partial?.findings ?? []
  expect(whole.findings.find((finding) => finding.trialId === early?.trialId)).toEqual(early)
  expect(events.some((event) => event.type === 'changed' && event.topics.includes('analysis'))).toBe(true)
}, 120_000)

test('the asked trial is the first one; one that does not fail is passed over', async () => {
  const { core, folder } = opened()
  await importPaths(core, [writeLargeTask(join(folder, 'large.jsonl'), 120, 300)])
  const { rows } = await core.request('tasks.list', {})
  const taskId = rows[0]?.taskId ?? ''
  const all = await core.request('tasks.get', { taskId })
  const failing = all.trials.filter((trial) => trial.counts === 'fail').map((trial) => trial.trialId)
  const passing = all.trials.find((trial) => trial.counts === 'pass')?.trialId ?? ''
  const firstOf = async (wanted: string, policy: { error: 'exclude'; unknown: 'exclude' | 'fail' }) => {
    for (let i = 0; i < 200; i++) {
      const task = await core.request('tasks.get', { taskId, view: { policy }, first: wanted })
      if (task.analysisState === 'partial') return task.findings[0]?.trialId
      if (task.analysisState === 'ready') return 'was not partial'
    }
    return 'never came'
  }
  expect(await firstOf(failing[17] ?? '', { error: 'exclude', unknown: 'exclude' })).toBe(failing[17])
  expect(await firstOf(passing, { error: 'exclude', unknown: 'fail' })).toBe(failing[0])
}, 120_000)

test('a small task is told whole at once', async () => {
  const { core, folder } = opened()
  await importPaths(core, [
    writeExport(join(folder, 'small.jsonl'), [{ outcome: 'pass' }, { outcome: 'fail' }, { outcome: 'pass' }]),
  ])
  const { rows } = await core.request('tasks.list', {})
  for (let i = 0; i < 100; i++) {
    const task = await core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
    expect(task.analysisState).not.toBe('partial')
    if (task.analysisState === 'ready') return
  }
  throw new Error('The analysis never came')
})
