// Screenshots of the frame's screens, light and dark, in both sizes, into out/shots: to be looked at, not compared.

import { mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { root, test } from './fixtures.ts'
import { atRest } from './pages/frame.ts'
import { ImportsPage } from './pages/imports.ts'
import { TasksPage } from './pages/tasks.ts'

const shots = resolve(root, 'out/shots')
const sizes = [
  [1440, 900],
  [1000, 700],
] as const

test('the screens of the frame', async ({ app }) => {
  test.setTimeout(300_000)
  mkdirSync(shots, { recursive: true })
  const imports = new ImportsPage(app)
  const { page } = imports
  const shot = async (name: string): Promise<void> => {
    for (const theme of ['light', 'dark'] as const) {
      await imports.setTheme(theme)
      for (const [width, height] of sizes) {
        await imports.setSize(width, height)
        await page.screenshot({ path: join(shots, `${name}-${theme}-${width}x${height}.png`) })
      }
    }
    await imports.setSize(1440, 900)
  }
  await shot('first-run')
  const note = join(app.userData, 'notes.txt')
  await writeFile(note, 'Nothing that could be imported.\n')
  const cut = join(app.userData, 'cut.jsonl')
  await writeFile(
    cut,
    '{"type":"header","format":"faultline","version":1,"suite":"desk"}\n{"type":"trial","trial_id":"1","task_id":"refund","outcome":"pass","steps":[]}\n{"type":"trial","trial_id":"2","ta',
  )
  await imports.importByDialog(resolve(root, 'resources/sample/refund-desk.faultline.jsonl'), note, cut)
  await shot('imports')
  await imports.openProblems('cut.jsonl')
  await shot('imports-problems')
  const tasks = new TasksPage(app)
  await tasks.goTo('Tasks')
  await atRest(page)
  await shot('tasks')
  await tasks.focusGrid()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.getByText('A lead, not proof').first().waitFor()
  await shot('tasks-peek')
  await page.getByRole('button', { name: 'All k' }).click()
  await shot('tasks-all-k')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Policy/ }).click()
  await shot('policy')
  await page.keyboard.press('Escape')
  await tasks.search('nothing like it')
  await shot('tasks-no-match')
  await tasks.search('')
  await tasks.goTo('Report')
  await page.getByText(/^# Faultline report/).waitFor()
  await shot('report')
  await tasks.goToSettings()
  await shot('settings')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await shot('keys')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('refund')
  await page.getByRole('menuitem').first().waitFor()
  await shot('palette')
})
