// Outcomes that come separately, end to end: a real core, real files, the thread that reads them. What is joined, what is
// not and why, what changes, and that it can be taken back.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Input } from '../../../src/contract/contract.ts'
import type { Core } from '../../../src/core/core.ts'
import { faultOf, importPaths, opened, writeExport, type Line } from '../opened.ts'

const outcomesOf = async (core: Core): Promise<readonly string[]> => {
  const { rows } = await core.request('tasks.list', { sort: 'task' })
  const lines: string[] = []
  for (const { taskId, suite, task } of rows)
    for (const trial of (await core.request('tasks.get', { taskId })).trials)
      lines.push(
        `${suite}/${task} ${trial.number} ${trial.outcome}${trial.attached === null ? '' : ` (${trial.attached.rule})`}`,
      )
  return lines
}

const file = (folder: string, name: string, content: string): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

type More = Omit<Input<'outcomes.attach'>, 'files'>
const preview = (core: Core, path: string, more: More = {}) =>
  core.request('outcomes.preview', { files: [{ path }], ...more })
const attach = (core: Core, path: string, more: More = {}) =>
  core.request('outcomes.attach', { files: [{ path }], ...more })

/** Trials without outcome; their ids are `r0`, `r1`, … */
const unknown = (...tasks: readonly string[]): Line[] => tasks.map((task) => ({ task, outcome: 'unknown' }))

/** Trials as a folder of files, `run_1/task_0.jsonl` and so on, without outcome and each with a trial number. */
async function sessions(core: Core, folder: string, suite = 'desk'): Promise<void> {
  for (const run of [1, 2])
    for (const task of [0, 1]) {
      mkdirSync(join(folder, 'sessions', `run_${run}`), { recursive: true })
      const record = {
        type: 'trial',
        trial_id: `s-${run}-${task}`,
        task_id: `task_${task}`,
        trial_index: run,
        outcome: 'unknown',
        steps: [{ index: 0, role: 'user', kind: 'message', content: `run ${run} of ${task}` }],
      }
      writeFileSync(
        join(folder, 'sessions', `run_${run}`, `task_${task}.jsonl`),
        `{"type":"header","format":"faultline","version":1,"suite":"${suite}"}\n${JSON.stringify(record)}\n`,
      )
    }
  await importPaths(core, [join(folder, 'sessions')])
}

describe('a report beside the trials that it speaks of', () => {
  const report = (resolved: readonly string[], unresolved: readonly string[]): string =>
    JSON.stringify({ total_instances: 2, resolved_ids: resolved, unresolved_ids: unresolved })
  const runs = async (core: Core, folder: string): Promise<string> => {
    for (const [run, more] of [
      ['m-1_run_1', 'one'],
      ['m-1_run_2', 'two'],
    ] as const) {
      mkdirSync(join(folder, 'runs', run), { recursive: true })
      writeExport(join(folder, 'runs', run, 'trials.jsonl'), [
        { id: `${more}-a`, task: 'a', outcome: 'unknown' },
        { id: `${more}-b`, task: 'b', outcome: 'unknown' },
      ])
    }
    await importPaths(core, [join(folder, 'runs')])
    return join(folder, 'runs')
  }

  test('speaks of those in its own folder, where other runs have the same tasks', async () => {
    const { core, folder } = opened()
    const root = await runs(core, folder)
    file(join(root, 'm-1_run_1'), 'report.json', report(['a'], ['b']))
    file(join(root, 'm-1_run_2'), 'report.json', report([], ['a', 'b']))
    const { preview: seen } = await attach(core, root)
    expect(seen).toMatchObject({ matched: 4, byRule: [{ rule: 'folder', count: 4 }], suites: [] })
    expect((await outcomesOf(core)).toSorted()).toEqual([
      'desk/a 1 pass (folder)',
      'desk/a 2 fail (folder)',
      'desk/b 1 fail (folder)',
      'desk/b 2 fail (folder)',
    ])
  })

  test('at the top of all runs, or given by itself, does not choose between them', async () => {
    const { core, folder } = opened()
    const root = await runs(core, folder)
    const path = file(root, 'report.json', report(['a'], ['b']))
    for (const given of [root, path]) {
      const seen = await preview(core, given)
      expect(seen.matched).toBe(0)
      expect(seen.unmatchedRows.reasons).toEqual([
        { reason: 'its task has several trials, and it does not say which', count: 2 },
      ])
    }
  })
})

