// The task screen on a real core with the sample workspace: lanes, keys, finding, step pair, states, hostile text.

import { join } from 'node:path'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { parsePlace, taskPlace } from '../../../src/renderer/shell/places.ts'
import type { TaskPlace } from '../../../src/renderer/screens/task/taskplace.ts'
import { repo, temporaryFolder, writeExport } from '../../core/opened.ts'
import { deskWith, drawTask, taskIdOf } from './desk.tsx'

const sample = join(repo, 'resources/sample/refund-desk.faultline.jsonl')

function here(): TaskPlace {
  const { place } = parsePlace(window.location.hash)
  if (place.at !== 'task') throw new Error('not at a task')
  return place
}

/** The sample's task in which the policy check is missing, drawn and at rest. */
async function drawSample(task: string, more: Partial<TaskPlace> = {}) {
  const { core } = await deskWith([sample])
  const taskId = await taskIdOf(core, task)
  drawTask(taskPlace(taskId, more))
  await screen.findByRole('heading', { level: 1 })
  return { core, taskId, view: await core.request('tasks.get', { taskId }) }
}

const focused = (): string => document.activeElement?.getAttribute('aria-label') ?? ''

describe('lanes', () => {
  test('the band, its label, one diamond per failing lane, folds and the sentence', async () => {
    const { view } = await drawSample('t02')
    const grid = await screen.findByRole('grid')
    const failing = view.trials.filter((trial) => trial.counts === 'fail').length
    expect(grid.textContent).toContain(`parts here: ${failing} of ${failing}`)
    expect(grid.querySelector('[data-band]')).not.toBeNull()
    const leads = within(grid).getAllByRole('gridcell', { name: /diverges here/ })
    const lanes = within(grid).getAllByRole('rowheader', { name: /, failed/ })
    expect(leads).toHaveLength(lanes.length)
    expect(leads.every((cell) => cell.getAttribute('data-sign') === 'lead')).toBe(true)
    expect(within(grid).getAllByRole('button', { name: /alike/ }).length).toBeGreaterThan(0)
    const finding = screen.getByRole('region', { name: 'Finding' })
    expect(finding.textContent).toContain(`In ${failing} of ${failing} failing and 0 of`)
    expect(finding.textContent).toContain('A lead, not proof.')
    expect(finding.textContent).toContain('To test it:')
  })

  test('one tab stop; arrows, Home and End move it; d goes to the divergence; n to the next failing trial', async () => {
    const user = userEvent.setup()
    await drawSample('t02')
    const grid = await screen.findByRole('grid')
    expect(grid.querySelectorAll('[tabindex="0"]')).toHaveLength(1)
    grid.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    // The first focus is the first failing lane at its divergence.
    expect(focused()).toMatch(/failed, .*diverges here/)
    await user.keyboard('{Home}')
    expect(focused()).toContain('find_customer')
    await user.keyboard('{ArrowLeft}')
    expect(document.activeElement?.getAttribute('role')).toBe('rowheader')
    await user.keyboard('{Control>}{Home}{/Control}')
    expect(focused()).toMatch(/^reference/)
    await user.keyboard('{ArrowDown}')
    expect(focused()).toMatch(/passed/)
    await user.keyboard('d')
    expect(focused()).toMatch(/diverges here/)
    const first = focused()
    await user.keyboard('n')
    expect(focused()).toMatch(/diverges here/)
    expect(focused()).not.toBe(first)
    await user.keyboard('{Shift>}n{/Shift}')
    expect(focused()).toBe(first)
    expect(grid.querySelectorAll('[tabindex="0"]')).toHaveLength(1)
  })

  test('a fold opens and closes; p pins a lane as reference and unpins it', async () => {
    const user = userEvent.setup()
    await drawSample('t02')
    const grid = await screen.findByRole('grid')
    const before = within(grid).getAllByRole('rowheader').length
    const fold = within(grid).getAllByRole('button', { name: /alike/ })[0]
    if (fold === undefined) throw new Error('no fold')
    await user.click(fold)
    expect(within(grid).getAllByRole('rowheader').length).toBeGreaterThan(before)
    await user.click(fold)
    expect(within(grid).getAllByRole('rowheader')).toHaveLength(before)

    grid.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    await user.keyboard('p')
    await waitFor(() => expect(here().reference).not.toBeNull())
    expect(within(grid).getByRole('rowheader', { name: /^reference/ }).textContent).toContain('pinned')
    await user.keyboard('p')
    await waitFor(() => expect(here().reference).toBeNull())
  })

  test('a task that always passes says so in the exact words and has no band', async () => {
    await drawSample('t05')
    const grid = await screen.findByRole('grid')
    expect(grid.querySelector('[data-band]')).toBeNull()
    const finding = screen.getByRole('region', { name: 'Finding' })
    expect(finding.textContent).toContain('no failing run')
    expect(finding.textContent).toContain('All 16 trials passed: there is nothing to part from.')
  })
})

