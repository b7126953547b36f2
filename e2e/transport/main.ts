// A small Electron app of its own: runs the channel conformance suite over utilityProcess, the transport of the
// shipped app, on whatever Electron is at hand. Built by transport.e2e.ts to out/e2e; prints one JSON line.

import { join } from 'node:path'
import { app, utilityProcess } from 'electron'
import { utilityCoreChild } from '../../src/main/hostchannel.ts'
import { conformance, type Link } from '../../test/base/channel.conformance.ts'

const caseTimeoutMs = 20_000
const echo = join(import.meta.dirname, '../main/echo.js')

function utilityLink(): Link {
  const child = utilityCoreChild(utilityProcess.fork(echo, [], { stdio: 'ignore' }))
  const ended = new Promise<void>((done) => child.onExit(() => done()))
  return { channel: child.channel, crash: () => child.kill(), ended }
}

/** Runs one case over a fresh link; what went wrong, or null. */
async function runCase(run: (link: Link) => Promise<void>): Promise<string | null> {
  const link = utilityLink()
  const late = new Promise<never>((_done, fail) => {
    setTimeout(() => fail(new Error(`No end after ${caseTimeoutMs} ms.`)), caseTimeoutMs)
  })
  const whole = async (): Promise<void> => {
    await run(link)
    link.channel.close()
    await link.ended
  }
  try {
    await Promise.race([whole(), late])
    return null
  } catch (error) {
    link.crash()
    return error instanceof Error ? error.message : String(error)
  }
}

app.disableHardwareAcceleration()
void app.whenReady().then(async () => {
  const results: { name: string; failure: string | null }[] = []
  for (const { name, run } of conformance) results.push({ name, failure: await runCase(run) })
  process.stdout.write(`\nconformance ${JSON.stringify({ electron: process.versions.electron, results })}\n`)
  app.exit(0)
})
