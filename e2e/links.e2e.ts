// Links in the real window: copied from a place, opened by a second start and by the first one, and by the command
// line; what leads nowhere says so.

import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, ready, root, machineArgs, test, type App } from './fixtures.ts'
import { ImportsPage } from './pages/imports.ts'
import { TaskPage } from './pages/task.ts'
import { TasksPage } from './pages/tasks.ts'

const sample = resolve(root, 'resources/sample/refund-desk.faultline.jsonl')

/** What lies on the clipboard. */
const clipboard = (app: App): Promise<string> => app.electron.evaluate(({ clipboard: it }) => it.readText())

/** Starts the app a second time, as the system does with a link; resolves to its exit code. */
function secondStart(app: App, link: string): Promise<number | null> {
  const args = ['.', `--user-data-dir=${app.userData}`, ...machineArgs, link]
  const child = spawn(process.env['ELECTRON_EXEC_PATH'] ?? '', args, { cwd: root, stdio: 'ignore' })
  return new Promise((done) => void child.once('exit', done))
}

test('a link to a step is copied and leads back: by a second start, and by a new one', async ({ launch }) => {
  const app = await launch()
  await ready(app)
  await new ImportsPage(app).importByDialog(sample)
  const tasks = new TasksPage(app)
  await tasks.goTo('Tasks')
  await tasks.row('t07').dblclick()
  const task = new TaskPage(app)
  await task.openPair()
  await task.page.getByRole('button', { name: 'Copy a link to this place' }).click()
  await expect(task.status).toContainText('Link copied')
  const link = await clipboard(app)
  expect(link).toMatch(/^faultline:\/\/task\/.+;trial=.+;column=\d+$/)

  await tasks.goTo('Imports')
  expect(await secondStart(app, link)).toBe(0)
  await expect(task.pair).toBeVisible()
  await expect(task.heading(/t07/)).toBeVisible()

  // The key does the same on every screen.
  await tasks.goTo('Tasks')
  await task.page.keyboard.press('Control+l')
  await expect.poll(() => clipboard(app)).toBe('faultline://tasks')
  await app.close()

  const again = await launch({ args: [link] })
  await ready(again)
  await expect(new TaskPage(again).pair).toBeVisible()
})

test('a link to a task of another workspace says that it is not here', async ({ launch }) => {
  const app = await launch({ args: ['faultline://task/elsewhere;lens=stats'] })
  await ready(app)
  await new ImportsPage(app).drop(sample)
  await expect.poll(() => app.window.evaluate(() => location.hash)).toContain('imports')
  await secondStart(app, 'faultline://task/elsewhere')
  await expect(app.window.getByRole('button', { name: 'All tasks' })).toBeVisible()
})
