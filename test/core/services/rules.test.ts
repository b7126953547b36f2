// Rules in a real workspace: saved, judged in worker threads, undone, tried, exported, and kept in step with imports
// and with the comparison of tasks.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Input } from '../../../src/contract/contract.ts'
import type { TaskRow, TaskView } from '../../../src/contract/rows.ts'
import type { Core } from '../../../src/core/core.ts'
import { EMPTY_DRAFT } from '../../../src/model/annotation.ts'
import { faultOf, importPaths, opened } from '../opened.ts'

type Draft = Input<'rules.save'>['draft']
type Call = readonly [tool: string, args: object, result?: unknown]
type Made = {
  readonly task: string
  readonly outcome: string
  readonly calls: readonly Call[]
  readonly more?: object
}

/** Faultline JSONL of trials with these calls. */
function writeTrials(path: string, trials: readonly Made[], suite = 'desk'): string {
  const records = [
    { type: 'header', format: 'faultline', version: 1, suite },
    { type: 'config', config_id: 'c', label: 'c', model: 'm' },
    ...trials.map(({ task, outcome, calls, more }, i) => ({
      type: 'trial',
      trial_id: `${suite}-${i}`,
      task_id: task,
      config_id: 'c',
      outcome,
      ...more,
      steps: [
        ...calls.flatMap(([name, args, result], at) => [
          {
            index: 2 * at,
            role: 'assistant',
            kind: 'tool_call',
            content: null,
            calls: [{ call_id: `c${at}`, name, arguments: args }],
          },
          {
            index: 2 * at + 1,
            role: 'tool',
            kind: 'tool_result',
            call_id: `c${at}`,
            name,
            content: typeof result === 'string' ? result : JSON.stringify(result ?? { ok: true }),
          },
        ]),
        { index: 2 * calls.length, role: 'assistant', kind: 'message', content: `Done ${i}.`, final: true },
      ],
    })),
  ]
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return path
}

const look: Call = ['get_user', { user: 'a' }]
const book: Call = ['book', { user: 'a', amount: 65 }]
/** Two tasks: `careful` looks before it books, `hasty` does so in two of four trials. Only `hasty` calls `ping`. */
const TRIALS: readonly Made[] = [
  { task: 'careful', outcome: 'pass', calls: [look, book] },
  { task: 'careful', outcome: 'fail', calls: [look, book, ['get_user', { user: 'b' }]] },
  { task: 'hasty', outcome: 'pass', calls: [look, ['ping', {}], book], more: { scores: { reward: 1 } } },
  { task: 'hasty', outcome: 'pass', calls: [['ping', {}], book], more: { scores: { reward: 0.4 } } },
  { task: 'hasty', outcome: 'fail', calls: [['ping', {}], book, book], more: { scores: { reward: 0 } } },
  { task: 'hasty', outcome: 'fail', calls: [look, ['ping', {}]], more: { scores: { reward: 0.2 } } },
]

const CHECK: Draft = {
  kind: 'must-happen-before',
  suite: 'desk',
  event: 'unchecked_booking',
  check: 'get_user',
  write: 'book',
  match: [{ check: 'arguments.user', write: 'arguments.user' }],
  cost: 'arguments.amount',
}
const REWARD: Draft = { kind: 'outcome', scorer: 'reward', value: 0.4 }

async function filled(trials: readonly Made[] = TRIALS) {
  const { core, folder, path, events } = opened()
  await importPaths(core, [writeTrials(join(folder, 'a.jsonl'), trials)])
  return { core, folder, path, events }
}

const save = (core: Core, draft: Draft, more: { ruleId?: string; revision?: number } = {}) =>
  core.request('rules.save', { draft, ...more })
const apply = (core: Core) => core.request('rules.apply', {})

async function taskNamed(core: Core, name: string): Promise<TaskRow> {
  const { rows } = await core.request('tasks.list', {})
  const row = rows.find(({ task }) => task === name)
  if (row === undefined) throw new Error(`No task ${name}`)
  return row
}

