// Import runs and their files (their problems are problems.ts): what the Imports screen lists. An import run is written as it goes,
// so that a crash leaves the truth: what was kept, and that it was interrupted.

import type { FaultData } from '../../base/fault.ts'
import type { ImportFileRow, ImportRow } from '../../contract/rows.ts'
import type { ReadableDb, WritableDb } from './connection.ts'

/** A reader that has said nothing for this long, or whose process is gone, was interrupted. */
const SILENT_MS = 60_000

/** The process that reads, so that another process does not take its run for interrupted. */
export type Reader = { readonly host: string; readonly pid: number; readonly nowMs: number }

/** Starts an import run. A write of its own. */
export function startRun(
  db: WritableDb,
  run: {
    readonly id: string
    readonly startedAt: string
    readonly suite: string | null
    readonly format: string | null
    readonly reader: Reader
  },
): void {
  db.write(() =>
    db.run(
      `INSERT INTO import_runs (id, seq, started_at, state, suite, format, host, pid, beat_ms)
       SELECT ?, coalesce(max(seq), 0) + 1, ?, 'running', ?, ?, ?, ?, ? FROM import_runs`,
      run.id,
      run.startedAt,
      run.suite,
      run.format,
      run.reader.host,
      run.reader.pid,
      run.reader.nowMs,
    ),
  )
}

/** Says that the run's reader is alive. Only inside `write`. */
export function beat(db: WritableDb, importId: string, nowMs: number): void {
  db.run('UPDATE import_runs SET beat_ms = ? WHERE id = ?', nowMs, importId)
}

/**
 * Ends a run; files that were still to be read become cancelled. A write of its own, on the disk with the log: waiting for
 * the disk right after gigabytes were written would hold the loop, and what a power failure leaves is told as interrupted.
 */
export function endRun(
  db: WritableDb,
  importId: string,
  state: 'kept' | 'cancelled' | 'failed' | 'interrupted',
  finishedAt: string,
): void {
  db.write(() => {
    db.run(
      `UPDATE import_files SET state = 'cancelled' WHERE import_id = ? AND state IN ('waiting', 'reading')`,
      importId,
    )
    db.run('UPDATE import_runs SET state = ?, finished_at = ? WHERE id = ?', state, finishedAt, importId)
  })
}

/**
 * Runs that say `running` although their reader is gone; they become `interrupted`, with what they kept.
 * `isAlive` tells whether a reader on this host lives. Gives the ids of the runs.
 */
export function markInterrupted(
  db: WritableDb,
  reader: Reader,
  isAlive: (run: { readonly id: string; readonly pid: number }) => boolean,
  finishedAt: string,
): readonly string[] {
  const running = db.all<{ id: string; host: string; pid: number; beatMs: number }>(
    `SELECT id, host, pid, beat_ms AS beatMs FROM import_runs WHERE state = 'running'`,
  )
  const gone = running.filter(
    (run) => reader.nowMs - run.beatMs > SILENT_MS || (run.host === reader.host && !isAlive(run)),
  )
  for (const run of gone) endRun(db, run.id, 'interrupted', finishedAt)
  return gone.map((run) => run.id)
}

/** True while a run goes on, of whatever program; ask markInterrupted before. */
export function isImporting(db: ReadableDb): boolean {
  return db.value<number>(`SELECT EXISTS (SELECT 1 FROM import_runs WHERE state = 'running')`) === 1
}

/** A file as it is written when it was looked at. */
export type FileRecord = {
  readonly id: string
  readonly importId: string
  readonly position: number
  readonly name: string
  readonly bytes: number
  readonly format: string | null
  readonly formatTitle: string | null
  readonly formatVersion: number | null
  readonly confidence: number
  readonly reason: string
  readonly candidates: ImportFileRow['candidates']
  readonly state: ImportFileRow['state']
  readonly fault: FaultData | null
}

