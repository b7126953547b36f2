// The figures of real exports, from the file to the JSON on standard output, against figures that were computed
// independently of this program. Needs the public data beside the repository; says so when it is not there.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'csv-parse/sync'
import { data, faultline, folder } from './program.ts'

const airline = join(data, 'tau-bench/gpt-4o-airline.json')
const retail = ['l0', 'l1', 'l2'].map((level) =>
  join(data, `tau-bench-madhav/retail_tool-calling-${level}-4o.json`),
)
const isThere = [airline, ...retail].every((file) => existsSync(file))
if (!isThere) process.stderr.write(`Skipped: the public τ-bench files are not in ${data}\n`)

type Rates = {
  readonly passHat: readonly number[]
  readonly passAt: readonly number[]
  readonly defined: readonly number[]
}
type Figure = { readonly value: number }
type Json = {
  readonly rows: readonly { readonly rate: { readonly n: number; readonly passes: number } }[]
  readonly summary: {
    readonly tasks: number
    readonly trials: number
    readonly configurations: number
    readonly sometimes: number
    readonly pooled: {
      readonly n: number
      readonly passes: number
      readonly rate: Figure
      readonly wilson: readonly number[]
    }
    readonly curve: readonly {
      readonly passHatK: Figure
      readonly passAtK: Figure
      readonly tasksDefined: number
    }[]
  }
}

const rates = (json: Json): Rates => ({
  passHat: json.summary.curve.map((at) => at.passHatK.value),
  passAt: json.summary.curve.map((at) => at.passAtK.value),
  defined: json.summary.curve.map((at) => at.tasksDefined),
})

function expectClose(found: readonly number[], wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length)
  for (const [i, value] of wanted.entries()) expect(Math.abs((found[i] ?? NaN) - value)).toBeLessThan(5e-7)
}

/** How many tasks have each `passes/n`. */
function histogram(json: Json): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { rate } of json.rows) {
    const key = `${rate.passes}/${rate.n}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

describe.skipIf(!isThere)('real exports', () => {
  test('τ-bench airline: 50 tasks, 200 trials', async () => {
    const cwd = folder()
    expect((await faultline(cwd, ['import', airline])).code).toBe(0)
    const json: Json = JSON.parse((await faultline(cwd, ['tasks', '--json'])).out)
    expect(json.summary).toMatchObject({ tasks: 50, trials: 200, sometimes: 26, configurations: 1 })
    expect(json.summary.pooled).toMatchObject({ n: 200, passes: 84 })
    expectClose(rates(json).passHat, [0.42, 0.27333333, 0.22, 0.2])
    expectClose(rates(json).passAt, [0.42, 0.56666667, 0.66, 0.72])
    expectClose(json.summary.pooled.wilson, [0.353736, 0.489279])
    expect(histogram(json)).toEqual({ '0/4': 14, '1/4': 12, '2/4': 10, '3/4': 4, '4/4': 10 })

    const text = (await faultline(cwd, ['tasks'])).out
    expect(text).toContain('84 of 200 trials passed: pooled rate 0.420 (0.354–0.489)')
    expect(text).toMatch(
      /\n1 +0\.420 +0\.420 +50 of 50\n2 +0\.273 +0\.567 .*\n3 +0\.220 +0\.660 .*\n4 +0\.200 +0\.720 /,
    )
    const rows = parse((await faultline(cwd, ['tasks', '--csv'])).out, { columns: true }) as Record<
      string,
      string
    >[]
    const mean = rows.reduce((sum, row) => sum + Number(row['pass_hat_2']), 0) / rows.length
    expectClose([mean], [0.27333333])

    const report = (await faultline(cwd, ['export'])).out
    expect(report).toContain('| 2 | 0.273 | 0.567 | 50 of 50 |  |')
    const again = await faultline(cwd, ['import', airline])
    expect(again.out).toContain('Nothing changed: all 200 trials are already here')
  })

  test('τ-bench retail, three files pooled: both readings of errors', async () => {
    const cwd = folder()
    expect((await faultline(cwd, ['import', ...retail])).code).toBe(0)
    const fail: Json = JSON.parse((await faultline(cwd, ['tasks', '--json'])).out)
    expect(fail.summary).toMatchObject({ tasks: 115, trials: 345, configurations: 3, sometimes: 35 })
    expect(fail.summary.pooled).toMatchObject({ n: 345, passes: 290 })
    expectClose(rates(fail).passHat, [0.84057971, 0.73913043, 0.66086957])
    expectClose(rates(fail).passAt, [0.84057971, 0.94202899, 0.96521739])
    expectClose(fail.summary.pooled.wilson, [0.798232, 0.875426])
    expect(histogram(fail)).toEqual({ '0/3': 4, '1/3': 8, '2/3': 27, '3/3': 76 })

    const exclude: Json = JSON.parse(
      (await faultline(cwd, ['tasks', '--json', '--policy', 'error=exclude'])).out,
    )
    expect(exclude.summary).toMatchObject({ tasks: 115, sometimes: 33 })
    expect(exclude.summary.pooled).toMatchObject({ n: 343, passes: 290 })
    expectClose(rates(exclude).passHat, [0.84637681, 0.75072464, 0.67256637])
    expectClose(rates(exclude).passAt, [0.84637681, 0.94202899, 0.96460177])
    expect(rates(exclude).defined).toEqual([115, 115, 113])
    expectClose(exclude.summary.pooled.wilson, [0.803424, 0.879885])
    expect(histogram(exclude)).toEqual({ '0/3': 4, '1/3': 8, '2/2': 2, '2/3': 25, '3/3': 76 })
    expect((await faultline(cwd, ['tasks'])).out).toContain('3 configurations pooled')
  })
})
