// One record's bytes to its value: the quick way for records of long texts, else the parser that knows more forms. What
// is no JSON is a problem with the line and the byte where it stops being it. Between records.ts and the formats.

import type { Problem, RecordBytes, RecordItem } from './importer.ts'
import { parseLongRecord } from './longtexts.ts'
import { parseJson } from './parse.ts'

/** A record's bytes as a parsed record, or the problem with the place where they stop being JSON. */
export function parseRecord(record: RecordBytes): RecordItem {
  const value = parseLongRecord(record)
  if (value !== null) return { kind: 'record', record: { ...record, value, notes: [] } }
  const text = record.bytes.toString('utf8')
  const parsed = parseJson(text, record.depth, false, record.hasLongNumber)
  if (parsed.ok) return { kind: 'record', record: { ...record, value: parsed.value, notes: parsed.notes } }
  return { kind: 'problem', problem: invalidRecord(record, text, parsed) }
}

function invalidRecord(
  record: { line: number; byteOffset: number | null; index: number },
  text: string,
  parsed: { message: string; at: number },
): Problem {
  let lines = 0
  for (let i = text.indexOf('\n'); i >= 0 && i < parsed.at; i = text.indexOf('\n', i + 1)) lines += 1
  return {
    severity: 'error',
    code: 'JSON_INVALID',
    message: `The record that begins on line ${record.line} is not JSON: ${parsed.message}.`,
    line: record.line + lines,
    record: record.index,
    ...(record.byteOffset === null
      ? {}
      : { byte: record.byteOffset + Buffer.byteLength(text.slice(0, parsed.at)) }),
  }
}
