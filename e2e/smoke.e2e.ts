// The app as such: it opens, it is shut off from the outside, and nothing listens.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, ready, root, machineArgs, test } from './fixtures.ts'

test('opens a ready window on the runtime that the run names', async ({ app }) => {
  const facts = await app.electron.evaluate(({ app: electronApp, BrowserWindow }) => ({
    version: process.versions.electron,
    isPackaged: electronApp.isPackaged,
    windows: BrowserWindow.getAllWindows().length,
    userData: electronApp.getPath('userData'),
  }))
  test.info().annotations.push({ type: 'electron', description: facts.version ?? '' })
  expect(facts).toMatchObject({ isPackaged: false, windows: 1, userData: app.userData })
  expect(await app.window.evaluate(() => location.origin)).toBe('app://faultline')
})

test('the window has no Node and only the four functions', async ({ app }) => {
  const seen = await app.window.evaluate(() => {
    const page = globalThis as unknown as Record<string, unknown>
    const bridge = page['faultline'] as Record<string, unknown>
    return { node: [typeof page['require'], typeof page['process']], bridge: Object.keys(bridge).toSorted() }
  })
  expect(seen).toEqual({
    node: ['undefined', 'undefined'],
    bridge: ['cancel', 'desktop', 'request', 'subscribe'],
  })
})

test('requests, navigation, windows, permissions and paths from the window are refused', async ({
  launch,
}) => {
  const app = await launch()
  await ready(app)
  const { window } = app
  const outcome = await window.evaluate(async () => {
    type Bridge = {
      request(id: string, method: string, input: unknown): Promise<{ ok: boolean; error?: { code: string } }>
    }
    const bridge = (globalThis as unknown as { faultline: Bridge }).faultline
    const code = async (method: string, input: unknown): Promise<string> => {
      const answer = await bridge.request(`t-${Math.random()}`, method, input)
      return answer.ok ? 'ok' : (answer.error?.code ?? '')
    }
    return {
      opened: globalThis.open('https://example.com/') === null,
      outside: await fetch('app://faultline/../../package.json').then(
        (answer) => answer.status,
        () => 'refused',
      ),
      permission: await navigator.permissions.query({ name: 'geolocation' }).then((status) => status.state),
      unknownMethod: await code('files.read', {}),
      path: await code('imports.run', { files: [{ path: '/etc/passwd' }] }),
      foreignGrant: await code('report.save', { file: { grant: 'x' }, report: {} }),
      tooLarge: await code('tasks.list', { filter: { text: 'x'.repeat(9 * 1024 * 1024) } }),
    }
  })
  expect(outcome).toEqual({
    opened: true,
    outside: 'refused',
    permission: 'denied',
    unknownMethod: 'INVALID_INPUT',
    path: 'INVALID_INPUT',
    foreignGrant: 'INVALID_INPUT',
    tooLarge: 'TOO_LARGE',
  })
  await window.evaluate(() => void (location.href = 'https://example.com/'))
  await window.waitForTimeout(300)
  expect(window.url()).toMatch(/^app:\/\/faultline\//)
  // The refusals above are what the policy is for: here, and only here, they are expected.
  const expected = /^(securitypolicyviolation: connect-src |console: (Refused to connect|Connecting to) )/
  await expect.poll(() => app.troubles.some((trouble) => trouble.startsWith('securitypolicy'))).toBe(true)
  expect(app.takeTroubles().filter((trouble) => !expected.test(trouble))).toEqual([])
})

test('no process of the app listens on a port', async ({ userData }) => {
  test.skip(process.platform !== 'linux', 'reads /proc')
  // Started by hand: Playwright would bring a debugging port of its own.
  const child = spawn(
    process.env['ELECTRON_EXEC_PATH'] ?? '',
    ['.', `--user-data-dir=${userData}`, ...machineArgs],
    {
      cwd: root,
      stdio: 'ignore',
    },
  )
  try {
    const log = join(userData, 'logs/main.log')
    const isStarted = (): boolean => existsSync(log) && /core: (ready|failed)/.test(readFileSync(log, 'utf8'))
    await expect.poll(isStarted, { timeout: 30_000 }).toBe(true)
    const processes = descendants(child.pid ?? 0)
    expect(processes.length).toBeGreaterThan(2)
    expect(listening(processes)).toEqual([])
  } finally {
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGTERM')
    await ended
  }
})

/** A process and all its children, from /proc. */
function descendants(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // It ended while it was being looked at.
    }
  }
  const found = [pid]
  for (const parent of found) for (const [child, of] of parents) if (of === parent) found.push(child)
  return found
}

/** The listening TCP sockets that the processes hold, as the kernel lists them. */
function listening(pids: readonly number[]): string[] {
  const held = new Set<string>()
  for (const pid of pids) {
    try {
      for (const fd of readdirSync(`/proc/${pid}/fd`)) {
        const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1]
        if (inode !== undefined) held.add(inode)
      }
    } catch {
      // It ended while it was being looked at.
    }
  }
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8').split('\n').slice(1),
  )
  // Column 3 is the state (0A: listening), column 9 the inode.
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter((row) => row[3] === '0A' && held.has(row[9] ?? ''))
    .map((row) => row[1] ?? '')
}
