// Screenshots of the Rules screen, without and with rules, into out/shots: to be looked at, not compared.

import { resolve } from 'node:path'
import { root, test } from './fixtures.ts'
import { ImportsPage } from './pages/imports.ts'
import { askCore, openRules, SAMPLE_RULES } from './pages/rules.ts'
import { shoot } from './pages/shoot.ts'

test('rules', async ({ app }) => {
  const imports = new ImportsPage(app)
  await imports.importByDialog(resolve(root, 'resources/sample/refund-desk.faultline.jsonl'))
  await openRules(imports.page)
  await shoot(app, 'rules-none')
  await askCore(imports.page, 'rules.import', { text: SAMPLE_RULES })
  await askCore(imports.page, 'rules.apply', {})
  await imports.page.getByText('must succeed before').first().waitFor()
  await shoot(app, 'rules')
  await imports.page.getByRole('region', { name: 'Rules', exact: true }).evaluate((part) => {
    part.scrollTop = part.scrollHeight
  })
  await shoot(app, 'rules-end')
})
