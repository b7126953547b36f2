// The parts of a step pair: tool, arguments, observation, said, error, each compared by structure or by lines.
// Pure: two step views in, rows out. Decides what is compared as JSON and what as text; draws nothing.

import type { Json } from '../../../base/json.ts'
import type { StepView } from '../../../contract/rows.ts'
import { jsonRows, oneSideJsonRows } from '../../../analysis/stepdiff/jsonRows.ts'
import {
  DIFF_LIMITS,
  type Comparison,
  type DiffOptions,
  type DiffRow,
} from '../../../analysis/stepdiff/rows.ts'
import { oneSideRows, textRows } from '../../../analysis/stepdiff/textRows.ts'

/** How a pair is compared. `asText` compares JSON as it is written. */
export type PairOptions = DiffOptions & { readonly asText?: boolean }

/** One part of a pair. `leftText` and `rightText` are what is shown when there is no comparison. */
export type PairSection = {
  readonly id: 'tool' | 'arguments' | 'observation' | 'error' | 'said'
  readonly title: string
  readonly comparison: Comparison
  readonly leftText: string | null
  readonly rightText: string | null
}

type Value = { readonly json: Json | undefined; readonly text: string }

/** JSON written with indentation; a value that nests too deeply to be written says so. */
export function jsonText(value: Json): string {
  try {
    return JSON.stringify(value, null, 2) ?? 'null'
  } catch {
    return '(nested too deeply to be written)'
  }
}

function argumentsOf(step: StepView): Value | null {
  if (step.argsRaw !== null) return { json: undefined, text: step.argsRaw }
  if (step.call === null && step.tool === null && step.args === null) return null
  return { json: step.args, text: jsonText(step.args) }
}

function observationOf(step: StepView): Value | null {
  if (step.observation === null && step.observationText === null) return null
  if (typeof step.observation === 'string') return { json: undefined, text: step.observation }
  if (step.observation === null) return { json: undefined, text: step.observationText ?? '' }
  return { json: step.observation, text: step.observationText ?? jsonText(step.observation) }
}

function textOf(text: string | null): Value | null {
  return text === null || text === '' ? null : { json: undefined, text }
}

/** The rows without the outermost brackets, which only take room: what is inside stands one level higher. */
function unwrapped(comparison: Comparison): Comparison {
  if (!comparison.ok || comparison.rows.length < 3) return comparison
  const { rows, differences } = comparison
  const first = rows[0]
  const inside = rows.slice(1, -1)
  const isWrapped = first?.depth === 0 && rows.at(-1)?.depth === 0 && inside.every((row) => row.depth > 0)
  if (!isWrapped) return comparison
  return { ok: true, rows: inside.map((row) => ({ ...row, depth: row.depth - 1 })), differences }
}

function oneSided(value: Value, of: 'left' | 'right', options: PairOptions): Comparison {
  if (value.text.length > DIFF_LIMITS.chars) return { ok: false, reason: 'too large' }
  const rows: DiffRow[] | null =
    value.json === undefined || options.asText === true
      ? oneSideRows(value.text, of)
      : oneSideJsonRows(value.json, of)
  return rows === null ? { ok: false, reason: 'too deep' } : unwrapped({ ok: true, rows, differences: 1 })
}

function compare(left: Value | null, right: Value | null, options: PairOptions): Comparison {
  if (left === null && right === null) return { ok: true, rows: [], differences: 0 }
  if (left === null) return oneSided(right as Value, 'right', options)
  if (right === null) return oneSided(left, 'left', options)
  if (left.json !== undefined && right.json !== undefined && options.asText !== true) {
    return unwrapped(jsonRows(left.json, right.json, options))
  }
  return textRows(left.text, right.text, options)
}

/** The parts that at least one side has, in reading order. */
export function pairSections(
  left: StepView | null,
  right: StepView | null,
  options: PairOptions = {},
): PairSection[] {
  const parts: readonly { id: PairSection['id']; title: string; of: (step: StepView) => Value | null }[] = [
    { id: 'said', title: 'said', of: (step) => textOf(step.said) },
    { id: 'tool', title: 'tool', of: (step) => textOf(step.tool) },
    { id: 'arguments', title: 'arguments', of: argumentsOf },
    { id: 'observation', title: 'observation', of: observationOf },
    { id: 'error', title: 'error', of: (step) => textOf(step.error) },
  ]
  // What was said before a call leads to it; a step that only says something has nothing else.
  return parts.flatMap(({ id, title, of }) => {
    const a = left === null ? null : of(left)
    const b = right === null ? null : of(right)
    if (a === null && b === null) return []
    // The head of the pair names the tool; it is a part only where the two differ.
    const isNamed = left === null || right === null || a?.text === b?.text
    if (id === 'tool' && isNamed) return []
    return [
      {
        id,
        title,
        comparison: compare(a, b, options),
        leftText: a?.text ?? null,
        rightText: b?.text ?? null,
      },
    ]
  })
}

/** Differences in all parts together; null when a part could not be compared. */
export function countPairDifferences(sections: readonly PairSection[]): number | null {
  let sum = 0
  for (const { comparison } of sections) {
    if (!comparison.ok) return null
    sum += comparison.differences
  }
  return sum
}