async function analysed(core: Core, name: string): Promise<TaskView> {
  const { taskId } = await taskNamed(core, name)
  for (let i = 0; i < 200; i++) {
    const view = await core.request('tasks.get', { taskId })
    if (view.analysisState === 'ready' || view.analysisState === 'failed') return view
    await pause(20)
  }
  throw new Error('The analysis did not come')
}

test('a severity rule finds events at their steps, beside the imported ones, and a new import is judged', async () => {
  const { core, folder } = await filled()
  const saved = await save(core, CHECK)
  expect(saved).toMatchObject({ revision: 1, rule: { kind: 'must-happen-before', severity: 'severe' } })
  expect(await apply(core)).toMatchObject({ waiting: 0, failed: 0 })
  expect(await taskNamed(core, 'hasty')).toMatchObject({
    severeTrials: 2,
    severeEvents: 3,
    passedButHarmful: 1,
  })
  const view = await analysed(core, 'hasty')
  expect(view.trials.map(({ severe }) => severe.map(({ step, costUsd }) => [step, costUsd]))).toEqual([
    [],
    [[2, 65]],
    [
      [2, 65],
      [4, 65],
    ],
    [],
  ])
  expect(view.trials[1]?.severe[0]).toEqual({
    step: 2,
    call: 0,
    kind: 'unchecked_booking',
    severity: 'severe',
    note: 'book without get_user with the same user before it',
    costUsd: 65,
    ruleId: saved.ruleId,
  })
  expect((await core.request('rules.list', {})).rows[0]?.effect).toEqual({
    is: 'events',
    events: 3,
    trials: 2,
    tasks: 1,
    costUsd: 195,
  })
  // Judged before the import says that it has ended: the next question already has the events.
  const more = [
    {
      task: 'hasty',
      outcome: 'pass',
      calls: [book],
      more: { severe_errors: [{ step: 0, kind: 'told', severity: 'high', note: null }] },
    },
  ]
  await importPaths(core, [writeTrials(join(folder, 'b.jsonl'), more, 'desk')], { suite: 'desk' })
  await core.request('rules.list', {})
  const after = await core.request('tasks.get', { taskId: (await taskNamed(core, 'hasty')).taskId })
  const last = after.trials.find(({ severe }) => severe.some(({ kind }) => kind === 'told'))
  expect(last?.severe.map(({ kind, ruleId }) => [kind, ruleId])).toEqual([
    ['told', undefined],
    ['unchecked_booking', saved.ruleId],
  ])
  expect(after.row).toMatchObject({ severeTrials: 3, severeEvents: 5 })
})

test('an outcome rule changes what counts; the imported outcome is kept and comes back', async () => {
  const { core } = await filled()
  const imported = await taskNamed(core, 'hasty')
  expect(imported.rate).toMatchObject({ n: 4, passes: 2 })
  const saved = await save(core, REWARD)
  await apply(core)
  expect((await taskNamed(core, 'hasty')).rate).toMatchObject({ n: 4, passes: 2 })
  const strict = await save(core, { ...REWARD, value: 0.9 } as Draft, { ruleId: saved.ruleId, revision: 1 })
  await apply(core)
  expect((await taskNamed(core, 'hasty')).rate).toMatchObject({ n: 4, passes: 1 })
  // Trials without the score keep what was imported.
  expect((await taskNamed(core, 'careful')).rate).toMatchObject({ n: 2, passes: 1 })
  const view = await analysed(core, 'hasty')
  expect(view.trials[1]).toMatchObject({
    outcome: 'fail',
    counts: 'fail',
    judged: { imported: 'pass', why: 'the value is 0.4; rule: a trial passes when scorer reward ≥ 0.9' },
  })
  expect(view.analysis?.lanes.filter((lane) => lane.isPass)).toHaveLength(1)
  expect((await core.request('configurations.list', {}))[0]?.passes).toBe(2)
  expect((await core.request('rules.list', {})).rows[0]?.effect).toEqual({
    is: 'outcomes',
    trials: 4,
    changed: 1,
    tasks: 1,
  })
  // Switched off: the imported outcomes stand again, the rule is not lost.
  await save(core, { ...REWARD, value: 0.9, enabled: false } as Draft, strict)
  await apply(core)
  expect((await taskNamed(core, 'hasty')).rate).toMatchObject({ passes: 2 })
  expect((await analysed(core, 'hasty')).trials[1]).toMatchObject({ outcome: 'pass', judged: null })
})

