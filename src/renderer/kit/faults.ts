// The one table that turns a fault's code into a title and what to do. The core's own message and hint say the rest.

import type { FaultCode, FaultData } from '../../base/fault.ts'
import { visibleText } from '../../base/text.ts'

const WORDS: { readonly [code in FaultCode]: { readonly title: string; readonly action: string } } = {
  FILE_UNREADABLE: {
    title: 'The file cannot be read',
    action: 'Check that it exists and that you may read it.',
  },
  FILE_EMPTY: { title: 'The file is empty', action: 'Export it again from where it came.' },
  FORMAT_UNKNOWN: { title: 'Format not recognised', action: 'Choose the format by hand, or leave it out.' },
  FORMAT_INVALID: {
    title: 'The file is not what its format says',
    action: 'Records before the damage are kept; the rest needs a new export.',
  },
  TOO_LARGE: { title: 'Too large', action: 'Split the file, or import fewer at once.' },
  DB_NEWER: {
    title: 'This workspace is from a newer Faultline',
    action: 'Open it with the newer version, or open another workspace.',
  },
  DB_LOCKED: {
    title: 'Another program holds this workspace',
    action: 'Close the other program, then try again.',
  },
  DB_CORRUPT: {
    title: 'The workspace file is damaged',
    action: 'Open a safety copy or another workspace; the damaged file is left as it is.',
  },
  NOT_FOUND: { title: 'Not here any more', action: 'It may have been deleted or undone.' },
  CONFLICT: { title: 'Somebody else changed this', action: 'Compare both texts and choose.' },
  INVALID_INPUT: {
    title: 'Not a valid request',
    action: 'This is a mistake in Faultline; please report it.',
  },
  CANCELLED: { title: 'Cancelled', action: 'What was done before is kept.' },
  CORE_GONE: {
    title: 'The analysis core stopped',
    action: 'It is restarted by itself; what you did before is kept.',
  },
  READ_ONLY: {
    title: 'This workspace is open for reading only',
    action: 'Save a copy where you may write, and open that.',
  },
  DISK_FULL: { title: 'The disk is full', action: 'Free some space, then try again.' },
  INTERNAL: {
    title: 'Something went wrong inside Faultline',
    action: 'Copy the details and report them; your data is untouched.',
  },
}

/** Title and action for a fault. */
export function faultWords(fault: FaultData): { readonly title: string; readonly action: string } {
  return WORDS[fault.code]
}

/** A fault as plain text to paste into a report: code, message, place, hint, details. */
export function faultAsText(fault: FaultData): string {
  const lines = [`${faultWords(fault).title} (${fault.code})`, fault.message]
  if (fault.where !== undefined) lines.push(`where: ${fault.where}`)
  if (fault.hint !== undefined) lines.push(`hint: ${fault.hint}`)
  if (fault.details !== undefined) lines.push(`details: ${JSON.stringify(fault.details)}`)
  return visibleText(lines.join('\n'))
}
