// Page module of Rules, and rules for the sample as a file.

import { expect, type Page } from '@playwright/test'
import { atRest } from './frame.ts'

/** Rules that find something in the sample workspace. */
export const SAMPLE_RULES = JSON.stringify({
  format: 'faultline-rules',
  version: 1,
  rules: [
    {
      kind: 'must-happen-before',
      suite: 'refund-desk',
      event: 'refund_without_policy',
      severity: 'severe',
      check: 'check_refund_policy',
      write: 'settle_request',
      match: [{ check: 'arguments.order_id', write: 'arguments.order_id' }],
      cost: 'arguments.refund_usd',
      note: 'desk policy 4.2',
    },
    { kind: 'duplicate', event: 'written_twice', severity: 'major', tool: 'settle_*' },
    { kind: 'outcome', field: 'score', test: '>=', value: 1, unknown: 'keep' },
    { kind: 'stage', suite: 'refund-desk', tool: 'get_*', stage: 'gather' },
  ],
})

/** Asks the core through the window's own bridge, as the screens do; throws on a fault. */
export async function askCore(page: Page, method: string, input: object): Promise<unknown> {
  const answer = await page.evaluate(
    async ([name, value]) => {
      type Answer = { readonly ok: boolean; readonly value?: unknown; readonly error?: unknown }
      type Bridge = { request(id: string, method: string, input: unknown): Promise<Answer> }
      return await (globalThis as unknown as { faultline: Bridge }).faultline.request(
        `test-${Math.random()}`,
        name,
        value,
      )
    },
    [method, input] as const,
  )
  expect(answer).toMatchObject({ ok: true })
  return answer.value
}

/** Goes to Rules by its link in the header and waits until the tools are there. */
export async function openRules(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Rules' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Rules' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Tool' })).toBeVisible()
  await atRest(page)
}
