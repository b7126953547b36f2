// The colours and number words that all marks share. Stands under the marks; used by the window and by reports.
// Colours are CSS custom properties with the light theme as fallback, so that a mark is right without a stylesheet.

/** One colour per role; never the only carrier of a meaning. */
export const INK = {
  ink: 'var(--ink, #15181e)',
  muted: 'var(--muted, #5b6270)',
  line: 'var(--line, #7e8594)',
  page: 'var(--page, #ffffff)',
  pass: 'var(--pass, #0a5ca8)',
  fail: 'var(--fail, #b34700)',
  severe: 'var(--severe, #6b0f1a)',
  unknown: 'var(--unknown, #5f6673)',
  band: 'var(--band, #fff1b8)',
} as const

/**
 * A proportion with two decimals. Values that only round to 0 or 1 say so (`<0.01`, `>0.99`), because "always"
 * and "never" are claims. Takes 0..1; anything that is not finite gives a dash.
 */
export function twoDecimals(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (value > 0 && value < 0.005) return '<0.01'
  if (value < 1 && value > 0.995) return '>0.99'
  return value.toFixed(2)
}
