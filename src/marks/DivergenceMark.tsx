// DivergenceMark: filled diamond (earliest consequential divergence, or annotated), outlined diamond (small
// difference, or not yet annotated), cross (the trial ended here). For the window and for reports.

import { INK } from './ink.ts'

/** Which mark: `lead` ◆, `small` ◇, `ended` ×. */
export type DivergenceSign = 'lead' | 'small' | 'ended'

/** The words and plain-text glyphs of the signs. */
export const SIGNS: Readonly<Record<DivergenceSign, { word: string; glyph: string }>> = {
  lead: { word: 'earliest consequential divergence', glyph: '◆' },
  small: { word: 'small difference', glyph: '◇' },
  ended: { word: 'ended here', glyph: '×' },
}

/** One sign, 12×12. `label` replaces the word where the sign means something narrower; null makes it decorative. */
export function DivergenceMark({
  sign,
  label,
  size = 12,
}: {
  sign: DivergenceSign
  label?: string | null
  size?: number
}) {
  const words = label === undefined ? SIGNS[sign].word : label
  return (
    <svg
      className={`mark mark-sign mark-sign-${sign}`}
      width={size}
      height={size}
      viewBox="0 0 12 12"
      role={words === null ? undefined : 'img'}
      aria-label={words ?? undefined}
      aria-hidden={words === null ? true : undefined}
    >
      {words !== null && <title>{words}</title>}
      {sign === 'ended' ? (
        <path d="M3 3 L9 9 M9 3 L3 9" stroke={INK.ink} strokeWidth={1.75} strokeLinecap="round" />
      ) : (
        <path
          d="M6 0.8 L11.2 6 L6 11.2 L0.8 6 Z"
          fill={sign === 'lead' ? INK.ink : 'none'}
          stroke={sign === 'lead' ? 'none' : INK.muted}
          strokeWidth={1.25}
          strokeLinejoin="round"
        />
      )}
    </svg>
  )
}
