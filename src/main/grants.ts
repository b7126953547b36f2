// Grants: what stands for a path in the window. The person chooses a file in a dialog or drops it; main keeps the
// path and gives the window a random name for it. The window can therefore name no file that was not chosen.

import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { Fault } from '../base/fault.ts'
import type { Granted } from '../contract/events.ts'

/** What a grant allows. `write` comes from a save dialog only and allows reading, too. */
export type GrantUse = 'read' | 'write'

/** grant ↔ path, for as long as the program runs. */
export type Grants = {
  /** The grant of a chosen path (the same one when the path was granted before for the same use). */
  add(path: string, use: GrantUse): Granted
  /** The path of a grant; INVALID_INPUT when there is none, or when it does not allow `use`. */
  pathOf(grant: string, use: GrantUse): string
}

/** An empty set of grants. */
export function makeGrants(): Grants {
  const byGrant = new Map<string, { readonly path: string; readonly use: GrantUse }>()
  const byPath = new Map<string, string>()
  return {
    add(path, use) {
      const full = resolve(path)
      const key = `${use}\0${full}`
      const grant = byPath.get(key) ?? randomUUID()
      byPath.set(key, grant)
      byGrant.set(grant, { path: full, use })
      return { grant, name: basename(full), isFolder: isFolder(full) }
    },
    pathOf(grant, use) {
      const found = byGrant.get(grant)
      if (found === undefined) {
        throw new Fault('INVALID_INPUT', 'The file is not among those that were chosen.', {
          hint: 'Choose it again.',
        })
      }
      if (use === 'write' && found.use !== 'write') {
        throw new Fault('INVALID_INPUT', 'This file was chosen for reading, not for writing.', {
          hint: 'Choose where to save.',
        })
      }
      return found.path
    },
  }
}

/** False, too, for what cannot be looked at (a circle of links, a folder without permission): reading it will tell. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
