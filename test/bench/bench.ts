// `npm run bench`: figures as ratios to a floor that is measured in the same run, so that a slow machine or a
// busy one moves both. Prints them and writes out/bench.json. Gates nothing. `--no-window` leaves Electron out;
// `--engine` measures only the engine (alignment, divergence, resampling), `--scale` imports of gigabytes instead of
// everything else (`--scale=0.1`: a tenth of them).

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { measureEngine } from './engine.ts'
import { measureImport } from './import.ts'
import { measureLaunch } from './launch.ts'
import { measureRules } from './rules.ts'
import { measureScale } from './scale.ts'
import { measureTable } from './table.ts'

/** One measured thing. `ratio` is to the floor; `limit` is what is wished for, when something is. */
export type Measured = {
  readonly name: string
  readonly value: number
  readonly unit: 'ms' | 'thousandths'
  readonly floor: number | null
  readonly floorName: string | null
  readonly ratio: number | null
  readonly limit: string | null
  readonly holds: boolean | null
  readonly details: Readonly<Record<string, number | string>>
}

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'faultline-bench-'))
const measured: Measured[] = []

function report(all: readonly Measured[]): void {
  for (const each of all) {
    measured.push(each)
    const floor =
      each.floor === null
        ? ''
        : `, floor ${each.floor.toFixed(1)} ms (${each.floorName}), ratio ${each.ratio?.toFixed(2)}`
    const limit = each.limit === null ? '' : `; wished ${each.limit}: ${each.holds === true ? 'yes' : 'NO'}`
    process.stdout.write(`${each.name}: ${each.value.toFixed(1)} ${each.unit}${floor}${limit}\n`)
    process.stdout.write(
      `    ${Object.entries(each.details)
        .map(([k, v]) => `${k} ${v}`)
        .join(', ')}\n`,
    )
  }
}

try {
  const isEngine = process.argv.includes('--engine')
  const scale = process.argv.find((argument) => /^--scale(=|$)/.test(argument))
  if (scale !== undefined) {
    report(await measureScale(folder, Number(scale.split('=')[1] ?? 1)))
  } else if (isEngine) {
    report(measureEngine())
  } else {
    report(measureEngine(3))
    report(await measureTable(folder))
    report(await measureRules(folder))
    report(await measureImport(folder))
  }
  if (scale === undefined && !isEngine && !process.argv.includes('--no-window')) {
    try {
      report(await measureLaunch(folder))
    } catch (error) {
      // The other figures are kept; a launch that cannot be measured is a failure, not a figure.
      process.stderr.write(`Launch could not be measured: ${String(error)}\n`)
      process.exitCode = 1
    }
  }
  const machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    node: process.versions.node,
  }
  mkdirSync(join(root, 'out'), { recursive: true })
  writeFileSync(join(root, 'out/bench.json'), `${JSON.stringify({ machine, measured }, null, 2)}\n`)
  process.stdout.write('Written: out/bench.json\n')
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
