// Many fuzz cases, spread over the fixtures of all formats: a thread runs them one after another, this side watches
// that none of them hangs. A case is known by seed, fixture and number, so that it can be run again by itself.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Fixture } from '../formats.ts'
import { fuzzFixtures } from './subjects.ts'

/** A case that takes longer hangs; the thread is ended and the cases after it go on in another. */
const HANGS_AFTER_MS = 20_000
const WATCH_MS = 250
/** A fixture of this size gets its full share of cases, larger ones fewer: they cost more and find less per case. */
const FULL_SHARE_BYTES = 20_000
const LEAST_SHARE = 0.45
/** Of what costs a tenth of a second per case. */
const HUGE_BYTES = 200_000
const HUGE_SHARE = 0.1

/** A case that went wrong. */
export type Failure = { readonly fixture: string; readonly n: number; readonly wrong: readonly string[] }

/** What to run: cases by fixture name. */
export type Plan = { readonly seed: number; readonly cases: readonly (readonly [name: string, n: number])[] }

/** What the run gave. */
export type FuzzReport = {
  readonly cases: number
  readonly failures: readonly Failure[]
  /** Processor time of the thread, in milliseconds. */
  readonly cpuMs: number
  readonly slowest: { readonly fixture: string; readonly n: number; readonly ms: number } | null
}

/** What the thread says after every case. */
export type CaseDone = {
  readonly at: number
  readonly wrong: readonly string[]
  readonly ms: number
  readonly cpuMs: number
}

const sizeOf = ({ bytes, files }: Fixture): number =>
  bytes.length + Object.values(files).reduce<number>((sum, file) => sum + (file as Buffer).length, 0)

/** `count` cases over all fixtures (or those whose name contains `only`), every one at least two. */
export function planOf(count: number, seed: number, only = ''): Plan {
  const fixtures = fuzzFixtures().filter(({ name }) => name.includes(only))
  const weights = fixtures.map((fixture) => {
    const size = Math.max(1, sizeOf(fixture))
    return size > HUGE_BYTES ? HUGE_SHARE : Math.max(LEAST_SHARE, Math.min(1, FULL_SHARE_BYTES / size))
  })
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const shares = weights.map((weight) => Math.max(2, Math.ceil((count * weight) / whole)))
  const cases = fixtures.flatMap(({ name }, i) =>
    Array.from({ length: shares[i] as number }, (_, n) => [name, n] as const),
  )
  return { seed, cases }
}

/** Runs a plan. `tell` hears of every case. */
export async function runFuzz(plan: Plan, tell: (done: number) => void = () => {}): Promise<FuzzReport> {
  const dir = mkdtempSync(join(tmpdir(), 'faultline-fuzz-'))
  const failures: Failure[] = []
  let cpuMs = 0
  let slowest: FuzzReport['slowest'] = null
  let next = 0
  const take = (done: CaseDone): void => {
    const [fixture, n] = plan.cases[done.at] as readonly [string, number]
    if (done.wrong.length > 0) failures.push({ fixture, n, wrong: done.wrong })
    if (slowest === null || done.ms > slowest.ms) slowest = { fixture, n, ms: done.ms }
    next = done.at + 1
    tell(next)
  }
  try {
    while (next < plan.cases.length) {
      const started = next
      const ended = await inThread(plan, started, dir, take)
      cpuMs += ended.cpuMs
      if (next >= plan.cases.length) break
      const [fixture, n] = plan.cases[next] as readonly [string, number]
      failures.push({ fixture, n, wrong: [ended.why] })
      next += 1
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
  return { cases: plan.cases.length, failures, cpuMs, slowest }
}

/** Runs cases in a thread, until all are done or one of them hangs or ends the thread. */
function inThread(
  plan: Plan,
  from: number,
  dir: string,
  take: (done: CaseDone) => void,
): Promise<{ readonly cpuMs: number; readonly why: string }> {
  return new Promise((resolve) => {
    const thread = new Worker(new URL('worker.ts', import.meta.url), {
      workerData: { plan, from, dir },
      execArgv: ['--no-warnings'],
    })
    let last = performance.now()
    let cpuMs = 0
    let why = 'the thread ended'
    const watch = setInterval(() => {
      if (performance.now() - last < HANGS_AFTER_MS) return
      why = `hangs: no end after ${HANGS_AFTER_MS} ms`
      void thread.terminate()
    }, WATCH_MS)
    thread.on('message', (done: CaseDone) => {
      last = performance.now()
      cpuMs = done.cpuMs
      take(done)
    })
    thread.on('error', (error) => {
      why = `ended the thread: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
    })
    thread.on('exit', () => {
      clearInterval(watch)
      resolve({ cpuMs, why })
    })
  })
}
