// What SQLite and the file system say, as faults a person can act on. The one place that knows SQLite's codes;
// the core's door asks it about every error that a handler threw.

import { Fault } from '../../base/fault.ts'

/** The file system's ways of saying that there is no file to be had under this name. */
const CANNOT_OPEN = new Set(['EACCES', 'EPERM', 'ENOTDIR', 'EEXIST', 'EINVAL', 'ENAMETOOLONG', 'ELOOP'])

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** The fault that an error of SQLite or of the file system stands for; null when it is neither. */
export function storeFault(error: unknown, path: string): Fault | null {
  if (error instanceof Fault) return error
  const code = codeOf(error)
  const more = { where: path, cause: error }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new Fault('DB_LOCKED', 'Another program is writing to this workspace.', {
      ...more,
      hint: 'Wait until it has finished, or close it, then try again.',
    })
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') return corrupt(path, error)
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') {
    return new Fault('DISK_FULL', 'There is no space left on the disk that holds the workspace.', {
      ...more,
      hint: 'Free some space and try again. What was saved before is intact.',
    })
  }
  if (code.startsWith('SQLITE_READONLY') || code === 'EROFS') {
    return new Fault('FILE_UNREADABLE', 'The workspace file cannot be written.', {
      ...more,
      hint: 'Check the permissions of the file and of its folder.',
    })
  }
  if (code.startsWith('SQLITE_CANTOPEN') || CANNOT_OPEN.has(code)) {
    return new Fault('FILE_UNREADABLE', 'The file cannot be opened.', {
      ...more,
      hint: 'Check that its folder exists and that you may read and write it.',
    })
  }
  if (code === 'ENOENT') return new Fault('FILE_UNREADABLE', 'The file is not there.', more)
  if (code === 'EISDIR') return new Fault('FILE_UNREADABLE', 'This is a folder, a file was expected.', more)
  if (code.startsWith('SQLITE_IOERR') || code === 'EIO') {
    return new Fault('FILE_UNREADABLE', 'The disk reported an error.', {
      ...more,
      hint: 'Check the disk. A copy of the workspace may be readable.',
    })
  }
  return null
}

/** The fault for a file that is no workspace, or a damaged one. */
export function corrupt(path: string, cause: unknown, message?: string): Fault {
  return new Fault('DB_CORRUPT', message ?? 'The workspace file is damaged.', {
    where: path,
    cause,
    hint: 'Open a safety copy (a file named before-… beside it), or make a new workspace and import again.',
  })
}

/** Runs work on a workspace file; what SQLite and the file system throw comes out as faults. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw storeFault(error, path) ?? error
  }
}
