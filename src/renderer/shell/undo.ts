// Undo and redo for what a person did: a stack of pairs of commands. Each entry says in words what it takes back.
// Text fields keep their own undo; the workspace keeps nothing here that it does not store itself.

import { create } from 'zustand'

/** One thing that can be taken back and done again. Both reject with a Fault when the core refuses. */
export type Undoable = {
  readonly title: string
  readonly undo: () => Promise<unknown>
  readonly redo: () => Promise<unknown>
  /** What it belongs to: a change of the same kind that follows soon is part of the same entry. */
  readonly kind?: string
}

type UndoStore = {
  readonly done: readonly Undoable[]
  readonly undone: readonly Undoable[]
  /** When the newest entry last grew, in the milliseconds of performance.now(). */
  readonly grownAt: number
}

/** What can be undone and redone, newest last. */
export const useUndo = create<UndoStore>()(() => ({ done: [], undone: [], grownAt: 0 }))

const KEPT = 50

/** A pause this long ends an entry: what is written after it is taken back by itself. */
export const UNDO_PAUSE_MS = 2000

/**
 * Remembers what was just done; what was undone before is forgotten. A change of the newest entry's kind within
 * UNDO_PAUSE_MS joins it: one undo takes back what was typed in one go. `now` in milliseconds.
 */
export function remember(entry: Undoable, now: number = performance.now()): void {
  useUndo.setState(({ done, undone, grownAt }) => {
    const last = done.at(-1)
    const joins =
      last?.kind !== undefined &&
      last.kind === entry.kind &&
      undone.length === 0 &&
      now - grownAt < UNDO_PAUSE_MS
    const kept = joins ? [...done.slice(0, -1), { ...entry, undo: last.undo }] : [...done, entry]
    return { done: kept.slice(-KEPT), undone: [], grownAt: now }
  })
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
  useUndo.setState({ done: [], undone: [], grownAt: 0 })
}
