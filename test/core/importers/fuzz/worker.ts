// The thread that runs fuzz cases one after another; run.ts watches it. Says after every case what was wrong and how
// much processor time it has taken so far.

import { parentPort, workerData } from 'node:worker_threads'
import { Rng } from '../../../../src/analysis/reliability/random.ts'
import { runCase, subjectOf, type Subject } from './check.ts'
import type { CaseDone, Plan } from './run.ts'
import { fuzzFixtures } from './subjects.ts'

const { plan, from, dir } = workerData as { plan: Plan; from: number; dir: string }
const fixtures = new Map(fuzzFixtures().map((fixture) => [fixture.name, fixture]))
const material = [...fixtures.values()].flatMap(({ bytes, files }) => [
  ...(bytes.length > 0 ? [bytes] : []),
  ...Object.values(files).map((file) => file as Buffer),
])

/** What is spliced in: half of the time of the file itself, so that records of one format meet. */
function otherFor({ fixture }: Subject, n: number): Buffer {
  const rng = new Rng(plan.seed, `material ${fixture.name} ${n}`)
  if (rng.below(2) === 0 && fixture.bytes.length > 0) return fixture.bytes
  return material[rng.below(material.length)] as Buffer
}

let subject: Subject | null = null
for (let at = from; at < plan.cases.length; at += 1) {
  const [name, n] = plan.cases[at] as readonly [string, number]
  if (subject?.fixture.name !== name) {
    const fixture = fixtures.get(name)
    if (fixture === undefined) throw new Error(`there is no fixture ${name}`)
    subject = await subjectOf(fixture, dir)
  }
  const other = otherFor(subject, n)
  const started = performance.now()
  const wrong = await runCase(subject, n, plan.seed, other, dir)
  const { user, system } = process.threadCpuUsage()
  const done: CaseDone = {
    at,
    wrong,
    ms: performance.now() - started,
    cpuMs: (user + system) / 1000,
  }
  parentPort?.postMessage(done)
}
