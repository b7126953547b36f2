// The index chooses trials: whatever the texts and the phrase, never fewer than reading all of them would find.

import fc from 'fast-check'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findInTrial } from '../../../src/analysis/search/find.ts'
import { phraseOf } from '../../../src/analysis/search/query.ts'
import { textsOfStep } from '../../../src/analysis/search/steptexts.ts'
import { wordsOf } from '../../../src/analysis/search/words.ts'
import type { Step } from '../../../src/model/trial.ts'
import { foldedFor } from '../../../src/core/services/searching.ts'
import type { WritableDb } from '../../../src/core/store/connection.ts'
import { openWriter } from '../../../src/core/store/open.ts'
import { chosenByWords, keepWords, vocabulary } from '../../../src/core/store/searchindex.ts'
import { temporaryFolder } from '../opened.ts'

const appVersion = '0.1.0'

/** A workspace with `count` empty trials, their seqs from 1 on. */
function workspace(count: number): WritableDb {
  const db = openWriter(join(temporaryFolder(), 'a.fault'), { appVersion })
  onTestFinished(() => db.close())
  db.write(() => {
    db.run(
      `INSERT INTO import_runs (id, seq, started_at, state, host, pid, beat_ms) VALUES ('i', 1, '', 'kept', '', 1, 0)`,
    )
    db.run(`INSERT INTO configurations (id, seq, content) VALUES ('c', 1, '{}')`)
    db.run(`INSERT INTO tasks (id, suite, task) VALUES ('k1', 's', 'one')`)
    for (let i = 1; i <= count; i += 1)
      db.run(
        `INSERT INTO trials (id, task_id, configuration_id, number, outcome, severe_count, step_count, call_count,
           tool_errors, import_id, content_hash, time_naive, score_raw, scores, severe_events, tools)
         VALUES (?1, 'k1', 'c', 1, 'fail', 1, 0, 0, 0, 'i', ?1, 0, 'null', '{}', '[]', '[]')`,
        `t${i}`,
      )
  })
  return db
}

const bodyOf = (steps: readonly Step[]): Buffer => Buffer.from(JSON.stringify({ steps, extra: {} }))

const stepOf = (text: string): Step => ({
  index: 0,
  role: 'assistant',
  kind: 'message',
  text,
  calls: [{ id: null, name: text.slice(0, 9), args: { [text.slice(3)]: [text] } }],
})

/** Texts in which words touch, escape, fold and grow long. */
const piece = fc.oneof(
  fc.constantFrom(
    'cancel_pending_order',
    `KeyError: 'order_id'`,
    'C:\\new\\table\n',
    '"quoted" NEAR * AND',
    'ΟΔΟΣ',
    'İstanbul',
    '\u212aelvin',
    '\ud83d',
    '😀',
    '\u0000',
    'ab',
    'b',
    '  \n\t ',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.stringMatching(/^[aAbB_ \\n"]{1,6}$/),
  fc.stringMatching(/^[ab]{60,70}$/),
)
const textOf = fc.array(piece, { minLength: 1, maxLength: 10 }).map((parts) => parts.join(''))

test('what the index chooses holds every trial that reading finds', () => {
  const trials = 6
  const db = workspace(trials)
  fc.assert(
    fc.property(
      fc.array(textOf, { minLength: trials, maxLength: trials }),
      fc.nat(trials - 1),
      fc.nat(400),
      fc.integer({ min: 1, max: 200 }),
      fc.boolean(),
      (texts, whose, from, length, isStructured) => {
        db.write(() => db.run('DELETE FROM indexed_trials'))
        const bodies = texts.map((text) => [stepOf(text)])
        keepWords(
          db,
          bodies.map((steps, i) => ({ seq: i + 1, words: wordsOf([bodyOf(steps)]) })),
          1,
        )
        // A piece of a text that is there: such a phrase is found somewhere.
        const [, , inJson] = [...textsOfStep(stepOf(texts[whose] ?? ''))]
        const source = isStructured ? (inJson?.text ?? '') : (texts[whose] ?? '')
        const start = source.length === 0 ? 0 : from % source.length
        const phrase = phraseOf(source.slice(start, start + length))
        if (phrase === null) return
        const reading = bodies.flatMap((steps, i) =>
          findInTrial(phrase, steps, null, 1).total > 0 ? [i + 1] : [],
        )
        const chosen = db.read(() => chosenByWords(db, phrase.words, vocabulary(db, null)))
        if (chosen === null) return
        expect(reading.filter((seq) => !chosen.has(seq))).toEqual([])
        // The look without parsing must not lose one either.
        for (const seq of reading) {
          const steps = bodies[seq - 1] ?? []
          expect(phrase.mayStandIn(foldedFor(phrase, bodyOf(steps)))).toBe(true)
        }
      },
    ),
    { numRuns: 600 },
  )
})

test('the index does choose: words, beginnings, ends and insides', () => {
  const db = workspace(4)
  const texts = ['cancel_pending_order now', 'prefix subcancel here', 'unrelated words', 'order 7 of 9']
  keepWords(
    db,
    texts.map((text, i) => ({ seq: i + 1, words: wordsOf([bodyOf([stepOf(text)])]) })),
    1,
  )
  const chosen = (typed: string): number[] | null => {
    const words = phraseOf(typed)?.words ?? []
    const found = db.read(() => chosenByWords(db, words, vocabulary(db, null)))
    return found === null ? null : [...found].toSorted((a, b) => a - b)
  }
  expect(chosen('cancel')).toEqual([1, 2])
  expect(chosen('ancel_pending_ord')).toEqual([1])
  expect(chosen('(cancel)')).toEqual([1])
  expect(chosen('pending order')).toEqual([1])
  expect(chosen('nowhere')).toEqual([])
  // Nothing to choose by: every trial is read.
  expect(chosen('+ "')).toBeNull()
})
