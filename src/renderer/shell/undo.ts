// Undo and redo for what a person did: a stack of pairs of commands. Each entry says in words what it takes back.
// Text fields keep their own undo; the workspace keeps nothing here that it does not store itself.

import { create } from 'zustand'

/** One thing that can be taken back and done again. Both reject with a Fault when the core refuses. */
export type Undoable = {
  readonly title: string
  readonly undo: () => Promise<unknown>
  readonly redo: () => Promise<unknown>
}

type UndoStore = { readonly done: readonly Undoable[]; readonly undone: readonly Undoable[] }

/** What can be undone and redone, newest last. */
export const useUndo = create<UndoStore>()(() => ({ done: [], undone: [] }))

const KEPT = 50

/** Remembers what was just done; what was undone before is forgotten. */
export function remember(entry: Undoable): void {
  useUndo.setState(({ done }) => ({ done: [...done, entry].slice(-KEPT), undone: [] }))
}

/** Takes back the last thing; answers its title, null when there is none. */
export async function undoLast(): Promise<string | null> {
  const entry = useUndo.getState().done.at(-1)
  if (entry === undefined) return null
  await entry.undo()
  useUndo.setState(({ done, undone }) => ({
    done: done.filter((one) => one !== entry),
    undone: [...undone, entry],
  }))
  return entry.title
}

/** Does the last undone thing again; answers its title, null when there is none. */
export async function redoLast(): Promise<string | null> {
  const entry = useUndo.getState().undone.at(-1)
  if (entry === undefined) return null
  await entry.redo()
  useUndo.setState(({ done, undone }) => ({
    done: [...done, entry],
    undone: undone.filter((one) => one !== entry),
  }))
  return entry.title
}

/** Forgets everything: another workspace was opened. */
export function forgetUndo(): void {
  useUndo.setState({ done: [], undone: [] })
}
