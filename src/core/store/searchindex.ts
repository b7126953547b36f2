// The index of words over the steps of trials: filling it, and choosing from it the trials that may hold a phrase. It
// chooses only: never too few, sometimes too many; whoever asks reads the trials. A trial that is not in it is always
// chosen. What a word is: analysis/search.

import type { PhraseWord } from '../../analysis/search/query.ts'
import type { Outcome } from '../../model/outcome.ts'
import type { Packed } from './blobs.ts'
import type { ReadableDb, WritableDb } from './connection.ts'
import { OUTCOME } from './judgements.ts'

/** How many trials there are, deleted ones included, and how many of them are not in the index. */
export function indexState(db: ReadableDb): { readonly trials: number; readonly waiting: number } {
  const trials = db.value<number>('SELECT count(*) FROM trials')
  return { trials, waiting: trials - db.value<number>('SELECT count(*) FROM indexed_trials') }
}

/** The trials that are not in the index, the newest first. */
export function waitingForIndex(db: ReadableDb): readonly number[] {
  if (indexState(db).waiting === 0) return []
  return db
    .rows<[number]>('SELECT seq FROM trials EXCEPT SELECT trial_seq FROM indexed_trials')
    .map(([seq]) => seq)
    .toReversed()
}

/** A trial on its way to have its words found. `error`: what broke it, as JSON. */
export type PackedForIndex = {
  readonly seq: number
  readonly body: Packed
  readonly error: string | null
}

/**
 * Loads trials by seq until they are `mostBytes` unpacked (one at least); `taken`: how many of the seqs that were. Those
 * that are gone are left out.
 */
export function trialsToIndex(
  db: ReadableDb,
  seqs: readonly number[],
  mostBytes: number,
): { readonly trials: readonly PackedForIndex[]; readonly taken: number } {
  const trials: PackedForIndex[] = []
  let taken = 0
  for (let unpacked = 0; taken < seqs.length && unpacked < mostBytes; taken += 1) {
    const seq = seqs[taken] ?? 0
    const row = db.get<Packed & { error: string | null }>(
      'SELECT bytes, body, error FROM trial_blobs JOIN trials ON seq = trial_seq WHERE trial_seq = ?',
      seq,
    )
    if (row === undefined) continue
    const { bytes, body, error } = row
    unpacked += bytes
    trials.push({ seq, body: { bytes, body }, error })
  }
  return { trials, taken }
}

/** The words of a trial in UTF-8, parted by blanks. */
export type WordsOfTrial = { readonly seq: number; readonly words: Uint8Array }

/** Puts trials into the index, all or none. Those that are gone or already there are left out. */
export function keepWords(db: WritableDb, list: readonly WordsOfTrial[], nowMs: number): void {
  db.write(() => {
    for (const { seq, words } of list) {
      const isNew = db.run(
        `INSERT OR IGNORE INTO indexed_trials (trial_seq, indexed_ms)
         SELECT seq, ?2 FROM trials WHERE seq = ?1`,
        seq,
        nowMs,
      )
      if (isNew > 0) db.run('INSERT INTO step_words (rowid, words) VALUES (?, CAST(? AS TEXT))', seq, words)
    }
  })
}

/** Pages that are joined at once: some milliseconds. */
const MERGE_PAGES = 16

/** Joins some of the pieces in which the index was written; false when there is nothing to join. */
export function mergeWords(db: WritableDb): boolean {
  const changes = (): number => db.value<number>('SELECT total_changes()')
  const before = changes()
  db.write(() => db.run(`INSERT INTO step_words (step_words, rank) VALUES ('merge', ${MERGE_PAGES})`))
  // So SQLite says that it found nothing to do.
  return changes() - before >= 2
}

/**
 * Writes the index anew without the words of trials that are gone: removing a trial only marks them. Inside of a
 * transaction; takes about a second for a hundred megabytes of index.
 */
export function dropForgottenWords(db: WritableDb): void {
  db.run(`INSERT INTO step_words (step_words) VALUES ('optimize')`)
}

/** Words of the index, each between line feeds, and the state of the index that they are of. */
export type Vocabulary = { readonly state: string; readonly text: string }

/** The words of the index; `known` again when the index has not changed. A second for a million of them. */
export function vocabulary(db: ReadableDb, known: Vocabulary | null): Vocabulary {
  const [count = 0, newest = 0, sum = 0] =
    db.rows<[number, number, number]>(
      'SELECT count(*), max(indexed_ms), sum(trial_seq) FROM indexed_trials',
    )[0] ?? []
  const state = `${db.path} ${count} ${newest} ${sum}`
  if (known?.state === state) return known
  const terms = db.rows<[string]>('SELECT term FROM step_terms')
  return { state, text: `\n${terms.map(([term]) => term).join('\n')}\n` }
}

