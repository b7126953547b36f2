// What the reliability tests share: comparing figures to a stated precision, and the published counts.

import { expect } from 'vitest'
import type { Estimated, Interval } from '../../../src/analysis/reliability/estimate.ts'
import type { TaskCounts } from '../../../src/analysis/reliability/aggregate.ts'

/** Expects two numbers to agree within `tolerance` (absolute). */
export function near(actual: number, expected: number, tolerance = 1e-9): void {
  expect(Math.abs(actual - expected), `${actual} is not ${expected} ± ${tolerance}`).toBeLessThanOrEqual(
    tolerance,
  )
}

/** The value of an estimate that must be there. */
export function valueOf<T>(estimate: Estimated<T>): T {
  if (!estimate.ok) throw new Error(`Not estimable: ${estimate.reason}`)
  return estimate.value
}

/** Expects an interval that must be there to have these limits. */
export function limits(interval: Estimated<Interval>, lower: number, upper: number, tolerance = 1e-9): void {
  const found = valueOf(interval)
  near(found.lower, lower, tolerance)
  near(found.upper, upper, tolerance)
}

/** Counts `c` of `n` as tasks named t0, t1, … */
export function tasksOf(counts: readonly number[], n: number): TaskCounts[] {
  return counts.map((c, i) => ({ taskId: `t${i}`, n, c }))
}

/** Passes of 10 trials on 20 tasks: failures spread over all tasks, and confined to half of them. */
export const UNIFORM = [6, 10, 7, 8, 7, 10, 6, 9, 8, 5, 8, 9, 6, 8, 6, 9, 7, 7, 10, 7]
export const SPLIT = [10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 5, 5, 7, 4, 5, 5, 5, 6, 3, 7]

/** Passes of 8 trials on 10 tasks by a careful and an eager agent, and their trials in order (1 = pass). */
export const CAREFUL =
  '11001111|11101011|11110111|11111111|11111111|11111111|01111011|11111111|11111111|11111111'.split('|')
export const EAGER =
  '11111111|00000000|11110111|10111110|11111111|11111111|00000000|11111111|01010011|01001110'.split('|')

/** Trials of the 50 airline tasks of tau-bench (gpt-4o, MIT), by task and trial number (1 = pass). */
export const AIRLINE = (
  '0000|0100|0010|0000|0000|0100|1000|0010|0000|0000|0000|1000|1111|0110|0000|0011|0001|0001|1111|0000|1111|0111|' +
  '0000|0000|1111|0000|1010|0110|0000|1000|0101|1001|0000|0000|1101|1111|1111|0111|1111|1000|1101|0101|1111|1000|' +
  '1010|1001|0110|0100|1111|1111'
).split('|')

/** Pass (true) and fail in the order written. */
export function trialsOf(text: string): boolean[] {
  return [...text].map((mark) => mark === '1')
}

/** Tasks from their written trials. */
export function tasksFrom(texts: readonly string[]): TaskCounts[] {
  return texts.map((text, i) => ({
    taskId: `t${i}`,
    n: text.length,
    c: trialsOf(text).filter(Boolean).length,
  }))
}
