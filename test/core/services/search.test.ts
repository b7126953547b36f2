// Search over steps, through a real core: what is found, where, in which order, and that the index changes nothing but
// the time it takes.

import { setTimeout as pause } from 'node:timers/promises'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Input } from '../../../src/contract/contract.ts'
import type { SearchAnswer, SearchRow } from '../../../src/contract/searchrows.ts'
import type { Core } from '../../../src/core/core.ts'
import { searchThread } from '../../../src/core/searchworker.ts'
import { openReader, openWriter } from '../../../src/core/store/open.ts'
import { indexState } from '../../../src/core/store/searchindex.ts'
import { forked } from '../forked.ts'
import { faultOf, importPaths, opened, temporaryFolder, writeExport } from '../opened.ts'

const search = (core: Core, text: string, more: Partial<Input<'search.steps'>> = {}): Promise<SearchAnswer> =>
  core.request('search.steps', { view: {}, text, ...more })

/** Waits until every trial is in the index. */
async function indexed(core: Core): Promise<void> {
  while ((await core.request('workspace.info', {})).indexPending > 0) await pause(20)
}

const places = (rows: readonly SearchRow[]): string[] =>
  rows.map(
    ({ task, trial, steps }) => `${task} ${trial?.outcome}: ${steps.map(({ step }) => step).join(' ')}`,
  )

const words = ({ snippet }: SearchRow['steps'][number]): string =>
  snippet.text.slice(snippet.start, snippet.end)

async function withTrials(core: Core, folder: string): Promise<void> {
  await importPaths(core, [
    writeExport(join(folder, 'a.jsonl'), [
      { id: 'p', task: 'refund', outcome: 'pass', note: `It said KeyError: 'order_id' once` },
      { id: 'f', task: 'refund', outcome: 'fail', note: `Traceback\n  keyerror:\n'order_id'` },
      { id: 'c', task: 'cancel', outcome: 'fail', config: 'quick', note: 'Nothing of that kind' },
    ]),
  ])
}

test('a phrase is found in passing and failing trials, before the index is there and after it', async () => {
  const { core, folder } = opened()
  await withTrials(core, folder)
  const before = await search(core, `KeyError: 'order_id'`)
  expect(places(before.rows)).toEqual(['refund pass: 0', 'refund fail: 0'])
  expect(before.rows.map(({ steps }) => steps.map(words))).toEqual([
    [`KeyError: 'order_id'`],
    [`keyerror: 'order_id'`],
  ])
  expect(before.found).toEqual({ steps: 2, trials: 2, passing: 1, instructions: 0, tasks: 1 })
  expect(before).toMatchObject({ isWhole: true, next: null, searched: 3, total: 3, unreadable: 0 })
  expect(before.rows[0]?.trial).toMatchObject({ number: 1, configuration: 'careful' })
  await indexed(core)
  expect(await search(core, `KeyError: 'order_id'`)).toEqual(before)
  expect((await search(core, 'eyError: ')).found.trials).toBe(2)
  expect((await search(core, 'no such words')).rows).toEqual([])
})

test('arguments, tool names and results are found, and a result is read with its call', async () => {
  const { core, folder } = opened()
  await withTrials(core, folder)
  const { rows } = await search(core, '"order_id":"#w1"')
  expect(rows[0]?.steps).toMatchObject([
    { step: 1, readAt: 1, part: 'arguments', tool: 'get_order', kind: 'tool_call' },
  ])
  const result = await search(core, '"days":1,')
  expect(result.rows[0]?.steps).toMatchObject([
    { step: 2, readAt: 1, part: 'text', tool: 'get_order', role: 'tool', kind: 'tool_result' },
  ])
  const tool = await search(core, 'GET_ORDER')
  expect(tool.found).toEqual({ steps: 6, trials: 3, passing: 1, instructions: 0, tasks: 2 })
  expect(tool.rows.map(({ steps }) => steps.map(({ step }) => step))).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
  ])
  const few = await search(core, 'get_order', { stepsPerTrial: 1 })
  expect(few.rows.map(({ steps, stepsTotal }) => [steps.length, stepsTotal])).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
  ])
})

