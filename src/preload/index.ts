// The preload: puts window.faultline, four functions, into the page. Runs sandboxed in the window's process but in
// a world of its own. It knows no method and checks nothing: main checks who asks, the core checks what.

import { contextBridge, ipcRenderer, webUtils } from 'electron'
import type { FaultlineBridge } from '../contract/desktop.ts'
import type { WindowEvent } from '../contract/events.ts'

const listeners = new Set<(event: WindowEvent) => void>()
let isListening = false

ipcRenderer.on('faultline:event', (_ipc, event: WindowEvent) => {
  for (const listener of listeners) listener(event)
})

const bridge: FaultlineBridge = {
  request: (id, method, input) => ipcRenderer.invoke('faultline:request', id, method, input),
  cancel: (id) => ipcRenderer.send('faultline:cancel', id),
  subscribe(listener) {
    listeners.add(listener)
    // Events that were made before the page could hear them are sent now.
    if (!isListening) ipcRenderer.send('faultline:listening')
    isListening = true
    return () => void listeners.delete(listener)
  },
  desktop: {
    call: (name, input) => ipcRenderer.invoke('faultline:desktop', name, input),
    drop: (files) =>
      ipcRenderer.invoke(
        'faultline:drop',
        files.map((file) => (file instanceof File ? webUtils.getPathForFile(file) : '')),
      ),
  },
}

contextBridge.exposeInMainWorld('faultline', bridge)
