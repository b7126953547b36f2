// What the frame has to say besides the screens: one quiet line in the status bar, one fault under the header that
// stays until it is dismissed, and which sheet lies open. UI state only; nothing here is an answer of the core.

import { create } from 'zustand'
import { toFaultData, type FaultData } from '../../base/fault.ts'
import { isObject } from '../../base/json.ts'

/** Sheets of the frame. */
export type Sheet = 'palette' | 'keys' | 'about' | 'delete'

type FrameStore = {
  readonly notice: {
    readonly text: string
    readonly action?: { readonly title: string; readonly run: () => void }
  } | null
  readonly fault: { readonly title: string; readonly fault: FaultData } | null
  readonly sheet: Sheet | null
}

/** The frame's own state. */
export const useFrame = create<FrameStore>()(() => ({ notice: null, fault: null, sheet: null }))

/** Says a quiet line in the status bar, with something to do about it. Replaced by the next one. */
export function say(text: string, action?: { readonly title: string; readonly run: () => void }): void {
  useFrame.setState({ notice: action === undefined ? { text } : { text, action } })
}

/** Shows a fault under the header: `title` says what could not be done. A cancel is no fault. */
export function showFault(title: string, error: unknown): void {
  const fault = isFaultData(error) ? error : toFaultData(error)
  if (fault.code !== 'CANCELLED') useFrame.setState({ fault: { title, fault } })
}

/** Shows that a setting is in force and could not be kept. */
export function showSettingsFault(error: unknown): void {
  showFault('The setting was not saved', error)
}

function isFaultData(error: unknown): error is FaultData {
  return isObject(error) && !(error instanceof Error) && typeof error['code'] === 'string'
}

/** Takes the fault under the header away. */
export function dismissFault(): void {
  useFrame.setState({ fault: null })
}

/** Opens a sheet, or with null closes the one that is open. */
export function openSheet(sheet: Sheet | null): void {
  useFrame.setState({ sheet })
}
