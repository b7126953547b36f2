// Pictures of the search over steps: palette, lines, nothing typed, nothing found.

import { resolve } from 'node:path'
import { root, test } from './fixtures.ts'
import { atRest, Frame } from './pages/frame.ts'
import { ImportsPage } from './pages/imports.ts'
import { shoot } from './pages/shoot.ts'

const sample = resolve(root, 'resources/sample/refund-desk.faultline.jsonl')

test('the search over steps', async ({ app }) => {
  test.setTimeout(300_000)
  await new ImportsPage(app).importByDialog(sample)
  const { page } = new Frame(app)
  await page.keyboard.press('Control+Shift+F')
  await atRest(page)
  await shoot(app, 'search-empty')
  await page.keyboard.type('money back')
  await page.getByRole('grid', { name: 'Steps found' }).waitFor()
  await atRest(page)
  await shoot(app, 'search-said')
  await page.getByRole('searchbox').fill('refunded')
  await page
    .getByRole('row', { name: /refunded/ })
    .first()
    .waitFor()
  await atRest(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await shoot(app, 'search-lines')
  await page.getByRole('searchbox').fill('"order_id":"R-1001"}')
  await page
    .getByRole('row', { name: /list_refunds call/ })
    .first()
    .waitFor()
  await atRest(page)
  await shoot(app, 'search-arguments')
  await page.getByRole('searchbox').fill('nothing like it')
  await page.getByText(/No step in scope holds/).waitFor()
  await shoot(app, 'search-none')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('refund')
  await page.getByRole('menuitem', { name: /^All [\d,]+ results/ }).waitFor()
  await atRest(page)
  await shoot(app, 'search-palette')
})
