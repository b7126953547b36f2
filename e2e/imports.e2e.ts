// Imports in the real window: dialog and drop, each kind of bad file with its own words, undo, the core killed in
// the middle, and the screens of it as axe sees them.

import { readFile, writeFile, mkdir, cp } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, root, test } from './fixtures.ts'
import { axeObjections } from './pages/axe.ts'
import { corePid } from './pages/core.ts'
import { atRest } from './pages/frame.ts'
import { ImportsPage, largeExport } from './pages/imports.ts'
import { TasksPage } from './pages/tasks.ts'

const sample = resolve(root, 'resources/sample/refund-desk.faultline.jsonl')
const airline = resolve(root, '../shared/data/tau-bench/gpt-4o-airline.json')

test('the dialog path: choose a file, see it kept, find its tasks', async ({ app }) => {
  const imports = new ImportsPage(app)
  await expect(imports.heading(/part from its passing trials/)).toBeVisible()
  await imports.importByDialog(sample)
  await expect(imports.file('refund-desk.faultline.jsonl')).toContainText('kept')
  await expect(imports.file('refund-desk.faultline.jsonl')).toContainText('160')
  await imports.page.getByRole('link', { name: 'Show the tasks' }).click()
  await expect(new TasksPage(app).grid).toHaveAttribute('aria-rowcount', '11')
})

test('a drop from the system, files and a folder, onto the first run and onto any screen', async ({
  app,
}) => {
  const imports = new ImportsPage(app)
  const folder = join(app.userData, 'exports')
  await mkdir(join(folder, 'deep'), { recursive: true })
  await cp(sample, join(folder, 'deep', 'desk.jsonl'))
  await writeFile(join(folder, 'readme.md'), '# nothing to import')
  await imports.importByDrop(folder)
  await expect(imports.file('desk.jsonl')).toContainText('kept')
  await imports.goTo('Tasks')
  await imports.importByDrop(sample)
  await expect(imports.file('refund-desk.faultline.jsonl')).toContainText('already here, nothing changed')
})

test('the published airline trials: 50 tasks, 200 trials, the figures of the screen', async ({ app }) => {
  test.skip(!existsSync(airline), `needs ${airline}, which is not part of this repository`)
  const imports = new ImportsPage(app)
  await imports.importByDialog(airline)
  await imports.goTo('Tasks')
  const tasks = new TasksPage(app)
  expect(await tasks.total()).toBe(50)
  await expect(imports.page.getByRole('button', { name: '26 sometimes' })).toBeVisible()
  const line = imports.page.locator('main')
  for (const figure of [
    'pooled pass rate 0.420 [0.354–0.489] 84/200',
    'pass^1 0.420',
    'pass^2 0.273',
    'pass^3 0.220',
    'pass^4 0.200',
  ])
    await expect(line).toContainText(figure)
})

test('three retail files are three trials of each task; the policy changes the figures and stays said', async ({
  app,
}) => {
  const files = ['l0', 'l1', 'l2'].map((level) =>
    resolve(root, `../shared/data/tau-bench-madhav/retail_tool-calling-${level}-4o.json`),
  )
  test.skip(!files.every((file) => existsSync(file)), `needs ${files.join(', ')}`)
  const imports = new ImportsPage(app)
  await imports.importByDrop(...files)
  await imports.goTo('Tasks')
  const tasks = new TasksPage(app)
  expect(await tasks.total()).toBe(115)
  const main = imports.page.locator('main')
  await expect(imports.page.getByRole('button', { name: /^Scope 3 configurations pooled/ })).toBeVisible()
  await expect(main).toContainText('pooled pass rate 0.841 [0.798–0.875] 290/345')
  for (const figure of ['pass^1 0.841', 'pass^2 0.739', 'pass^3 0.661'])
    await expect(main).toContainText(figure)
  await tasks.setPolicy('error', 'are excluded')
  await expect(main).toContainText('pooled pass rate 0.845 [0.803–0.880] 290/343')
  for (const figure of ['pass^1 0.846', 'pass^2 0.751', 'pass^3 0.673 (113/115 tasks)'])
    await expect(main).toContainText(figure)
  await expect(imports.page.getByRole('button', { name: /^Policy errors excluded/ })).toBeVisible()
})

