// What comes in, in the real window: a folder of several formats with outcomes and a stranger in it, outcomes attached to
// the sessions among them, the task table; look first; conflicts.

import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, root, test, type App } from './fixtures.ts'
import { axeObjections } from './pages/axe.ts'
import { atRest } from './pages/frame.ts'
import { IntakePage } from './pages/intake.ts'
import { pictureTrial, statedOutcomes, twoScorers } from './pages/samples.ts'
import { openTask } from './pages/task.ts'
import { TasksPage } from './pages/tasks.ts'

const fixtures = resolve(root, 'test/fixtures')

/** A folder of five formats, four Claude Code sessions without outcome, their outcomes, and a stranger's file. */
async function mixedFolder(app: App): Promise<string> {
  const folder = join(app.userData, 'evaluation')
  await mkdir(folder)
  for (const [from, to] of [
    ['tau-bench/gpt-4o-airline.json', 'gpt-4o-airline.json'],
    ['inspect/epochs.eval', 'epochs.eval'],
    ['tau2/airline-pass.json', 'tau2.json'],
    ['codex/rollout.jsonl', 'rollout.jsonl'],
    ['faultline-jsonl/minimal.jsonl', 'minimal.jsonl'],
  ] as const)
    await cp(join(fixtures, from), join(folder, to))
  const session = await readFile(join(fixtures, 'claude-code/tool-call.jsonl'), 'utf8')
  for (const run of [1, 2]) {
    await mkdir(join(folder, 'sessions', `run_${run}`), { recursive: true })
    for (const task of [900, 901])
      await writeFile(
        join(folder, 'sessions', `run_${run}`, `task_${task}.jsonl`),
        session.replaceAll('test-session-002', `session-${run}-${task}`),
      )
  }
  await writeFile(
    join(folder, 'sessions', 'results.csv'),
    'task_id,Trial_1,Trial_2,pass^1\n900,1,0,0.5\n901,1,1,1.0\n902,1,1,1.0\n',
  )
  await writeFile(join(folder, 'notes.md'), '# somebody else’s notes\n')
  return folder
}

test('a folder of several formats: looked at, kept, outcomes attached to the sessions, and the task table', async ({
  app,
}) => {
  const intake = new IntakePage(app)
  await intake.drop(await mixedFolder(app))
  const look = await intake.sheet('Look before it is kept')
  for (const format of [
    'τ-bench rows',
    'Inspect log',
    'τ²-bench results',
    'Claude Code session',
    'Codex session',
  ])
    await expect(look).toContainText(format)
  await expect(look).toContainText('outcomes, to be attached')
  await expect(look.getByRole('row', { name: /notes\.md/ })).toContainText('left out')
  for (const theme of ['light', 'dark'] as const) {
    await intake.setTheme(theme)
    expect(await axeObjections(intake.page)).toEqual([])
  }
  await intake.keep()
  const sheet = await intake.sheet('Attach outcomes')
  await expect(sheet).toContainText('4 of 6 rows joined: 4 by the number of the task')
  await expect(sheet).toContainText('3 unknown → pass, 1 unknown → fail')
  await expect(sheet).toContainText('no trial of its task is here')
  for (const theme of ['light', 'dark'] as const) {
    await intake.setTheme(theme)
    expect(await axeObjections(intake.page)).toEqual([])
  }
  await intake.attach()
  await expect(intake.spoken).toContainText('Attached outcomes to 4 trials')
  await expect(intake.file('evaluation/sessions/results.csv')).toContainText('outcomes, set aside')
  await intake.page.getByRole('link', { name: 'Show the tasks' }).click()
  const tasks = new TasksPage(app)
  await expect(tasks.grid).toContainText('task_900')
  await atRest(intake.page)
  await expect(tasks.grid.getByRole('row', { name: /task_900/ })).toContainText('1/2')
  await expect(tasks.grid.getByRole('row', { name: /task_901/ })).toContainText('2/2')
  // Undone by the key, the sessions are without outcome again.
  await intake.page.keyboard.press('Control+z')
  await expect(tasks.grid.getByRole('row', { name: /task_901/ })).not.toContainText('2/2')
})

