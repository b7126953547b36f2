// The page in the window as something that can end: a renderer that crashed is loaded again at the same place, and a
// page that holds unsaved words is not closed without asking. Reads nothing of what the page shows.

import { dialog, type BrowserWindow } from 'electron'

const maxReloads = 3
const reloadWindowMs = 60_000

/** Watches over the page of a window; call once for each window. */
export function keepPage(window: BrowserWindow): void {
  const { webContents } = window
  let reloads: number[] = []
  webContents.on('render-process-gone', (_event, { reason }) => {
    // Ended in order: the window is being closed.
    if (reason === 'clean-exit' || window.isDestroyed()) return
    const now = Date.now()
    reloads = reloads.filter((at) => now - at < reloadWindowMs)
    reloads.push(now)
    if (reloads.length <= maxReloads) webContents.reload()
    else void askToReload(window)
  })
  webContents.on('will-prevent-unload', (event) => {
    const choice = dialog.showMessageBoxSync(window, {
      type: 'warning',
      message: 'An annotation is not saved.',
      detail:
        'It could not be written to the workspace. When the window closes, what you wrote is lost: stay, then save it or copy it.',
      buttons: ['Stay', 'Close and lose it'],
      defaultId: 0,
      cancelId: 0,
    })
    if (choice === 1) event.preventDefault()
  })
}

/** A page that crashes again and again is not loaded again unasked: it might never let go of the machine. */
async function askToReload(window: BrowserWindow): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: 'The window stopped several times within a minute.',
    detail: 'What was saved is kept.',
    buttons: ['Load it again', 'Close'],
    defaultId: 0,
    cancelId: 1,
  })
  if (window.isDestroyed()) return
  if (response === 0) window.webContents.reload()
  else window.close()
}
