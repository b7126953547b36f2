// `faultline configurations` as a child process: what is shown, what is said otherwise, by which names it is found after.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deskTrials, faultline, folder, writeTrials } from './program.ts'

test('configurations are listed with all that makes them, and can be said otherwise', async () => {
  const cwd = folder()
  await faultline(cwd, ['import', writeTrials(join(cwd, 't.jsonl'), 'desk', deskTrials('a'))])
  const [row] = JSON.parse((await faultline(cwd, ['configurations', '--json'])).out)
  expect(row.trials).toBe(6)
  const edited = await faultline(cwd, [
    'configurations',
    'edit',
    row.label,
    '--label',
    'night run',
    '--prompt-version',
    'v7',
  ])
  expect(edited.code).toBe(0)
  expect(edited.out).toContain(`night run  ${row.configurationId}  6 trials`)
  expect(edited.out).toContain('  prompt version: v7 (imported: not known)')
  expect((await faultline(cwd, ['tasks', '--config', 'night run', '--json'])).code).toBe(0)
  // What is not named stays said; an empty text is as imported again.
  const back = await faultline(cwd, ['configurations', 'edit', 'night run', '--label', ''])
  expect(back.out).toContain('prompt version: v7')
  expect(JSON.parse((await faultline(cwd, ['configurations', '--json'])).out)[0].label).toBe(row.label)
  expect((await faultline(cwd, ['configurations', 'edit', row.label])).code).toBe(2)
  expect((await faultline(cwd, ['configurations', 'edit', 'nobody', '--label', 'x'])).code).toBe(2)
})
