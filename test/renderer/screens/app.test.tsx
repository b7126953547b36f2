// The app end to end without Electron: first run, import, tasks, filters, scope, policy, undo, report, a core that
// dies. The core is real; what is on screen is read as a person or a screen reader reads it.

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { writeExport, type Line } from '../../core/opened.ts'
import { openAppWindow, type AppWindow } from '../appwindow.tsx'

const patience = { timeout: 15_000 }

const lines: readonly Line[] = [
  { id: 'a1', task: 'refund', outcome: 'pass', config: 'careful' },
  { id: 'a2', task: 'refund', outcome: 'pass', config: 'careful' },
  { id: 'a3', task: 'refund', outcome: 'fail', config: 'eager', severe: true },
  { id: 'a4', task: 'refund', outcome: 'error', config: 'eager' },
  { id: 'b1', task: 'exchange', outcome: 'pass', config: 'careful' },
  { id: 'b2', task: 'exchange', outcome: 'pass', config: 'eager' },
  { id: 'c1', task: 'cancel', outcome: 'fail', config: 'careful' },
]

/** Imports through the button, as a person does, and waits for the end. */
async function importLines(app: AppWindow, name: string, content: readonly Line[] = lines): Promise<void> {
  app.choose(writeExport(join(app.folder, name), [...content]))
  await app.user.click(await screen.findByRole('button', { name: /Choose files/ }, patience))
  await waitFor(
    () =>
      expect(
        screen
          .getAllByRole('status')
          .map((one) => one.textContent)
          .join(),
      ).toMatch(/kept|already here/i),
    patience,
  )
}

async function importAndShow(app: AppWindow, content: readonly Line[] = lines): Promise<HTMLElement> {
  await importLines(app, 'export.jsonl', content)
  await app.user.click(screen.getByRole('link', { name: 'Tasks' }))
  return screen.findByRole('grid', { name: 'Tasks' }, patience)
}

const rowNames = (grid: HTMLElement): readonly string[] =>
  within(grid)
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.getAttribute('aria-label') ?? '')

describe('first run and imports', () => {
  test('the first run says one thing and offers three; an import leads to the tasks with their doubt', async () => {
    const app = openAppWindow()
    expect(
      await screen.findByRole('heading', { level: 1, name: /part from its passing trials/ }, patience),
    ).toBeDefined()
    expect(screen.getByRole('button', { name: 'Open the sample workspace' })).toBeDefined()
    expect(screen.queryByRole('grid')).toBeNull()
    await importLines(app, 'export.jsonl')
    expect(screen.getByRole('heading', { level: 1, name: 'Imports' })).toBeDefined()
    const file = await screen.findByText('export.jsonl', {}, patience)
    expect(file.closest('[role="listitem"]')?.textContent).toContain('kept')
    await app.user.click(screen.getByRole('link', { name: 'Show the tasks →' }))
    const grid = await screen.findByRole('grid', { name: 'Tasks' }, patience)
    await waitFor(() => expect(rowNames(grid).length).toBe(3), patience)
    expect(rowNames(grid)[0]).toMatch(
      /^refund, 2 of 4 passed, 95 % interval 0\.15 to 0\.85, few trials, 1 severe trial/,
    )
    expect(screen.getByRole('button', { name: '1 always pass' })).toBeDefined()
    expect(screen.getByRole('button', { name: '1 never pass' })).toBeDefined()
    expect(screen.getAllByRole('heading', { level: 1 }).length).toBe(1)
  })

  test('the same file again changes nothing and says so', async () => {
    const app = openAppWindow()
    await importLines(app, 'export.jsonl')
    await importLines(app, 'export.jsonl')
    expect(await screen.findAllByText('already here, nothing changed', {}, patience)).not.toHaveLength(0)
    expect(screen.getAllByText(/Already here, nothing changed: export\.jsonl/).length).toBeGreaterThan(0)
  })

  test('a file of no known format says so, in words, and offers the formats', async () => {
    const app = openAppWindow()
    const path = join(app.folder, 'notes.txt')
    writeFileSync(path, 'dear diary')
    app.choose(path)
    await app.user.click(await screen.findByRole('button', { name: /Choose files/ }, patience))
    expect(await screen.findByText('Format not recognised', {}, patience)).toBeDefined()
    await app.user.click(screen.getByRole('button', { name: /Choose format/ }))
    expect(await screen.findAllByRole('menuitem')).not.toHaveLength(0)
  })

  test('undo takes an import out, redo brings it back', async () => {
    const app = openAppWindow()
    await importLines(app, 'export.jsonl')
    await app.user.click(await screen.findByRole('button', { name: 'Undo this import' }, patience))
    expect(await screen.findByRole('button', { name: 'Keep again' }, patience)).toBeDefined()
    await app.user.click(screen.getByRole('link', { name: 'Tasks' }))
    expect(await screen.findByText('No trials yet', {}, patience)).toBeDefined()
    await app.user.click(screen.getByRole('link', { name: 'Imports' }))
    await app.user.click(await screen.findByRole('button', { name: 'Keep again' }, patience))
    await app.user.click(screen.getByRole('link', { name: 'Tasks' }))
    const grid = await screen.findByRole('grid', { name: 'Tasks' }, patience)
    await waitFor(() => expect(rowNames(grid).length).toBe(3), patience)
  })

  test('names from the data stay text', async () => {
    const hostile = '</script><img src=x onerror="document.title=1">\u202eevil'
    const app = openAppWindow()
    const grid = await importAndShow(app, [{ id: 'x', task: hostile, outcome: 'fail' }])
    await waitFor(() => expect(rowNames(grid)).toHaveLength(1), patience)
    expect(grid.textContent).toContain('</script><img src=x onerror="document.title=1">\\u{202E}evil')
    expect(document.querySelectorAll('img, script').length).toBe(0)
    expect(rowNames(grid)[0]).not.toContain('\u202e')
  })
})

