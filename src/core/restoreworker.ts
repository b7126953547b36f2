// Puts a safety copy into the open workspace file, in a thread of its own: first what the file holds now is saved beside
// it, then the copy is written into it as one transaction, then it is brought to the present schema. Run by process.ts
// inside the thread; started by restoreInThread.

import { dirname, join } from 'node:path'
import { answerOnce, askOnce } from './once.ts'
import { Fault } from '../base/fault.ts'
import { backupsOf, nextBackup } from './store/backups.ts'
import { copyWorkspace } from './store/files.ts'
import { openWriter, writeInto } from './store/open.ts'

/** What the thread is started with; `name` as backupsOf gives it. */
export type RestoreOrder = {
  readonly kind: 'restore'
  readonly path: string
  readonly name: string
  readonly appVersion: string
}

/** What was done: the name of the copy in which the state before is kept. */
export type Restored = { readonly savedAs: string }

/** Inside the thread: restores and answers once. */
export function runRestoreThread({ path, name, appVersion }: RestoreOrder): Promise<void> {
  return answerOnce(path, async (): Promise<Restored> => {
    if (!backupsOf(path).some((backup) => backup.name === name))
      throw new Fault('NOT_FOUND', 'There is no safety copy of this name.', { where: name })
    const db = openWriter(path, { appVersion, create: false })
    const savedAs = nextBackup(path)
    try {
      // Before it is saved: what another program writes after that would be lost.
      const seen = db.dataVersion()
      copyWorkspace(db, join(dirname(path), savedAs), appVersion)
      await writeInto(join(dirname(path), name), path, appVersion, () => {
        if (db.dataVersion() === seen) return
        throw new Fault('CONFLICT', 'Another program wrote to this workspace meanwhile.', {
          where: path,
          hint: 'Nothing was restored. Wait until the other program has finished, then try again.',
        })
      })
    } finally {
      db.close()
    }
    // The copy is of an earlier schema.
    openWriter(path, { appVersion, create: false, isCopied: true }).close()
    return { savedAs }
  })
}

/** Restores a safety copy into a workspace file. Rejects with a Fault; the file is then as it was. */
export function restoreInThread(order: Omit<RestoreOrder, 'kind'>): Promise<Restored> {
  return askOnce({ kind: 'restore', ...order })
}
