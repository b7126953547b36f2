// "Delete everything" takes everything: trials, annotations, rules and their history, attached outcomes, choices, safety
// copies. All of it comes back until it is erased, and nothing of it is in the files afterwards.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Core } from '../../../src/core/core.ts'
import type { Input } from '../../../src/contract/contract.ts'
import { EMPTY_DRAFT } from '../../../src/model/annotation.ts'
import { openWriter } from '../../../src/core/store/open.ts'
import { faultOf, importPaths, opened, writeExport } from '../opened.ts'

type Draft = Input<'rules.save'>['draft']

const forbidden = (event: string): Draft => ({ kind: 'must-not', suite: null, event, tool: 'get_order' })

/** One word for each kind of thing that a person wrote or brought. */
const WORDS = {
  task: 'samarkand_refund',
  file: 'bishkek',
  annotation: 'the customer lives in Almaty',
  earlierAnnotation: 'perhaps Karaganda',
  rule: 'ulaanbaatar_rule',
  earlierRule: 'erdenet_rule',
  removedRule: 'darkhan_rule',
  attachment: 'tashkent_results',
  copy: 'astana in a safety copy',
} as const

/** Stands in a step only: packed there, and in plain letters in the index of the search. */
const INDEXED = 'zaqatalaword'

const bytesIn = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.startsWith('test.fault'))
    .map((name) => readFileSync(join(folder, name)).toString('latin1'))
    .join('')

const wordsIn = (text: string): readonly string[] =>
  Object.values(WORDS).filter((word) => text.includes(word))

/** Writes one of everything. */
async function fill(core: Core, folder: string, path: string): Promise<void> {
  await importPaths(core, [
    writeExport(join(folder, `${WORDS.file}.jsonl`), [
      { id: 'a', task: WORDS.task, outcome: 'fail', note: `${INDEXED} is said in a step` },
      { id: 'b', task: 'exchange', outcome: 'unknown' },
    ]),
  ])
  const { rows } = await core.request('tasks.list', {})
  const { trials } = await core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
  const annotate = (revision: number, note: string) =>
    core.request('annotations.save', {
      trialId: trials[0]?.trialId ?? '',
      revision,
      draft: { ...EMPTY_DRAFT, note },
    })
  await annotate(0, WORDS.earlierAnnotation)
  await annotate(1, WORDS.annotation)
  const first = await core.request('rules.save', { draft: forbidden(WORDS.earlierRule) })
  await core.request('rules.save', { ruleId: first.ruleId, revision: 1, draft: forbidden(WORDS.rule) })
  const gone = await core.request('rules.save', { draft: forbidden(WORDS.removedRule) })
  await core.request('rules.remove', { ruleId: gone.ruleId, revision: 1 })
  await core.request('rules.apply', {})
  const results = join(folder, `${WORDS.attachment}.csv`)
  writeFileSync(results, `task,passed,score\nexchange,1,70\n`)
  await core.request('outcomes.attach', {
    files: [{ path: results }],
    choice: { scorer: 'score', threshold: 60 },
    replace: true,
  })
  writeFileSync(`${path}.before-2`, WORDS.copy)
}

/** Everything that can be asked, as one text. */
async function state(core: Core): Promise<string> {
  const { rows } = await core.request('tasks.list', {})
  const tasks = await Promise.all(rows.map(({ taskId }) => core.request('tasks.get', { taskId })))
  const rules = (await core.request('rules.list', {})).rows
  const attachments = await core.request('outcomes.list', {})
  const annotations = await core.request('annotations.list', {})
  return JSON.stringify({
    trials: tasks.flatMap((task) => task.trials.map(({ trialId, outcome }) => [trialId, outcome])),
    events: rows.map(({ severeEvents, rate }) => [severeEvents, rate.passes]),
    rules,
    histories: await Promise.all(rules.map(({ rule }) => core.request('rules.history', { ruleId: rule.id }))),
    attachments,
    annotations,
    earlier: await Promise.all(
      annotations.map(({ trialId }) => core.request('annotations.history', { trialId })),
    ),
    imports: (await core.request('imports.list', {})).map(({ importId }) => importId),
  })
}

