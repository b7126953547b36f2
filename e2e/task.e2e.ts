// The task screen in the real window: from the table to the divergence, the two steps, the annotation and back
// after a restart; large lanes; hostile text; each lens as axe sees it in both themes.

import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, ready, root, test, type App } from './fixtures.ts'
import { axeObjections } from './pages/axe.ts'
import { ImportsPage } from './pages/imports.ts'
import { openTask, TaskPage } from './pages/task.ts'

const sample = resolve(root, 'resources/sample/refund-desk.faultline.jsonl')

/** Imports a file and opens one of its tasks from the table. */
async function taskOf(app: App, path: string, task: string): Promise<TaskPage> {
  await new ImportsPage(app).importByDialog(path)
  return openTask(app, task)
}

test('band, sentence, two steps, annotation; the annotation is there after a restart', async ({ launch }) => {
  const app = await launch()
  await ready(app)
  const task = await taskOf(app, sample, 't07')
  await expect(task.lanes).toContainText('parts here: 10 of 10')
  await expect(task.lanes.locator('[data-band]')).toBeVisible()
  await expect(task.finding).toContainText('A lead, not proof.')
  await task.focusLanes()
  await task.page.keyboard.press('d')
  await task.page.keyboard.press('Enter')
  await expect(task.pair).toBeVisible()
  const args = task.pair.getByRole('region', { name: 'arguments' })
  await expect(args.locator('[data-diff]').first()).toBeVisible()
  await expect(args).toContainText('delivered_on')

  await task.annotate()
  await task.page.keyboard.press('1')
  await task.page.keyboard.press('s')
  await task.page.keyboard.press('e')
  await task.annotation.getByRole('textbox', { name: 'Note' }).fill('Read the date month first.')
  await task.saved()
  const where = await task.page.evaluate(() => location.hash)
  await app.close()

  const again = await launch()
  await ready(again)
  await again.window.evaluate((hash) => {
    location.hash = hash
  }, where)
  const reopened = new TaskPage(again)
  await expect(reopened.annotation.getByRole('textbox', { name: 'Note' })).toHaveValue(
    'Read the date month first.',
  )
  await expect(reopened.annotation.getByRole('radio', { name: /severe/ })).toBeChecked()
  await expect(reopened.annotation.getByRole('list')).toContainText('step')
  await expect(reopened.pair).toBeVisible()
})

test('keys: along the lanes, to the divergence, along the steps; Back returns to where one was', async ({
  app,
}) => {
  const task = await taskOf(app, sample, 't02')
  const { keyboard } = task.page
  await task.focusLanes()
  await keyboard.press('Control+Home')
  await expect(task.page.locator(':focus')).toHaveAttribute('aria-label', /^reference/)
  await keyboard.press('n')
  await expect(task.page.locator(':focus')).toHaveAttribute('aria-label', /failed.*diverges here/)
  await keyboard.press('Enter')
  await expect(task.pair).toContainText('no step here: this trial skipped check_refund_policy')
  const opened = await task.page.evaluate(() => location.hash)
  await keyboard.press('.')
  await expect.poll(() => task.page.evaluate(() => location.hash)).not.toBe(opened)
  await keyboard.press(',')
  await expect.poll(() => task.page.evaluate(() => location.hash)).toBe(opened)
  await keyboard.press('3')
  await expect(task.page.getByRole('cell', { name: '3/8' }).first()).toBeVisible()
  await keyboard.press('Alt+ArrowLeft')
  await expect(task.pair).toBeVisible()
})

