// Safety copies beside a workspace: `<file>.before-N`, made by migrate.ts before schema N is written, and
// `<file>.before-restore-N`, made before one of them is restored. Listed with size and time, removed by name or with
// everything.

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Fault } from '../../base/fault.ts'
import { guarded } from './faults.ts'

/** A safety copy: the name of its file, what it was made before, its size in bytes, and when it was made (ISO). */
export type Backup = {
  readonly name: string
  readonly before: 'upgrade' | 'restore'
  readonly bytes: number
  readonly madeAt: string
}

const NUMBERED = /^(?<isRestore>restore-)?(?<number>\d+)$/

/** The safety copies beside a workspace, those before upgrades first, each kind in its order. */
export function backupsOf(path: string): readonly Backup[] {
  if (path === ':memory:' || !existsSync(dirname(path))) return []
  const start = `${basename(path)}.before-`
  return readdirSync(dirname(path))
    .flatMap((name) => {
      const found = name.startsWith(start) ? NUMBERED.exec(name.slice(start.length))?.groups : undefined
      if (found === undefined) return []
      const before = found['isRestore'] === undefined ? ('upgrade' as const) : ('restore' as const)
      return [{ name, before, number: Number(found['number']) }]
    })
    .sort((a, b) => (a.before === b.before ? a.number - b.number : a.before === 'upgrade' ? -1 : 1))
    .flatMap(({ name, before }) => {
      // Another program may have removed it since the folder was read.
      const stat = statSync(join(dirname(path), name), { throwIfNoEntry: false })
      return stat?.isFile() === true
        ? [{ name, before, bytes: stat.size, madeAt: new Date(stat.mtimeMs).toISOString() }]
        : []
    })
}

/** The name of the next copy that is made before another one is restored. */
export function nextBackup(path: string): string {
  const start = `${basename(path)}.before-restore-`
  for (let number = 1; ; number += 1)
    if (!existsSync(join(dirname(path), `${start}${number}`))) return `${start}${number}`
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
