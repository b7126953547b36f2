// When a card stands at a lane or one of its cells: a moment after the pointer or the keyboard's focus has come to rest
// there, never while the table scrolls. Knows places in the table, not what the card says.

import { useEffect, useRef, useState } from 'react'
import type { CardAt } from './LaneCard.tsx'
import { isCellRow } from './laneDrawn.ts'
import type { LaneLayout } from './laneLayout.ts'

const CARD_DELAY_MS = 350

/** A place of the table under an element: an index into `layout.rows` (below 0 the header), a drawn column (-1 the shell). */
export type LanePlace = { readonly row: number; readonly column: number; readonly element: HTMLElement }

/** The place that an element of the table stands in; null outside of its cells. */
export function lanePlace(target: EventTarget): LanePlace | null {
  if (!(target instanceof Element)) return null
  const element = target.closest<HTMLElement>('[data-column]')
  const row = target.closest<HTMLElement>('[data-row], [data-header-row]')
  if (element === null || row === null) return null
  const index = Number(row.dataset['row'] ?? row.dataset['headerRow'])
  return { row: index, column: Number(element.dataset['column']), element }
}

/** The card that is shown, and how it comes and goes. */
export function useLaneCard(layout: LaneLayout): {
  readonly card: CardAt | null
  readonly show: (target: EventTarget) => void
  readonly hide: () => void
} {
  const [card, setCard] = useState<CardAt | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const hide = (): void => {
    clearTimeout(timer.current)
    setCard(null)
  }
  const show = (target: EventTarget): void => {
    clearTimeout(timer.current)
    const place = lanePlace(target)
    const row = place === null ? undefined : layout.rows[place.row]
    if (place === null || !isCellRow(row)) {
      setCard(null)
      return
    }
    const next = { row: row.key, column: place.column }
    if (card !== null && card.row === next.row && card.column === next.column) return
    setCard(null)
    timer.current = setTimeout(
      () => setCard({ ...next, rect: place.element.getBoundingClientRect() }),
      CARD_DELAY_MS,
    )
  }
  return { card, show, hide }
}
