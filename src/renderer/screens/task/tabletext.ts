// Tables as text for the clipboard: tab-separated, so that a sheet takes them as cells. Data cannot break out of its
// cell, and a cell that a sheet would read as a formula is led by an apostrophe.

import { visibleText } from '../../../base/text.ts'

/** One cell: one line, no tab, never a formula. */
function cellText(value: string): string {
  const flat = visibleText(value).replace(/[\t\r\n]+/g, ' ')
  return /^[=+\-@]/.test(flat) && !/^[+-]?[\d.]/.test(flat) ? `'${flat}` : flat
}

/** Head and rows, one line each. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, ...rows].map((row) => row.map(cellText).join('\t')).join('\n')
}
