// Imports end to end: a real core, real files, the import thread.

import { appendFileSync, copyFileSync, mkdirSync, writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ImportProgress } from '../../../src/contract/rows.ts'
import type { Core } from '../../../src/core/core.ts'
import { faultOf, importPaths, opened, writeExport, type Line } from '../opened.ts'

const trialsOf = async (core: Core, task = 'refund') => {
  const { rows } = await core.request('tasks.list', { filter: { text: task } })
  const row = rows.find((candidate) => candidate.task === task)
  if (row === undefined) return []
  return (await core.request('tasks.get', { taskId: row.taskId })).trials
}

test('an export comes in with its tasks, trials, outcomes and places', async () => {
  const { core, folder, events } = opened()
  const path = writeExport(join(folder, 'a.faultline.jsonl'), [
    { task: 'refund', outcome: 'pass', cost: 0.5 },
    { task: 'refund', outcome: 'fail', severe: true },
    { task: 'exchange', outcome: 'error' },
  ])
  const run = await importPaths(core, [path])
  expect(run).toMatchObject({ state: 'kept', trialsNew: 3, trialsSame: 0, problems: 0 })
  expect(run.finishedAt).not.toBeNull()
  expect(run.files).toHaveLength(1)
  expect(run.files[0]).toMatchObject({
    name: 'a.faultline.jsonl',
    state: 'kept',
    format: 'faultline-jsonl',
    trialsNew: 3,
    tasks: 2,
    fault: null,
  })
  expect(run.files[0]?.confidence).toBeGreaterThan(0.9)
  expect(run.files[0]?.reason).not.toBe('')
  const trials = await trialsOf(core)
  expect(trials.map((trial) => [trial.number, trial.outcome, trial.costUsd, trial.severe.length])).toEqual([
    [1, 'pass', 0.5, 0],
    [2, 'fail', null, 1],
  ])
  expect(trials[0]?.sources).toEqual([{ fileName: 'a.faultline.jsonl', record: 2, line: 3 }])
  expect(trials[0]).toMatchObject({ steps: 4, calls: 1, isConflict: false })
  expect(await core.request('imports.list', {})).toEqual([run])
  const changed = events.filter((event) => event.type === 'changed')
  expect(changed.flatMap((event) => event.topics)).toEqual(
    expect.arrayContaining(['imports', 'trials', 'analysis']),
  )
})

test('importing the same file again changes nothing and says so', async () => {
  const { core, folder } = opened()
  const path = writeExport(join(folder, 'a.jsonl'), [{}, { outcome: 'fail' }])
  await importPaths(core, [path])
  const before = await trialsOf(core)
  const again = await importPaths(core, [path])
  expect(again).toMatchObject({ state: 'kept', trialsNew: 0, trialsSame: 2 })
  expect(again.files[0]?.state).toBe('unchanged')
  // Also under another name.
  const renamed = join(folder, 'b.jsonl')
  writeFileSync(renamed, readFileSync(path))
  expect((await importPaths(core, [renamed])).files[0]?.state).toBe('unchanged')
  const after = await trialsOf(core)
  const bare = (trials: typeof before) => trials.map(({ sources: _, ...trial }) => trial)
  expect(bare(after)).toEqual(bare(before))
  expect(after[0]?.sources.map((source) => source.fileName)).toEqual(['a.jsonl', 'b.jsonl'])
  expect((await core.request('workspace.info', {})).trials).toBe(2)
})

test('a longer export adds only what is new', async () => {
  const { core, folder } = opened()
  const lines: Line[] = [{ id: 'r0' }, { id: 'r1' }]
  await importPaths(core, [writeExport(join(folder, 'a.jsonl'), lines)])
  const more = await importPaths(core, [
    writeExport(join(folder, 'b.jsonl'), [...lines, { id: 'r2', outcome: 'fail' }]),
  ])
  expect(more).toMatchObject({ trialsNew: 1, trialsSame: 2 })
  expect(more.files[0]?.state).toBe('kept')
  expect((await trialsOf(core)).map((trial) => trial.number)).toEqual([1, 2, 3])
})

