// Annotations: written by people, so durable when a save returns, never overwritten unseen (revisions), never lost
// (every state is kept in the history, also that of a deleted one).

import * as v from 'valibot'
import { Fault } from '../../base/fault.ts'
import { annotationDraftSchema, type Annotation, type AnnotationDraft } from '../../model/annotation.ts'
import type { ReadableDb, WritableDb } from './connection.ts'

/** States of one annotation that are kept; saving as one types makes many. */
const HISTORY_LIMIT = 500

const bodySchema = v.object({
  ...annotationDraftSchema.entries,
  leadShown: v.nullable(v.string()),
  algorithm: v.nullable(v.string()),
})

type Row = {
  readonly id: string
  readonly trialId: string
  readonly revision: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly body: string
}

function annotationOf({ body, ...row }: Row): Annotation {
  return { ...row, ...v.parse(bodySchema, JSON.parse(body)) }
}

const COLUMNS = `annotations.id AS id, trials.id AS trialId, annotations.revision AS revision,
  created_at AS createdAt, updated_at AS updatedAt, body`

/** Annotations of trials that are not deleted (of one task when given), by task, configuration and number. */
export function allAnnotations(db: ReadableDb, taskId: string | null): readonly Annotation[] {
  return db
    .all<Row>(
      `SELECT ${COLUMNS} FROM annotations JOIN trials ON trials.seq = trial_seq
       WHERE annotations.deleted_at IS NULL AND trials.deleted_at IS NULL AND (?1 IS NULL OR task_id = ?1)
       ORDER BY task_id, configuration_id, number`,
      taskId,
    )
    .map(annotationOf)
}

/** What the task table and the lanes show of annotations: one entry per annotated trial. */
export type AnnotationState = {
  readonly trialId: string
  readonly taskId: string
  readonly revision: number
  readonly severity: AnnotationDraft['severity']
  readonly causes: readonly string[]
}

/** The annotation states of all trials that are not deleted (of one task when given). */
export function annotationStates(db: ReadableDb, taskId: string | null = null): readonly AnnotationState[] {
  return db
    .all<Omit<AnnotationState, 'causes'> & { causes: string }>(
      `SELECT trials.id AS trialId, task_id AS taskId, annotations.revision AS revision, severity, causes
       FROM annotations JOIN trials ON trials.seq = trial_seq
       WHERE annotations.deleted_at IS NULL AND trials.deleted_at IS NULL AND (?1 IS NULL OR task_id = ?1)`,
      taskId,
    )
    .map((row) => ({ ...row, causes: JSON.parse(row.causes) as string[] }))
}

/** How many annotations there are of trials that are not deleted. */
export function countAnnotations(db: ReadableDb): number {
  return db.value<number>(
    `SELECT count(*) FROM annotations JOIN trials ON trials.seq = trial_seq
     WHERE annotations.deleted_at IS NULL AND trials.deleted_at IS NULL`,
  )
}

type Stored = { readonly id: string; readonly revision: number; readonly deletedAt: string | null }

function stored(db: ReadableDb, trialSeq: number): Stored | undefined {
  return db.get<Stored>(
    'SELECT id, revision, deleted_at AS deletedAt FROM annotations WHERE trial_seq = ?',
    trialSeq,
  )
}

function trialSeq(db: ReadableDb, trialId: string): number {
  const row = db.get<{ seq: number }>('SELECT seq FROM trials WHERE id = ? AND deleted_at IS NULL', trialId)
  if (row === undefined) {
    throw new Fault('NOT_FOUND', 'The trial of this annotation is not in the workspace.', {
      where: trialId,
      hint: 'It may have been deleted. Copy the text before you leave.',
    })
  }
  return row.seq
}

function current(db: ReadableDb, seq: number): Annotation | null {
  const row = db.get<Row>(
    `SELECT ${COLUMNS} FROM annotations JOIN trials ON trials.seq = trial_seq
     WHERE trial_seq = ? AND annotations.deleted_at IS NULL`,
    seq,
  )
  return row === undefined ? null : annotationOf(row)
}