/** Adds a file to a run. Only inside `write`. */
export function addFile(db: WritableDb, file: FileRecord): void {
  db.run(
    `INSERT INTO import_files (id, import_id, position, name, bytes, format, format_title, format_version,
       confidence, reason, candidates, state, fault) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    file.id,
    file.importId,
    file.position,
    file.name,
    file.bytes,
    file.format,
    file.formatTitle,
    file.formatVersion,
    file.confidence,
    file.reason,
    JSON.stringify(file.candidates),
    file.state,
    file.fault === null ? null : JSON.stringify(file.fault),
  )
}

/** Says how a file was recognised. Only inside `write`. */
export function describeFile(
  db: WritableDb,
  fileId: string,
  file: Pick<
    FileRecord,
    'format' | 'formatTitle' | 'formatVersion' | 'confidence' | 'reason' | 'candidates' | 'state'
  >,
): void {
  db.run(
    `UPDATE import_files SET format = ?, format_title = ?, format_version = ?, confidence = ?, reason = ?,
       candidates = ?, state = ? WHERE id = ?`,
    file.format,
    file.formatTitle,
    file.formatVersion,
    file.confidence,
    file.reason,
    JSON.stringify(file.candidates),
    file.state,
    fileId,
  )
}

/** Adds to a file's counters; `tasks` is the count so far. Only inside `write`. */
export function countFile(
  db: WritableDb,
  fileId: string,
  more: {
    readonly trialsNew: number
    readonly trialsSame: number
    readonly conflicts: number
    readonly problems: number
    readonly tasks: number
  },
): void {
  db.run(
    `UPDATE import_files SET trials_new = trials_new + ?, trials_same = trials_same + ?,
       conflicts = conflicts + ?, problems = problems + ?, tasks = ? WHERE id = ?`,
    more.trialsNew,
    more.trialsSame,
    more.conflicts,
    more.problems,
    more.tasks,
    fileId,
  )
}

/** Ends a file. Only inside `write`. */
export function endFile(
  db: WritableDb,
  fileId: string,
  end: {
    readonly state: ImportFileRow['state']
    readonly sha256: string | null
    readonly fault: FaultData | null
  },
): void {
  db.run(
    'UPDATE import_files SET state = ?, sha256 = ?, fault = ? WHERE id = ?',
    end.state,
    end.sha256,
    end.fault === null ? null : JSON.stringify(end.fault),
    fileId,
  )
}

/**
 * Files of one run that are listed; a folder may hold a hundred thousand. Skipped ones are left out first, then those of
 * no known format.
 */
const FILES_LISTED = 2000

type RunRow = Omit<ImportRow, 'files'>

// The sums are over all files of a run, listed or not.
const RUNS = `SELECT import_runs.id AS importId, started_at AS startedAt, finished_at AS finishedAt,
    CASE WHEN undone_at IS NULL THEN import_runs.state ELSE 'undone' END AS state,
    coalesce(sum(trials_new), 0) AS trialsNew, coalesce(sum(trials_same), 0) AS trialsSame,
    coalesce(sum(problems), 0) AS problems, count(import_files.id) AS filesTotal
  FROM import_runs LEFT JOIN import_files ON import_files.import_id = import_runs.id
  WHERE deleted_at IS NULL AND (?1 IS NULL OR import_runs.id = ?1)
  GROUP BY import_runs.id ORDER BY import_runs.seq DESC`

type FileRow = Omit<ImportFileRow, 'candidates' | 'fault'> & {
  readonly importId: string
  readonly candidates: string
  readonly fault: string | null
}

const FILES = `SELECT fileId, importId, name, bytes, format, formatTitle, confidence, reason, candidates, state,
    trialsNew, trialsSame, conflicts, tasks, problems, fault
  FROM (SELECT id AS fileId, import_id AS importId, position, name, bytes, format,
      format_title AS formatTitle, confidence, reason, candidates, state, trials_new AS trialsNew,
      trials_same AS trialsSame, conflicts, tasks, problems, fault,
      row_number() OVER (PARTITION BY import_id 
        ORDER BY CASE state WHEN 'skipped' THEN 2 WHEN 'needs format' THEN 1 ELSE 0 END, position) AS rank
    FROM import_files WHERE ?1 IS NULL OR import_id = ?1)
  WHERE rank <= ${FILES_LISTED} ORDER BY importId, position`

function runsWithFiles(db: ReadableDb, importId: string | null): readonly ImportRow[] {
  const byRun = new Map<string, ImportFileRow[]>()
  for (const { importId: run, candidates, fault, ...file } of db.all<FileRow>(FILES, importId)) {
    const files = byRun.get(run) ?? []
    files.push({
      ...file,
      candidates: JSON.parse(candidates) as ImportFileRow['candidates'],
      fault: fault === null ? null : (JSON.parse(fault) as FaultData),
    })
    byRun.set(run, files)
  }
  return db.all<RunRow>(RUNS, importId).map((run) => ({ ...run, files: byRun.get(run.importId) ?? [] }))
}

/** All import runs, newest first, with their files (2,000 of a run at most). Deleted runs are not listed. */
export function allRuns(db: ReadableDb): readonly ImportRow[] {
  return runsWithFiles(db, null)
}

/** One import run with its files, or null. */
export function runById(db: ReadableDb, importId: string): ImportRow | null {
  return runsWithFiles(db, importId)[0] ?? null
}

/** Those of these content hashes that are living trials. */
export function knownHashes(db: ReadableDb, hashes: readonly string[]): ReadonlySet<string> {
  const rows = db.rows<[string]>(
    `SELECT value FROM json_each(?) WHERE
       EXISTS (SELECT 1 FROM trials WHERE content_hash = value AND deleted_at IS NULL)
       OR EXISTS (SELECT 1 FROM twins JOIN trials ON seq = trial_seq
         WHERE twins.content_hash = value AND deleted_at IS NULL)`,
    JSON.stringify(hashes),
  )
  return new Set(rows.map(([hash]) => hash))
}