test('an id with other content is a conflict: both kept, neither counts, and it can be settled', async () => {
  const { core, folder } = opened()
  await importPaths(core, [writeExport(join(folder, 'a.jsonl'), [{ id: 'x', outcome: 'pass' }, { id: 'y' }])])
  const second = await importPaths(core, [
    writeExport(join(folder, 'b.jsonl'), [{ id: 'x', outcome: 'fail' }]),
  ])
  expect(second.files[0]).toMatchObject({ conflicts: 1, trialsNew: 1 })
  const { rows } = await core.request('imports.problems', { importId: second.importId })
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ code: 'CONFLICT', severity: 'warning', line: 3 })
  expect(rows[0]?.message).toContain('“x”')
  const list = await core.request('tasks.list', {})
  expect(list.rows[0]?.rate.n).toBe(1)
  const inConflict = (await trialsOf(core)).filter((trial) => trial.isConflict)
  expect(inConflict.map((trial) => trial.outcome).sort()).toEqual(['fail', 'pass'])
  const wrong = inConflict.find((trial) => trial.outcome === 'fail')
  await core.request('trials.delete', { trialIds: [wrong?.trialId ?? ''] })
  expect((await core.request('tasks.list', {})).rows[0]?.rate).toMatchObject({ n: 2, passes: 2 })
  await core.request('trials.restore', { trialIds: [wrong?.trialId ?? ''] })
  expect((await core.request('tasks.list', {})).rows[0]?.rate.n).toBe(1)
})

test('equal task names of two suites are two tasks', async () => {
  const { core, folder } = opened()
  await importPaths(core, [
    writeExport(join(folder, 'a.jsonl'), [{ id: '1', task: '0' }], 'airline'),
    writeExport(join(folder, 'b.jsonl'), [{ id: '1', task: '0' }], 'retail'),
  ])
  const { rows } = await core.request('tasks.list', {})
  expect(rows.map((row) => [row.suite, row.task, row.rate.n])).toEqual([
    ['airline', '0', 1],
    ['retail', '0', 1],
  ])
})

test('the suite that the person gives replaces the one of the source', async () => {
  const { core, folder } = opened()
  await importPaths(core, [writeExport(join(folder, 'a.jsonl'), [{}])], { suite: 'night shift' })
  expect((await core.request('tasks.list', {})).rows[0]?.suite).toBe('night shift')
})

test('trials are numbered by start time, then by their order in the source', async () => {
  const { core, folder } = opened()
  await importPaths(core, [
    writeExport(join(folder, 'a.jsonl'), [
      { id: 'late', startedAt: '2026-03-02T10:00:00Z', note: 'late' },
      { id: 'none', note: 'none' },
      { id: 'early', startedAt: '2026-03-01T10:00:00+02:00', note: 'early' },
    ]),
  ])
  await importPaths(core, [
    writeExport(join(folder, 'b.jsonl'), [{ id: 'first', startedAt: '2026-01-01T00:00:00Z' }]),
  ])
  const trials = await trialsOf(core)
  const raw = await Promise.all(
    trials.map(async (trial) => (await core.request('trials.raw', { trialId: trial.trialId })).text),
  )
  expect(raw.map((text) => (JSON.parse(text) as { trial_id: string }).trial_id)).toEqual([
    'first',
    'early',
    'late',
    'none',
  ])
})

