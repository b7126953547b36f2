// The fixture of every end-to-end test: the built app in a real Electron window with a userData folder of its own.
// Fails a test on any violation of the content security policy, console error, page error or network request.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { _electron, test as base, expect, type ElectronApplication, type Page } from '@playwright/test'

/** The project's folder. */
export const root = resolve(import.meta.dirname, '..')

/** A started app: its window, what went wrong in it, and its end. */
export type App = {
  readonly electron: ElectronApplication
  readonly window: Page
  readonly userData: string
  /** Violations, console errors, page errors and foreign requests so far. */
  readonly troubles: readonly string[]
  /** The troubles so far, which then count no longer: for a test that provokes some on purpose. */
  takeTroubles(): readonly string[]
  close(): Promise<void>
}

/** How to start the app. */
export type LaunchOptions = {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Another test's folder, to start the app again on what it left; by default the fixture's. */
  readonly userData?: string
}

type Fixtures = {
  /** A userData folder, removed after the test. */
  userData: string
  /** Starts the app; several times in one test when wanted. All are closed after the test. */
  launch: (options?: LaunchOptions) => Promise<App>
  /** The app, started once with defaults. */
  app: App
}

const closeMs = 20_000

/**
 * What this machine asks of Chromium: it refuses its sandbox to root, and on a virtual display its GPU process now and
 * then does not answer, upon which the page waits for ever (one start in eleven on a busy machine).
 */
export const machineArgs = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ...(process.platform === 'linux' ? ['--disable-gpu'] : []),
]

const VIOLATION = 'securitypolicyviolation: '

/**
 * Hears violations of the content security policy as the page does, now and after every load: the page says them on
 * its console, where everything else that goes wrong is heard, too.
 */
async function watchViolations(window: Page): Promise<void> {
  const listen = (start: string): void => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`${start}${event.effectiveDirective} ${event.blockedURI} ${event.sample}`)
    })
  }
  await window.addInitScript(listen, VIOLATION)
  await window.evaluate(listen, VIOLATION)
}

async function start(userData: string, options: LaunchOptions): Promise<App> {
  const electron = await _electron.launch({
    cwd: root,
    args: ['.', `--user-data-dir=${userData}`, ...machineArgs, ...(options.args ?? [])],
    env: { ...(process.env as Record<string, string>), ...options.env },
    // The app's own theme counts: Playwright would put its "light" in place of it.
    colorScheme: null,
    timeout: 60_000,
  })
  const troubles: string[] = []
  // What happened before a listener is there is replayed by Chromium's log, violations included.
  electron.context().on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error') troubles.push(text.startsWith(VIOLATION) ? text : `console: ${text}`)
  })
  electron.context().on('weberror', (error) => troubles.push(`page error: ${error.error().message}`))
  electron.context().on('request', (request) => {
    if (!/^(app:\/\/faultline\/|data:|blob:)/.test(request.url())) troubles.push(`request: ${request.url()}`)
  })
  const window = await electron.firstWindow()
  await watchViolations(window)
  let isClosed = false
  return {
    electron,
    window,
    userData,
    troubles,
    takeTroubles: () => troubles.splice(0),
    async close() {
      if (isClosed) return
      isClosed = true
      await closeInTime(electron)
    },
  }
}

/** Closes the app as a person does; one that does not end is killed and fails the test. */
async function closeInTime(electron: ElectronApplication): Promise<void> {
  const child = electron.process()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, closeMs)
  await electron.close()
  clearTimeout(timer)
  expect(isLate, `the app did not end within ${closeMs} ms`).toBe(false)
}

/** Waits until the window says that it is ready. */
export async function ready(app: App): Promise<void> {
  await app.window.locator('[data-app-state="ready"]').waitFor({ state: 'attached', timeout: 30_000 })
}

/** The test function of all end-to-end tests. */
export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from the pattern
  userData: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'faultline-e2e-'))
    await use(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  },
  launch: async ({ userData }, use) => {
    const apps: App[] = []
    await use(async (options = {}) => {
      const app = await start(options.userData ?? userData, options)
      apps.push(app)
      return app
    })
    for (const app of apps) await app.close()
    expect(apps.flatMap((app) => app.troubles)).toEqual([])
  },
  app: async ({ launch }, use) => {
    const app = await launch()
    await ready(app)
    await use(app)
  },
})

export { expect }
