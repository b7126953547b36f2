// Text: the only way in which words from imported data reach the screen. Invisible and direction-changing characters
// are written out, the text is isolated from its surroundings, long text is cut and says so. It never interprets:
// no markup, no links.

import type { ReactElement } from 'react'
import { oneLine, visibleText } from '../../base/text.ts'
import { classes } from './classes.ts'
import styles from './Text.module.css'

/** Props of Text. `limit` is in characters. */
export type TextProps = {
  readonly value: string
  readonly as?: 'span' | 'div' | 'p' | 'pre' | 'code'
  /** One line with an ellipsis where the room ends; the whole text is its tooltip. */
  readonly line?: boolean
  readonly mono?: boolean
  readonly limit?: number
  readonly className?: string
}

/** Props of MarkedText. The range is in characters of `value`; `before`: how many stand before it at most. */
export type MarkedTextProps = {
  readonly value: string
  readonly start: number
  readonly end: number
  readonly before?: number
  readonly className?: string
}

/** One line of text from data with a range of it marked. */
export function MarkedText({ value, start, end, before = 80, className }: MarkedTextProps): ReactElement {
  const lead = value.slice(0, start)
  const cut = lead.length > before ? `…${lead.slice(-before)}` : lead
  return (
    <span dir="auto" className={classes(styles.text, styles.line, className)} title={visibleText(value)}>
      {visibleText(cut)}
      <mark className={styles.mark}>{visibleText(value.slice(start, end))}</mark>
      {visibleText(value.slice(end))}
    </span>
  )
}

/** Shows a text from data, inert and with nothing hidden in it. */
export function Text({ value, as: Tag = 'span', line, mono, limit, className }: TextProps): ReactElement {
  const max = limit ?? (line ? 300 : 10_000)
  const shown = line ? oneLine(value, max) : visibleText(value.slice(0, max))
  const cut = !line && value.length > max ? value.length - max : 0
  return (
    <Tag
      dir="auto"
      className={classes(styles.text, line && styles.line, mono && styles.mono, className)}
      title={line ? oneLine(value, 1000) : undefined}
    >
      {shown}
      {cut > 0 ? <span className={styles.cut}> … {cut.toLocaleString('en-US')} characters more</span> : null}
    </Tag>
  )
}
