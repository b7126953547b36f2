// Rules: written by people, so durable when a save returns, never overwritten unseen (revisions), never lost (every
// state is kept, also that of a removed one). What they find in trials is judgements.ts.

import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { Fault } from '../../base/fault.ts'
import { draftOf, ruleDraftSchema, type Rule, type RuleDraft } from '../../model/rules.ts'
import type { ReadableDb, WritableDb } from './connection.ts'
import { TAKEN_RULES } from './taken.ts'

/** States of one rule that are kept. */
const HISTORY_LIMIT = 500

type Row = {
  readonly id: string
  readonly revision: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly body: string
}

function ruleOf({ body, ...row }: Row): Rule {
  return { ...v.parse(ruleDraftSchema, JSON.parse(body)), ...row }
}

const COLUMNS = 'id, revision, created_at AS createdAt, updated_at AS updatedAt, body'

/** What "delete everything" took is as if it never was, until it is brought back. */
const IS_HERE = `id NOT IN ${TAKEN_RULES}`

/** All rules that are not removed, in the order in which they were made. */
export function allRules(db: ReadableDb): readonly Rule[] {
  return db
    .all<Row>(`SELECT ${COLUMNS} FROM rules WHERE deleted_at IS NULL AND ${IS_HERE} ORDER BY seq`)
    .map(ruleOf)
}

/** How many rules there are, removed ones not counted. */
export function countRules(db: ReadableDb): number {
  return db.value<number>(`SELECT count(*) FROM rules WHERE deleted_at IS NULL AND ${IS_HERE}`)
}

/** One rule, null when it is removed or never was. */
export function ruleById(db: ReadableDb, id: string): Rule | null {
  const row = db.get<Row>(
    `SELECT ${COLUMNS} FROM rules WHERE id = ? AND deleted_at IS NULL AND ${IS_HERE}`,
    id,
  )
  return row === undefined ? null : ruleOf(row)
}

/** An id for a new rule. */
export function newRuleId(): string {
  return `r${randomUUID().replaceAll('-', '').slice(0, 19)}`
}

function isTaken(db: ReadableDb, id: string): boolean {
  return db.value<number>(`SELECT ? IN ${TAKEN_RULES}`, id) === 1
}

type Stored = { readonly revision: number; readonly deletedAt: string | null }

function stored(db: ReadableDb, id: string): Stored | undefined {
  return db.get<Stored>(`SELECT revision, deleted_at AS deletedAt FROM rules WHERE id = ? AND ${IS_HERE}`, id)
}

/** Throws CONFLICT, with both rules in its details, when the person saw another revision than the stored one. */
function refuseOld(db: ReadableDb, id: string, known: Stored, seen: number, yours: RuleDraft | null): void {
  if (seen === known.revision) return
  throw new Fault('CONFLICT', 'This rule was changed in another window or program since you looked at it.', {
    where: id,
    hint: 'Look at the rule as it is now, then change it again.',
    details: { current: ruleById(db, id), yours, revision: known.revision },
  })
}

/** A state of a rule to be written; draft null removes it. `seen` null: whatever is there. */
export type RuleChange = {
  readonly id: string
  readonly draft: RuleDraft | null
  readonly seen: number | null
}

/** What a change made of a rule. */
export type ChangedRule = { readonly ruleId: string; readonly revision: number; readonly rule: Rule | null }

/**
 * Writes changes in one transaction, all or none; on the disk when it returns. A new id makes a rule; the id of a rule
 * that was deleted with everything makes one under another id, so that both can be there. Throws CONFLICT for an old
 * revision, NOT_FOUND for removing what is not there.
 */
export function writeRules(
  db: WritableDb,
  changes: readonly RuleChange[],
  now: string,
): readonly ChangedRule[] {
  return db.durable(() => changes.map((change) => writeRule(db, change, now)))
}

