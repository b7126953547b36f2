// The sheets of importing on a real core: look first, a folder with outcomes in it, attach, conflicts, and undo.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { setLooksFirst, openIntake } from '../../../src/renderer/shell/intakes.ts'
import { openAppWindow, type AppWindow } from '../appwindow.tsx'
import { writeExport } from '../../core/opened.ts'

vi.setConfig({ testTimeout: 60_000 })
const SLOW = { timeout: 15_000 }

beforeEach(() => {
  setLooksFirst(false)
  openIntake(null)
})

const chooseFolder = async (window: AppWindow, path: string): Promise<void> => {
  window.choose(path)
  await window.user.click(
    (await screen.findAllByRole('button', { name: /folder…/i }, SLOW))[0] as HTMLElement,
  )
}
const chooseFiles = async (window: AppWindow, ...paths: readonly string[]): Promise<void> => {
  window.choose(...paths)
  await window.user.click(
    (await screen.findAllByRole('button', { name: /^Choose files…/ }, SLOW))[0] as HTMLElement,
  )
}
const passes = async (window: AppWindow): Promise<readonly [number, number]> => {
  const { summary } = await window.core.request('tasks.list', {})
  return [summary.pooled.passes, summary.pooled.n]
}

test('a plain file is one gesture; with look first it is shown, a label is given, and only then kept', async () => {
  const window = openAppWindow()
  const path = writeExport(join(window.folder, 'a.jsonl'), [{ task: 'a' }, { task: 'b', outcome: 'fail' }])
  await chooseFiles(window, path)
  await screen.findAllByText(/2 trials kept from a.jsonl/, {}, SLOW)
  expect(window.asked).not.toContain('imports.preview')
  setLooksFirst(true)
  await chooseFiles(
    window,
    writeExport(join(window.folder, 'b.jsonl'), [{ id: 'z', task: 'c', note: 'new' }]),
  )
  const sheet = await screen.findByRole('dialog', { name: 'Look before it is kept' }, SLOW)
  expect(within(sheet).getByText(/1 trial of 1 task, 1 configuration/)).toBeTruthy()
  await window.user.type(within(sheet).getByLabelText(/Label of their configurations/), 'v2')
  await window.user.tab()
  await waitFor(() => expect(within(sheet).getAllByText('v2').length).toBeGreaterThan(0), SLOW)
  await window.user.click(within(sheet).getByRole('button', { name: 'Import 1 trial' }))
  await screen.findAllByText(/1 trial kept from b.jsonl/, {}, SLOW)
  const labels = (await window.core.request('configurations.list', {})).map(
    ({ configuration }) => configuration.label,
  )
  expect(labels).toEqual(['careful', 'v2'])
})

test('a folder with trajectories, a table of outcomes and a stranger: shown, kept, attached, taken back', async () => {
  const window = openAppWindow()
  const folder = join(window.folder, 'runs')
  mkdirSync(folder)
  writeExport(join(folder, 'z.jsonl'), [
    { task: 'a', outcome: 'unknown' },
    { task: 'b', outcome: 'unknown' },
  ])
  writeFileSync(join(folder, 'scores.csv'), 'task_id,passed,reward\na,1,0.2\nb,0,0.9\nx,1,1\n')
  writeFileSync(join(folder, 'notes.md'), '# hello')
  await chooseFolder(window, folder)
  const look = await screen.findByRole('dialog', { name: 'Look before it is kept' }, SLOW)
  expect(within(look).getByText('No trial says how it ended.')).toBeTruthy()
  expect(within(look).getByText('outcomes, to be attached')).toBeTruthy()
  await window.user.click(within(look).getByRole('button', { name: 'Import 2 trials' }))
  const sheet = await screen.findByRole('dialog', { name: 'Attach outcomes' }, SLOW)
  await within(sheet).findByText('2 of 3 rows joined: 2 by task', {}, SLOW)
  expect(within(sheet).getByText('1 unknown → pass, 1 unknown → fail')).toBeTruthy()
  expect(within(sheet).getByText('no trial of its task is here')).toBeTruthy()
  // Another field decides: now a number is asked for.
  await window.user.click(within(sheet).getByRole('button', { name: /Decided by/ }))
  await window.user.click(await screen.findByRole('option', { name: /reward/ }))
  const threshold = await within(sheet).findByLabelText(/A pass from this number on/, {}, SLOW)
  await window.user.type(threshold, '0.5')
  await window.user.tab()
  await waitFor(async () => {
    const row = (await within(sheet).findByRole('region', { name: 'What changes' })).querySelectorAll(
      'tbody tr',
    )[1]
    expect(row?.textContent).toContain('b1unknown → pass')
  }, SLOW)
  await window.user.click(within(sheet).getByRole('button', { name: 'Attach 2 outcomes' }))
  await waitFor(async () => expect(await passes(window)).toEqual([1, 2]), SLOW)
  const taken = await screen.findByRole('button', { name: /Take back the outcomes from/ }, SLOW)
  await window.user.click(taken)
  await waitFor(async () => expect(await passes(window)).toEqual([0, 0]), SLOW)
  await window.user.click(await screen.findByRole('button', { name: /Attach again/ }, SLOW))
  await waitFor(async () => expect(await passes(window)).toEqual([1, 2]), SLOW)
  // The file that was set aside can be attached from its line.
  expect(screen.getByRole('button', { name: /Attach the outcomes of runs\/scores.csv/ })).toBeTruthy()
})

test('a conflict is shown with both sides, decided, and the decision undone by the key', async () => {
  const window = openAppWindow()
  await chooseFiles(window, writeExport(join(window.folder, 'a.jsonl'), [{ id: 'r', note: 'one' }]))
  await screen.findAllByText(/1 trial kept from a.jsonl/, {}, SLOW)
  await chooseFiles(
    window,
    writeExport(join(window.folder, 'b.jsonl'), [{ id: 'r', note: 'two', outcome: 'fail' }]),
  )
  await screen.findAllByText(/1 conflict: one id, different content/, {}, SLOW)
  expect(await passes(window)).toEqual([0, 0])
  await window.user.click(screen.getByRole('button', { name: 'Decide…' }))
  const sheet = await screen.findByRole('dialog', { name: 'Conflicts' }, SLOW)
  expect(await within(sheet).findByText(/they differ in outcome, steps/, {}, SLOW)).toBeTruthy()
  await window.user.click(within(sheet).getByRole('radio', { name: /fail.*b\.jsonl/ }))
  await waitFor(async () => expect(await passes(window)).toEqual([0, 1]), SLOW)
  await window.user.click(await within(sheet).findByRole('radio', { name: /Both/ }))
  await waitFor(async () => expect(await passes(window)).toEqual([1, 2]), SLOW)
  await window.user.click(within(sheet).getByRole('button', { name: 'Done' }))
  await window.user.keyboard('{Control>}z{/Control}')
  await waitFor(async () => expect(await passes(window)).toEqual([0, 1]), SLOW)
})