test('undo takes a run out, redo brings it back, and what another run brought stays', async () => {
  const { core, folder } = opened()
  const first = await importPaths(core, [writeExport(join(folder, 'a.jsonl'), [{ id: 'r0' }, { id: 'r1' }])])
  const second = await importPaths(core, [
    writeExport(join(folder, 'b.jsonl'), [{ id: 'r0' }, { id: 'r1' }, { id: 'r2', outcome: 'fail' }]),
  ])
  expect((await core.request('imports.undo', { importId: second.importId })).state).toBe('undone')
  expect(await trialsOf(core)).toHaveLength(2)
  expect((await core.request('workspace.info', {})).deletedTrials).toBe(1)
  expect((await core.request('imports.redo', { importId: second.importId })).state).toBe('kept')
  expect(await trialsOf(core)).toHaveLength(3)
  await core.request('imports.undo', { importId: first.importId })
  expect(await trialsOf(core)).toHaveLength(3)
  await core.request('imports.undo', { importId: second.importId })
  expect(await trialsOf(core)).toHaveLength(0)
  expect((await core.request('tasks.list', {})).total).toBe(0)
  // Importing it again is asking for it again, though both runs are undone.
  const third = await importPaths(core, [join(folder, 'a.jsonl')])
  expect(third.trialsNew).toBe(2)
  expect(await trialsOf(core)).toHaveLength(2)
})

test('undo of a run keeps a trial deleted by hand deleted on redo', async () => {
  const { core, folder } = opened()
  const run = await importPaths(core, [writeExport(join(folder, 'a.jsonl'), [{}, { outcome: 'fail' }])])
  const [one] = await trialsOf(core)
  await core.request('trials.delete', { trialIds: [one?.trialId ?? ''] })
  await core.request('imports.undo', { importId: run.importId })
  await core.request('imports.redo', { importId: run.importId })
  expect((await trialsOf(core)).map((trial) => trial.outcome)).toEqual(['fail'])
})

