// The savers of this window, one per trial, outside of React: a draft outlives its panel, so that closing it, or a
// fault while it closes, loses nothing. Every change can be undone, what was typed in one go at once.

import { useEffect, useSyncExternalStore } from 'react'
import { Fault } from '../../../../base/fault.ts'
import { ask } from '../../../bridge/client.ts'
import { remember } from '../../../shell/undo.ts'
import { EMPTY_DRAFT, type Annotation, type AnnotationDraft } from '../../../../model/annotation.ts'
import { makeSaver, type SavedChange, type Saver, type SaverState } from './saver.ts'

/** What is written beside the draft: the lead that the person saw, and what computed it. */
export type Seen = { readonly leadShown: string | null; readonly algorithm: string | null }

/** Savers of the open workspace, by trial. */
let savers = new Map<string, Saver>()
/** Unsaved ones of workspaces that were left, by the workspace's path: they wait until it is open again. */
const parked = new Map<string, Map<string, Saver>>()
/** The open workspace's path, which trial ids alone do not tell: a copy has the same trials. */
let home: string | null = null
/** While another workspace is being opened, no draft may be on its way. */
let opening: Promise<void> | null = null

/** Says which workspace is open. Drafts of another one stay with it. */
export function setDraftHome(path: string): void {
  if (path === home) return
  if (home !== null) {
    const unsaved = [...savers].filter(([, saver]) => saver.state().status !== 'clean')
    if (unsaved.length > 0) parked.set(home, new Map(unsaved))
    savers = parked.get(path) ?? new Map<string, Saver>()
    parked.delete(path)
  }
  home = path
}

/** Saves what is unsaved where it belongs, then opens another workspace; what is typed meanwhile waits for it. */
export async function afterSavingDrafts<T>(open: () => Promise<T>): Promise<T> {
  await Promise.all([...savers.values()].map((saver) => saver.flush()))
  const work = open()
  const settled = (): void => {
    opening = null
  }
  opening = work.then(settled, settled)
  return work
}

/** Drafts that could not be saved: they are lost when the window closes. */
export function unsavedDrafts(): number {
  return [savers, ...parked.values()]
    .flatMap((some) => [...some.values()])
    .filter((saver) => ['fault', 'conflict'].includes(saver.state().status)).length
}

/** Keeps the window from closing over a draft that could not be saved: main asks the person. Answers the end of it. */
export function guardDrafts(): () => void {
  const guard = (event: BeforeUnloadEvent): void => {
    if (unsavedDrafts() > 0) event.preventDefault()
  }
  window.addEventListener('beforeunload', guard)
  return () => window.removeEventListener('beforeunload', guard)
}

/** The newest stored annotation of a trial, asked from the core. */
async function storedOf(trialId: string, taskId: string): Promise<Annotation | null> {
  const all = await ask('annotations.list', { taskId })
  return all.find((one) => one.trialId === trialId) ?? null
}

/** Puts an annotation into a state that it had: saved with those words, or deleted when there was none. */
export async function restoreAnnotation(
  trialId: string,
  taskId: string,
  draft: AnnotationDraft | null,
  seen: Seen,
): Promise<void> {
  const now = await storedOf(trialId, taskId)
  if (draft === null) {
    if (now !== null) await ask('annotations.delete', { trialId, revision: now.revision })
    return
  }
  await ask('annotations.save', { trialId, revision: now?.revision ?? 0, draft: copyOf(draft), ...seen })
}

/** The draft with plain arrays, as the contract's input wants it. */
export function copyOf(draft: AnnotationDraft): AnnotationDraft {
  return { ...draft, causes: [...draft.causes], evidence: draft.evidence.map((one) => ({ ...one })) }
}

/** The fields that a save changed: saves of one field that follow each other are one step of undo. */
function changedFields({ before, after }: SavedChange): readonly string[] {
  const old = before ?? EMPTY_DRAFT
  return (Object.keys(after) as (keyof AnnotationDraft)[])
    .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(after[field]))
    .toSorted()
}

function rememberSave(title: string, trialId: string, taskId: string, seen: Seen, change: SavedChange): void {
  remember({
    title,
    kind: `${trialId} ${changedFields(change).join(' ')}`,
    undo: () => restoreAnnotation(trialId, taskId, change.before, seen),
    redo: () => restoreAnnotation(trialId, taskId, change.after, seen),
  })
}

/** The trial's saver; made from what is stored when there is none yet. */
export function saverOf(
  trialId: string,
  taskId: string,
  title: string,
  stored: Annotation | null,
  seen: Seen,
): Saver {
  const known = savers.get(trialId)
  if (known !== undefined) return known
  const ownHome = home
  const saver = makeSaver(
    stored,
    async (revision, draft) => {
      await opening
      if (home !== ownHome)
        throw new Fault('NOT_FOUND', 'This was written in another workspace.', {
          hint: 'Open that workspace again to save it there.',
        })
      return ask('annotations.save', { trialId, revision, draft: copyOf(draft), ...seen })
    },
    (change) => rememberSave(title, trialId, taskId, seen, change),
  )
  savers.set(trialId, saver)
  return saver
}

/** Lets a saver go when nothing in it is unsaved. */
function release(trialId: string, saver: Saver): void {
  if (saver.state().status === 'clean' && savers.get(trialId) === saver) savers.delete(trialId)
}

/** A saver's state, saved when the component goes or the window is hidden. */
export function useSaver(saver: Saver, trialId: string, stored: Annotation | null): SaverState {
  const state = useSyncExternalStore(saver.subscribe, saver.state)
  useEffect(() => saver.adopt(stored), [saver, stored])
  useEffect(() => {
    const flush = (): void => void saver.flush()
    const onHide = (): void => {
      if (document.visibilityState === 'hidden') flush()
    }
    window.addEventListener('blur', flush)
    window.addEventListener('pagehide', flush)
    document.addEventListener('visibilitychange', onHide)
    return () => {
      window.removeEventListener('blur', flush)
      window.removeEventListener('pagehide', flush)
      document.removeEventListener('visibilitychange', onHide)
      void saver.flush().then(() => release(trialId, saver))
    }
  }, [saver, trialId])
  return state
}
