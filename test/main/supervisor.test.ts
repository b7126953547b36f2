// Supervision over real processes: the echo entry forked in Node stands where the core stands in the app.

import { fork } from 'node:child_process'
import { resolve } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { WireEvent } from '../../src/base/rpc.ts'
import type { CoreState } from '../../src/contract/events.ts'
import { nodeCoreChild, type CoreChild } from '../../src/main/hostchannel.ts'
import { supervise, type Supervisor } from '../../src/main/supervisor.ts'

const echo = resolve(import.meta.dirname, '../../src/core/echo.ts')
const failing = resolve(import.meta.dirname, 'failing.ts')
const open: Supervisor[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((supervisor) => supervisor.shutdown()))
})

type Watched = {
  readonly core: Supervisor
  readonly states: string[]
  readonly events: WireEvent[]
  readonly forks: (string | null)[]
  readonly children: CoreChild[]
}

/** A supervised echo core that records everything that happens to it. */
function watch(options: { entry?: string; drainMs?: number; restartWindowMs?: number } = {}): Watched {
  const states: string[] = []
  const events: WireEvent[] = []
  const forks: (string | null)[] = []
  const children: CoreChild[] = []
  const core = supervise(
    {
      fork: (path) => {
        forks.push(path)
        const child = nodeCoreChild(
          fork(options.entry ?? echo, {
            serialization: 'advanced',
            stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
          }),
        )
        children.push(child)
        return child
      },
      onState: (state: CoreState) => states.push(state.state),
      onEvent: (event) => events.push(event),
      logPath: '/log',
      drainMs: options.drainMs ?? 3000,
      restartWindowMs: options.restartWindowMs ?? 60_000,
    },
    '/a.fault',
  )
  open.push(core)
  return { core, states, events, forks, children }
}

const isState = (watched: Watched, state: CoreState['state']) =>
  vi.waitFor(() => expect(watched.core.state().state).toBe(state), { timeout: 10_000, interval: 10 })

describe('supervise', () => {
  test('starts, becomes ready, answers, and holds what was asked before', async () => {
    const watched = watch()
    expect(watched.core.state()).toEqual({ state: 'starting' })
    expect(await watched.core.request('early', 'echo', 1)).toEqual({ ok: true, value: 1 })
    expect(watched.states).toEqual(['ready'])
    expect(watched.events[0]).toMatchObject({ type: 'ready' })
  })

  test('what is cancelled while the core starts never reaches it', async () => {
    const watched = watch()
    const cancelled = watched.core.request('unwanted', 'exit', null)
    const wanted = watched.core.request('wanted', 'echo', 1)
    watched.core.cancel('unwanted')
    expect(await cancelled).toMatchObject({ ok: false, error: { code: 'CANCELLED' } })
    expect(await wanted).toEqual({ ok: true, value: 1 })
    // Had it come through, the core would have gone down with it.
    expect(await watched.core.request('later', 'echo', 2)).toEqual({ ok: true, value: 2 })
    expect(watched.states).toEqual(['ready'])
  })

  test('a crash answers CORE_GONE, is told, and the next core answers', async () => {
    const watched = watch()
    await isState(watched, 'ready')
    const pid = watched.core.pid()
    expect(await watched.core.request('1', 'exit', null)).toMatchObject({ error: { code: 'CORE_GONE' } })
    expect(await watched.core.request('2', 'echo', 'again')).toEqual({ ok: true, value: 'again' })
    expect(watched.states).toEqual(['ready', 'gone', 'restarting', 'ready'])
    expect(watched.core.pid()).not.toBe(pid)
    expect(watched.forks).toEqual(['/a.fault', '/a.fault'])
  })

  test('SIGKILL is noticed as well', async () => {
    const watched = watch()
    await isState(watched, 'ready')
    process.kill(watched.core.pid() ?? 0, 'SIGKILL')
    await vi.waitFor(() => expect(watched.states).toEqual(['ready', 'gone', 'restarting', 'ready']), 10_000)
  })

  test('gives up after three restarts within the time, says why, and can be restarted by hand', async () => {
    const watched = watch()
    for (let crash = 0; crash < 4; crash += 1) {
      await isState(watched, 'ready')
      await watched.core.request(`${crash}`, 'exit', null)
      // The answer comes from the closed channel; the exit is told in the same turn or just after.
      await vi.waitFor(() =>
        expect(watched.states.filter((state) => state === 'gone')).toHaveLength(crash + 1),
      )
    }
    expect(watched.core.state()).toMatchObject({
      state: 'failed',
      fault: { code: 'CORE_GONE' },
      logPath: '/log',
    })
    expect(watched.forks).toHaveLength(4)
    expect(await watched.core.request('late', 'echo', 1)).toMatchObject({ error: { code: 'CORE_GONE' } })
    watched.core.restart('/b.fault')
    expect(await watched.core.request('after', 'echo', 1)).toEqual({ ok: true, value: 1 })
    expect(watched.forks.at(-1)).toBe('/b.fault')
  })

  test('old crashes do not count: the window of time moves on', async () => {
    const watched = watch({ restartWindowMs: 1 })
    for (let crash = 0; crash < 5; crash += 1) {
      await watched.core.request(`${crash}`, 'exit', null)
      await vi.waitFor(() =>
        expect(watched.states.filter((state) => state === 'gone')).toHaveLength(crash + 1),
      )
    }
    await isState(watched, 'ready')
  })

  test('a core that says why it failed is not started again', async () => {
    const watched = watch({ entry: failing })
    await isState(watched, 'failed')
    expect(watched.core.state()).toMatchObject({
      fault: { code: 'DB_NEWER', message: 'Written by version 9.' },
    })
    await vi.waitFor(() => expect(watched.core.pid()).toBeUndefined(), 10_000)
    expect(watched.forks).toHaveLength(1)
    expect(await watched.core.request('1', 'echo', 1)).toMatchObject({
      ok: false,
      error: { code: 'DB_NEWER' },
    })
  })

  test('shutdown waits for calls in flight, refuses new ones, and ends the process', async () => {
    const watched = watch({ drainMs: 5000 })
    await isState(watched, 'ready')
    const held = watched.core.request('held', 'wait', null)
    const ended = new Promise((done) => watched.children[0]?.onExit(done))
    const down = watched.core.shutdown()
    expect(await watched.core.request('late', 'echo', 1)).toMatchObject({ error: { code: 'CORE_GONE' } })
    watched.core.cancel('held')
    expect(await held).toMatchObject({ error: { code: 'CANCELLED' } })
    await down
    expect(await ended).toBe(0)
    expect(watched.states).toEqual(['ready'])
  })

  test('shutdown does not wait for ever', async () => {
    const watched = watch({ drainMs: 50 })
    await isState(watched, 'ready')
    const held = watched.core.request('held', 'wait', null)
    await watched.core.shutdown()
    expect(await held).toMatchObject({ error: { code: 'CORE_GONE' } })
  })
})