describe('tasks', () => {
  test('phrases and text filter, chips take a filter away, nothing left says why', async () => {
    const app = openAppWindow()
    const grid = await importAndShow(app)
    await waitFor(() => expect(rowNames(grid)).toHaveLength(3), patience)
    await app.user.click(screen.getByRole('button', { name: '1 never pass' }))
    await waitFor(() => expect(rowNames(screen.getByRole('grid'))).toHaveLength(1), patience)
    expect(window.location.hash).toBe('#/tasks;outcome=never')
    await app.user.type(screen.getByRole('searchbox', { name: 'Filter tasks by text' }), 'zzz')
    expect(await screen.findByText(/No task matches/, {}, patience)).toBeDefined()
    await app.user.click(screen.getByRole('button', { name: 'Remove filter “zzz”' }))
    await waitFor(() => expect(rowNames(screen.getByRole('grid'))[0]).toMatch(/^cancel, 0 of 1/), patience)
    await app.user.click(screen.getAllByRole('button', { name: 'Clear filters' })[0] as HTMLElement)
    await waitFor(() => expect(rowNames(screen.getByRole('grid'))).toHaveLength(3), patience)
  })

  test('the scope is said, and narrowing it changes every n', async () => {
    const app = openAppWindow()
    const grid = await importAndShow(app)
    await app.user.click(
      await screen.findByRole('button', { name: 'Scope 2 configurations pooled' }, patience),
    )
    await app.user.click(await screen.findByRole('menuitemcheckbox', { name: /eager/ }))
    await app.user.keyboard('{Escape}')
    await waitFor(() => expect(rowNames(grid)[0]).toMatch(/^refund, 0 of 2 passed/), patience)
    expect(screen.getByRole('button', { name: /^Scope .*eager/ })).toBeDefined()
    expect(window.location.hash).toMatch(/;scope=/)
  })

  test('the policy is said, and changing it changes the rate', async () => {
    const app = openAppWindow()
    const grid = await importAndShow(app)
    await app.user.click(
      await screen.findByRole('button', { name: /^Policy errors count as failures/ }, patience),
    )
    const group = await screen.findByRole('radiogroup', { name: 'Trials that ended in an error' })
    await app.user.click(within(group).getByRole('radio', { name: /are excluded/ }))
    await app.user.keyboard('{Escape}')
    await waitFor(() => expect(rowNames(grid)[0]).toMatch(/^refund, 2 of 3 passed/), patience)
    expect(await screen.findByRole('button', { name: /^Policy errors excluded/ }, patience)).toBeDefined()
  })

  test('the keyboard alone: order, row, peek, text', async () => {
    const app = openAppWindow()
    const grid = await importAndShow(app)
    await waitFor(() => expect(rowNames(grid)).toHaveLength(3), patience)
    within(grid).getAllByRole('row')[1]?.focus()
    await app.user.keyboard('{ArrowDown} ')
    expect(await screen.findByRole('complementary', { name: 'Task in short' }, patience)).toBeDefined()
    within(grid).getAllByRole('row')[1]?.focus()
    await app.user.keyboard('s')
    await waitFor(() => expect(window.location.hash).toBe('#/tasks;sort=lowest'), patience)
    await app.user.keyboard('/')
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Filter tasks by text' }))
  })

  test('at rest the window asks nothing', async () => {
    const app = openAppWindow()
    const grid = await importAndShow(app)
    await waitFor(() => expect(rowNames(grid)).toHaveLength(3), patience)
    await waitFor(() => expect(document.documentElement.dataset['idle']).toBe('true'), patience)
    await new Promise((done) => setTimeout(done, 1500))
    const before = app.asked.length
    await new Promise((done) => setTimeout(done, 1500))
    expect(app.asked.slice(before)).toEqual([])
  })
})