/** A word that begins inside of many words is left to the reading of the trials. */
const MOST_TERMS = 5000
/** Terms that are asked for at once. */
const TERMS_AT_ONCE = 100
/** Words of a phrase that are asked for, the longest first: more of them choose no better. */
const MOST_WORDS = 12
/** Words from this many bytes on may be cut. */
const CUT_BYTES = 61
/** The beginnings of this many characters stand in nearly every trial. */
const LEAST_CHARACTERS = 2

/**
 * The seqs of the indexed trials in which every word of a phrase may stand; null when the words choose nothing and every
 * trial has to be read. Ask within one `read` with the vocabulary.
 */
export function chosenByWords(
  db: ReadableDb,
  words: readonly PhraseWord[],
  terms: Vocabulary,
): ReadonlySet<number> | null {
  const useful = words
    .filter(({ text, place }) => place === 'whole' || text.length >= LEAST_CHARACTERS)
    .toSorted((a, b) => b.text.length - a.text.length)
    .slice(0, MOST_WORDS)
  const led = useful.filter(({ place }) => place === 'whole' || place === 'start')
  const expression = led.map(({ text, place }) => (place === 'whole' ? `"${text}"` : `"${text}"*`))
  let chosen = led.length === 0 ? null : new Set(matching(db, expression.join(' AND ')))
  for (const word of useful) {
    if (word.place === 'whole' || word.place === 'start') continue
    const found = termsAround(terms.text, word)
    if (found === null) continue
    const holding = new Set<number>()
    for (let at = 0; at < found.length; at += TERMS_AT_ONCE) {
      const some = found.slice(at, at + TERMS_AT_ONCE).map((term) => `"${term}"`)
      for (const seq of matching(db, some.join(' OR '))) holding.add(seq)
    }
    const before = chosen
    chosen = before === null ? holding : new Set([...holding].filter((seq) => before.has(seq)))
  }
  return chosen
}

function matching(db: ReadableDb, expression: string): readonly number[] {
  return db
    .rows<[number]>('SELECT rowid FROM step_words WHERE step_words MATCH ?', expression)
    .map(([seq]) => seq)
}

/** The words of the index that end with a word or have it inside; null when there are too many. */
function termsAround(text: string, { text: word, place }: PhraseWord): readonly string[] | null {
  const sought = place === 'end' ? `${word}\n` : word
  const found = new Set<string>()
  for (let at = text.indexOf(sought); at >= 0;) {
    const start = text.lastIndexOf('\n', at) + 1
    const end = text.indexOf('\n', at)
    found.add(text.slice(start, end))
    if (found.size > MOST_TERMS) return null
    at = text.indexOf(sought, end)
  }
  // What stands behind the cut of a long word is not known.
  for (const [term] of text.matchAll(/[^\n]{20,}/g)) if (Buffer.byteLength(term) >= CUT_BYTES) found.add(term)
  return found.size > MOST_TERMS ? null : [...found]
}

/** A trial that can be searched: where it stands, and what is told of it. */
export type SearchableTrial = {
  readonly seq: number
  readonly trialId: string
  readonly taskId: string
  readonly configurationId: string
  readonly number: number
  readonly outcome: Outcome
}

/** The counted trials in scope, of one task or suite (null: all), by configuration and number. */
export function searchableTrials(
  db: ReadableDb,
  within: {
    readonly configurations: readonly string[] | null
    readonly taskId: string | null
    readonly suite: string | null
  },
): readonly SearchableTrial[] {
  const { configurations, taskId, suite } = within
  return db
    .rows<[number, string, string, string, number, Outcome]>(
      `SELECT trials.seq, trials.id, task_id, configuration_id, number, ${OUTCOME}
       FROM trials JOIN tasks ON tasks.id = task_id JOIN configurations ON configurations.id = configuration_id
       WHERE deleted_at IS NULL AND is_conflict = 0
         AND (?1 IS NULL OR task_id = ?1) AND (?2 IS NULL OR suite = ?2)
         AND (?3 IS NULL OR configuration_id IN (SELECT value FROM json_each(?3)))
       ORDER BY configurations.seq, number, trials.seq`,
      taskId,
      suite,
      configurations === null ? null : JSON.stringify(configurations),
    )
    .map(([seq, trialId, task, configurationId, number, outcome]) => ({
      seq,
      trialId,
      taskId: task,
      configurationId,
      number,
      outcome,
    }))
}

/** The seqs of the trials whose words are in the index. */
export function indexedTrials(db: ReadableDb): ReadonlySet<number> {
  return new Set(db.rows<[number]>('SELECT trial_seq FROM indexed_trials').map(([seq]) => seq))
}
