// The search over steps in the window: palette, screen, keys, back, empty and stopped states; on a real core.

import { join } from 'node:path'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { importPaths, writeExport, type Line } from '../../core/opened.ts'
import { useLastPlaces } from '../../../src/renderer/shell/lastplaces.ts'
import { linesOf, placeOfLine } from '../../../src/renderer/screens/search/searchlines.ts'
import { openAppWindow, type AppWindow } from '../appwindow.tsx'

const patience = { timeout: 15_000 }

const lines: readonly Line[] = [
  { id: 'a1', task: 'refund', outcome: 'pass', note: `It said KeyError: 'order_id' and went on` },
  { id: 'a2', task: 'refund', outcome: 'fail', note: `keyerror: 'order_id' <b>broke</b> it` },
  { id: 'b1', task: 'exchange', outcome: 'pass', config: 'eager', note: 'All is well' },
]

async function withTrials(hash: string): Promise<AppWindow> {
  useLastPlaces.setState({ search: { at: 'search', text: '' }, hit: null })
  const app = openAppWindow(hash)
  await screen.findByRole('button', { name: /Choose files/ }, patience)
  await importPaths(app.core, [writeExport(join(app.folder, 'a.jsonl'), lines)])
  return app
}

const found = (): readonly string[] =>
  within(screen.getByRole('grid', { name: 'Steps found' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.getAttribute('aria-label') ?? '')

test('what is typed is found, counted and listed; Enter opens the step, Back leads to the same line', async () => {
  const app = await withTrials('#/search')
  const field = await screen.findByRole('searchbox', { name: 'Text to search for in steps' }, patience)
  expect(screen.getByText(/Search the steps of all trials/)).toBeDefined()
  await app.user.type(field, `KEYerror: 'order`)
  await screen.findByText('2 steps in 2 trials of 1 task; 1 of the trials passed', {}, patience)
  expect(window.location.hash).toBe('#/search;text=KEYerror%3A%20%27order')
  expect(found()).toEqual([
    `desk/refund, careful, trial 1, passed, step 0, user: It said KeyError: 'order_id' and went on`,
    `desk/refund, careful, trial 2, failed, step 0, user: keyerror: 'order_id' <b>broke</b> it`,
  ])
  const grid = screen.getByRole('grid', { name: 'Steps found' })
  expect([...grid.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual([
    `KeyError: 'order`,
    `keyerror: 'order`,
  ])
  // Text from data is text.
  expect(grid.querySelector('b')).toBeNull()
  await app.user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  await waitFor(() => expect(window.location.hash).toMatch(/^#\/task\/.+;lens=steps;trial=.+;step=0$/))
  expect(await screen.findByText("keyerror: 'order_id' <b>broke</b> it", {}, patience)).toBeDefined()
  window.history.back()
  await waitFor(() => expect(screen.getAllByRole('row', { selected: true })).toHaveLength(1), patience)
  expect(screen.getByRole('row', { selected: true }).getAttribute('aria-label')).toContain('trial 2')
  expect(document.activeElement?.getAttribute('aria-label')).toContain('trial 2')
})

test('nothing found says where it was looked, in this scope and in all', async () => {
  const app = await withTrials('#/')
  const configurations = await app.core.request('configurations.list', {})
  const eager = configurations.find(({ label }) => label === 'eager')?.configurationId ?? ''
  window.location.hash = `#/search;text=order_id%27;scope=${eager}`
  expect(await screen.findByText(/No step in scope holds/, {}, patience)).toBeDefined()
  expect(screen.getByText(/1 trial searched/)).toBeDefined()
  await app.user.click(screen.getByRole('button', { name: 'All configurations' }))
  await screen.findByText(/2 steps in 2 trials/, {}, patience)
})

test('the palette shows the first steps and leads to all of them', async () => {
  const app = await withTrials('#/tasks')
  await screen.findByRole('grid', { name: 'Tasks' }, patience)
  await app.user.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('textbox', { name: 'Search tasks, steps and commands' })
  await app.user.type(field, 'order_id')
  const all = await screen.findByRole('menuitem', { name: /^All 5 results/ }, patience)
  const steps = screen.getAllByRole('menuitem', { name: /trial/ })
  expect(steps).toHaveLength(3)
  expect(steps[0]?.querySelector('mark')?.textContent).toBe('order_id')
  expect(steps[1]?.textContent).toMatch(/refund · ✓ trial 1$/)
  await app.user.click(all)
  expect(await screen.findByRole('heading', { level: 1, name: 'Search' }, patience)).toBeDefined()
  await waitFor(() => expect(found()).toHaveLength(5), patience)
})

test('a step of the palette is opened where it is read', async () => {
  const app = await withTrials('#/tasks')
  await screen.findByRole('grid', { name: 'Tasks' }, patience)
  await app.user.keyboard('{Control>}k{/Control}')
  await app.user.type(await screen.findByRole('textbox', { name: /Search tasks/ }), '"days":1')
  await app.user.click(await screen.findByRole('menuitem', { name: /"days":1.* refund/ }, patience))
  // The result of a call is read with its call.
  await waitFor(() => expect(window.location.hash).toMatch(/^#\/task\/.+;lens=steps;trial=.+;step=1$/))
})

test('Ctrl+Shift+F leads to the search that was last on screen', async () => {
  const app = await withTrials('#/search;text=order_id')
  await screen.findByText(/5 steps in 3 trials of 2 tasks; 2 of the trials passed/, {}, patience)
  await app.user.keyboard('{Control>}2{/Control}')
  await screen.findByRole('grid', { name: 'Tasks' }, patience)
  await app.user.keyboard('{Control>}{Shift>}f{/Shift}{/Control}')
  await waitFor(() => expect(window.location.hash).toBe('#/search;text=order_id'))
  await screen.findByText(/5 steps in 3 trials/, {}, patience)
})

test('lines name their task and trial once, and the rest of a trial is a line of its own', () => {
  const trial = {
    trialId: 't1',
    configurationId: 'c',
    configuration: 'careful',
    number: 1,
    outcome: 'pass',
  } as const
  const step = {
    step: 4,
    readAt: 3,
    role: 'tool',
    kind: 'tool_result',
    tool: 'get',
    part: 'text',
    snippet: { text: 'x', start: 0, end: 1 },
  } as const
  const row = { taskId: 'k', suite: 's', task: 'one', trial, steps: [step], stepsTotal: 8 }
  const all = linesOf([row, { ...row, trial: { ...trial, trialId: 't2' }, stepsTotal: 1 }])
  expect(all.map(({ isFirstOfTask, isFirstOfTrial, more }) => [isFirstOfTask, isFirstOfTrial, more])).toEqual(
    [
      [true, true, 0],
      [false, false, 7],
      [false, true, 0],
    ],
  )
  expect(all.map((line) => placeOfLine(line)).map(({ lens, trial, step }) => [lens, trial, step])).toEqual([
    ['steps', 't1', 3],
    ['steps', 't1', 3],
    ['steps', 't2', 3],
  ])
})
