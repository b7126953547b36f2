// Files that Faultline is about to write (reports, copies): what must not be replaced. Both are written beside their
// target and renamed over it, and a rename asks nobody: it would replace the open workspace, a device or a file that
// its owner has made read-only.

import { accessSync, constants, realpathSync, statSync, type Stats } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Fault } from '../../base/fault.ts'

/** What SQLite keeps beside a database: to lose one of them is to lose what was written last. */
const SIDE_FILES = ['', '-wal', '-shm', '-journal']

function statOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

/** A path by its real folder: two ways to one file are one name, also while the file is not there. */
function realName(path: string): string {
  const full = resolve(path)
  try {
    return join(realpathSync(dirname(full)), basename(full))
  } catch {
    return full
  }
}

function isSameFile(a: string, b: string): boolean {
  if (realName(a) === realName(b)) return true
  const [one, other] = [statOf(a), statOf(b)]
  return one !== null && other !== null && one.ino !== 0 && one.ino === other.ino && one.dev === other.dev
}

/**
 * Looks at a file before it is replaced. Throws INVALID_INPUT for the open workspace and what SQLite keeps beside it,
 * FILE_UNREADABLE for a folder, for what is no regular file, and for a file that may not be written.
 */
export function checkTarget(target: string, workspace: string): void {
  if (workspace !== ':memory:' && SIDE_FILES.some((end) => isSameFile(target, `${workspace}${end}`))) {
    throw new Fault('INVALID_INPUT', 'This file belongs to the open workspace and cannot be replaced.', {
      where: target,
      hint: 'Choose another name.',
    })
  }
  const there = statOf(target)
  if (there === null) return
  const refuse = (message: string): never => {
    throw new Fault('FILE_UNREADABLE', message, { where: target, hint: 'Choose another name.' })
  }
  if (there.isDirectory()) refuse('It cannot be replaced: a folder has this name.')
  if (!there.isFile()) refuse('This is not a regular file and is not replaced.')
  // Asked by its mode, too: to root every file is writable.
  if ((there.mode & 0o222) === 0 || !isWritable(target)) refuse('This file is read-only and is not replaced.')
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
