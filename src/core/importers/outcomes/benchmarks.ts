// Outcome files of benchmarks: the report of a SWE-bench evaluation, the report.json of one instance, the sidecar of a
// tau evaluation, and the reward.txt beside a trajectory. What a report does not list has no outcome here.

import type { Json } from '../../../base/json.ts'
import { plural } from '../../../base/text.ts'
import type { Outcome } from '../../../model/outcome.ts'
import { asId, asList, asObject, member } from '../fields.ts'
import type { Sniff, Source, SourceHead } from '../importer.ts'
import { readRecords } from '../reader.ts'
import { noObject, problemsOf } from './json.ts'
import { folderOfPath } from './names.ts'
import { emptyRow, outcomeOf } from './record.ts'
import type { OutcomeChoice, OutcomeReader, RowPlace, RowSink } from './row.ts'

const none = (reason: string): Sniff => ({ confidence: 0, reason })

/** Lists of a run report and what being listed means. The first that names an instance counts. */
const LISTS: readonly (readonly [list: string, outcome: Outcome])[] = [
  ['resolved_ids', 'pass'],
  ['resolved', 'pass'],
  ['error_ids', 'error'],
  ['unresolved_ids', 'fail'],
  ['empty_patch_ids', 'fail'],
  ['unresolved', 'fail'],
]

/** Reads the report of a SWE-bench evaluation run. */
export const sweBenchReport: OutcomeReader = {
  id: 'swe-bench-report',
  title: 'SWE-bench report',
  version: 1,
  status: 'beta',
  suite: 'swe-bench',
  sniff: (head) => {
    const report = asObject(head.records[0]?.value)
    if (report === null) return none('no report of a run')
    const has = LISTS.filter(([list]) => Array.isArray(report[list])).map(([list]) => list)
    const isCounted = [
      'total_instances',
      'submitted_instances',
      'submitted_ids',
      'completed_ids',
      'schema_version',
    ].some((key) => Object.hasOwn(report, key))
    return has.length > 0 && (isCounted || has.length > 1)
      ? { confidence: 0.95, reason: `a report with ${has.join(', ')}` }
      : none('no lists of resolved instances')
  },
  rows: reportRows,
}

async function reportRows(
  source: Source,
  _choice: OutcomeChoice,
  sink: RowSink,
  signal: AbortSignal,
): Promise<void> {
  for await (const record of readRecords(source, problemsOf(sink), signal)) {
    const report = asObject(record.value)
    if (report === null) {
      sink.problem(noObject(record))
      continue
    }
    const told = new Set<string>()
    for (const [list, outcome] of LISTS) {
      for (const id of (asList(report[list]) ?? []).map(asId)) {
        if (id === null || told.has(id)) continue
        const place: RowPlace = { file: source.name, line: record.line, record: told.size }
        told.add(id)
        const score = outcome === 'pass' ? 1 : outcome === 'fail' ? 0 : null
        const error =
          outcome === 'error' ? { type: 'evaluation', message: null, origin: 'verifier' as const } : null
        await sink.row({
          ...emptyRow(place, JSON.stringify({ [list]: id })),
          task: id,
          outcome,
          score,
          scoreRaw: list,
          scorer: 'resolved',
          error,
        })
      }
    }
    const rest = ['submitted_ids', 'incomplete_ids'].flatMap((key) => (asList(report[key]) ?? []).map(asId))
    const silent = new Set(rest.filter((id) => id !== null && !told.has(id))).size
    if (silent > 0)
      sink.problem({
        severity: 'info',
        code: 'OUTCOME_MISSING',
        message: `${plural(silent, 'instance')} of the report ${silent === 1 ? 'has' : 'have'} no outcome: neither resolved nor unresolved.`,
      })
  }
}

