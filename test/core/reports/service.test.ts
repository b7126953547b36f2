// report.preview and report.save through a real core on a real workspace: annotations, chosen tasks and trials, scope
// and policy, saving in place, faults.

import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCore, type Core } from '../../../src/core/core.ts'
import { EMPTY_DRAFT } from '../../../src/model/annotation.ts'
import { deskTrials, writeTrials } from '../../cli/program.ts'

const root = resolve(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'faultline-test-'))
let core: Core
let taskId = ''
let otherId = ''
let trialId = ''
let cause = { id: '', name: '' }

beforeAll(async () => {
  core = openCore({
    path: join(folder, 'desk.fault'),
    resourcesDir: join(root, 'resources'),
    userDataDir: folder,
    appVersion: '0.0.1',
    emit: () => {},
    watchMs: 0,
  })
  const trials = [...deskTrials('refund'), ...deskTrials('exchange', 'eager')]
  const path = writeTrials(join(folder, 'a.jsonl'), 'desk', trials)
  await core.request('imports.run', { files: [{ path }] })
  const { rows } = await core.request('tasks.list', { sort: 'task' })
  otherId = rows[0]?.taskId ?? ''
  taskId = rows[1]?.taskId ?? ''
  const view = await core.request('tasks.get', { taskId })
  trialId = view.trials.find((trial) => trial.outcome === 'fail')?.trialId ?? ''
  const term = (await core.request('taxonomy.get', {})).terms[0]
  cause = { id: term?.id ?? '', name: term?.name ?? '' }
  const draft = {
    ...EMPTY_DRAFT,
    causes: [cause.id],
    severity: 'major' as const,
    note: 'Never looked at the policy, told someone@example.com so.',
    evidence: [{ trialId, step: 3, part: 'arguments' as const, quote: '{"amount":40}' }],
  }
  await core.request('annotations.save', { trialId, revision: 0, draft })
})

afterAll(async () => {
  await core.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('report.preview', () => {
  test('holds findings and what a person wrote, redacted by default', async () => {
    const report = await core.request('report.preview', {})
    expect(report).toMatchObject({ tasks: 2, findings: 2, annotations: 1 })
    expect(report.redactions).toBeGreaterThan(0)
    expect(report.text).toContain(`Root cause: ${cause.name}`)
    expect(report.text).toContain('Severity: major')
    expect(report.text).toContain('told ⟦email 1⟧ so.')
    expect(report.text).toContain('step 3, arguments: `{"amount":40}`')
    expect(report.text).not.toContain('someone')
  })

  test('is made of finished analyses even when it is asked for at once', async () => {
    const path = join(folder, 'fresh.fault')
    const fresh = openCore({
      path,
      resourcesDir: join(root, 'resources'),
      userDataDir: folder,
      appVersion: '0.0.1',
      emit: () => {},
      watchMs: 0,
    })
    try {
      await fresh.request('imports.run', { files: [{ path: join(folder, 'a.jsonl') }] })
      const { text } = await fresh.request('report.preview', {})
      expect(text).not.toContain('being computed')
      expect(text).toContain('2 tasks with a lead')
    } finally {
      await fresh.close()
    }
  })

  test('chosen tasks: the summary is about exactly these', async () => {
    const report = await core.request('report.preview', { taskIds: [otherId], format: 'json' })
    const json = JSON.parse(report.text)
    expect(report).toMatchObject({ tasks: 1, annotations: 0 })
    expect(json.summary).toMatchObject({ tasks: 1, trials: 6 })
    expect(json.summary.pooled).toMatchObject({ n: 6, passes: 3 })
    expect(json.tasks).toHaveLength(1)
  })

  test('chosen trials: only their findings and annotations', async () => {
    const other = (await core.request('tasks.get', { taskId })).trials.find(
      (trial) => trial.outcome === 'fail' && trial.trialId !== trialId,
    )
    const without = await core.request('report.preview', {
      taskIds: [taskId],
      trialIds: [other?.trialId ?? ''],
    })
    expect(without.annotations).toBe(0)
    const only = await core.request('report.preview', {
      taskIds: [taskId],
      trialIds: [trialId],
      format: 'json',
    })
    expect(JSON.parse(only.text).tasks[0].trials.map((trial: { id: string }) => trial.id)).toEqual([trialId])
    expect(only.annotations).toBe(1)
  })

  test('scope and policy are the view’s, and stand in the text', async () => {
    const [one] = await core.request('configurations.list', {})
    const view = {
      configurations: [one?.configurationId ?? ''],
      policy: { error: 'exclude' as const, unknown: 'fail' as const },
    }
    const { text } = await core.request('report.preview', { view })
    expect(text).toContain('1 of 2 configurations · errors excluded, unknown counts as failure')
    expect(text).toContain('1 task ·')
  })

  test('a task that is not in scope is NOT_FOUND', async () => {
    await expect(core.request('report.preview', { taskIds: [taskId, 'nobody'] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('can be cancelled', async () => {
    const signal = AbortSignal.abort()
    await expect(core.request('report.preview', {}, { signal })).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})

describe('report.save', () => {
  test('writes what the preview shows, over what stood there, and leaves nothing else', async () => {
    const path = join(folder, 'report.md')
    writeFileSync(path, 'before')
    const saved = await core.request('report.save', { file: { path }, report: {} })
    const preview = await core.request('report.preview', {})
    expect(readFileSync(path, 'utf8')).toBe(preview.text)
    expect(saved).toMatchObject({
      path,
      bytes: Buffer.byteLength(preview.text),
      report: { tasks: 2, annotations: 1 },
    })
    expect(saved.report).not.toHaveProperty('text')
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([])
  })

  test('a folder that does not exist is a fault with the path and what to do', async () => {
    const path = join(folder, 'no/r.md')
    const saved = core.request('report.save', { file: { path }, report: {} })
    await expect(saved).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      where: path,
      hint: expect.any(String),
    })
  })
})
