// The sample workspace must show its planted differences: what a newcomer sees first. Includes a write with a verb
// that is in no word list (settle_request): unknown tools are state-changing, never folded.

import { join, resolve } from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TaskAnalysis } from '../../../src/model/analysis.ts'
import { openCore, type Core } from '../../../src/core/core.ts'

const root = resolve(import.meta.dirname, '../../..')

describe('the sample workspace', () => {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-sample-'))
  let core: Core
  const found = new Map<string, TaskAnalysis>()

  beforeAll(async () => {
    core = openCore({
      path: join(folder, 'sample.fault'),
      resourcesDir: join(root, 'resources'),
      userDataDir: folder,
      appVersion: '0.0.0',
      emit: () => {},
      watchMs: 0,
    })
    await core.request('imports.run', {
      files: [{ path: join(root, 'resources/sample/refund-desk.faultline.jsonl') }],
    })
    const { rows } = await core.request('tasks.list', {})
    for (const row of rows) {
      for (let attempt = 0; attempt < 100; attempt++) {
        const view = await core.request('tasks.get', { taskId: row.taskId })
        if (view.analysisState === 'ready' || view.analysisState === 'failed') {
          if (view.analysis !== null) found.set(row.task, view.analysis)
          break
        }
        await new Promise((done) => setTimeout(done, 100))
      }
    }
  }, 60_000)

  afterAll(async () => {
    await core.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each([
    ['t02', 'missing', 'check_refund_policy'],
    ['t07', 'arguments', 'check_refund_policy'],
    ['t09', 'missing', 'list_orders'],
    ['t10', 'missing', 'list_refunds'],
    ['t04', 'duplicate', 'settle_request'],
  ])('%s: %s of %s', (task, kind, tool) => {
    expect(found.get(task)?.lead).toMatchObject({ kind, columnTool: expect.stringContaining(tool) })
  })

  it.each(['t01', 't03'])('%s: stopped after an error that others recovered from', (task) => {
    expect(found.get(task)?.lead).toMatchObject({ kind: 'termination', afterError: true })
  })

  it('counts a tool with an unknown verb as state-changing', () => {
    const tool = found.get('t04')?.tools.find(({ name }) => name === 'settle_request')
    expect(tool?.stepClass).toBe('write')
  })
})
