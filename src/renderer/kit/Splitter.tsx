// Splitter: two panes with a handle that the pointer and the arrow keys move. Over react-resizable-panels, which
// brings the ARIA window-splitter pattern; sizes are in percent of the group. A named splitter remembers the size that
// a person gave its second pane.

import { useRef, type ReactElement, type ReactNode } from 'react'
import { Group, Panel, Separator, type PanelImperativeHandle } from 'react-resizable-panels'
import type { Ref } from 'react'
import { classes } from './classes.ts'
import { rememberedNumber, rememberNumber } from './remembered.ts'
import styles from './Splitter.module.css'

/** One pane of a splitter. Sizes in percent, or with a unit such as `200px`. */
export type Pane = {
  readonly id: string
  readonly content: ReactNode
  readonly size?: number | string
  readonly min?: number | string
  readonly max?: number | string
  readonly panelRef?: Ref<PanelImperativeHandle>
}

/** Props of Splitter. A pane that is null is left out, with its handle. */
export type SplitterProps = {
  readonly label: string
  readonly direction: 'horizontal' | 'vertical'
  readonly first: Pane
  readonly second: Pane | null
  /** Under what name the size of the second pane is remembered; without one it is not. */
  readonly remember?: string
}

const size = (value: number | string | undefined): string | undefined =>
  typeof value === 'number' ? `${value}%` : value

/** Two panes side by side or one above the other. */
export function Splitter({ label, direction, first, second, remember }: SplitterProps): ReactElement {
  const kept = remember === undefined ? null : rememberedNumber(`pane.${remember}`)
  // The library also tells the sizes that it chose itself (a window that shrinks); only what a hand did is kept.
  const isByHand = useRef(false)
  const keep = (sizes: { readonly [pane: string]: number }): void => {
    const percent = second === null ? undefined : sizes[second.id]
    if (remember !== undefined && percent !== undefined && isByHand.current)
      rememberNumber(`pane.${remember}`, Math.round(percent * 10) / 10)
    isByHand.current = false
  }
  const pane = ({ id, content, size: initial, min, max, panelRef }: Pane): ReactElement => (
    <Panel
      key={id}
      id={id}
      className={styles.pane ?? ''}
      {...(initial === undefined ? {} : { defaultSize: size(initial) })}
      {...(min === undefined ? {} : { minSize: size(min) })}
      {...(max === undefined ? {} : { maxSize: size(max) })}
      {...(panelRef === undefined ? {} : { panelRef })}
    >
      {content}
    </Panel>
  )
  return (
    <Group orientation={direction} className={styles.group ?? ''} onLayoutChanged={keep}>
      {pane(first)}
      {second === null ? null : (
        <Separator
          aria-label={label}
          onPointerDown={() => (isByHand.current = true)}
          onKeyDown={() => (isByHand.current = true)}
          className={classes(styles.handle, direction === 'horizontal' ? styles.upright : styles.flat)}
        />
      )}
      {second === null ? null : pane(kept === null ? second : { ...second, size: kept })}
    </Group>
  )
}
