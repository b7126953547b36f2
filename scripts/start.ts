// `npm start`: builds when stale and opens the app, on the sample workspace when none has been used before.
// Without a screen it says so and prints the diagnosis of the sample workspace instead, through the command
// line program: the same core, the same figures. `--dev` runs the window from Vite's server with hot reload.

import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { buildWhenStale } from './build.ts'
import { findElectron } from './electron.ts'
import { ensureSystem, hasDisplay } from './system.ts'

const root = resolve(import.meta.dirname, '..')

/** Runs a program with this terminal and answers its exit code. */
function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    // Ctrl+C reaches the child by itself; this process waits for it to close its files.
    process.on('SIGINT', () => {})
    process.once('SIGTERM', () => child.kill('SIGTERM'))
    child.once('error', fail)
    child.once('exit', (code) => done(code ?? 1))
  })
}

async function start(args: readonly string[]): Promise<number> {
  const isDev = args.includes('--dev')
  const passed = args.filter((arg) => arg !== '--dev')
  if (!isDev) await buildWhenStale()
  if (!hasDisplay()) {
    process.stdout.write(
      'No display here: showing the diagnosis of the sample workspace in the terminal instead.\n',
    )
    return run(process.execPath, [join(root, 'out/main/cli.js'), 'diagnose'])
  }
  const runtime = await findElectron()
  const system = await ensureSystem(runtime.executable)
  if (!system.ok) {
    process.stderr.write(`${system.message}\n`)
    return 1
  }
  // Chromium refuses its sandbox to root.
  const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []
  if (isDev) {
    const viteArgs = [
      'dev',
      ...(sandbox.length > 0 ? ['--noSandbox'] : []),
      '--',
      '--sample-when-new',
      ...passed,
    ]
    return run(
      process.execPath,
      [join(root, 'node_modules/electron-vite/bin/electron-vite.js'), ...viteArgs],
      runtime.env,
    )
  }
  return run(runtime.executable, ['.', ...sandbox, '--sample-when-new', ...passed], runtime.env)
}

try {
  process.exitCode = await start(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
