// Repeated timing: medians, because one run in many meets the garbage collector or a neighbour.

/** Milliseconds of one call. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** The middle value; the mean of the two middle ones for an even number. Throws RangeError on an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const right = sorted[Math.floor(sorted.length / 2)]
  const left = sorted[Math.ceil(sorted.length / 2) - 1]
  if (left === undefined || right === undefined) throw new RangeError('No values')
  return (left + right) / 2
}

/** Milliseconds of processor time of this process (all its threads) during one call: what a busy machine does not stretch. */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
