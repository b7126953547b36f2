// Search over steps in the real window: from the palette to the screen, to the step, and back.

import { resolve } from 'node:path'
import { expect, root, test } from './fixtures.ts'
import { axeObjections } from './pages/axe.ts'
import { atRest, Frame } from './pages/frame.ts'
import { ImportsPage } from './pages/imports.ts'

const sample = resolve(root, 'resources/sample/refund-desk.faultline.jsonl')

test('a text is found in the steps of the sample, and its step is opened and left again', async ({ app }) => {
  await new ImportsPage(app).importByDialog(sample)
  const frame = new Frame(app)
  const { page } = frame
  await page.keyboard.press('Control+k')
  await page.keyboard.type('list_refunds')
  const all = page.getByRole('menuitem', { name: /^All [\d,]+ results/ })
  await expect(all).toBeVisible()
  await expect(page.getByRole('menuitem', { name: /list_refunds.*t01/ }).first()).toBeVisible()
  await atRest(page)
  await expect.poll(() => axeObjections(page)).toEqual([])
  await all.click()
  await expect(frame.heading('Search')).toBeVisible()
  const field = page.getByRole('searchbox', { name: 'Text to search for in steps' })
  await expect(field).toBeFocused()
  await expect(page.getByText(/steps in \d+ trials of \d+ tasks; \d+ of the trials passed/)).toBeVisible()
  const lines = page.getByRole('grid', { name: 'Steps found' })
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const chosen = lines.getByRole('row', { selected: true })
  await expect(chosen).toBeFocused()
  const name = (await chosen.getAttribute('aria-label')) ?? ''
  expect(name).toContain('refund-desk/t01')
  for (const theme of ['light', 'dark'] as const) {
    await frame.setTheme(theme)
    expect(await axeObjections(page), theme).toEqual([])
  }
  await page.keyboard.press('Enter')
  await expect(page.locator('article[data-current="true"]')).toContainText('list_refunds')
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(lines.getByRole('row', { selected: true })).toBeFocused()
  expect(await lines.getByRole('row', { selected: true }).getAttribute('aria-label')).toBe(name)

  // A click on the words opens the step as well.
  await lines.getByRole('row').nth(1).getByRole('link').click()
  await expect(page.locator('article[data-current="true"]')).toBeVisible()
  await page.keyboard.press('Control+Shift+F')
  await expect(field).toHaveValue('list_refunds')

  await field.fill('no such words anywhere')
  await expect(page.getByText(/No step in scope holds/)).toBeVisible()
  expect(new URL(page.url()).hash).toBe('#/search;text=no%20such%20words%20anywhere')
  expect(await axeObjections(page)).toEqual([])
  await atRest(page)
})
