// Problems met while importing, each with its place: written by an import run, listed by run and file.

import type { ProblemRow } from '../../contract/rows.ts'
import type { ReadableDb, WritableDb } from './connection.ts'

/** A problem to be written; `count` above 1 stands for that many alike. */
export type ProblemRecord = Omit<ProblemRow, 'problemId' | 'fileName'>

/** Writes a problem and gives its id. Only inside `write`. */
export function addProblem(db: WritableDb, fileId: string, problem: ProblemRecord): number {
  db.run(
    `INSERT INTO problems (file_id, severity, code, message, hint, line, byte, record, count)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    fileId,
    problem.severity,
    problem.code,
    problem.message,
    problem.hint,
    problem.line,
    problem.byte,
    problem.record,
    problem.count,
  )
  return db.value<number>('SELECT last_insert_rowid()')
}

/** Counts more problems alike on an existing row. Only inside `write`. */
export function countProblem(db: WritableDb, problemId: number, more: number): void {
  db.run('UPDATE problems SET count = count + ? WHERE id = ?', more, problemId)
}

/** A page of a run's problems (of one file when given), gravest first and by code, and how many rows there are. */
export function problemsOf(
  db: ReadableDb,
  of: { readonly importId: string; readonly fileId: string | null },
  page: { readonly offset: number; readonly limit: number },
): { readonly rows: readonly ProblemRow[]; readonly total: number } {
  const where = `FROM problems JOIN import_files ON import_files.id = file_id
    WHERE import_id = ?1 AND (?2 IS NULL OR file_id = ?2)`
  return {
    rows: db.all<ProblemRow>(
      `SELECT problems.id AS problemId, name AS fileName, severity, code, message, hint, line, byte, record, count
       ${where} ORDER BY CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, code, position, problems.id
       LIMIT ?3 OFFSET ?4`,
      of.importId,
      of.fileId,
      page.limit,
      page.offset,
    ),
    total: db.value<number>(`SELECT count(*) ${where}`, of.importId, of.fileId),
  }
}

/** Problems met by the runs that are not undone, those alike counted. */
export function countProblems(db: ReadableDb): number {
  return db.value<number>(
    `SELECT coalesce(sum(problems), 0) FROM import_files
     WHERE import_id IN (SELECT id FROM import_runs WHERE undone_at IS NULL AND deleted_at IS NULL)`,
  )
}
