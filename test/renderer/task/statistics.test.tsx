// The stats lens on a real core: verdict, intervals for p^k, order, bounds and cost in words, reasons where there is no
// figure, and "how computed" of each.

import { join } from 'node:path'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { taskPlace } from '../../../src/renderer/shell/places.ts'
import { temporaryFolder, writeExport, type Line } from '../../core/opened.ts'
import { deskWith, drawTask, taskIdOf } from './desk.tsx'

const lines = (task: string, list: string, more: Partial<Line> = {}): Line[] =>
  [...list].map((letter, i) => ({
    id: `${task}-${i}`,
    task,
    outcome: letter === 'p' ? 'pass' : 'fail',
    note: `${task} ${i}`,
    ...more,
  }))

async function facts(): Promise<HTMLElement> {
  return await screen.findByLabelText('How sure the figures of the task are')
}

test('says how sure each figure is, and how it was computed', async () => {
  const user = userEvent.setup()
  const path = writeExport(
    join(temporaryFolder(), 'x.jsonl'),
    lines('eight', 'ppppppppff', { cost: 0.5 }).map((line, i) => ({ ...line, severe: i === 0 })),
  )
  const { core } = await deskWith([path])
  drawTask(taskPlace(await taskIdOf(core, 'eight'), { lens: 'stats' }))
  const list = await facts()
  expect(list.textContent).toContain('verdictflaky')
  expect(list.textContent).toContain('order unknown')
  expect(list.textContent).toContain('1 of 10 trials, 1 event')
  expect(list.textContent).toContain('the rate counts them as good')
  // 10 trials at $0.5 over 8 passes.
  expect(list.textContent).toMatch(/cost per success\$0\.625|cost per success\$0\.63|cost per success\$0\.62/)
  await user.click(within(list).getByRole('button', { name: 'How computed: verdict' }))
  const how = await screen.findByRole('dialog')
  expect(how.textContent).toContain('8 of 10')
  expect(how.textContent).toContain('from 0.8 on: flaky')
  await user.keyboard('{Escape}')
  const table = screen.getByRole('region', { name: 'Interval for p^k by k' })
  expect(within(table).getByRole('row', { name: /^2 0\.622 0\.197–0\.950/ })).toBeTruthy()
  expect(
    within(table).getByRole('row', { name: /^10 0\.000 .* not estimable \(needs n ≥ 2k\)$/ }),
  ).toBeTruthy()
})

test('few trials: undecided, with how many more would tell', async () => {
  const path = writeExport(join(temporaryFolder(), 'x.jsonl'), lines('two', 'pp'))
  const { core } = await deskWith([path])
  drawTask(taskPlace(await taskIdOf(core, 'two'), { lens: 'stats' }))
  const list = await facts()
  expect(list.textContent).toMatch(/undecided \(few\)/)
  expect(list.textContent).toMatch(/run \d+ more trials: decided if the rate seen so far holds/)
  expect(list.textContent).toContain('not estimable (no trial has a cost)')
})
