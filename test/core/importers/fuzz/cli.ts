// `npm run fuzz -- [--count N] [--seed S] [--only NAME]`: mutated fixtures of every format through the importers. The
// unit tests run some thousands of cases of one seed; this runs as many as asked for. Ends with 1 when one went wrong.

import { parseArgs } from 'node:util'
import { planOf, runFuzz, type Failure } from './run.ts'

const SHOWN = 40

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    case: { type: 'string' },
  },
})
const count = Number(values.count)
const seed = Number(values.seed)
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed) || seed < 0) {
  process.stderr.write(
    'fuzz [--count N] [--seed S] [--only PART-OF-A-FIXTURE-NAME [--case N]]: N from 1, S from 0\n',
  )
  process.exit(2)
}
const whole = planOf(count, seed, values.only)
const plan =
  values.case === undefined
    ? whole
    : {
        seed,
        cases: [...new Set(whole.cases.map(([name]) => name))].map(
          (name) => [name, Number(values.case)] as const,
        ),
      }

const STEP = 1000
const started = performance.now()
const report = await runFuzz(plan, (done) => {
  if (done % STEP === 0) process.stderr.write(`${done} of ${plan.cases.length} cases\n`)
})
const seconds = (performance.now() - started) / 1000

/** Failures of one kind together: digits and quoted text differ from case to case. */
function kindOf(failure: Failure): string {
  return (failure.wrong[0] ?? '')
    .replace(/\d+/g, '#')
    .replace(/"[^"]*"|\{.*$/gs, '…')
    .slice(0, 90)
}
const kinds = new Map<string, Failure[]>()
for (const failure of report.failures) {
  const kind = `${failure.fixture}: ${kindOf(failure)}`
  kinds.set(kind, [...(kinds.get(kind) ?? []), failure])
}
for (const [kind, failures] of [...kinds].slice(0, SHOWN)) {
  const first = failures[0] as Failure
  process.stdout.write(`${failures.length} × ${kind}\n  case ${first.n}: ${first.wrong.join('\n  ')}\n`)
}
process.stdout.write(
  `${report.cases} cases, seed ${seed}: ${report.failures.length} went wrong; ${seconds.toFixed(1)} s (${(report.cpuMs / 1000).toFixed(1)} s of processor time), slowest ${report.slowest?.fixture} ${report.slowest?.n} with ${Math.round(report.slowest?.ms ?? 0)} ms\n`,
)
process.exitCode = report.failures.length === 0 ? 0 : 1
