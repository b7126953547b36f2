// What comes in, in the real window: a folder of several formats with outcomes and a stranger in it, outcomes attached to
// the sessions among them, the task table; look first; conflicts.

import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { expect, root, test, type App } from './fixtures.ts'
import { axeObjections } from './pages/axe.ts'
import { atRest } from './pages/frame.ts'
import { IntakePage } from './pages/intake.ts'
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

/** A folder with an Inspect log of two scorers: by the first 1 of 3 samples passes, by the other 2 from 0.9 on. */
async function scoredFolder(app: App): Promise<string> {
  const sample = (epoch: number, match: string, judge: number) => ({
    id: 1,
    epoch,
    uuid: `u${epoch}`,
    input: 'q',
    messages: [{ role: 'user', content: `q ${epoch}` }],
    scores: { match: { value: match }, judge: { value: judge } },
  })
  const log = {
    version: 2,
    status: 'success',
    eval: {
      run_id: 'r',
      task: 'two',
      model: 'm',
      created: 'x',
      scorers: [{ name: 'match' }, { name: 'judge' }],
    },
    plan: {},
    samples: [sample(1, 'C', 0.4), sample(2, 'I', 0.9), sample(3, 'I', 0.9)],
  }
  const folder = join(app.userData, 'scored')
  await mkdir(folder)
  await writeFile(join(folder, 'two.json'), JSON.stringify(log))
  return folder
}

test('of several scorers the first decides until a person picks another; undone by the key', async ({
  app,
}) => {
  const intake = new IntakePage(app)
  const folder = await scoredFolder(app)
  await intake.importByDrop(join(folder, 'two.json'))
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
  const folder = await scoredFolder(app)
  await intake.drop(join(folder, 'two.json'), resolve(fixtures, 'outcomes/matrix.csv'))
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

/** A picture of one colour, as PNG. */
function picture(): string {
  const chunk = (name: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(name), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const check = Buffer.alloc(4)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const size = Buffer.from([0, 0, 0, 64, 0, 0, 0, 64, 8, 2, 0, 0, 0])
  const rows = Buffer.alloc(64 * (1 + 64 * 3), 90)
  for (let row = 0; row < 64; row += 1) rows[row * (1 + 64 * 3)] = 0
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64')
}

test('a picture of a step is a placeholder with its size, and drawn when it is opened', async ({ app }) => {
  const intake = new IntakePage(app)
  const url = `data:image/png;base64,${picture()}`
  const messages = [
    { role: 'user', content: [{ type: 'image_url', image_url: { url } }] },
    { role: 'assistant', content: 'A square.' },
  ]
  const path = join(app.userData, 'pictures.json')
  await writeFile(path, JSON.stringify([{ task_id: 'seen', passed: true, messages }]))
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
