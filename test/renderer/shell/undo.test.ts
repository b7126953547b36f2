// The undo stack: what is one entry and what is two, and what undo and redo take back.

import { afterEach, expect, test } from 'vitest'
import {
  forgetUndo,
  redoLast,
  remember,
  undoLast,
  UNDO_PAUSE_MS,
  useUndo,
} from '../../../src/renderer/shell/undo.ts'

afterEach(forgetUndo)

/** A text as a person types it; each save remembers how it was before and after. */
function typing(): { text: () => string; save: (to: string, at: number, kind?: string) => void } {
  let text = ''
  return {
    text: () => text,
    save: (to, at, kind = 'trial 1 note') => {
      const before = text
      text = to
      const undo = (): Promise<void> => Promise.resolve(void (text = before))
      const redo = (): Promise<void> => Promise.resolve(void (text = to))
      remember({ title: 'Annotation', kind, undo, redo }, at)
    },
  }
}

test('saves of one field that follow each other are taken back at once', async () => {
  const { text, save } = typing()
  save('Re', 1000)
  save('Read the', 1400)
  save('Read the date', 1400 + UNDO_PAUSE_MS - 1)
  expect(useUndo.getState().done).toHaveLength(1)
  await undoLast()
  expect(text()).toBe('')
  await redoLast()
  expect(text()).toBe('Read the date')
})

test('a pause begins a new entry', async () => {
  const { text, save } = typing()
  save('one', 0)
  save('one two', UNDO_PAUSE_MS)
  expect(useUndo.getState().done).toHaveLength(2)
  await undoLast()
  expect(text()).toBe('one')
})

test('another field, something without a kind, and an undo in between begin a new entry', async () => {
  const { save } = typing()
  save('one', 0)
  save('two', 1, 'trial 1 severity')
  save('three', 2)
  expect(useUndo.getState().done).toHaveLength(3)
  const nothing = (): Promise<void> => Promise.resolve()
  remember({ title: 'Import', undo: nothing, redo: nothing }, 3)
  remember({ title: 'Import', undo: nothing, redo: nothing }, 4)
  expect(useUndo.getState().done).toHaveLength(5)
  await undoLast()
  await undoLast()
  save('four', 5)
  expect(useUndo.getState()).toMatchObject({ done: { length: 4 }, undone: [] })
})
