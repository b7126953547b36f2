// F6: from one part of the window to the next, in the order of the document.

/** Moves the focus to the next (1) or previous (-1) part of the window. */
export function moveRegion(direction: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-f6], [data-region]')].filter(
    (region) => region.getClientRects().length > 0,
  )
  if (regions.length === 0) return
  // The innermost region that holds the focus counts.
  const at = regions.findLastIndex((region) => region.contains(document.activeElement))
  const next = regions[(at + direction + regions.length) % regions.length]
  if (next === undefined) return
  const stop = next.querySelector<HTMLElement>(
    '[tabindex="0"], button:not([tabindex="-1"]), a[href], input:not([type="hidden"])',
  )
  if (stop !== null) stop.focus()
  else {
    next.tabIndex = -1
    next.focus()
  }
}
