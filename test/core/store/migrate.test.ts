// Migrations on real files: fresh equals migrated, a copy before, all or nothing, newer files refused untouched.

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Fault } from '../../../src/base/fault.ts'
import type { ReadableDb } from '../../../src/core/store/connection.ts'
import { backupPath, MIGRATIONS, SCHEMA_VERSION, type Migration } from '../../../src/core/store/migrate.ts'
import { openReader, openWriter } from '../../../src/core/store/open.ts'
import { indexState, keepWords, waitingForIndex } from '../../../src/core/store/searchindex.ts'
import { codeThrown, temporaryFolder } from '../opened.ts'

const appVersion = '0.1.0'
const [first] = MIGRATIONS
if (first === undefined) throw new Error('There is no first migration')
const second: Migration = {
  version: 2,
  name: 'second',
  sql: `ALTER TABLE tasks ADD COLUMN colour TEXT; CREATE INDEX tasks_by_colour ON tasks (colour);`,
}
const third: Migration = { version: 3, name: 'third', sql: 'CREATE TABLE pens (id TEXT PRIMARY KEY) STRICT;' }

const schemaOf = (db: ReadableDb) =>
  db.all('SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name')

test('migration 1 makes the schema: every table is STRICT and the pragmas hold', () => {
  const db = openWriter(join(temporaryFolder(), 'a.fault'), { appVersion })
  expect(db.pragma('user_version')).toBe(SCHEMA_VERSION)
  expect(db.pragma('journal_mode')).toBe('wal')
  expect(db.pragma('foreign_keys')).toBe(1)
  expect(db.pragma('trusted_schema')).toBe(0)
  expect(db.pragma('busy_timeout')).toBe(5000)
  const tables = db.all<{ name: string; strict: number }>(
    `SELECT name, strict FROM pragma_table_list
     WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'`,
  )
  expect(tables.length).toBeGreaterThan(10)
  expect(tables.filter((table) => table.strict !== 1)).toEqual([])
  db.close()
})

test('opening again changes nothing and makes no copy', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'a.fault')
  openWriter(path, { appVersion }).close()
  const before = readFileSync(path)
  openWriter(path, { appVersion }).close()
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(readdirSync(folder)).toEqual(['a.fault'])
})

test('a migrated file equals a fresh one, and a copy of the old one lies beside it', () => {
  const folder = temporaryFolder()
  const old = join(folder, "it's old.fault")
  const migrations = [first, second, third]
  const db = openWriter(old, { appVersion, migrations: [first] })
  db.write(() => db.run(`INSERT INTO tasks (id, suite, task) VALUES ('k1', 's', 't')`))
  db.close()
  const migrated = openWriter(old, { appVersion, migrations })
  const fresh = openWriter(join(folder, 'fresh.fault'), { appVersion, migrations })
  expect(schemaOf(migrated)).toEqual(schemaOf(fresh))
  expect(migrated.pragma('user_version')).toBe(3)
  expect(migrated.all('SELECT id, colour FROM tasks')).toEqual([{ id: 'k1', colour: null }])
  migrated.close()
  fresh.close()
  const copy = backupPath(old, 2)
  expect(existsSync(copy)).toBe(true)
  expect(existsSync(backupPath(old, 3))).toBe(false)
  expect(existsSync(`${copy}.part`)).toBe(false)
  const before = openWriter(copy, { appVersion, migrations: [first] })
  expect(before.pragma('user_version')).toBe(1)
  expect(before.all('SELECT id FROM tasks')).toEqual([{ id: 'k1' }])
  before.close()
})

test('pending migrations are one transaction: a broken one leaves the file as it was', () => {
  const path = join(temporaryFolder(), 'a.fault')
  openWriter(path, { appVersion, migrations: [first] }).close()
  const broken: Migration = { version: 3, name: 'broken', sql: 'CREATE TABLE nonsense (id NONSENSE) STRICT;' }
  expect(() => openWriter(path, { appVersion, migrations: [first, second, broken] })).toThrow()
  const db = openWriter(path, { appVersion, migrations: [first] })
  expect(db.pragma('user_version')).toBe(1)
  expect(db.all(`SELECT name FROM pragma_table_info('tasks') WHERE name = 'colour'`)).toEqual([])
  db.close()
})

test('the order of migrations is asserted', () => {
  const path = join(temporaryFolder(), 'a.fault')
  expect(() => openWriter(path, { appVersion, migrations: [first, third] })).toThrow(
    'third stands at place 2',
  )
})

test('a newer file is refused with both versions named, and not touched', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'a.fault')
  const newer = { ...second, version: SCHEMA_VERSION + 1 }
  openWriter(path, { appVersion, migrations: [...MIGRATIONS, newer] }).close()
  const before = readFileSync(path)
  for (const open of [() => openWriter(path, { appVersion: '0.9.9' }), () => openReader(path, '0.9.9')]) {
    let fault: Fault | null = null
    try {
      open()
    } catch (error) {
      if (error instanceof Fault) fault = error
    }
    expect(fault?.code).toBe('DB_NEWER')
    expect(fault?.message).toContain(`version ${SCHEMA_VERSION + 1}`)
    expect(fault?.message).toContain('0.9.9')
    expect(fault?.message).toContain(`up to ${SCHEMA_VERSION}`)
    expect(fault?.hint).toBeTruthy()
  }
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(readdirSync(folder).filter((name) => name.includes('before'))).toEqual([])
})

