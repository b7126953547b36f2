// Rough handling of the real app: a page that is killed, a core that dies again and again, a full disk under what a
// person writes, settings that cannot be kept, another workspace opened in the middle of a sentence. Nothing that was
// written is lost without a word.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { FaultlineBridge } from '../src/contract/desktop.ts'
import { expect, ready, root, test, type App } from './fixtures.ts'
import { atRest, Frame } from './pages/frame.ts'
import { ImportsPage } from './pages/imports.ts'
import { openTask, TaskPage } from './pages/task.ts'

const sample = resolve(root, 'resources/sample/refund-desk.faultline.jsonl')

/** A request to the core through the bridge; the answer's value. */
async function ask<T>(app: App, method: string, input: unknown = {}): Promise<T> {
  const answer = await app.window.evaluate(
    ([name, value]) =>
      (globalThis as unknown as { faultline: FaultlineBridge }).faultline.request(
        `e2e-${Math.random()}`,
        name as string,
        value,
      ),
    [method, input] as const,
  )
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.value as T
}

/** What a second start of the program with this file does. */
async function openFile(app: App, path: string): Promise<void> {
  await app.electron.evaluate(({ app: electronApp }, file) => {
    electronApp.emit('second-instance', {}, [], '', { argv: ['faultline', file], cwd: '/' })
  }, path)
}

const note = (task: TaskPage) => task.annotation.getByRole('textbox', { name: 'Note' })

const notes = async (app: App): Promise<readonly string[]> =>
  (await ask<readonly { note: string }[]>(app, 'annotations.list', { taskId: null })).map((one) => one.note)

/** Kills the core, however it was forked. */
async function killCore(app: App): Promise<void> {
  const pid = await app.electron.evaluate(({ app: electronApp }) => {
    const utility = electronApp.getAppMetrics().find((metric) => metric.name === 'Faultline core')
    if (utility !== undefined) return utility.pid
    const { readFileSync: read, readdirSync: list } = process.getBuiltinModule('node:fs')
    for (const name of list('/proc').filter((entry) => /^\d+$/.test(entry))) {
      try {
        const parent = read(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]
        const isCore = read(`/proc/${name}/cmdline`, 'utf8').includes('out/main/core.js')
        if (isCore && parent === String(process.pid)) return Number(name)
      } catch {
        // It ended while it was being looked at.
      }
    }
    return 0
  })
  if (pid > 0) process.kill(pid, 'SIGKILL')
}

/** A file system of its own of `megabytes`, or null where that cannot be had. Give its end to `finally`. */
function smallDisk(megabytes: number): { readonly folder: string; end(): void } | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const folder = mkdtempSync(join(tmpdir(), 'faultline-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
  return {
    folder,
    end: () => {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true })
    },
  }
}

/** Takes all free space of the disk that holds `folder`; answers how to give it back. */
function fill(folder: string): () => void {
  const path = join(folder, 'filler')
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(path, Buffer.alloc(bavail * bsize))
  return () => rmSync(path)
}

test('a page that is killed comes back where it was', async ({ launch }) => {
  test.skip(process.platform !== 'linux', 'sends SIGKILL')
  const app = await launch()
  await ready(app)
  await new ImportsPage(app).importByDialog(sample)
  const task = await openTask(app, 't07')
  const where = await task.page.evaluate(() => location.hash)
  const kill = () =>
    app.electron.evaluate(({ BrowserWindow }) => {
      const pid = BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0
      if (pid > 0) process.kill(pid, 'SIGKILL')
      return pid
    })
  const look = () =>
    app.electron.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      if (contents === undefined || contents.isCrashed() || contents.isLoading()) return 'not there'
      const script = `location.hash + ' ' + document.documentElement.dataset.appState + ' ' + document.querySelector('h1')?.textContent`
      // A page that is dying never answers.
      const late = new Promise((done) => setTimeout(() => done('late'), 1000))
      return String(await Promise.race([contents.executeJavaScript(script), late]))
    })
  const before = await kill()
  await expect.poll(look, { timeout: 30_000 }).toContain(`${where} ready`)
  expect(await look()).toContain('t07')
  const after = await app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
  )
  expect(after).not.toBe(before)
})

test('words that are not yet saved go into the workspace they were written in', async ({
  launch,
  userData,
}) => {
  const app = await launch()
  await ready(app)
  await new ImportsPage(app).importByDialog(sample)
  // A copy has the same trials: only the workspace tells the annotations apart.
  const copy = join(userData, 'copy.fault')
  await app.electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath })
  }, copy)
  const frame = new Frame(app)
  await frame.workspace(/Save a copy/)
  await expect.poll(() => existsSync(copy)).toBe(true)
  await atRest(app.window)

  const task = await openTask(app, 't07')
  await task.annotate()
  await note(task).fill('Written in the first one.')
  await openFile(app, copy)
  await expect.poll(async () => (await ask<{ path: string }>(app, 'workspace.info')).path).toBe(copy)
  await atRest(app.window)
  expect(await notes(app)).toEqual([])

  const again = await openTask(app, 't07')
  await again.annotate()
  await expect(note(again)).toHaveValue('')
  await note(again).fill('Written in the copy.')
  await openFile(app, join(userData, 'default.fault'))
  await expect.poll(async () => (await ask<{ path: string }>(app, 'workspace.info')).path).not.toBe(copy)
  await atRest(app.window)
  expect(await notes(app)).toEqual(['Written in the first one.'])
  await openFile(app, copy)
  await expect.poll(async () => (await ask<{ path: string }>(app, 'workspace.info')).path).toBe(copy)
  expect(await notes(app)).toEqual(['Written in the copy.'])
})

