// The window's four functions on main's side: answers requests, cancels, desktop calls and drops that come from
// our window's main frame, and sends events to it. Relays to the core through relay.ts; a message from anywhere
// else is refused. Events made before the window listens are kept for it.

import { app, ipcMain, type BrowserWindow, type IpcMainEvent, type IpcMainInvokeEvent } from 'electron'
import { Fault, toFaultData } from '../base/fault.ts'
import type { Answer } from '../base/rpc.ts'
import type { DesktopCall } from '../contract/desktop.ts'
import type { WindowEvent } from '../contract/events.ts'
import type { DesktopHandlers } from './desktop.ts'
import type { Grants } from './grants.ts'
import { withoutText, type Log } from './log.ts'
import { appOrigin } from './protocol.ts'
import { admit } from './relay.ts'
import type { Supervisor } from './supervisor.ts'
import { devServer } from './window.ts'

const maxDropped = 10_000

/** What the bridge connects. */
export type BridgeOptions = {
  readonly window: () => BrowserWindow | null
  readonly core: () => Supervisor
  readonly grants: Grants
  readonly desktop: DesktopHandlers
  readonly log: Log
}

/** Sends events to the window. */
export type Bridge = { send(event: WindowEvent): void }

/** Listens for the window; call once. */
export function openBridge(options: BridgeOptions): Bridge {
  const { grants, log } = options
  let isListening = false
  let kept: WindowEvent[] = []

  const fromOurWindow = (event: IpcMainInvokeEvent | IpcMainEvent): boolean => {
    const frame = event.senderFrame
    const contents = options.window()?.webContents
    if (frame === null || contents === undefined || frame !== contents.mainFrame) return false
    const dev = devServer()
    return frame.url.startsWith(`${appOrigin}/`) || (dev !== undefined && frame.url.startsWith(dev))
  }
  const answerFrom = async (event: IpcMainInvokeEvent, work: () => Promise<Answer>): Promise<Answer> => {
    try {
      if (!fromOurWindow(event))
        throw new Fault('INVALID_INPUT', 'The request does not come from the window.')
      return await work()
    } catch (error) {
      if (!(error instanceof Fault)) log.error(`bridge: ${withoutText(error)}`)
      return { ok: false, error: toFaultData(error) }
    }
  }

  app.on('render-process-gone', (_event, _contents, { reason, exitCode }) => {
    if (reason !== 'clean-exit') log.error(`window: ${reason} (${exitCode})`)
  })
  ipcMain.handle('faultline:request', (event, id: unknown, method: unknown, input: unknown) =>
    answerFrom(event, async () => {
      const admitted = admit(grants, id, method, input)
      const core = options.core()
      if (
        admitted.method === 'workspace.open' &&
        core.pid() === undefined &&
        core.state().state === 'failed'
      ) {
        // The core is not there to open it: start one on that file.
        core.restart((admitted.input as { file: { path: string } }).file.path)
        return core.request(admitted.id, 'workspace.info', {})
      }
      return core.request(admitted.id, admitted.method, admitted.input)
    }),
  )
  ipcMain.on('faultline:cancel', (event, id: unknown) => {
    if (fromOurWindow(event) && typeof id === 'string') options.core().cancel(id)
  })
  ipcMain.handle('faultline:desktop', (event, name: unknown, input: unknown) =>
    answerFrom(event, async () => {
      const window = options.window()
      if (typeof name !== 'string' || !Object.hasOwn(options.desktop, name) || window === null) {
        throw new Fault('INVALID_INPUT', 'There is no such desktop call.')
      }
      return { ok: true, value: await options.desktop[name as DesktopCall](input, window) }
    }),
  )
  // The preload reads the paths of a drop from the File objects; the page cannot make one with a path.
  ipcMain.handle('faultline:drop', (event, paths: unknown) =>
    answerFrom(event, async () => {
      if (!Array.isArray(paths) || paths.length > maxDropped)
        throw new Fault('INVALID_INPUT', 'Too many files.')
      const chosen = paths.filter((path): path is string => typeof path === 'string' && path !== '')
      return { ok: true, value: chosen.map((path) => grants.add(path, 'read')) }
    }),
  )
  ipcMain.on('faultline:listening', (event) => {
    if (!fromOurWindow(event)) return
    isListening = true
    for (const waiting of kept.splice(0)) event.sender.send('faultline:event', waiting)
    // Only a new document stops listening: going to another place in the hash is a loading of the same one.
    const leave = (start: Electron.Event<Electron.WebContentsDidStartNavigationEventParams>): void => {
      if (!start.isMainFrame || start.isSameDocument) return
      isListening = false
      event.sender.off('did-start-navigation', leave)
    }
    event.sender.on('did-start-navigation', leave)
  })

  return {
    send(event) {
      const window = options.window()
      if (isListening && window !== null && !window.isDestroyed())
        window.webContents.send('faultline:event', event)
      // A window that is not there yet asks for the state itself; only what would be lost is kept.
      else if (event.type === 'files' || event.type === 'command') kept.push(event)
    },
  }
}
