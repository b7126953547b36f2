// An import before anything is written: what is found, what is missing, what a person should see; overrides; outcome
// files beside trajectories. A real core on real files.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultOf, importPaths, opened, writeExport } from '../opened.ts'

test('the preview counts what the import would bring, and writes nothing', async () => {
  const { core, folder } = opened()
  const path = writeExport(join(folder, 'a.jsonl'), [
    { task: 'a', outcome: 'pass', startedAt: '2026-01-01T10:00:00Z', cost: 1 },
    { task: 'a', outcome: 'fail' },
    { task: 'b', outcome: 'unknown', config: 'eager' },
    { task: 'b', outcome: 'error' },
  ])
  const files = [{ path }]
  const seen = await core.request('imports.preview', { files })
  expect(seen).toMatchObject({
    trials: 4,
    tasks: 2,
    suites: ['desk'],
    configurations: ['careful', 'eager'],
    outcomes: { pass: 1, fail: 1, error: 1, unknown: 1 },
    without: { steps: 0, times: 3, cost: 3 },
    alreadyHere: 0,
    isPartial: false,
    filesTotal: 1,
  })
  expect(seen.files[0]).toMatchObject({
    name: 'a.jsonl',
    state: 'trials',
    format: 'faultline-jsonl',
    tasks: 2,
    fault: null,
  })
  expect(
    seen.firstTrials.map(({ task, outcome, configuration, steps, sourceId }) => [
      task,
      outcome,
      configuration,
      steps,
      sourceId,
    ]),
  ).toEqual([
    ['a', 'pass', 'careful', 4, 'r0'],
    ['a', 'fail', 'careful', 4, 'r1'],
    ['b', 'unknown', 'eager', 4, 'r2'],
    ['b', 'error', 'careful', 4, 'r3'],
  ])
  expect(seen.attention).toEqual([
    'How it ended is not known of 1 trial of 4.',
    '2 configurations together: careful, eager.',
  ])
  expect((await core.request('workspace.info', {})).trials).toBe(0)
  expect(await core.request('imports.list', {})).toEqual([])
  await importPaths(core, [path])
  expect(await core.request('imports.preview', { files })).toMatchObject({ trials: 4, alreadyHere: 4 })
})

test('a suite and a label for the configurations; single files with another format or left out', async () => {
  const { core, folder } = opened()
  mkdirSync(join(folder, 'in'))
  writeExport(join(folder, 'in/a.jsonl'), [{ id: 'a', note: 'one' }])
  writeExport(join(folder, 'in/b.jsonl'), [{ id: 'b', note: 'two' }])
  writeFileSync(join(folder, 'in/notes.md'), '# nothing')
  const choices = {
    files: [{ path: join(folder, 'in') }],
    suite: 'night',
    label: 'v2',
    formats: { 'in/b.jsonl': 'skip' },
  }
  const seen = await core.request('imports.preview', choices)
  expect(seen).toMatchObject({ trials: 1, suites: ['night'], configurations: ['v2'] })
  expect(seen.files.map(({ name, state }) => [name, state])).toEqual([
    ['in/a.jsonl', 'trials'],
    ['in/b.jsonl', 'skipped'],
    ['in/notes.md', 'skipped'],
  ])
  const run = await core.request('imports.run', choices)
  expect(run).toMatchObject({ trialsNew: 1 })
  expect(run.files.map(({ state, reason }) => [state, reason])).toContainEqual([
    'skipped',
    'left out by hand',
  ])
  const [configuration] = await core.request('configurations.list', {})
  expect(configuration).toMatchObject({ label: 'v2', configuration: { label: 'v2', model: 'some-model' } })
  // The same trials are the same, whatever they are called: importing them without a label changes nothing.
  expect(await importPaths(core, [join(folder, 'in/a.jsonl')])).toMatchObject({ trialsNew: 0, trialsSame: 1 })
  const wrong = await faultOf(
    core.request('imports.run', { ...choices, formats: { 'in/a.jsonl': 'nonsense' } }),
  )
  expect(wrong.code).toBe('INVALID_INPUT')
})

