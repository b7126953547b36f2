// The keyboard alone: search and its steps, what decides, the sheet of configurations, the question before a copy is
// restored. Everything is reached by Tab and arrows, and the focus is where it was when something closes.

import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, root, test } from './fixtures.ts'
import { axeObjections } from './pages/axe.ts'
import { corePid } from './pages/core.ts'
import { atRest, Frame } from './pages/frame.ts'
import { ImportsPage, largeExport } from './pages/imports.ts'
import { twoScorers } from './pages/samples.ts'
import { TasksPage } from './pages/tasks.ts'

const sample = resolve(root, 'resources/sample/refund-desk.faultline.jsonl')

/** Imports files without a press of the mouse. */
async function importByKeys(imports: ImportsPage, ...paths: readonly string[]): Promise<void> {
  await imports.answerOpenDialog(...paths)
  await imports.page.keyboard.press('Control+o')
  await imports.finished()
}

test('search: the field, the lines, a step and back; from the palette to a step', async ({ app }) => {
  const imports = new ImportsPage(app)
  const { page } = imports
  await importByKeys(imports, sample)
  await page.keyboard.press('Control+Shift+F')
  const field = page.getByRole('searchbox', { name: 'Text to search for in steps' })
  await expect(field).toBeFocused()
  await page.keyboard.type('list_refunds')
  const lines = page.getByRole('grid', { name: 'Steps found' })
  await expect(lines).toBeVisible()
  await atRest(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('PageDown')
  const chosen = lines.getByRole('row', { selected: true })
  await expect(chosen).toBeFocused()
  const name = (await chosen.getAttribute('aria-label')) ?? ''
  await page.keyboard.press('Enter')
  await expect(page.locator('article[data-current="true"]')).toContainText('list_refunds')
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(chosen).toBeFocused()
  expect(await chosen.getAttribute('aria-label')).toBe(name)
  await page.keyboard.press('Control+f')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field).toHaveValue('')

  await page.keyboard.press('Control+k')
  await page.keyboard.type('office chair')
  const hit = page.getByRole('menuitem', { name: /office chair.*t02/ }).first()
  await expect(hit).toBeVisible()
  await atRest(page)
  for (let press = 0; press < 12 && (await hit.getAttribute('data-focused')) === null; press += 1)
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(new Frame(app).heading(/t02/)).toBeVisible()
})

test('a running import is cancelled, and the focus stays on what says so', async ({ app }) => {
  test.slow()
  const imports = new ImportsPage(app)
  const { page } = imports
  await imports.drop(await largeExport(join(app.userData, 'nightly.jsonl'), 60))
  await imports.status.getByText(/Importing .* · [1-9][\d,]* trials/).waitFor({ timeout: 60_000 })
  const cancel = imports.status.getByRole('button', { name: 'Cancel' })
  await imports.tabTo(cancel)
  // The core stands still meanwhile: the import cannot end before the focus was looked at.
  const pid = await corePid(app)
  process.kill(pid, 'SIGSTOP')
  try {
    await page.keyboard.press('Enter')
    await expect(imports.status.getByRole('button', { name: 'Cancelling…' })).toBeFocused()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  await page.getByText(/cancelled; what was read before is kept/).waitFor({ timeout: 30_000 })
})

test('what decides is chosen, with its number, and undone', async ({ app }) => {
  const imports = new ImportsPage(app)
  const { page } = imports
  const path = join(app.userData, 'two.json')
  await writeFile(path, twoScorers())
  await importByKeys(imports, path)
  const choice = page.getByRole('button', { name: /What decides in two/ })
  await expect(choice).toBeVisible()
  await imports.tabTo(choice)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: /match/ })).toBeFocused()
  await page.keyboard.type('judge')
  await expect(page.getByRole('option', { name: /judge/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(choice).toBeFocused()
  await expect(choice).toContainText('judge')
  const mark = page.getByRole('textbox', { name: 'A pass in two from this number on' })
  await imports.tabTo(mark)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('0.9')
  await page.keyboard.press('Tab')
  await expect(mark).toHaveValue('0.9')
  await page.keyboard.press('Control+2')
  const row = new TasksPage(app).grid.getByRole('row', { name: /1/ }).last()
  await expect(row).toContainText('2/3')
  await page.keyboard.press('Control+z')
  await expect(row).toContainText('0/3')
})

test('what makes a configuration is opened, written and closed', async ({ app }) => {
  const imports = new ImportsPage(app)
  const { page } = imports
  await importByKeys(imports, sample)
  await page.keyboard.press('Control+2')
  await expect(imports.heading('Tasks')).toBeVisible()
  const open = page.getByRole('button', { name: 'What makes a configuration' })
  await imports.tabTo(open)
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'What makes a configuration' })
  await expect(sheet).toBeVisible()
  await imports.tabTo(sheet.getByLabel('Prompt').first())
  await page.keyboard.type('v7')
  await page.keyboard.press('Tab')
  await page.keyboard.type('two tools')
  await imports.tabTo(sheet.getByLabel('Label').last())
  await page.keyboard.press('Control+a')
  await page.keyboard.type('night run')
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(open).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(sheet.getByLabel('Prompt').first()).toHaveValue('v7')
  await expect(sheet.getByLabel('Tools').first()).toHaveValue('two tools')
  await expect(sheet.getByLabel('Label').last()).toHaveValue('night run')
})

test('a safety copy: the question before it is restored, left and answered', async ({ app }) => {
  const imports = new ImportsPage(app)
  const { page } = imports
  await importByKeys(imports, sample)
  await imports.answerSaveDialog(join(app.userData, 'default.fault.before-4'))
  await page.keyboard.press('Control+Shift+S')
  await expect(imports.spoken).toContainText('Saved a copy')
  await page.keyboard.press('Control+,')
  await expect(imports.heading('Settings')).toBeVisible()
  const restore = page.getByRole('button', { name: /^Restore default\.fault\.before-4/ })
  const question = page.getByRole('alertdialog', { name: 'Restore this safety copy?' })
  await imports.tabTo(restore)
  await page.keyboard.press('Enter')
  await expect(question).toBeVisible()
  for (const theme of ['light', 'dark'] as const) {
    await imports.setTheme(theme)
    expect(await axeObjections(page), theme).toEqual([])
  }
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(restore).toBeFocused()
  await page.keyboard.press('Enter')
  await imports.tabTo(question.getByRole('button', { name: 'Restore', exact: true }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Restore default\.fault\.before-restore/ })).toBeVisible()
  await expect(restore).toBeFocused()
  // Removing takes the button away that was pressed.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const removal = page.getByRole('alertdialog', { name: 'Remove this safety copy?' })
  await imports.tabTo(removal.getByRole('button', { name: 'Remove', exact: true }))
  await page.keyboard.press('Enter')
  await expect(restore).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Safety copies beside the file' })).toBeFocused()
})
