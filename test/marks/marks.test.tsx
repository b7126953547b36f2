// The marks as static markup: what they say in words, and that figures which cannot be had are not drawn.

import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { DivergenceMark } from '../../src/marks/DivergenceMark.tsx'
import { twoDecimals } from '../../src/marks/ink.ts'
import { PassCurve, curveText } from '../../src/marks/PassCurve.tsx'
import { ReliabilityCurve, reliabilityText } from '../../src/marks/ReliabilityCurve.tsx'
import { SevereCount } from '../../src/marks/SevereCount.tsx'
import { StepDots } from '../../src/marks/StepDots.tsx'
import { VERDICTS, VerdictGlyph, type Verdict } from '../../src/marks/VerdictGlyph.tsx'
import { WilsonBar } from '../../src/marks/WilsonBar.tsx'

const html = renderToStaticMarkup
const dots = (count: number, errors = 0): string => html(createElement(StepDots, { count, errors }))

describe('numbers', () => {
  test('a value that only rounds to 0 or 1 does not claim to be it', () => {
    expect([0, 0.001, 0.005, 0.5, 0.999, 1].map(twoDecimals)).toEqual([
      '0.00',
      '<0.01',
      '0.01',
      '0.50',
      '>0.99',
      '1.00',
    ])
    expect(twoDecimals(Number.NaN)).toBe('–')
  })
})

describe('WilsonBar', () => {
  test('says counts and interval, and places the dot at the estimate', () => {
    const svg = html(createElement(WilsonBar, { passes: 6, n: 9, low: 0.354, high: 0.879 }))
    expect(svg).toContain('<title>6 of 9 passed, 95 % interval 0.35 to 0.88</title>')
    expect(svg).toContain('width="96" height="12"')
    const x = Number(/<circle cx="([\d.]+)"/.exec(svg)?.[1])
    expect(x).toBeCloseTo(4 + (6 / 9) * 88, 6)
  })

  test('without trials there is a track and no dot', () => {
    const svg = html(createElement(WilsonBar, { passes: 0, n: 0, low: null, high: null }))
    expect(svg).toContain('not estimable')
    expect(svg).not.toContain('<circle')
    expect(svg).not.toContain('NaN')
  })
})

describe('PassCurve', () => {
  test('one column per k, heights as the values, values in words', () => {
    const svg = html(createElement(PassCurve, { values: [1, 0.5, 0] }))
    const heights = [...svg.matchAll(/<rect [^>]*height="([\d.]+)"/g)].map((match) => Number(match[1]))
    expect(heights).toEqual([16, 8, 0])
    expect(svg).toContain('pass^k for k = 1 to 3. 1: 1.00, 2: 0.50, 3: 0.00')
  })

  test('a long curve stays inside its width and shortens its words', () => {
    const values = Array.from({ length: 300 }, (_, i) => 1 - i / 300)
    const svg = html(createElement(PassCurve, { values }))
    const right = [...svg.matchAll(/<rect x="([\d.]+)"[^>]*width="([\d.]+)"/g)].map(
      (match) => Number(match[1]) + Number(match[2]),
    )
    expect(right).toHaveLength(300)
    expect(Math.max(...right)).toBeLessThanOrEqual(71.5)
    expect(curveText(values).length).toBeLessThan(300)
  })

  test('nothing known is said', () => {
    expect(html(createElement(PassCurve, { values: [] }))).toContain('not estimable')
  })
})

describe('ReliabilityCurve', () => {
  const points = [
    { k: 1, hat: 0.8, at: 0.8 },
    { k: 2, hat: 28 / 45, at: 44 / 45 },
    { k: 3, hat: null, at: null },
  ]
  test('leaves out what is not estimable', () => {
    const svg = html(createElement(ReliabilityCurve, { points }))
    expect(svg.match(/<circle/g)).toHaveLength(4)
    expect(reliabilityText(points)).toBe(
      'pass^k from 0.80 at k = 1 to 0.62 at k = 2; pass@k from 0.80 at k = 1 to 0.98 at k = 2',
    )
  })

  test('one point and no point are drawn without NaN', () => {
    expect(html(createElement(ReliabilityCurve, { points: points.slice(0, 1) }))).not.toContain('NaN')
    expect(html(createElement(ReliabilityCurve, { points: [] }))).toContain('not estimable')
  })
})

describe('signs', () => {
  test('each verdict has its own glyph, shape and word', () => {
    const verdicts: readonly Verdict[] = ['pass', 'fail', 'error', 'unknown', 'severe']
    const shapes = verdicts.map(
      (verdict) => /<path d="([^"]+)"/.exec(html(createElement(VerdictGlyph, { verdict })))?.[1],
    )
    expect(new Set(shapes).size).toBe(5)
    expect(new Set(verdicts.map((verdict) => VERDICTS[verdict].glyph)).size).toBe(5)
    expect(html(createElement(VerdictGlyph, { verdict: 'fail' }))).toContain('aria-label="failed"')
    expect(html(createElement(VerdictGlyph, { verdict: 'fail', hasWord: true }))).toMatch(/> failed<\/span>/)
  })

  test('a severe count of 0 draws nothing', () => {
    expect(html(createElement(SevereCount, { count: 0 }))).toBe('')
    expect(html(createElement(SevereCount, { count: 1 }))).toContain('<title>1 severe trial</title>')
    expect(html(createElement(SevereCount, { count: 2, noun: 'severe event' }))).toContain('2 severe events')
  })

  test('lead, small difference and end are three shapes with three names', () => {
    const drawn = (['lead', 'small', 'ended'] as const).map((sign) =>
      html(createElement(DivergenceMark, { sign })),
    )
    expect(drawn[0]).toContain('earliest consequential divergence')
    expect(drawn[1]).toContain('small difference')
    expect(drawn[2]).toContain('ended here')
    expect(html(createElement(DivergenceMark, { sign: 'lead', label: null }))).toContain('aria-hidden="true"')
  })

  test('up to three dots, then a number; a failed step is a ring', () => {
    expect([0, 1, 2, 3].map((count) => dots(count).match(/<circle/g)?.length)).toEqual([1, 1, 2, 3])
    expect(dots(4)).toContain('>4</text>')
    expect(dots(2, 1).match(/fill="none"/g)).toHaveLength(1)
    expect(dots(2, 1)).toContain('2 steps, 1 with an error')
  })
})
