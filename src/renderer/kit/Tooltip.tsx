// Tooltip: a few words on hover or focus of one button. Never the only home of information: what stands in it is
// also in the element's name or elsewhere on the screen.

import type { ReactElement, ReactNode } from 'react'
import { OverlayArrow, Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components'
import styles from './Tooltip.module.css'

/** A tooltip over one focusable kit element. */
export function Tooltip({
  text,
  children,
}: {
  readonly text: ReactNode
  readonly children: ReactElement
}): ReactElement {
  return (
    <TooltipTrigger delay={500} closeDelay={80}>
      {children}
      <AriaTooltip className={styles.tooltip ?? ''} offset={6}>
        <OverlayArrow className={styles.arrow ?? ''}>
          <svg width={8} height={4} viewBox="0 0 8 4" aria-hidden>
            <path d="M0 0l4 4 4-4z" />
          </svg>
        </OverlayArrow>
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  )
}
