// Safety copies beside a workspace: `<file>.before-N`, made by migrate.ts before schema N is written. Listed with size
// and time, removed by name or with everything.

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Fault } from '../../base/fault.ts'
import { guarded } from './faults.ts'

/** A safety copy: the name of its file, its size in bytes, and when it was made (ISO). */
export type Backup = { readonly name: string; readonly bytes: number; readonly madeAt: string }

/** The safety copies beside a workspace, oldest schema first. */
export function backupsOf(path: string): readonly Backup[] {
  if (path === ':memory:' || !existsSync(dirname(path))) return []
  const start = `${basename(path)}.before-`
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(start) && /^\d+$/.test(name.slice(start.length)))
    .sort((a, b) => Number(a.slice(start.length)) - Number(b.slice(start.length)))
    .flatMap((name) => {
      // Another program may have removed it since the folder was read.
      const stat = statSync(join(dirname(path), name), { throwIfNoEntry: false })
      return stat?.isFile() === true
        ? [{ name, bytes: stat.size, madeAt: new Date(stat.mtimeMs).toISOString() }]
        : []
    })
}

/** Removes one safety copy by the name that backupsOf gave; NOT_FOUND for any other name. */
export function removeBackup(path: string, name: string): void {
  if (!backupsOf(path).some((backup) => backup.name === name))
    throw new Fault('NOT_FOUND', 'There is no safety copy of this name.', { where: name })
  guarded(path, () => removeDatabase(join(dirname(path), name)))
}

/** Removes a database file with what SQLite keeps beside it; what is not there is passed over. */
export function removeDatabase(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${end}`, { force: true })
}