test('a folder is walked; strangers in it are listed as skipped', async () => {
  const { core, folder } = opened()
  const root = join(folder, 'exports')
  mkdirSync(join(root, 'deep'), { recursive: true })
  writeExport(join(root, 'deep', 'a.jsonl'), [{}])
  writeFileSync(join(root, 'notes.txt'), 'nothing of interest')
  writeFileSync(join(root, 'picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]))
  writeFileSync(join(root, 'empty.json'), '')
  const run = await importPaths(core, [root])
  expect(run.files.map((file) => [file.name, file.state])).toEqual([
    ['exports/deep/a.jsonl', 'kept'],
    ['exports/empty.json', 'skipped'],
    ['exports/notes.txt', 'skipped'],
    ['exports/picture.png', 'skipped'],
  ])
  expect(run).toMatchObject({ state: 'kept', trialsNew: 1 })
})

test('a folder of thousands of strangers lists the exports in it, and at most 2,000 files', async () => {
  const { core, folder } = opened()
  const root = join(folder, 'exports')
  mkdirSync(root)
  for (let index = 0; index < 2100; index += 1) writeFileSync(join(root, `a${index}.txt`), 'no export')
  writeExport(join(root, 'zz.jsonl'), [{}])
  const run = await importPaths(core, [root])
  expect(run).toMatchObject({ state: 'kept', trialsNew: 1 })
  expect(run.files).toHaveLength(2000)
  expect(run.files.at(-1)).toMatchObject({ name: 'exports/zz.jsonl', state: 'kept' })
}, 60_000)

test('a file of unknown format stores who might read it, not who might not', async () => {
  const { core, folder } = opened()
  const path = join(folder, 'numbers.json')
  writeFileSync(path, '{"a": 0.5, "b": 0.7, "c": 1}')
  const [file] = (await importPaths(core, [path])).files
  expect(file?.state).toBe('needs format')
  expect(file?.candidates.map(({ format }) => format)).toEqual(['outcome-map'])
  expect(file?.candidates.every(({ reason }) => reason !== '')).toBe(true)
  // In a folder there may be many thousands of them: what each importer missed is not stored with each.
  const inside = join(folder, 'many')
  mkdirSync(inside)
  copyFileSync(path, join(inside, 'numbers.json'))
  writeFileSync(join(inside, 'notes.txt'), 'words')
  const { files } = await importPaths(core, [inside])
  const hints = Object.fromEntries(files.map(({ name, fault }) => [name, fault?.hint ?? '']))
  expect(hints['many/numbers.json']).toMatch(
    /^Outcome map: .*\nTried: .*Inspect log.*CSV outcomes.* by itself/,
  )
  expect(hints['many/notes.txt']).toMatch(/^Tried: [^\n]*$/)
})

test('each kind of bad file gets its own message', async () => {
  const { core, folder } = opened()
  const write = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const good = writeExport(join(folder, 'good.jsonl'), [{ id: 'a' }, { id: 'b' }])
  const text = readFileSync(good, 'utf8')
  const run = await importPaths(core, [
    write('empty.json', ''),
    write('unknown.json', '{"hello": "world"}'),
    write('nul.json', Buffer.concat([Buffer.from('abc'), Buffer.alloc(300)])),
    write('cut.jsonl', text.slice(0, text.length - 40)),
    join(folder, 'absent.json'),
  ])
  const [empty, unknown, nul, cut, absent] = run.files
  expect(empty).toMatchObject({ state: 'unreadable', fault: { code: 'FILE_EMPTY' } })
  expect(unknown).toMatchObject({ state: 'needs format', fault: { code: 'FORMAT_UNKNOWN' } })
  expect(unknown?.fault?.hint).toMatch(/Inspect log: [^]*CSV outcomes: not a table/)
  expect(unknown?.candidates).toEqual([])
  expect(nul?.fault?.message).toContain('NUL')
  expect(cut).toMatchObject({ state: 'kept', trialsNew: 1, problems: 1 })
  expect(absent).toMatchObject({ state: 'unreadable', fault: { code: 'FILE_UNREADABLE' } })
  const messages = run.files.map((file) => file.fault?.message ?? '').filter((message) => message !== '')
  expect(new Set(messages).size).toBe(messages.length)
  const problems = await core.request('imports.problems', {
    importId: run.importId,
    fileId: cut?.fileId ?? '',
  })
  expect(problems.total).toBe(1)
  expect(problems.rows[0]).toMatchObject({ severity: 'error', code: 'JSON_CUT_OFF', fileName: 'cut.jsonl' })
  expect(problems.rows[0]?.line ?? problems.rows[0]?.byte).not.toBeNull()
})

test('a file broken in the middle keeps its good records and lists the rest with lines', async () => {
  const { core, folder } = opened()
  const path = writeExport(join(folder, 'a.jsonl'), [{ id: 'a' }])
  appendFileSync(path, '{"type":"trial","trial_id":\n')
  appendFileSync(
    path,
    readFileSync(writeExport(join(folder, 'b.jsonl'), [{ id: 'z', outcome: 'fail' }]), 'utf8').split(
      '\n',
    )[2] ?? '',
  )
  const run = await importPaths(core, [path])
  expect(run.files[0]).toMatchObject({ state: 'kept', trialsNew: 2 })
  const { rows } = await core.request('imports.problems', { importId: run.importId })
  expect(rows.some((row) => row.severity === 'error' && row.line === 4)).toBe(true)
})

test('a hundred problems of a kind are listed one by one, the rest is counted', async () => {
  const { core, folder } = opened()
  const path = writeExport(join(folder, 'a.jsonl'), [{}])
  for (let index = 0; index < 350; index += 1) appendFileSync(path, `{"type":"trial","bad":${index}}\n`)
  const run = await importPaths(core, [path])
  expect(run.problems).toBe(350)
  const { rows, total } = await core.request('imports.problems', { importId: run.importId, limit: 1000 })
  expect(total).toBe(101)
  expect(rows.filter((row) => row.count === 1)).toHaveLength(100)
  expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(350)
  const page = await core.request('imports.problems', { importId: run.importId, offset: 10, limit: 5 })
  expect(page.rows).toEqual(rows.slice(10, 15))
})

test('a format chosen by hand is used; one that is not known is refused', async () => {
  const { core, folder } = opened()
  const path = writeExport(join(folder, 'a.jsonl'), [{}])
  const run = await importPaths(core, [path], { format: 'faultline-jsonl' })
  expect(run.files[0]).toMatchObject({ format: 'faultline-jsonl', reason: 'chosen by hand', confidence: 1 })
  const wrong = await importPaths(core, [path], { format: 'tau-bench' })
  expect(wrong.files[0]).toMatchObject({ format: 'tau-bench', reason: 'chosen by hand' })
  const fault = await faultOf(importPaths(core, [path], { format: 'nonsense' }))
  expect(fault.code).toBe('INVALID_INPUT')
  expect(fault.message).toContain('nonsense')
  expect((await core.request('imports.formats', {})).map((format) => format.format)).toContain('tau-bench')
})

test('cancelling leaves a consistent store and says what was kept', async () => {
  const { core, folder } = opened()
  const many = Array.from({ length: 8000 }, (_, index) => ({ id: `r${index}`, task: `t${index % 50}` }))
  const path = writeExport(join(folder, 'many.jsonl'), many)
  const other = writeExport(join(folder, 'other.jsonl'), [{ id: 'other' }])
  const controller = new AbortController()
  const seen: ImportProgress[] = []
  const run = await core.request(
    'imports.run',
    { files: [{ path }, { path: other }] },
    {
      signal: controller.signal,
      progress: (value) => {
        seen.push(value)
        if (value.trials > 0) controller.abort()
      },
    },
  )
  expect(run.state).toBe('cancelled')
  expect(run.files.map((file) => file.state)).toEqual(['cancelled', 'cancelled'])
  expect(run.trialsNew).toBeGreaterThan(0)
  expect(run.trialsNew).toBeLessThan(8000)
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.at(-1)?.filesTotal).toBe(2)
  const info = await core.request('workspace.info', {})
  expect(info.trials).toBe(run.trialsNew)
  // The rest comes in with the next import of the same file.
  const rest = await importPaths(core, [path])
  expect(rest).toMatchObject({ state: 'kept', trialsSame: run.trialsNew, trialsNew: 8000 - run.trialsNew })
}, 60_000)

test('progress counts every pass over a file: while trials come in, it is not yet at its end', async () => {
  const { core, folder } = opened()
  const many = Array.from({ length: 6000 }, (_, index) => ({ id: `r${index}`, task: `t${index % 50}` }))
  const path = writeExport(join(folder, 'many.jsonl'), many)
  const seen: ImportProgress[] = []
  await core.request('imports.run', { files: [{ path }] }, { progress: (value) => void seen.push(value) })
  const shares = seen.map(({ bytesDone, bytesTotal }) => bytesDone / Math.max(1, bytesTotal))
  expect(shares.every((share, i) => share >= (shares[i - 1] ?? 0) && share <= 1)).toBe(true)
  // The first trial comes with the second pass.
  const first = seen.findIndex(({ trials }) => trials > 0)
  expect(shares[first]).toBeLessThan(0.9)
}, 60_000)

test('questions are answered while an import runs, and another workspace waits', async () => {
  const { core, folder } = opened()
  const many = Array.from({ length: 4000 }, (_, index) => ({ id: `r${index}`, task: `t${index % 20}` }))
  const path = writeExport(join(folder, 'many.jsonl'), many)
  let isOver = false
  const running = importPaths(core, [path]).finally(() => {
    isOver = true
  })
  const waits: number[] = []
  let refused: string | null = null
  while (!isOver) {
    const asked = performance.now()
    await core.request('tasks.list', {})
    waits.push(performance.now() - asked)
    if (refused === null && !isOver) {
      const fault = await faultOf(
        core.request('workspace.open', { file: { path: join(folder, 'b.fault') }, create: true }),
      )
      refused = fault.code
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await running
  expect(refused).toBe('DB_LOCKED')
  expect(waits.length).toBeGreaterThan(5)
  waits.sort((a, b) => a - b)
  // Half of the promise in the median, so that a busy machine does not make the test red.
  expect(waits[Math.floor(waits.length / 2)]).toBeLessThan(50)
}, 60_000)