test('a table with only a status is read when it is named, and decides when a person says so; that is remembered', async () => {
  const { core, folder } = opened()
  await importPaths(core, [writeExport(join(folder, 'a.jsonl'), unknown('a', 'b'))])
  const path = file(folder, 'ends.csv', 'task,status\na,success\nb,failed\n')
  const first = await preview(core, path)
  expect(first).toMatchObject({
    matched: 2,
    changed: 0,
    silent: 2,
    asks: ['scorer'],
    choice: { scorer: null },
  })
  await attach(core, path, { choice: { scorer: 'status', threshold: null } })
  expect(await outcomesOf(core)).toEqual(['desk/a 1 pass (task)', 'desk/b 1 fail (task)'])
  expect(await preview(core, path)).toMatchObject({
    isRemembered: true,
    asks: [],
    choice: { scorer: 'status' },
  })
})

describe('attaching', () => {
  test('a map by task: what changes, what is on neither side, one transaction, taken back and done again', async () => {
    const { core, folder } = opened()
    await importPaths(core, [
      writeExport(join(folder, 'a.jsonl'), [...unknown('a', 'b', 'c'), { task: 'd', outcome: 'fail' }]),
    ])
    const map = file(folder, 'eval_results.json', '{"a":true,"b":false,"d":true,"x":true}')
    const before = await outcomesOf(core)
    const seen = await preview(core, map)
    expect(await outcomesOf(core)).toEqual(before)
    expect(seen).toMatchObject({
      rows: 4,
      trials: 4,
      matched: 3,
      changed: 2,
      same: 0,
      contradicted: 1,
      asks: [],
    })
    expect(seen.byRule).toEqual([{ rule: 'task', count: 3 }])
    expect(seen.changes).toEqual([
      { from: 'unknown', to: 'pass', count: 1 },
      { from: 'unknown', to: 'fail', count: 1 },
    ])
    expect(seen.unmatchedRows).toMatchObject({
      count: 1,
      lines: [{ task: 'x', reason: 'no trial of its task is here' }],
    })
    expect(seen.unmatchedTrials.lines.map(({ task }) => task)).toEqual(['c'])
    const done = await attach(core, map)
    expect(done.attachment).toMatchObject({
      trials: 2,
      isUndone: false,
      source: 'eval_results.json',
      format: 'outcome-map',
    })
    expect(await outcomesOf(core)).toEqual([
      'desk/a 1 pass (task)',
      'desk/b 1 fail (task)',
      'desk/c 1 unknown',
      'desk/d 1 fail',
    ])
    const [, b] = (await core.request('tasks.list', { sort: 'task' })).rows
    const [trial] = (await core.request('tasks.get', { taskId: b?.taskId ?? '' })).trials
    expect(trial?.attached).toEqual({
      imported: 'unknown',
      source: 'eval_results.json',
      file: 'eval_results.json',
      line: 1,
      rule: 'task',
    })
    const attachmentId = done.attachment?.attachmentId ?? ''
    expect(await core.request('outcomes.undo', { attachmentId })).toMatchObject({ isUndone: true })
    expect(await outcomesOf(core)).toEqual(before)
    await core.request('outcomes.redo', { attachmentId })
    expect((await core.request('tasks.list', {})).summary.pooled).toMatchObject({ n: 3, passes: 1 })
    // The same again changes nothing.
    expect((await attach(core, map)).attachment).toBeNull()
    // A known outcome is replaced only when that is said, and comes back as it was imported.
    const replaced = await attach(core, map, { replace: true })
    expect((await outcomesOf(core)).at(-1)).toBe('desk/d 1 pass (task)')
    await core.request('outcomes.undo', { attachmentId: replaced.attachment?.attachmentId ?? '' })
    expect((await outcomesOf(core)).at(-1)).toBe('desk/d 1 fail')
    expect(await core.request('outcomes.list', {})).toHaveLength(2)
  })

  test('of two attachings the later one is in force, and undoing it brings the earlier one back', async () => {
    const { core, folder } = opened()
    await importPaths(core, [writeExport(join(folder, 'a.jsonl'), unknown('a'))])
    const first = await attach(core, file(folder, 'one.json', '{"a":false}'))
    const second = await attach(core, file(folder, 'two.json', '{"a":true}'), { replace: true })
    expect(await outcomesOf(core)).toEqual(['desk/a 1 pass (task)'])
    await core.request('outcomes.undo', { attachmentId: first.attachment?.attachmentId ?? '' })
    expect(await outcomesOf(core)).toEqual(['desk/a 1 pass (task)'])
    await core.request('outcomes.undo', { attachmentId: second.attachment?.attachmentId ?? '' })
    expect(await outcomesOf(core)).toEqual(['desk/a 1 unknown'])
    await core.request('outcomes.redo', { attachmentId: first.attachment?.attachmentId ?? '' })
    expect(await outcomesOf(core)).toEqual(['desk/a 1 fail (task)'])
  })

  test('sessions and a matrix: task_1 is task 1, run_2 is Trial_2; importing again keeps what was attached', async () => {
    const { core, folder } = opened()
    await sessions(core, folder)
    const csv = file(folder, 'results.csv', 'task_id,Trial_1,Trial_2,pass^1\n0,1,0,0.5\n1,0,1,0.5\n')
    expect((await preview(core, csv)).byRule).toEqual([{ rule: 'task number', count: 4 }])
    await attach(core, csv)
    const after = [
      'desk/task_0 1 pass (task number)',
      'desk/task_0 2 fail (task number)',
      'desk/task_1 1 fail (task number)',
      'desk/task_1 2 pass (task number)',
    ]
    expect(await outcomesOf(core)).toEqual(after)
    const again = await importPaths(core, [join(folder, 'sessions')])
    expect(again).toMatchObject({ trialsNew: 0, trialsSame: 4 })
    expect(await outcomesOf(core)).toEqual(after)
    expect(await core.request('conflicts.list', {})).toEqual([])
  })

  test('a sidecar in the folder of each run speaks of that run', async () => {
    const { core, folder } = opened()
    await sessions(core, folder)
    for (const run of [1, 2])
      file(
        folder,
        `sessions/run_${run}/eval_results.json`,
        JSON.stringify([
          { task_id: '0', db_match: run === 1, communicate_match: null },
          { task_id: '1', db_match: true, communicate_match: run === 1 },
        ]),
      )
    const done = await attach(core, join(folder, 'sessions'))
    expect(done.preview).toMatchObject({ rows: 4, matched: 4, changed: 4 })
    expect(done.preview.files.map(({ name, rows }) => [name, rows])).toEqual([
      ['sessions/run_1/eval_results.json', 2],
      ['sessions/run_2/eval_results.json', 2],
    ])
    expect(await outcomesOf(core)).toEqual([
      'desk/task_0 1 pass (task number)',
      'desk/task_0 2 fail (task number)',
      'desk/task_1 1 pass (task number)',
      'desk/task_1 2 fail (task number)',
    ])
  })

  test('a reward file speaks of the trial of its folder', async () => {
    const { core, folder } = opened()
    for (const [trial, reward] of [
      ['t-1', '1'],
      ['t-2', '0.0'],
    ] as const) {
      mkdirSync(join(folder, 'job', trial, 'verifier'), { recursive: true })
      writeExport(join(folder, 'job', trial, 'x.jsonl'), [{ id: trial, outcome: 'unknown' }])
      file(folder, `job/${trial}/verifier/reward.txt`, `${reward}\n`)
    }
    await importPaths(core, [join(folder, 'job')])
    expect((await attach(core, join(folder, 'job'))).preview.byRule).toEqual([{ rule: 'folder', count: 2 }])
    expect(await outcomesOf(core)).toEqual(['desk/refund 1 pass (folder)', 'desk/refund 2 fail (folder)'])
  })

  test('by the trial’s own id, and by the name of its file', async () => {
    const { core, folder } = opened()
    await sessions(core, folder)
    const ids = file(folder, 'ids.csv', 'trial_id,passed\ns-1-0,yes\ns-2-0,no\n')
    expect((await preview(core, ids)).byRule).toEqual([{ rule: 'id', count: 2 }])
    await importPaths(core, [writeExport(join(folder, 'alone.jsonl'), unknown('lonely'))])
    const names = file(folder, 'files.csv', 'file,outcome\nalone.jsonl,pass\nlone,fail\n')
    const seen = await preview(core, names)
    expect(seen.byRule).toEqual([{ rule: 'file name', count: 1 }])
    expect(seen.unmatchedRows.lines[0]?.reason).toBe('no trial came from a file of its name')
  })
})