test('undo takes a change back, undoing the undo brings it again, nothing is lost', async () => {
  const { core } = await filled()
  const made = await save(core, CHECK)
  const louder = await save(core, { ...CHECK, severity: 'minor', note: 'why' } as Draft, made)
  const [undone] = await core.request('rules.undo', { changes: [louder] })
  expect(undone).toMatchObject({ revision: 3, rule: { severity: 'severe', note: '' } })
  const [redone] = await core.request('rules.undo', { changes: [undone!] })
  expect(redone).toMatchObject({ revision: 4, rule: { severity: 'minor', note: 'why' } })
  const removed = await core.request('rules.remove', redone!)
  expect(removed).toMatchObject({ revision: 5, rule: null })
  await apply(core)
  expect((await taskNamed(core, 'hasty')).severeEvents).toBe(0)
  const [back] = await core.request('rules.undo', { changes: [removed] })
  expect(back).toMatchObject({ rule: { note: 'why' } })
  const history = await core.request('rules.history', { ruleId: made.ruleId })
  expect(history.map(({ revision, draft }) => [revision, draft === null])).toEqual([
    [6, false],
    [5, true],
    [4, false],
    [3, false],
    [2, false],
    [1, false],
  ])
  expect((await faultOf(core.request('rules.undo', { changes: [removed] }))).code).toBe('CONFLICT')
})

test('an old revision is refused with both rules; a wrong rule names its field', async () => {
  const { core } = await filled()
  const made = await save(core, CHECK)
  await save(core, { ...CHECK, note: 'theirs' } as Draft, made)
  const fault = await faultOf(save(core, { ...CHECK, note: 'mine' } as Draft, made))
  expect(fault.code).toBe('CONFLICT')
  expect(fault.details).toMatchObject({ current: { note: 'theirs', revision: 2 }, yours: { note: 'mine' } })
  const bad = await faultOf(save(core, { ...CHECK, cost: '1 +' } as Draft))
  expect(bad).toMatchObject({ code: 'INVALID_INPUT', where: 'rules.save: draft.cost' })
  expect((await faultOf(core.request('rules.remove', { ruleId: 'gone', revision: 1 }))).code).toBe(
    'NOT_FOUND',
  )
})

test('trying a rule shows its effect and saves nothing', async () => {
  const { core } = await filled()
  await analysed(core, 'hasty')
  const tried = await core.request('rules.test', { draft: CHECK })
  expect(tried).toMatchObject({
    words: 'get_user must succeed before book with the same user',
    trials: 6,
    before: { passes: 3, fails: 3, severeTrials: 0, ruleEvents: 0, ruleCostUsd: null },
    after: { passes: 3, fails: 3, severeTrials: 2, severeEvents: 3, passedButHarmful: 1, ruleCostUsd: 195 },
    eventsAppear: 3,
    eventsGo: 0,
    recomputed: 0,
  })
  expect(tried.examples[0]).toMatchObject({ task: 'hasty', number: 2, change: { is: 'event', step: 2 } })
  expect((await core.request('rules.list', {})).rows).toEqual([])
  expect((await taskNamed(core, 'hasty')).severeEvents).toBe(0)

  const outcomes = await core.request('rules.test', { draft: { ...REWARD, value: 0.9 } as Draft })
  expect(outcomes).toMatchObject({
    before: { passes: 3 },
    after: { passes: 2 },
    outcomesChanged: 1,
    recomputed: 1,
  })
  expect(outcomes.recomputedTasks).toMatchObject([{ task: 'hasty' }])
  expect(outcomes.examples).toMatchObject([{ change: { is: 'outcome', from: 'pass', to: 'fail' } }])

  // In place of a rule, and without it.
  const saved = await save(core, CHECK)
  await apply(core)
  const minor = await core.request('rules.test', {
    ruleId: saved.ruleId,
    draft: { ...CHECK, severity: 'minor' } as Draft,
  })
  expect(minor).toMatchObject({ before: { severeTrials: 2 }, after: { severeTrials: 0, ruleEvents: 3 } })
  const without = await core.request('rules.test', { ruleId: saved.ruleId, draft: null })
  expect(without).toMatchObject({ words: null, eventsGo: 3, after: { ruleEvents: 0 } })
  expect((await core.request('tasks.list', {})).summary.severeEvents).toBe(3)
})

