// Screens that come and go, as axe sees them in both themes: an import that is running, what decides, questions before
// something is taken away, a workspace that cannot be written, the states of the search.

import { chmod, copyFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, root, test } from './fixtures.ts'
import { axeObjections } from './pages/axe.ts'
import { corePid } from './pages/core.ts'
import { atRest, type Frame } from './pages/frame.ts'
import { ImportsPage, largeExport } from './pages/imports.ts'
import { IntakePage } from './pages/intake.ts'
import { oneScale, twoScorers } from './pages/samples.ts'

const sample = resolve(root, 'resources/sample/refund-desk.faultline.jsonl')

/** Looks at what is on screen in both themes. */
async function look(frame: Frame, what: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await frame.setTheme(theme)
    expect(await axeObjections(frame.page), `${what}, ${theme}`).toEqual([])
  }
}

test('an import that is running, and one that is being cancelled', async ({ app }) => {
  test.slow()
  const imports = new ImportsPage(app)
  await imports.drop(await largeExport(join(app.userData, 'nightly.jsonl'), 60))
  await imports.status.getByText(/Importing .* · [1-9][\d,]* trials/).waitFor({ timeout: 60_000 })
  // The core stands still meanwhile: the import cannot end while it is looked at.
  const pid = await corePid(app)
  process.kill(pid, 'SIGSTOP')
  try {
    await look(imports, 'running')
    await imports.status.getByRole('button', { name: 'Cancel' }).click()
    await imports.status.getByText('Cancelling…').waitFor()
    await look(imports, 'being cancelled')
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  await imports.page.getByText(/cancelled; what was read before is kept/).waitFor({ timeout: 30_000 })
  await look(imports, 'cancelled')
})

test('what decides, before an import and after it', async ({ app }) => {
  test.slow()
  const intake = new IntakePage(app)
  const paths = [join(app.userData, 'two.json'), join(app.userData, 'graded.json')]
  await writeFile(paths[0] ?? '', twoScorers())
  await writeFile(paths[1] ?? '', oneScale())
  await intake.drop(...paths, resolve(root, 'test/fixtures/outcomes/matrix.csv'))
  const sheet = await intake.sheet('Look before it is kept')
  await look(intake, 'look with scorers')
  await sheet.getByText('Then attach the outcomes of').click()
  await intake.keep()
  await intake.finished()
  await intake.page.getByRole('textbox', { name: 'A pass in graded from this number on' }).fill('seven')
  await expect(intake.page.getByText('Write a number.')).toBeVisible()
  await look(intake, 'a number that is none')
})

test('safety copies, the questions before something is taken away, a workspace that cannot be written', async ({
  app,
}) => {
  test.slow()
  const imports = new ImportsPage(app)
  const { page } = imports
  await imports.importByDialog(sample)
  const copy = join(app.userData, 'default.fault.before-4')
  await imports.answerSaveDialog(copy)
  await imports.workspace(/^Save a copy/)
  await expect(imports.spoken).toContainText('Saved a copy')
  await imports.goToSettings()
  await page.getByRole('button', { name: /^Remove default/ }).waitFor()
  await look(imports, 'settings with a copy')
  await page.getByRole('button', { name: /^Remove default/ }).click()
  await page.getByRole('alertdialog').waitFor()
  await look(imports, 'remove a copy')
  await page.getByRole('button', { name: 'Keep it' }).click()
  await imports.workspace(/^Delete everything/)
  await page.getByRole('alertdialog').waitFor()
  await look(imports, 'delete everything')
  await page.getByText('Yes, delete everything').click()
  await look(imports, 'delete everything, sure')
  await page.getByRole('button', { name: 'Keep everything' }).click()
  const frozen = join(app.userData, 'frozen.fault')
  await copyFile(copy, frozen)
  await chmod(frozen, 0o444)
  await imports.answerOpenDialog(frozen)
  await imports.workspace(/^Open workspace/)
  await page.getByText('Read only').waitFor()
  await atRest(page)
  await look(imports, 'read only')
})

test('the search without words, with lines, with nothing found', async ({ app }) => {
  test.slow()
  const imports = new ImportsPage(app)
  const { page } = imports
  await imports.importByDialog(sample)
  await page.keyboard.press('Control+Shift+F')
  await expect(imports.heading('Search')).toBeVisible()
  await look(imports, 'nothing typed')
  await page.getByRole('searchbox').fill('refunded')
  await page
    .getByRole('row', { name: /refunded/ })
    .first()
    .waitFor()
  await atRest(page)
  await look(imports, 'lines')
  await page.getByRole('searchbox').fill('nothing like it')
  await page.getByText(/No step in scope holds/).waitFor()
  await look(imports, 'nothing found')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('refund')
  await page.getByRole('menuitem', { name: /^All [\d,]+ results/ }).waitFor()
  await atRest(page)
  await look(imports, 'palette with steps')
})
