// Screenshots of the sheets of importing, light and dark, in both sizes, into out/shots: to be looked at.

import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { root, test } from './fixtures.ts'
import { atRest } from './pages/frame.ts'
import { IntakePage } from './pages/intake.ts'
import { oneScale, pictureTrial, statedOutcomes, twoScorers } from './pages/samples.ts'
import { shoot } from './pages/shoot.ts'
import { openTask } from './pages/task.ts'

const fixtures = resolve(root, 'test/fixtures')

test('the sheets of importing', async ({ app }) => {
  test.setTimeout(300_000)
  const intake = new IntakePage(app)
  const { page } = intake
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
  await shoot(app, 'look')
  await intake.keep()
  const sheet = await intake.sheet('Attach outcomes')
  await shoot(app, 'attach')
  await sheet.getByText(/^Rows joined to nothing/).click()
  await sheet.getByText(/^Rows joined to nothing/).scrollIntoViewIfNeeded()
  await shoot(app, 'attach-left')
  await intake.attach()
  const table = join(app.userData, 'model-a.csv')
  for (const cell of [1, 0]) {
    await writeFile(table, `task_id,Trial_1,Trial_2\nbook,1,${cell}\nchange,1,${cell}\n`)
    await atRest(page)
    await intake.importByDialog(table)
  }
  await shoot(app, 'imports-attached')
  await page.getByRole('button', { name: 'Decide…' }).click()
  const conflicts = await intake.sheet('Conflicts')
  await conflicts.getByRole('radio', { name: /fail/ }).first().click({ force: true })
  await shoot(app, 'conflicts')
})

test('what decides, what makes a configuration, and a picture of a step', async ({ app }) => {
  test.setTimeout(300_000)
  const intake = new IntakePage(app)
  const { page } = intake
  const folder = join(app.userData, 'scored')
  await mkdir(folder)
  const table = join(folder, 'results.csv')
  await writeFile(join(folder, 'two.json'), twoScorers())
  await writeFile(join(folder, 'graded.json'), oneScale())
  await writeFile(table, 'task_id,Trial_1,Trial_2\nbook,1,0\n')
  await intake.drop(folder)
  const look = await intake.sheet('Look before it is kept')
  await shoot(app, 'look-scorers')
  await look.getByRole('button', { name: /What decides in two/ }).click()
  await page.getByRole('option', { name: /judge/ }).waitFor()
  await shoot(app, 'look-scorers-open')
  await page.keyboard.press('Escape')
  const skips = look.getByText('Then attach the outcomes of')
  if (await skips.isVisible()) await skips.click()
  await intake.keep()
  await intake.finished()
  await page.getByRole('region', { name: 'What decides' }).waitFor()
  await shoot(app, 'imports-scorers')
  await page.getByRole('textbox', { name: 'A pass in graded from this number on' }).fill('seven')
  await shoot(app, 'imports-scorers-wrong')
  const stated = join(app.userData, 'stated.jsonl')
  await writeFile(stated, statedOutcomes())
  await intake.importByDrop(stated)
  await page.getByRole('button', { name: /What decides in stated/ }).click()
  await page.getByRole('option', { name: /waste/ }).waitFor()
  await shoot(app, 'imports-scorers-stated')
  await page.keyboard.press('Escape')
  const seen = join(app.userData, 'pictures.json')
  await writeFile(seen, pictureTrial(240))
  await intake.importByDrop(seen)
  await intake.goTo('Tasks')
  await page.getByRole('button', { name: 'What makes a configuration' }).click()
  const sheet = page.getByRole('dialog', { name: 'What makes a configuration' })
  await sheet.getByLabel('Prompt').first().fill('v7, with the refund policy of March')
  await shoot(app, 'configurations')
  await page.keyboard.press('Escape')
  const task = await openTask(app, 'seen')
  await task.lens('Steps')
  const show = page.getByRole('button', { name: /^Show image\/png/ }).first()
  await show.waitFor()
  await shoot(app, 'step-picture')
  await show.click()
  await page.getByRole('dialog').getByRole('img').waitFor()
  await shoot(app, 'step-picture-open')
})
