// A large task while its trials are still compared: lanes and one finding are drawn, how many are left is said, no band;
// then the whole in its place. A real core with real worker threads.

import { join } from 'node:path'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { taskPlace } from '../../../src/renderer/shell/places.ts'
import { temporaryFolder } from '../../core/opened.ts'
import { writeLargeTask } from '../../core/largetask.ts'
import { deskWith, drawTask, taskIdOf } from './desk.tsx'

test('still comparing: lanes, one finding, no band; then the band', async () => {
  const { core } = await deskWith([writeLargeTask(join(temporaryFolder(), 'large.jsonl'), 160, 200)])
  const taskId = await taskIdOf(core, 'large')
  // Another policy: everything is compared anew, the task that is open first.
  await core.request('workspace.setPolicy', { policy: { error: 'exclude', unknown: 'exclude' } })
  drawTask(taskPlace(taskId))
  const said = await screen.findByText(/still comparing \d+ failing trials…/, {}, { timeout: 60_000 })
  expect(said.getAttribute('role')).toBe('status')
  const finding = screen.getByRole('region', { name: 'Finding' })
  expect(finding.getAttribute('data-finding')).toBe('partial')
  // The one finding that is there says whose it is, and that it is a lead.
  expect(finding.textContent).toMatch(/trial \d+/)
  expect(finding.textContent).toContain('A lead, not proof.')
  expect(screen.getByRole('grid').querySelector('[data-band]')).toBeNull()
  await waitFor(() => expect(finding.getAttribute('data-finding')).toBe('lead'), { timeout: 60_000 })
  expect(screen.queryByText(/still comparing/)).toBeNull()
  expect(screen.getByRole('grid').querySelector('[data-band]')).not.toBeNull()
}, 180_000)
