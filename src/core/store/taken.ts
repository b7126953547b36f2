// What "delete everything" takes beside trials and import runs: the rules with their history, and what was chosen for
// the data of this workspace. Until it is erased it is as if it were not there, and can be brought back whole. What
// was taken stands in one row of `settings`: the rows of the rules stay where they are, so that what hangs on them does.

import type { ReadableDb, WritableDb } from './connection.ts'

const KEY = 'taken'

/** Settings that say something about the data: field names that a person chose, the workspace's own taxonomy. */
const OF_THE_DATA = ['outcomeChoices', 'configurationEdits', 'taxonomy'] as const

type Taken = {
  /** Ids of rules, removed ones included: their history goes, too. */
  readonly rules: readonly string[]
  /** Setting → its value as stored. */
  readonly settings: { readonly [key: string]: string }
}

/** SQL: the ids of the rules that were taken. */
export const TAKEN_RULES = `(SELECT value FROM json_each((SELECT value FROM settings WHERE key = '${KEY}'), '$.rules'))`

function load(db: ReadableDb): Taken | null {
  const row = db.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', KEY)
  return row === undefined ? null : (JSON.parse(row.value) as Taken)
}

/** True when something was taken and is neither brought back nor erased. */
export function hasTaken(db: ReadableDb): boolean {
  return load(db) !== null
}

/** Rules that were taken and would come back; those that a person had removed before are not counted. */
export function countTakenRules(db: ReadableDb): number {
  return db.value<number>(`SELECT count(*) FROM rules WHERE deleted_at IS NULL AND id IN ${TAKEN_RULES}`)
}

/** Takes everything beside trials and runs, more than before when it was done before; inside a transaction. */
export function take(db: WritableDb): void {
  const before = load(db)
  const rules = db.rows<[string]>('SELECT id FROM rules ORDER BY seq').map(([id]) => id)
  const settings = db.rows<[string, string]>(
    'SELECT key, value FROM settings WHERE key IN (SELECT value FROM json_each(?))',
    JSON.stringify(OF_THE_DATA),
  )
  const taken: Taken = {
    rules,
    settings: settings.reduce((all, [key, value]) => merged(all, key, value), before?.settings ?? {}),
  }
  db.run('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)', KEY, JSON.stringify(taken))
  db.run(
    'DELETE FROM settings WHERE key IN (SELECT value FROM json_each(?))',
    JSON.stringify(settings.map(([key]) => key)),
  )
}

/** Brings back what was taken; what was chosen since stays beside it. Inside a transaction. Gives how many rules. */
export function giveBack(db: WritableDb): number {
  const taken = load(db)
  if (taken === null) return 0
  const rules = countTakenRules(db)
  for (const [key, value] of Object.entries(taken.settings)) {
    const newer = db.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', key)
    const both = newer === undefined ? value : (merged({ [key]: value }, key, newer.value)[key] ?? value)
    db.run('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)', key, both)
  }
  db.run('DELETE FROM settings WHERE key = ?', KEY)
  return rules
}

/** Removes what was taken for good, inside a transaction. Gives how many rules, removed ones not counted. */
export function eraseTaken(db: WritableDb): number {
  const rules = countTakenRules(db)
  // Their history and their events go with them.
  db.run(`DELETE FROM rules WHERE id IN ${TAKEN_RULES}`)
  db.run(`DELETE FROM settings WHERE key IN (?, 'recentViews')`, KEY)
  return rules
}

/** Two states of one setting as one: both are objects by name, the later one wins where both say something. */
function merged(settings: Taken['settings'], key: string, later: string): Taken['settings'] {
  const before = settings[key]
  const value = before === undefined ? later : JSON.stringify({ ...JSON.parse(before), ...JSON.parse(later) })
  return { ...settings, [key]: value }
}