test('unknown, empty, cut-off and NUL files each get their own clear message', async ({ app }) => {
  const imports = new ImportsPage(app)
  const file = async (name: string, content: string | Buffer): Promise<string> => {
    const path = join(app.userData, name)
    await writeFile(path, content)
    return path
  }
  const text = await readFile(sample, 'utf8')
  await imports.importByDialog(
    await file('unknown.json', '{"hello": "world"}'),
    await file('empty.json', ''),
    await file('nul.json', Buffer.concat([Buffer.from('{"a":'), Buffer.alloc(400)])),
    await file('cut.jsonl', text.slice(0, Math.floor(text.length / 2))),
  )
  await expect(imports.file('unknown.json')).toContainText('Format not recognised')
  await expect(imports.file('unknown.json').getByRole('button', { name: 'Choose format' })).toBeVisible()
  await expect(imports.file('empty.json')).toContainText('The file is empty')
  await expect(imports.file('nul.json')).toContainText('NUL')
  await expect(imports.file('cut.jsonl')).toContainText('kept')
  const problems = await imports.openProblems('cut.jsonl')
  await expect(problems).toContainText('JSON_CUT_OFF')
  await expect(problems).toContainText(/line \d+/)
  await problems.getByRole('button', { name: 'Copy all' }).click()
  await expect(imports.spoken).toContainText('Copied 1 problem')
  const copied = await app.electron.evaluate(({ clipboard }) => clipboard.readText())
  expect(copied).toContain('JSON_CUT_OFF\tcut.jsonl')
  for (const theme of ['light', 'dark'] as const) {
    await imports.setTheme(theme)
    expect(await axeObjections(imports.page)).toEqual([])
  }
})

test('an import is undone by its button and by the key, and done again', async ({ app }) => {
  const imports = new ImportsPage(app)
  await imports.importByDialog(sample)
  await imports.page.getByRole('button', { name: 'Undo this import' }).click()
  await expect(imports.page.getByRole('button', { name: 'Keep again' })).toBeVisible()
  await imports.page.getByRole('button', { name: 'Keep again' }).click()
  await expect(imports.page.getByRole('button', { name: 'Undo this import' })).toBeVisible()
  await imports.page.keyboard.press('Control+z')
  await expect(imports.page.getByRole('button', { name: 'Keep again' })).toBeVisible()
  await imports.goTo('Tasks')
  await expect(imports.page.getByText('No trials yet')).toBeVisible()
  await imports.page.keyboard.press('Control+Shift+Z')
  await expect(new TasksPage(app).grid).toHaveAttribute('aria-rowcount', '11')
})

test('cancel keeps what was read, and says so', async ({ app }) => {
  const imports = new ImportsPage(app)
  await imports.drop(await largeExport(join(app.userData, 'large.jsonl'), 40))
  await imports.status.getByRole('button', { name: 'Cancel' }).click()
  await expect(imports.spoken).toContainText(/cancelled|kept/i, { timeout: 30_000 })
  await atRest(imports.page)
  await expect(imports.page.getByText(/cancelled/).first()).toBeVisible()
})

test('the core killed in the middle of an import is restarted and said, and nothing is half there', async ({
  app,
}) => {
  const imports = new ImportsPage(app)
  await imports.drop(await largeExport(join(app.userData, 'large.jsonl'), 60))
  await expect(imports.status).toContainText(/Importing large\.jsonl · [1-9][\d,]* trials?/)
  const banner = imports.page.getByText(/is restarting/)
  const seen = banner.first().waitFor({ timeout: 20_000 })
  process.kill(await corePid(app), 'SIGKILL')
  await seen
  await expect(banner).toHaveCount(0, { timeout: 20_000 })
  await expect(imports.status).toContainText('core ready')
  await expect(imports.page.getByText('The import did not finish')).toBeVisible()
  await atRest(imports.page)
  await expect(imports.page.getByText(/interrupted/).first()).toBeVisible()
  const [trials, listed] = await imports.page.evaluate(async () => {
    type Bridge = {
      request(id: string, method: string, input: unknown): Promise<{ value: unknown }>
    }
    const bridge = (globalThis as unknown as { faultline: Bridge }).faultline
    const info = (await bridge.request('check-1', 'workspace.info', {})).value as { trials: number }
    const list = (await bridge.request('check-2', 'tasks.list', { limit: 1000 })).value as {
      summary: { trials: number }
    }
    return [info.trials, list.summary.trials]
  })
  expect(trials).toBe(listed)
  // The same file again brings the rest, each trial once.
  await imports.importByDrop(join(app.userData, 'large.jsonl'))
  await expect(imports.status).toContainText(`${(160 * 60).toLocaleString('en-US')} trials`)
})

test('the first run and the workspace menu as axe sees them', async ({ app }) => {
  const imports = new ImportsPage(app)
  for (const theme of ['light', 'dark'] as const) {
    await imports.setTheme(theme)
    expect(await axeObjections(imports.page)).toEqual([])
  }
  await imports.page.getByRole('button', { name: /^Faultline/ }).click()
  await expect(imports.page.getByRole('menuitem', { name: /^New workspace/ })).toBeVisible()
  expect(await axeObjections(imports.page)).toEqual([])
})
