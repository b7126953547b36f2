// Pictures of the figures with doubt: the stats lens of a task and the sheet of all k, with an open "how computed".

import { resolve } from 'node:path'
import { expect, root, test } from './fixtures.ts'
import { atRest } from './pages/frame.ts'
import { ImportsPage } from './pages/imports.ts'
import { shoot } from './pages/shoot.ts'
import { TaskPage } from './pages/task.ts'
import { TasksPage } from './pages/tasks.ts'

test('the figures with doubt', async ({ app }) => {
  test.setTimeout(300_000)
  await new ImportsPage(app).importByDialog(resolve(root, 'resources/sample/refund-desk.faultline.jsonl'))
  const tasks = new TasksPage(app)
  const task = new TaskPage(app)
  await tasks.goTo('Tasks')
  await atRest(tasks.page)
  await tasks.page.getByRole('button', { name: 'All k' }).click()
  const sheet = tasks.page.getByRole('dialog', { name: 'All k' })
  await expect(sheet.getByText('between tasks (ICC)')).toBeVisible()
  await shoot(app, 'statistics-all-k')
  await sheet.getByRole('button', { name: /How computed: interval of pass\^1, other/ }).click()
  await shoot(app, 'statistics-all-k-how')
  await tasks.page.keyboard.press('Escape')
  await sheet.getByText('cost per success').scrollIntoViewIfNeeded()
  await shoot(app, 'statistics-all-k-below')
  await tasks.page.keyboard.press('Escape')
  await tasks.row('t02').dblclick()
  await expect(task.page.getByRole('heading', { level: 1 })).toContainText('t02')
  await task.lens('Stats')
  await expect(
    task.page.getByText('P(p', { exact: false }).or(task.page.getByText('verdict')).first(),
  ).toBeVisible()
  await shoot(app, 'statistics-task')
})
