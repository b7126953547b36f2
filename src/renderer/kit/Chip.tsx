// Chip: a filter that is set, a count, a state in one word. Removable when `onRemove` is given.

import type { ReactElement, ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { classes } from './classes.ts'
import { CloseIcon } from './icons.ts'
import styles from './Chip.module.css'

/** Props of Chip. `name` is what the remove button says: "Remove filter: failing". */
export type ChipProps = {
  readonly children: ReactNode
  readonly name?: string
  readonly onRemove?: () => void
  readonly tone?: 'plain' | 'warn'
}

/** A small label; with `onRemove`, one that can be taken away. */
export function Chip({ children, name, onRemove, tone = 'plain' }: ChipProps): ReactElement {
  return (
    <span className={classes(styles.chip, styles[tone])}>
      {children}
      {onRemove === undefined ? null : (
        <Button
          className={styles.remove ?? ''}
          aria-label={`Remove ${name ?? (typeof children === 'string' ? children : 'filter')}`}
          onPress={onRemove}
        >
          <CloseIcon size={12} aria-hidden />
        </Button>
      )}
    </span>
  )
}