test('a reader cannot write, and a query cannot hide a write', () => {
  const path = join(temporaryFolder(), 'a.fault')
  const db = openWriter(path, { appVersion })
  expect(() => db.all(`DELETE FROM tasks`)).toThrow('must not write')
  expect(() => db.run(`DELETE FROM tasks`)).toThrow('outside of a transaction')
  expect(() => db.write(() => db.durable(() => 1))).toThrow('outermost')
  const reader = openReader(path)
  expect(codeThrown(() => reader.all('SELECT * FROM tasks'))).toBeNull()
  expect(() => (reader as typeof db).write(() => (reader as typeof db).run('DELETE FROM tasks'))).toThrow()
  reader.close()
  db.close()
})

test('migration 2 keeps what a workspace held, and knows the tools of its tasks', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'a.fault')
  const old = openWriter(path, { appVersion, migrations: [first] })
  const many = JSON.stringify(Array.from({ length: 100 }, (_, i) => `tool_${i}`))
  old.write(() => {
    old.run(
      `INSERT INTO import_runs (id, seq, started_at, state, host, pid, beat_ms) VALUES ('i', 1, '', 'kept', '', 1, 0)`,
    )
    old.run(`INSERT INTO configurations (id, seq, content) VALUES ('c', 1, '{}')`)
    old.run(`INSERT INTO tasks (id, suite, task) VALUES ('k1', 's', 'one'), ('k2', 's', 'two')`)
    for (const [id, task, tools] of [
      ['t1', 'k1', '["get_order","refund"]'],
      ['t2', 'k1', '["get_order"]'],
      ['t3', 'k2', many],
    ] as const) {
      old.run(
        `INSERT INTO trials (id, task_id, configuration_id, number, outcome, severe_count, step_count, call_count,
           tool_errors, import_id, content_hash, time_naive, score_raw, scores, severe_events, tools)
         VALUES (?1, ?2, 'c', 1, 'fail', 1, 0, 0, 0, 'i', ?1, 0, 'null', '{}', '[]', ?3)`,
        id,
        task,
        tools,
      )
    }
  })
  old.close()
  const db = openWriter(path, { appVersion })
  expect(db.pragma('user_version')).toBe(SCHEMA_VERSION)
  expect(db.rows(`SELECT tool FROM task_tools WHERE task_id = 'k1' ORDER BY tool`)).toEqual([
    ['get_order'],
    ['refund'],
  ])
  // A full list of names is not a whole one.
  expect(db.value(`SELECT count(*) FROM task_tools WHERE task_id = 'k2' AND tool = '*'`)).toBe(1)
  expect(db.value('SELECT count(*) FROM judgements')).toBe(0)
  expect(db.rows(`SELECT id, outcome, severe_count FROM trials ORDER BY id`)).toEqual([
    ['t1', 'fail', 1],
    ['t2', 'fail', 1],
    ['t3', 'fail', 1],
  ])
  expect(existsSync(backupPath(path, 2))).toBe(true)
  db.close()
})

test('migration 6 adds the index of words: every trial that was there waits for it', () => {
  const path = join(temporaryFolder(), 'a.fault')
  const old = openWriter(path, { appVersion, migrations: MIGRATIONS.slice(0, 5) })
  old.write(() => {
    old.run(
      `INSERT INTO import_runs (id, seq, started_at, state, host, pid, beat_ms) VALUES ('i', 1, '', 'kept', '', 1, 0)`,
    )
    old.run(`INSERT INTO configurations (id, seq, content) VALUES ('c', 1, '{}')`)
    old.run(`INSERT INTO tasks (id, suite, task) VALUES ('k1', 's', 'one')`)
    for (const id of ['t1', 't2'])
      old.run(
        `INSERT INTO trials (id, task_id, configuration_id, number, outcome, severe_count, step_count, call_count,
           tool_errors, import_id, content_hash, time_naive, score_raw, scores, severe_events, tools)
         VALUES (?1, 'k1', 'c', 1, 'fail', 1, 0, 0, 0, 'i', ?1, 0, 'null', '{}', '[]', '[]')`,
        id,
      )
  })
  old.close()
  const db = openWriter(path, { appVersion })
  expect(db.pragma('user_version')).toBe(SCHEMA_VERSION)
  expect(indexState(db)).toEqual({ trials: 2, waiting: 2 })
  expect(waitingForIndex(db)).toEqual([2, 1])
  keepWords(db, [{ seq: 2, words: Buffer.from('cancel order ') }], 1)
  expect(waitingForIndex(db)).toEqual([1])
  // Whoever removes a trial removes its words, too.
  db.write(() => db.run(`DELETE FROM trials WHERE id = 't2'`))
  expect(db.rows(`SELECT rowid FROM step_words WHERE step_words MATCH '"cancel"'`)).toEqual([])
  expect(existsSync(backupPath(path, 6))).toBe(true)
  const fresh = openWriter(join(temporaryFolder(), 'fresh.fault'), { appVersion })
  expect(schemaOf(db)).toEqual(schemaOf(fresh))
  fresh.close()
  db.close()
})
