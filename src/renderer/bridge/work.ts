// Background work that outlives the screen it was started from: imports and the sample workspace. The status bar is
// its only home on screen. Each piece of work is one job of the contract with its progress and its end.

import { create } from 'zustand'
import { toFaultData, type FaultData } from '../../base/fault.ts'
import type { Output } from '../../contract/contract.ts'
import type { ImportProgress } from '../../contract/rows.ts'
import { ask, newRequestId, type Ask } from './client.ts'

/** One piece of background work. Finished work stays until it is dismissed or replaced, so that its end is read. */
export type Work = {
  readonly id: string
  readonly method: 'imports.run' | 'imports.preview' | 'workspace.openSample'
  readonly title: string
  readonly progress: ImportProgress | null
  readonly state: 'running' | 'cancelling' | 'done' | 'failed'
  readonly fault: FaultData | null
  /** Set when it ended well: what the status bar says, and the import run that can be undone. */
  readonly summary: string | null
  readonly importId: string | null
}

type WorkStore = {
  readonly works: readonly Work[]
  readonly cancel: (id: string) => void
  readonly dismiss: (id: string) => void
}

const controllers = new Map<string, AbortController>()

/** All background work, newest last. */
export const useWork = create<WorkStore>()((set) => ({
  works: [],
  cancel: (id) => {
    controllers.get(id)?.abort()
    set((now) => ({
      works: now.works.map((work) =>
        work.id === id && work.state === 'running' ? { ...work, state: 'cancelling' } : work,
      ),
    }))
  },
  dismiss: (id) => set((now) => ({ works: now.works.filter((work) => work.id !== id) })),
}))

function update(id: string, change: Partial<Work>): void {
  useWork.setState((now) => ({
    works: now.works.map((work) => (work.id === id ? { ...work, ...change } : work)),
  }))
}

/**
 * Starts a job in the background and shows it in the status bar until it ends. `summarise` words the end of it.
 * Gives the job's answer, or null when it failed or was cancelled: the fault then stands in the store.
 */
export async function startWork<M extends Work['method']>(
  method: M,
  input: Ask<M>,
  options: {
    readonly title: string
    readonly summarise: (answer: Output<M>) => {
      readonly summary: string
      readonly importId: string | null
    }
    /** Called when it failed; a cancel is no failure. */
    readonly onFault: (fault: FaultData) => void
  },
): Promise<Output<M> | null> {
  const id = newRequestId()
  const controller = new AbortController()
  controllers.set(id, controller)
  const work: Work = {
    id,
    method,
    title: options.title,
    progress: null,
    state: 'running',
    fault: null,
    summary: null,
    importId: null,
  }
  useWork.setState((now) => ({
    works: [...now.works.filter((old) => old.state === 'running' || old.state === 'cancelling'), work],
  }))
  try {
    const answer = await ask(method, input, {
      id,
      signal: controller.signal,
      onProgress: (progress) => {
        const { importId } = progress as ImportProgress
        update(id, { progress: progress as ImportProgress, importId })
      },
    })
    update(id, { state: 'done', progress: null, ...options.summarise(answer) })
    return answer
  } catch (error) {
    const fault = toFaultData(error)
    update(id, { state: 'failed', progress: null, fault })
    if (fault.code !== 'CANCELLED') options.onFault(fault)
    return null
  } finally {
    controllers.delete(id)
  }
}

/** Forgets work that has ended: another workspace was opened, and its end says nothing about this one. */
export function forgetEndedWork(): void {
  useWork.setState(({ works }) => ({
    works: works.filter((work) => work.state === 'running' || work.state === 'cancelling'),
  }))
}

/** Share of an import that is done, 0..1, by bytes; null before the first report. */
export function shareDone(progress: ImportProgress | null): number | null {
  if (progress === null || progress.bytesTotal === 0) return null
  return Math.min(1, progress.bytesDone / progress.bytesTotal)
}
