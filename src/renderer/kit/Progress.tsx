// Progress: how far long work has come. The bar moves freely; what is spoken moves in steps of ten percent.

import type { ReactElement } from 'react'
import { ProgressBar } from 'react-aria-components'
import styles from './Progress.module.css'

/** Props of Progress. `value` 0..1, or null when nobody knows. */
export type ProgressProps = {
  readonly label: string
  readonly value: number | null
  readonly width?: 'narrow' | 'full'
}

/** A bar. */
export function Progress({ label, value, width = 'narrow' }: ProgressProps): ReactElement {
  const share = value === null ? null : Math.min(1, Math.max(0, value))
  return (
    <ProgressBar
      aria-label={label}
      value={share === null ? 0 : Math.floor(share * 10) * 10}
      isIndeterminate={share === null}
      className={`${styles.progress} ${styles[width]}`}
    >
      <span className={styles.track}>
        <span
          className={share === null ? styles.unknown : styles.fill}
          style={share === null ? {} : { width: `${(share * 100).toFixed(1)}%` }}
        />
      </span>
    </ProgressBar>
  )
}
