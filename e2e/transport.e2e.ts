// Drives the shipped transport: the channel conformance suite over Electron's utilityProcess, with the echo entry
// in place of the core, so that it also runs on an Electron that cannot load the core's native module.

import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { build } from 'vite'
import { conformance } from '../test/base/channel.conformance.ts'
import { root, machineArgs } from './fixtures.ts'

const out = join(root, 'out/e2e')

type Outcome = {
  readonly electron: string
  readonly results: readonly { name: string; failure: string | null }[]
}

/** Bundles e2e/transport/main.ts: Electron runs no TypeScript. */
async function buildRunner(): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(root, 'e2e/transport/main.ts'),
      outDir: out,
      target: 'node20',
      rollupOptions: { external: ['electron'], output: { format: 'es', entryFileNames: 'main.js' } },
    },
    ssr: { noExternal: true },
  })
  mkdirSync(out, { recursive: true })
  writeFileSync(
    join(out, 'package.json'),
    '{"name":"transport","version":"0.0.0","type":"module","main":"main.js"}\n',
  )
}

/** Runs the bundled app to its end and answers everything that it printed. */
async function runApp(): Promise<string> {
  const userData = await mkdtemp(join(tmpdir(), 'faultline-transport-'))
  const child = spawn(
    process.env['ELECTRON_EXEC_PATH'] ?? '',
    [out, `--user-data-dir=${userData}`, ...machineArgs],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (text += part.toString()))
  const timer = setTimeout(() => child.kill('SIGKILL'), 80_000)
  await new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', done)
  })
  clearTimeout(timer)
  await rm(userData, { recursive: true, force: true, maxRetries: 5 })
  return text
}

test.describe('utilityProcess channel', () => {
  let outcome: Outcome | undefined

  test.beforeAll(async () => {
    await buildRunner()
    const text = await runApp()
    const line = /^conformance (.*)$/m.exec(text)?.[1]
    expect(line, `the runner printed no result:\n${text.slice(-2000)}`).toBeDefined()
    outcome = JSON.parse(line ?? '') as Outcome
  })

  for (const { name } of conformance) {
    test(name, () => {
      const found = outcome?.results.find((result) => result.name === name)
      expect(found).toEqual({ name, failure: null })
    })
  }
})
