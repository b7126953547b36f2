// Outcomes that came separately: what could be joined, what was attached and from where, and the imported outcome
// beside it. A trial's own columns hold the latest attached outcome that is not undone, else the imported one; outcome
// rules (judgements.ts) are asked after that.

import type { Outcome } from '../../model/outcome.ts'
import type { ReadableDb, WritableDb } from './connection.ts'

/** A counted trial as outcomes are joined to it. */
export type JoinableTrial = {
  readonly seq: number
  readonly trialId: string
  readonly suite: string
  readonly task: string
  readonly configurationId: string
  readonly number: number
  readonly sourceTrial: string | null
  readonly sourceId: string | null
  readonly outcome: Outcome
  readonly score: number | null
  readonly scorer: string | null
  /** Names of the files that it came from. */
  files: readonly string[]
}

/** The counted trials that outcomes may be joined to: of one import run and of some configurations, or of all. */
export function joinableTrials(
  db: ReadableDb,
  within: { readonly importId: string | null; readonly configurations: readonly string[] | null },
): readonly JoinableTrial[] {
  const inRun = `trials.seq IN (SELECT trial_seq FROM origins JOIN import_files ON import_files.id = file_id
    WHERE import_files.import_id = ?1)`
  const trials = db.all<JoinableTrial>(
    `SELECT trials.seq AS seq, trials.id AS trialId, suite, task, configuration_id AS configurationId, number,
       source_trial AS sourceTrial, source_id AS sourceId, outcome, score, scorer
     FROM trials JOIN tasks ON tasks.id = task_id
     WHERE deleted_at IS NULL AND is_conflict = 0 AND (?1 IS NULL OR ${inRun})
       AND (?2 IS NULL OR configuration_id IN (SELECT value FROM json_each(?2)))
     ORDER BY suite, task, configuration_id, number`,
    within.importId,
    within.configurations === null ? null : JSON.stringify(within.configurations),
  )
  const names = Map.groupBy(
    db.rows<[number, string]>(
      'SELECT DISTINCT trial_seq, name FROM origins JOIN import_files ON id = file_id',
    ),
    ([seq]) => seq,
  )
  for (const trial of trials) trial.files = (names.get(trial.seq) ?? []).map(([, name]) => name)
  return trials
}

/** One outcome to be attached. */
export type OutcomeToAttach = {
  readonly seq: number
  readonly outcome: Outcome
  readonly score: number | null
  readonly scoreRaw: string
  readonly scores: string
  readonly scorer: string | null
  readonly rule: string
  readonly file: string
  readonly line: number | null
  readonly record: number
}

/** What an attaching is called and made of. */
export type AttachmentHead = {
  readonly id: string
  readonly attachedAt: string
  readonly source: string
  readonly format: string
  readonly scorer: string | null
  readonly threshold: number | null
  readonly rows: number
}

/** Attaches outcomes in one durable transaction. Gives the tasks whose trials changed. */
export function attachOutcomes(
  db: WritableDb,
  head: AttachmentHead,
  outcomes: readonly OutcomeToAttach[],
): readonly string[] {
  return db.durable(() => {
    db.run(
      `INSERT INTO attachments (id, seq, attached_at, source, format, scorer, threshold, rows)
       SELECT ?, coalesce(max(seq), 0) + 1, ?, ?, ?, ?, ?, ? FROM attachments`,
      head.id,
      head.attachedAt,
      head.source,
      head.format,
      head.scorer,
      head.threshold,
      head.rows,
    )
    for (const one of outcomes) {
      db.run(
        `INSERT OR IGNORE INTO imported_outcomes
         SELECT seq, outcome, score, score_raw, scores, scorer FROM trials WHERE seq = ?`,
        one.seq,
      )
      db.run(
        'INSERT INTO attached_outcomes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        head.id,
        one.seq,
        one.outcome,
        one.score,
        one.scoreRaw,
        one.scores,
        one.scorer,
        one.rule,
        one.file,
        one.line,
        one.record,
      )
    }
    return settle(db, head.id)
  })
}

/** Takes an attaching back, or (`undone` false) does it again. Gives the tasks whose trials changed. */
export function markAttachment(db: WritableDb, id: string, undoneAt: string | null): readonly string[] {
  return db.durable(() => {
    db.run('UPDATE attachments SET undone_at = ? WHERE id = ?', undoneAt, id)
    return settle(db, id)
  })
}

