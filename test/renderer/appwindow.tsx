// The window under test: the real app on a real core, over an in-memory channel, with main's own admission and
// grants in between. Only Electron itself is missing: dialogs answer what the test says, the clipboard is a list.

import { join } from 'node:path'
import { render } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { onTestFinished } from 'vitest'
import { memoryPair } from '../../src/base/channel.ts'
import { toFaultData } from '../../src/base/fault.ts'
import { connect, serve } from '../../src/base/rpc.ts'
import type { BridgeAnswer, DesktopCall, DesktopCalls, FaultlineBridge } from '../../src/contract/desktop.ts'
import type { CoreState, Settings, WindowEvent } from '../../src/contract/events.ts'
import { openCore, type Core } from '../../src/core/core.ts'
import { makeGrants } from '../../src/main/grants.ts'
import { admit } from '../../src/main/relay.ts'
import { makeQueryClient } from '../../src/renderer/bridge/queries.ts'
import { useWork } from '../../src/renderer/bridge/work.ts'
import { App } from '../../src/renderer/shell/App.tsx'
import { useLastPlaces } from '../../src/renderer/shell/lastplaces.ts'
import { useFrame } from '../../src/renderer/shell/notices.ts'
import { TASKS } from '../../src/renderer/shell/places.ts'
import { forgetUndo } from '../../src/renderer/shell/undo.ts'
import { repo, temporaryFolder } from '../core/opened.ts'

/** A window under test. */
export type AppWindow = {
  readonly core: Core
  readonly user: UserEvent
  readonly folder: string
  /** What the next open dialog answers. */
  choose(...paths: readonly string[]): void
  /** What the next save dialog answers. */
  saveTo(path: string | null): void
  /** Sends an event as main does. */
  send(event: WindowEvent): void
  /** Says how the core is, as main's supervision does. */
  coreIs(state: CoreState): void
  /** Everything that was copied. */
  readonly copied: readonly string[]
  /** Methods asked so far, in order. */
  readonly asked: readonly string[]
}

/** The page listens once, whichever window is open: its listeners outlive a test. */
const listeners = new Set<(event: WindowEvent) => void>()

/** Opens the app on a fresh workspace; unmounted and closed when the test has ended. */
export function openAppWindow(hash = ''): AppWindow {
  const folder = temporaryFolder()
  const grants = makeGrants()
  const [coreSide, windowSide] = memoryPair()
  const send = (event: WindowEvent): void => {
    for (const listener of listeners) listener(event)
  }
  const core = openCore({
    path: join(folder, 'default.fault'),
    resourcesDir: join(repo, 'resources'),
    userDataDir: folder,
    appVersion: '0.1.0-test',
    watchMs: 0,
    emit: (event) => server.emit(event),
  })
  const server = serve(coreSide, core.handler)
  const client = connect(windowSide)
  client.onEvent((event) => send(event as WindowEvent))
  onTestFinished(() => core.close())

  let chosen: readonly string[] = []
  let saved: string | null = null
  let state: CoreState = { state: 'ready' }
  let settings: Settings = { theme: 'system', density: 'normal', recent: [], lastWorkspace: null }
  const copied: string[] = []
  const asked: string[] = []
  const calls: { readonly [C in DesktopCall]: (input: never) => DesktopCalls[C]['output'] } = {
    'files.choose': () => chosen.map((path) => grants.add(path, 'read')),
    'files.chooseSave': () => (saved === null ? null : grants.add(saved, 'write')),
    'files.chooseWorkspace': () => (chosen[0] === undefined ? null : grants.add(chosen[0], 'read')),
    'files.reveal': () => null,
    'settings.get': () => settings,
    'settings.set': (change: Partial<Settings>) => (settings = { ...settings, ...change }),
    'recent.clear': () => (settings = { ...settings, recent: [] }),
    'core.state': () => state,
    'core.restart': () => (state = { state: 'starting' }),
    'log.open': () => null,
    'clipboard.write': ({ text }: { text: string }) => (copied.push(text), null),
    'app.versions': () => ({ app: '0.1.0-test', electron: '-', chromium: '-', node: '-', platform: '-' }),
  }
  const bridge: FaultlineBridge = {
    async request(id, method, input) {
      asked.push(method)
      try {
        const admitted = admit(grants, id, method, input)
        return await client.request(admitted.id, admitted.method, admitted.input)
      } catch (error) {
        return { ok: false, error: toFaultData(error) }
      }
    },
    cancel: (id) => client.cancel(id),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    desktop: {
      call: <C extends DesktopCall>(name: C, input: DesktopCalls[C]['input']) =>
        Promise.resolve<BridgeAnswer<DesktopCalls[C]['output']>>({
          ok: true,
          value: calls[name](input as never) as DesktopCalls[C]['output'],
        }),
      drop: () => Promise.resolve({ ok: true, value: chosen.map((path) => grants.add(path, 'read')) }),
    },
  }
  Object.defineProperty(window, 'faultline', { configurable: true, value: bridge })

  useWork.setState({ works: [] })
  useFrame.setState({ notice: null, fault: null, sheet: null })
  useLastPlaces.setState({ tasks: TASKS, taskId: null })
  forgetUndo()
  window.location.hash = hash
  render(<App client={makeQueryClient()} />)
  return {
    core,
    user: userEvent.setup(),
    folder,
    choose: (...paths) => {
      chosen = paths
    },
    saveTo: (path) => {
      saved = path
    },
    send,
    coreIs: (next) => {
      state = next
      send({ type: 'core', core: next })
    },
    copied,
    asked,
  }
}
