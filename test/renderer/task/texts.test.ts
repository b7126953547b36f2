// What the task screen makes of texts: sections of a step pair, the clipboard, words for figures.

import { describe, expect, test } from 'vitest'
import type { StepView } from '../../../src/contract/rows.ts'
import { DIFF_LIMITS } from '../../../src/analysis/stepdiff/rows.ts'
import { codeBlock, pairMarkdown, plainMarkdown } from '../../../src/renderer/screens/task/copies.ts'
import { partsOf } from '../../../src/renderer/screens/task/Finding.tsx'
import { countPairDifferences, jsonText, pairSections } from '../../../src/renderer/screens/task/sections.ts'
import { tableText } from '../../../src/renderer/screens/task/tabletext.ts'
import { columnWidthFor, partInSight } from '../../../src/renderer/screens/task/lanewindow.ts'
import { durationText, figure, stateWords } from '../../../src/renderer/screens/task/words.ts'
import { divergence } from './analysis.ts'

function step(more: Partial<StepView>): StepView {
  return {
    trialId: 't',
    trialLabel: 'trial 1',
    outcome: 'pass',
    step: 3,
    call: 0,
    role: 'assistant',
    kind: 'tool_call',
    agent: null,
    stage: null,
    tool: 'issue_refund',
    args: { amount: 1 },
    argsRaw: null,
    observation: null,
    observationText: null,
    said: null,
    error: null,
    isError: false,
    startedAt: null,
    durationMs: null,
    cutFromChars: null,
    ...more,
  }
}