/** Puts the outcome in force into the rows of the trials of an attaching; rules judge those trials anew. */
function settle(db: WritableDb, attachmentId: string): readonly string[] {
  const seqs = 'SELECT trial_seq FROM attached_outcomes WHERE attachment_id = ?1'
  db.run(
    `UPDATE trials SET outcome = inForce.outcome, score = inForce.score, score_raw = inForce.score_raw,
       scores = inForce.scores, scorer = inForce.scorer
     FROM (
       SELECT imported.trial_seq AS trial_seq,
         coalesce(attached.outcome, imported.outcome) AS outcome,
         CASE WHEN attached.outcome IS NULL THEN imported.score ELSE attached.score END AS score,
         coalesce(attached.score_raw, imported.score_raw) AS score_raw,
         CASE WHEN attached.outcome IS NULL THEN imported.scores
           ELSE json_patch(imported.scores, attached.scores) END AS scores,
         CASE WHEN attached.outcome IS NULL THEN imported.scorer ELSE attached.scorer END AS scorer
       FROM imported_outcomes AS imported LEFT JOIN attached_outcomes AS attached
         ON attached.trial_seq = imported.trial_seq AND attached.attachment_id = (
           SELECT attachments.id FROM attached_outcomes AS later JOIN attachments ON attachments.id = attachment_id
           WHERE later.trial_seq = imported.trial_seq AND undone_at IS NULL ORDER BY attachments.seq DESC LIMIT 1)
       WHERE imported.trial_seq IN (${seqs})
     ) AS inForce WHERE trials.seq = inForce.trial_seq`,
    attachmentId,
  )
  db.run(`DELETE FROM rule_events WHERE trial_seq IN (${seqs})`, attachmentId)
  db.run(`DELETE FROM judgements WHERE trial_seq IN (${seqs})`, attachmentId)
  return db
    .rows<[string]>(`SELECT DISTINCT task_id FROM trials WHERE seq IN (${seqs})`, attachmentId)
    .map(([taskId]) => taskId)
}

/** An attaching with how many trials it has an outcome for. */
export type AttachmentRecord = AttachmentHead & { readonly isUndone: boolean; readonly trials: number }

/** All attachings that have a trial which is not deleted, newest first. */
export function allAttachments(db: ReadableDb): readonly AttachmentRecord[] {
  return db
    .all<Omit<AttachmentRecord, 'isUndone'> & { undoneAt: string | null }>(
      `SELECT id, attached_at AS attachedAt, undone_at AS undoneAt, source, format, scorer, threshold, rows,
         (SELECT count(*) FROM attached_outcomes WHERE attachment_id = id) AS trials
       FROM attachments WHERE EXISTS (
         SELECT 1 FROM attached_outcomes JOIN trials ON trials.seq = trial_seq
         WHERE attachment_id = attachments.id AND deleted_at IS NULL)
       ORDER BY seq DESC`,
    )
    .map(({ undoneAt, ...row }) => ({ ...row, isUndone: undoneAt !== null }))
}

/** Where a trial's outcome came from when it was attached, and what was imported. */
export type AttachedOutcome = {
  readonly imported: Outcome
  readonly source: string
  readonly file: string
  readonly line: number | null
  readonly rule: string
}

/** The attached outcomes in force of a task's trials: trial id → where from. */
export function attachedOfTask(db: ReadableDb, taskId: string): ReadonlyMap<string, AttachedOutcome> {
  const rows = db.all<AttachedOutcome & { trialId: string }>(
    `SELECT trials.id AS trialId, imported.outcome AS imported, attachments.source AS source, attached.file AS file,
       attached.line AS line, attached.rule AS rule
     FROM trials JOIN imported_outcomes AS imported ON imported.trial_seq = trials.seq
       JOIN attached_outcomes AS attached ON attached.trial_seq = trials.seq
       JOIN attachments ON attachments.id = attached.attachment_id
     WHERE task_id = ? AND undone_at IS NULL ORDER BY attachments.seq`,
    taskId,
  )
  // The latest wins, as in `settle`.
  return new Map(rows.map(({ trialId, ...one }) => [trialId, one]))
}
