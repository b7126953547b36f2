// A workspace that can be read and no longer written (a full disk, a file moved away, another writer): analyses that
// cannot be stored must not take the core with them, and who waits for one is told why.

import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { importPaths, opened, repo } from '../opened.ts'

test.skipIf(process.platform === 'win32')(
  'what cannot be stored does not end the core',
  async () => {
    const { core, events, path, folder } = opened()
    await importPaths(core, [join(repo, 'resources/sample/refund-desk.faultline.jsonl')])
    const unhandled: unknown[] = []
    const keep = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', keep)
    onTestFinished(() => void process.off('unhandledRejection', keep))

    renameSync(path, join(folder, 'away.fault'))
    const view = { configurations: null, policy: { error: 'exclude' as const, unknown: 'fail' as const } }
    const { rows } = await core.request('tasks.list', { view })
    const asked = await Promise.allSettled(
      rows.map((row) => core.request('tasks.get', { taskId: row.taskId, view })),
    )
    await pause(1500)
    expect(unhandled).toEqual([])
    for (const one of asked)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'FILE_UNREADABLE' })
    const said = events.filter((event) => event.type === 'log' && /could not be stored/.test(event.message))
    expect(said.length).toBe(1)

    renameSync(join(folder, 'away.fault'), path)
    await expect
      .poll(
        async () => {
          const views = await Promise.all(
            rows.map((row) => core.request('tasks.get', { taskId: row.taskId, view })),
          )
          return views.filter((one) => one.analysisState === 'pending').length
        },
        { timeout: 20_000 },
      )
      .toBe(0)
  },
  60_000,
)
