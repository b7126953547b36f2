// The Markdown report: what it says, that it is the same bytes for the same input, and that nothing from a trace
// can become markup. The last is checked with a small reader of CommonMark's block and code rules.

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markdownReport } from '../../../src/core/reports/markdown.ts'
import { codeSpan, fenced, prose } from '../../../src/core/reports/inert.ts'
import { reportInput } from './input.ts'

/** What is left of Markdown when fenced blocks and code spans are taken out as CommonMark reads them. */
function outsideCode(markdown: string): string {
  const kept: string[] = []
  let fence: string | null = null
  for (const line of markdown.split('\n')) {
    const ticks = /^`{3,}/.exec(line)?.[0]
    if (fence !== null) {
      if (ticks !== undefined && ticks.length >= fence.length && /^`+\s*$/.test(line)) fence = null
      continue
    }
    if (ticks !== undefined && !line.slice(ticks.length).includes('`')) {
      fence = ticks
      continue
    }
    kept.push(withoutSpans(line))
  }
  expect(fence).toBeNull()
  return kept.join('\n')
}

/** The line without its code spans; a backslash keeps a backtick from opening one. */
function withoutSpans(line: string): string {
  let out = ''
  let i = 0
  while (i < line.length) {
    if (line[i] === '\\' && line[i + 1] !== undefined) {
      out += line.slice(i, i + 2)
      i += 2
      continue
    }
    if (line[i] !== '`') {
      out += line[i]
      i += 1
      continue
    }
    const run = /^`+/.exec(line.slice(i))?.[0] ?? '`'
    const rest = line.slice(i + run.length)
    const close = [...rest.matchAll(/`+/g)].find((match) => match[0].length === run.length)
    if (close === undefined) {
      out += run
      i += run.length
      continue
    }
    i += run.length + close.index + run.length
  }
  return out
}

/** Asserts that no markup can stand outside code, except the report's own headings, tables, lists and emphasis. */
function expectInert(markdown: string): void {
  const text = outsideCode(markdown).replaceAll('pass@k', '')
  expect(text).not.toMatch(/<|(?<!\\)\[|(?<!\\)\]/)
  expect(text).not.toMatch(/:\/\/|www\.|@/i)
  // eslint-disable-next-line no-control-regex
  expect(markdown).not.toMatch(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/,
  )
  expect(markdown.isWellFormed()).toBe(true)
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '</code></pre><img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '![x](http://evil.example/p.png)',
  '[a]: http://evil.example "t"',
  '<http://evil.example>',
  'see http://evil.example and www.evil.example, mail a@evil.example',
  '# heading\n## heading\n===\n---',
  '```\n# out of the fence\n```',
  '~~~\nout\n~~~',
  '`` ` ``` ````` `',
  '`',
  '\\`',
  '| a | b |\n|---|---|\n| c | d |',
  '\\|',
  '$$\\href{javascript:x}{y}$$',
  '\u202Egnp.exe\u2066\u200Bzero',
  '\uD800 lone \uDC00',
  '\u0000\u001b[31mred\u001b[0m\r\nnext',
  '- [ ] task\n1. one\n> quote\n    indented',
  '&lt;b&gt; &#60;b&#62;',
  '@@team #12 **bold** _it_ ~~no~~ ==mark== ^sup^',
  '://://www.@://',
  'a\u2028b\u2029c\u0085d',
  '[[wiki]] {{x}} {% raw %} %%c%%',
] as const

describe('inert Markdown', () => {
  test.each(HOSTILE)('%j stays text in every field of a report', (text) => {
    const report = markdownReport(reportInput({ text, name: text }))
    expectInert(report)
    // The report's own structure is what it would be with harmless text.
    const plain = markdownReport(reportInput({ text: 'plain', name: 'plain' }))
    const shape = (markdown: string): string[] =>
      outsideCode(markdown)
        .split('\n')
        .filter((line) => /^(#{1,6} |\||- |---)/.test(line))
        .map((line) => `${/^(#{1,6}|\||- |---)/.exec(line)?.[0]} ${(line.match(/(?<!\\)\|/g) ?? []).length}`)
    expect(shape(report)).toEqual(shape(plain))
  })

  test('any text whatever', () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc
        .array(fc.constantFrom(...'`|\\<>[]()!*_#-+=~$@:/w.&\n\r\t 1a{}^"\''), { maxLength: 40 })
        .map((c) => c.join('')),
      fc.constantFrom(...HOSTILE),
    )
    fc.assert(
      fc.property(any, (text) => {
        expectInert(
          `# t\n\n${codeSpan(text)}\n\n${prose(text)}\n\n| ${codeSpan(text)} | ${prose(text)} |\n\n${fenced(text)}\n`,
        )
      }),
      { numRuns: 400, seed: 7 },
    )
  })

  test('code spans keep the text as it is, longer delimiters around backticks', () => {
    expect(codeSpan('get_order')).toBe('`get_order`')
    expect(codeSpan('a `b` c')).toBe('``a `b` c``')
    expect(codeSpan('`')).toBe('`` ` ``')
    expect(codeSpan('')).toBe('*(empty)*')
    expect(codeSpan('a|b')).toBe('`a\\u{007C}b`')
    expect(fenced('a\n```\nb')).toBe('````text\na\n```\nb\n````')
  })
})

describe('the Markdown report', () => {
  const report = markdownReport(reportInput({ text: 'order 7 was refunded', name: 'refund' }))

  test('states policy, scope, coverage and both readings', () => {
    expect(report).toContain(
      '2 of 3 tasks · 4 trials · 1 of 3 configurations · errors count as failures, unknown excluded',
    )
    expect(report).toContain(
      '2 of 4 passed; pooled rate 0.500 (0.150–0.850), Wilson 95 %; 1 error counted as failure',
    )
    expect(report).toContain('Other reading (errors excluded, unknown excluded): pooled rate 0.667')
    expect(report).toContain('| 1 | 0.500 | 0.500 | 2 of 2 |  |')
    expect(report).toContain('| 2 | not estimable (needs n ≥ k) | 1 − 4.0e-5 | 1 of 2 | 0.000–0.500 |')
  })

  test('tells the finding with its figures, and that it is no proof', () => {
    expect(report).toContain('A lead, not proof.')
    expect(report).toContain('Seen in 1 of 1 failing, 0 of 1 passing')
    expect(report).toContain('pass rate 0.00 with it, 1.00 without (−1.00, 95 % −1.00 … +0.10 (Newcombe))')
    expect(report).toContain('p = 0.500 (all 2 labelings); smallest possible with these trials 0.500')
    expect(report).toContain('too few')
    expect(report).not.toMatch(/root cause proven|because/i)
    expect(report).toContain('Root cause: Skipped check; also gone')
    expect(report).toContain('Severity: major')
  })

  test('ends with the versions and holds no time of day', () => {
    expect(
      report.endsWith('Faultline 0.1.0 · analysis divergence-1 · workspace schema 1 · report format 1\n'),
    ).toBe(true)
    expect(report).not.toMatch(/\d{4}-\d{2}-\d{2}T|\d{2}:\d{2}:\d{2}/)
  })

  test('the same input gives the same bytes', () => {
    expect(markdownReport(reportInput({ text: 'order 7 was refunded', name: 'refund' }))).toBe(report)
  })

  test('leaves out what was not asked for', () => {
    const short = markdownReport(
      reportInput(
        { text: 'SECRETWORD', name: 'n' },
        { include: { summary: true, findings: false, method: false, stepTexts: false } },
      ),
    )
    expect(short).not.toContain('SECRETWORD')
    expect(short).not.toContain('## Findings')
    expect(short).not.toContain('## Method')
  })
})
