// The task table in the real window: order, filters, keyboard, scope, policy, peek, ten thousand tasks, and each
// screen of the frame as axe sees it in both themes.

import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, root, test, type App } from './fixtures.ts'
import { axeObjections } from './pages/axe.ts'
import { atRest } from './pages/frame.ts'
import { ImportsPage } from './pages/imports.ts'
import { TasksPage } from './pages/tasks.ts'

const sample = resolve(root, 'resources/sample/refund-desk.faultline.jsonl')

async function withSample(app: App): Promise<TasksPage> {
  const imports = new ImportsPage(app)
  await imports.importByDialog(sample)
  const tasks = new TasksPage(app)
  await tasks.goTo('Tasks')
  return tasks
}

test('severe first, then the lowest lower bound; the header, the select and s change the order', async ({
  app,
}) => {
  const tasks = await withSample(app)
  const bySevere = await tasks.shown()
  expect(bySevere).toHaveLength(10)
  await expect(tasks.page.getByRole('columnheader', { name: 'Severe' })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
  await tasks.page.getByRole('columnheader', { name: 'Task' }).getByRole('button').click()
  expect(await tasks.shown()).toEqual(bySevere.toSorted())
  await tasks.page.getByRole('columnheader', { name: 'Task' }).getByRole('button').click()
  expect(await tasks.shown()).toEqual(bySevere.toSorted().toReversed())
  await tasks.focusGrid()
  await tasks.page.keyboard.press('s')
  expect(await tasks.shown()).toEqual(bySevere)
  expect(await tasks.page.evaluate(() => location.hash)).toBe('#/tasks')
})

test('the keyboard alone: rows, peek, text filter, open, back to the same row', async ({ app }) => {
  const tasks = await withSample(app)
  const [, second = ''] = await tasks.shown()
  await tasks.focusGrid()
  await tasks.page.keyboard.press('ArrowDown')
  await expect(tasks.row(second)).toBeFocused()
  await tasks.page.keyboard.press('Space')
  const peek = tasks.page.getByRole('complementary', { name: 'Task in short' })
  await expect(peek).toContainText(second)
  await expect(peek).toContainText('A lead, not proof')
  await expect(tasks.row(second)).toBeFocused()
  await tasks.page.keyboard.press('Enter')
  await expect.poll(() => tasks.page.evaluate(() => location.hash)).toMatch(/^#\/task\//)
  await atRest(tasks.page)
  await tasks.page.keyboard.press('Alt+ArrowLeft')
  await expect(tasks.row(second)).toHaveAttribute('aria-selected', 'true')
  await tasks.focusGrid()
  await tasks.page.keyboard.press('/')
  await tasks.page.keyboard.type('twice')
  await expect(tasks.grid).toHaveAttribute('aria-rowcount', '2')
  await tasks.page.keyboard.press('Escape')
  await expect(tasks.grid).toHaveAttribute('aria-rowcount', '11')
})

test('phrases, chips, nothing left; the scope and the policy change every figure', async ({ app }) => {
  const tasks = await withSample(app)
  await tasks.phrase(/^3 always pass$/)
  expect(await tasks.total()).toBe(3)
  await tasks.search('nothing like it')
  await expect(tasks.page.getByText(/No task matches/)).toBeVisible()
  await tasks.page.getByRole('button', { name: 'Clear filters' }).first().click()
  expect(await tasks.total()).toBe(10)
  await tasks.page.getByRole('button', { name: /^Scope 2 configurations pooled/ }).click()
  await tasks.page.getByRole('menuitemcheckbox', { name: /careful/ }).click()
  await tasks.page.keyboard.press('Escape')
  await expect(tasks.grid.getByRole('row', { name: /of 8 passed/ })).toHaveCount(10)
  await tasks.page.reload()
  await expect(tasks.grid.getByRole('row', { name: /of 8 passed/ })).toHaveCount(10)
})

test('ten thousand tasks: only those in sight are drawn, and the last is reached', async ({ app }) => {
  test.slow()
  const path = join(app.userData, 'wide.jsonl')
  const records = ['{"type":"header","format":"faultline","version":1,"suite":"wide"}']
  for (let task = 0; task < 10_000; task += 1) {
    const id = String(task).padStart(5, '0')
    records.push(
      `{"type":"trial","trial_id":"r${id}","task_id":"t${id}","outcome":"${task % 3 === 0 ? 'fail' : 'pass'}","steps":[{"index":0,"role":"assistant","kind":"message","content":"done","final":true}]}`,
    )
  }
  await writeFile(path, records.join('\n'))
  const imports = new ImportsPage(app)
  await imports.drop(path)
  await expect(imports.spoken).toContainText('10,000 trials kept', { timeout: 60_000 })
  const tasks = new TasksPage(app)
  await tasks.goTo('Tasks')
  await expect(tasks.grid).toHaveAttribute('aria-rowcount', '10001')
  await tasks.page.getByRole('columnheader', { name: 'Task' }).getByRole('button').click()
  await expect(tasks.row('t00000')).toBeVisible()
  expect(await tasks.grid.getByRole('row').count()).toBeLessThan(80)
  // Scroll through everything, one screen per frame, and watch for frames that take long.
  const worst = await tasks.grid.evaluate(async (grid) => {
    let last = performance.now()
    let longest = 0
    for (let top = 0; top < grid.scrollHeight; top += grid.clientHeight * 4) {
      grid.scrollTop = top
      await new Promise((drawn) => requestAnimationFrame(drawn))
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }
    return longest
  })
  test.info().annotations.push({ type: 'longest frame (ms)', description: worst.toFixed(0) })
  await tasks.focusGrid()
  await tasks.page.keyboard.press('Control+End')
  await expect(tasks.row('t09999')).toBeFocused()
  await expect(tasks.row('t09999')).toHaveAttribute('aria-selected', 'true')
  await tasks.search('t0423')
  expect(await tasks.total()).toBe(10)
  await atRest(tasks.page)
})

test('every screen of the frame as axe sees it, in both themes', async ({ app }) => {
  test.slow()
  const tasks = await withSample(app)
  const look = async (what: string): Promise<void> => {
    for (const theme of ['light', 'dark'] as const) {
      await tasks.setTheme(theme)
      expect(await axeObjections(tasks.page), `${what}, ${theme}`).toEqual([])
    }
  }
  await look('tasks')
  await tasks.focusGrid()
  await tasks.page.keyboard.press('ArrowDown')
  await tasks.page.keyboard.press('Space')
  await expect(tasks.page.getByRole('complementary', { name: 'Task in short' })).toBeVisible()
  await look('tasks with peek')
  await tasks.page.getByRole('button', { name: 'All k' }).click()
  await look('all k')
  await tasks.page.keyboard.press('Escape')
  await tasks.search('nothing like it')
  await look('tasks filtered to nothing')
  await tasks.search('')
  await tasks.goTo('Report')
  await atRest(tasks.page)
  await look('report')
  await tasks.goToSettings()
  await look('settings')
  await tasks.page.keyboard.press('?')
  await expect(tasks.page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await look('keys')
  await tasks.page.keyboard.press('Escape')
  await tasks.page.keyboard.press('Control+k')
  await tasks.page.keyboard.type('re')
  await look('palette')
})
