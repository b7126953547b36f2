// One record of an outcome file (a CSV line, a JSON object) as an outcome row: which of its fields names the task, the
// trial, the outcome. Counts the fields that could decide, so that a person can choose. Knows no container.

import type { Json, JsonObject } from '../../../base/json.ts'
import { oneLine, plural } from '../../../base/text.ts'
import { asId, asNumber, asText } from '../fields.ts'
import type { Problem } from '../importer.ts'
import {
  bareName,
  labelOfPath,
  outcomeRank,
  roleOf,
  stemOfPath,
  trialOfPath,
  type FieldRole,
} from './names.ts'
import type { OutcomeChoice, OutcomeField, OutcomeRow, RowPlace } from './row.ts'
import { readValue } from './values.ts'

/** Fields that say how a trial ended, which is not whether it was right: they decide only when a person says so. */
const ENDS = new Set(['status', 'termination', 'exitstatus'])

/** What values that stand alone (of a map, in the cells of a matrix) are called. */
export const BARE_FIELD = 'score'

/** True for the name of a field that says how a trial ended. */
export const isEnd = (name: string): boolean => ENDS.has(bareName(name))

/** Fields met so far, and the rows that wait for a threshold. */
export class FieldTally {
  readonly #fields = new Map<
    string,
    { rows: number; isScale: boolean; low: number | null; high: number | null }
  >()

  /** Counts one value of a field. */
  see(name: string, value: Json | undefined): void {
    if (value === undefined || value === null || value === '') return
    const field = this.#fields.get(name) ?? { rows: 0, isScale: false, low: null, high: null }
    field.rows += 1
    const number = typeof value === 'boolean' ? null : asNumber(value)
    if (number !== null) {
      if (number !== 0 && number !== 1) field.isScale = true
      field.low = field.low === null ? number : Math.min(field.low, number)
      field.high = field.high === null ? number : Math.max(field.high, number)
    }
    this.#fields.set(name, field)
  }

  /** Only fields with numbers other than 0 and 1: where a pass begins is a question. */
  scales(): readonly OutcomeField[] {
    return this.list().filter(({ isScale }) => isScale)
  }

