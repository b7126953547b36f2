// Annotations end to end: revisions, conflicts with both texts, history, deleting; and the taxonomy.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EMPTY_DRAFT, type Annotation, type AnnotationDraft } from '../../../src/model/annotation.ts'
import type { Core } from '../../../src/core/core.ts'
import { faultOf, importPaths, opened, writeExport } from '../opened.ts'

const draft = (note: string, more: Partial<AnnotationDraft> = {}): AnnotationDraft => ({
  ...EMPTY_DRAFT,
  note,
  ...more,
})

async function trialsIn(core: Core, folder: string): Promise<readonly { trialId: string; taskId: string }[]> {
  await importPaths(core, [
    writeExport(join(folder, 'a.jsonl'), [{ id: 'a' }, { id: 'b' }, { id: 'c', task: 'exchange' }]),
  ])
  const { rows } = await core.request('tasks.list', {})
  const views = await Promise.all(rows.map((row) => core.request('tasks.get', { taskId: row.taskId })))
  return views.flatMap((view) => view.trials.map(({ trialId }) => ({ trialId, taskId: view.row.taskId })))
}

test('an annotation is saved, read back whole, and its revision rises', async () => {
  const { core, folder } = opened()
  const [one, two] = await trialsIn(core, folder)
  const trialId = one?.trialId ?? ''
  const full = draft('misread the date', {
    causes: ['reading/date', 'policy'],
    severity: 'major',
    verdict: 'earlier',
    verdictColumn: 2,
    confidence: 0.7,
    evidence: [{ trialId, step: 2, part: 'observation', quote: '\ud835 <script>' }],
  })
  const saved = await core.request('annotations.save', {
    trialId,
    revision: 0,
    draft: full,
    leadShown: 'Lead: …',
    algorithm: 'align@1',
  })
  expect(saved).toMatchObject({ ...full, trialId, revision: 1, leadShown: 'Lead: …', algorithm: 'align@1' })
  const again = await core.request('annotations.save', { trialId, revision: 1, draft: draft('and then') })
  expect(again).toMatchObject({ id: saved.id, revision: 2, note: 'and then', createdAt: saved.createdAt })
  await core.request('annotations.save', { trialId: two?.trialId ?? '', revision: 0, draft: draft('other') })
  expect(await core.request('annotations.list', {})).toHaveLength(2)
  expect(await core.request('annotations.list', { taskId: one?.taskId ?? '' })).toContainEqual(again)
  expect((await core.request('workspace.info', {})).annotations).toBe(2)
  const view = await core.request('tasks.get', { taskId: one?.taskId ?? '' })
  expect(view.trials.find((trial) => trial.trialId === trialId)?.annotationRevision).toBe(2)
})

test('a save against an old revision is refused with both texts, and nothing is lost', async () => {
  const { core, folder } = opened()
  const [one] = await trialsIn(core, folder)
  const trialId = one?.trialId ?? ''
  await core.request('annotations.save', { trialId, revision: 0, draft: draft('mine') })
  for (const revision of [0, 7]) {
    const fault = await faultOf(
      core.request('annotations.save', { trialId, revision, draft: draft('theirs') }),
    )
    expect(fault.code).toBe('CONFLICT')
    const details = fault.details as { current: Annotation; yours: AnnotationDraft; revision: number }
    expect(details.current).toMatchObject({ note: 'mine', revision: 1 })
    expect(details.yours.note).toBe('theirs')
    expect(details.revision).toBe(1)
  }
  expect(await core.request('annotations.list', {})).toMatchObject([{ note: 'mine', revision: 1 }])
})

test('history holds every earlier state; a deleted one can be saved again', async () => {
  const { core, folder } = opened()
  const [one] = await trialsIn(core, folder)
  const trialId = one?.trialId ?? ''
  for (const [revision, note] of ['one', 'two', 'three'].entries()) {
    await core.request('annotations.save', { trialId, revision, draft: draft(note) })
  }
  expect((await core.request('annotations.history', { trialId })).map((state) => state.note)).toEqual([
    'two',
    'one',
  ])
  const old = await faultOf(core.request('annotations.delete', { trialId, revision: 1 }))
  expect(old.code).toBe('CONFLICT')
  expect(await core.request('annotations.delete', { trialId, revision: 3 })).toEqual({ revision: 4 })
  expect(await core.request('annotations.list', {})).toEqual([])
  const [last] = await core.request('annotations.history', { trialId })
  expect(last?.note).toBe('three')
  expect((await faultOf(core.request('annotations.delete', { trialId, revision: 4 }))).code).toBe('NOT_FOUND')
  const back = await core.request('annotations.save', { trialId, revision: 0, draft: draft('three again') })
  expect(back.revision).toBe(5)
})

test('an annotation goes and comes with its trial', async () => {
  const { core, folder } = opened()
  const [one] = await trialsIn(core, folder)
  const trialId = one?.trialId ?? ''
  await core.request('annotations.save', { trialId, revision: 0, draft: draft('mine') })
  await core.request('trials.delete', { trialIds: [trialId] })
  expect(await core.request('annotations.list', {})).toEqual([])
  expect(
    (await faultOf(core.request('annotations.save', { trialId, revision: 1, draft: draft('x') }))).code,
  ).toBe('NOT_FOUND')
  await core.request('trials.restore', { trialIds: [trialId] })
  expect(await core.request('annotations.list', {})).toMatchObject([{ note: 'mine' }])
})

test('the taxonomy comes with the program; a missing or broken one is told', async () => {
  const { core, folder } = opened()
  expect((await faultOf(core.request('taxonomy.get', {}))).code).toBe('FILE_UNREADABLE')
  mkdirSync(join(folder, 'resources'))
  writeFileSync(join(folder, 'resources', 'taxonomy.json'), '{"format":"something else"}')
  expect((await faultOf(core.request('taxonomy.get', {}))).code).toBe('FILE_UNREADABLE')
  const taxonomy = {
    format: 'faultline-taxonomy',
    version: 1,
    title: 'Root causes',
    terms: [{ id: 'reading/date', name: 'Misread date', definition: 'd', example: 'e' }],
  }
  writeFileSync(join(folder, 'resources', 'taxonomy.json'), JSON.stringify(taxonomy))
  expect(await core.request('taxonomy.get', {})).toEqual(taxonomy)
})
