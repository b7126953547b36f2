// The one window: made with remembered bounds, sandboxed and isolated, and shut off from everything outside.
// Navigation, new windows, permissions, downloads and requests are denied for the whole session; a link to one
// of the few hosts that Faultline's own texts point to is opened in the browser, after asking.

import { join } from 'node:path'
import { BrowserWindow, app, dialog, nativeTheme, screen, session, shell, type WebContents } from 'electron'
import { keepPage } from './page.ts'
import { appOrigin } from './protocol.ts'
import type { SettingsStore, WindowBounds } from './settings.ts'

const defaultSize = { width: 1440, height: 900 }
const minimumSize = { minWidth: 900, minHeight: 600 }

/** Hosts that Faultline's own texts link to: its sources of method, its home. */
const linkHosts: ReadonlySet<string> = new Set(['arxiv.org', 'doi.org', 'github.com'])

/** The address of Vite's server while developing; never honoured in the shipped app. */
export function devServer(): string | undefined {
  return app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']
}

/** Denies what no part of Faultline needs, for every page of the session. Call once, after app.whenReady(). */
export function lockSession(): void {
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  defaultSession.setPermissionCheckHandler(() => false)
  defaultSession.setDevicePermissionHandler(() => false)
  defaultSession.on('will-download', (event) => event.preventDefault())
  const dev = devServer()
  const allowed = [`${appOrigin}/`, 'devtools://', ...(dev ? [dev, dev.replace(/^http/, 'ws')] : [])]
  defaultSession.webRequest.onBeforeRequest(({ url }, answer) => {
    answer({ cancel: !allowed.some((start) => url.startsWith(start)) })
  })
  app.on('web-contents-created', (_event, contents) => lockContents(contents))
}

function lockContents(contents: WebContents): void {
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-frame-navigate', (event) => event.preventDefault())
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    void openLink(contents, url)
    return { action: 'deny' }
  })
}

/** Opens a link in the browser when its host is known and the person says yes. */
async function openLink(contents: WebContents, url: string): Promise<void> {
  const target = URL.canParse(url) ? new URL(url) : undefined
  if (target?.protocol !== 'https:' || !linkHosts.has(target.hostname)) return
  const parent = BrowserWindow.fromWebContents(contents)
  const question = {
    type: 'question' as const,
    message: `Open ${target.hostname} in your browser?`,
    detail: target.href.slice(0, 500),
    buttons: ['Open', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  }
  const { response } = await (parent
    ? dialog.showMessageBox(parent, question)
    : dialog.showMessageBox(question))
  if (response === 0) await shell.openExternal(target.href)
}

/** Makes the window and loads the app into it; it is shown when its first frame is drawn. */
export function openWindow(settings: SettingsStore): BrowserWindow {
  const bounds = visibleBounds(settings.get('bounds'))
  const window = new BrowserWindow({
    ...defaultSize,
    ...(bounds === null ? {} : { x: bounds.x, y: bounds.y, width: bounds.width, height: bounds.height }),
    ...minimumSize,
    show: false,
    title: 'Faultline',
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#16181c' : '#ffffff',
    webPreferences: {
      preload: join(import.meta.dirname, '../preload/index.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      // The spell checker would fetch dictionaries.
      spellcheck: false,
      devTools: !app.isPackaged,
      navigateOnDragDrop: false,
    },
  })
  if (bounds?.isMaximized) window.maximize()
  keepPage(window)
  window.once('ready-to-show', () => window.show())
  window.on('close', () => {
    settings.set('bounds', { ...window.getNormalBounds(), isMaximized: window.isMaximized() })
  })
  // The page's own title must not replace the name and the workspace's name.
  window.on('page-title-updated', (event) => event.preventDefault())
  void window.loadURL(devServer() ?? `${appOrigin}/index.html`)
  return window
}

/** The remembered bounds when enough of them is on a screen that still exists, else null. */
function visibleBounds(bounds: WindowBounds | null): WindowBounds | null {
  if (bounds === null) return null
  const { workArea } = screen.getDisplayMatching(bounds)
  const width =
    Math.min(bounds.x + bounds.width, workArea.x + workArea.width) - Math.max(bounds.x, workArea.x)
  const height =
    Math.min(bounds.y + bounds.height, workArea.y + workArea.height) - Math.max(bounds.y, workArea.y)
  return width >= 200 && height >= 100 ? bounds : null
}
