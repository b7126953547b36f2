// The life of the app: what it remembers, a second start, a core that is killed, a damaged settings file, and the
// core ending with the app. Speaks to window.faultline directly; the screens have tests of their own.

import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import type { FaultlineBridge } from '../src/contract/desktop.ts'
import type { CoreState, WindowEvent } from '../src/contract/events.ts'
import { expect, ready, root, machineArgs, test, type App } from './fixtures.ts'
import { corePid } from './pages/core.ts'

type PageWithBridge = { faultline: FaultlineBridge; heard: WindowEvent[] }

/** Starts keeping every event that reaches the window, in globalThis.heard of the page. */
async function hear(app: App): Promise<void> {
  await app.window.evaluate(() => {
    const page = globalThis as unknown as PageWithBridge
    page.heard = []
    page.faultline.subscribe((event) => void page.heard.push(event))
  })
}

/** The events of one type heard so far. */
function heard<T extends WindowEvent['type']>(
  app: App,
  type: T,
): Promise<Extract<WindowEvent, { type: T }>[]> {
  return app.window.evaluate((wanted) => {
    const { heard: events } = globalThis as unknown as PageWithBridge
    return events.filter((event) => event.type === wanted)
  }, type) as Promise<Extract<WindowEvent, { type: T }>[]>
}

/** A request to the core through the bridge. */
function ask(app: App, method: string, input: unknown = {}): Promise<unknown> {
  return app.window.evaluate(
    ([name, value]) =>
      (globalThis as unknown as PageWithBridge).faultline.request(
        `e2e-${Math.random()}`,
        name as string,
        value,
      ),
    [method, input] as const,
  )
}

/** The core's state, through the bridge. */
function coreState(app: App): Promise<CoreState> {
  return app.window.evaluate(async () => {
    const answer = await (globalThis as unknown as PageWithBridge).faultline.desktop.call('core.state', {})
    if (!answer.ok) throw new Error(answer.error.message)
    return answer.value
  })
}

const isReady = (app: App) =>
  expect.poll(async () => (await coreState(app)).state, { timeout: 20_000 }).toBe('ready')

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`)

test('the core opens the default workspace and answers through the bridge', async ({ app }) => {
  await isReady(app)
  const answer = await ask(app, 'workspace.info')
  expect(answer).toMatchObject({ ok: true, value: { trials: 0, tasks: 0, isSample: false } })
  expect(existsSync(join(app.userData, 'default.fault'))).toBe(true)
})

test('a killed core is said, started again, and answers', async ({ app }) => {
  test.skip(process.platform !== 'linux', 'reads /proc')
  await isReady(app)
  await hear(app)
  const pid = await corePid(app)
  process.kill(pid, 'SIGKILL')
  await expect
    .poll(async () => (await heard(app, 'core')).map((event) => event.core.state), { timeout: 20_000 })
    .toEqual(['gone', 'restarting', 'ready'])
  expect(await corePid(app)).not.toBe(pid)
  expect(await ask(app, 'workspace.info')).toMatchObject({ ok: true })
})

test('the core ends with the app, and its files are closed', async ({ launch, userData }) => {
  test.skip(process.platform !== 'linux', 'reads /proc')
  const app = await launch()
  await ready(app)
  await isReady(app)
  const pid = await corePid(app)
  await app.close()
  await expect.poll(() => isAlive(pid)).toBe(false)
  // SQLite removes its write-ahead log when the last connection is closed in order.
  expect(existsSync(join(userData, 'default.fault-wal'))).toBe(false)
})

test('theme, density and window bounds are remembered', async ({ launch }) => {
  const first = await launch()
  await ready(first)
  const set = await first.window.evaluate(() =>
    (globalThis as unknown as PageWithBridge).faultline.desktop.call('settings.set', {
      theme: 'dark',
      density: 'compact',
    }),
  )
  expect(set).toMatchObject({ ok: true, value: { theme: 'dark', density: 'compact' } })
  await first.electron.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 40, y: 30, width: 1010, height: 710 })
  })
  await first.close()

  const second = await launch()
  await ready(second)
  expect(await second.window.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true)
  const bounds = await second.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.getBounds(),
  )
  expect(bounds).toMatchObject({ width: 1010, height: 710 })
})

test('a damaged settings file costs the settings, not the window', async ({ launch, userData }) => {
  await mkdir(userData, { recursive: true })
  await writeFile(join(userData, 'settings.json'), '{"theme": "dark", "bou')
  const app = await launch()
  await ready(app)
  expect(await app.window.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(false)
})

test('a bad value falls back by itself and is logged; the others stay', async ({ launch, userData }) => {
  await writeFile(
    join(userData, 'settings.json'),
    JSON.stringify({ theme: 'purple', density: 'compact', bounds: { x: 'left' } }),
  )
  const app = await launch()
  await ready(app)
  const settings = await app.window.evaluate(() =>
    (globalThis as unknown as PageWithBridge).faultline.desktop.call('settings.get', {}),
  )
  expect(settings).toMatchObject({ ok: true, value: { theme: 'system', density: 'compact' } })
  const lines = readFileSync(join(userData, 'logs/main.log'), 'utf8').trim().split('\n')
  const messages = lines.map((line) => (JSON.parse(line) as { message: string }).message)
  expect(messages.some((message) => message.includes('"theme" is not valid'))).toBe(true)
})

test('a second start hands its file to the first one and ends', async ({ launch, userData }) => {
  const app = await launch()
  await ready(app)
  await hear(app)
  const file = join(userData, 'export.jsonl')
  await writeFile(file, '{}\n')
  const second = spawn(
    process.env['ELECTRON_EXEC_PATH'] ?? '',
    ['.', `--user-data-dir=${userData}`, ...machineArgs, file],
    { cwd: root, stdio: 'ignore' },
  )
  const code = await new Promise((done) => second.once('exit', done))
  expect(code).toBe(0)
  await expect
    .poll(async () => (await heard(app, 'files')).flatMap((event) => event.files.map(({ name }) => name)))
    .toEqual(['export.jsonl'])
  const [event] = await heard(app, 'files')
  // The window gets a name and a grant, and no way to see the folder.
  expect(Object.keys(event?.files[0] ?? {}).toSorted()).toEqual(['grant', 'isFolder', 'name'])
})