test('files that need a person, cannot be read, or are recognised and not read are told apart', async () => {
  const { core, folder } = opened()
  mkdirSync(join(folder, 'in'))
  const write = (name: string, content: string): void => writeFileSync(join(folder, 'in', name), content)
  write('strange.json', '{"hello":"world"}')
  write('empty.json', '')
  write('spans.json', '{"resourceSpans":[]}')
  const files = ['strange.json', 'empty.json', 'spans.json'].map((name) => ({
    path: join(folder, 'in', name),
  }))
  const seen = await core.request('imports.preview', { files })
  expect(seen.files.map(({ name, state, fault }) => [name, state, fault?.code])).toEqual([
    ['strange.json', 'needs format', 'FORMAT_UNKNOWN'],
    ['empty.json', 'unreadable', 'FILE_EMPTY'],
    ['spans.json', 'unreadable', 'FORMAT_UNKNOWN'],
  ])
  expect(seen.files[2]?.fault?.message).toContain('OpenTelemetry spans')
  expect(seen.attention).toEqual(['1 file needs a format.', '2 files cannot be read.'])
  expect(await core.request('imports.recognised', {})).toContain('OpenTelemetry spans')
})

test('an outcome file beside trajectories is set aside, in the preview and in the import; alone it is trials', async () => {
  const { core, folder } = opened()
  mkdirSync(join(folder, 'in'))
  writeExport(join(folder, 'in/z.jsonl'), [{ task: 'a', outcome: 'unknown' }])
  writeFileSync(join(folder, 'in/outcomes.csv'), 'task_id,passed\na,1\n')
  const files = [{ path: join(folder, 'in') }]
  const seen = await core.request('imports.preview', { files })
  expect(seen.trials).toBe(1)
  expect(seen.files.map(({ name, state, format }) => [name, state, format])).toEqual([
    ['in/outcomes.csv', 'outcomes', 'outcome-csv'],
    ['in/z.jsonl', 'trials', 'faultline-jsonl'],
  ])
  expect(seen.attention).toEqual([
    'No trial says how it ended.',
    '1 file holds outcomes that can be attached.',
  ])
  const run = await importPaths(core, [join(folder, 'in')])
  expect(run).toMatchObject({ trialsNew: 1 })
  const aside = run.files.find(({ name }) => name === 'in/outcomes.csv')
  expect(aside).toMatchObject({ state: 'skipped', format: 'outcome-csv', fault: null })
  expect(aside?.reason).toContain('attached')
  const done = await core.request('outcomes.attach', {
    files,
    only: ['in/outcomes.csv'],
    importId: run.importId,
  })
  expect(done.preview).toMatchObject({ matched: 1, changed: 1 })
  const alone = opened()
  expect(await importPaths(alone.core, [join(folder, 'in/outcomes.csv')])).toMatchObject({ trialsNew: 1 })
  // Chosen by hand it is trials, too.
  const forced = await core.request('imports.run', { files, formats: { 'in/outcomes.csv': 'outcome-csv' } })
  expect(forced).toMatchObject({ trialsNew: 1, trialsSame: 1 })
})

test('a changed table of outcomes contradicts what is here, and is no second set of trials', async () => {
  const { core, folder } = opened()
  const path = join(folder, 'model-a.csv')
  writeFileSync(path, 'task_id,Trial_1,Trial_2\na,1,1\n')
  await importPaths(core, [path])
  writeFileSync(path, 'task_id,Trial_1,Trial_2\na,1,0\n')
  const run = await importPaths(core, [path])
  expect(run.files[0]).toMatchObject({ trialsNew: 1, trialsSame: 1, conflicts: 1 })
  expect(await core.request('conflicts.list', {})).toMatchObject([
    { task: 'a', differs: ['outcome', 'score'] },
  ])
})

test('looking can be cancelled', async () => {
  const { core, folder } = opened()
  const path = writeExport(
    join(folder, 'a.jsonl'),
    Array.from({ length: 3000 }, (_, at) => ({ id: `r${at}` })),
  )
  const controller = new AbortController()
  const looking = core.request('imports.preview', { files: [{ path }] }, { signal: controller.signal })
  controller.abort()
  expect((await faultOf(looking)).code).toBe('CANCELLED')
  const seen = await core.request('imports.preview', { files: [{ path }] })
  expect(seen).toMatchObject({ isPartial: true, trials: 2000 })
})
