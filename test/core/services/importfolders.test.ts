// Imports of formats that are folders, end to end: a real core, real folders, the import thread. Each is one file of
// the import; a second import of it, as a folder or in a zip, changes nothing.

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Core } from '../../../src/core/core.ts'
import { fixture, hasSharedData, sharedData } from '../importers/readall.ts'
import { makeZip } from '../importers/zipwriter.ts'
import { importPaths, opened } from '../opened.ts'

const outcomesOf = async (core: Core, suite: string, task: string) => {
  const { rows } = await core.request('tasks.list', {})
  const row = rows.find((one) => one.suite === suite && one.task === task)
  if (row === undefined) return []
  const { trials } = await core.request('tasks.get', { taskId: row.taskId })
  return trials.map((trial) => [trial.number, trial.outcome])
}

/** A folder as a zip of the same files. */
const zipped = (folder: string, prefix: string): Buffer =>
  makeZip(
    readdirSync(folder, { recursive: true })
      .map((name) => String(name).replaceAll('\\', '/'))
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => ({ name: `${prefix}${name}`, data: readFileSync(join(folder, name)) })),
  )

test('a Harbor job is one file with its trials; again, or in a zip, it changes nothing', async () => {
  const { core, folder } = opened()
  const run = await importPaths(core, [fixture('harbor/job')])
  expect(run).toMatchObject({ state: 'kept', trialsNew: 5, trialsSame: 0 })
  expect(run.files.map((file) => [file.name, file.format, file.state, file.tasks])).toEqual([
    ['job', 'harbor', 'kept', 2],
  ])
  expect(run.files[0]?.bytes).toBeGreaterThan(1000)
  expect(await outcomesOf(core, 'demo-set', 'make-file')).toEqual([
    [1, 'pass'],
    [2, 'fail'],
    [3, 'error'],
  ])
  expect(await outcomesOf(core, 'demo-set', 'sort-list')).toEqual([
    [1, 'pass'],
    [2, 'fail'],
  ])
  expect(await importPaths(core, [fixture('harbor/job')])).toMatchObject({ trialsNew: 0, trialsSame: 5 })
  const path = join(folder, 'job.zip')
  writeFileSync(path, zipped(fixture('harbor/job'), 'jobs/one/'))
  const again = await importPaths(core, [path])
  expect(again.files.map((file) => [file.name, file.state])).toEqual([['job.zip/jobs/one', 'unchanged']])
})

test('a folder of tau2 files, and one that is a result by itself', async () => {
  const { core } = opened()
  const run = await importPaths(core, [fixture('tau2')])
  expect(run).toMatchObject({ state: 'kept', trialsNew: 6 })
  const kept = run.files.filter((file) => file.state === 'kept').map((file) => file.name)
  expect(kept).toEqual([
    'tau2/airline-fail.json',
    'tau2/airline-pass.json',
    'tau2/mock-max-steps.json',
    'tau2/mock-user-tools.json',
    'tau2/voice',
  ])
  expect(await outcomesOf(core, 'retail', '40')).toEqual([[1, 'unknown']])
  expect(await importPaths(core, [fixture('tau2')])).toMatchObject({ trialsNew: 0, trialsSame: 6 })
})

const real = sharedData('tau2-bench-activegraph')

test.skipIf(!hasSharedData('tau2-bench-activegraph', 'real τ²-bench files are'))(
  'trials that are each a file with trial 0 are numbered by start time',
  async () => {
    const { core } = opened()
    await importPaths(core, [real])
    expect(await outcomesOf(core, 'airline', '8')).toEqual([
      [1, 'fail'],
      [2, 'fail'],
      [3, 'pass'],
      [4, 'fail'],
    ])
    expect(await outcomesOf(core, 'airline', '0')).toEqual([[1, 'pass']])
  },
)
