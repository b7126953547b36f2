// Runs the divergence benchmark: `npm run bench:divergence -- --family lab --from 1 --count 400`. Prints tables and
// writes one JSON report. Families are generated from seeds; nothing is read but this repository's own code.

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CAP, CONFIG, ETA, PRIOR } from '../../../src/analysis/divergence/constants.ts'
import { VERSION } from '../../../src/analysis/divergence/analyse.ts'
import { FAMILIES } from './cases.ts'
import type { Family } from './cases.ts'
import { tauBench } from '../../../src/core/importers/tau-bench.ts'
import { familySuite, line } from './families.ts'
import { readTrials } from './read.ts'
import { speedSuite } from './speed.ts'
import { tauFigures } from './tau.ts'
import { benignSuite, gridSuite, metamorphicSuite, nullSuite, renamingSuite } from './suites.ts'

const { values } = parseArgs({
  options: {
    family: { type: 'string', default: 'lab' },
    suite: { type: 'string', default: 'family' },
    from: { type: 'string', default: '1' },
    count: { type: 'string', default: '400' },
    pooled: { type: 'boolean', default: false },
    baselines: { type: 'boolean', default: false },
    data: { type: 'string' },
    out: { type: 'string', default: 'bench-divergence.json' },
    help: { type: 'boolean', default: false },
  },
})

const HELP = `Usage: npm run bench:divergence -- [options]
  --suite family|grid|null|benign|renaming|metamorphic|speed|tau   (default family)
  --family lab|abstract|foreign|api|docs|gui              (default lab)
  --from SEED --count CASES                              (default 1, 400)
  --pooled      pool noise rates over all cases (suite family)
  --baselines   also rank with every baseline (suite family)
  --data FILES  tau-bench rows, several files apart by commas (suite tau; default: airline, beside the repository)
  --out FILE    the JSON report (default bench-divergence.json)`

function whole(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) {
    throw new Error(`--${name} must be a whole number, got “${text}”`)
  }
  return value
}

function gitHash(): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}

/** Real trials, when the data folder lies beside the repository. */
async function tauSuite(): Promise<unknown> {
  const paths = values.data?.split(',') ?? [
    resolve(import.meta.dirname, '../../../../shared/data/tau-bench/gpt-4o-airline.json'),
  ]
  // Several files are trials of the same tasks.
  const trials = (await Promise.all(paths.map((path) => readTrials(path, tauBench)))).flat()
  const name = paths.map((path) => basename(path, '.json')).join(' + ')
  const report = { single: tauFigures(trials, false), pooled: tauFigures(trials, true) }
  for (const [rates, figures] of Object.entries(report)) {
    line(
      `τ-bench ${name}, ${rates === 'pooled' ? 'pooled noise rates' : 'each task alone'}: top-1 ${figures.top1}, top-3 ${figures.top3} of ${figures.failing} failing (${figures.labelled} labelled: ${figures.unexpected} unexpected writes, ${figures.missing} missing); last write, else end: ${figures.lastWrite}`,
    )
  }
  return report
}

async function run(): Promise<void> {
  const from = whole('from', values.from)
  const count = whole('count', values.count)
  const family = values.family
  if (!isFamily(family)) throw new Error(`unknown family “${family}”: ${FAMILIES.join(', ')}`)
  const started = performance.now()
  const result = await suite(family, from, count)
  const report = {
    version: VERSION,
    commit: gitHash(),
    suite: values.suite,
    family,
    from,
    count,
    pooled: values.pooled,
    durationMs: Math.round(performance.now() - started),
    constants: { CONFIG, PRIOR, CAP, ETA },
    result,
  }
  writeFileSync(values.out, `${JSON.stringify(report, null, 1)}\n`)
  process.stdout.write(`\n${report.durationMs} ms; report: ${values.out}\n`)
}

function isFamily(name: string): name is Family {
  return (FAMILIES as readonly string[]).includes(name)
}

function suite(family: Family, from: number, count: number): unknown {
  switch (values.suite) {
    case 'family':
      return familySuite({ family, from, count, isPooled: values.pooled, withBaselines: values.baselines })
    case 'grid':
      return gridSuite(from, count)
    case 'tau':
      return tauSuite()
    case 'speed':
      return speedSuite()
    case 'null':
      return nullSuite(from, count)
    case 'benign':
      return benignSuite(from, count)
    case 'renaming':
      return renamingSuite(from, count)
    case 'metamorphic':
      return metamorphicSuite(family, from, count)
    default:
      throw new Error(`unknown suite “${values.suite}”\n${HELP}`)
  }
}

if (values.help) process.stdout.write(`${HELP}\n`)
else await run()
