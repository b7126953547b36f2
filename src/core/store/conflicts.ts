// Records of one source id with different content: attempts of one trial, conflicts, and what a person decided. Keeps
// the flags on trials (`is_conflict`: does not count; `attempt_of`) true to what is there. Writing is only inside
// `db.write` or a function that says it is one.

import type { Outcome } from '../../model/outcome.ts'
import type { ReadableDb, WritableDb } from './connection.ts'

/** What the living records of one source id are to each other. */
export type Standing = 'single' | 'attempts' | 'conflict' | 'resolved'

/** What a person keeps of a conflict: one trial by id, or all of them. */
export type Keep = string

/** Keeps every trial of a conflict. */
export const KEEP_BOTH: Keep = 'both'

type Member = {
  readonly seq: number
  readonly id: string
  readonly outcome: Outcome
  readonly startedMs: number | null
}

type Choice = { readonly keep: Keep; readonly members: readonly string[] }

function membersOf(db: ReadableDb, sourceKey: string): readonly Member[] {
  return db.all<Member>(
    `SELECT seq, id, coalesce((SELECT outcome FROM imported_outcomes WHERE trial_seq = seq), outcome) AS outcome,
       started_ms AS startedMs
     FROM trials WHERE source_key = ? AND deleted_at IS NULL ORDER BY seq`,
    sourceKey,
  )
}

function choiceOf(db: ReadableDb, sourceKey: string, members: readonly Member[]): Choice | null {
  const row = db.get<{ keep: string; members: string }>(
    'SELECT keep, members FROM conflict_choices WHERE source_key = ?',
    sourceKey,
  )
  if (row === undefined) return null
  const known = new Set(JSON.parse(row.members) as string[])
  // A record that the person has not seen opens the question again.
  if (members.some(({ id }) => !known.has(id))) return null
  if (row.keep !== KEEP_BOTH && members.every(({ id }) => id !== row.keep)) return null
  return { keep: row.keep, members: [...known] }
}

/**
 * The one that counts when the others are earlier attempts: all but one ended by an error, and none of those after it.
 * Of errors alone the latest counts. Null when they contradict each other.
 */
function lastAttempt(members: readonly Member[]): Member | null {
  const ended = members.filter(({ outcome }) => outcome !== 'error')
  if (ended.length > 1) return null
  const [only] = ended
  if (only === undefined)
    return members.toSorted((a, b) => (a.startedMs ?? 0) - (b.startedMs ?? 0) || a.seq - b.seq).at(-1) ?? null
  const { startedMs } = only
  const isLater = (other: Member): boolean =>
    startedMs !== null && other.startedMs !== null && other.startedMs > startedMs
  return members.some((other) => other !== only && isLater(other)) ? null : only
}

/** Sets the flags of all living trials of a source key, and says what they are to each other. Only inside `db.write`. */
export function settleConflict(db: WritableDb, sourceKey: string): Standing {
  const members = membersOf(db, sourceKey)
  const choice = members.length > 1 ? choiceOf(db, sourceKey, members) : null
  const last = members.length > 1 && choice === null ? lastAttempt(members) : null
  const standing: Standing =
    members.length < 2 ? 'single' : choice !== null ? 'resolved' : last !== null ? 'attempts' : 'conflict'
  for (const member of members) {
    const isAside =
      standing === 'conflict' ||
      (choice !== null && choice.keep !== KEEP_BOTH && choice.keep !== member.id) ||
      (last !== null && last !== member)
    const attemptOf = isAside && last !== null ? last.seq : null
    db.run(
      `UPDATE trials SET is_conflict = ?1, attempt_of = ?2
       WHERE seq = ?3 AND (is_conflict <> ?1 OR attempt_of IS NOT ?2)`,
      isAside ? 1 : 0,
      attemptOf,
      member.seq,
    )
  }
  return standing
}

/** A source id whose records contradict each other. */
export type ConflictRecord = {
  readonly sourceKey: string
  /** Null while it is open. */
  readonly keep: Keep | null
  readonly trialIds: readonly string[]
  readonly taskId: string
}

/** Conflicts, open ones first, then those that a person decided; in order of arrival. */
export function allConflicts(db: ReadableDb): readonly ConflictRecord[] {
  const rows = db.rows<[string, string, string, number, number | null, string | null]>(
    `SELECT source_key, id, task_id, is_conflict, attempt_of, keep
     FROM trials LEFT JOIN conflict_choices USING (source_key)
     WHERE deleted_at IS NULL AND source_key IN (
       SELECT source_key FROM trials WHERE source_key IS NOT NULL AND deleted_at IS NULL
       GROUP BY source_key HAVING count(*) > 1 AND sum(attempt_of IS NOT NULL) = 0)
     ORDER BY seq`,
  )
  const found = [...Map.groupBy(rows, ([key]) => key)].map(([sourceKey, members]): ConflictRecord => {
    const [, , taskId, , , keep] = members[0] as (typeof members)[number]
    const isOpen = members.every(([, , , isAside]) => isAside === 1)
    return { sourceKey, keep: isOpen ? null : keep, trialIds: members.map(([, id]) => id), taskId }
  })
  return [...found.filter(({ keep }) => keep === null), ...found.filter(({ keep }) => keep !== null)]
}

/**
 * Writes what a person decided (null takes the decision back); on the disk when it returns. False when there is no
 * such conflict, or the trial is not in it.
 */
export function chooseConflict(db: WritableDb, sourceKey: string, keep: Keep | null, now: string): boolean {
  return db.durable(() => {
    const members = membersOf(db, sourceKey).map(({ id }) => id)
    if (members.length < 2) return false
    if (keep !== null && keep !== KEEP_BOTH && !members.includes(keep)) return false
    if (keep === null) db.run('DELETE FROM conflict_choices WHERE source_key = ?', sourceKey)
    else
      db.run(
        'INSERT OR REPLACE INTO conflict_choices VALUES (?, ?, ?, ?)',
        sourceKey,
        keep,
        JSON.stringify(members),
        now,
      )
    settleConflict(db, sourceKey)
    return true
  })
}
