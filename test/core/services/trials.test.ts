// Reading single trials: steps as a list, two steps side by side, the original record; and the configurations.

import Database from 'better-sqlite3'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Core } from '../../../src/core/core.ts'
import { loadTrial } from '../../../src/core/store/trials.ts'
import { pack } from '../../../src/core/store/blobs.ts'
import { openReader } from '../../../src/core/store/open.ts'
import { needsBody } from '../../../src/core/store/rawblocks.ts'
import { faultOf, importPaths, opened, writeExport } from '../opened.ts'

const onlyTrial = async (core: Core): Promise<string> => {
  const { rows } = await core.request('tasks.list', {})
  const { trials } = await core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
  return trials[0]?.trialId ?? ''
}

/** Writes one trial with these steps. */
const write = (path: string, steps: readonly object[]): string => {
  const records = [
    { type: 'header', format: 'faultline', version: 1, suite: 's' },
    {
      type: 'trial',
      trial_id: '1',
      task_id: 't',
      outcome: 'fail',
      steps: steps.map((step, index) => ({ index, ...step })),
    },
  ]
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return path
}

const call = (id: string, name: string, args: unknown) => ({ call_id: id, name, arguments: args })
const result = (id: string, content: unknown, more: object = {}) => ({
  role: 'tool',
  kind: 'tool_result',
  call_id: id,
  content,
  ...more,
})

test('a list of steps shows calls with their results, and messages', async () => {
  const { core, folder } = opened()
  const path = write(join(folder, 'a.jsonl'), [
    { role: 'user', kind: 'message', content: 'Hello' },
    {
      role: 'assistant',
      kind: 'tool_call',
      content: 'Both at once.',
      calls: [call('a', 'get', { n: 1 }), call('b', 'get', { n: 2 })],
    },
    result('b', '{"two": 2, "big": 9007199254740993}'),
    result('a', 'Error: not there', { is_error: true }),
    { role: 'assistant', kind: 'message', content: 'Bye' },
  ])
  await importPaths(core, [path])
  const trialId = await onlyTrial(core)
  const list = await core.request('trials.steps', { trialId })
  expect(list.total).toBe(5)
  expect(list.steps.map((step) => [step.step, step.call, step.kind, step.said])).toEqual([
    [0, null, 'message', 'Hello'],
    [1, null, 'tool_call', 'Both at once.'],
    [1, 0, 'tool_call', null],
    [1, 1, 'tool_call', null],
    [4, null, 'message', 'Bye'],
  ])
  expect(list.steps[2]).toMatchObject({
    tool: 'get',
    args: { n: 1 },
    observationText: 'Error: not there',
    isError: true,
  })
  expect(list.steps[3]).toMatchObject({
    args: { n: 2 },
    observation: { two: 2, big: '9007199254740993' },
    isError: false,
  })
  const page = await core.request('trials.steps', { trialId, offset: 1, limit: 2 })
  expect(page.steps).toEqual(list.steps.slice(1, 3))
  const pair = await core.request('trials.pair', {
    left: { trialId, step: 1, call: 1, resultStep: 2 },
    right: null,
  })
  expect(pair.left).toMatchObject({
    said: 'Both at once.',
    args: { n: 2 },
    trialLabel: 'trial 1',
    outcome: 'fail',
  })
  expect(pair.right).toBeNull()
  const missing = await faultOf(
    core.request('trials.pair', { left: { trialId, step: 9, call: null, resultStep: null }, right: null }),
  )
  expect(missing.code).toBe('NOT_FOUND')
})

test('long texts are cut and say how long they were; the pair gives the whole', async () => {
  const { core, folder } = opened()
  const path = write(join(folder, 'a.jsonl'), [
    { role: 'user', kind: 'message', content: `${'x'.repeat(9_999)}𝄞${'y'.repeat(50_000)}` },
    {
      role: 'assistant',
      kind: 'tool_call',
      content: null,
      calls: [call('a', 'put', { text: 'z'.repeat(30_000) })],
    },
    result('a', JSON.stringify({ rows: 'w'.repeat(20_000) })),
  ])
  await importPaths(core, [path])
  const trialId = await onlyTrial(core)
  const { steps } = await core.request('trials.steps', { trialId })
  expect(steps[0]?.said).toBe('x'.repeat(9_999))
  expect(steps[0]?.cutFromChars).toBe(60_001)
  expect(steps[1]?.args).toBeNull()
  expect(steps[1]?.argsRaw).toHaveLength(10_000)
  expect(steps[1]?.observation).toBeNull()
  expect(steps[1]?.observationText).toHaveLength(10_000)
  expect(steps[1]?.cutFromChars).toBe(30_011)
  const whole = await core.request('trials.pair', {
    left: { trialId, step: 0, call: null, resultStep: null },
    right: { trialId, step: 1, call: 0, resultStep: 2 },
  })
  expect(whole.left?.said).toHaveLength(60_001)
  expect(whole.left?.cutFromChars).toBeNull()
  expect(whole.right?.args).toEqual({ text: 'z'.repeat(30_000) })
})

