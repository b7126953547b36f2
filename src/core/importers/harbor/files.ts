// The JSON files of a trial's folder: trajectories, the verifier's report, sessions of the agent. Reads what is named
// and nothing else; a broken file is a problem that names it. Stands between the folder and what its files mean.

import type { JsonObject } from '../../../base/json.ts'
import { inside } from '../doubts.ts'
import { asNumber, asObject } from '../fields.ts'
import type { Problem, Sink, SourceEntry, SourceRecord } from '../importer.ts'
import { parseJson } from '../parse.ts'
import { problemOf } from '../reader.ts'

/** The name of an agent's trajectory. */
export const TRAJECTORY = 'trajectory.json'
/** A reward is a number or a few by name. */
const MAX_REWARD_BYTES = 64 * 1024

/** Files that were read: by base name, in the order of names; their bytes joined by a line feed. */
export type ReadFiles = {
  readonly records: ReadonlyMap<string, SourceRecord>
  readonly values: ReadonlyMap<string, JsonObject>
  readonly bytes: Buffer
}

/** The first record of every file. Problems go to the sink, each with the name of its file. */
export async function readFiles(
  entries: readonly SourceEntry[],
  sink: Sink,
  signal: AbortSignal,
): Promise<ReadFiles> {
  const records = new Map<string, SourceRecord>()
  const values = new Map<string, JsonObject>()
  // The trajectory first: it is what the others are parts of.
  const order = (name: string): string => (name.endsWith(`/${TRAJECTORY}`) || name === TRAJECTORY ? '' : name)
  for (const entry of entries.toSorted((a, b) => (order(a.name) < order(b.name) ? -1 : 1))) {
    const record = await readFile(entry, sink, signal)
    const base = entry.name.split('/').at(-1) ?? entry.name
    if (record === null) continue
    records.set(base, record)
    const value = asObject(record.value)
    if (value !== null) values.set(base, value)
  }
  return { records, values, bytes: joined([...records.values()].map((record) => record.bytes)) }
}

/** The first record of a file, or null after its problems were told. */
export async function readFile(
  entry: SourceEntry,
  sink: Sink,
  signal: AbortSignal,
): Promise<SourceRecord | null> {
  const tell = (problem: Problem): void =>
    sink.problem({
      severity: problem.severity,
      code: problem.code,
      message: `${inside(entry.name)}${problem.message}`,
      ...(problem.hint === undefined ? {} : { hint: problem.hint }),
    })
  let isTold = false
  let first: SourceRecord | null = null
  try {
    // To its end, although one record is all that it should hold: what follows may be the rest of a broken one.
    for await (const item of entry.source().records(signal))
      if (item.kind === 'record') first ??= item.record
      else {
        isTold = true
        tell(item.problem)
      }
  } catch (error) {
    signal.throwIfAborted()
    tell(problemOf(error))
    return null
  }
  if (first === null && !isTold)
    tell({ severity: 'error', code: 'FILE_EMPTY', message: 'The file holds no record.' })
  return first
}

/** What a verifier's own file says: the rewards as `verifier_result` would have them, and the file. */
export type RewardFile = { readonly name: string; readonly rewards: JsonObject; readonly bytes: Buffer }

const REWARD = /(?:^|\/)verifier\/reward\.(?:json|txt)$/

/** The reward that a verifier wrote beside a trial: `reward.json`, else `reward.txt`; null without one that says a number. */
export async function readReward(
  entries: readonly SourceEntry[],
  sink: Sink,
  signal: AbortSignal,
): Promise<RewardFile | null> {
  const found = entries.filter(({ name, size }) => REWARD.test(name) && size <= MAX_REWARD_BYTES)
  for (const entry of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name } = entry
    try {
      const bytes = await entry.read(signal)
      const parsed = parseJson(bytes.toString('utf8').trim(), Number.POSITIVE_INFINITY)
      if (!parsed.ok) continue
      const rewards = asObject(parsed.value) ?? { reward: parsed.value }
      if (Object.values(rewards).some((value) => asNumber(value) !== null)) return { name, rewards, bytes }
    } catch (error) {
      signal.throwIfAborted()
      const problem = problemOf(error)
      sink.problem({ ...problem, message: `${inside(name)}${problem.message}` })
    }
  }
  return null
}

/** Pieces of one trial's original, joined by a line feed. */
export function joined(parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [Buffer.from('\n'), part])))
}