test('the instruction of a task and what broke a trial are found', async () => {
  const { core, folder } = opened()
  const path = join(folder, 'a.jsonl')
  const records = [
    { type: 'header', format: 'faultline', version: 1, suite: 'desk' },
    { type: 'task', task_id: 'refund', title: 'Refund', input: 'Please give the MONEY back' },
    {
      type: 'trial',
      trial_id: 'a',
      task_id: 'refund',
      outcome: 'error',
      error: { type: 'SandboxTimeout', message: 'no answer for 60 s', origin: 'infra' },
      steps: [{ index: 0, role: 'user', kind: 'message', content: 'Hello' }],
    },
  ]
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  await importPaths(core, [path])
  for (const isIndexed of [false, true]) {
    if (isIndexed) await indexed(core)
    const money = await search(core, 'money')
    expect(money.rows).toMatchObject([{ trial: null, steps: [{ step: null, part: 'instruction' }] }])
    expect(money.found).toEqual({ steps: 0, trials: 0, passing: 0, instructions: 1, tasks: 1 })
    const broke = await search(core, 'for 60 s')
    expect(broke.rows).toMatchObject([
      { trial: { outcome: 'error' }, steps: [{ step: null, part: 'error' }] },
    ])
    expect((await search(core, 'sandboxtime')).found.trials).toBe(1)
  }
})

test('scope and task bound what is searched; what is deleted or in conflict is not found', async () => {
  const { core, folder } = opened()
  await withTrials(core, folder)
  await indexed(core)
  const all = await core.request('configurations.list', {})
  const quick = all.find(({ label }) => label === 'quick')?.configurationId ?? ''
  const inQuick = await search(core, 'get_order', { view: { configurations: [quick] } })
  expect(inQuick).toMatchObject({ found: { trials: 1 }, searched: 1, total: 1 })
  const tasks = await core.request('tasks.list', {})
  const refund = tasks.rows.find(({ task }) => task === 'refund')?.taskId ?? ''
  expect((await search(core, 'get_order', { taskId: refund })).found.trials).toBe(2)
  expect((await search(core, 'get_order', { suite: 'desk' })).found.trials).toBe(3)
  expect(await search(core, 'get_order', { suite: 'no such suite' })).toMatchObject({ rows: [], total: 0 })
  const [passing] = (await search(core, 'once', { taskId: refund })).rows
  await core.request('trials.delete', { trialIds: [passing?.trial?.trialId ?? ''] })
  expect((await search(core, 'get_order', { taskId: refund })).found.trials).toBe(1)
  await core.request('trials.restore', { trialIds: [passing?.trial?.trialId ?? ''] })
  expect((await search(core, 'get_order', { taskId: refund })).found.trials).toBe(2)
  // The same id with other content: neither counts, neither is found.
  await importPaths(core, [
    writeExport(join(folder, 'b.jsonl'), [{ id: 'p', task: 'refund', outcome: 'pass', note: 'another' }]),
  ])
  expect((await search(core, 'get_order', { taskId: refund })).found.trials).toBe(1)
})

test('pages follow each other without a gap, by limit and by time', async () => {
  const { core, folder } = opened()
  const lines = Array.from({ length: 23 }, (_, i) => ({
    id: `t${i}`,
    task: `task ${i % 4}`,
    outcome: i % 2 === 0 ? ('pass' as const) : ('fail' as const),
  }))
  await importPaths(core, [writeExport(join(folder, 'a.jsonl'), lines)])
  const whole = await search(core, 'get_order')
  expect(whole.rows).toHaveLength(23)
  expect(whole.found).toEqual({ steps: 46, trials: 23, passing: 12, instructions: 0, tasks: 4 })
  for (const more of [{ limit: 5 }, { waitMs: 0 }, { limit: 1, waitMs: 0 }]) {
    const rows: SearchRow[] = []
    let cursor: string | null = null
    let calls = 0
    do {
      const answer: SearchAnswer = await search(core, 'get_order', { ...more, cursor })
      if (calls === 0 && more.waitMs === 0) expect(answer.isWhole).toBe(false)
      rows.push(...answer.rows)
      cursor = answer.next
      calls += 1
    } while (cursor !== null && calls < 100)
    expect(rows).toEqual(whole.rows)
    expect(calls).toBeGreaterThan(1)
  }
  const first = await search(core, 'get_order', { limit: 5 })
  expect(first).toMatchObject({ isWhole: true, found: whole.found, searched: 23 })
  expect((await faultOf(search(core, 'get_order', { cursor: 'nonsense' }))).code).toBe('INVALID_INPUT')
})