function writeRule(db: WritableDb, { id: asked, draft, seen }: RuleChange, now: string): ChangedRule {
  const known = stored(db, asked)
  const id = known === undefined && isTaken(db, asked) ? newRuleId() : asked
  if (draft === null && (known === undefined || known.deletedAt !== null)) throw noRule(id)
  if (known !== undefined && seen !== null) refuseOld(db, id, known, seen, draft)
  if (known === undefined && seen !== null && seen > 0) throw noRule(id)
  const revision = (known?.revision ?? 0) + 1
  const body = draft === null ? null : JSON.stringify(draft)
  if (known === undefined) {
    db.run(
      `INSERT INTO rules (id, seq, revision, created_at, updated_at, body)
       SELECT ?, coalesce(max(seq), 0) + 1, 1, ?, ?, ? FROM rules`,
      id,
      now,
      now,
      body,
    )
  } else {
    // A removed rule keeps its last body, so that a state without one is never read.
    db.run(
      'UPDATE rules SET revision = ?, updated_at = ?, deleted_at = ?, body = coalesce(?, body) WHERE id = ?',
      revision,
      now,
      draft === null ? now : null,
      body,
      id,
    )
  }
  db.run('INSERT INTO rule_history VALUES (?, ?, ?, ?)', id, revision, now, body)
  db.run('DELETE FROM rule_history WHERE rule_id = ? AND revision <= ?', id, revision - HISTORY_LIMIT)
  return { ruleId: id, revision, rule: ruleById(db, id) }
}

/** A state that a rule had; draft null: it was removed. */
export type RuleState = {
  readonly revision: number
  readonly savedAt: string
  readonly draft: RuleDraft | null
}

/** Every kept state of a rule, newest first, the present one first of all. NOT_FOUND when it never was. */
export function ruleHistory(db: ReadableDb, id: string): readonly RuleState[] {
  if (stored(db, id) === undefined) throw noRule(id)
  return db
    .all<{ revision: number; savedAt: string; body: string | null }>(
      'SELECT revision, saved_at AS savedAt, body FROM rule_history WHERE rule_id = ? ORDER BY revision DESC',
      id,
    )
    .map(({ body, ...state }) => ({
      ...state,
      draft: body === null ? null : v.parse(ruleDraftSchema, JSON.parse(body)),
    }))
}

/**
 * Takes changes back: each rule gets the state that it had before `revision` (none: it is removed), as a new
 * revision. Undoing an undo is redoing. Throws CONFLICT when a rule was changed since, unless it says again what it said
 * then: changes that were taken back one after the other are no obstacle to the one before them.
 */
export function undoRules(
  db: WritableDb,
  changes: readonly { readonly ruleId: string; readonly revision: number }[],
  now: string,
): readonly ChangedRule[] {
  return db.durable(() =>
    changes.flatMap(({ ruleId, revision }) => {
      const known = stored(db, ruleId)
      if (known === undefined) throw noRule(ruleId)
      const history = ruleHistory(db, ruleId)
      const made = history.find((state) => state.revision === revision)
      const isAsMade = made !== undefined && isSameState(made.draft, history[0]?.draft ?? null)
      if (!isAsMade) refuseOld(db, ruleId, known, revision, null)
      const before = history.find((state) => state.revision < revision)
      const draft = before?.draft ?? null
      // It was not there before and is not there now: nothing to take back.
      if (draft === null && known.deletedAt !== null) return []
      return [writeRule(db, { id: ruleId, draft, seen: known.revision }, now)]
    }),
  )
}

function isSameState(a: RuleDraft | null, b: RuleDraft | null): boolean {
  return a === null || b === null ? a === b : isSameDraft(a, b)
}

/** True when two drafts say the same. */
export function isSameDraft(a: RuleDraft, b: RuleDraft): boolean {
  return JSON.stringify(v.parse(ruleDraftSchema, a)) === JSON.stringify(v.parse(ruleDraftSchema, b))
}

/** The rule that says the same as a draft, if there is one. */
export function ruleLike(rules: readonly Rule[], draft: RuleDraft): Rule | undefined {
  return rules.find((rule) => isSameDraft(draftOf(rule), draft))
}

function noRule(id: string): Fault {
  return new Fault('NOT_FOUND', 'There is no such rule in the workspace.', {
    where: id,
    hint: 'It may have been removed in another window. `faultline rules list` lists them.',
  })
}
