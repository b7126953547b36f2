// Connections to a workspace file as two branded types: a query function that takes a ReadableDb cannot be handed
// work that writes. Statements are prepared once per text. Knows SQLite and no table.

import { statSync } from 'node:fs'
import type Sqlite from 'better-sqlite3'
import { Fault } from '../../base/fault.ts'

declare const canRead: unique symbol
declare const canWrite: unique symbol

/** What SQLite takes as a bound value. Booleans are written as 0 and 1 by the caller. */
export type Bound = string | number | bigint | null | Uint8Array

/** A connection that queries may be asked of. */
export type ReadableDb = {
  readonly [canRead]: true
  readonly path: string
  /** All rows as objects. Throws when the statement writes. */
  all<Row>(sql: string, ...bound: Bound[]): Row[]
  /** The first row, or undefined. */
  get<Row>(sql: string, ...bound: Bound[]): Row | undefined
  /** All rows as arrays in column order: the fast way for thousands of rows. */
  rows<Row extends readonly unknown[]>(sql: string, ...bound: Bound[]): Row[]
  /** The first column of the first row; throws when there is no row. */
  value<Value>(sql: string, ...bound: Bound[]): Value
  /** A pragma's single value. */
  pragma<Value>(name: string): Value
  /** Asks several questions of one state of the file, whatever is committed meanwhile. Keep it short. */
  read<T>(work: () => T): T
  /** Rises whenever another connection has committed to the file. */
  dataVersion(): number
  isOpen(): boolean
  close(): void
}

/** A connection that may write, too. Every write stands in `write` or `durable`. */
export type WritableDb = ReadableDb & {
  readonly [canWrite]: true
  /** Runs one writing statement; only inside `write` or `durable`. Gives the number of rows changed. */
  run(sql: string, ...bound: Bound[]): number
  /** Runs one INSERT of one row into a table with an integer key; only inside `write` or `durable`. Gives that key. */
  insert(sql: string, ...bound: Bound[]): number
  /** One short transaction; all or nothing. A crash of the machine may lose the last ones, never half of one. */
  write<T>(work: () => T): T
  /** One transaction that is on the disk when it returns: for what a person wrote. */
  durable<T>(work: () => T): T
  /** Statements that cannot stand in a transaction (VACUUM, pragmas) or several at once (migrations). */
  exec(sql: string): void
}

/** Which statements name their values by number; looked at once per text. */
const numbered = new Map<string, boolean>()

/** Values as the statement takes them: `?1` is a name to better-sqlite3, a bare `?` a position. */
function bind(sql: string, bound: readonly Bound[]): readonly unknown[] {
  let isNumbered = numbered.get(sql)
  if (isNumbered === undefined) {
    isNumbered = /\?\d/.test(sql)
    numbered.set(sql, isNumbered)
  }
  if (!isNumbered) return bound
  return [Object.fromEntries(bound.map((value, index) => [String(index + 1), value]))]
}

type Identity = { readonly device: number; readonly inode: number }

/** Which file a name stands for now; null when there is none, or where the file system gives no numbers. */
function identityOf(path: string): Identity | null {
  if (path === ':memory:' || path === '') return null
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined || found.ino === 0 ? null : { device: found.dev, inode: found.ino }
}

function isSame(a: Identity, b: Identity | null): boolean {
  return b !== null && a.device === b.device && a.inode === b.inode
}

/** Wraps an open SQLite handle. Only open.ts calls it. */
export function connectionOf(sqlite: Sqlite.Database): WritableDb {
  const objects = new Map<string, Sqlite.Statement>()
  const arrays = new Map<string, Sqlite.Statement>()
  const prepared = (cache: Map<string, Sqlite.Statement>, sql: string, isRaw: boolean): Sqlite.Statement => {
    let statement = cache.get(sql)
    if (statement === undefined) {
      statement = sqlite.prepare(sql)
      if (isRaw) statement.raw(true)
      cache.set(sql, statement)
    }
    return statement
  }
  const reading = (sql: string, isRaw = false): Sqlite.Statement => {
    const statement = prepared(isRaw ? arrays : objects, sql, isRaw)
    if (!statement.readonly) throw new Error(`A query must not write: ${sql.slice(0, 80)}`)
    return statement
  }
  let home = identityOf(sqlite.name)
  const transaction = <T>(work: () => T): T => {
    home ??= identityOf(sqlite.name)
    // A file that was removed or replaced takes writes without a word, and loses them with the connection.
    if (home !== null && !isSame(home, identityOf(sqlite.name))) {
      throw new Fault('FILE_UNREADABLE', 'The workspace file is no longer where it was opened.', {
        where: sqlite.name,
        hint: 'It was moved, removed or replaced. Put it back under its name and try again; nothing was written.',
      })
    }
    return sqlite.transaction(work).immediate()
  }
  const connection = {
    path: sqlite.name,
    all: <Row>(sql: string, ...bound: Bound[]) => reading(sql).all(...bind(sql, bound)) as Row[],
    get: <Row>(sql: string, ...bound: Bound[]) => reading(sql).get(...bind(sql, bound)) as Row | undefined,
    rows: <Row extends readonly unknown[]>(sql: string, ...bound: Bound[]) =>
      reading(sql, true).all(...bind(sql, bound)) as unknown as Row[],
    value: <Value>(sql: string, ...bound: Bound[]) => {
      const row = reading(sql, true).get(...bind(sql, bound)) as readonly unknown[] | undefined
      if (row === undefined) throw new Error(`No row: ${sql.slice(0, 80)}`)
      return row[0] as Value
    },
    read: <T>(work: () => T) => sqlite.transaction(work).deferred(),
    pragma: <Value>(name: string) => sqlite.pragma(name, { simple: true }) as Value,
    dataVersion: () => sqlite.pragma('data_version', { simple: true }) as number,
    isOpen: () => sqlite.open,
    close: () => void sqlite.close(),
    run: (sql: string, ...bound: Bound[]) => {
      if (!sqlite.inTransaction) throw new Error(`A write outside of a transaction: ${sql.slice(0, 80)}`)
      return prepared(objects, sql, false).run(...bind(sql, bound)).changes
    },
    insert: (sql: string, ...bound: Bound[]) => {
      if (!sqlite.inTransaction) throw new Error(`A write outside of a transaction: ${sql.slice(0, 80)}`)
      return Number(prepared(objects, sql, false).run(...bind(sql, bound)).lastInsertRowid)
    },
    write: transaction,
    durable: <T>(work: () => T) => {
      // Inside another transaction the pragma has no effect; nesting one would silently not be durable.
      if (sqlite.inTransaction) throw new Error('A durable write must be the outermost transaction.')
      sqlite.pragma('synchronous = FULL')
      try {
        return transaction(work)
      } finally {
        sqlite.pragma('synchronous = NORMAL')
      }
    },
    exec: (sql: string) => void sqlite.exec(sql),
  }
  // The brands exist for the compiler only.
  return connection as unknown as WritableDb
}
