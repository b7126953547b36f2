// CSV: nothing a spreadsheet would compute, cells bounded and noted, and a table that reads back as it was written.

import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { csvReport } from '../../../src/core/reports/csv.ts'
import { CELL_CHARS, csvText, type Cell } from '../../../src/core/reports/csvtext.ts'
import { reportInput } from './input.ts'

const cellOf = (value: Cell): string =>
  (parse(csvText(['a', 'b'], [[value, 'x']])) as string[][])[1]?.[0] ?? ''

describe('CSV cells', () => {
  test.each([
    '=HYPERLINK("http://evil.example","x")',
    '+1+1',
    '-1+1',
    '@SUM(A1)',
    '\t=1',
    ' =1',
    '\n=1',
    '  @x',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    "=cmd|' /C calc'!A0",
  ])('%j is guarded', (text) => {
    expect(cellOf(text)).toBe(`'${text}`)
  })

  test('a carriage return in front is made visible', () => {
    expect(cellOf('\r=1')).toBe('\\u{000D}=1')
  })

  test.each([-0.5, 0, 1e-9, 0.1 + 0.2])('number %s stays a number', (value) => {
    expect(Number(cellOf(value))).toBe(value)
  })

  test('quotes, commas and line feeds come back as they were', () => {
    for (const text of ['a,b', 'say "x"', 'two\nlines', "it's", 'ö ⟦email 1⟧'])
      expect(cellOf(text)).toBe(text)
  })

  test('null is empty, booleans are words', () => {
    expect(cellOf(null)).toBe('')
    expect(cellOf(false)).toBe('false')
  })

  test('a cell longer than a spreadsheet holds is cut between characters and says so', () => {
    const cell = cellOf('😀'.repeat(20_000))
    expect(cell.length).toBeLessThanOrEqual(CELL_CHARS)
    expect(cell.isWellFormed()).toBe(true)
    expect(cell.endsWith('… [cut, 40000 characters in all]')).toBe(true)
  })

  test('direction overrides and lone surrogates are written out', () => {
    expect(cellOf('a\u202eb\ud800')).toBe('a\\u{202E}b\\u{D800}')
  })
})

describe('the CSV report', () => {
  const hostile = '=1+1,"x"\n| <b>'
  const text = csvReport(reportInput({ text: hostile, name: '@name' }))
  const rows = parse(text, { columns: true }) as Record<string, string>[]

  test('one line per task, one per failing or annotated trial', () => {
    expect(rows.map((row) => row['record'])).toEqual(['task', 'trial', 'task'])
  })

  test('figures in full, policy and algorithm on every line', () => {
    expect(rows[0]).toMatchObject({
      n: '2',
      passes: '1',
      rate: '0.5',
      wilson_low: '0.0945',
      p: '0.5',
      weight: '0.87',
    })
    for (const row of rows)
      expect(row).toMatchObject({
        error_policy: 'fail',
        unknown_policy: 'exclude',
        algorithm: 'divergence-1',
      })
  })

  test('finding and annotation stand there, guarded', () => {
    expect(rows[0]?.['finding']).toBe(`'${hostile}`)
    expect(rows[1]).toMatchObject({ root_cause: 'Skipped check', further_causes: 'gone', severity: 'major' })
    expect(rows[1]?.['note']).toBe(`'${hostile}`)
    for (const cell of rows.flatMap((row) => Object.values(row))) expect(cell).not.toMatch(/^\s*[=+@]/)
  })

  test('ends every line with CR LF', () => {
    expect(text.endsWith('\r\n')).toBe(true)
  })
})