describe('nothing is guessed', () => {
  test('a bare id in two suites is joined in neither until the suite is named', async () => {
    const { core, folder } = opened()
    await importPaths(core, [
      writeExport(
        join(folder, 'a.jsonl'),
        [{ id: 'a0', task: '0', outcome: 'unknown', note: 'air' }],
        'airline',
      ),
      writeExport(
        join(folder, 'b.jsonl'),
        [{ id: 'b0', task: '0', outcome: 'unknown', note: 'shop' }],
        'retail',
      ),
    ])
    const map = file(folder, 'map.json', '{"0":true}')
    const seen = await preview(core, map)
    expect(seen).toMatchObject({ matched: 0, asks: ['suite'], suites: ['airline', 'retail'] })
    expect(seen.unmatchedRows.reasons).toEqual([
      { reason: 'its task is in several suites: name the suite', count: 1 },
    ])
    await attach(core, map, { suite: 'retail' })
    expect(await outcomesOf(core)).toEqual(['airline/0 1 unknown', 'retail/0 1 pass (task)'])
    // A row that names the suite needs no help.
    await attach(core, file(folder, 'rows.json', '[{"domain":"airline","task_id":0,"reward":0}]'))
    expect(await outcomesOf(core)).toEqual(['airline/0 1 fail (task)', 'retail/0 1 pass (task)'])
  })

  test('not a part of a name, not one of several trials, not one of several configurations', async () => {
    const { core, folder } = opened()
    await importPaths(core, [
      writeExport(join(folder, 'a.jsonl'), [
        ...unknown('book', 'twice', 'twice'),
        { id: 'x1', task: 'mixed', config: 'careful', outcome: 'unknown', note: 'x' },
        { id: 'x2', task: 'mixed', config: 'eager', outcome: 'unknown', note: 'y' },
      ]),
    ])
    const seen = await preview(
      core,
      file(folder, 'm.json', '{"boo":true,"book-1":true,"BOOK":true,"twice":true,"mixed":true}'),
    )
    expect(seen.matched).toBe(0)
    expect(seen.unmatchedRows.lines.map(({ task, reason }) => [task, reason])).toEqual([
      ['boo', 'no trial of its task is here'],
      ['book-1', 'no trial of its task is here'],
      ['BOOK', 'no trial of its task is here'],
      ['twice', 'its task has several trials, and it does not say which'],
      ['mixed', 'its task has trials of several configurations: choose one'],
    ])
    const named = await preview(core, file(folder, 'c.csv', 'task,config,passed\nmixed,eager,1\n'))
    expect(named).toMatchObject({ matched: 1 })
  })

  test('trials without numbers are joined in order only when a person says so; 0 and 1 as first numbers are not mixed up', async () => {
    const { core, folder } = opened()
    await importPaths(core, [writeExport(join(folder, 'a.jsonl'), unknown('a', 'a'))])
    const csv = file(folder, 'm.csv', 'task_id,Trial_1,Trial_2\na,1,0\n')
    expect(await preview(core, csv)).toMatchObject({ matched: 0, joinableByOrder: 2 })
    expect((await attach(core, csv, { byOrder: true })).preview.byRule).toEqual([{ rule: 'order', count: 2 }])
    expect(await outcomesOf(core)).toEqual(['desk/a 1 pass (order)', 'desk/a 2 fail (order)'])
    const other = opened()
    const zero = file(
      other.folder,
      'zero.jsonl',
      `{"type":"header","format":"faultline","version":1,"suite":"desk"}\n${[0, 1]
        .map((trial) =>
          JSON.stringify({
            type: 'trial',
            trial_id: `t${trial}`,
            task_id: 'a',
            trial_index: trial,
            outcome: 'unknown',
            steps: [{ index: 0, role: 'user', kind: 'message', content: `${trial}` }],
          }),
        )
        .join('\n')}\n`,
    )
    await importPaths(other.core, [zero])
    expect(await preview(other.core, csv)).toMatchObject({ matched: 0, joinableByOrder: 2 })
  })

  test('two rows that contradict each other are joined to nothing; two that agree are one', async () => {
    const { core, folder } = opened()
    await importPaths(core, [writeExport(join(folder, 'a.jsonl'), unknown('a', 'b'))])
    const csv = file(folder, 'x.csv', 'task,passed\na,1\na,0\nb,1\nb,1\n')
    const seen = await preview(core, csv)
    expect(seen).toMatchObject({ matched: 1, changed: 1 })
    expect(seen.unmatchedRows.reasons).toEqual([
      { reason: 'rows contradict each other about one trial', count: 2 },
    ])
  })

  test('a trial may stay unknown, and a row without outcome changes nothing', async () => {
    const { core, folder } = opened()
    await importPaths(core, [writeExport(join(folder, 'a.jsonl'), [...unknown('a'), { task: 'b' }])])
    const done = await attach(core, file(folder, 'x.csv', 'task,passed\na,\nb,n/a\n'), { replace: true })
    expect(done.attachment).toBeNull()
    expect(done.preview).toMatchObject({ matched: 2, silent: 2, changed: 0 })
    expect(await outcomesOf(core)).toEqual(['desk/a 1 unknown', 'desk/b 1 pass'])
  })
})

