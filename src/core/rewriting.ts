// Rewriting a whole workspace file in a thread (erasing, restoring), one at a time. Nothing else may write to that file
// meanwhile: it would wait for the lock and hold up every answer. Commands ask here when they may go on.

import { setImmediate } from 'node:timers/promises'

/** The rewriting of one core. */
export type Rewriting = {
  /** The file that is being rewritten now; null: none. */
  path(): string | null
  /** Has a file rewritten, after the one before. Rejects as the work does. */
  run<T>(path: string, start: () => Promise<T>): Promise<T>
  /**
   * The end of the rewriting that this concerns; null: none, go on in this very turn. Another one may have begun when it
   * has ended: ask again.
   */
  waitsFor(concerns: (path: string) => boolean): Promise<void> | null
}

/** Makes the rewriting. `keep` gets what must not be left alone when the core closes; it never rejects. */
export function makeRewriting(keep: (work: Promise<void>) => void): Rewriting {
  let now: { readonly path: string; readonly done: Promise<void> } | null = null
  return {
    path: () => now?.path ?? null,
    waitsFor: (concerns) => (now !== null && concerns(now.path) ? now.done : null),
    async run(path, start) {
      // Without a turn between: a command that comes right after must find it begun.
      while (now !== null) await now.done
      const work = start()
      const settled = work.then(
        () => {},
        () => {},
      )
      const done = settled
        .then(() => {
          now = null
        })
        // Who asked for it is answered first, then whoever waited.
        .then(() => setImmediate())
      now = { path, done }
      keep(settled)
      return work
    },
  }
}
