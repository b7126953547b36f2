// Page module of the task screen: lanes, step pair, lenses, annotation panel.

import { expect, type Locator } from '@playwright/test'
import type { App } from '../fixtures.ts'
import { atRest, Frame } from './frame.ts'
import { TasksPage } from './tasks.ts'

/** Opens a task from the table, by its id. */
export async function openTask(app: App, id: string): Promise<TaskPage> {
  const tasks = new TasksPage(app)
  await tasks.goTo('Tasks')
  await tasks.row(id).dblclick()
  const page = new TaskPage(app)
  await expect(page.page.getByRole('heading', { level: 1 })).toContainText(id)
  await atRest(page.page)
  return page
}

/** What a person does on a task. */
export class TaskPage extends Frame {
  get lanes(): Locator {
    return this.page.getByRole('grid', { name: /^Lanes/ })
  }

  get finding(): Locator {
    return this.page.getByRole('region', { name: 'Finding' })
  }

  get pair(): Locator {
    return this.page.getByRole('region', { name: 'Step pair' })
  }

  get annotation(): Locator {
    return this.page.getByRole('region', { name: 'Annotation' })
  }

  /** The cells in which trials diverge. */
  get leads(): Locator {
    return this.lanes.getByRole('gridcell', { name: /diverges here/ })
  }

  /** Puts the focus into the lanes. */
  async focusLanes(): Promise<void> {
    await this.lanes.locator('[data-roving="true"]').focus()
  }

  /** Opens the step pair at the first diverging cell. */
  async openPair(): Promise<void> {
    await this.leads.first().click()
    await expect(this.pair).toBeVisible()
    await atRest(this.page)
  }

  /** Opens the annotation panel from the lanes. */
  async annotate(): Promise<void> {
    await this.focusLanes()
    await this.page.keyboard.press('a')
    await expect(this.annotation).toBeVisible()
    await atRest(this.page)
  }

  /** Waits until the panel says that everything is on the disk. */
  async saved(): Promise<void> {
    await expect(this.annotation.locator('[data-saved="clean"]')).toHaveText(/^saved \d\d:\d\d$/)
  }

  /** Chooses a lens by its tab. */
  async lens(name: 'Lanes' | 'Steps' | 'Stats'): Promise<void> {
    await this.page.getByRole('tab', { name: new RegExp(name) }).click()
    await atRest(this.page)
  }
}