test('everything goes, comes back whole, and is not in the files once it is erased', async () => {
  const { core, folder, path } = opened()
  await fill(core, folder, path)
  const before = await state(core)
  expect(wordsIn(bytesIn(folder))).toEqual(Object.values(WORDS))
  await expect
    .poll(async () => (await core.request('workspace.info', {})).indexPending, { timeout: 10_000 })
    .toBe(0)
  expect((await core.request('search.steps', { text: INDEXED })).found.trials).toBe(1)
  expect(bytesIn(folder).toLowerCase()).toContain(INDEXED)
  expect(await core.request('workspace.info', {})).toMatchObject({ trials: 2, rules: 1, isEmpty: false })

  expect(await core.request('workspace.deleteAll', {})).toEqual({ trials: 2, rules: 1 })
  expect(await core.request('workspace.info', {})).toMatchObject({
    trials: 0,
    annotations: 0,
    rules: 0,
    isEmpty: true,
    deletedTrials: 2,
    deletedRules: 1,
  })
  expect((await core.request('rules.list', {})).rows).toEqual([])
  expect(await core.request('outcomes.list', {})).toEqual([])

  expect(await core.request('workspace.restoreAll', {})).toEqual({ trials: 2, rules: 1 })
  expect(await state(core)).toBe(before)

  await core.request('workspace.deleteAll', {})
  expect(await core.request('workspace.erase', {})).toEqual({ trials: 2, rules: 1 })
  expect(wordsIn(bytesIn(folder))).toEqual([])
  expect(bytesIn(folder).toLowerCase()).not.toContain(INDEXED)
  expect(await core.request('workspace.restoreAll', {})).toEqual({ trials: 0, rules: 0 })
  expect(await core.request('workspace.info', {})).toMatchObject({ isEmpty: true, backups: [] })
  // Nothing is left in any table but the choice of the sample and what the schema needs.
  const db = openWriter(path, { appVersion: 'x' })
  for (const name of ['trials', 'rules', 'rule_history', 'analyses', 'attachments', 'tasks', 'import_runs'])
    expect([name, db.value(`SELECT count(*) FROM ${name}`)]).toEqual([name, 0])
  expect(db.all(`SELECT key FROM settings WHERE key <> 'recentViews'`)).toEqual([])
  db.close()
})

test('the app erases all of it when it closes, also a workspace that holds nothing but rules', async () => {
  const { core, folder } = opened({ eraseOnClose: true })
  await core.request('rules.save', { draft: forbidden(WORDS.rule) })
  expect(await core.request('workspace.deleteAll', {})).toEqual({ trials: 0, rules: 1 })
  await core.close()
  expect(wordsIn(bytesIn(folder))).toEqual([])
})

test('what is written after it stays, beside what comes back, and is not erased', async () => {
  const { core, folder } = opened()
  const { ruleId } = await core.request('rules.save', { draft: forbidden(WORDS.rule) })
  const { text } = await core.request('rules.export', {})
  await core.request('workspace.deleteAll', {})
  expect((await faultOf(core.request('rules.history', { ruleId }))).code).toBe('NOT_FOUND')
  const again = await core.request('rules.import', { text: text.replace(WORDS.rule, 'a_new_rule') })
  expect(again.changes).toHaveLength(1)
  expect(again.changes[0]?.ruleId).not.toBe(ruleId)
  const events = async () =>
    (await core.request('rules.list', {})).rows.map(({ rule }) => ('event' in rule ? rule.event : ''))
  expect(await events()).toEqual(['a_new_rule'])
  await core.request('workspace.restoreAll', {})
  expect(await events()).toEqual([WORDS.rule, 'a_new_rule'])
  // Deleted twice, with something between: both come back together.
  await core.request('workspace.deleteAll', {})
  await core.request('rules.save', { draft: forbidden('between') })
  await core.request('workspace.deleteAll', {})
  expect(await core.request('workspace.restoreAll', {})).toEqual({ trials: 0, rules: 3 })
  await core.request('workspace.deleteAll', {})
  await core.request('rules.save', { draft: forbidden('kept') })
  expect(await core.request('workspace.erase', {})).toEqual({ trials: 0, rules: 3 })
  expect(await events()).toEqual(['kept'])
  expect(wordsIn(bytesIn(folder))).toEqual([])
})

test('a copy that is saved meanwhile holds no deleted rule', async () => {
  const { core, folder } = opened()
  await core.request('rules.save', { draft: forbidden(WORDS.rule) })
  await core.request('workspace.deleteAll', {})
  const target = join(folder, 'copy.fault')
  await core.request('workspace.saveCopy', { file: { path: target } })
  expect(readFileSync(target).toString('latin1')).not.toContain(WORDS.rule)
  expect(await core.request('workspace.restoreAll', {})).toEqual({ trials: 0, rules: 1 })
})