test('a tool class recomputes the tasks that call the tool, and no other', async () => {
  const { core } = await filled()
  const before = await analysed(core, 'hasty')
  await analysed(core, 'careful')
  const ping = (view: TaskView) => view.analysis?.tools.find(({ name }) => name === 'ping')
  expect(ping(before)).toMatchObject({ stepClass: 'write' })
  const draft: Draft = { kind: 'tool-class', suite: 'desk', tool: 'ping', class: 'read' }
  const tried = await core.request('rules.test', { draft })
  expect(tried).toMatchObject({ recomputed: 1, recomputedTasks: [{ task: 'hasty' }] })
  const saved = await save(core, draft)
  const careful = (await core.request('tasks.list', {})).rows.find(({ task }) => task === 'careful')
  // Not for a moment without its lead: its inputs are the same as before.
  expect(careful?.lead.state).not.toBe('pending')
  const after = await analysed(core, 'hasty')
  expect(ping(after)).toMatchObject({ stepClass: 'read', reason: 'set to read' })
  expect((await core.request('rules.list', {})).rows[0]?.effect).toEqual({ is: 'comparison', tasks: 1 })
  const [, undone] = [saved, await core.request('rules.undo', { changes: [saved] })]
  expect(undone).toMatchObject([{ rule: null }])
  expect(ping(await analysed(core, 'hasty'))).toMatchObject({ stepClass: 'write' })
})

test('what was learned of a suite, with the rule that corrects it', async () => {
  const { core } = await filled()
  const learned = await core.request('rules.learned', { suite: 'desk' })
  expect(learned.tasks).toBe(2)
  expect(learned.tools.map(({ tool, stepClass, classRule }) => [tool, stepClass, classRule])).toEqual([
    ['book', 'write', null],
    ['get_user', 'read', null],
    ['ping', 'write', null],
  ])
  const { ruleId } = await save(core, { kind: 'tool-class', tool: 'ping', class: 'check' })
  const stage = await save(core, { kind: 'stage', suite: 'desk', tool: 'ping', stage: 'warm up' })
  const again = await core.request('rules.learned', { suite: 'desk' })
  expect(again.tools[2]).toMatchObject({
    stepClass: 'check',
    stage: 'warm up',
    reason: 'set to check',
    classRule: ruleId,
    stageRule: stage.ruleId,
  })
  expect((await faultOf(core.request('rules.learned', { suite: 'no such' }))).code).toBe('NOT_FOUND')
})

test('what was learned is kept until trials, outcomes or rules change', async () => {
  const { core, folder } = await filled()
  /** The answer, and how many tasks were looked at for it. */
  const ask = async () => {
    let looked = 0
    const learned = await core.request(
      'rules.learned',
      { suite: 'desk' },
      { progress: ({ done }) => (looked = done) },
    )
    return { looked, learned }
  }
  const first = await ask()
  expect(first.looked).toBe(2)
  expect(await ask()).toEqual({ looked: 0, learned: first.learned })
  // What a person writes about a trial is no reason to look again; the other suite's trials are none either.
  const { trials } = await analysed(core, 'hasty')
  const [trial] = trials
  await core.request('annotations.save', {
    trialId: trial?.trialId ?? '',
    revision: 0,
    draft: { ...EMPTY_DRAFT, note: 'seen' },
  })
  await importPaths(core, [writeTrials(join(folder, 'b.jsonl'), TRIALS, 'other')])
  expect(await ask()).toEqual({ looked: 0, learned: first.learned })
  await core.request('trials.delete', { trialIds: [trial?.trialId ?? ''] })
  const fewer = await ask()
  expect(fewer.looked).toBe(2)
  expect(fewer.learned).not.toEqual(first.learned)
  await core.request('trials.restore', { trialIds: [trial?.trialId ?? ''] })
  await save(core, { kind: 'tool-class', tool: 'ping', class: 'check' })
  const ruled = await ask()
  expect(ruled.looked).toBe(2)
  expect(ruled.learned.tools[2]).toMatchObject({ tool: 'ping', stepClass: 'check' })
  await core.request('workspace.setPolicy', { policy: { error: 'exclude', unknown: 'fail' } })
  expect((await ask()).looked).toBe(2)
})

