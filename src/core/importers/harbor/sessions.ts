// Tokens out of the Claude Code sessions beside a trajectory. One message of the API stands on several lines, each
// with the tokens counted so far: the last of them counts, once. Trajectories made from such sessions summed the
// lines. Reads lines one by one; nothing but counts is kept.

import type { Usage } from '../../../model/trial.ts'
import { asNumber, asObject, asText, member } from '../fields.ts'
import type { Sink, SourceEntry } from '../importer.ts'
import { inside } from '../doubts.ts'
import { parseJson } from '../parse.ts'
import { problemOf } from '../reader.ts'

const SESSION = /(?:^|\/)agent\/sessions\/projects\/.+\.jsonl$/

/** True for a native session in a trial's folder. */
export function isSession(name: string): boolean {
  return SESSION.test(name)
}

/** The tokens of all messages in the sessions; null when there are none. */
export async function sessionUsage(
  entries: readonly SourceEntry[],
  sink: Sink,
  signal: AbortSignal,
): Promise<Usage | null> {
  const counted = new Map<string, readonly [input: number, output: number, cached: number]>()
  for (const entry of entries)
    try {
      for await (const item of entry.source().rawRecords(signal)) {
        if (item.kind === 'problem' || !item.record.bytes.includes('"usage"')) continue
        const parsed = parseJson(item.record.bytes.toString('utf8'), item.record.depth)
        const message = parsed.ok ? asObject(member(parsed.value, 'message')) : null
        const usage = asObject(message?.['usage'])
        const id = asText(message?.['id'])
        if (usage === null || id === null) continue
        const count = (key: string): number => asNumber(usage[key]) ?? 0
        const cached = count('cache_read_input_tokens')
        const input = count('input_tokens') + count('cache_creation_input_tokens') + cached
        counted.set(id, [input, count('output_tokens'), cached])
      }
    } catch (error) {
      signal.throwIfAborted()
      const problem = problemOf(error)
      sink.problem({ ...problem, severity: 'warning', message: `${inside(entry.name)}${problem.message}` })
    }
  if (counted.size === 0) return null
  const sum = (at: 0 | 1 | 2): number =>
    [...counted.values()].reduce((total, counts) => total + counts[at], 0)
  return { inputTokens: sum(0), outputTokens: sum(1), cachedInputTokens: sum(2) }
}
