// Forks the core for the app: an Electron utility process, or, in development and tests on an Electron that
// cannot load the core's native module, the Node that FAULTLINE_CORE_NODE names. What keeps it alive is
// supervisor.ts. The core's own output is not trusted with data: only stack frames of it reach the log.

import { fork } from 'node:child_process'
import { isAbsolute, join } from 'node:path'
import { app, utilityProcess } from 'electron'
import { nodeCoreChild, utilityCoreChild, type CoreChild } from './hostchannel.ts'
import type { Log } from './log.ts'

/**
 * Forks `out/main/core.js` on a workspace. The core's arguments: `--workspace=FILE` (made when it does not exist),
 * `--data=FOLDER` (where default.fault and sample.fault live) and `--resources=FOLDER` (taxonomy,
 * sample), `--app-version=X.Y.Z`.
 */
export function forkCore(workspacePath: string | null, log: Log): CoreChild {
  const entry = join(import.meta.dirname, 'core.js')
  const data = app.getPath('userData')
  const args = [
    `--workspace=${workspacePath ?? defaultWorkspace()}`,
    `--data=${data}`,
    `--resources=${resourcesFolder()}`,
    `--app-version=${app.getVersion()}`,
  ]
  const node = process.env['FAULTLINE_CORE_NODE']
  // Never in the shipped app: an environment variable must not choose which program reads the data.
  if (!app.isPackaged && node !== undefined && isAbsolute(node)) {
    const child = fork(entry, args, {
      execPath: node,
      // The flags of Electron's own command line mean nothing to Node.
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    watchOutput(child.stdout, child.stderr, log)
    return nodeCoreChild(child)
  }
  const child = utilityProcess.fork(entry, args, {
    serviceName: 'Faultline core',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  watchOutput(child.stdout, child.stderr, log)
  return utilityCoreChild(child)
}

/** The workspace that a first drop goes into. */
export function defaultWorkspace(): string {
  return join(app.getPath('userData'), 'default.fault')
}

/** Where the taxonomy and the sample lie: beside the program when packaged, in the project otherwise. */
export function resourcesFolder(): string {
  return app.isPackaged ? join(process.resourcesPath, 'resources') : join(app.getAppPath(), 'resources')
}

/** Drains the core's output, so that it never blocks on a full pipe, and logs the stack frames in it. */
function watchOutput(
  stdout: NodeJS.ReadableStream | null,
  stderr: NodeJS.ReadableStream | null,
  log: Log,
): void {
  stdout?.resume()
  stderr?.on('data', (part: Buffer) => {
    // Messages of errors may quote a record ("Unexpected token … is not valid JSON"): only frames are kept.
    const frames = part.toString('utf8').match(/^(\s+at [^{]*|\w*Error\b)/gm)
    if (frames !== null)
      log.warn(
        `core: ${frames
          .slice(0, 12)
          .map((line) => line.trim())
          .join(' ')}`,
      )
  })
}
