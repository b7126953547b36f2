// How step pairs are looked at: split or unified, wrapped, as JSON or text. One choice for the window, remembered; not
// part of the place.

import { create } from 'zustand'
import { rememberedWord, rememberWord } from '../../kit/remembered.ts'

/** The choices. */
export type PairLook = {
  readonly isUnified: boolean
  readonly isWrapped: boolean
  readonly asText: boolean
  readonly ignoreSpace: boolean
}

type PairLooks = PairLook & { readonly set: (change: Partial<PairLook>) => void }

const NAMES = ['isUnified', 'isWrapped', 'asText', 'ignoreSpace'] as const

/** A remembered choice; as given when it was never made. */
function remembered(name: (typeof NAMES)[number], otherwise: boolean): boolean {
  const word = rememberedWord(`pair.${name}`)
  return word === null ? otherwise : word === 'yes'
}

/** The current choices and how to change them. */
export const usePairLook = create<PairLooks>()((set) => ({
  isUnified: remembered('isUnified', false),
  isWrapped: remembered('isWrapped', true),
  asText: remembered('asText', false),
  ignoreSpace: remembered('ignoreSpace', false),
  set: (change) => {
    for (const name of NAMES) {
      const value = change[name]
      if (value !== undefined) rememberWord(`pair.${name}`, value ? 'yes' : 'no')
    }
    set(change)
  },
}))
