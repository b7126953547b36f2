// Analyses as the core computes and keeps them: the sample's tasks through real worker threads, normal forms kept and
// used again, the same result whether they were there or not.

import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Core } from '../../../src/core/core.ts'
import { NORMAL_VERSION } from '../../../src/analysis/divergence/input.ts'
import { opened, repo } from '../opened.ts'

const sample = join(repo, 'resources/sample/refund-desk.faultline.jsonl')

async function analysisOf(core: Core, task: string, exclude = false): Promise<unknown> {
  const { rows } = await core.request('tasks.list', {})
  const taskId = rows.find((row) => row.task === task)?.taskId ?? ''
  const view = exclude ? { policy: { error: 'exclude', unknown: 'exclude' } as const } : {}
  for (let attempt = 0; attempt < 200; attempt++) {
    const found = await core.request('tasks.get', { taskId, view })
    if (found.analysisState === 'ready' || found.analysisState === 'failed') return found.analysis
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('The analysis never came')
}

function forms(path: string): { count: number; variants: string[] } {
  const db = new Database(path, { readonly: true })
  const rows = db.prepare('SELECT variant FROM normal_forms').all() as { variant: string }[]
  db.close()
  return { count: rows.length, variants: [...new Set(rows.map((row) => row.variant))] }
}

test('normal forms are kept, used again, and change nothing in the result', async () => {
  const { core, path } = opened()
  await core.request('imports.run', { files: [{ path: sample }] })
  const first = await analysisOf(core, 't02')
  expect(first).not.toBeNull()
  const kept = forms(path)
  expect(kept.count).toBeGreaterThanOrEqual(16)
  expect(kept.variants).toEqual([`${NORMAL_VERSION}`])

  // Another view of the same trials is another analysis, made from the kept forms.
  const again = await analysisOf(core, 't02', true)
  expect(again).toEqual(first)
})

test('a kept form of another version is made anew', async () => {
  const { core, path } = opened()
  await core.request('imports.run', { files: [{ path: sample }] })
  const first = await analysisOf(core, 't07')
  const db = new Database(path)
  db.prepare(`UPDATE normal_forms SET variant = '0', bytes = 2, body = x'00'`).run()
  db.close()
  expect(await analysisOf(core, 't07', true)).toEqual(first)
  expect(forms(path).variants).toContain(`${NORMAL_VERSION}`)
})
