// The door between the window and the core: is the method in the contract, is the message small enough, and
// which path does each grant stand for. What the input means is checked once, in the core. Imports no Electron
// module; the sender is checked where the message arrives (bridge.ts).

import { Fault } from '../base/fault.ts'
import { isMethod, type Method } from '../contract/contract.ts'
import type { Grants, GrantUse } from './grants.ts'

/** The largest message that the window may send. */
export const maxMessageBytes = 8 * 1024 * 1024

/** Methods whose file is written: their grant must come from a save dialog. */
const writes: ReadonlySet<string> = new Set<Method>(['workspace.saveCopy', 'report.save'])

/** A request that may go to the core. */
export type Admitted = { readonly id: string; readonly method: Method; readonly input: unknown }

/** Checks a request of the window and swaps grants for paths; throws INVALID_INPUT or TOO_LARGE. */
export function admit(grants: Grants, id: unknown, method: unknown, input: unknown): Admitted {
  if (typeof id !== 'string' || id.length === 0 || id.length > 200) {
    throw new Fault('INVALID_INPUT', 'A request needs an id.')
  }
  if (typeof method !== 'string' || !isMethod(method)) {
    throw new Fault('INVALID_INPUT', `There is no method "${String(method).slice(0, 100)}".`)
  }
  const text = jsonOf(input)
  // At most three bytes stand for one UTF-16 unit: short texts need no counting.
  if (text.length * 3 > maxMessageBytes && Buffer.byteLength(text) > maxMessageBytes) {
    throw new Fault('TOO_LARGE', 'The message is larger than 8 MiB.')
  }
  return { id, method, input: swapGrants(grants, method, JSON.parse(text)) }
}

/** The input as JSON: everything that is not JSON-plain is gone or refused from here on. */
function jsonOf(input: unknown): string {
  try {
    return JSON.stringify(input ?? {}) ?? '{}'
  } catch (cause) {
    throw new Fault('INVALID_INPUT', 'The input is not plain JSON.', { cause })
  }
}

/** Replaces `file: {grant}` and `files: [{grant}]` by the paths they stand for. A path from the window is refused. */
function swapGrants(grants: Grants, method: Method, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const use: GrantUse = writes.has(method) ? 'write' : 'read'
  const swapped: Record<string, unknown> = { ...input }
  if (Object.hasOwn(swapped, 'file')) swapped['file'] = pathFor(grants, swapped['file'], use)
  if (Object.hasOwn(swapped, 'files')) {
    const files = swapped['files']
    if (!Array.isArray(files)) throw new Fault('INVALID_INPUT', 'files must be a list.')
    swapped['files'] = files.map((file) => pathFor(grants, file, use))
  }
  return swapped
}

function pathFor(grants: Grants, file: unknown, use: GrantUse): { readonly path: string } {
  const grant = typeof file === 'object' && file !== null ? (file as { grant?: unknown }).grant : undefined
  if (typeof grant !== 'string') throw new Fault('INVALID_INPUT', 'A file is named by its grant.')
  return { path: grants.pathOf(grant, use) }
}