describe('step pair', () => {
  test('Enter opens it at the cell; the missing side says what was skipped; Escape closes it', async () => {
    const user = userEvent.setup()
    await drawSample('t02')
    const grid = await screen.findByRole('grid')
    grid.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    await user.keyboard('{Enter}')
    const pair = await screen.findByRole('region', { name: 'Step pair' })
    await within(pair).findByText(/no step here: this trial skipped check_refund_policy/)
    expect(here()).toMatchObject({ trial: expect.any(String), column: expect.any(Number) })
    expect(within(grid).getByRole('gridcell', { selected: true }).getAttribute('data-sign')).toBe('lead')
    within(pair).getByRole('region', { name: 'Compared steps' }).focus()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Step pair' })).toBeNull())
    expect(here().column).toBeNull()
    // From the lanes too, whose keys reach the open pair.
    grid.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    await user.keyboard('{Enter}')
    await screen.findByRole('region', { name: 'Step pair' })
    const opened = here().column
    await user.keyboard(',')
    await waitFor(() => expect(here().column).toBeLessThan(opened ?? 0))
    await user.keyboard('{Escape}{Escape}')
    await waitFor(() => expect(here().column).toBeNull())
  })

  test('changed words are marked on both sides; . and , move along; x swaps; u unifies', async () => {
    const user = userEvent.setup()
    const { view } = await drawSample('t07')
    const lead = view.analysis?.lead
    if (lead === null || lead === undefined) throw new Error('no lead')
    const grid = await screen.findByRole('grid')
    await user.click(within(grid).getAllByRole('gridcell', { name: /diverges here/ })[0] as HTMLElement)
    const pair = await screen.findByRole('region', { name: 'Step pair' })
    const args = await within(pair).findByRole('region', { name: 'arguments' })
    const value = (text: string | null): string => (text ?? '').replaceAll('"', '')
    const [left, right] = [
      args.querySelectorAll('[data-trial="left"]'),
      args.querySelectorAll('[data-trial="right"]'),
    ]
    const textOf = (cells: NodeListOf<Element>): string =>
      [...cells].map((cell) => cell.textContent).join(' ')
    expect(textOf(left)).toContain(value(lead.valuePass))
    expect(textOf(right)).toContain(value(lead.valueFail))
    expect(args.querySelectorAll('[data-diff]').length).toBeGreaterThan(0)

    const { column } = here()
    const body = within(pair).getByRole('region', { name: 'Compared steps' })
    body.focus()
    await user.keyboard('.')
    await waitFor(() => expect(here().column).toBeGreaterThan(column ?? 99))
    expect(document.activeElement).toBe(body)
    await user.keyboard(',')
    await waitFor(() => expect(here().column).toBe(column))
    await user.keyboard('x')
    const swapped = await within(pair).findByRole('region', { name: 'arguments' })
    expect(swapped.querySelector('[data-trial]')?.getAttribute('data-trial')).toBe('right')
    await user.keyboard('u')
    expect(within(pair).getByRole('button', { name: 'Unified' })).toBeDefined()
    await user.keyboard('u')
  })

  test('the raw record is shown as it stood in the file', async () => {
    const user = userEvent.setup()
    const { view } = await drawSample('t07')
    const lead = view.analysis?.lead
    const grid = await screen.findByRole('grid')
    await user.click(within(grid).getAllByRole('gridcell', { name: /diverges here/ })[0] as HTMLElement)
    const pair = await screen.findByRole('region', { name: 'Step pair' })
    await user.click(within(pair).getByRole('button', { name: 'Show raw' }))
    await within(pair).findByText(/refund-desk\.faultline\.jsonl/)
    expect(pair.textContent).toContain('"type":"trial"')
    expect(lead).toBeDefined()
  })
})

describe('other lenses', () => {
  test('2 reads the steps of the chosen trial, 3 shows exact figures', async () => {
    const user = userEvent.setup()
    const { view } = await drawSample('t02')
    const grid = await screen.findByRole('grid')
    grid.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    await user.keyboard('2')
    await screen.findByRole('article', { name: 'step 0' })
    expect(here().lens).toBe('steps')
    screen.getByRole('region', { name: 'Task' }).focus()
    await user.keyboard('3')
    const table = (await screen.findAllByRole('table'))[0]
    const exact = view.curve[0]?.exactHat
    expect(table?.textContent).toContain(exact)
    expect(exact).toBe('3/8')
  })
})

describe('hostile text', () => {
  test('markup, links and direction overrides in a trial are only ever text', async () => {
    const evil = '<img src=x onerror="globalThis.hacked=1"> [x](javascript:alert(1)) \u202Egnp.exe </script>'
    const folder = temporaryFolder()
    const path = writeExport(join(folder, 'evil.jsonl'), [
      { id: 'a', outcome: 'pass' },
      { id: 'b', outcome: 'fail', note: evil },
    ])
    const { core } = await deskWith([path])
    const taskId = await taskIdOf(core, 'refund')
    const view = await core.request('tasks.get', { taskId })
    const trial = view.trials.find((one) => one.outcome === 'fail')?.trialId ?? null
    drawTask(taskPlace(taskId, { lens: 'steps', trial }))
    const card = await screen.findByRole('article', { name: 'step 0' })
    expect(card.textContent).toContain('<img src=x onerror="globalThis.hacked=1">')
    expect(card.textContent).toContain('\\u{202E}gnp.exe')
    expect(document.querySelector('img, script, a')).toBeNull()
    expect('hacked' in globalThis).toBe(false)
  })
})
