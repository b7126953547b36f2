// Runs once before the end-to-end tests: builds when stale, finds Electron, makes sure that it can load and
// that there is a display. Hands all of it to the workers through the environment.

import { build } from '../scripts/build.ts'
import { findElectron } from '../scripts/electron.ts'
import { ensureSystem, openDisplay } from '../scripts/system.ts'

/** Prepares the environment; answers what Playwright calls at the end. */
export default async function setup(): Promise<() => void> {
  await build({ quiet: true })
  const runtime = await findElectron()
  const system = await ensureSystem(runtime.executable)
  if (!system.ok) throw new Error(system.message)
  const display = await openDisplay()
  Object.assign(process.env, runtime.env, display.env, { TZ: 'UTC', LC_ALL: 'C' })
  process.stdout.write(`Electron ${runtime.version} (${runtime.dist})\n`)
  return () => display.stop()
}
