// Long and multi-line texts as leaves: lines of the form “key: value” become leaves of their own, so that the one value
// that matters in a page or a report can differ alone; the rest is compared by what its lines say without numbers, by
// the numbers in it, and by its status lines.

import type { Leaf } from './leaf.ts'

/** Two spaces, or what NFC may change or is another white space: all others stay as they are whatever stands beside them. */
const UNEVEN = /[^ -~\u00a1-\u02ff\u2010-\u2027\u2030-\u205e]| {2}/
const SPACE = 0x20

/** The text in NFC, trimmed, every run of white space one space. */
export function foldSpace(text: string): string {
  const isTrimmed = text.charCodeAt(0) !== SPACE && text.charCodeAt(text.length - 1) !== SPACE
  if (isTrimmed && !UNEVEN.test(text)) return text
  return text
    .normalize('NFC')
    .trim()
    .replace(/\s{2,}|[^\S ]/g, ' ')
}

/** A line, folded, and what is left of it without a handle. */
export type FoldedLine = { readonly told: string; readonly bare: string }

/** The lines of the text that was asked for last: a result is looked through for its handles, then for its leaves. */
let foldedText: string | null = null
let folded: readonly FoldedLine[] = []

/** The lines of a text. */
export function foldedLines(text: string): readonly FoldedLine[] {
  if (text !== foldedText) {
    const lines = text.includes('\r') ? text.split(/\r?\n/) : text.split('\n')
    folded = lines.map((line) => {
      const told = foldSpace(line)
      return { told, bare: withoutHandle(told) }
    })
    foldedText = text
  }
  return folded
}

/** A handle in a line of a page: `[ref=e12]`, `[12]`. */
export const HANDLE_IN_LINE =
  /\s*\[(?:(?:ref|id|uid|bid|index|idx|node|element)\s*[=:#]?\s*)?([A-Za-z]{0,3}\d{1,6})\]\s*/

/** The folded line without its handle: what is compared. */
function withoutHandle(line: string): string {
  return line.includes('[')
    ? line
        .replace(HANDLE_IN_LINE, ' ')
        .replace(/ (?=:)/, '')
        .trim()
    : line
}

const STATUS =
  /(error|fail|exception|traceback|denied|not found|no such|passed|success|warning|exit code|timeout|killed|fatal)/i

/** What a line needs to have for one of the patterns to be worth trying: each costs more than all of these. */
const DIGIT = /\d/
/** Without a digit, a line is volatile only by these. */
const VOLATILE_WORDS = /\/tmp\/|\/var\/folders\/|[a-f]{12}/i
const NEXT_DIGIT = /\d/g
const PID = /[pP][iI][dD]/

const HEX_RUN = 12
const HEX = new Uint8Array(128)
for (const digit of '0123456789abcdefABCDEF') HEX[digit.charCodeAt(0)] = 1

/** True when twelve hexadecimal digits stand side by side. Looks at every twelfth character, and back from a digit. */
function hasLongHex(line: string): boolean {
  for (let at = HEX_RUN - 1; at < line.length;) {
    let from = at + 1
    while (from > at - HEX_RUN + 1 && HEX[line.charCodeAt(from - 1)] === 1) from -= 1
    if (from === at - HEX_RUN + 1) return true
    at = from + HEX_RUN - 1
  }
  return false
}

/** A line of text without clocks, addresses, ids, temporary paths, durations and sizes. */
export function maskLine(line: string): string {
  return maskFolded(foldSpace(line))
}

/** The same for a folded line. No mask makes what a later one looks for. */
function maskFolded(line: string): string {
  const hasDigit = DIGIT.test(line)
  let masked = line
  if (hasDigit && line.includes(':')) {
    if (line.includes('-'))
      masked = masked.replace(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?\b/g, '<t>')
    masked = masked.replace(/\b\d\d:\d\d:\d\d(\.\d+)?\b/g, '<t>')
  }
  if (hasDigit && (line.includes('0x') || line.includes('0X')))
    masked = masked.replace(/\b0x[0-9a-f]{4,}\b/gi, '<a>')
  if (line.length >= 36 && line.includes('-') && (hasDigit || VOLATILE_WORDS.test(line)))
    masked = masked.replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gi, '<u>')
  if (hasLongHex(line)) masked = masked.replace(/\b[0-9a-f]{12,}\b/gi, '<h>')
  if (line.includes('/tmp/') || line.includes('/var/folders/'))
    masked = masked.replace(/\/(tmp|var\/folders)\/\S+/g, '<p>')
  if (!hasDigit) return masked
  masked = masked.replace(/\b\d+(\.\d+)? ?(ms|s|sec|seconds|m|MB|KB|kB|GB)\b/g, '<d>')
  return PID.test(line) ? masked.replace(/\bpid[ =:]*\d+/gi, 'pid') : masked
}

/** 32-bit FNV-1a over UTF-16 units: to compare long texts, not to protect anything. */
export function fnv(text: string): number {
  let hash = 2166136261
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i)
    hash = Math.imul(hash, 16777619)
  }
  return hash >>> 0
}

/** The hash of a text in base 36 after an `h`. */
function textHash(text: string): string {
  return `h${fnv(text).toString(36)}`
}

/** The line with `<n>` for each of its words that has a digit; these are added to `numbers`. */
function withoutNumbers(line: string, numbers: string[]): string {
  let said = ''
  let from = 0
  NEXT_DIGIT.lastIndex = 0
  while (NEXT_DIGIT.test(line)) {
    const at = NEXT_DIGIT.lastIndex - 1
    const space = line.indexOf(' ', at)
    const start = line.lastIndexOf(' ', at) + 1
    const end = space < 0 ? line.length : space
    numbers.push(line.slice(start, end))
    said += `${line.slice(from, start)}<n>`
    from = end
    NEXT_DIGIT.lastIndex = end
  }
  return from === 0 ? line : said + line.slice(from)
}

/** Lines with values that are kept as leaves of one text. */
const MAX_KEYED = 80
const KEYED = /^[-*•>\s]*([\p{L}][^:=\t]{0,60}?)\s*[:=]\s+(\S.{0,200})$/u

/** Adds the leaves of a long text to `leaves`; `addValue` adds those of the value in a keyed line. */
export function textLeaves(
  path: string,
  text: string,
  leaves: Leaf[],
  addValue: (path: string, value: string) => void,
): void {
  const rest: string[] = []
  const status = new Set<string>()
  let keyed = 0
  for (const { told, bare: line } of foldedLines(text)) {
    if (line === '') continue
    const masked = line === told ? maskFolded(line) : maskLine(line)
    if (status.size < 20 && STATUS.test(masked)) status.add(masked)
    const found = keyed < MAX_KEYED ? KEYED.exec(line) : null
    if (found === null) rest.push(masked)
    else {
      keyed++
      addValue(`${path}$line.${found[1]!}`, maskLine(found[2]!))
    }
  }
  const numbers: string[] = []
  const said = rest.map((line) => withoutNumbers(line, numbers))
  leaves.push([`${path}$text`, `x:${textHash(said.join('\n'))}`])
  if (numbers.length > 0) leaves.push([`${path}$numbers`, `x:${textHash(numbers.join(' '))}`])
  const first = [...status][0]
  leaves.push([
    `${path}$status`,
    first === undefined ? 'x:none' : `x:${textHash([...status].join('\n'))}:${first.slice(0, 60)}`,
  ])
}