describe('the choice', () => {
  test('of field and threshold is asked, remembered for sources of the same kind, and can be made anew', async () => {
    const { core, folder } = opened()
    await importPaths(core, [writeExport(join(folder, 'a.jsonl'), unknown('a', 'b'))])
    const table = (name: string, a: number, b: number) =>
      file(folder, name, `task,passed,score\na,1,${a}\nb,1,${b}\n`)
    const first = await preview(core, table('one.csv', 70, 90))
    expect(first).toMatchObject({
      asks: ['scorer'],
      choice: { scorer: 'passed', threshold: null },
      isRemembered: false,
    })
    expect(first.fields).toEqual([
      { name: 'passed', rows: 2, isScale: false, lowest: 1, highest: 1 },
      { name: 'score', rows: 2, isScale: true, lowest: 70, highest: 90 },
    ])
    expect((await preview(core, join(folder, 'one.csv'), { choice: { scorer: 'score' } })).asks).toEqual([
      'threshold',
    ])
    await attach(core, join(folder, 'one.csv'), { choice: { scorer: 'score', threshold: 80 } })
    expect(await outcomesOf(core)).toEqual(['desk/a 1 fail (task)', 'desk/b 1 pass (task)'])
    const next = await preview(core, table('two.csv', 95, 10), { replace: true })
    expect(next).toMatchObject({
      asks: [],
      isRemembered: true,
      choice: { scorer: 'score', threshold: 80 },
      changed: 2,
    })
    const anew = await preview(core, join(folder, 'two.csv'), { choice: { scorer: 'passed' } })
    expect(anew).toMatchObject({ isRemembered: false, choice: { scorer: 'passed' }, changed: 0, same: 1 })
  })
})

