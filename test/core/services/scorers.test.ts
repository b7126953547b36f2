// Which of several scores decides, end to end: an Inspect log with two scorers, the choice of the other one, from a
// number on; that it is remembered, holds for what comes later, and can be taken back.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Core } from '../../../src/core/core.ts'
import { faultOf, importPaths, opened } from '../opened.ts'
import { header, json, sample } from '../importers/inspectlogs.ts'

type Scores = readonly (readonly [match: unknown, judge: unknown])[]

/** A log of one task; each epoch has a score of `match`, and of `judge` where it is given. */
function log(folder: string, name: string, scores: Scores, run = 'run1'): string {
  const path = join(folder, name)
  const samples = scores.map(([match, judge], i) =>
    sample({
      epoch: i + 1,
      uuid: `${run}-${i}`,
      scores: { judge: judge === undefined ? undefined : { value: judge }, match: { value: match } },
    }),
  )
  const scorers = [{ name: 'match' }, { name: 'judge' }]
  writeFileSync(path, json(samples, header({}, { run_id: run, scorers })))
  return path
}

const outcomesOf = async (core: Core): Promise<readonly string[]> => {
  await core.request('rules.apply', {})
  const { rows } = await core.request('tasks.list', {})
  const { trials } = await core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
  return trials.map(({ outcome }) => outcome)
}

test('the first scorer decides until a person picks another; that is remembered and can be taken back', async () => {
  const { core, folder } = opened()
  const path = log(folder, 'a.json', [
    ['C', 0.2],
    ['I', 0.8],
    ['I', undefined],
    ['C', 1],
  ])
  const fields = [
    { name: 'judge', trials: 3, lowest: 0.2, highest: 1 },
    { name: 'match', trials: 4, lowest: 0, highest: 1 },
  ]
  const unchosen = {
    suite: 'suite',
    fields,
    decides: 'match',
    threshold: null,
    isChosen: false,
    isStated: false,
    isOpen: true,
  }
  const seen = await core.request('imports.preview', { files: [{ path }] })
  expect(
    seen.scorers.map((choice) => ({
      ...choice,
      fields: choice.fields.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    })),
  ).toEqual([unchosen])
  expect(seen.attention).toContain('In suite “match” decides; its trials also have “judge”.')

  const { importId } = await importPaths(core, [path])
  expect(await core.request('rules.scorers', { importId })).toEqual([unchosen])
  expect(await outcomesOf(core)).toEqual(['pass', 'fail', 'fail', 'pass'])
  const { ruleId, revision } = await core.request('rules.decide', {
    suite: 'suite',
    scorer: 'judge',
    threshold: 0.8,
  })
  // What the chosen scorer did not score is unknown, whatever another one says of it.
  expect(await outcomesOf(core)).toEqual(['fail', 'pass', 'unknown', 'pass'])

  const later = log(folder, 'b.json', [['C', 0.1]], 'run2')
  const again = await core.request('imports.preview', { files: [{ path: later }] })
  expect(again.scorers).toMatchObject([{ decides: 'judge', threshold: 0.8, isChosen: true, isOpen: false }])
  expect(again.attention.join()).not.toContain('decides')
  await importPaths(core, [later])
  expect(await outcomesOf(core)).toEqual(['fail', 'pass', 'unknown', 'pass', 'fail'])

  const changed = await core.request('rules.decide', { suite: 'suite', scorer: 'match' })
  expect(changed.ruleId).toBe(ruleId)
  expect(await outcomesOf(core)).toEqual(['pass', 'fail', 'fail', 'pass', 'pass'])
  await core.request('rules.undo', { changes: [{ ruleId, revision: changed.revision }] })
  expect(await outcomesOf(core)).toEqual(['fail', 'pass', 'unknown', 'pass', 'fail'])
  // The first choice can be taken back, too, although the rule was written since: it says again what it said then.
  await core.request('rules.undo', { changes: [{ ruleId, revision }] })
  expect(await outcomesOf(core)).toEqual(['pass', 'fail', 'fail', 'pass', 'pass'])
  expect((await core.request('rules.list', {})).rows).toEqual([])
})