/** Reads the `report.json` of single instances. */
export const instanceReport: OutcomeReader = {
  id: 'swe-bench-instance',
  title: 'SWE-bench instance report',
  version: 1,
  status: 'beta',
  nameHint: /report\.json$/i,
  suite: 'swe-bench',
  sniff: (head) => {
    const map = asObject(head.records[0]?.value)
    const values = map === null ? [] : Object.values(map).map((value) => asObject(value))
    const isReport = (value: (typeof values)[number]): boolean =>
      value !== null &&
      typeof value['resolved'] === 'boolean' &&
      (Object.hasOwn(value, 'tests_status') || Object.hasOwn(value, 'patch_successfully_applied'))
    return values.length > 0 && values.every(isReport)
      ? { confidence: 0.95, reason: 'instances with resolved and what became of their patch' }
      : none('no instances with resolved')
  },
  async rows(source, choice, sink, signal) {
    let at = 0
    for await (const record of readRecords(source, problemsOf(sink), signal)) {
      const map = asObject(record.value)
      if (map === null) sink.problem(noObject(record))
      for (const [task, value] of Object.entries(map ?? {})) {
        const place: RowPlace = { file: source.name, line: record.line, record: at }
        at += 1
        const { outcome, problem } = outcomeOf(member(value, 'resolved'), 'resolved', choice, place)
        if (problem !== null) sink.problem(problem)
        const { tests_status: _tests, ...about } = asObject(value) ?? {}
        await sink.row({
          ...emptyRow(place, JSON.stringify({ [task]: value })),
          task,
          ...outcome,
          extra: about,
        })
      }
    }
  },
}

/** Reads the sidecar that a tau evaluation of other agents' sessions writes. */
export const tauSidecar: OutcomeReader = {
  id: 'tau-sidecar',
  title: 'τ evaluation sidecar',
  version: 1,
  status: 'beta',
  nameHint: /eval_results/i,
  suite: 'tau-bench',
  sniff: (head) => {
    const first = asObject(head.records[0]?.value)
    const isOne = first !== null && Object.hasOwn(first, 'task_id') && Object.hasOwn(first, 'db_match')
    return isOne ? { confidence: 0.95, reason: 'records with task_id and db_match' } : none('no db_match')
  },
  async rows(source, _choice, sink, signal) {
    for await (const record of readRecords(source, problemsOf(sink), signal)) {
      const row = asObject(record.value)
      const task = asId(row?.['task_id'])
      if (row === null || task === null) {
        sink.problem(noObject(record))
        continue
      }
      const place: RowPlace = { file: source.name, line: record.line, record: record.index }
      const parts: Record<string, number | null> = {}
      for (const [name, value] of Object.entries(row))
        if (typeof value === 'boolean' && name.endsWith('_match')) parts[name] = value ? 1 : 0
      const isPass = row['db_match'] === true && row['communicate_match'] !== false
      const isKnown = typeof row['db_match'] === 'boolean'
      const bare = emptyRow(place, record.bytes.toString('utf8'))
      await sink.row({
        ...bare,
        task,
        trial: asId(row['trial']) ?? bare.trial,
        outcome: isKnown ? (isPass ? 'pass' : 'fail') : 'unknown',
        score: isKnown ? (isPass ? 1 : 0) : null,
        scoreRaw: (row['db_match'] ?? null) as Json,
        scores: parts,
        scorer: 'db_match and communicate_match',
      })
    }
  },
}

/** Reads a `reward.txt`: one number about the folder that it lies in. Only for attaching: it names no task. */
export const rewardFile: OutcomeReader = {
  id: 'reward-file',
  title: 'Reward file',
  version: 1,
  status: 'stable',
  nameHint: /(?:^|\/)reward\.txt$/i,
  suite: 'outcomes',
  sniff: (head: SourceHead) =>
    /(?:^|\/)(?:reward|score)\.txt$/i.test(head.name) && head.isWhole && head.text.trim().length <= 40
      ? { confidence: 0.9, reason: 'a file reward.txt with one value' }
      : none('no reward.txt'),
  async rows(source, choice, sink, signal) {
    const text = (await source.text(signal)).trim()
    const place: RowPlace = { file: source.name, line: 1, record: 0 }
    const { outcome, problem } = outcomeOf(text, 'reward', choice, place)
    if (problem !== null) sink.problem(problem)
    const folder = folderOfPath(source.name)
    // A verifier writes into a folder of its own, beside the trajectory's.
    const about = folder.replace(/(?:^|\/)(?:verifier|eval|evaluation|logs)$/i, '')
    await sink.row({ ...emptyRow(place, text), folder: about, ...outcome })
  },
}
