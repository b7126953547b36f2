// Layout for terminals: widths as terminals draw them, aligned tables, text of traces that cannot steer a terminal.

import { describe, expect, test } from 'vitest'
import { displayWidth, safe, textTable, wrapped } from '../../src/cli/layout.ts'
import { shownK } from '../../src/cli/tasktable.ts'

describe('display width', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['ö', 1],
    ['o\u0308', 1],
    ['日本', 4],
    ['ｗ', 2],
    ['한국', 4],
    ['😀', 2],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['–·✓✗', 4],
    ['\u001b[1mbold\u001b[22m', 4],
  ])('%j takes %i cells', (text, width) => {
    expect(displayWidth(text)).toBe(width)
  })
})

describe('tables', () => {
  test('align by drawn width, numbers to the right, no trailing blanks', () => {
    const text = textTable(
      [{ title: 'name' }, { title: 'n', align: 'right' }, { title: 'note' }],
      [
        ['日本', '5', 'x'],
        ['a', '10', ''],
      ],
    )
    expect(text).toBe('name   n  note\n日本   5  x\na     10')
  })

  test('keep to a width by cutting the last column', () => {
    const text = textTable([{ title: 'a' }, { title: 'b' }], [['x', 'word '.repeat(20)]], 30)
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(30)
    expect(text).toContain('…')
  })

  test('wrap at blanks', () => {
    expect(wrapped('aa bb cc dd', 5, ' ')).toBe('aa bb\n cc\n dd')
  })
})

describe('text of traces', () => {
  test.each([
    ['\u001b[31mred\u001b[0m', '\\u{001B}[31mred\\u{001B}[0m'],
    ['\u001b]0;title\u0007', '\\u{001B}]0;title\\u{0007}'],
    ['a\r\nb\tc', 'a\\u{000D} b c'],
    ['\u202Eevil', '\\u{202E}evil'],
    ['\u009b2J', '\\u{009B}2J'],
  ])('%j cannot steer the terminal', (text, shown) => {
    expect(safe(text)).toBe(shown)
  })

  test('is cut by cells, not by characters', () => {
    expect(displayWidth(safe('日'.repeat(50), 20))).toBeLessThanOrEqual(20)
    expect(safe('short', 20)).toBe('short')
  })
})

test('k: all up to five, then the usual ones and the largest', () => {
  expect(shownK(4)).toEqual([1, 2, 3, 4])
  expect(shownK(5)).toEqual([1, 2, 3, 4, 5])
  expect(shownK(8)).toEqual([1, 2, 5, 8])
  expect(shownK(20)).toEqual([1, 2, 5, 10, 20])
  expect(shownK(0)).toEqual([])
})
