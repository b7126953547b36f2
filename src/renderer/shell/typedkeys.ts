// Whether single typed keys act at all (WCAG 2.1.4). Remembered by the page itself: main's settings have no place
// for it yet.

import { create } from 'zustand'

const KEY = 'faultline.typedKeys'

function remembered(): boolean {
  try {
    return window.localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

/** On unless switched off in Settings. */
export const useTypedKeys = create<{ readonly isOn: boolean }>()(() => ({ isOn: remembered() }))

/** Switches single typed keys on or off. */
export function setTypedKeys(isOn: boolean): void {
  useTypedKeys.setState({ isOn })
  try {
    window.localStorage.setItem(KEY, isOn ? 'on' : 'off')
  } catch {
    // Without storage the choice holds until the window closes.
  }
}
