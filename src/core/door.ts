// The core's door: every input is checked here once against the contract, and every error leaves as a Fault with a
// sentence that a person can act on. Inside the door nothing is checked again.

import * as v from 'valibot'
import { Fault, toFaultData } from '../base/fault.ts'
import { contract, isMethod, type Method, type Parsed } from '../contract/contract.ts'
import { storeFault } from './store/faults.ts'

/** The method, or NOT_FOUND: names come from outside. */
export function methodNamed(name: string): Method {
  if (isMethod(name)) return name
  throw new Fault('NOT_FOUND', `The core knows no method named ${JSON.stringify(name.slice(0, 80))}.`, {
    hint: 'Window and core may be of different versions: restart Faultline.',
  })
}

/** The input with defaults filled in. Throws INVALID_INPUT that names the field and what was expected. */
export function parsed<M extends Method>(method: M, input: unknown): Parsed<M> {
  const schema: v.GenericSchema<unknown, unknown> = contract[method].input
  const result = v.safeParse(schema, input ?? {})
  if (result.success) return result.output as Parsed<M>
  const issue = result.issues[0]
  const field = v.getDotPath(issue)
  const more = result.issues.length - 1
  throw new Fault(
    'INVALID_INPUT',
    `${field === null ? 'The input' : `“${field}”`} is not valid: ${issue.message}${
      more > 0 ? ` (and ${more} more)` : ''
    }.`,
    { where: field === null ? method : `${method}: ${field}` },
  )
}

/** Any error as a Fault: SQLite's and the file system's are named, an abort is CANCELLED, a bug is INTERNAL. */
export function asFault(error: unknown, path: string): Fault {
  if (error instanceof Fault) return error
  const known = storeFault(error, path)
  if (known !== null) return known
  const { code, message } = toFaultData(error)
  return new Fault(code, message, { cause: error })
}

/** True for what opens another workspace in place of this one. */
export function opensAnother(method: Method): boolean {
  return method === 'workspace.open' || method === 'workspace.openSample'
}

/** True for what writes to the open workspace. Copies, reports and trials of a rule write elsewhere or nothing. */
export function changesWorkspace(method: Method): boolean {
  const { kind, topics } = contract[method]
  // A copy beside the file is listed, but not written into it.
  const isElsewhere = opensAnother(method) || method === 'workspace.saveCopy'
  return kind !== 'query' && topics.length > 0 && !isElsewhere
}

/** What a command is answered in a workspace that can only be read. */
export function readOnly(path: string): Fault {
  return new Fault('READ_ONLY', 'The file of this workspace, or its folder, cannot be written.', {
    where: path,
    hint: 'Save a copy of the workspace where you may write, and open that.',
  })
}
