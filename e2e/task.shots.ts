// Pictures of the task screen: lanes, cards, step pair (split, unified, raw), steps, stats, annotation, a conflict of
// annotations, a task without a divergence.

import { resolve } from 'node:path'
import type { FaultlineBridge } from '../src/contract/desktop.ts'
import { expect, root, test } from './fixtures.ts'
import { atRest } from './pages/frame.ts'
import { ImportsPage } from './pages/imports.ts'
import { shoot } from './pages/shoot.ts'
import { openTask, TaskPage } from './pages/task.ts'

const sample = resolve(root, 'resources/sample/refund-desk.faultline.jsonl')

test('the task screen', async ({ app }) => {
  test.setTimeout(400_000)
  await new ImportsPage(app).importByDialog(sample)
  const task = new TaskPage(app)
  const { keyboard } = task.page

  await openTask(app, 't02')
  await shoot(app, 'task-lanes')
  await task.leads.first().hover()
  await task.page.getByRole('tooltip').waitFor()
  await atRest(task.page)
  await shoot(app, 'task-lanes-card')
  await task.finding.getByRole('button', { name: 'How computed' }).click()
  await task.page.getByRole('dialog').waitFor()
  await shoot(app, 'task-how-computed')
  await keyboard.press('Escape')

  await task.openPair()
  await shoot(app, 'task-pair-skipped')
  await openTask(app, 't07')
  await task.openPair()
  await shoot(app, 'task-pair-split')
  await task.focusLanes()
  await keyboard.press('u')
  await shoot(app, 'task-pair-unified')
  await keyboard.press('u')
  await keyboard.press('r')
  await atRest(task.page)
  await shoot(app, 'task-pair-raw')
  await keyboard.press('r')
  await task.annotate()
  await shoot(app, 'task-pair-annotation')
  await keyboard.press('1')
  await keyboard.press('s')
  await keyboard.press('e')
  await task.annotation.getByRole('textbox', { name: 'Note' }).fill('Read the date month first.')
  await task.saved()
  await shoot(app, 'task-annotation')
  await task.annotation.getByRole('button', { name: 'Root cause' }).click()
  await task.annotation.getByRole('listbox').first().waitFor()
  await shoot(app, 'task-annotation-causes')
  await keyboard.press('Escape')

  // Somebody else writes the same annotation meanwhile.
  const trialId = await task.page.evaluate(async () => {
    const { faultline } = globalThis as unknown as { faultline: FaultlineBridge }
    const ask = async (method: string, input: unknown): Promise<unknown> => {
      const answer = await faultline.request(`shots-${Math.random()}`, method, input)
      if (!answer.ok) throw new Error(answer.error.message)
      return answer.value
    }
    type Stored = Record<string, unknown> & { trialId: string; revision: number }
    const [one] = (await ask('annotations.list', { taskId: null })) as Stored[]
    if (one === undefined) throw new Error('no annotation')
    const { causes, verdict, verdictColumn, evidence, confidence } = one
    const draft = {
      causes,
      severity: 'major',
      verdict,
      verdictColumn,
      evidence,
      confidence,
      note: 'The locale.',
    }
    const area = [...document.querySelectorAll('textarea')].at(-1)
    // Typed between two saves: what stands here was written without knowing of the other.
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set
    const saving = ask('annotations.save', {
      trialId: one.trialId,
      revision: one.revision,
      draft,
      leadShown: null,
      algorithm: null,
    })
    if (area !== undefined) {
      set?.call(area, 'Read the date month first, as in the other desk.')
      area.dispatchEvent(new Event('input', { bubbles: true }))
    }
    await saving
    return one.trialId
  })
  expect(trialId).not.toBe('')
  await expect(task.annotation.getByRole('button', { name: 'Keep mine' })).toBeVisible()
  await shoot(app, 'task-annotation-conflict')
  await task.annotation.getByRole('button', { name: 'Keep mine' }).click()
  await task.saved()
  await task.page.keyboard.press('Escape')

  await task.lens('Steps')
  await shoot(app, 'task-steps')
  await task.lens('Stats')
  await shoot(app, 'task-stats')

  await openTask(app, 't01')
  await shoot(app, 'task-lanes-other')
})
