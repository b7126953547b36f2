// Builds out/ with electron-vite. `node scripts/build.ts` always builds, `--stale` only when a source has
// changed since the last build; the other scripts call buildWhenStale. A lock keeps two builds of one clone
// apart (npm run cli in two terminals), because each empties the folders that it writes.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const out = join(root, 'out')
const stamp = join(out, 'built')
const lock = join(out, 'building')
const lockTimeoutMs = 120_000

/** What the build depends on: every source and setting, by path, size and time of change. */
function fingerprint(): string {
  const hash = createHash('sha256')
  const sources = readdirSync(join(root, 'src'), { recursive: true }).map((name) => join('src', String(name)))
  for (const name of [
    'package.json',
    'package-lock.json',
    'electron.vite.config.ts',
    ...sources.toSorted(),
  ]) {
    const entry = statSync(join(root, name), { throwIfNoEntry: false })
    if (entry?.isFile()) hash.update(`${name}\0${entry.size}\0${entry.mtimeMs}\n`)
  }
  return hash.digest('hex')
}

function isFresh(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint()
}

/** Waits for the lock and takes it; a lock whose process is gone is taken over. */
async function takeLock(): Promise<void> {
  mkdirSync(out, { recursive: true })
  for (const started = Date.now(); ;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      return
    } catch {
      const holder = Number(existsSync(lock) ? readFileSync(lock, 'utf8') : 0)
      if (Date.now() - started > lockTimeoutMs || (holder > 0 && !isRunning(holder))) {
        rmSync(lock, { force: true })
        continue
      }
    }
    await new Promise((done) => setTimeout(done, 100))
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Builds; throws with the builder's output when it fails. `quiet` prints nothing on success. */
export async function build(
  options: { readonly quiet?: boolean; readonly always?: boolean } = {},
): Promise<void> {
  await takeLock()
  try {
    if (options.always !== true && isFresh()) return
    const built = fingerprint()
    rmSync(stamp, { force: true })
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/electron-vite/bin/electron-vite.js'), 'build', '--logLevel', 'warn'],
      { cwd: root, stdio: options.quiet ? ['ignore', 'pipe', 'inherit'] : ['ignore', 'inherit', 'inherit'] },
    )
    if (status !== 0) throw new Error(`The build failed.\n${stdout?.toString() ?? ''}`)
    writeFileSync(stamp, built)
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Builds only when a source has changed since the last build; says nothing when there is nothing to do. */
export async function buildWhenStale(): Promise<void> {
  if (isFresh()) return
  process.stderr.write('Building …\n')
  await build({ quiet: true })
}

if (import.meta.main) {
  try {
    await (process.argv.includes('--stale') ? buildWhenStale() : build({ always: true }))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