test('rules leave as a file and come back; the same file twice changes nothing', async () => {
  const first = await filled()
  await save(first.core, CHECK)
  await save(first.core, { ...REWARD, note: 'ours' } as Draft)
  const { text, rules } = await first.core.request('rules.export', {})
  expect(rules).toBe(2)
  const second = await filled()
  const taken = await second.core.request('rules.import', { text })
  expect(taken).toMatchObject({ same: 0, changes: [{ revision: 1 }, { revision: 1 }] })
  expect((await second.core.request('rules.export', {})).text).toBe(text)
  expect(await second.core.request('rules.import', { text })).toEqual({ changes: [], same: 2 })
  await apply(second.core)
  expect((await taskNamed(second.core, 'hasty')).severeEvents).toBe(3)
  await second.core.request('rules.undo', { changes: [...taken.changes] })
  expect((await second.core.request('rules.list', {})).rows).toEqual([])
  // By hand, without ids: what says the same is passed over.
  const byHand =
    '{"toolClasses":{"ping":"read"},"rules":[{"kind":"tool-class","tool":"ping","class":"read"}]}'
  expect(await second.core.request('rules.import', { text: byHand })).toMatchObject({ same: 1 })
  expect(await second.core.request('rules.import', { text: byHand })).toEqual({ changes: [], same: 2 })
  const bad = await faultOf(
    second.core.request('rules.import', { text: '{"rules":[{"kind":"stage","tool":"a"}]}' }),
  )
  expect(bad).toMatchObject({ code: 'INVALID_INPUT', where: 'rules file: rules[0].stage' })
})

test('judging can be cancelled; what is left waits and is done later, also by the next opening', async () => {
  const many = Array.from({ length: 400 }, (_, i): Made => ({
    task: `t${i % 20}`,
    outcome: i % 2 === 0 ? 'pass' : 'fail',
    calls: [look, ['book', { user: 'b', amount: i }]],
  }))
  const { core, path, folder } = await filled(many)
  await save(core, CHECK)
  const controller = new AbortController()
  const progress: number[] = []
  const job = core.request(
    'rules.apply',
    {},
    {
      signal: controller.signal,
      progress: ({ done }) => {
        progress.push(done)
        controller.abort()
      },
    },
  )
  expect((await faultOf(job)).code).toBe('CANCELLED')
  const { waitingTrials } = await core.request('rules.list', {})
  expect(waitingTrials).toBeGreaterThan(0)
  expect(waitingTrials).toBeLessThan(400)
  await core.close()
  const again = opened({ path, userDataDir: folder })
  await apply(again.core)
  expect((await again.core.request('rules.list', {})).waitingTrials).toBe(0)
  expect((await again.core.request('tasks.list', {})).summary.severeEvents).toBe(400)
})

test('deleting and restoring trials keeps their events in step', async () => {
  const { core } = await filled()
  await save(core, CHECK)
  await apply(core)
  const { trials } = await analysed(core, 'hasty')
  const ids = trials.filter(({ severe }) => severe.length > 0).map(({ trialId }) => trialId)
  await core.request('trials.delete', { trialIds: ids })
  expect((await core.request('rules.list', {})).rows[0]?.effect).toMatchObject({ events: 0, trials: 0 })
  await core.request('trials.restore', { trialIds: ids })
  expect((await taskNamed(core, 'hasty')).severeEvents).toBe(3)
  await core.request('trials.delete', { trialIds: ids })
  await core.request('workspace.erase', {})
  expect((await core.request('rules.list', {})).rows).toHaveLength(1)
})
