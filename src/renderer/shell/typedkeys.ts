// Whether single typed keys act at all (WCAG 2.1.4). Remembered by the page itself: main's settings have no place
// for it yet.

import { create } from 'zustand'
import { rememberedWord, rememberWord } from '../kit/remembered.ts'

const NAME = 'typedKeys'

/** On unless switched off in Settings. */
export const useTypedKeys = create<{ readonly isOn: boolean }>()(() => ({
  isOn: rememberedWord(NAME) !== 'off',
}))

/** Switches single typed keys on or off. */
export function setTypedKeys(isOn: boolean): void {
  useTypedKeys.setState({ isOn })
  rememberWord(NAME, isOn ? 'on' : 'off')
}
