// The system libraries that Electron needs on Linux, and the virtual display for machines without a screen.
// Installs what is missing on Debian and Ubuntu as root or with a sudo that asks no password; otherwise it
// gives the exact command. Looks before it installs: on a machine that has everything it runs nothing.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** Either everything is there, or what to tell the person. */
export type SystemState = { readonly ok: true } | { readonly ok: false; readonly message: string }

/** Whether a program is in the PATH (or where Debian puts it for root). */
function hasProgram(name: string): boolean {
  return [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/sbin'].some((folder) =>
    existsSync(join(folder, name)),
  )
}

/** The shared libraries that the loader does not find for `executable`. */
function missingLibraries(executable: string): readonly string[] {
  const { stdout } = spawnSync('ldd', [executable], { encoding: 'utf8' })
  return [...(stdout ?? '').matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? '')
}

/** Whether there is a screen that Electron can open a window on. */
export function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'])
}

/**
 * Makes sure that `executable` can load and, where there is no screen, that Xvfb is there.
 * Answers `ok: false` with the command to type when it may not or cannot install.
 */
export async function ensureSystem(executable: string): Promise<SystemState> {
  if (process.platform !== 'linux') return { ok: true }
  const lacks = (): readonly string[] => [
    ...missingLibraries(executable),
    ...(hasDisplay() || hasProgram('Xvfb') ? [] : ['Xvfb']),
  ]
  const before = lacks()
  if (before.length === 0) return { ok: true }

  const what = `Electron lacks on this system: ${before.join(', ')}.`
  if (!hasProgram('apt-get')) {
    return { ok: false, message: `${what} Install them with your system's package manager.` }
  }
  const isRoot = process.getuid?.() === 0
  const hasSudo = !isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
  const commands = installCommands(isRoot ? '' : 'sudo ')
  if (!isRoot && !hasSudo)
    return { ok: false, message: `${what} Install them with:\n  ${commands.join('\n  ')}` }

  process.stderr.write(`${what} Installing …\n`)
  for (const command of commands) {
    spawnSync('sh', ['-c', command], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  }
  const after = lacks()
  if (after.length === 0) return { ok: true }
  return {
    ok: false,
    message: `Still missing after installing: ${after.join(', ')}. Tried:\n  ${commands.join('\n  ')}`,
  }
}

/** The commands that install the libraries: Playwright knows Chromium's list, which lacks GTK 3. */
function installCommands(sudo: string): readonly string[] {
  const gtk = `$(apt-cache show libgtk-3-0t64 >/dev/null 2>&1 && echo libgtk-3-0t64 || echo libgtk-3-0)`
  return [
    'npx playwright install-deps chromium',
    `${sudo}apt-get install -y --no-install-recommends ${gtk} xvfb xauth unzip`,
  ]
}

/** A virtual display that ends with `stop`, or the session's own when there is one. */
export type Display = { readonly env: Readonly<Record<string, string>>; stop(): void }

/** The session's display, or an Xvfb started for the caller on a free display number. Needs ensureSystem first. */
export async function openDisplay(): Promise<Display> {
  if (hasDisplay()) return { env: {}, stop: () => {} }
  const xvfb = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const number = await displayNumber(xvfb)
  const stop = (): void => void xvfb.kill()
  process.once('exit', stop)
  return { env: { DISPLAY: `:${number}` }, stop }
}

/** Waits for the number that Xvfb writes to file descriptor 3 when it is ready. */
function displayNumber(xvfb: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    xvfb.once('error', fail)
    xvfb.once('exit', (code) => fail(new Error(`Xvfb ended with code ${code} before it was ready.`)))
    let text = ''
    xvfb.stdio[3]?.on('data', (part: Buffer) => {
      text += part.toString()
      if (text.includes('\n')) done(text.trim())
    })
  })
}
