// Screenshots of the sheets of importing, light and dark, in both sizes, into out/shots: to be looked at.

import { mkdirSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { root, test } from './fixtures.ts'
import { atRest } from './pages/frame.ts'
import { IntakePage } from './pages/intake.ts'

const shots = resolve(root, 'out/shots')
const fixtures = resolve(root, 'test/fixtures')

test('the sheets of importing', async ({ app }) => {
  test.setTimeout(300_000)
  mkdirSync(shots, { recursive: true })
  const intake = new IntakePage(app)
  const { page } = intake
  const shot = async (name: string): Promise<void> => {
    for (const theme of ['light', 'dark'] as const) {
      await intake.setTheme(theme)
      for (const [width, height] of [
        [1440, 900],
        [1000, 700],
      ] as const) {
        await intake.setSize(width, height)
        await page.screenshot({ path: join(shots, `${name}-${theme}-${width}x${height}.png`) })
      }
    }
    await intake.setSize(1440, 900)
  }
  const folder = join(app.userData, 'evaluation')
  await mkdir(join(folder, 'sessions'), { recursive: true })
  await cp(join(fixtures, 'tau-bench/gpt-4o-airline.json'), join(folder, 'gpt-4o-airline.json'))
  await cp(join(fixtures, 'inspect/epochs.eval'), join(folder, 'epochs.eval'))
  await writeFile(join(folder, 'notes.md'), '# notes\n')
  await writeFile(join(folder, 'spans.json'), '{"resourceSpans":[]}')
  const session = await readFile(join(fixtures, 'claude-code/tool-call.jsonl'), 'utf8')
  for (const run of [1, 2, 3])
    for (const task of [900, 901, 902]) {
      await mkdir(join(folder, 'sessions', `run_${run}`), { recursive: true })
      await writeFile(
        join(folder, 'sessions', `run_${run}`, `task_${task}.jsonl`),
        session.replaceAll('test-session-002', `session-${run}-${task}`),
      )
    }
  await writeFile(
    join(folder, 'sessions', 'results.csv'),
    'task_id,trial,passed,reward\n900,1,1,0.9\n900,2,0,0.3\n901,1,1,0.8\n901,2,1,1\n902,1,,\n903,1,1,1\n900,7,maybe,0.1\n',
  )
  await intake.drop(folder)
  await intake.sheet('Look before it is kept')
  await shot('look')
  await intake.keep()
  const sheet = await intake.sheet('Attach outcomes')
  await shot('attach')
  await sheet.getByText(/^Rows joined to nothing/).click()
  await sheet.getByText(/^Rows joined to nothing/).scrollIntoViewIfNeeded()
  await shot('attach-left')
  await intake.attach()
  const table = join(app.userData, 'model-a.csv')
  for (const cell of [1, 0]) {
    await writeFile(table, `task_id,Trial_1,Trial_2\nbook,1,${cell}\nchange,1,${cell}\n`)
    await atRest(page)
    await intake.importByDialog(table)
  }
  await shot('imports-attached')
  await page.getByRole('button', { name: 'Decide…' }).click()
  const conflicts = await intake.sheet('Conflicts')
  await conflicts.getByRole('radio', { name: /fail/ }).first().click({ force: true })
  await shot('conflicts')
})
