// SevereCount: filled triangle and number, nothing when the count is 0. For the window and for reports.
// Counts events or trials as its label says; never a colour alone.

import { plural } from '../base/text.ts'
import { INK } from './ink.ts'

/** The triangle of severe events alone, 10×10; decorative, its owner says the words. */
export function SevereTriangle({ size = 10 }: { size?: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 10 10" aria-hidden="true">
      <path d="M5 0.8 L9.6 9.2 H0.4 Z" fill={INK.severe} />
    </svg>
  )
}

/** Triangle and count. `count` of trials (or events, when `noun` says so); 0 draws nothing. */
export function SevereCount({ count, noun = 'severe trial' }: { count: number; noun?: string }) {
  if (count === 0) return null
  const label = plural(count, noun)
  return (
    <span className="mark-severe" title={label}>
      <svg className="mark" width={10} height={10} viewBox="0 0 10 10" role="img" aria-label={label}>
        <title>{label}</title>
        <path d="M5 0.8 L9.6 9.2 H0.4 Z" fill={INK.severe} />
      </svg>{' '}
      <span aria-hidden="true">{count}</span>
    </span>
  )
}
