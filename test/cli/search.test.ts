// `faultline search`: what is printed, as text, JSON and CSV; wrong usage; nothing found.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deskTrials, faultline, folder, writeTrials } from './program.ts'

async function workspace(): Promise<string> {
  const cwd = folder()
  writeTrials(join(cwd, 'a.jsonl'), 'desk', [...deskTrials('refund'), ...deskTrials('return')], {
    refund: 'Refund',
  })
  expect((await faultline(cwd, ['import', 'a.jsonl'])).code).toBe(0)
  return cwd
}

test('places are listed by task, with outcome, trial and step, and counted', async () => {
  const cwd = await workspace()
  const ran = await faultline(cwd, ['search', 'check_policy'])
  expect(ran.code).toBe(0)
  expect(ran.out).toContain('desk/refund\n')
  expect(ran.out).toMatch(
    /✓ careful · trial \d {2}t[0-9a-f]+\n {6}step 3 check_policy call {2}check_policy\n/,
  )
  expect(ran.out).toContain('step 4 check_policy result')
  expect(ran.out).toContain('12 steps in 6 trials of 2 tasks; 6 of the trials passed.')
  expect(ran.out).not.toContain('✗')
  const failing = await faultline(cwd, ['search', 'REFUND_order', '--task', 'desk/refund', '--limit', '2'])
  expect(failing.out).toContain('✗')
  expect(failing.out).toContain('6 steps in 3 trials of 1 task; 0 of the trials passed.')
  expect(failing.err).toContain('1 more trial not shown (--limit).')
  const one = await faultline(cwd, ['search', 'o-1', '--steps', '1', '--suite', 'desk', '--quiet'])
  expect(one.out).toContain('more steps of this trial')
  expect(one.err).toBe('')
})

test('JSON is the rows of the contract, CSV one line per step', async () => {
  const cwd = await workspace()
  const json = JSON.parse((await faultline(cwd, ['search', '"refundable":false', '--json'])).out)
  expect(json).toMatchObject({ text: '"refundable":false', isWhole: true, found: { steps: 6, trials: 6 } })
  expect(json.rows[0].steps[0]).toMatchObject({ step: 4, readAt: 3, tool: 'check_policy', role: 'tool' })
  const csv = (await faultline(cwd, ['search', 'refundable', '--csv'])).out.trim().split('\n')
  expect(csv).toHaveLength(7)
  expect(csv[0]).toMatch(/^suite,task,task_id,trial_id,configuration,trial,outcome,step,/)
})

test('nothing found is fine and says where it was looked; a blank text is wrong usage', async () => {
  const cwd = await workspace()
  const none = await faultline(cwd, ['search', `nowhere "to' be`])
  expect(none.code).toBe(0)
  expect(none.out).toBe(`Nothing found for nowhere "to' be in 12 trials.\n`)
  expect((await faultline(cwd, ['search', ' '])).code).toBe(2)
  expect((await faultline(cwd, ['search'])).code).toBe(2)
  expect((await faultline(cwd, ['search', 'x', '--task', 'no/such'])).code).toBe(1)
  expect((await faultline(folder(), ['search', 'x'])).code).toBe(1)
})
