// Workspaces that can be read and not written: the file or its folder is read-only. SQLite cannot open them where they
// lie (its log stands beside the file), and what is analysed must be kept somewhere: a private copy is opened, in the
// folder of temporary files, and goes when the workspace is left. What a killed program left there goes with the next one.

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
  writeSync,
  type Stats,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Fault } from '../../base/fault.ts'
import { backupsOf, removeBackup, removeDatabase } from './backups.ts'
import type { WritableDb } from './connection.ts'
import { guarded } from './faults.ts'
import { openWriter, type OpenOptions } from './open.ts'
import { partBeside, removeStaleParts } from './parts.ts'

/** An open workspace file. */
export type OpenWorkspace = {
  readonly db: WritableDb
  /** The file as the person knows it; `db` has a private copy open when it can only be read. */
  readonly path: string
  readonly isReadOnly: boolean
  /** Closes the file; a private copy is removed. */
  close(): void
}

/** Opens a workspace for writing, or for reading where it cannot be written. Throws the faults of openWriter. */
export function openWorkspace(path: string, options: OpenOptions): OpenWorkspace {
  if (!existsSync(path) || isWritable(path)) {
    const db = openWriter(path, options)
    return { db, path: db.path, isReadOnly: false, close: () => db.close() }
  }
  return guarded(path, () => {
    // The log lies beside the file that a link leads to.
    const real = realpathSync(path)
    const copy = partBeside(join(tmpdir(), basename(path)))
    removeStaleParts(copy)
    try {
      copyWhole(real, copy)
      const db = openWriter(copy, { ...options, create: false })
      // An earlier schema was upgraded in the copy: the file itself is the safety copy.
      for (const { name } of backupsOf(copy)) removeBackup(copy, name)
      return {
        db,
        path,
        isReadOnly: true,
        close: () => {
          db.close()
          removeDatabase(copy)
        },
      }
    } catch (error) {
      removeDatabase(copy)
      throw error instanceof Fault ? elsewhere(error, copy, path) : error
    }
  })
}

/** The fault as one of the file that the person knows. */
function elsewhere(fault: Fault, copy: string, path: string): Fault {
  const { code, message, hint, where, details } = fault
  return new Fault(code, message, {
    ...(hint === undefined ? {} : { hint }),
    ...(where === undefined ? {} : { where: where === copy ? path : where }),
    details,
    cause: fault,
  })
}

/** Asked by the mode, too: to root everything is writable, and what is marked read-only is meant to stay as it is. */
function isWritable(path: string): boolean {
  // A link's own folder, too: safety copies are made beside the name.
  return [path, dirname(path), dirname(realpathSync(path))].every((one) => {
    try {
      // On Windows the mode of a folder says nothing about writing in it.
      if (process.platform !== 'win32' && (statSync(one).mode & 0o222) === 0) return false
      accessSync(one, constants.W_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Copies a database with its log, as one state. Throws DB_LOCKED when somebody keeps writing to it. */
function copyWhole(path: string, copy: string): void {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const before = stateOf(path)
    removeDatabase(copy)
    copyPrivately(path, copy)
    if (existsSync(`${path}-wal`)) copyPrivately(`${path}-wal`, `${copy}-wal`)
    if (stateOf(path) === before) return
  }
  throw new Fault('DB_LOCKED', 'Another program is writing to this workspace.', {
    where: path,
    hint: 'Wait until it has finished, then try again.',
  })
}

function stateOf(path: string): string {
  const state = (stat: Stats | undefined): string => `${stat?.size} ${stat?.mtimeMs}`
  return `${state(statSync(path))} ${state(statSync(`${path}-wal`, { throwIfNoEntry: false }))}`
}

const CHUNK_BYTES = 4 * 1024 * 1024

/** A copy that only its owner may read, from its first byte on. */
function copyPrivately(from: string, to: string): void {
  const source = openSync(from, 'r')
  try {
    const target = openSync(to, 'wx', 0o600)
    try {
      const chunk = Buffer.alloc(CHUNK_BYTES)
      for (let got = readSync(source, chunk); got > 0; got = readSync(source, chunk))
        for (let at = 0; at < got;) at += writeSync(target, chunk, at, got - at)
    } finally {
      closeSync(target)
    }
  } finally {
    closeSync(source)
  }
}
