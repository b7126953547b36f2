// How step pairs are looked at: split or unified, wrapped, as JSON or text. One choice for the window, kept while it
// lives; not part of the place.

import { create } from 'zustand'

/** The choices. */
export type PairLook = {
  readonly isUnified: boolean
  readonly isWrapped: boolean
  readonly asText: boolean
  readonly ignoreSpace: boolean
}

type PairLooks = PairLook & { readonly set: (change: Partial<PairLook>) => void }

/** The current choices and how to change them. */
export const usePairLook = create<PairLooks>()((set) => ({
  isUnified: false,
  isWrapped: true,
  asText: false,
  ignoreSpace: false,
  set: (change) => set(change),
}))