test('closing at once after the last word keeps it', async ({ launch }) => {
  const app = await launch()
  await ready(app)
  await new ImportsPage(app).importByDialog(sample)
  const task = await openTask(app, 't07')
  await task.annotate()
  await note(task).fill('The last word.')
  await app.close()
  const again = await launch()
  await ready(again)
  expect(await notes(again)).toEqual(['The last word.'])
})

test('a full disk: what was written stays in the window, is saved later, and closing asks', async ({
  launch,
}) => {
  const disk = smallDisk(12)
  test.skip(disk === null, 'A small file system can only be mounted by root on Linux')
  if (disk === null) return
  try {
    const userData = join(disk.folder, 'data')
    const first = await launch({ userData })
    await ready(first)
    await new ImportsPage(first).importByDialog(sample)
    // What follows an import writes, too. When it is done, closing takes the log away, and with it the room that is
    // already its own; the next start has nothing to write.
    await expect
      .poll(async () => {
        type Info = { readonly analysisPending: number; readonly indexPending: number }
        const { analysisPending, indexPending } = await ask<Info>(first, 'workspace.info')
        return analysisPending + indexPending
      })
      .toBe(0)
    await first.close()
    const app = await launch({ userData })
    await ready(app)
    const task = await openTask(app, 't07')
    await task.annotate()
    const log = statSync(join(userData, 'default.fault-wal'), { throwIfNoEntry: false })
    expect(log?.size ?? 0, 'room of the log').toBeLessThan(64 * 1024)
    const free = fill(disk.folder)
    const long = 'No space for this. '.repeat(4000)
    const isKept = async () => (await note(task).inputValue()) === long
    await note(task).fill(long)
    await expect(task.annotation.getByText('Not saved', { exact: true })).toBeVisible()
    await expect(task.annotation.getByText(/no space left/)).toBeVisible()
    expect(await isKept()).toBe(true)

    // A theme that cannot be remembered is in force all the same, and said.
    await app.window.getByRole('button', { name: /theme/i }).first().click()
    await expect(app.window.getByText('The setting was not saved')).toBeVisible()

    await app.electron.evaluate(({ BrowserWindow, dialog }) => {
      const asked = globalThis as unknown as { asked: number }
      asked.asked = 0
      dialog.showMessageBoxSync = () => {
        asked.asked += 1
        return 0
      }
      BrowserWindow.getAllWindows()[0]?.close()
    })
    const asked = () => app.electron.evaluate(() => (globalThis as unknown as { asked: number }).asked)
    await expect.poll(asked).toBe(1)
    expect(await isKept()).toBe(true)

    free()
    await task.annotation.getByRole('button', { name: 'Try again' }).click()
    await task.saved()
    expect((await notes(app)).map((text) => text === long)).toEqual([true])
    await app.close()
  } finally {
    disk.end()
  }
})

test('a full disk at the start is told in the window', async ({ launch }) => {
  const disk = smallDisk(12)
  test.skip(disk === null, 'A small file system can only be mounted by root on Linux')
  if (disk === null) return
  try {
    const userData = join(disk.folder, 'data')
    const first = await launch({ userData })
    await ready(first)
    await first.close()
    for (const end of ['', '-wal', '-shm']) rmSync(join(userData, `default.fault${end}`), { force: true })
    const free = fill(disk.folder)
    const app = await launch({ userData })
    await expect(app.window.getByRole('heading', { level: 1 })).toContainText(/disk|space/i, {
      timeout: 30_000,
    })
    free()
    await app.window.getByRole('button', { name: /again|Restart/ }).click()
    await ready(app)
    expect(await ask(app, 'workspace.info')).toMatchObject({ trials: 0 })
    await app.close()
  } finally {
    disk.end()
  }
})

test('settings that can be neither read nor written cost no window', async ({ launch, userData }) => {
  mkdirSync(join(userData, 'settings.json'), { recursive: true })
  const app = await launch()
  await ready(app)
  await app.window.getByRole('button', { name: /theme/i }).first().click()
  await expect(app.window.getByText('The setting was not saved')).toBeVisible()
  const settings = await app.window.evaluate(() =>
    (globalThis as unknown as { faultline: FaultlineBridge }).faultline.desktop.call('settings.get', {}),
  )
  expect(settings).toMatchObject({ ok: true, value: { theme: expect.not.stringMatching('system') } })
  await new ImportsPage(app).importByDialog(sample)
  expect(await ask(app, 'workspace.info')).toMatchObject({ trials: 160 })
})

test('a core that dies again and again: said, nothing lost, started again by hand', async ({ launch }) => {
  test.skip(process.platform !== 'linux', 'reads /proc')
  const app = await launch()
  await ready(app)
  await new ImportsPage(app).importByDialog(sample)
  const task = await openTask(app, 't07')
  await task.annotate()
  await note(task).fill('Before the end.')
  const heading = app.window.getByRole('heading', { level: 1 })
  await expect
    .poll(
      async () => {
        await killCore(app)
        return heading.textContent({ timeout: 5000 }).catch(() => '')
      },
      { timeout: 60_000, intervals: [500] },
    )
    .toMatch(/core/i)
  await app.window.getByRole('button', { name: 'Restart' }).click()
  await expect(task.page.getByRole('heading', { level: 1 })).toContainText('t07')
  await expect(note(task)).toHaveValue('Before the end.')
  await expect.poll(() => notes(app)).toEqual(['Before the end.'])
})
