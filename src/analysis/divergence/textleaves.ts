// Long and multi-line texts as leaves: lines of the form “key: value” become leaves of their own, so that the one value
// that matters in a page or a report can differ alone; the rest is compared by what its lines say without numbers, by
// the numbers in it, and by its status lines.

import type { Leaf } from './leaf.ts'

const RE_PLAIN = /^[!-~]+(?: [!-~]+)*$/

/** The text in NFC, trimmed, every run of white space one space. */
export function foldSpace(text: string): string {
  return RE_PLAIN.test(text) ? text : text.normalize('NFC').trim().replace(/\s+/g, ' ')
}

/** A handle in a line of a page: `[ref=e12]`, `[12]`. */
export const HANDLE_IN_LINE =
  /\s*\[(?:(?:ref|id|uid|bid|index|idx|node|element)\s*[=:#]?\s*)?([A-Za-z]{0,3}\d{1,6})\]\s*/

/** The line without its handle: what is compared. */
export function withoutHandle(line: string): string {
  return line.includes('[')
    ? line
        .replace(HANDLE_IN_LINE, ' ')
        .replace(/ (?=:)/, '')
        .trim()
    : line
}

const STATUS =
  /(error|fail|exception|traceback|denied|not found|no such|passed|success|warning|exit code|timeout|killed|fatal)/i

const MAYBE_VOLATILE_TEXT = /\d|\/tmp\/|\/var\/folders\/|[a-f]{12}/i

/** A line of text without clocks, addresses, ids, temporary paths, durations and sizes. */
export function maskLine(line: string): string {
  const folded = foldSpace(line)
  if (!MAYBE_VOLATILE_TEXT.test(folded)) return folded
  return folded
    .replace(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?\b/g, '<t>')
    .replace(/\b\d\d:\d\d:\d\d(\.\d+)?\b/g, '<t>')
    .replace(/\b0x[0-9a-f]{4,}\b/gi, '<a>')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gi, '<u>')
    .replace(/\b[0-9a-f]{12,}\b/gi, '<h>')
    .replace(/\/(tmp|var\/folders)\/\S+/g, '<p>')
    .replace(/\b\d+(\.\d+)? ?(ms|s|sec|seconds|m|MB|KB|kB|GB)\b/g, '<d>')
    .replace(/\bpid[ =:]*\d+/gi, 'pid')
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
export function textHash(text: string): string {
  return `h${fnv(text).toString(36)}`
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
  for (const raw of text.split(/\r?\n/)) {
    const line = withoutHandle(foldSpace(raw))
    if (line === '') continue
    const masked = maskLine(line)
    if (status.size < 20 && STATUS.test(masked)) status.add(masked)
    const found = keyed < MAX_KEYED ? KEYED.exec(line) : null
    if (found === null) rest.push(masked)
    else {
      keyed++
      addValue(`${path}$line.${found[1]!}`, maskLine(found[2]!))
    }
  }
  // Word by word: a pattern over whole lines would take quadratic time on hostile ones.
  const numbers: string[] = []
  const said = rest.map((line) =>
    line
      .split(' ')
      .map((word) => {
        if (!/\d/.test(word)) return word
        numbers.push(word)
        return '<n>'
      })
      .join(' '),
  )
  leaves.push([`${path}$text`, `x:${textHash(said.join('\n'))}`])
  if (numbers.length > 0) leaves.push([`${path}$numbers`, `x:${textHash(numbers.join(' '))}`])
  const first = [...status][0]
  leaves.push([
    `${path}$status`,
    first === undefined ? 'x:none' : `x:${textHash([...status].join('\n'))}:${first.slice(0, 60)}`,
  ])
}
