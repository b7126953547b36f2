// Page module of the task table.

import type { Locator } from '@playwright/test'
import { atRest, Frame } from './frame.ts'

/** What a person does on Tasks. */
export class TasksPage extends Frame {
  get grid(): Locator {
    return this.page.getByRole('grid', { name: 'Tasks' })
  }

  /** A row by what its name begins with: the task. */
  row(task: string): Locator {
    return this.grid.locator(`[role="row"][aria-label^="${task}, "]`)
  }

  /** The tasks in sight, in their order. */
  async shown(): Promise<readonly string[]> {
    await atRest(this.page)
    const rows = this.grid.locator('[role="row"][aria-rowindex]:not([aria-rowindex="1"])')
    return rows.evaluateAll((elements) =>
      elements
        .toSorted((a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')))
        .map((element) => (element.getAttribute('aria-label') ?? '').split(',')[0] ?? ''),
    )
  }

  /** How many tasks the filter leaves. */
  async total(): Promise<number> {
    await atRest(this.page)
    return Number(await this.grid.getAttribute('aria-rowcount')) - 1
  }

  /** Filters by text. */
  async search(text: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: 'Filter tasks by text' }).fill(text)
    await atRest(this.page)
  }

  /** Presses one of the phrases of the summary line. */
  async phrase(words: RegExp): Promise<void> {
    await this.page.getByRole('button', { name: words, pressed: false }).click()
    await atRest(this.page)
  }

  /** Puts the focus into the grid. */
  async focusGrid(): Promise<void> {
    await this.grid.locator('[tabindex="0"]').first().focus()
  }
}
