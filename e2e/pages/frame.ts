// Page module of the frame: workspace menu, screens, scope, policy, theme, status, drops. Tests speak of what a
// person does; the selectors stand here.

import { expect, type Locator, type Page } from '@playwright/test'
import type { App } from '../fixtures.ts'

/** Waits until no question, import or comparison is in flight and what came of it is drawn. */
export async function atRest(page: Page): Promise<void> {
  await page.locator('html[data-app-state="ready"][data-idle="true"]').waitFor({ state: 'attached' })
}

/** What a person does with the frame. */
export class Frame {
  readonly page: Page
  readonly app: App

  constructor(app: App) {
    this.app = app
    this.page = app.window
  }

  /** Goes to a screen by its link in the header. */
  async goTo(screen: 'Imports' | 'Tasks' | 'Report'): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: screen }).click()
    await expect(this.heading(screen)).toBeVisible()
    await atRest(this.page)
  }

  async goToSettings(): Promise<void> {
    await this.page.getByRole('button', { name: 'Settings' }).click()
    await expect(this.heading('Settings')).toBeVisible()
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { level: 1, name })
  }

  /** The visible line of the status bar. */
  get status(): Locator {
    return this.page.getByRole('contentinfo', { name: 'Status' })
  }

  /** What a screen reader is told of background work. */
  get spoken(): Locator {
    return this.status.getByRole('status')
  }

  /** Opens the workspace menu and chooses an entry. */
  async workspace(entry: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name: /^Faultline/ }).click()
    await this.page.getByRole('menuitem', { name: entry }).click()
  }

  /** Chooses what counts in a rate. */
  async setPolicy(group: 'error' | 'unknown', choice: 'count as failures' | 'are excluded'): Promise<void> {
    await this.page.getByRole('button', { name: /^Policy/ }).click()
    const name = group === 'error' ? 'Trials that ended in an error' : 'Trials of unknown outcome'
    await this.page
      .getByRole('radiogroup', { name })
      .getByRole('radio', { name: choice })
      .click({ force: true })
    await this.page.keyboard.press('Escape')
    await atRest(this.page)
  }

  /** Presses Tab until the element has the focus: what is not reached so has no keyboard. */
  async tabTo(target: Locator): Promise<void> {
    await expect(target).toBeVisible()
    const hasFocus = (): Promise<boolean> => target.evaluate((element) => element === document.activeElement)
    for (let press = 0; press < 80; press += 1) {
      if (await hasFocus()) return
      await this.page.keyboard.press('Tab')
    }
    await expect(target, 'reached by Tab').toBeFocused({ timeout: 1 })
  }

  /** Sets the theme on every screen at once, as the desktop call behind the switch does. */
  async setTheme(theme: 'light' | 'dark' | 'system'): Promise<void> {
    await this.page.evaluate(async (choice) => {
      type Desktop = { desktop: { call(name: string, input: unknown): Promise<unknown> } }
      await (globalThis as unknown as { faultline: Desktop }).faultline.desktop.call('settings.set', {
        theme: choice,
      })
    }, theme)
    if (theme !== 'system')
      await this.page.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' })
  }

  /** Makes the window's content this large, in CSS pixels, and waits until it is drawn so. */
  async setSize(width: number, height: number): Promise<void> {
    await this.app.electron.evaluate(
      ({ BrowserWindow }, size) => {
        const [window] = BrowserWindow.getAllWindows()
        window?.setMinimumSize(320, 240)
        window?.setContentSize(size.width, size.height)
      },
      { width, height },
    )
    await expect.poll(() => this.page.evaluate(() => innerWidth)).toBe(width)
    await this.page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 150))),
    )
  }

  /** The next open dialog answers with these paths (Electron's own dialog is what is replaced). */
  async answerOpenDialog(...paths: readonly string[]): Promise<void> {
    await this.app.electron.evaluate(
      ({ dialog }, filePaths) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: filePaths.length === 0, filePaths })
      },
      [...paths],
    )
  }

  /** The next save dialog answers with this path; null cancels. */
  async answerSaveDialog(path: string | null): Promise<void> {
    await this.app.electron.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = () =>
        Promise.resolve(filePath === null ? { canceled: true, filePath: '' } : { canceled: false, filePath })
    }, path)
  }

  /** Drops files from the system onto the window: a real drop, with paths, through the browser's own events. */
  async drop(...paths: readonly string[]): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page)
    const data = { items: [], files: [...paths], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data })
    await session.detach()
  }
}