describe('files', () => {
  test('what holds no outcomes says so; an export with outcomes is a source of them, too', async () => {
    const { core, folder } = opened()
    await importPaths(core, [writeExport(join(folder, 'a.jsonl'), [{ id: 'r7', outcome: 'unknown' }])])
    const strange = await preview(core, file(folder, 'notes.md', '# hello'))
    expect(strange.files[0]?.fault).toMatchObject({ code: 'FORMAT_UNKNOWN' })
    const empty = await preview(core, file(folder, 'empty.csv', ''))
    expect(empty.files[0]?.fault).toMatchObject({ code: 'FILE_EMPTY' })
    const bare = file(
      folder,
      'judged.jsonl',
      '{"type":"header","format":"faultline","version":1,"suite":"desk"}\n{"type":"trial","trial_id":"r7","task_id":"refund","outcome":"fail","messages":[]}\n',
    )
    expect(await preview(core, bare)).toMatchObject({ matched: 1, changed: 1, byRule: [{ rule: 'id' }] })
    const gone = await faultOf(preview(core, join(folder, 'gone.csv')))
    expect(gone.code).toBe('FILE_UNREADABLE')
  })

  test('reading can be cancelled, and nothing is attached then', async () => {
    const { core, folder } = opened()
    await importPaths(core, [writeExport(join(folder, 'a.jsonl'), unknown('a'))])
    const big = file(
      folder,
      'big.csv',
      `task,trial,passed\n${Array.from({ length: 50_000 }, (_, at) => `a,${at},1`).join('\n')}\n`,
    )
    const controller = new AbortController()
    const running = core.request('outcomes.attach', { files: [{ path: big }] }, { signal: controller.signal })
    controller.abort()
    expect((await faultOf(running)).code).toBe('CANCELLED')
    expect(await core.request('outcomes.list', {})).toEqual([])
  })
})
