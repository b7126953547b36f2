// A core without SQLite: answers a handful of methods over the parent channel. The channel conformance suite
// forks it through every transport, also on an Electron that cannot load the real core's native module.
// Never part of what a person sees; holds no data.

import { serve } from '../base/rpc.ts'
import { echoHandler } from './echohandler.ts'
import { parentChannel } from './parent.ts'

const channel = parentChannel()
if (channel === null) {
  process.stderr.write('The echo entry is started by a parent process, not by hand.\n')
  process.exit(2)
}

const server = serve(channel, (method, input, context) => {
  // As sudden as a crash: the host must notice without being told.
  if (method === 'exit') process.exit(7)
  return echoHandler(method, input, context)
})
// Ends by itself when the host has said goodbye or is gone.
channel.onClose(() => process.exit(0))
server.emit({ type: 'ready', version: 'echo', schemaVersion: 0, path: '' })
