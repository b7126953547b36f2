// What makes two records one trial: other containers and key orders, attempts, conflicts and what a person decides.
// A real core on real files.

import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Core } from '../../../src/core/core.ts'
import { fileSource } from '../../../src/core/importers/source.ts'
import { importPaths, opened, repo } from '../opened.ts'

type Written = {
  readonly id?: string
  readonly outcome?: string
  readonly args?: Record<string, unknown>
  readonly at?: string
  readonly text?: string
  readonly usage?: unknown
}

/** A file of one trial; `spaced` writes the same record with other keys' order, spaces and number forms. */
function write(path: string, trial: Written, spaced = false): string {
  const { id = 'r-1', outcome = 'pass', args = { order: 1, deep: { b: 1, a: 2.5 } } } = trial
  const record = {
    type: 'trial',
    trial_id: id,
    task_id: 'refund',
    config_id: 'c',
    outcome,
    ...(trial.at === undefined ? {} : { started_at: trial.at }),
    steps: [
      { index: 0, role: 'user', kind: 'message', content: trial.text ?? 'Hello' },
      {
        index: 1,
        role: 'assistant',
        kind: 'tool_call',
        content: null,
        calls: [{ call_id: 'x', name: 'get', arguments: args }],
      },
    ],
  }
  let line = JSON.stringify(record)
  if (spaced)
    line = JSON.stringify({
      steps: record.steps,
      ...Object.fromEntries(Object.entries(record).toReversed()),
    }).replace('{"order":1,"deep":{"b":1,"a":2.5}}', '{ "deep": {"a": 2.50, "b": 1.0}, "order": 1e0 }')
  const head = [
    '{"type":"header","format":"faultline","version":1,"suite":"desk"}',
    '{"type":"config","config_id":"c","label":"careful"}',
  ]
  writeFileSync(path, `${[...head, line].join('\n')}\n`)
  return path
}

const trials = async (core: Core) => {
  const { rows } = await core.request('tasks.list', {})
  const [row] = rows
  return row === undefined ? [] : (await core.request('tasks.get', { taskId: row.taskId })).trials
}
const counted = async (core: Core) => (await core.request('tasks.list', {})).summary.trials

test('the same record with other spaces, key order and number forms is one trial with two origins', async () => {
  const { core, folder } = opened()
  await importPaths(core, [write(join(folder, 'a.jsonl'), {})])
  const again = await importPaths(core, [write(join(folder, 'b.jsonl'), {}, true)])
  expect(again).toMatchObject({ trialsNew: 0, trialsSame: 1, problems: 0 })
  const [trial, ...others] = await trials(core)
  expect(others).toEqual([])
  expect(trial?.sources.map(({ fileName }) => fileName)).toEqual(['a.jsonl', 'b.jsonl'])
  expect(trial?.isConflict).toBe(false)
  // And a third time: the other bytes are known now.
  expect(await importPaths(core, [join(folder, 'b.jsonl')])).toMatchObject({ trialsNew: 0, trialsSame: 1 })
  // The first import undone leaves the trial, which the second one brought, too.
  const runs = await core.request('imports.list', {})
  await core.request('imports.undo', { importId: runs.at(-1)?.importId ?? '' })
  expect(await counted(core)).toBe(1)
})

test('the same id with another text is a conflict; neither counts until a person decides, and the decision can be taken back', async () => {
  const { core, folder } = opened()
  await importPaths(core, [write(join(folder, 'a.jsonl'), { text: 'one' })])
  const second = await importPaths(core, [write(join(folder, 'b.jsonl'), { text: 'two', outcome: 'fail' })])
  expect(second.files[0]).toMatchObject({ conflicts: 1, trialsNew: 1 })
  expect(await counted(core)).toBe(0)
  const [conflict] = await core.request('conflicts.list', {})
  expect(conflict).toMatchObject({ keep: null, suite: 'desk', task: 'refund', sourceId: 'r-1' })
  expect(conflict?.sides.map(({ outcome, sources }) => [outcome, sources[0]?.fileName])).toEqual([
    ['pass', 'a.jsonl'],
    ['fail', 'b.jsonl'],
  ])
  expect(conflict?.differs).toEqual(['outcome', 'steps'])
  const conflictId = conflict?.conflictId ?? ''
  const kept = conflict?.sides[1]?.trialId ?? ''
  await core.request('conflicts.resolve', { conflictId, keep: kept })
  expect(await counted(core)).toBe(1)
  expect(
    (await trials(core)).filter(({ counts }) => counts !== 'excluded').map(({ trialId }) => trialId),
  ).toEqual([kept])
  expect((await core.request('conflicts.list', {}))[0]).toMatchObject({ keep: kept })
  await core.request('conflicts.resolve', { conflictId, keep: 'both' })
  expect(await counted(core)).toBe(2)
  await core.request('conflicts.resolve', { conflictId, keep: null })
  expect(await counted(core)).toBe(0)
  // A decision holds only for what was seen: a third record opens the question again.
  await core.request('conflicts.resolve', { conflictId, keep: kept })
  await importPaths(core, [write(join(folder, 'c.jsonl'), { text: 'three' })])
  expect(await counted(core)).toBe(0)
  expect((await core.request('conflicts.list', {}))[0]).toMatchObject({ keep: null })
})