describe('sections', () => {
  test('the same tool is no part, another tool is; JSON by structure without its outer brackets', () => {
    const same = pairSections(step({}), step({ args: { amount: 2 } }))
    expect(same.map((section) => section.id)).toEqual(['arguments'])
    const [args] = same
    if (args === undefined || !args.comparison.ok) throw new Error('no comparison')
    expect(args.comparison.rows).toHaveLength(1)
    expect(args.comparison.rows[0]).toMatchObject({ kind: 'changed', depth: 0, left: { key: 'amount' } })
    expect(pairSections(step({}), step({ tool: 'get_order' })).map((section) => section.id)).toEqual([
      'tool',
      'arguments',
    ])
  })

  test('a side without a step, and arguments that are no JSON', () => {
    const alone = pairSections(null, step({ said: 'I refund it.' }))
    expect(alone.map((section) => section.id)).toEqual(['said', 'arguments'])
    expect(alone.every((section) => section.comparison.ok)).toBe(true)
    const raw = pairSections(step({ args: null, argsRaw: '{"amount": 1' }), step({}))
    expect(raw[0]).toMatchObject({ id: 'arguments', leftText: '{"amount": 1' })
    expect(countPairDifferences(raw)).toBeGreaterThan(0)
  })

  test('JSON of one side and text of the other are compared as text; as text on demand', () => {
    const json = step({ observation: { status: 'ok' }, observationText: '{"status":"ok"}' })
    const text = step({ observation: null, observationText: 'Error: no such order' })
    const seen = pairSections(json, text).find((section) => section.id === 'observation')
    expect(seen).toMatchObject({ leftText: '{"status":"ok"}', rightText: 'Error: no such order' })
    expect(countPairDifferences(pairSections(json, json))).toBe(0)
    const spaced = step({ ...json, observationText: '{"status": "ok"}' })
    expect(countPairDifferences(pairSections(json, spaced))).toBe(0)
    expect(countPairDifferences(pairSections(json, spaced, { asText: true }))).toBe(1)
  })

  test('too large is said and both texts are kept', () => {
    const large = step({ observationText: 'x'.repeat(DIFF_LIMITS.chars + 1) })
    const [, seen] = pairSections(large, step({ observationText: 'x' }))
    expect(seen).toMatchObject({ comparison: { ok: false, reason: 'too large' }, rightText: 'x' })
    expect(countPairDifferences(pairSections(large, step({ observationText: 'x' })))).toBeNull()
  })

  test('JSON that nests too deeply to be written says so', () => {
    let deep: unknown = 1
    for (let i = 0; i < 100_000; i += 1) deep = [deep]
    expect(jsonText(deep as never)).toBe('(nested too deeply to be written)')
    expect(jsonText({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}')
  })
})

describe('clipboard', () => {
  test('Markdown made of data has no markup of the data’s', () => {
    expect(plainMarkdown('[x](javascript:1) <b>*a*</b> `c` \u202Eb')).toBe(
      '\\[x\\](javascript:1) \\<b\\>\\*a\\*\\</b\\> \\`c\\` \\\\u{202E}b',
    )
  })

  test('bare addresses do not become links', () => {
    expect(plainMarkdown('https://a.b www.c.d e@f.g')).toBe('https\\://a.b www\\.c.d e\\@f.g')
  })

  test('a code block cannot be closed from inside', () => {
    expect(codeBlock('a ```` b')).toBe('`````\na ```` b\n`````')
    const copied = pairMarkdown('title', step({ args: { text: '```\n# out' } }), null)
    expect(copied).toContain('**trial**: no step here')
    expect(copied.split('\n').filter((line) => line.startsWith('# '))).toEqual([])
  })

  test('a table stays a table, and a cell never becomes a formula', () => {
    expect(tableText(['a', 'b'], [['=HYPERLINK("x")', '1\t2\n3']])).toBe('a\tb\n\'=HYPERLINK("x")\t1 2 3')
    expect(tableText(['a'], [['-0.5'], ['+cmd']])).toBe("a\n-0.5\n'+cmd")
  })
})

describe('words', () => {
  test('the core’s finding in its parts; words of another shape stay whole', () => {
    const d = divergence('t', 1, { level: 'Clear lead' })
    const text = { trialId: 't', intervention: 'force it', how: [] }
    expect(
      partsOf({ ...text, headline: 'Clear lead: x is missing', sentence: 'In 1. To test it: force it.' }, d),
    ).toEqual({ level: 'Clear lead', headline: 'x is missing', sentence: 'In 1.', test: 'force it' })
    expect(partsOf({ ...text, headline: 'x', sentence: 'y' }, d)).toEqual({
      level: null,
      headline: 'x',
      sentence: 'y',
      test: null,
    })
  })

  test('states keep their exact words', () => {
    for (const state of ['no passing run', 'no failing run', 'not comparable', 'none'] as const)
      expect(stateWords(state, 9, 3).state).toBe(state)
    expect(stateWords('no failing run', 9, 0).meaning).toBe(
      'All 9 trials passed: there is nothing to part from.',
    )
    expect(stateWords('no passing run', 0, 1).meaning).toMatch(/^The only trial failed/)
  })

  test('figures never round to a certainty', () => {
    expect([0, 0.0001, 0.0357, 0.5, 0.9999, 1, null].map(figure)).toEqual([
      '0',
      '<0.001',
      '0.036',
      '0.5',
      '>0.999',
      '1',
      'not estimable',
    ])
    expect([340, 2400, 185_000].map(durationText)).toEqual(['340 ms', '2.4 s', '3 min 05 s'])
  })
})

describe('the part in sight', () => {
  test('columns share the room between a cell’s least and most width', () => {
    expect([
      columnWidthFor(1000, 0),
      columnWidthFor(1000, 5),
      columnWidthFor(1000, 10),
      columnWidthFor(1000, 100),
    ]).toEqual([148, 148, 100, 44])
  })

  test('covers what is in sight and a margin, never more than there is', () => {
    expect(partInSight(200, 44, 0, 1000)).toEqual({ from: 0, to: 30 })
    expect(partInSight(200, 44, 4400, 1000)).toEqual({ from: 92, to: 130 })
    expect(partInSight(10, 44, 9000, 1000)).toEqual({ from: 10, to: 10 })
  })
})
