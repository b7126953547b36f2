// The frame in the real window: menu commands, workspaces (new, copy, dropped, damaged), deletion and its undo, the
// report written where the person says, and a window that asks nothing while nobody does anything.

import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, ready, root, test, type App } from './fixtures.ts'
import { axeObjections } from './pages/axe.ts'
import { atRest, Frame } from './pages/frame.ts'
import { ImportsPage } from './pages/imports.ts'
import { TasksPage } from './pages/tasks.ts'

const sample = resolve(root, 'resources/sample/refund-desk.faultline.jsonl')

/** Chooses an entry of the application menu, as the system would. */
async function menu(app: App, id: string): Promise<void> {
  await app.electron.evaluate(({ Menu }, item) => {
    Menu.getApplicationMenu()?.getMenuItemById(item)?.click()
  }, id)
}

test('the application menu reaches the window, on every screen', async ({ app }) => {
  const frame = new Frame(app)
  await menu(app, 'go.settings')
  await expect(frame.heading('Settings')).toBeVisible()
  await menu(app, 'view.palette')
  await expect(frame.page.getByRole('dialog', { name: 'Command palette' })).toBeVisible()
  await frame.page.keyboard.press('Escape')
  await menu(app, 'help.about')
  await expect(frame.page.getByRole('dialog', { name: 'About Faultline' })).toContainText('Electron')
  await frame.page.keyboard.press('Escape')
  await menu(app, 'workspace.openSample')
  await expect(new TasksPage(app).grid).toHaveAttribute('aria-rowcount', '11', { timeout: 30_000 })
  await expect(frame.page.getByRole('button', { name: /Sample workspace/ })).toBeVisible()
})

test('new workspace, save a copy, drop the copy to open it', async ({ app }) => {
  const imports = new ImportsPage(app)
  await imports.importByDialog(sample)
  const copy = join(app.userData, 'copied.fault')
  await imports.answerSaveDialog(copy)
  await imports.workspace(/^Save a copy/)
  await expect(imports.spoken).toContainText('Saved a copy as copied.fault')
  expect(existsSync(copy)).toBe(true)
  await imports.answerSaveDialog(join(app.userData, 'fresh.fault'))
  await imports.workspace(/^New workspace/)
  await expect(imports.heading(/part from its passing trials/)).toBeVisible()
  await imports.drop(copy)
  await expect(new TasksPage(app).grid).toHaveAttribute('aria-rowcount', '11')
  await expect(imports.page.getByRole('button', { name: /^Faultline copied/ })).toBeVisible()
  await imports.page.getByRole('button', { name: /^Faultline copied/ }).click()
  await imports.page.getByRole('menuitem', { name: 'fresh.fault' }).click()
  await expect(imports.heading(/part from its passing trials/)).toBeVisible()
})

test('a damaged workspace takes the screen, names the file, and a new one can be made', async ({
  launch,
  userData,
}) => {
  const damaged = join(userData, 'default.fault')
  await writeFile(damaged, 'this is no database, and never was one '.repeat(200))
  const app = await launch()
  await ready(app)
  const frame = new Frame(app)
  await expect(frame.heading('The workspace file is damaged')).toBeVisible()
  await expect(frame.page.locator('main')).toContainText('default.fault')
  for (const theme of ['light', 'dark'] as const) {
    await frame.setTheme(theme)
    expect(await axeObjections(frame.page)).toEqual([])
  }
  await frame.answerSaveDialog(join(userData, 'fresh.fault'))
  await frame.page.getByRole('button', { name: 'New workspace…' }).click()
  await expect(frame.heading(/part from its passing trials/)).toBeVisible({ timeout: 30_000 })
  expect(await readFile(damaged, 'utf8')).toContain('this is no database')
})

test('everything can be deleted, brought back, and erased for good', async ({ app }) => {
  const imports = new ImportsPage(app)
  await imports.importByDialog(sample)
  await imports.workspace(/^Delete everything/)
  const sheet = imports.page.getByRole('alertdialog')
  await expect(sheet.getByRole('button', { name: 'Delete 160 trials' })).toBeDisabled()
  expect(await axeObjections(imports.page)).toEqual([])
  await sheet.getByRole('checkbox').check({ force: true })
  await sheet.getByRole('button', { name: 'Delete 160 trials' }).click()
  await expect(imports.status).toContainText('0 trials · 0 tasks')
  await imports.status.getByRole('button', { name: 'Undo' }).click()
  await expect(imports.status).toContainText('160 trials · 10 tasks')
  await imports.workspace(/^Delete everything/)
  await sheet.getByRole('checkbox').check({ force: true })
  await sheet.getByRole('button', { name: 'Delete 160 trials' }).click()
  await expect(imports.status).toContainText('0 trials · 0 tasks')
  await imports.goToSettings()
  await imports.page.getByRole('button', { name: 'Erase now…' }).click()
  await sheet.getByRole('button', { name: 'Erase', exact: true }).click()
  await expect(imports.spoken).toContainText('160 trials erased for good')
  await expect(imports.page.getByText(/can be brought back/)).toHaveCount(0)
})

test('the report of the filtered tasks is saved as it was shown', async ({ app }) => {
  const imports = new ImportsPage(app)
  await imports.importByDialog(sample)
  const tasks = new TasksPage(app)
  await tasks.goTo('Tasks')
  await tasks.phrase(/^7 sometimes$/)
  await tasks.goTo('Report')
  await tasks.page.getByRole('radio', { name: /^filtered: sometimes pass/ }).check({ force: true })
  await expect(tasks.page.getByRole('region', { name: 'Preview' })).toContainText('7 tasks', {
    timeout: 30_000,
  })
  await atRest(tasks.page)
  const path = join(app.userData, 'report.md')
  await tasks.answerSaveDialog(path)
  await tasks.page.getByRole('button', { name: 'Save…' }).click()
  await expect(tasks.spoken).toContainText('Saved report.md')
  const text = await readFile(path, 'utf8')
  expect(text).toMatch(/^# Faultline report/)
  expect(text).toContain('t02')
  expect(text).not.toContain('t05')
  await tasks.page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(tasks.spoken).toContainText('Copied the report')
  expect(await app.electron.evaluate(({ clipboard }) => clipboard.readText())).toBe(text)
})

test('while nobody does anything, no screen asks anything', async ({ app }) => {
  const imports = new ImportsPage(app)
  await imports.importByDialog(sample)
  for (const screen of ['Tasks', 'Report', 'Imports'] as const) {
    await imports.goTo(screen)
    await expect(imports.status).not.toContainText('comparing')
    await imports.page.waitForTimeout(1500)
    await atRest(imports.page)
    const changes = await imports.page.evaluate(
      () =>
        new Promise<number>((done) => {
          let count = 0
          const observer = new MutationObserver(() => (count += 1))
          observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-idle'] })
          setTimeout(() => {
            observer.disconnect()
            done(count)
          }, 2000)
        }),
    )
    expect(changes, screen).toBe(0)
  }
})