describe('report', () => {
  test('the text is shown, copied whole, and saved where the person says', async () => {
    const app = openAppWindow()
    await importAndShow(app)
    await app.user.click(screen.getByRole('link', { name: 'Report' }))
    expect(await screen.findByText(/^# Faultline report/, {}, patience)).toBeDefined()
    await app.user.click(screen.getByRole('button', { name: 'Copy' }))
    await waitFor(() => expect(app.copied).toHaveLength(1), patience)
    expect(app.copied[0]).toMatch(/^# Faultline report[\s\S]*refund/)
    const path = join(app.folder, 'report.md')
    app.saveTo(path)
    await app.user.click(screen.getByRole('button', { name: 'Save…' }))
    expect(await screen.findAllByText(/Saved report\.md/, {}, patience)).not.toHaveLength(0)
    expect(readFileSync(path, 'utf8')).toBe(app.copied[0])
  })
})

describe('the core’s life', () => {
  test('a restart is said in a banner, a failure takes the screen with its ways out', async () => {
    const app = openAppWindow()
    await screen.findByRole('button', { name: /Choose files/ }, patience)
    app.coreIs({ state: 'restarting', attempt: 1, of: 3, reason: 'It was ended by a signal.' })
    expect(await screen.findByText('The analysis core stopped and is restarting (1 of 3)')).toBeDefined()
    app.coreIs({ state: 'ready' })
    await waitFor(() => expect(screen.queryByText(/is restarting/)).toBeNull())
    app.coreIs({
      state: 'failed',
      logPath: '/home/x/log.jsonl',
      fault: {
        code: 'DB_NEWER',
        message: 'made by schema 9, this program knows 1',
        where: '/home/x/a.fault',
      },
    })
    expect(
      await screen.findByRole('heading', { level: 1, name: 'This workspace is from a newer Faultline' }),
    ).toBeDefined()
    expect(screen.getByText('made by schema 9, this program knows 1')).toBeDefined()
    expect(screen.getByText('/home/x/a.fault')).toBeDefined()
    for (const name of ['Try again', 'Open another workspace…', 'Open log', 'Copy details'])
      expect(screen.getByRole('button', { name })).toBeDefined()
  })
})

describe('palette, keys and deletion', () => {
  test('the palette finds a command and a task, and leads there', async () => {
    const app = openAppWindow()
    await importAndShow(app)
    await app.user.keyboard('{Control>}k{/Control}')
    const field = await screen.findByRole('textbox', { name: 'Search tasks, steps and commands' })
    await app.user.type(field, 'exchan')
    expect(await screen.findByRole('menuitem', { name: /exchange/ }, patience)).toBeDefined()
    await app.user.clear(field)
    await app.user.type(field, 'settings')
    await app.user.click(await screen.findByRole('menuitem', { name: /Settings/ }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' }, patience)).toBeDefined()
  })

  test('? lists the keys of the registry', async () => {
    const app = openAppWindow()
    await screen.findByRole('button', { name: /Choose files/ }, patience)
    await app.user.keyboard('?')
    const sheet = await screen.findByRole('dialog', { name: 'Keys' })
    expect(within(sheet).getByText('Next failing trial')).toBeDefined()
    await app.user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('a safety copy is restored after a question, and what was there is another copy', async () => {
    const app = openAppWindow()
    await importAndShow(app)
    const { path } = await app.core.request('workspace.info', {})
    await app.core.request('workspace.saveCopy', { file: { path: `${path}.before-2` } })
    const { rows } = await app.core.request('tasks.list', {})
    const { trials } = await app.core.request('tasks.get', { taskId: rows[0]?.taskId ?? '' })
    await app.core.request('trials.delete', { trialIds: [trials[0]?.trialId ?? ''] })
    window.location.hash = '#/settings'
    await app.user.click(
      await screen.findByRole('button', { name: 'Restore default.fault.before-2…' }, patience),
    )
    const sheet = await screen.findByRole('alertdialog')
    expect(sheet.textContent).toMatch(/saved beside it first.*cannot be brought back/)
    await app.user.click(within(sheet).getByRole('button', { name: 'Restore' }))
    const saved = await screen.findByRole(
      'button',
      { name: 'Remove default.fault.before-restore-1…' },
      patience,
    )
    expect((await app.core.request('workspace.info', {})).trials).toBe(7)
    await app.user.click(saved)
    await app.user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Keep it' }),
    )
    await app.user.click(screen.getByRole('button', { name: 'Remove default.fault.before-2…' }))
    await app.user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }),
    )
    await waitFor(
      async () =>
        expect((await app.core.request('workspace.info', {})).backups.map(({ name }) => name)).toEqual([
          'default.fault.before-restore-1',
        ]),
      patience,
    )
  })

  test.runIf(process.platform !== 'win32')(
    'a workspace that cannot be written says so above everything, and what would change it is refused in words',
    async () => {
      const app = openAppWindow()
      await importAndShow(app)
      const frozen = join(app.folder, 'frozen.fault')
      await app.core.request('workspace.saveCopy', { file: { path: frozen } })
      chmodSync(frozen, 0o444)
      await app.core.request('workspace.open', { file: { path: frozen } })
      expect(await screen.findByText('Read only', {}, patience)).toBeDefined()
      app.saveTo(join(app.folder, 'mine.fault'))
      app.send({ type: 'command', command: 'workspace.deleteAll' })
      const sheet = await screen.findByRole('alertdialog', {}, patience)
      await app.user.click(within(sheet).getByRole('checkbox'))
      await app.user.click(within(sheet).getByRole('button', { name: 'Delete 7 trials' }))
      expect((await screen.findByRole('alert', {}, patience)).textContent).toMatch(
        /Nothing was deleted.*cannot be written.*Save a copy/,
      )
      await app.user.click(screen.getByRole('button', { name: 'Save a copy…' }))
      await waitFor(() => expect(existsSync(join(app.folder, 'mine.fault'))).toBe(true), patience)
    },
  )

  test('deleting everything asks, counts, and can be undone', async () => {
    const app = openAppWindow()
    await importAndShow(app)
    await app.core.request('rules.save', {
      draft: { kind: 'must-not', suite: null, event: 'looked', tool: 'look_*' },
    })
    app.send({ type: 'command', command: 'workspace.deleteAll' })
    const sheet = await screen.findByRole('alertdialog', {}, patience)
    const go = await within(sheet).findByRole('button', { name: 'Delete 7 trials and 1 rule' }, patience)
    expect(within(sheet).getByText('1 rule with every earlier state')).toBeDefined()
    expect(go).toHaveProperty('disabled', true)
    await app.user.click(within(sheet).getByRole('checkbox'))
    await app.user.click(go)
    expect(await screen.findByText('No trials yet', {}, patience)).toBeDefined()
    await app.user.click(screen.getByRole('button', { name: 'Undo' }))
    const grid = await screen.findByRole('grid', { name: 'Tasks' }, patience)
    await waitFor(() => expect(rowNames(grid)).toHaveLength(3), patience)
  })
})
