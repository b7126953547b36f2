// What was compared in one go, told to the log when nothing waits any more: how many tasks, how long it took, and how much
// of it went into normal forms, which are made once for a trial.

import { plural } from '../../base/text.ts'
import type { Context } from '../context.ts'

/** Shorter work is not worth a line. */
const LEAST_MS = 1000

/** Counts comparisons from the first that waits to the last. */
export function comparedLog(log: Context['log']): {
  /** Something waits again. */
  begin(): void
  /** A task was compared; `normalMs`: what its normal forms took. */
  add(normalMs: number): void
  /** Nothing waits any more. */
  end(): void
} {
  let since = 0
  let tasks = 0
  let normalMs = 0
  return {
    begin() {
      since = performance.now()
      tasks = 0
      normalMs = 0
    },
    add(ms) {
      tasks += 1
      normalMs += ms
    },
    end() {
      const ms = Math.round(performance.now() - since)
      if (tasks > 0 && ms >= LEAST_MS)
        log(
          'info',
          `Compared ${plural(tasks, 'task')} in ${ms} ms; normal forms took ${Math.round(normalMs)} ms of the threads' time`,
        )
      tasks = 0
    },
  }
}
