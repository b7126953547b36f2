// What a person says of a configuration in place of the file: shown everywhere, remembered, taken back, deleted and brought
// back with everything else; trials stay grouped by what was imported.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWriter } from '../../../src/core/store/open.ts'
import { loadConfigurationEdits } from '../../../src/core/store/settings.ts'
import { faultOf, importPaths, opened, repo, writeExport } from '../opened.ts'

test('facts of a configuration can be said otherwise, and follow the file again', async () => {
  const { core, folder } = opened()
  await importPaths(core, [
    writeExport(join(folder, 'a.jsonl'), [
      { task: 'a', config: 'careful' },
      { task: 'a', config: 'eager', outcome: 'fail' },
    ]),
  ])
  const list = async () => await core.request('configurations.list', {})
  const [careful] = await list()
  const { configurationId } = careful!
  const edit = (said: object) => core.request('configurations.edit', { configurationId, edit: said })
  expect(await edit({ label: ' night run ', promptVersion: 'v7', model: 'some-model' })).toEqual({
    before: {},
  })
  const [after, other] = await list()
  expect(after).toMatchObject({
    configurationId,
    label: 'night run',
    trials: 1,
    configuration: { label: 'night run', promptVersion: 'v7', model: 'some-model' },
    imported: { label: 'careful', promptVersion: null },
  })
  expect(other).toMatchObject({ label: 'eager', trials: 1 })
  const { rows } = await core.request('tasks.list', {})
  const { trials } = await core.request('tasks.get', { taskId: rows[0]!.taskId })
  expect(trials.map(({ configurationLabel }) => configurationLabel).toSorted()).toEqual([
    'eager',
    'night run',
  ])

  // What says the same as the file is no edit; undo is saying again what was said before.
  expect(await edit({})).toEqual({ before: { label: 'night run', promptVersion: 'v7' } })
  expect((await list())[0]).toEqual(careful)
  await edit({ label: 'night run' })

  // More of the same configuration stands under what was said.
  await importPaths(core, [
    writeExport(join(folder, 'b.jsonl'), [{ task: 'b', config: 'careful', id: 'later' }]),
  ])
  expect((await list())[0]).toMatchObject({ label: 'night run', trials: 2 })

  await core.request('workspace.deleteAll', {})
  await core.request('workspace.restoreAll', {})
  expect((await list())[0]).toMatchObject({ label: 'night run', trials: 2 })
  const wrong = { configurationId: 'nobody', edit: {} }
  expect((await faultOf(core.request('configurations.edit', wrong))).code).toBe('NOT_FOUND')
  expect(
    (await faultOf(core.request('configurations.edit', { configurationId, edit: { label: ' ' } }))).code,
  ).toBe('INVALID_INPUT')
})

test('two programs that say something at the same time lose nothing of each other', async () => {
  const { folder, path } = opened()
  const script = join(folder, 'edits.mts')
  writeFileSync(
    script,
    `import { openWriter } from ${JSON.stringify(join(repo, 'src/core/store/open.ts'))}
import { saveConfigurationEdit } from ${JSON.stringify(join(repo, 'src/core/store/settings.ts'))}
const [, , path, name] = process.argv
const db = openWriter(path, { appVersion: 'x' })
for (let i = 0; i < 60; i += 1) saveConfigurationEdit(db, name + i, { label: name })
db.close()
`,
  )
  const both = ['a', 'b'].map((name) => fork(script, [path, name], { execArgv: ['--no-warnings'] }))
  expect(await Promise.all(both.map(async (child) => (await once(child, 'exit'))[0]))).toEqual([0, 0])
  const db = openWriter(path, { appVersion: 'x' })
  expect(Object.keys(loadConfigurationEdits(db))).toHaveLength(120)
  db.close()
})
