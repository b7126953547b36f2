// The engine's times on one core, in processor time: alignment and divergence (divergence/speed.ts) and resampling. Ratios
// to a floor in the same run where there is one. Growth exponents are printed by the suite and kept in the report.

import { curveIntervals } from '../../src/analysis/reliability/summary.ts'
import { Rng } from '../../src/analysis/reliability/random.ts'
import type { Measured } from './bench.ts'
import { Clock, speedSuite } from './divergence/speed.ts'

const JSON_FLOOR = 'one JSON round trip of the same trials'

/** Every line of the engine's speed, `repeats` runs of each large case. */
export function measureEngine(repeats = 5): readonly Measured[] {
  const { large, manyTasks, growth, long } = speedSuite(repeats)
  const measured: Measured[] = [
    within(
      '1,000 tasks × 10 trials × 50 steps, normal forms at hand',
      manyTasks.analysed,
      2000,
      manyTasks.floor,
      {
        'normalise ms': manyTasks.normalised.toFixed(0),
        'prepare ms': manyTasks.prepared.toFixed(0),
        'permutation ms': manyTasks.permuted.toFixed(0),
      },
    ),
  ]
  for (const [noise, parts] of Object.entries(large)) {
    const first = parts.arrange + parts.align + parts.columns + parts.first
    measured.push(
      within(`200 trials × 400 steps, ${noise}: columns and one failing trial`, first, 100, parts.floor, {
        columns: parts.columnCount,
      }),
      within(`200 trials × 400 steps, ${noise}: all failing trials`, first + parts.all, 400, parts.floor, {
        'permutation ms': parts.permutation.toFixed(0),
      }),
    )
  }
  const calm = large['moderate noise'] ?? Object.values(large)[0]
  if (calm !== undefined) {
    // A step is a call with its result: two records of the trial.
    const calls = calm.steps / 2
    const both = calm.normalise + calm.prepare
    measured.push(
      within('normalisation of 200 × 400 steps, tokens included', both, (12 * calls) / 1000, calm.floor, {
        'µs a step': ((1000 * both) / calls).toFixed(1),
        'limit µs a step': 12,
        'of which kept normal forms save': ((1000 * calm.normalise) / calls).toFixed(1),
      }),
    )
  }
  measured.push(
    within('2 trials × 2,000 steps', long.aligned + long.finished, 500, long.floor, {
      'MB more at the peak': long.memoryMb.toFixed(0),
      'limit MB': 100,
      'memory holds': long.memoryMb < 100 ? 'yes' : 'NO',
    }),
    resampling(repeats),
    exponent('growth with tasks (exponent × 1,000)', growth.tasks, 1.15, 'linear'),
    exponent('growth with steps per trial (exponent × 1,000)', growth.steps, 2, 'below quadratic'),
    exponent('growth with trials of a task (exponent × 1,000)', growth.trials, 2, 'below quadratic'),
  )
  return measured
}

/** The task bootstrap of ten values of k over 1,000 tasks of 10 trials; floor: the same draws, nothing done with them. */
function resampling(repeats: number): Measured {
  const rng = new Rng(1, 'bench')
  const tasks = Array.from({ length: 1000 }, (_, i) => ({ taskId: `t${i}`, n: 10, c: rng.below(11) }))
  const ks = Array.from({ length: 10 }, (_, i) => i + 1)
  const times: number[] = []
  const floors: number[] = []
  for (let run = 0; run <= repeats; run++) {
    const clock = new Clock()
    curveIntervals(tasks, ks, 'pass-hat')
    times.push(clock.lap())
    const draw = new Int32Array(1000)
    const drawn = new Rng(1, 'floor')
    for (let b = 0; b < 10_000; b++) drawn.fillBelow(draw, 1000)
    floors.push(clock.lap())
  }
  // The first run is the compiler's.
  const middle = (list: readonly number[]): number =>
    list.slice(1).sort((a, b) => a - b)[Math.floor(repeats / 2)] ?? Number.NaN
  return within(
    '10,000 resamples × 1,000 tasks × 10 values of k',
    middle(times),
    150,
    middle(floors),
    {},
    'the same draws, nothing done with them',
  )
}

function within(
  name: string,
  value: number,
  limit: number,
  floor: number,
  details: Measured['details'],
  floorName = JSON_FLOOR,
): Measured {
  return {
    name,
    value,
    unit: 'ms',
    floor,
    floorName,
    ratio: value / floor,
    limit: `≤ ${limit.toFixed(0)} ms of processor time`,
    holds: value <= limit,
    details,
  }
}

/** An exponent in the form of the other figures: thousandths, so that it survives rounding to one decimal. */
function exponent(name: string, value: number, limit: number, words: string): Measured {
  return {
    name,
    value: value * 1000,
    unit: 'thousandths',
    floor: null,
    floorName: null,
    ratio: null,
    limit: `${words}: below ${limit}`,
    holds: value < limit,
    details: { exponent: value.toFixed(2) },
  }
}
