// The core as a process: the only file that knows it is one. Forked by main (Electron's parent port or
// process.send) it serves a workspace; found in a worker thread it imports, copies or searches; started by hand it says so.
//
// For whoever forks it: arguments `--workspace=FILE` (made when absent) `--data=FOLDER` (default.fault, sample.fault)
// `--resources=FOLDER` (taxonomy.json, sample/) and, optionally, `--app-version=X.Y.Z`. The first message is the event
// `ready{version, schemaVersion, path}`, or `failed{fault, path}` after which the process ends with code 1. It ends
// with code 0 when its channel is closed (see parent.ts) or on SIGTERM, after what is being written is finished
// (three seconds at most).

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMainThread, workerData } from 'node:worker_threads'
import { toFaultData } from '../base/fault.ts'
import { serve } from '../base/rpc.ts'
import type { Handler } from '../base/rpc.ts'
import type { Core } from './core.ts'
import { parentChannel } from './parent.ts'
import type { ThreadOrder } from './thread.ts'

/** Time for the last message to leave before the process ends. */
const LAST_WORDS_MS = 200

if (isMainThread) serveParent()
else await work(workerData as ThreadOrder)

/** Each thread loads only what its role needs: importing needs no database. */
async function work(order: ThreadOrder): Promise<void> {
  if (order.kind === 'import') await (await import('./importworker.ts')).runImportOrder(order)
  else if (order.kind === 'outcomes') await (await import('./outcomeworker.ts')).runOutcomeOrder(order)
  else if (order.kind === 'erase') await (await import('./eraseworker.ts')).runEraseThread(order)
  else if (order.kind === 'copy') await (await import('./copyworker.ts')).runCopyThread(order)
  else if (order.kind === 'restore') await (await import('./restoreworker.ts')).runRestoreThread(order)
  else if (order.kind === 'search') (await import('./searchworker.ts')).runSearchThread(order)
  else (await import('./checkpointworker.ts')).runCheckpointThread(order)
}

function serveParent(): void {
  const channel = parentChannel()
  if (channel === null) {
    process.stderr.write('The core is started by Faultline itself. For the command line: faultline --help\n')
    process.exit(2)
  }
  let core: Core | null = null
  let isEnding = false
  let open: (handler: Handler) => void = () => {}
  // Requests that come before the workspace is open wait for it.
  const opened = new Promise<Handler>((resolve) => {
    open = resolve
  })
  const server = serve(channel, async (method, input, request) => (await opened)(method, input, request))
  const end = async (): Promise<void> => {
    if (isEnding) return
    isEnding = true
    await core?.close()
    process.exit(0)
  }
  channel.onClose(() => void end())
  process.once('SIGTERM', () => void end())
  // Ctrl+C reaches the whole group: the host decides, and closes the channel when it goes.
  process.on('SIGINT', () => {})

  const args = argumentsOf(process.argv.slice(2))
  const start = async (): Promise<void> => {
    // Not imported at the top: a native module that does not load must be told, not die of.
    const { openCore } = await import('./core.ts')
    core = openCore({ ...args, eraseOnClose: true, emit: (event) => server.emit(event) })
    open(core.handler)
    server.emit({ type: 'ready', version: args.appVersion, ...core.info() })
  }
  start().catch((error: unknown) => {
    server.emit({ type: 'failed', fault: toFaultData(error), path: args.path })
    setTimeout(() => process.exit(1), LAST_WORDS_MS)
  })
}

/** What the host said. A missing folder is the working directory's fault, not a crash. */
function argumentsOf(argv: readonly string[]): {
  readonly path: string
  readonly userDataDir: string
  readonly resourcesDir: string
  readonly appVersion: string
} {
  const { values } = parseArgs({
    args: [...argv],
    strict: false,
    options: {
      workspace: { type: 'string' },
      data: { type: 'string' },
      resources: { type: 'string' },
      'app-version': { type: 'string' },
    },
  })
  const text = (value: unknown, otherwise: string): string =>
    typeof value === 'string' && value !== '' ? value : otherwise
  const userDataDir = text(values.data, process.cwd())
  return {
    path: text(values.workspace, join(userDataDir, 'default.fault')),
    userDataDir,
    resourcesDir: text(values.resources, join(process.cwd(), 'resources')),
    appVersion: text(values['app-version'], versionBeside()),
  }
}

/** The version in Faultline's own package.json, two folders above both the source and the built entry. */
function versionBeside(): string {
  try {
    const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')
    const { version } = JSON.parse(text) as { readonly version?: unknown }
    return typeof version === 'string' ? version : 'unknown'
  } catch {
    return 'unknown'
  }
}
