// The application menu. Editing, zoom and windows are Electron's own roles; everything else is a command that the
// window carries out (it asks, shows progress and says what went wrong), so the menu decides nothing.

import { basename } from 'node:path'
import { Menu, app, type MenuItemConstructorOptions } from 'electron'

/** What the menu is made from and what it calls. */
export type MenuOptions = {
  readonly recentPaths: readonly string[]
  /** Sends a command to the window. */
  readonly command: (command: MenuCommand) => void
  readonly openRecent: (path: string) => void
  readonly clearRecent: () => void
  readonly showLog: () => void
}

/** The commands that the menu sends; the window's command registry has each of them. */
export type MenuCommand =
  | 'workspace.new'
  | 'workspace.open'
  | 'workspace.openSample'
  | 'workspace.saveCopy'
  | 'import.choose'
  | 'import.chooseFolder'
  | 'edit.find'
  | 'go.imports'
  | 'go.tasks'
  | 'go.report'
  | 'go.settings'
  | 'view.theme'
  | 'view.palette'
  | 'help.keys'
  | 'help.about'

/** Sets the application menu; call again when the recent workspaces have changed. */
export function setMenu(options: MenuOptions): void {
  const { command } = options
  const item = (label: string, name: MenuCommand, accelerator?: string): MenuItemConstructorOptions => ({
    id: name,
    label,
    click: () => command(name),
    // Shown here, heard in the window: its command registry knows where the focus is.
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
  })
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  const isMac = process.platform === 'darwin'
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' as const }] : []),
    {
      label: '&File',
      submenu: [
        item('New workspace…', 'workspace.new', 'CmdOrCtrl+N'),
        item('Open workspace…', 'workspace.open', 'CmdOrCtrl+Shift+O'),
        { label: 'Open recent', submenu: recentItems(options) },
        item('Open the sample workspace', 'workspace.openSample'),
        item('Save a copy…', 'workspace.saveCopy', 'CmdOrCtrl+Shift+S'),
        separator,
        item('Import files…', 'import.choose', 'CmdOrCtrl+O'),
        item('Import a folder…', 'import.chooseFolder'),
        separator,
        isMac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    {
      label: '&Edit',
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        separator,
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
        separator,
        item('Find', 'edit.find', 'CmdOrCtrl+F'),
        separator,
        item('Settings', 'go.settings', 'CmdOrCtrl+,'),
      ],
    },
    {
      label: '&View',
      submenu: [
        item('Imports', 'go.imports', 'CmdOrCtrl+1'),
        item('Tasks', 'go.tasks', 'CmdOrCtrl+2'),
        item('Report', 'go.report', 'CmdOrCtrl+4'),
        separator,
        item('Command palette', 'view.palette', 'CmdOrCtrl+K'),
        item('Switch theme', 'view.theme'),
        separator,
        { role: 'zoomIn' },
        // A second key for the layouts on which plus needs Shift.
        { role: 'zoomIn', accelerator: 'CmdOrCtrl+=', visible: false },
        { role: 'zoomOut' },
        { role: 'resetZoom' },
        separator,
        { role: 'togglefullscreen' },
        ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' as const }]),
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        item('Keys', 'help.keys'),
        { label: 'Show the log', click: options.showLog },
        item('About Faultline', 'help.about'),
      ],
    },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

function recentItems(options: MenuOptions): MenuItemConstructorOptions[] {
  const { recentPaths } = options
  if (recentPaths.length === 0) return [{ label: 'None yet', enabled: false }]
  return [
    ...recentPaths.map((path) => ({
      // An ampersand in a name would become a mnemonic.
      label: basename(path).replaceAll('&', '&&'),
      toolTip: path,
      click: () => options.openRecent(path),
    })),
    { type: 'separator' },
    { label: 'Clear this list', click: options.clearRecent },
  ]
}
