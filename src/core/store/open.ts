// Opens workspace files: the only place that makes a SQLite handle. Looks before it opens (is it there, is it a
// database, is it ours), sets the pragmas, migrates. Everything that goes wrong comes out as a Fault.

import { closeSync, existsSync, mkdirSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Fault } from '../../base/fault.ts'
import { connectionOf, type ReadableDb, type WritableDb } from './connection.ts'
import { corrupt, guarded } from './faults.ts'
import { APPLICATION_ID, migrate, MIGRATIONS, type Migration } from './migrate.ts'

/** How long a statement waits for another process's write, in milliseconds. */
const BUSY_MS = 5000

/** How a workspace is opened for writing. */
export type OpenOptions = {
  readonly appVersion: string
  /** Make the file (and its folder) when it is absent. Default true. */
  readonly create?: boolean
  readonly busyMs?: number
  /** Its content lies beside it: no safety copy is made before it is brought to the current schema. Default false. */
  readonly isCopied?: boolean
  /** For tests of migrating; the program's own otherwise. */
  readonly migrations?: readonly Migration[]
}

/**
 * Opens a workspace file for writing and brings it to the current schema. `:memory:` is a workspace that is gone
 * with its connection. Throws FILE_UNREADABLE, DB_CORRUPT, DB_NEWER, DB_LOCKED or DISK_FULL.
 */
