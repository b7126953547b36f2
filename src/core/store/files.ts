// Whole workspace files: copies, sizes, erasing for good. Rows are the other files' business. Copying
// and erasing take as long as the file is large: copying is done in a thread (copyworker.ts).

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { Fault } from '../../base/fault.ts'
import { backupsOf, removeBackup, removeDatabase } from './backups.ts'
import type { ReadableDb, WritableDb } from './connection.ts'
import { guarded } from './faults.ts'
import { isInUse, openWriter } from './open.ts'
import { partBeside, removeStaleParts } from './parts.ts'
import { eraseDeleted, hasDeleted, type Everything } from './removal.ts'
import { hasTaken } from './taken.ts'
import { checkTarget } from './targets.ts'

/** Bytes of the file and of its write-ahead log. */
export function workspaceBytes(db: ReadableDb): number {
  const size = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return size(db.path) + size(`${db.path}-wal`)
}

/**
 * Writes a copy of a workspace to `target`, without what is marked as deleted. The copy is complete or not there: it
 * is made under another name, flushed to the disk and renamed. Replaces a file that is there, but never the source, and
 * never a workspace that another program has open: that program would go on writing into a file without a name.
 */
export function copyWorkspace(
  source: WritableDb,
  target: string,
  appVersion: string,
): { readonly bytes: number } {
  checkTarget(target, source.path)
  if (existsSync(target) && isInUse(target)) {
    throw new Fault('DB_LOCKED', 'Another program has the workspace of this name open.', {
      where: target,
      hint: 'Close it there, or choose another name.',
    })
  }
  return guarded(target, () => {
    const part = partBeside(target)
    removeStaleParts(target)
    try {
      source.exec(`VACUUM INTO '${part.replaceAll("'", "''")}'`)
      const copy = openWriter(part, { appVersion, create: false })
      try {
        eraseAndCompact(copy)
        copy.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } finally {
        copy.close()
      }
      const file = openSync(part, 'r+')
      try {
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      rmSync(`${target}-wal`, { force: true })
      rmSync(`${target}-shm`, { force: true })
      renameSync(part, target)
      return { bytes: statSync(target).size }
    } finally {
      removeDatabase(part)
    }
  })
}

/**
 * Erases what is marked and gives the space back: nothing of it is left in the file or its log. When everything was
 * deleted, the safety copies beside the file go, too: they hold it all.
 */
export function eraseAndCompact(db: WritableDb): Everything {
  if (!hasDeleted(db)) return { trials: 0, rules: 0 }
  const copies = hasTaken(db) ? backupsOf(db.path) : []
  const erased = eraseDeleted(db)
  try {
    db.exec('PRAGMA secure_delete = ON')
    db.exec('VACUUM')
    // Until the log is moved into the file, the file holds its old pages. A reader of another program may hold them.
    if (db.pragma<number>('wal_checkpoint(TRUNCATE)') !== 0) {
      throw new Fault('DB_LOCKED', 'The deleted data is out of the workspace, but not yet out of its file.', {
        where: db.path,
        hint: 'Another program is reading the file. It is erased when the last program closes it.',
      })
    }
  } finally {
    for (const { name } of copies) removeBackup(db.path, name)
  }
  return erased
}
