// The application menu. Editing, zoom and windows are Electron's own roles; everything else is a command that the
// window carries out (it asks, shows progress and says what went wrong), so the menu decides nothing.

import { basename } from 'node:path'
import { Menu, app, type MenuItemConstructorOptions } from 'electron'
import {
  EDIT_ITEMS,
  FILE_ITEMS,
  FILE_ITEMS_AFTER_RECENT,
  GO_ITEMS,
  HELP_ITEMS,
  LINE,
  TASK_ITEMS,
  UNDO_ITEMS,
  VIEW_ITEMS,
  type MenuItem,
} from './menuitems.ts'

/** What the menu is made from and what it calls. */
export type MenuOptions = {
  readonly recentPaths: readonly string[]
  /** Sends a command to the window. */
  readonly command: (command: string) => void
  readonly openRecent: (path: string) => void
  readonly clearRecent: () => void
  readonly showLog: () => void
}

/** Sets the application menu; call again when the recent workspaces have changed. */
export function setMenu(options: MenuOptions): void {
  const isMac = process.platform === 'darwin'
  const items = (list: readonly (MenuItem | typeof LINE)[]): MenuItemConstructorOptions[] =>
    list.map((one) => (one === LINE ? separator : itemOf(one, options.command, isMac)))
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' as const }] : []),
    {
      label: '&File',
      submenu: [
        ...items(FILE_ITEMS),
        { label: 'Open recent', submenu: recentItems(options) },
        ...items(FILE_ITEMS_AFTER_RECENT),
        separator,
        isMac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    {
      label: '&Edit',
      submenu: [
        ...items(UNDO_ITEMS),
        separator,
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
        separator,
        ...items(EDIT_ITEMS),
      ],
    },
    { label: '&Go', submenu: items(GO_ITEMS) },
    { label: '&Task', submenu: items(TASK_ITEMS) },
    {
      label: '&View',
      submenu: [
        ...items(VIEW_ITEMS),
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
      submenu: [...items(HELP_ITEMS), separator, { label: 'Show the log', click: options.showLog }],
    },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

const separator: MenuItemConstructorOptions = { type: 'separator' }

function itemOf(
  { title, command, keys }: MenuItem,
  send: (command: string) => void,
  isMac: boolean,
): MenuItemConstructorOptions {
  // A Mac hears every key that a menu shows: a bare letter there would be taken from every text field.
  const isShown = keys !== undefined && (!isMac || /CmdOrCtrl|Alt/.test(keys))
  return {
    id: command,
    label: title,
    click: () => send(command),
    // Shown here, heard in the window: its command registry knows where the focus is.
    ...(isShown ? { accelerator: keys, registerAccelerator: false } : {}),
  }
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