test('the original record is given in pieces, exactly as it stood in the file', async () => {
  const { core, folder } = opened()
  const path = join(folder, 'a.jsonl')
  const record =
    '{"type":"trial", "trial_id":"1","task_id":"t","outcome":"pass","score":1.0,"id":9007199254740993,"odd":"\\ud835","messages":[{"role":"user","content":"ä"}]}'
  writeFileSync(path, `{"type":"header","format":"faultline","version":1}\n${record}\n`)
  await importPaths(core, [path])
  const trialId = await onlyTrial(core)
  let text = ''
  for (let offset = 0; ; offset += 50) {
    const piece = await core.request('trials.raw', { trialId, offset, limit: 50 })
    expect(piece).toMatchObject({ offset, totalChars: record.length, fileName: 'a.jsonl', record: 1 })
    text += piece.text
    if (offset + 50 >= piece.totalChars) break
  }
  expect(text).toBe(record)
})

test('a record with long texts is given exactly, beside its body or whole as older programs stored it', async () => {
  const { core, folder, path } = opened()
  const long = 'some “long” text\n'.repeat(2000)
  const file = write(join(folder, 'a.jsonl'), [
    { role: 'user', kind: 'message', content: long },
    { role: 'assistant', kind: 'message', content: `${long}again`, odd: long },
  ])
  const record = readFileSync(file, 'utf8').split('\n')[1] ?? ''
  await importPaths(core, [file])
  const trialId = await onlyTrial(core)
  const given = async () =>
    (await core.request('trials.raw', { trialId, offset: 0, limit: record.length })).text
  expect(await given()).toBe(record)
  const db = new Database(path)
  const stored = db.prepare('SELECT bytes, body FROM raw_blobs').get() as { bytes: number; body: Buffer }
  expect(needsBody(stored)).toBe(true)
  expect(stored.body.length).toBeLessThan(500)
  db.prepare('UPDATE raw_blobs SET body = ?').run(pack(record).body)
  db.close()
  expect(await given()).toBe(record)
})

test('a trial comes out of the store as the importer read it', async () => {
  const { core, folder, path } = opened()
  await importPaths(core, [
    writeExport(join(folder, 'a.jsonl'), [
      { id: 'x', outcome: 'fail', severe: true, cost: 0.25, startedAt: '2026-01-01T00:00:00Z' },
    ]),
  ])
  const reader = openReader(path)
  const trial = loadTrial(reader, await onlyTrial(core))
  reader.close()
  expect(trial).toMatchObject({
    suite: 'desk',
    task: 'refund',
    outcome: 'fail',
    costUsd: 0.25,
    startedAt: '2026-01-01T00:00:00Z',
    timeNaive: false,
    configuration: { label: 'careful', model: 'some-model' },
    severeErrors: [{ step: 1, kind: 'wrong_refund', severity: 'severe', note: null }],
  })
  expect(trial.steps).toHaveLength(4)
  expect(trial.steps[1]?.calls?.[0]).toMatchObject({ name: 'get_order', args: { order_id: '#W0' } })
})

test('configurations are told apart and counted; labels name them where a task has several', async () => {
  const { core, folder } = opened()
  await importPaths(core, [
    writeExport(join(folder, 'a.jsonl'), [
      { id: 'a', config: 'careful' },
      { id: 'b', config: 'eager', outcome: 'fail' },
      { id: 'c', config: 'eager', task: 'exchange' },
    ]),
  ])
  const list = await core.request('configurations.list', {})
  expect(list.map(({ label, trials, tasks, passes }) => [label, trials, tasks, passes])).toEqual([
    ['careful', 1, 1, 1],
    ['eager', 2, 2, 1],
  ])
  const { rows } = await core.request('tasks.list', {})
  const refund = rows.find((row) => row.task === 'refund')
  const { trials } = await core.request('tasks.get', { taskId: refund?.taskId ?? '' })
  // Numbers count within task and configuration.
  expect(trials.map((trial) => trial.number)).toEqual([1, 1])
  const { steps } = await core.request('trials.steps', { trialId: trials[1]?.trialId ?? '', limit: 1 })
  expect(steps[0]?.trialLabel).toBe('eager · trial 1')
})

test('deleted trials leave every count, and come back', async () => {
  const { core, folder } = opened()
  await importPaths(core, [writeExport(join(folder, 'a.jsonl'), [{ id: 'a' }, { id: 'b' }, { id: 'c' }])])
  const { rows } = await core.request('tasks.list', {})
  const view = await core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
  const ids = view.trials.map((trial) => trial.trialId)
  expect(await core.request('trials.delete', { trialIds: [ids[0] ?? '', 'nobody'] })).toEqual({ trials: 1 })
  const after = await core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
  expect(after.trials.map((trial) => [trial.trialId, trial.number])).toEqual([
    [ids[1], 1],
    [ids[2], 2],
  ])
  expect(await core.request('trials.restore', { trialIds: ids })).toEqual({ trials: 1 })
  const back = await core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
  expect(back.trials.map((trial) => trial.trialId)).toEqual(ids)
})
