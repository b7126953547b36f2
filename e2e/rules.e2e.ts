// Rules in the real window: rules that came from elsewhere are listed with their effects, switched and removed; a tool
// is corrected; everything can be undone. Pictures of the screen are taken by rules.shots.ts.

import { resolve } from 'node:path'
import { expect, root, test } from './fixtures.ts'
import { axeObjections } from './pages/axe.ts'
import { atRest } from './pages/frame.ts'
import { ImportsPage } from './pages/imports.ts'
import { askCore, openRules, SAMPLE_RULES } from './pages/rules.ts'

const sample = resolve(root, 'resources/sample/refund-desk.faultline.jsonl')

test('rules are listed with their effects, switched, removed and brought back', async ({ app }) => {
  const imports = new ImportsPage(app)
  const { page } = imports
  await imports.importByDialog(sample)
  await askCore(page, 'rules.import', { text: SAMPLE_RULES })
  await askCore(page, 'rules.apply', {})
  await openRules(page)
  const rules = page.getByRole('region', { name: 'Rules', exact: true })
  const line = rules.getByRole('row').filter({ hasText: 'must succeed before' })
  await expect(line).toContainText(/\d+ events? in \d+ trials?/)
  const before = await line.innerText()
  await line.getByRole('checkbox').click({ force: true })
  await expect(line).toContainText('switched off')
  await page.keyboard.press('Control+z')
  await expect(line).toContainText(/\d+ events? in \d+ trials?/)
  expect(await line.innerText()).toBe(before)
  await line.getByRole('button', { name: /^Remove/ }).click()
  await expect(line).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(line).toContainText(/\d+ events? in \d+ trials?/)
  await page.keyboard.press('Control+Shift+z')
  await expect(line).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(line).toHaveCount(1)
  expect(await axeObjections(page)).toEqual([])
})

test('the class of a tool is corrected and taken back', async ({ app }) => {
  const imports = new ImportsPage(app)
  const { page } = imports
  await imports.importByDialog(sample)
  await openRules(page)
  const tool = page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: /Class of get_order/ }) })
    .first()
  await expect(tool).toContainText('name begins with')
  await tool.getByRole('button', { name: /Class of get_order/ }).click()
  await page.getByRole('option', { name: 'check' }).click()
  await expect(tool).toContainText('set to check')
  await atRest(page)
  await expect(page.getByText('get_order is a check', { exact: true })).toBeVisible()
  await tool.getByRole('button', { name: /Class of get_order/ }).click()
  await page.getByRole('option', { name: 'as learned' }).click()
  await expect(tool).toContainText('name begins with')
  await page.keyboard.press('Control+z')
  await expect(tool).toContainText('set to check')
  expect(await axeObjections(page)).toEqual([])
})