/** 80 trials of 200 calls over 20 stages: one lane in sixteen alike, some of them failing at the 120th call. */
function wideExport(): string {
  const lines: unknown[] = [
    { type: 'header', format: 'faultline', version: 1, suite: 'wide' },
    { type: 'config', config_id: 'c', label: 'c', model: 'some-model' },
  ]
  for (let trial = 0; trial < 80; trial += 1) {
    const isFailing = trial % 4 === 0
    const steps: unknown[] = [{ index: 0, role: 'user', kind: 'message', content: 'Go.' }]
    for (let call = 0; call < 200; call += 1) {
      const value =
        isFailing && call === 120 ? 'wrong' : call % 16 === trial % 16 ? `habit ${trial % 16}` : 'usual'
      const id = `c${call}`
      const name = `tool_${call}`
      const stage = `stage ${Math.floor(call / 10)}`
      steps.push(
        {
          index: call * 2 + 1,
          role: 'assistant',
          kind: 'tool_call',
          stage,
          calls: [{ call_id: id, name, arguments: { value } }],
        },
        {
          index: call * 2 + 2,
          role: 'tool',
          kind: 'tool_result',
          call_id: id,
          name,
          content: `{"ok":${call}}`,
        },
      )
    }
    const outcome = isFailing ? 'fail' : 'pass'
    lines.push({ type: 'trial', trial_id: `t${trial}`, task_id: 'wide', config_id: 'c', outcome, steps })
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

test('80 lanes of 200 columns are drawn in part, quickly, and every cell can be reached', async ({
  app,
  userData,
}) => {
  const path = join(userData, 'wide.jsonl')
  await writeFile(path, wideExport())
  const task = await taskOf(app, path, 'wide')
  await expect(task.lanes).toHaveAttribute('aria-colcount', /\d+/)
  await task.page.getByRole('checkbox', { name: 'fold gaps' }).setChecked(false, { force: true })
  await expect(task.lanes).toHaveAttribute('aria-colcount', '202')
  const drawn = await task.lanes.getByRole('gridcell').count()
  expect(drawn).toBeLessThan(3500)

  // From a press to the next frame: what a person waits for, besides the data.
  const elapsed = await task.page.evaluate(async () => {
    const box = [...document.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')].at(0)
    const started = performance.now()
    box?.click()
    box?.click()
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))
    return performance.now() - started
  })
  process.stdout.write(
    `lanes of 80 × 200 drawn twice in ${elapsed.toFixed(0)} ms, ${drawn} cells in the page\n`,
  )
  // A net against drawing everything, wide enough for a busy machine.
  expect(elapsed).toBeLessThan(2000)

  await task.focusLanes()
  await task.page.keyboard.press('Control+End')
  await expect(task.page.locator(':focus')).toHaveAttribute('aria-label', /tool_199/)
  await expect(task.page.locator(':focus')).toBeInViewport()
  await task.page.keyboard.press('Control+Home')
  await expect(task.page.locator(':focus')).toHaveAttribute('aria-label', /^reference.*tool_0/)
  await expect(task.page.locator(':focus')).toBeInViewport()
})

test('markup, links and overrides in trial text stay text in lanes, pair, steps and stats', async ({
  app,
  userData,
}) => {
  const evil =
    '<img src=x onerror="document.title=\'hacked\'"> [x](javascript:alert(1)) \u202Etxt.exe </script>'
  const trial = (id: string, outcome: string, value: string): unknown => ({
    type: 'trial',
    trial_id: id,
    task_id: 'evil',
    config_id: 'c',
    outcome,
    termination: evil,
    steps: [
      { index: 0, role: 'user', kind: 'message', content: evil },
      {
        index: 1,
        role: 'assistant',
        kind: 'tool_call',
        content: evil,
        calls: [{ call_id: 'c1', name: `get_${value}`, arguments: { [evil]: value } }],
      },
      { index: 2, role: 'tool', kind: 'tool_result', call_id: 'c1', name: 'get', content: evil },
    ],
  })
  const lines = [
    { type: 'header', format: 'faultline', version: 1, suite: 'evil' },
    { type: 'config', config_id: 'c', label: evil, model: evil },
    ...['a', 'b', 'c'].map((id) => trial(id, 'pass', 'good')),
    ...['d', 'e', 'f'].map((id) => trial(id, 'fail', `bad${evil}`)),
  ]
  const path = join(userData, 'evil.jsonl')
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const task = await taskOf(app, path, 'evil')
  await task.lanes
    .getByRole('gridcell', { name: /failed/ })
    .first()
    .click()
  await expect(task.pair).toBeVisible()
  await task.pair.getByRole('button', { name: 'Show raw' }).click()
  await task.lens('Steps')
  await expect(task.page.getByRole('article').first()).toContainText('<img src=x')
  await expect(task.page.getByRole('article').first()).toContainText('\\u{202E}')
  await task.lens('Stats')
  expect(await task.page.locator('img, iframe, a[href^="javascript"]').count()).toBe(0)
  expect(await task.page.title()).not.toContain('hacked')
})

test('stages fold and open by keyboard alone', async ({ app }) => {
  const task = await taskOf(app, sample, 't07')
  const { keyboard } = task.page
  const focused = task.page.locator(':focus')
  await task.focusLanes()
  await keyboard.press('Control+Home')
  await keyboard.press('ArrowRight')
  await keyboard.press('ArrowUp')
  await expect(focused).toHaveText('gather')
  await expect(focused).toHaveAttribute('aria-expanded', 'true')
  const columns = Number(await task.lanes.getAttribute('aria-colcount'))
  await keyboard.press('Enter')
  await expect(focused).toHaveAttribute('aria-expanded', 'false')
  await expect(task.lanes).toHaveAttribute('aria-colcount', String(columns - 1))
  // Below the folded stage stands the button of its columns; pressed, it gives the focus back to the stage.
  await keyboard.press('ArrowDown')
  await expect(focused).toHaveText(/2$/)
  await keyboard.press('Enter')
  await expect(focused).toHaveText('gather')
  await expect(task.lanes).toHaveAttribute('aria-colcount', String(columns))
  await keyboard.press('ArrowDown')
  await expect(focused).toHaveAttribute('aria-label', /^reference/)
  await keyboard.press('f')
  await expect(task.lanes).toHaveAttribute('aria-colcount', String(columns - 1))
})

test('a small window with step pair and annotation still shows four lanes, and sizes are kept', async ({
  launch,
}) => {
  const app = await launch()
  await ready(app)
  const task = await taskOf(app, sample, 't07')
  await task.setSize(1000, 700)
  await task.openPair()
  await task.annotate()
  const inSight = (page: TaskPage): Promise<number> =>
    page.lanes.evaluate((grid) => {
      const head = grid.querySelector('[role="rowgroup"]')?.getBoundingClientRect().bottom ?? 0
      const { bottom } = grid.getBoundingClientRect()
      return [...grid.querySelectorAll('[role="row"][aria-rowindex]')].filter((row) => {
        const rect = row.getBoundingClientRect()
        return rect.top >= head - 1 && rect.bottom <= bottom + 1
      }).length
    })
  expect(await inSight(task)).toBeGreaterThanOrEqual(4)
  const handle = task.page.getByRole('separator', { name: 'Height of the step pair' })
  await handle.focus()
  for (let press = 0; press < 4; press += 1) await task.page.keyboard.press('ArrowDown')
  const size = await handle.getAttribute('aria-valuenow')
  await app.close()

  const again = await launch()
  await ready(again)
  const reopened = await openTask(again, 't07')
  await reopened.setSize(1000, 700)
  await reopened.openPair()
  const kept = await reopened.page
    .getByRole('separator', { name: 'Height of the step pair' })
    .getAttribute('aria-valuenow')
  expect(Math.abs(Number(kept) - Number(size))).toBeLessThan(2)
})

test('axe has nothing to object to, in both themes', async ({ app }) => {
  const task = await taskOf(app, sample, 't07')
  for (const theme of ['light', 'dark'] as const) {
    await task.setTheme(theme)
    await task.lens('Lanes')
    await task.openPair()
    await task.annotate()
    expect(await axeObjections(task.page), `lanes, ${theme}`).toEqual([])
    await task.page.keyboard.press('Escape')
    await expect(task.annotation).toBeHidden()
    await task.lens('Steps')
    expect(await axeObjections(task.page), `steps, ${theme}`).toEqual([])
    await task.lens('Stats')
    expect(await axeObjections(task.page), `stats, ${theme}`).toEqual([])
  }
})
