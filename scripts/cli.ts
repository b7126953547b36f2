// `npm run cli -- …`: runs the command line program from out/, after building it when a source has changed.
// Passes everything through (arguments, streams, exit code); knows no command.

import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { buildWhenStale } from './build.ts'

const entry = join(resolve(import.meta.dirname, '..'), 'out/main/cli.js')

try {
  await buildWhenStale()
  const { status } = spawnSync(process.execPath, [entry, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
