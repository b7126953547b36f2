// A window's surroundings for tests of the task screen: a real core on a workspace in a temporary folder, reached
// over an in-memory channel through window.faultline, as in the app. Only the desktop around it is filled in.

import { join } from 'node:path'
import { QueryClientProvider } from '@tanstack/react-query'
import { configure, render } from '@testing-library/react'
import { onTestFinished } from 'vitest'
import { connect, serve } from '../../../src/base/rpc.ts'
import { memoryPair } from '../../../src/base/channel.ts'
import type { FaultlineBridge } from '../../../src/contract/desktop.ts'
import type { WindowEvent } from '../../../src/contract/events.ts'
import type { Core } from '../../../src/core/core.ts'
import { followChanges, makeQueryClient } from '../../../src/renderer/bridge/queries.ts'
import { TaskScreen } from '../../../src/renderer/screens/task/TaskScreen.tsx'
import { listenForKeys } from '../../../src/renderer/shell/hotkeys.ts'
import { formatPlace } from '../../../src/renderer/shell/places.ts'
import { usePlace } from '../../../src/renderer/shell/useplace.ts'
import type { TaskPlace } from '../../../src/renderer/screens/task/taskplace.ts'
import { importPaths, opened, repo } from '../../core/opened.ts'

/** A core with its window bridge. `copied` is what went to the clipboard. */
export type Desk = { readonly core: Core; readonly folder: string }

// A real core answers, beside other tests on a busy machine: the default second is too short to mean anything.
configure({ asyncUtilTimeout: 8000 })

const listeners = new Set<(event: WindowEvent) => void>()
let current: Core | null = null

/** The bridge of all tests of this file: modules of the window keep their subscription, so it is made once. */
function installBridge(): void {
  if (Object.hasOwn(window, 'faultline')) return
  const bridge: FaultlineBridge = {
    async request(id, method, input) {
      if (current === null) throw new Error('no core is open')
      const [here, there] = memoryPair()
      serve(there, current.handler)
      const client = connect(here)
      client.onEvent((event) => tell(event as WindowEvent))
      return client.request(id, method, input)
    },
    cancel: () => undefined,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    desktop: {
      call: () =>
        Promise.resolve({
          ok: true,
          value: { theme: 'light', density: 'normal', recent: [], lastWorkspace: null } as never,
        }),
      drop: () => Promise.resolve({ ok: true, value: [] }),
    },
  }
  Object.defineProperty(window, 'faultline', { configurable: true, value: bridge })
}

function tell(event: WindowEvent): void {
  for (const listener of listeners) listener(event)
}

/** Opens a core with the given exports in it and waits until every task is analysed. */
export async function deskWith(paths: readonly string[]): Promise<Desk> {
  installBridge()
  const { core, folder } = opened({ resourcesDir: join(repo, 'resources'), emit: (event) => tell(event) })
  current = core
  await importPaths(core, paths)
  for (let tries = 0; tries < 200; tries += 1) {
    const { analysisPending } = await core.request('workspace.info', {})
    if (analysisPending === 0) return { core, folder }
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('the analysis did not end')
}

/** The id of a task by its name. */
export async function taskIdOf(core: Core, task: string): Promise<string> {
  const { rows } = await core.request('tasks.list', { limit: 1000 })
  const found = rows.find((row) => row.task === task)
  if (found === undefined) throw new Error(`no task ${task}`)
  return found.taskId
}

function AtPlace() {
  const { place } = usePlace()
  return place.at === 'task' ? <TaskScreen key={place.taskId} place={place} /> : <p>left the task</p>
}

/** Draws the task screen at a place, with keys and changes followed as in the app. */
export function drawTask(place: TaskPlace) {
  window.location.hash = formatPlace({ place, scope: null })
  const client = makeQueryClient()
  const stops = [followChanges(client), listenForKeys(() => true)]
  const drawn = render(
    <QueryClientProvider client={client}>
      <AtPlace />
    </QueryClientProvider>,
  )
  onTestFinished(() => {
    drawn.unmount()
    for (const stop of stops) stop()
    client.clear()
  })
  return drawn
}