export function openWriter(path: string, options: OpenOptions): WritableDb {
  return guarded(path, () => {
    const isNew = path === ':memory:' || !look(path)
    if (isNew && options.create === false) {
      throw new Fault('FILE_UNREADABLE', 'There is no workspace here.', {
        where: path,
        hint: 'Check the path, or make a new workspace.',
      })
    }
    if (isNew && path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
    const sqlite = new Sqlite(path, { timeout: options.busyMs ?? BUSY_MS })
    try {
      // Before anything is written: a database of another program must stay as it is.
      if (!isNew) checkOurs(sqlite, path)
      const db = connectionOf(sqlite)
      if (!isNew) refuseNewer(db, options)
      sqlite.pragma('secure_delete = ON')
      sqlite.pragma('journal_mode = WAL')
      sqlite.pragma('synchronous = NORMAL')
      sqlite.pragma('foreign_keys = ON')
      sqlite.pragma('trusted_schema = OFF')
      sqlite.pragma('journal_size_limit = 67108864')
      migrate(db, options.appVersion, options.migrations, options.isCopied)
      return db
    } catch (error) {
      sqlite.close()
      throw error
    }
  })
}

/**
 * Opens an existing workspace for reading only (worker threads, second looks). Never migrates: throws DB_NEWER
 * and DB_CORRUPT like openWriter, and DB_NEWER's opposite, an older schema, as INTERNAL: open a writer first.
 */
export function openReader(path: string, appVersion = ''): ReadableDb {
  return guarded(path, () => {
    if (!look(path)) throw new Fault('FILE_UNREADABLE', 'There is no workspace here.', { where: path })
    const sqlite = new Sqlite(path, { readonly: true, fileMustExist: true, timeout: BUSY_MS })
    try {
      checkOurs(sqlite, path)
      sqlite.pragma('trusted_schema = OFF')
      const db = connectionOf(sqlite)
      refuseNewer(db, { appVersion })
      if (db.pragma<number>('user_version') < MIGRATIONS.length)
        throw new Error('The workspace must be migrated before it is read')
      return db
    } catch (error) {
      sqlite.close()
      throw error
    }
  })
}

/** Pages that are written in one go: other threads and programs get their turn between. */
const PAGES_AT_ONCE = 2000

/**
 * Writes the content of a safety copy into a workspace file as one transaction: whoever has the file open sees the old
 * state or the new one. `isAllowed` is called when no other program can write any more, and may throw. Throws
 * DB_CORRUPT for a copy that is damaged or none, DB_NEWER, and DB_LOCKED; the file is then as it was. The copy stays as
 * it is, also its schema: open a writer afterwards.
 */
export async function writeInto(
  copy: string,
  path: string,
  appVersion: string,
  isAllowed: () => void,
): Promise<void> {
  if (!look(copy)) throw corrupt(copy, null, 'This safety copy is empty.')
  const source = new Sqlite(copy, { readonly: true, fileMustExist: true, timeout: BUSY_MS })
  try {
    checkOurs(source, copy)
    refuseNewer(connectionOf(source), { appVersion })
    if (source.pragma('quick_check(1)', { simple: true }) !== 'ok')
      throw corrupt(copy, null, 'This safety copy is damaged.')
    let isLocked = false
    await source.backup(path, {
      // The first call comes when the lock is held and nothing is written.
      progress: () => {
        if (!isLocked) isAllowed()
        isLocked = true
        return PAGES_AT_ONCE
      },
    })
    if (!isLocked) {
      throw new Fault('DB_LOCKED', 'Another program is writing to this workspace.', {
        where: path,
        hint: 'Nothing was restored. Wait until it has finished, or close it, then try again.',
      })
    }
  } finally {
    source.close()
  }
}

/** True when somebody has this workspace open. False, too, for what is no workspace. */
export function isInUse(path: string): boolean {
  const sqlite = new Sqlite(path, { fileMustExist: true, timeout: 0 })
  try {
    if (sqlite.pragma('application_id', { simple: true }) !== APPLICATION_ID) return false
    // To leave the mode of the log a connection must have the file for itself.
    return sqlite.pragma('journal_mode = DELETE', { simple: true }) === 'wal'
  } catch (error) {
    return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
  } finally {
    sqlite.close()
  }
}

/** SQLite's version, for `doctor`. */
export function sqliteVersion(db: ReadableDb): string {
  return db.value<string>('SELECT sqlite_version()')
}

/** True when a file with content is there. Throws DB_CORRUPT when it is no database, or its end is missing. */
function look(path: string): boolean {
  if (!existsSync(path)) return false
  const stat = statSync(path)
  if (stat.isDirectory()) {
    throw new Fault('FILE_UNREADABLE', 'This is a folder, a workspace file was expected.', { where: path })
  }
  if (!stat.isFile()) {
    throw new Fault('FILE_UNREADABLE', 'This is not a regular file, a workspace file was expected.', {
      where: path,
    })
  }
  if (stat.size === 0) return false
  const head = Buffer.alloc(100)
  const file = openSync(path, 'r')
  try {
    readSync(file, head, 0, head.length, 0)
  } finally {
    closeSync(file)
  }
  if (head.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    throw corrupt(path, null, 'This file is not a Faultline workspace, or it is damaged.')
  }
  if (isCutOff(head, path, stat.size)) {
    throw corrupt(path, null, 'The workspace file is cut off: its end is missing.')
  }
  return true
}

/** Compares the size in the header of the file format with the real one. Not while a log holds the rest. */
function isCutOff(head: Buffer, path: string, bytes: number): boolean {
  // It lies beside the file that a link leads to.
  const log = statSync(`${realpathSync(path)}-wal`, { throwIfNoEntry: false })
  if (log !== undefined && log.size > 0) return false
  const pageBytes = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16)
  // The page count holds only when it was written together with the change counter.
  const isCounted = head.readUInt32BE(24) === head.readUInt32BE(92)
  return isCounted && bytes < head.readUInt32BE(28) * pageBytes
}

/** Throws DB_CORRUPT for a database of another program, or one that cannot be read. */
function checkOurs(sqlite: Sqlite.Database, path: string): void {
  const id = sqlite.pragma('application_id', { simple: true })
  const objects = sqlite.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number
  if (id !== APPLICATION_ID && objects > 0) {
    throw new Fault('DB_CORRUPT', 'This file is a database, but not a Faultline workspace.', {
      where: path,
      hint: 'Choose a workspace (a .fault file) or another name. The file was not changed.',
    })
  }
}

/** Throws DB_NEWER before a pragma could touch the file. */
function refuseNewer(db: WritableDb, options: OpenOptions): void {
  const migrations = options.migrations ?? MIGRATIONS
  if (db.pragma<number>('user_version') > migrations.length) migrate(db, options.appVersion, migrations)
}
