// useJob when things happen in an awkward order: a second start before the first has answered, a screen that is left, a
// cancel before the core has heard of the job. The test stands where main does and answers when it wants to.

import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { BridgeAnswer, FaultlineBridge } from '../../../src/contract/desktop.ts'
import type { WindowEvent } from '../../../src/contract/events.ts'
import { toFaultData } from '../../../src/base/fault.ts'
import { useJob } from '../../../src/renderer/bridge/queries.ts'

type Asked = {
  readonly id: string
  readonly input: unknown
  answer(value: unknown): Promise<void>
  refuse(code: 'CANCELLED' | 'FILE_UNREADABLE'): Promise<void>
  report(done: number): Promise<void>
}

const listeners = new Set<(event: WindowEvent) => void>()
let asked: Asked[] = []
let cancelled: string[] = []

beforeEach(() => {
  asked = []
  cancelled = []
  const bridge: Partial<FaultlineBridge> = {
    request: (id, _method, input) =>
      new Promise<BridgeAnswer<never>>((resolve) => {
        asked.push({
          id,
          input,
          answer: (value) => act(async () => resolve({ ok: true, value: value as never })),
          refuse: (code) => act(async () => resolve({ ok: false, error: { code, message: code } })),
          report: (done) =>
            act(async () => {
              for (const hear of listeners) hear({ type: 'progress', id, progress: { done, total: 9 } })
            }),
        })
      }),
    cancel: (id) => void cancelled.push(id),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  Object.defineProperty(window, 'faultline', { configurable: true, value: bridge })
})

/** Starts a job of the hook and keeps how it ended. */
function begin(job: { current: ReturnType<typeof useJob<'rules.learned'>> }, suite: string) {
  const ended: { value?: unknown; code?: string } = {}
  act(() => {
    job.current.start({ suite }).then(
      (value) => (ended.value = value),
      (error: unknown) => (ended.code = toFaultData(error).code),
    )
  })
  return ended
}

const at = (place: number): Asked => {
  const one = asked[place]
  if (one === undefined) throw new Error(`Only ${asked.length} were asked`)
  return one
}

test('a second start takes the place of the first, whatever the first still says', async () => {
  const { result } = renderHook(() => useJob('rules.learned'))
  const first = begin(result, 'a')
  await at(0).report(1)
  const second = begin(result, 'b')
  expect(cancelled).toEqual([at(0).id])
  await at(1).report(5)
  await at(0).report(2)
  expect(result.current.progress).toEqual({ done: 5, total: 9 })
  await at(0).refuse('CANCELLED')
  expect(result.current).toMatchObject({ isRunning: true, fault: null, progress: { done: 5 } })
  expect(first.code).toBe('CANCELLED')
  await at(1).answer('tools of b')
  expect(result.current).toMatchObject({ isRunning: false, fault: null })
  expect(second.value).toBe('tools of b')
})

test('an answer that comes after a later start is not given, in whichever order both come', async () => {
  const { result } = renderHook(() => useJob('rules.learned'))
  const first = begin(result, 'a')
  const second = begin(result, 'b')
  await at(1).answer('tools of b')
  await at(0).answer('tools of a, too late to be stopped')
  expect([first, second]).toEqual([{ code: 'CANCELLED' }, { value: 'tools of b' }])
  expect(result.current).toMatchObject({ isRunning: false, fault: null })
})

test('cancel stops the job that runs, at once and once; a cancel is no fault', async () => {
  const { result } = renderHook(() => useJob('rules.learned'))
  act(() => result.current.cancel())
  const job = begin(result, 'a')
  act(() => result.current.cancel())
  act(() => result.current.cancel())
  expect(cancelled).toEqual([at(0).id])
  await at(0).refuse('CANCELLED')
  expect(result.current).toMatchObject({ isRunning: false, fault: null, progress: null })
  expect(job.code).toBe('CANCELLED')
  const again = begin(result, 'a')
  await at(1).refuse('FILE_UNREADABLE')
  expect(result.current.fault?.code).toBe('FILE_UNREADABLE')
  expect(again.code).toBe('FILE_UNREADABLE')
})

test('a screen that is left cancels what only reads; what writes goes on and is answered', async () => {
  const reading = renderHook(() => useJob('rules.learned'))
  const read = begin(reading.result, 'a')
  reading.unmount()
  expect(cancelled).toEqual([at(0).id])
  await at(0).refuse('CANCELLED')
  expect(read.code).toBe('CANCELLED')
  // Started by what was still on its way: nobody would see the answer.
  expect((begin(reading.result, 'b'), asked.length)).toBe(1)

  const writing = renderHook(() => useJob('rules.apply'))
  let judged: unknown = null
  act(() => void writing.result.current.start({}).then((value) => (judged = value)))
  writing.unmount()
  expect(cancelled).toHaveLength(1)
  await at(1).answer({ judged: 3, waiting: 0, failed: 0 })
  expect(judged).toEqual({ judged: 3, waiting: 0, failed: 0 })
})
