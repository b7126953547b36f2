// Accessibility as axe sees it: every rule of WCAG 2.2 AA on what is on screen now.

import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** What axe objects to, one line per rule and element; empty when nothing. */
export async function axeObjections(page: Page): Promise<readonly string[]> {
  // Legacy mode: Electron cannot open the second page that axe would use otherwise.
  const builder = new AxeBuilder({ page }).setLegacyMode()
  // An open popover stands outside of the landmarks with its dismiss button: that is how it traps the focus.
  if ((await page.locator('[role="dialog"], [role="menu"], [role="listbox"]').count()) > 0)
    builder.disableRules(['region'])
  const { violations } = await builder
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  return violations.flatMap(({ id, help, nodes }) =>
    nodes
      .slice(0, 5)
      .map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
  )
}
