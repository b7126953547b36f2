// Theme and density on the document element. Main remembers the choice and tells the system's preference through
// prefers-color-scheme; here it becomes data-theme, so that styles and tests see what is drawn.

import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { Settings } from '../../contract/events.ts'

function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

/** True when the window is too narrow for a drawer beside a table: it then goes below. */
export function useNarrow(): boolean {
  return useMedia('(max-width: 1199px)')
}

/** The theme that is drawn: the choice, or what the system prefers. */
export function useResolvedTheme(settings: Settings | undefined): 'light' | 'dark' {
  const prefersDark = useMedia('(prefers-color-scheme: dark)')
  const choice = settings?.theme ?? 'system'
  return choice === 'system' ? (prefersDark ? 'dark' : 'light') : choice
}

/** Writes theme and density to the document element. */
export function useAppearance(settings: Settings | undefined): void {
  const theme = useResolvedTheme(settings)
  const density = settings?.density ?? 'normal'
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme
    document.documentElement.dataset['density'] = density
  }, [theme, density])
}

/** Row heights in px by density: the same numbers as `--row` in kit/tokens.css, for the virtual grid. */
export const ROW_HEIGHTS: { readonly [density in Settings['density']]: number } = {
  compact: 28,
  normal: 32,
  comfortable: 40,
}

/** The next theme in the order light, dark, system. */
export function nextTheme(theme: Settings['theme']): Settings['theme'] {
  return theme === 'light' ? 'dark' : theme === 'dark' ? 'system' : 'light'
}
