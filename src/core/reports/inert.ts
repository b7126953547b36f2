// Trace text in Markdown, made inert: no HTML, link, image, heading, list, table break, mention or fence can form
// from it, in CommonMark, GitHub's dialect and the usual notebooks. Text is shown as it is, only quoted; invisible
// and direction-changing characters are written out. Used by markdown.ts alone; knows no report.

import { oneLine, visibleText } from '../../base/text.ts'

/** Longest run of backticks in the text. */
function longestRun(text: string): number {
  let longest = 0
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length)
  return longest
}

/**
 * A short text as a code span, on one line and cut at `limit` characters. The delimiter is longer than any run of
 * backticks inside. A pipe is written `\u{007C}`: GitHub splits table cells inside code spans as well.
 */
export function codeSpan(text: string, limit = 200): string {
  const line = oneLine(text, limit).replaceAll('|', '\\u{007C}')
  if (line === '') return '*(empty)*'
  const ticks = '`'.repeat(longestRun(line) + 1)
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${ticks}${pad}${line}${pad}${ticks}`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '`': '&#96;',
  '|': '&#124;',
}

/**
 * A sentence that may quote trace text, as running text on one line. Punctuation with a meaning is escaped; what
 * dialects link by themselves (`://`, `www.`, `@`, `#1`) is put into code, which nothing links. Safe at the start of a line.
 */
export function prose(text: string, limit = 4000): string {
  return oneLine(text, limit)
    .split(/((?:@|:\/\/|www\.|#(?=\d))+)/i)
    .map((part, index) => (index % 2 === 1 ? `\`${part}\`` : escapePunctuation(part)))
    .join('')
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replace(/^[-+:]/, '\\$&')
}

/** An underscore inside a word, as tools have it, starts no emphasis and stays readable. */
function escapePunctuation(text: string): string {
  return text
    .replace(/[\\*[\]{}#~$^=!]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
    .replace(/[&<>`|]/g, (c) => ENTITIES[c] ?? c)
}

/**
 * A long text as a fenced block, starting and ending on lines of its own at column 0. The fence is longer than any
 * run of backticks inside. `info` is one of our own words, never trace text.
 */
export function fenced(text: string, info: 'text' | 'json' = 'text'): string {
  const shown = visibleText(text)
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1))
  return `${fence}${info}\n${shown}${shown.endsWith('\n') ? '' : '\n'}${fence}`
}

/** A table with a header; cells are already inert. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n')
}
