// VerdictGlyph: how a trial ended, as glyph, word and hue together. For the window and for reports.
// Shapes differ before colours do: tick, cross, exclamation in a box, question mark, filled triangle.

import type { Outcome } from '../model/outcome.ts'
import { INK } from './ink.ts'

/** An outcome, or `severe` for a harmful event whatever the outcome. */
export type Verdict = Outcome | 'severe'

/** The word, the plain-text glyph and the colour of each verdict. */
export const VERDICTS: Readonly<Record<Verdict, { word: string; glyph: string; colour: string }>> = {
  pass: { word: 'passed', glyph: '✓', colour: INK.pass },
  fail: { word: 'failed', glyph: '✗', colour: INK.fail },
  error: { word: 'error', glyph: '!', colour: INK.fail },
  unknown: { word: 'unknown', glyph: '?', colour: INK.unknown },
  severe: { word: 'severe', glyph: '▲', colour: INK.severe },
}

const SHAPES: Readonly<Record<Verdict, { d: string; isFilled: boolean }>> = {
  pass: { d: 'M2 6.5 L5 9.5 L10 2.5', isFilled: false },
  fail: { d: 'M2.5 2.5 L9.5 9.5 M9.5 2.5 L2.5 9.5', isFilled: false },
  error: { d: 'M1.5 1.5 H10.5 V10.5 H1.5 Z M6 3.2 V6.8 M6 8.2 V8.9', isFilled: false },
  unknown: { d: 'M3.4 4 C3.4 0.8 8.6 0.8 8.6 4 C8.6 6 6 5.8 6 7.8 M6 9.6 V10.4', isFilled: false },
  severe: { d: 'M6 1 L11.4 11 H0.6 Z', isFilled: true },
}

/** The glyph of a verdict, 12×12, named for assistive technology; `hasWord` writes the word beside it. */
export function VerdictGlyph({
  verdict,
  size = 12,
  hasWord = false,
}: {
  verdict: Verdict
  size?: number
  hasWord?: boolean
}) {
  const { word, colour } = VERDICTS[verdict]
  const { d, isFilled } = SHAPES[verdict]
  const glyph = (
    <svg
      className="mark mark-verdict"
      width={size}
      height={size}
      viewBox="0 0 12 12"
      role={hasWord ? undefined : 'img'}
      aria-label={hasWord ? undefined : word}
      aria-hidden={hasWord ? true : undefined}
    >
      <title>{word}</title>
      <path
        d={d}
        fill={isFilled ? colour : 'none'}
        stroke={isFilled ? 'none' : colour}
        strokeWidth={verdict === 'error' ? 1.5 : 2}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
  if (!hasWord) return glyph
  return (
    <span className="mark-verdict-word" style={{ color: colour }}>
      {glyph} {word}
    </span>
  )
}
