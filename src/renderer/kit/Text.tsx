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