test('deleting one side ends a conflict, restoring it brings the conflict or the decision back', async () => {
  const { core, folder } = opened()
  await importPaths(core, [
    write(join(folder, 'a.jsonl'), { text: 'one' }),
    write(join(folder, 'b.jsonl'), { text: 'two' }),
  ])
  const [conflict] = await core.request('conflicts.list', {})
  const [one, two] = conflict?.sides ?? []
  await core.request('conflicts.resolve', {
    conflictId: conflict?.conflictId ?? '',
    keep: one?.trialId ?? '',
  })
  await core.request('trials.delete', { trialIds: [one?.trialId ?? ''] })
  expect(await core.request('conflicts.list', {})).toEqual([])
  expect(await counted(core)).toBe(1)
  await core.request('trials.restore', { trialIds: [one?.trialId ?? ''] })
  expect((await core.request('conflicts.list', {}))[0]).toMatchObject({ keep: one?.trialId })
  expect((await trials(core)).find(({ trialId }) => trialId === two?.trialId)?.counts).toBe('excluded')
})

test('an errored trial and its completed repetition of one id are attempts of one trial', async () => {
  const { core, folder } = opened()
  await importPaths(core, [
    write(join(folder, 'a.jsonl'), { outcome: 'error', text: 'broke', at: '2026-01-01T10:00:00Z' }),
    write(join(folder, 'z.jsonl'), { id: 'r-2', outcome: 'fail', at: '2026-01-01T11:00:00Z' }),
  ])
  expect(await counted(core)).toBe(2)
  const run = await importPaths(core, [
    write(join(folder, 'b.jsonl'), { outcome: 'pass', text: 'worked', at: '2026-01-01T10:30:00Z' }),
  ])
  expect(run.files[0]).toMatchObject({ trialsNew: 1, conflicts: 0 })
  expect(await core.request('conflicts.list', {})).toEqual([])
  const all = await trials(core)
  expect(
    all.map(({ number, outcome, counts, attemptOf }) => [number, outcome, counts, attemptOf !== null]),
  ).toEqual([
    [1, 'error', 'excluded', true],
    [1, 'pass', 'pass', false],
    [2, 'fail', 'fail', false],
  ])
  expect(await counted(core)).toBe(2)
  // Undoing the later one lets the first attempt count again.
  await core.request('imports.undo', { importId: run.importId })
  expect((await trials(core)).map(({ outcome, attemptOf }) => [outcome, attemptOf])).toEqual([
    ['error', null],
    ['fail', null],
  ])
})

test('an error after a completed trial of the same id is a conflict, not an attempt', async () => {
  const { core, folder } = opened()
  await importPaths(core, [
    write(join(folder, 'a.jsonl'), { outcome: 'pass', at: '2026-01-01T10:00:00Z' }),
    write(join(folder, 'b.jsonl'), { outcome: 'error', text: 'broke', at: '2026-01-01T12:00:00Z' }),
  ])
  expect(await core.request('conflicts.list', {})).toHaveLength(1)
  expect(await counted(core)).toBe(0)
})

test('the same Inspect log as .eval and as .json is one set of trials with two origins', async () => {
  const { core, folder } = opened()
  for (const name of ['epochs', 'ctf', 'choices', 'unscored']) {
    const path = join(repo, 'test/fixtures/inspect', `${name}.eval`)
    const log: Record<string, unknown> = {}
    const samples: unknown[] = []
    for (const entry of await fileSource({ path, size: statSync(path).size }).entries()) {
      if (entry.name === 'header.json') Object.assign(log, JSON.parse((await entry.read()).toString()))
      if (entry.name.startsWith('samples/')) samples.push(JSON.parse((await entry.read()).toString()))
    }
    const json = join(folder, `${name}.json`)
    writeFileSync(json, JSON.stringify({ ...log, samples }, null, 1))
    const first = await importPaths(core, [path])
    expect([name, first.trialsNew > 0]).toEqual([name, true])
    expect([name, await importPaths(core, [json])]).toMatchObject([
      name,
      { trialsNew: 0, trialsSame: first.trialsNew },
    ])
  }
  expect(await core.request('conflicts.list', {})).toEqual([])
})

test('a session that went on with another model is the same session: a conflict, not two trials', async () => {
  const { core, folder } = opened()
  const id = '0b9e4c1a-6a0f-4f57-9b0d-6f6c1a2b3c4d'
  const line = (uuid: string, parentUuid: string | null, type: string, message: object): string =>
    JSON.stringify({
      uuid,
      parentUuid,
      type,
      sessionId: id,
      timestamp: '2026-01-02T03:04:05Z',
      version: '2.1',
      message,
    })
  const said = (model: string, text: string): object => ({
    id: `m-${text}`,
    role: 'assistant',
    model,
    content: [{ type: 'text', text }],
  })
  const begin = [
    line('a', null, 'user', { role: 'user', content: 'Do it.' }),
    line('b', 'a', 'assistant', said('m-1', 'one')),
  ]
  const session = (name: string, lines: readonly string[]): string => {
    const path = join(folder, name)
    writeFileSync(path, `${lines.join('\n')}\n`)
    return path
  }
  await importPaths(core, [session('early.jsonl', begin)])
  const later = await importPaths(core, [
    session('late.jsonl', [
      ...begin,
      line('c', 'b', 'user', { role: 'user', content: 'Go on.' }),
      line('d', 'c', 'assistant', said('m-2', 'two')),
    ]),
  ])
  expect(later.files[0]).toMatchObject({ conflicts: 1 })
  const counts = async (): Promise<number> =>
    (await core.request('configurations.list', {})).reduce((sum, row) => sum + row.trials, 0)
  expect(await counts()).toBe(0)
  const [conflict] = await core.request('conflicts.list', {})
  expect(conflict).toMatchObject({ sourceId: id, keep: null, sides: [{ steps: 2 }, { steps: 4 }] })
  await core.request('conflicts.resolve', {
    conflictId: conflict!.conflictId,
    keep: conflict!.sides[1]!.trialId,
  })
  expect(await counts()).toBe(1)
})