test('the same folder again is one gesture and changes nothing', async ({ app }) => {
  const intake = new IntakePage(app)
  const folder = await mixedFolder(app)
  await intake.drop(folder)
  await intake.keep()
  const sheet = await intake.sheet('Attach outcomes')
  await sheet.getByRole('button', { name: 'Attach nothing' }).click()
  await atRest(intake.page)
  await intake.importByDrop(folder)
  await expect(intake.spoken).toContainText('Already here, nothing changed')
})

test('look before every import is remembered, and a label keeps two versions apart', async ({ app }) => {
  const intake = new IntakePage(app)
  const sample = resolve(fixtures, 'tau-bench/gpt-4o-airline.json')
  await intake.importByDialog(sample)
  await intake.drop(resolve(fixtures, 'outcomes/matrix.csv'), resolve(fixtures, 'inspect/unscored.eval'))
  const first = await intake.sheet('Look before it is kept')
  await first.getByText('Look before every import').click()
  await first.getByRole('button', { name: 'Import nothing' }).click()
  await intake.drop(resolve(fixtures, 'outcomes/agentrial.json'))
  const second = await intake.sheet('Look before it is kept')
  await second.getByLabel('Label of their configurations, such as a version').fill('haiku night run')
  await intake.page.keyboard.press('Tab')
  await expect(second.getByText('haiku night run').first()).toBeVisible()
  await intake.keep()
  await intake.finished()
  await intake.goTo('Tasks')
  await expect(intake.page.getByText('2 configurations pooled').first()).toBeVisible()
})

test('a conflict is shown, decided and open again', async ({ app }) => {
  const intake = new IntakePage(app)
  const table = join(app.userData, 'model-a.csv')
  await writeFile(table, 'task_id,Trial_1,Trial_2\nbook,1,1\n')
  await intake.importByDialog(table)
  await writeFile(table, 'task_id,Trial_1,Trial_2\nbook,1,0\n')
  await intake.importByDialog(table)
  await expect(intake.page.getByText('1 conflict: one id, different content')).toBeVisible()
  await intake.page.getByRole('button', { name: 'Decide…' }).click()
  const sheet = await intake.sheet('Conflicts')
  await expect(sheet).toContainText('they differ in outcome, score')
  for (const theme of ['light', 'dark'] as const) {
    await intake.setTheme(theme)
    expect(await axeObjections(intake.page)).toEqual([])
  }
  await sheet.getByRole('radio', { name: /fail/ }).click({ force: true })
  await expect(sheet).toContainText('All are decided.')
  await sheet.getByRole('button', { name: 'Open again' }).click()
  await expect(sheet).toContainText('1 conflict to decide.')
})

/** Writes a log of two scorers into the test's folder; its path. */
async function scoredLog(app: App): Promise<string> {
  const path = join(app.userData, 'two.json')
  await writeFile(path, twoScorers())
  return path
}

test('of several scorers the first decides until a person picks another; undone by the key', async ({
  app,
}) => {
  const intake = new IntakePage(app)
  await intake.importByDrop(await scoredLog(app))
  const deciding = intake.page.getByRole('region', { name: 'What decides' })
  await expect(deciding).toContainText('match')
  await deciding.getByRole('button', { name: /What decides in two/ }).click()
  await intake.page.getByRole('option', { name: /judge/ }).click()
  const mark = deciding.getByRole('textbox', { name: 'A pass in two from this number on' })
  await mark.fill('0.9')
  await mark.press('Tab')
  for (const theme of ['light', 'dark'] as const) {
    await intake.setTheme(theme)
    expect(await axeObjections(intake.page)).toEqual([])
  }
  await intake.page.getByRole('link', { name: 'Show the tasks' }).click()
  const tasks = new TasksPage(app)
  const row = tasks.grid.getByRole('row', { name: /1/ }).last()
  await expect(row).toContainText('2/3')
  // First the number, then the choice itself.
  await intake.page.keyboard.press('Control+z')
  await expect(row).toContainText('0/3')
  await intake.page.keyboard.press('Control+z')
  await expect(row).toContainText('1/3')
})

