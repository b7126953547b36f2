// What comes in needs a person now and then: the sheets of importing (look before it is kept, attach outcomes, decide
// conflicts), which of them is open and on what. UI state only; the sheets ask the core themselves.

import { create } from 'zustand'
import type { Granted } from '../../contract/events.ts'
import type { ImportPreview } from '../../contract/outcomerows.ts'
import { rememberedWord, rememberWord } from '../kit/remembered.ts'

/** Outcome files to be attached: `only` of a folder, to trials of one import run when it is given. */
export type AttachWish = {
  readonly files: readonly Granted[]
  readonly only: readonly string[] | null
  readonly importId: string | null
}

/** The open sheet. */
export type Intake =
  | { readonly kind: 'look'; readonly files: readonly Granted[]; readonly preview: ImportPreview }
  | { readonly kind: 'attach'; readonly wish: AttachWish }
  | { readonly kind: 'conflicts' }

const LOOK_FIRST = 'imports.lookFirst'

type IntakeStore = { readonly open: Intake | null; readonly looksFirst: boolean }

/** The open sheet of importing, and whether every import is looked at first. */
export const useIntake = create<IntakeStore>()(() => ({
  open: null,
  looksFirst: rememberedWord(LOOK_FIRST) === 'yes',
}))

/** Opens a sheet, or with null closes the one that is open. */
export function openIntake(open: Intake | null): void {
  useIntake.setState({ open })
}

/** Remembers whether every import is looked at before it is kept. */
export function setLooksFirst(looksFirst: boolean): void {
  rememberWord(LOOK_FIRST, looksFirst ? 'yes' : 'no')
  useIntake.setState({ looksFirst })
}

/** Whether an import should be seen before it is kept, although the person did not ask for it. */
export function needsLook(preview: ImportPreview): boolean {
  if (preview.trials === 0 || preview.alreadyHere === preview.trials) return false
  return (
    preview.files.some(({ state }) => state === 'outcomes') || preview.outcomes.unknown === preview.trials
  )
}