/** Throws CONFLICT, with both texts in its details, when the person saw another revision than the stored one. */
function refuseOld(
  db: ReadableDb,
  seq: number,
  known: Stored | undefined,
  seen: number,
  yours: unknown,
): void {
  const revision = known?.revision ?? 0
  // A deleted one is seen as none: starting afresh is not overwriting.
  if (seen === revision || (known?.deletedAt != null && seen === 0)) return
  throw new Fault(
    'CONFLICT',
    'This annotation was changed in another window or program since you opened it.',
    {
      hint: 'Look at both texts and decide which one to keep.',
      details: { current: current(db, seq), yours, revision },
    },
  )
}

/** What a save writes. */
export type AnnotationSave = {
  readonly trialId: string
  /** The revision that the person saw; 0: none. */
  readonly revision: number
  readonly draft: AnnotationDraft
  readonly leadShown: string | null
  readonly algorithm: string | null
  readonly newId: string
  readonly now: string
}

/** Saves an annotation; on the disk when it returns. Throws CONFLICT or NOT_FOUND. */
export function saveAnnotation(db: WritableDb, save: AnnotationSave): Annotation {
  return db.durable(() => {
    const seq = trialSeq(db, save.trialId)
    const known = stored(db, seq)
    refuseOld(db, seq, known, save.revision, save.draft)
    const id = known?.id ?? save.newId
    const revision = (known?.revision ?? 0) + 1
    const body = JSON.stringify({ ...save.draft, leadShown: save.leadShown, algorithm: save.algorithm })
    db.run(
      `INSERT INTO annotations (id, trial_seq, revision, created_at, updated_at, severity, causes, body)
       VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6, ?7)
       ON CONFLICT (id) DO UPDATE SET revision = ?3, updated_at = ?4, severity = ?5, causes = ?6, body = ?7,
         created_at = CASE WHEN deleted_at IS NULL THEN created_at ELSE ?4 END, deleted_at = NULL`,
      id,
      seq,
      revision,
      save.now,
      save.draft.severity,
      JSON.stringify(save.draft.causes),
      body,
    )
    db.run('INSERT INTO annotation_history VALUES (?, ?, ?, ?)', id, revision, save.now, body)
    db.run(
      'DELETE FROM annotation_history WHERE annotation_id = ? AND revision <= ?',
      id,
      revision - HISTORY_LIMIT,
    )
    const saved = current(db, seq)
    if (saved === null) throw new Error('The annotation is not there after it was saved')
    return saved
  })
}

/** Deletes an annotation; its history stays, so that it can be saved again. Throws CONFLICT or NOT_FOUND. */
export function deleteAnnotation(
  db: WritableDb,
  remove: { readonly trialId: string; readonly revision: number; readonly now: string },
): { readonly revision: number } {
  return db.durable(() => {
    const seq = trialSeq(db, remove.trialId)
    const known = stored(db, seq)
    if (known === undefined || known.deletedAt !== null)
      throw new Fault('NOT_FOUND', 'This trial has no annotation.', { where: remove.trialId })
    refuseOld(db, seq, known, remove.revision, null)
    const revision = known.revision + 1
    db.run(
      'UPDATE annotations SET revision = ?, updated_at = ?, deleted_at = ? WHERE id = ?',
      revision,
      remove.now,
      remove.now,
      known.id,
    )
    return { revision }
  })
}

/** Earlier states of a trial's annotation, newest first; the present state is not among them. */
export function annotationHistory(db: ReadableDb, trialId: string): readonly Annotation[] {
  return db
    .all<Row>(
      `SELECT annotations.id AS id, trials.id AS trialId, annotation_history.revision AS revision,
         created_at AS createdAt, saved_at AS updatedAt, annotation_history.body AS body
       FROM annotation_history JOIN annotations ON annotations.id = annotation_id
         JOIN trials ON trials.seq = trial_seq
       WHERE trials.id = ?
         AND (annotations.deleted_at IS NOT NULL OR annotation_history.revision < annotations.revision)
       ORDER BY annotation_history.revision DESC`,
      trialId,
    )
    .map(annotationOf)
}