test('a score on a scale asks from where it is a pass; one plain score, or the parts of a reward, ask nothing', async () => {
  const { core, folder } = opened()
  const path = join(folder, 'scale.json')
  const samples = [3, 9].map((value, i) =>
    sample({ epoch: i + 1, uuid: `s${i}`, scores: { grade: { value } } }),
  )
  writeFileSync(path, json(samples))
  const { importId } = await importPaths(core, [path])
  expect(await outcomesOf(core)).toEqual(['unknown', 'unknown'])
  expect(await core.request('rules.scorers', { importId })).toMatchObject([
    { suite: 'suite', decides: 'grade', isOpen: true, fields: [{ lowest: 3, highest: 9 }] },
  ])
  await core.request('rules.decide', { suite: 'suite', scorer: 'grade', threshold: 7 })
  expect(await outcomesOf(core)).toEqual(['fail', 'pass'])

  const other = opened()
  const tau2 = join(import.meta.dirname, '../../fixtures/tau2/airline-fail.json')
  const one = join(other.folder, 'one.json')
  writeFileSync(one, json([sample()], header({}, { task: 'plain' })))
  await importPaths(other.core, [tau2, one])
  const choices = await other.core.request('rules.scorers', {})
  expect(choices.filter(({ isOpen }) => isOpen)).toEqual([])
  expect(choices.map(({ suite }) => suite)).not.toContain('plain')
})

test('outcomes that the source says ask nothing; another score can be chosen, and what was imported again', async () => {
  const { core, folder } = opened()
  const path = join(folder, 'stated.jsonl')
  const trial = (id: string, outcome: string, waste: number, scorer: string | null) =>
    JSON.stringify({
      type: 'trial',
      trial_id: id,
      task_id: 't',
      outcome,
      scorer,
      scores: { waste },
      steps: [],
    })
  for (const scorer of ['the desk’s own check', null]) {
    const lines = [trial('a', 'pass', 0, scorer), trial('b', 'fail', 40, scorer)]
    writeFileSync(
      path,
      ['{"type":"header","format":"faultline","version":1,"suite":"desk"}', ...lines].join('\n'),
    )
    const seen = await core.request('imports.preview', { files: [{ path }] })
    expect(seen.scorers).toMatchObject([{ decides: null, isStated: true, isOpen: false }])
    expect(seen.attention.join()).not.toContain('decides')
  }
  await importPaths(core, [path])
  expect(await core.request('rules.scorers', {})).toMatchObject([
    { suite: 'desk', decides: null, isChosen: false, isStated: true, isOpen: false },
  ])
  await core.request('rules.decide', { suite: 'desk', scorer: 'waste', threshold: 30 })
  expect(await outcomesOf(core)).toEqual(['fail', 'pass'])
  expect(await core.request('rules.scorers', {})).toMatchObject([
    { decides: 'waste', isChosen: true, isStated: true },
  ])
  const removed = await core.request('rules.decide', { suite: 'desk', scorer: null })
  expect(await outcomesOf(core)).toEqual(['pass', 'fail'])
  await expect(core.request('rules.decide', { suite: 'desk', scorer: null })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await core.request('rules.undo', { changes: [{ ruleId: removed.ruleId, revision: removed.revision }] })
  expect(await outcomesOf(core)).toEqual(['fail', 'pass'])
})

test('a rule of another kind that speaks first is told, and no choice is written that decides nothing', async () => {
  const { core, folder } = opened()
  await importPaths(core, [
    log(folder, 'a.json', [
      ['C', 0.2],
      ['I', 0.8],
    ]),
  ])
  const draft = { kind: 'outcome', suite: 'suite', scorer: 'judge', test: '<=', value: 0.5 } as const
  const { ruleId, revision } = await core.request('rules.save', { draft })
  expect(await core.request('rules.scorers', {})).toMatchObject([
    { decides: null, isChosen: false, isStated: true, isOpen: false },
  ])
  const fault = await faultOf(core.request('rules.decide', { suite: 'suite', scorer: 'match' }))
  expect([fault.code, fault.message]).toEqual(['CONFLICT', expect.stringContaining('judge')])
  expect((await core.request('rules.list', {})).rows.map(({ rule: { id } }) => id)).toEqual([ruleId])
  await core.request('rules.save', { ruleId, revision, draft: { ...draft, enabled: false } })
  await core.request('rules.decide', { suite: 'suite', scorer: 'judge', threshold: 0.5 })
  expect(await outcomesOf(core)).toEqual(['fail', 'pass'])
})
