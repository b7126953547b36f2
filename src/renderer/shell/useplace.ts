// The current place as React state, and the way to go elsewhere. The URL hash is the only home; Back and Forward
// are the browser's. Going somewhere keeps the scope.

import { useCallback, useMemo } from 'react'
import { useHashLocation } from 'wouter/use-hash-location'
import type { View } from '../../contract/inputs.ts'
import { formatPlace, parsePlace, type Address, type Place } from './places.ts'

/** Where we are and how to leave. `replace` keeps Back from stopping here (filters, cursor moves). */
export type PlaceState = Address & {
  readonly go: (place: Place, options?: { readonly replace?: boolean }) => void
  readonly setScope: (scope: readonly string[] | null) => void
}

/** The place that the hash names. */
export function usePlace(): PlaceState {
  const [hash, navigate] = useHashLocation()
  const address = useMemo(() => parsePlace(hash), [hash])
  const { place, scope } = address
  const go = useCallback<PlaceState['go']>(
    (next, options) => {
      // Read the scope where it lives: a caller may hold an older `go`.
      const now = parsePlace(window.location.hash)
      navigate(formatPlace({ place: next, scope: now.scope }), { replace: options?.replace ?? false })
    },
    [navigate],
  )
  const setScope = useCallback<PlaceState['setScope']>(
    (next) => {
      const now = parsePlace(window.location.hash)
      navigate(formatPlace({ place: now.place, scope: next }))
    },
    [navigate],
  )
  return { place, scope, go, setScope }
}

/** What is looked at, for the contract: the scope, and the workspace's own policy. */
export function useView(): View {
  const { scope } = usePlace()
  return useMemo(() => ({ configurations: scope === null ? null : [...scope], policy: null }), [scope])
}

/** A link's address (with `#`), for real anchors. */
export function hrefOf(place: Place, scope: readonly string[] | null): string {
  return `#${formatPlace({ place, scope })}`
}