  /** All fields, the one that decides by itself first. */
  list(): readonly OutcomeField[] {
    return [...this.#fields]
      .map(([name, { rows, isScale, low, high }]) => ({ name, rows, isScale, lowest: low, highest: high }))
      .toSorted((a, b) => rank(a.name) - rank(b.name))
  }
}

const rank = (name: string): number => {
  const at = outcomeRank(name)
  return at < 0 ? Number.MAX_SAFE_INTEGER : at
}

/**
 * The field that decides: the chosen one (null when the record lacks it: another field is no answer), without a choice
 * the first known one.
 */
export function decidingField(names: readonly string[], choice: OutcomeChoice): string | null {
  if (choice.scorer !== null) {
    const wanted = bareName(choice.scorer)
    return (
      names.find((name) => name === choice.scorer) ?? names.find((name) => bareName(name) === wanted) ?? null
    )
  }
  const known = names.filter((name) => outcomeRank(name) >= 0)
  return known.toSorted((a, b) => rank(a) - rank(b))[0] ?? null
}

/** A row that says only where it stands; spread the rest over it. */
export function emptyRow(place: RowPlace, written: string): OutcomeRow {
  return {
    suite: null,
    task: null,
    trial: trialOfPath(place.file),
    sourceId: null,
    fileStem: null,
    folder: null,
    outcome: 'unknown',
    score: null,
    scoreRaw: null,
    scores: {},
    scorer: null,
    error: null,
    costUsd: null,
    configuration: { label: labelOfPath(place.file), model: null, agent: null },
    extra: {},
    written,
    place,
  }
}

/** The outcome of a value for a row, and the problem that it leaves when it is none. */
export function outcomeOf(
  value: Json | undefined,
  field: string | null,
  choice: OutcomeChoice,
  place: RowPlace,
): {
  readonly outcome: Pick<OutcomeRow, 'outcome' | 'score' | 'scoreRaw' | 'scorer'>
  readonly problem: Problem | null
} {
  const read = readValue(value, choice.threshold)
  const scoreRaw = value ?? null
  const about = { scoreRaw, scorer: field }
  if (read.kind === 'read')
    return { outcome: { ...about, outcome: read.outcome, score: read.score }, problem: null }
  const score = read.kind === 'scale' ? read.score : null
  const what =
    read.kind === 'missing'
      ? 'says no outcome'
      : read.kind === 'scale'
        ? `has ${read.score} in “${oneLine(field ?? '', 40)}”, which is no number between 0 and 1`
        : `has a value in “${oneLine(field ?? '', 40)}” that is no known outcome: ${oneLine(JSON.stringify(scoreRaw), 60)}`
  return {
    outcome: { ...about, outcome: 'unknown', score },
    problem: {
      severity: read.kind === 'missing' ? 'info' : 'warning',
      code: 'OUTCOME_MISSING',
      message: `A row ${what}: its outcome is not known.`,
      ...(read.kind === 'scale' ? { hint: 'Say from which number on it is a pass.' } : {}),
      record: place.record,
      ...(place.line === null ? {} : { line: place.line }),
    },
  }
}

/** One record as a row; null when it names neither task, id nor file, with the problem. */
export function rowOfRecord(
  record: JsonObject,
  choice: OutcomeChoice,
  place: RowPlace,
  written: string,
  tally: FieldTally,
): { readonly row: OutcomeRow | null; readonly problem: Problem | null } {
  const names = Object.keys(record)
  const byRole = new Map<FieldRole, Json>()
  for (const name of names) {
    const role = roleOf(name)
    const value = record[name]
    if (role !== null && !byRole.has(role) && value !== undefined && value !== null && value !== '')
      byRole.set(role, value)
  }
  const bareId = names.find((name) => bareName(name) === 'id')
  const own = bareId === undefined ? null : asId(record[bareId])
  const task = asId(byRole.get('task')) ?? (byRole.has('id') || byRole.has('file') ? null : own)
  const sourceId = asId(byRole.get('id')) ?? (byRole.has('task') ? own : null)
  const file = asText(byRole.get('file'))
  if (task === null && sourceId === null && file === null)
    return {
      row: null,
      problem: {
        severity: 'error',
        code: 'RECORD_INVALID',
        message: `A row names neither a task nor a trial: skipped. It has ${plural(names.length, 'field')}.`,
        record: place.record,
        ...(place.line === null ? {} : { line: place.line }),
      },
    }
  const field = decidingField(names, choice)
  const scores: Record<string, number | null> = {}
  for (const name of names) {
    if (outcomeRank(name) < 0 && name !== field && !isEnd(name)) continue
    tally.see(name, record[name])
    const number = typeof record[name] === 'string' && record[name] === '' ? null : asNumber(record[name])
    if (number !== null) scores[name] = number
  }
  const { outcome, problem } = outcomeOf(field === null ? undefined : record[field], field, choice, place)
  const message = asText(byRole.get('error'))
  const extra: Record<string, Json> = {}
  for (const name of names) {
    const value = record[name]
    if (
      value !== undefined &&
      value !== null &&
      value !== '' &&
      roleOf(name) === null &&
      !Object.hasOwn(scores, name)
    )
      if (name !== field && name !== bareId) extra[name] = value
  }
  const bare = emptyRow(place, written)
  return {
    row: {
      ...bare,
      suite: asId(byRole.get('suite')),
      task,
      trial: asId(byRole.get('trial')) ?? bare.trial,
      sourceId,
      fileStem: file === null ? null : stemOfPath(file),
      ...outcome,
      scores,
      error: message === null ? null : { type: null, message, origin: 'unknown' },
      costUsd: asNumber(byRole.get('cost')),
      configuration: {
        label: asId(byRole.get('label')) ?? bare.configuration.label,
        model: asId(byRole.get('model')),
        agent: asId(byRole.get('agent')),
      },
      extra,
    },
    problem,
  }
}

/** True when a JSON object reads like a row: it names a task or trial, says an outcome, and holds no trajectory. */
export function looksLikeRow(record: JsonObject): boolean {
  const names = Object.keys(record)
  if (names.some((name) => TRAJECTORY.has(bareName(name)))) return false
  const isNamed = names.some((name) => ['task', 'id', 'file'].includes(roleOf(name) ?? ''))
  return isNamed && names.some((name) => outcomeRank(name) >= 0)
}

const TRAJECTORY = new Set(
  'traj trajectory messages steps history type info simulations spans runtype payload observations data schemaversion'.split(
    ' ',
  ),
)
