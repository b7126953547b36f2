// What every channel maker must do, as plain cases: no test framework, so that the same cases run in vitest
// (in memory, forked Node) and inside a real Electron main process (utilityProcess, see e2e/transport/).
// The far side of each link serves src/core/echohandler.ts.

import assert from 'node:assert/strict'
import type { Channel } from '../../src/base/channel.ts'
import { connect, type RpcClient, type WireEvent } from '../../src/base/rpc.ts'

/** One fresh link: the near channel, a way to kill the far side, and its end. */
export type Link = {
  readonly channel: Channel
  /** Ends the far side without a goodbye, as a crash does. */
  crash(): void
  /** Resolves when the far side is gone. */
  readonly ended: Promise<void>
}

/** A named case over a fresh link. */
export type ConformanceCase = { readonly name: string; run(link: Link): Promise<void> }

/** Resolves with the first event that `matches`; listens from the moment of the call. */
function nextEvent(client: RpcClient, matches: (event: WireEvent) => boolean): Promise<WireEvent> {
  return new Promise((done) => {
    client.onEvent((event) => {
      if (matches(event)) done(event)
    })
  })
}

/** Starts a call that the far side holds until it is cancelled, and waits until it is held. */
async function hold(
  client: RpcClient,
  id: string,
): Promise<{ readonly answer: ReturnType<RpcClient['request']> }> {
  const held = nextEvent(client, (event) => event.type === 'progress' && event['id'] === id)
  const answer = client.request(id, 'wait', null)
  await held
  return { answer }
}

const code = (answer: Awaited<ReturnType<RpcClient['request']>>): string =>
  answer.ok ? 'ok' : answer.error.code

/** The suite: every maker passes all of it. */
export const conformance: readonly ConformanceCase[] = [
  {
    name: 'echo: a value comes back as it was sent',
    async run({ channel }) {
      const value = {
        text: 'né\u202e\u0000\ud83d\ude00',
        list: [1, -0.5, null, true],
        nested: { empty: {}, none: [] },
      }
      assert.deepEqual(await connect(channel).request('1', 'echo', value), { ok: true, value })
    },
  },
  {
    name: 'order: answers and events arrive in the order they were made',
    async run({ channel }) {
      const client = connect(channel)
      const answered: number[] = []
      const asked = Array.from({ length: 200 }, (_, index) => index)
      await Promise.all(
        asked.map((index) => client.request(`${index}`, 'echo', index).then(() => answered.push(index))),
      )
      assert.deepEqual(answered, asked)
      const counted: unknown[] = []
      client.onEvent((event) => {
        if (event.type === 'progress') counted.push(event['progress'])
      })
      await client.request('count', 'count', 200)
      assert.deepEqual(counted, asked)
    },
  },
  {
    name: 'big message: 20 million characters there and back',
    async run({ channel }) {
      const text = 'faultline\n'.repeat(2_000_000)
      const answer = await connect(channel).request('1', 'echo', text)
      assert.ok(answer.ok && answer.value === text)
    },
  },
  {
    name: 'error: a fault keeps its code, hint and place; a bug is INTERNAL; an unknown method is a fault',
    async run({ channel }) {
      const client = connect(channel)
      assert.deepEqual(await client.request('1', 'fail', null), {
        ok: false,
        error: { code: 'CONFLICT', message: 'Refused on purpose.', hint: 'Try another.', where: 'echo' },
      })
      assert.equal(code(await client.request('2', 'break', null)), 'INTERNAL')
      assert.equal(code(await client.request('3', 'no such method', null)), 'NOT_FOUND')
      assert.equal(code(await client.request('4', 'echo', null)), 'ok')
    },
  },
  {
    name: 'cancel: ends the named call only',
    async run({ channel }) {
      const client = connect(channel)
      const first = await hold(client, 'first')
      const second = await hold(client, 'second')
      client.cancel('first')
      assert.equal(code(await first.answer), 'CANCELLED')
      assert.equal(code(await client.request('3', 'echo', null)), 'ok')
      client.cancel('unknown id')
      client.cancel('second')
      assert.equal(code(await second.answer), 'CANCELLED')
    },
  },
  {
    name: 'close: pending and later calls answer CORE_GONE, and the far side ends',
    async run({ channel, ended }) {
      const client = connect(channel)
      const held = await hold(client, 'held')
      channel.close()
      assert.equal(code(await held.answer), 'CORE_GONE')
      assert.equal(code(await client.request('late', 'echo', null)), 'CORE_GONE')
      await ended
    },
  },
  {
    name: 'crash: pending calls answer CORE_GONE without a goodbye',
    async run({ channel, crash, ended }) {
      const client = connect(channel)
      const held = await hold(client, 'held')
      crash()
      assert.equal(code(await held.answer), 'CORE_GONE')
      await ended
    },
  },
]
