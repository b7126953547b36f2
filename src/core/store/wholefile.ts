// Small files that Faultline writes for a person (reports, rules): whole or not at all.

import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { Fault } from '../../base/fault.ts'
import { partBeside, removeStaleParts } from './parts.ts'

/**
 * Writes beside the target, forces it to the disk and renames it: the file is the old one or the new one, never a
 * half. What killed programs left in that folder goes first. `what` names it in faults. Throws FILE_UNREADABLE (not
 * writable, no folder) or DISK_FULL. Ask checkTarget before.
 */
export async function writeWhole(path: string, bytes: Uint8Array, what: string): Promise<void> {
  removeStaleParts(path)
  const temporary = partBeside(path)
  let handle: FileHandle | null = null
  try {
    handle = await open(temporary, 'wx', 0o600)
    await handle.writeFile(bytes)
    await handle.sync()
    await handle.close()
    handle = null
    await rename(temporary, path)
  } catch (error) {
    await handle?.close().catch(() => undefined)
    await rm(temporary, { force: true }).catch(() => undefined)
    throw writeFault(error, path, what)
  }
}

function writeFault(error: unknown, path: string, what: string): Fault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new Fault('DISK_FULL', `The disk is full: the ${what} was not saved.`, {
      where: path,
      hint: 'Free some space or choose another place. Nothing was changed there.',
      cause: error,
    })
  const why: Readonly<Record<string, string>> = {
    ENOENT: 'its folder does not exist',
    ENOTDIR: 'its folder does not exist',
    EACCES: 'writing there is not permitted',
    EPERM: 'writing there is not permitted',
    EROFS: 'the disk is read-only',
    EISDIR: 'a folder has this name',
    ENOTEMPTY: 'a folder has this name',
    EEXIST: 'a folder has this name',
    ENAMETOOLONG: 'its name is too long',
  }
  return new Fault(
    'FILE_UNREADABLE',
    `The ${what} could not be saved: ${why[code] ?? (code || String(error))}.`,
    {
      where: path,
      hint: 'Choose another place.',
      cause: error,
    },
  )
}
