// Part files: what a report or a copy is called while it is written beside its target, before it is renamed over it. A
// program that is killed leaves one behind, hidden and with all the data in it: the next write in that folder removes
// it. The name says who writes it, so that neither another program's file nor one that is being written is taken.

import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** In a shared folder the number of a process says nothing without its machine. */
const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

/** `.report.md.part-4711-1a2b3c4d-0123456789ab`, and what SQLite keeps beside it. */
const PART = /^\..+\.part-(?<pid>\d{1,10})-(?<host>[0-9a-f]{8})-[0-9a-f]{12}(?:-wal|-shm|-journal)?$/

/** Longest beginning of a name, in bytes: with what follows it stays below the 255 of file systems. */
const NAME_BYTES = 150

/** A new name beside the target to write under; hidden, and of nobody else. */
export function partBeside(target: string): string {
  const name = basename(target)
  const begin = Buffer.byteLength(name) <= NAME_BYTES ? name : hashOf(name)
  return join(dirname(target), `.${begin}.part-${process.pid}-${HOST}-${randomBytes(6).toString('hex')}`)
}

const hashOf = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 32)

/**
 * Removes the part files of programs that no longer run, in the target's folder. Only regular files of the person's own
 * that are named as above by a process of this machine; what cannot be looked at or removed is left. Gives how many.
 */
export function removeStaleParts(target: string): number {
  const folder = dirname(target)
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch {
    return 0
  }
  return names.filter((name) => isStale(folder, name) && isRemoved(join(folder, name))).length
}

function isStale(folder: string, name: string): boolean {
  const groups = PART.exec(name)?.groups
  if (groups === undefined || groups['host'] !== HOST) return false
  try {
    const stat = lstatSync(join(folder, name))
    if (!stat.isFile() || (process.getuid !== undefined && stat.uid !== process.getuid())) return false
    const pid = Number(groups['pid'])
    // Numbers come again, in a container after every start: a file from before this process is not its own. Its uptime
    // would not do: that stands still while the machine sleeps.
    if (pid === process.pid) return stat.mtimeMs < performance.timeOrigin - MARGIN_MS
    return !isRunning(pid)
  } catch {
    return false
  }
}

/** Clocks of file systems are coarse. */
const MARGIN_MS = 5000

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function isRemoved(path: string): boolean {
  try {
    rmSync(path)
    return true
  } catch {
    return false
  }
}
