// The channel conformance suite over the makers that need no Electron: the in-memory pair, and a forked Node
// process (core/parent.ts on its side, main/hostchannel.ts on ours). utilityProcess: e2e/transport.e2e.ts.

import { fork } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { memoryPair } from '../../src/base/channel.ts'
import { connect, serve } from '../../src/base/rpc.ts'
import { echoHandler } from '../../src/core/echohandler.ts'
import { nodeCoreChild } from '../../src/main/hostchannel.ts'
import { conformance, type Link } from './channel.conformance.ts'

const echo = resolve(import.meta.dirname, '../../src/core/echo.ts')

function memoryLink(): Link {
  const [near, far] = memoryPair()
  serve(far, echoHandler)
  const ended = new Promise<void>((done) => far.onClose(done))
  return { channel: near, crash: () => far.close(), ended }
}

function forkedLink(): Link {
  const child = nodeCoreChild(
    fork(echo, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  )
  const ended = new Promise<void>((done) => child.onExit(() => done()))
  return { channel: child.channel, crash: () => child.kill(), ended }
}

describe.each([
  { maker: 'in-memory pair', make: memoryLink },
  { maker: 'forked Node', make: forkedLink },
])('$maker', ({ make }) => {
  test.each(conformance)('$name', async ({ run }) => {
    const link = make()
    await run(link)
    link.channel.close()
    await link.ended
  })
})

describe('forked Node', () => {
  test('the exit code reaches the host', async () => {
    const child = nodeCoreChild(
      fork(echo, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
    )
    const code = new Promise((done) => child.onExit(done))
    void connect(child.channel).request('1', 'exit', null)
    expect(await code).toBe(7)
  })

  test('a missing entry ends the link instead of hanging', async () => {
    const child = nodeCoreChild(
      fork(`${echo}.missing`, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
    )
    const answer = connect(child.channel).request('1', 'echo', null)
    expect((await answer).ok).toBe(false)
  })
})
