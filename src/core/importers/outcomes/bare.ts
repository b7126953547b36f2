// Outcome readers as importers: where an outcome file is all that somebody has, its rows are trials without steps.
// The readers know the files; this file makes trials of rows and gives them an identity.

import { canonicalJson, type Json } from '../../../base/json.ts'
import { UNKNOWN_CONFIGURATION, type Trial } from '../../../model/trial.ts'
import type { Importer, RawTrial } from '../importer.ts'
import { NO_CHOICE, type OutcomeReader, type OutcomeRow } from './row.ts'

/** The importer of a reader. Rows without a task are told and left out. */
export function bareImporter(reader: OutcomeReader, options: { readonly isOutcomes: boolean }): Importer {
  const { id, title, version, status, nameHint } = reader
  return {
    id,
    title,
    version,
    status,
    ...(nameHint === undefined ? {} : { nameHint }),
    isOutcomes: options.isOutcomes,
    sniff: (head) => reader.sniff(head),
    read: (source, sink, signal) =>
      reader.rows(
        source,
        NO_CHOICE,
        {
          row: async (row) => {
            const raw = bareTrial(row, reader.suite)
            if (raw !== null) await sink.trial(raw)
            else
              sink.problem({
                severity: 'error',
                code: 'RECORD_INVALID',
                message:
                  'A row names a trial or a file, but no task: it can only be attached to trials that are here.',
                record: row.place.record,
                ...(row.place.line === null ? {} : { line: row.place.line }),
              })
          },
          problem: (problem) => sink.problem(problem),
          progress: (progress) => sink.progress(progress),
          fields: () => {},
        },
        signal,
      ),
  }
}

/** A row as a trial without steps; null when it names no task, or by nothing. */
export function bareTrial(row: OutcomeRow, suite: string): RawTrial | null {
  if (row.task === null || row.task === '') return null
  const trial: Trial = {
    sourceId: row.sourceId,
    suite: row.suite ?? suite,
    task: row.task,
    taskTitle: null,
    taskInput: null,
    configuration: { ...UNKNOWN_CONFIGURATION, ...row.configuration },
    sourceTrial: row.trial,
    seed: null,
    outcome: row.outcome,
    score: row.score,
    scoreRaw: row.scoreRaw,
    scores: row.scores,
    scorer: row.scorer,
    termination: null,
    error: row.error,
    severeErrors: [],
    usage: null,
    costUsd: row.costUsd,
    startedAt: null,
    endedAt: null,
    timeNaive: false,
    steps: [],
    extra: row.extra,
  }
  // Rows are short: equal text may be of another task, trial or model.
  const salt = canonicalJson([
    trial.suite,
    trial.task,
    row.trial,
    trial.configuration as unknown as Json,
    row.outcome,
    row.scoreRaw,
  ])
  const key = row.sourceId ?? (row.trial === null ? null : canonicalJson([row.task, row.trial]))
  return {
    trial,
    recordBytes: Buffer.from(row.written),
    identitySalt: salt,
    sourceKey: key,
    record: row.place.record,
    line: row.place.line,
    byteOffset: null,
  }
}
