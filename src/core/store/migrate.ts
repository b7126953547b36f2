// Brings a workspace file to this program's schema: all pending migrations in one transaction, after a safety copy
// of a file that already held something. Refuses newer files. There is no way down.

import { existsSync, renameSync, rmSync } from 'node:fs'
import { Fault } from '../../base/fault.ts'
import type { WritableDb } from './connection.ts'
import { first } from './migrations/0001-first.ts'
import { rules } from './migrations/0002-rules.ts'
import { identity } from './migrations/0003-identity.ts'
import { normals } from './migrations/0004-normals.ts'
import { beside } from './migrations/0005-beside.ts'
import { search } from './migrations/0006-search.ts'

/** One step of the schema; `version` is what `user_version` becomes. */
export type Migration = { readonly version: number; readonly name: string; readonly sql: string }

/** All migrations in order. A new one is a file in migrations/ and one entry here. */
export const MIGRATIONS: readonly Migration[] = [first, rules, identity, normals, beside, search]

/** The schema version that this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length

/** Marks a SQLite file as a Faultline workspace ("FLTW"). */
export const APPLICATION_ID = 0x464c5457

/** Where the safety copy before migration `version` lies. */
export function backupPath(path: string, version: number): string {
  return `${path}.before-${version}`
}

/**
 * Migrates an open file. Throws DB_NEWER, naming both versions, when the file was written by a newer program.
 * The safety copy `<file>.before-N` is made before the first pending migration N of a file that has a schema, unless
 * its content `isCopied`: it was just restored from a copy, and another one may have that name.
 */
export function migrate(
  db: WritableDb,
  appVersion: string,
  migrations: readonly Migration[] = MIGRATIONS,
  isCopied = false,
): void {
  for (const [index, migration] of migrations.entries()) {
    if (migration.version !== index + 1)
      throw new Error(`Migration ${migration.name} stands at place ${index + 1}`)
  }
  const found = db.pragma<number>('user_version')
  if (found > migrations.length) throw newer(db.path, found, migrations.length, appVersion)
  if (found === migrations.length) return
  if (found > 0 && !isCopied) copyBefore(db, found + 1)
  db.write(() => {
    // Another process may have migrated between the look above and this lock.
    const version = db.pragma<number>('user_version')
    for (const migration of migrations.slice(version)) {
      db.exec(migration.sql)
      db.exec(`PRAGMA user_version = ${migration.version}`)
    }
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
  })
}

/** The fault for a file of a newer program. */
function newer(path: string, found: number, known: number, appVersion: string): Fault {
  return new Fault(
    'DB_NEWER',
    `This workspace has schema version ${found}; Faultline ${appVersion} knows versions up to ${known}.`,
    { where: path, hint: 'Open it with the newer Faultline that wrote it. The file was not changed.' },
  )
}

/** Copies the whole file, so that a migration gone wrong costs nothing. A half-made copy never has the name. */
function copyBefore(db: WritableDb, version: number): void {
  if (db.path === ':memory:' || db.path === '') return
  const target = backupPath(db.path, version)
  const part = `${target}.part`
  rmSync(part, { force: true })
  db.exec(`VACUUM INTO '${part.replaceAll("'", "''")}'`)
  if (existsSync(target)) rmSync(target)
  renameSync(part, target)
}