test('whatever is typed is text', async () => {
  const { core, folder } = opened()
  const odd = [
    'a "quoted" b',
    `NEAR(x y, 2)`,
    'star* ^ -minus +plus {col} : AND OR NOT',
    'nul\u0000byte',
    'lone \ud800 half',
    `'; DROP TABLE trials; --`,
    '100%_LIKE\\',
    'größe ΟΔΟΣ 😀',
  ]
  await importPaths(core, [
    writeExport(
      join(folder, 'a.jsonl'),
      odd.map((note, i) => ({ id: `t${i}`, note })),
    ),
  ])
  for (const isIndexed of [false, true]) {
    if (isIndexed) await indexed(core)
    for (const text of odd) {
      const { rows } = await search(core, text)
      expect(rows, text).toHaveLength(1)
    }
  }
  expect((await search(core, 'x'.repeat(1_000_000))).rows).toEqual([])
  expect((await search(core, 'ab '.repeat(350_000))).rows).toEqual([])
  expect((await faultOf(search(core, ' \n'))).code).toBe('INVALID_INPUT')
})

test('a search can be cancelled, and the next one is answered', async () => {
  const { core, folder } = opened()
  await withTrials(core, folder)
  const cancel = new AbortController()
  const asked = core.request('search.steps', { view: {}, text: 'order' }, { signal: cancel.signal })
  cancel.abort()
  // What was answered before the cancel came is an answer.
  await asked.catch((error: { code: string }) => expect(error.code).toBe('CANCELLED'))
  expect((await search(core, 'order')).found.trials).toBe(3)
})

test('nothing is put into the index while an import runs; then the newest trials come first', async () => {
  const { core, folder, path } = opened()
  const many = Array.from({ length: 1500 }, (_, i) => ({ id: `t${i}`, task: `task ${i % 9}` }))
  const reader = openReader(path)
  const running = importPaths(core, [writeExport(join(folder, 'a.jsonl'), many)])
  let isOver = false
  void running.then(() => (isOver = true))
  while (!isOver) {
    expect(reader.value('SELECT count(*) FROM indexed_trials')).toBe(0)
    await pause(20)
  }
  let isFirst = true
  while (indexState(reader).waiting > 0) {
    const [oldest] = reader.rows<[number | null]>('SELECT min(trial_seq) FROM indexed_trials')[0] ?? []
    if (isFirst && oldest != null) {
      isFirst = false
      // Two jobs of 16 are on their way at once: either of them may be written first.
      expect(reader.value('SELECT max(trial_seq) FROM indexed_trials')).toBeGreaterThanOrEqual(1500 - 16)
    }
    await pause(5)
  }
  reader.close()
})

test('what is erased is out of the index, too: its words are no longer in the file', async () => {
  const { core, folder, path } = opened()
  await importPaths(core, [
    writeExport(join(folder, 'a.jsonl'), [
      { id: 'a', note: 'qqsecretword' },
      { id: 'b', note: 'kept' },
    ]),
  ])
  await indexed(core)
  const bytes = (): string =>
    ['', '-wal'].map((end) => readFileSync(`${path}${end}`, { flag: 'a+' }).toString('latin1')).join('')
  // Everything else in the file is compressed: only the index can say it.
  expect(bytes()).toContain('qqsecretword')
  const { rows } = await search(core, 'qqsecretword')
  await core.request('trials.delete', { trialIds: [rows[0]?.trial?.trialId ?? ''] })
  await core.request('workspace.erase', {})
  expect(bytes()).not.toContain('qqsecretword')
  expect((await search(core, 'qqsecretword')).rows).toEqual([])
  expect((await search(core, 'kept')).rows).toHaveLength(1)
  await indexed(core)
  expect((await search(core, 'kept')).rows).toHaveLength(1)
})