test('what decides can be chosen before it is kept', async ({ app }) => {
  const intake = new IntakePage(app)
  await intake.drop(await scoredLog(app), resolve(fixtures, 'outcomes/matrix.csv'))
  const look = await intake.sheet('Look before it is kept')
  await expect(look).toContainText('In two “match” decides; its trials also have “judge”')
  await look.getByRole('button', { name: /What decides in two/ }).click()
  await intake.page.getByRole('option', { name: /judge/ }).click()
  const mark = look.getByRole('textbox', { name: 'A pass in two from this number on' })
  await mark.fill('0.9')
  await mark.press('Tab')
  await look.getByText('Then attach the outcomes of').click()
  await intake.keep()
  await intake.finished()
  await intake.goTo('Tasks')
  const row = new TasksPage(app).grid.getByRole('row', { name: /1/ }).last()
  await expect(row).toContainText('2/3')
})

test('a measure beside outcomes that the source says is nothing to choose', async ({ app }) => {
  const intake = new IntakePage(app)
  await intake.importByDrop(resolve(root, 'resources/sample/refund-desk.faultline.jsonl'))
  const asked = await app.window.evaluate(async () => {
    type Bridge = {
      request(id: string, method: string, input: unknown): Promise<{ value: { fields: unknown[] }[] }>
    }
    const bridge = (globalThis as unknown as { faultline: Bridge }).faultline
    return (await bridge.request('e2e-scorers', 'rules.scorers', {})).value.map(({ fields }) => fields.length)
  })
  expect(asked).toEqual([1])
  await expect(intake.page.getByRole('region', { name: 'What decides' })).toHaveCount(0)
})

test('outcomes that the source says hold until a score is chosen, and again afterwards', async ({ app }) => {
  const intake = new IntakePage(app)
  const { page } = intake
  const path = join(app.userData, 'stated.jsonl')
  await writeFile(path, statedOutcomes())
  await intake.importByDrop(path)
  const choice = page.getByRole('button', { name: /What decides in stated/ })
  await expect(choice).toContainText('the outcomes as imported')
  const row = new TasksPage(app).grid.getByRole('row', { name: /order/ })
  for (const [option, passed] of [
    [/waste/, '1/3'],
    [/as imported/, '2/3'],
  ] as const) {
    await choice.click()
    await page.getByRole('option', { name: option }).click()
    await expect(choice).toContainText(option)
    for (const theme of ['light', 'dark'] as const) {
      await intake.setTheme(theme)
      expect(await axeObjections(page)).toEqual([])
    }
    await intake.goTo('Tasks')
    await expect(row).toContainText(passed)
    await intake.goTo('Imports')
  }
})

test('what makes a configuration is shown, and can be said otherwise; undone by the key', async ({ app }) => {
  const intake = new IntakePage(app)
  await intake.importByDialog(resolve(fixtures, 'tau-bench/gpt-4o-airline.json'))
  await intake.goTo('Tasks')
  const open = intake.page.getByRole('button', { name: 'What makes a configuration' })
  await open.click()
  const sheet = intake.page.getByRole('dialog', { name: 'What makes a configuration' })
  await expect(sheet.getByLabel('Model').first()).toHaveValue('gpt-4o')
  const prompt = sheet.getByLabel('Prompt').first()
  await prompt.fill('v7')
  await sheet.getByLabel('Label').first().fill('night run')
  await sheet.getByLabel('Environment').first().focus()
  for (const theme of ['light', 'dark'] as const) {
    await intake.setTheme(theme)
    expect(await axeObjections(intake.page)).toEqual([])
  }
  await intake.page.keyboard.press('Escape')
  await expect(intake.page.getByRole('button', { name: /Scope/ })).toContainText('night run')
  await intake.page.keyboard.press('Control+z')
  await expect(intake.page.getByRole('button', { name: /Scope/ })).not.toContainText('night run')
})

test('a picture of a step is a placeholder with its size, and drawn when it is opened', async ({ app }) => {
  const intake = new IntakePage(app)
  const path = join(app.userData, 'pictures.json')
  await writeFile(path, pictureTrial(64))
  await intake.importByDrop(path)
  const task = await openTask(app, 'seen')
  await task.lens('Steps')
  await intake.page
    .getByRole('button', { name: /^Show image\/png, \d+ bytes/ })
    .first()
    .click()
  const image = intake.page.getByRole('dialog').getByRole('img')
  await expect(image).toBeVisible()
  expect(await image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(64)
  for (const theme of ['light', 'dark'] as const) {
    await intake.setTheme(theme)
    expect(await axeObjections(intake.page)).toEqual([])
  }
})
