// Saves one annotation as a person types: at most 400 ms after the last change, at once when asked, one save after
// the other, each with the revision that the person saw. A conflict stops saving until a side is chosen; a fault
// keeps the draft. No React here: the panel subscribes, tests drive it with a real core.

import { toFaultData, type FaultData } from '../../../../base/fault.ts'
import { isObject } from '../../../../base/json.ts'
import { EMPTY_DRAFT, type Annotation, type AnnotationDraft } from '../../../../model/annotation.ts'

/** Writes to the core; rejects with a Fault. */
export type SaveAnnotation = (revision: number, draft: AnnotationDraft) => Promise<Annotation>

/** What a save changed, for undo. `before` null: there was no annotation. */
export type SavedChange = { readonly before: AnnotationDraft | null; readonly after: AnnotationDraft }

/** What the panel shows. `theirs` is set while in conflict: null when the other side deleted it. */
export type SaverState = {
  readonly draft: AnnotationDraft
  readonly revision: number
  readonly status: 'clean' | 'changed' | 'saving' | 'conflict' | 'fault'
  readonly savedAt: string | null
  readonly theirs: Annotation | null
  readonly fault: FaultData | null
}

/** The saver of one trial's annotation. */
export type Saver = {
  readonly state: () => SaverState
  readonly subscribe: (listener: () => void) => () => void
  /** Takes a change and saves it soon. */
  readonly change: (change: Partial<AnnotationDraft>) => void
  /** Saves now what is not saved; resolves when it is on the disk or has failed (see state). */
  readonly flush: () => Promise<void>
  /** Takes what the core holds, unless there is something unsaved here. */
  readonly adopt: (stored: Annotation | null) => void
  /** Ends a conflict: writes this draft over the other, or takes the other. */
  readonly resolve: (keep: 'mine' | 'theirs') => Promise<void>
}

/** The longest that a change waits before it is saved. */
export const SAVE_DELAY_MS = 400

/** The part of a stored annotation that a person writes. */
export function draftOf(annotation: AnnotationDraft | null): AnnotationDraft {
  if (annotation === null) return EMPTY_DRAFT
  const { causes, severity, verdict, verdictColumn, evidence, note, confidence } = annotation
  return { causes, severity, verdict, verdictColumn, evidence, note, confidence }
}

/** Whether two drafts say the same. */
export function isSameDraft(a: AnnotationDraft, b: AnnotationDraft): boolean {
  return JSON.stringify(draftOf(a)) === JSON.stringify(draftOf(b))
}

function theirsOf(fault: FaultData): { theirs: Annotation | null; revision: number } {
  const details = isObject(fault.details) ? fault.details : {}
  const revision = typeof details['revision'] === 'number' ? details['revision'] : 0
  return { theirs: isObject(details['current']) ? (details['current'] as Annotation) : null, revision }
}

/** A saver that starts from what is stored. */
export function makeSaver(
  stored: Annotation | null,
  save: SaveAnnotation,
  onSaved: (change: SavedChange) => void,
): Saver {
  const listeners = new Set<() => void>()
  let last: AnnotationDraft | null = stored === null ? null : draftOf(stored)
  let state: SaverState = {
    draft: draftOf(stored),
    revision: stored?.revision ?? 0,
    status: 'clean',
    savedAt: stored?.updatedAt ?? null,
    theirs: null,
    fault: null,
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | null = null
  let theirRevision = 0

  const set = (change: Partial<SaverState>): void => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const isUnsaved = (): boolean => !isSameDraft(state.draft, last ?? EMPTY_DRAFT)

  const saveOnce = async (): Promise<void> => {
    const draft = state.draft
    const before = last
    set({ status: 'saving', fault: null })
    try {
      const saved = await save(state.revision, draft)
      last = draft
      set({ revision: saved.revision, savedAt: saved.updatedAt, status: isUnsaved() ? 'changed' : 'clean' })
      onSaved({ before, after: draft })
    } catch (error) {
      const fault = toFaultData(error)
      if (fault.code !== 'CONFLICT') {
        set({ status: 'fault', fault })
        return
      }
      const { theirs, revision } = theirsOf(fault)
      theirRevision = revision
      set({ status: 'conflict', theirs })
    }
  }
  const run = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (running !== null) {
      await running
    }
    if (!isUnsaved() || state.status === 'conflict') return
    running = saveOnce()
    await running
    running = null
    // What was typed while saving.
    if (state.status === 'changed') await run()
  }

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    change: (change) => {
      const isHeld = state.status === 'conflict' || state.status === 'saving'
      set({ draft: { ...state.draft, ...change }, ...(isHeld ? {} : { status: 'changed' as const }) })
      if (state.status === 'conflict') return
      // From the first unsaved change on: steady typing must not put the save off for ever.
      timer ??= setTimeout(() => void run(), SAVE_DELAY_MS)
    },
    flush: run,
    adopt: (next) => {
      if (state.status !== 'clean' || running !== null) return
      const revision = next?.revision ?? 0
      if (revision === state.revision && (next === null) === (last === null)) return
      // An answer asked before the last save is older than what stands here.
      if (next !== null && revision < state.revision) return
      last = next === null ? null : draftOf(next)
      set({ draft: draftOf(next), revision, savedAt: next?.updatedAt ?? null, fault: null })
    },
    resolve: async (keep) => {
      if (state.status !== 'conflict') return
      const { theirs } = state
      if (keep === 'theirs') {
        last = theirs === null ? null : draftOf(theirs)
        const revision = theirs?.revision ?? 0
        set({
          draft: draftOf(theirs),
          revision,
          savedAt: theirs?.updatedAt ?? null,
          status: 'clean',
          theirs: null,
        })
        return
      }
      last = theirs === null ? null : draftOf(theirs)
      set({ revision: theirs?.revision ?? theirRevision, status: 'changed', theirs: null })
      await run()
    },
  }
}
