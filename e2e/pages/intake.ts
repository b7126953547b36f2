// Page module of the sheets of importing: look before it is kept, attach outcomes, conflicts.

import { expect, type Locator } from '@playwright/test'
import { ImportsPage } from './imports.ts'

/** What a person does with the sheets. */
export class IntakePage extends ImportsPage {
  /** The sheet of this title, once it is open and has read what it shows. */
  async sheet(title: 'Look before it is kept' | 'Attach outcomes' | 'Conflicts'): Promise<Locator> {
    const sheet = this.page.getByRole('dialog', { name: title })
    await expect(sheet).toBeVisible({ timeout: 30_000 })
    await expect(sheet.locator('[aria-busy="true"]')).toHaveCount(0)
    return sheet
  }

  /** Imports with the sheet that is open. */
  async keep(): Promise<void> {
    const sheet = await this.sheet('Look before it is kept')
    await sheet.getByRole('button', { name: /^Import (at least )?\d/ }).click()
  }

  /** Attaches with the sheet that is open. */
  async attach(): Promise<void> {
    const sheet = await this.sheet('Attach outcomes')
    await sheet.getByRole('button', { name: /^Attach \d/ }).click()
    await expect(sheet).toHaveCount(0)
  }
}