test('a core that is killed while it fills the index leaves it whole, and the next one goes on', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'a.fault')
  const many = Array.from({ length: 3000 }, (_, i) => ({
    id: `t${i}`,
    note: `note${i} ${'word '.repeat(50)}`,
  }))
  const core = forked(folder, path)
  await core.event('ready')
  await core.ask('imports.run', { files: [{ path: writeExport(join(folder, 'a.jsonl'), many) }] })
  const reader = openReader(path)
  while (reader.value<number>('SELECT count(*) FROM indexed_trials') === 0) await pause(1)
  core.child.kill()
  await core.ended
  reader.close()
  const db = openWriter(path, { appVersion: 'x' })
  const { waiting } = indexState(db)
  expect(waiting).toBeGreaterThan(0)
  expect(waiting).toBeLessThan(3000)
  expect(db.pragma('integrity_check')).toBe('ok')
  const said = db.rows('SELECT trial_seq FROM indexed_trials ORDER BY 1')
  expect(db.rows(`SELECT rowid FROM step_words WHERE step_words MATCH '"word"' ORDER BY 1`)).toEqual(said)
  db.close()
  const after = opened({ userDataDir: folder, path })
  expect((await search(after.core, 'note7 word', { waitMs: 30_000 })).found.trials).toBe(1)
  await indexed(after.core)
  expect((await search(after.core, 'note7 word')).found.trials).toBe(1)
}, 60_000)

test('opening another workspace lets go of the one before', async () => {
  const { core, folder } = opened()
  await withTrials(core, folder)
  expect((await search(core, 'get_order')).found.trials).toBe(3)
  await core.request('workspace.open', { file: { path: join(folder, 'other.fault') }, create: true })
  expect(await search(core, 'get_order')).toMatchObject({ rows: [], total: 0, isWhole: true })
})

test('a restored safety copy brings its own index along', async () => {
  const { core, folder, path } = opened()
  await importPaths(core, [writeExport(join(folder, 'a.jsonl'), [{ id: 'a', note: 'firstword' }])])
  await indexed(core)
  await core.request('workspace.saveCopy', { file: { path: `${path}.before-2` } })
  await importPaths(core, [writeExport(join(folder, 'b.jsonl'), [{ id: 'b', note: 'secondword' }])])
  await indexed(core)
  expect((await search(core, 'secondword')).found.trials).toBe(1)
  await core.request('workspace.restoreBackup', { name: 'test.fault.before-2' })
  for (const isIndexed of [false, true]) {
    if (isIndexed) await indexed(core)
    expect((await search(core, 'firstword')).found.trials).toBe(1)
    expect((await search(core, 'secondword')).found.trials).toBe(0)
  }
  await importPaths(core, [writeExport(join(folder, 'c.jsonl'), [{ id: 'c', note: 'thirdword' }])])
  await indexed(core)
  expect((await search(core, 'thirdword')).found.trials).toBe(1)
})

test('a thread that has nothing to do says so before it ends, so that no question goes to it', async () => {
  const { core, folder, path } = opened()
  await withTrials(core, folder)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let isOver = false
  const thread = searchThread({ path, appVersion: 'x' }, () => {
    isOver = true
  })
  const ask = {
    text: 'KeyError',
    configurations: null,
    taskId: null,
    suite: null,
    cursor: null,
    limit: 5,
    stepsPerTrial: 1,
    waitMs: 5000,
  }
  expect((await thread.ask(ask, new AbortController().signal)).found.trials).toBe(2)
  vi.advanceTimersByTime(59_000)
  expect(isOver).toBe(false)
  vi.advanceTimersByTime(2000)
  expect(isOver).toBe(true)
  await thread.close()
})
