// The app's entry: single instance, lifecycle, and the wiring of window, bridge, menu and core. Thin: it reads no
// trajectory and opens no workspace, the core process does.

import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BrowserWindow, app, nativeTheme, protocol, shell } from 'electron'
import { hashOfLink } from '../base/link.ts'
import type { WindowEvent } from '../contract/events.ts'
import { openBridge } from './bridge.ts'
import { forkCore } from './corehost.ts'
import { makeDesktop } from './desktop.ts'
import { makeGrants } from './grants.ts'
import { openLog, withoutText } from './log.ts'
import { setMenu } from './menu.ts'
import { appScheme, serveWindow } from './protocol.ts'
import { openSettings } from './settings.ts'
import { supervise, type Supervisor } from './supervisor.ts'
import { lockSession, openWindow } from './window.ts'

app.setName('Faultline')
// Development and the shipped app share one folder, whatever the runtime is called; tests name their own.
if (!app.commandLine.hasSwitch('user-data-dir'))
  app.setPath('userData', join(app.getPath('appData'), 'Faultline'))
// No part of Chromium may look for updates, resolve names ahead or report anything.
for (const name of [
  'disable-background-networking',
  'disable-component-update',
  'disable-domain-reliability',
  'no-pings',
]) {
  app.commandLine.appendSwitch(name)
}
app.commandLine.appendSwitch('dns-prefetch-disable')
// Links open the installed app; a build that is being developed registers nothing with the system.
if (app.isPackaged) app.setAsDefaultProtocolClient('faultline')
protocol.registerSchemesAsPrivileged([{ scheme: appScheme, privileges: { standard: true, secure: true } }])

if (app.requestSingleInstanceLock({ argv: process.argv, cwd: process.cwd() })) run()
else app.quit()

/** Files and folders among a command line's arguments, absolute. */
function filesIn(argv: readonly string[], cwd: string): readonly string[] {
  return argv
    .slice(1)
    .filter((arg, index, all) => !arg.startsWith('-') && all[index - 1] !== '-r')
    .map((arg) => resolve(cwd, arg))
    .filter((path) => path !== app.getAppPath() && existsSync(path))
}

/** Links to a place among a command line's arguments. */
function linksIn(argv: readonly string[]): readonly string[] {
  return argv.slice(1).filter((arg) => hashOfLink(arg) !== null)
}

function isWorkspace(path: string): boolean {
  return path.toLowerCase().endsWith('.fault') && statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function run(): void {
  const userData = app.getPath('userData')
  const log = openLog(userData, !app.isPackaged && process.env['FAULTLINE_LOG'] === '1')
  const settings = openSettings(userData, log)
  const grants = makeGrants()
  let window: BrowserWindow | null = null
  let core: Supervisor | null = null
  /** Files that came before the app was ready (open-file on macOS). */
  const early: string[] = []

  const theCore = (): Supervisor => {
    if (core === null) throw new Error('The core is asked for before the app is ready.')
    return core
  }
  const desktop = makeDesktop({
    grants,
    settings,
    coreState: () => theCore().state(),
    restartCore: () => theCore().restart(),
    logPath: log.path,
    onSettings: (now) => {
      bridge.send({ type: 'settings', settings: now })
      refreshMenu()
    },
  })
  const bridge = openBridge({ window: () => window, core: theCore, grants, desktop, log })

  /** Hands files to the window: a workspace is opened, everything else is offered for import. */
  const receive = (paths: readonly string[]): void => {
    const workspace = paths.find(isWorkspace)
    if (workspace !== undefined) openRecent(workspace)
    const others = paths.filter((path) => !isWorkspace(path))
    if (others.length > 0)
      bridge.send({ type: 'files', files: others.map((path) => grants.add(path, 'read')) })
  }
  /** Leads the window to the last of the links. */
  const follow = (links: readonly string[]): void => {
    const link = links.at(-1)
    if (link !== undefined) bridge.send({ type: 'command', command: `link.follow:${link}` })
  }
  const openRecent = (path: string): void => {
    bridge.send({ type: 'command', command: `workspace.openGrant:${grants.add(path, 'read').grant}` })
  }
  const refreshMenu = (): void => {
    setMenu({
      recentPaths: settings.recentPaths(),
      command: (command) => bridge.send({ type: 'command', command }),
      openRecent,
      clearRecent: () => void desktop['recent.clear']({}, window as BrowserWindow),
      showLog: () => shell.showItemInFolder(log.path),
    })
  }
  const showWindow = (): void => {
    if (window === null) {
      window = openWindow(settings)
      window.once('closed', () => (window = null))
      return
    }
    if (window.isMinimized()) window.restore()
    window.focus()
  }
  const onCoreEvent = (event: WindowEvent): void => {
    if (event.type === 'log') log[event.level](`core: ${event.message}`)
    if ((event.type === 'ready' || event.type === 'workspace') && event.path !== '') {
      settings.usedWorkspace(event.path)
      refreshMenu()
      bridge.send({ type: 'settings', settings: settings.forWindow(grants) })
    }
    bridge.send(event)
  }

  app.on('second-instance', (_event, _argv, _cwd, data) => {
    const { argv, cwd } = data as { readonly argv: readonly string[]; readonly cwd: string }
    showWindow()
    receive(filesIn(argv, cwd))
    follow(linksIn(argv))
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    follow([url])
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    if (app.isReady()) receive([path])
    else early.push(path)
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('activate', showWindow)
  let isDown = false
  app.on('will-quit', (event) => {
    if (isDown || core === null) return
    event.preventDefault()
    void core.shutdown().finally(() => {
      isDown = true
      // Not at once: while this event is being answered, Electron takes a second quit for the first one.
      setImmediate(() => app.quit())
    })
  })
  process.on('uncaughtException', (error) => log.error(`main: ${withoutText(error)}`))
  process.on('unhandledRejection', (error) => log.error(`main: ${withoutText(error)}`))

  void app.whenReady().then(() => {
    log.info(`Faultline ${app.getVersion()} on Electron ${process.versions.electron}`)
    nativeTheme.themeSource = settings.get('theme')
    lockSession()
    const windowFolder = join(import.meta.dirname, '../renderer')
    protocol.handle(appScheme, (request) => serveWindow(windowFolder, request.url))

    const given = [...filesIn(process.argv, process.cwd()), ...early.splice(0)]
    const last = settings.get('lastWorkspace')
    const isNew = last === null && settings.get('recent').length === 0
    const workspace = given.find(isWorkspace) ?? (last !== null && existsSync(last) ? last : null)
    core = supervise(
      {
        fork: (path) => forkCore(path, log),
        logPath: log.path,
        onState: (state) => {
          log.info(`core: ${state.state}${'reason' in state ? ` (${state.reason})` : ''}`)
          bridge.send({ type: 'core', core: state })
        },
        onEvent: (event) => onCoreEvent(event as WindowEvent),
      },
      workspace,
    )
    refreshMenu()
    showWindow()
    receive(given.filter((path) => !isWorkspace(path)))
    follow(linksIn(process.argv))
    if (isNew && workspace === null && given.length === 0 && process.argv.includes('--sample-when-new')) {
      bridge.send({ type: 'command', command: 'workspace.openSample' })
    }
  })
}
