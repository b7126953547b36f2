// Launch of the built app to its first task rows, against an Electron window that shows one line of HTML: the same
// runtime, the same driver, in turns.

import { _electron } from '@playwright/test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildWhenStale } from '../../scripts/build.ts'
import { findElectron } from '../../scripts/electron.ts'
import { ensureSystem, openDisplay } from '../../scripts/system.ts'
import type { Measured } from './bench.ts'
import { median, timed } from './times.ts'
import { coreOn, writeManyTrials } from './workspace.ts'

const root = resolve(import.meta.dirname, '../..')
const ROUNDS = 5
const LIMIT = 2.5
const FIRST_ROW = '[role="grid"] [role="row"][aria-rowindex="2"]:not([aria-label="Loading"])'

/** Builds when stale, makes a workspace of 50 tasks × 8 trials, and measures both in turns. */
export async function measureLaunch(folder: string): Promise<readonly Measured[]> {
  await buildWhenStale()
  const runtime = await findElectron()
  const system = await ensureSystem(runtime.executable)
  if (!system.ok) throw new Error(system.message)
  const display = await openDisplay()
  Object.assign(process.env, runtime.env, display.env)
  try {
    const bare = bareApp(folder)
    const userData = join(folder, 'user')
    mkdirSync(userData)
    await fill(userData)
    const values: number[] = []
    const floors: number[] = []
    for (let round = 0; round <= ROUNDS; round += 1) {
      const floor = await launch(bare, join(folder, 'bare-user'), '#first')
      const value = await launch('.', userData, FIRST_ROW)
      // The first round reads the runtime from the disk: not counted.
      if (round === 0) continue
      floors.push(floor)
      values.push(value)
    }
    const value = median(values)
    const floor = median(floors)
    return [
      {
        name: 'launch to first rows',
        value,
        unit: 'ms',
        floor,
        floorName: 'bare window',
        ratio: value / floor,
        limit: `≤ ${LIMIT} × a bare window`,
        holds: value / floor <= LIMIT,
        details: { electron: runtime.version, rounds: ROUNDS },
      },
    ]
  } finally {
    display.stop()
  }
}

/** The workspace that the app opens by itself, with its analyses done. */
async function fill(userData: string): Promise<void> {
  const core = coreOn(userData, 'default')
  const path = writeManyTrials(join(userData, 'trials.jsonl'), 50, 8)
  await core.request('imports.run', { files: [{ path }] })
  await core.request('report.preview', {})
  await core.close()
}

/** An app of one window and one line. */
function bareApp(folder: string): string {
  const path = join(folder, 'bare')
  mkdirSync(path)
  writeFileSync(
    join(path, 'package.json'),
    '{"name":"bare","version":"0.0.0","type":"module","main":"main.js"}',
  )
  writeFileSync(join(path, 'index.html'), '<!doctype html><meta charset="utf-8"><p id="first">first</p>')
  writeFileSync(
    join(path, 'main.js'),
    `import { app, BrowserWindow } from 'electron'
app.whenReady().then(() => new BrowserWindow({ width: 1440, height: 900 }).loadFile(${JSON.stringify(join(path, 'index.html'))}))
`,
  )
  return path
}

/** Milliseconds from the start of the process until `selector` is drawn. */
async function launch(path: string, userData: string, selector: string): Promise<number> {
  // As in e2e/fixtures.ts: no sandbox for root, no GPU process on a virtual display. The same for both windows.
  const machine = process.platform === 'linux' ? ['--disable-gpu'] : []
  if (machine.length > 0 && process.getuid?.() === 0) machine.push('--no-sandbox')
  let electron: Awaited<ReturnType<typeof _electron.launch>> | null = null
  try {
    return await timed(async () => {
      electron = await _electron.launch({
        cwd: root,
        args: [path, `--user-data-dir=${userData}`, ...machine],
        env: { ...(process.env as Record<string, string>), TZ: 'UTC', LC_ALL: 'C' },
        timeout: 60_000,
      })
      const window = await electron.firstWindow()
      await window.locator(selector).first().waitFor({ state: 'visible', timeout: 30_000 })
    })
  } finally {
    await (electron as { close(): Promise<void> } | null)?.close()
  }
}
