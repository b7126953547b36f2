// Layout of text for terminals: how wide text is drawn, tables aligned by that width, text from traces made safe.
// Pure; knows no command.

import { oneLine } from '../base/text.ts'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** East Asian wide and full-width ranges, and pictures that terminals draw two cells wide. */
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u
const ZERO = /^[\p{Mn}\p{Me}\u200d\ufe00-\ufe0f]+$/u

/** Cells that a terminal takes to draw the text. Our own colour sequences take none. */
export function displayWidth(text: string): number {
  // eslint-disable-next-line no-control-regex
  const plain = text.replace(/\u001b\[\d+m/g, '')
  // eslint-disable-next-line no-control-regex
  if (/^[\u0020-\u007e]*$/.test(plain)) return plain.length
  let width = 0
  for (const { segment } of graphemes.segment(plain))
    width += WIDE.test(segment) ? 2 : ZERO.test(segment) ? 0 : 1
  return width
}

/** Text of a trace or a name on one line: invisible and control characters written out, cut at `limit` cells. */
export function safe(text: string, limit = 60): string {
  const line = oneLine(text, limit)
  if (displayWidth(line) <= limit) return line
  let out = ''
  let width = 0
  for (const { segment } of graphemes.segment(line)) {
    width += displayWidth(segment)
    if (width >= limit) break
    out += segment
  }
  return `${out}…`
}

/** One column of a table. */
export type Column = { readonly title: string; readonly align?: 'left' | 'right' }

/**
 * A table with its columns as wide as their widest cell, two blanks apart, without trailing blanks. With a `width`,
 * the last column is cut where lines would grow longer, but never below 16 cells.
 */
export function textTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | null = null,
): string {
  const lines = [columns.map((column) => column.title), ...rows]
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => displayWidth(line[i] ?? ''))))
  const last = columns.length - 1
  const before = widths.slice(0, last).reduce((sum, each) => sum + each + 2, 0)
  const room = width === null ? Infinity : Math.max(16, width - before)
  return lines
    .map((line) =>
      columns
        .map((column, i) => {
          const cell =
            i === last && displayWidth(line[i] ?? '') > room ? safe(line[i] ?? '', room) : (line[i] ?? '')
          const blanks = ' '.repeat(Math.max(0, (widths[i] ?? 0) - displayWidth(cell)))
          return column.align === 'right' ? blanks + cell : cell + blanks
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A paragraph broken at blanks to lines of at most `width` cells, each after the first indented. */
export function wrapped(text: string, width: number, indent = ''): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line)
      line = indent + word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}
