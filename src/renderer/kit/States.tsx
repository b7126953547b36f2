// The states that every panel has besides its content: empty, fault, loading. A fault is inline and stays until it
// is solved; loading shows nothing at first, then the geometry of what comes, then what is being done.

import { createContext, use, type ReactElement, type ReactNode } from 'react'
import type { FaultData } from '../../base/fault.ts'
import { oneLine } from '../../base/text.ts'
import { Button } from './Button.tsx'
import { classes } from './classes.ts'
import { faultAsText, faultWords } from './faults.ts'
import { CopyIcon, FaultIcon, type Icon } from './icons.ts'
import { Text } from './Text.tsx'
import styles from './States.module.css'

/** What the kit asks of its surroundings. The shell provides it; the kit itself knows no bridge. */
export const CopyContext = createContext<(text: string) => void>(() => undefined)

/** A button that copies a text; "Copy" unless named otherwise. */
export function CopyButton({
  text,
  label = 'Copy',
  variant = 'quiet',
}: {
  readonly text: string | (() => string)
  readonly label?: string
  readonly variant?: 'quiet' | 'plain'
}): ReactElement {
  const copy = use(CopyContext)
  return (
    <Button
      size="small"
      variant={variant}
      icon={CopyIcon}
      onPress={() => copy(typeof text === 'string' ? text : text())}
    >
      {label}
    </Button>
  )
}

/** Props of EmptyState. Different emptiness, different icon: never the same picture for "none" and "none match". */
export type EmptyStateProps = {
  readonly icon: Icon
  readonly title: ReactNode
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

/** Nothing is here, why, and what to do. */
export function EmptyState({ icon: Picture, title, children, actions }: EmptyStateProps): ReactElement {
  return (
    <div className={styles.state}>
      <Picture size={28} strokeWidth={1.5} aria-hidden className={styles.picture ?? ''} />
      <p className={styles.title}>{title}</p>
      {children === undefined ? null : <div className={styles.words}>{children}</div>}
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </div>
  )
}

/** Props of ErrorState. `compact` is one block in the flow; otherwise it fills the panel. */
export type ErrorStateProps = {
  readonly fault: FaultData
  readonly title?: string
  readonly actions?: ReactNode
  readonly compact?: boolean
}

/** A fault: what happened, where, what to do, and its details to copy. */
export function ErrorState({ fault, title, actions, compact }: ErrorStateProps): ReactElement {
  const words = faultWords(fault)
  return (
    <div role="alert" className={classes(styles.fault, compact === true ? styles.compact : styles.full)}>
      <FaultIcon size={18} aria-hidden className={styles.faultIcon ?? ''} />
      <div className={styles.faultBody}>
        <p className={styles.title}>{title ?? words.title}</p>
        <Text as="p" value={fault.message} />
        {fault.where === undefined ? null : (
          <p className={styles.where}>
            <Text value={fault.where} mono />
          </p>
        )}
        <p className={styles.hint}>{fault.hint === undefined ? words.action : <Text value={fault.hint} />}</p>
        <div className={styles.actions}>
          {actions}
          <CopyButton text={() => faultAsText(fault)} label="Copy details" />
        </div>
      </div>
    </div>
  )
}

/** Props of Loading. `what` appears after two seconds: "Counting 10,000 trials…". */
export type LoadingProps = {
  readonly what: string
  readonly rows?: number
  readonly onCancel?: () => void
}

/** Loading: nothing for 150 ms, then rows of the coming geometry, after 2 s what is being done and Cancel. */
export function Loading({ what, rows = 8, onCancel }: LoadingProps): ReactElement {
  return (
    <div className={styles.loading} aria-busy="true">
      <span className="hidden-text" role="status">
        {oneLine(what, 200)}
      </span>
      <div className={styles.slow}>
        <span>{oneLine(what, 200)}</span>
        {onCancel === undefined ? null : (
          <Button size="small" onPress={onCancel}>
            Cancel
          </Button>
        )}
      </div>
      <Skeleton rows={rows} />
    </div>
  )
}

/** Rows of the geometry that is coming; empty to a screen reader. */
export function Skeleton({ rows = 8 }: { readonly rows?: number }): ReactElement {
  return (
    <div className={styles.skeleton} aria-hidden>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={styles.skeletonRow}>
          <span />
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  )
}
