// The bytes of small files, read once: looking at a file's beginning and then reading it once or twice would open it (and
// inflate it, in an archive) each time, which takes longer than everything else that is done with a small file.

import { newPass, type RawBytes } from './bytes.ts'
import { HEAD_BYTES } from './head.ts'

/**
 * Raw bytes that `takeIn` reads into memory when they are few. `open` gives them from there as long as they are
 * remembered (weakly: nobody could hold all files of a folder), else anew.
 */
export function rememberedBytes(
  raw: RawBytes,
  size: number,
): { readonly open: RawBytes; takeIn(signal?: AbortSignal): Promise<void> } {
  let small: {
    readonly bytes: WeakRef<Buffer>
    readonly sha256: string
    readonly stamp: string | null
  } | null = null
  return {
    open: (pass, signal) => {
      const bytes = small?.bytes.deref()
      return small === null || bytes === undefined
        ? raw(pass, signal)
        : (async function* () {
            pass.bytesRead = bytes.length
            pass.stamp ??= small.stamp
            if (bytes.length > 0) yield bytes
            pass.sha256 = small.sha256
          })()
    },
    async takeIn(signal) {
      if (size > HEAD_BYTES) return
      const pass = newPass()
      const parts: Buffer[] = []
      try {
        for await (const chunk of raw(pass, signal)) parts.push(chunk)
      } catch {
        // What is wrong with it is told when it is read.
        signal?.throwIfAborted()
        return
      }
      const { sha256, stamp } = pass
      if (sha256 !== null) small = { bytes: new WeakRef(Buffer.concat(parts)), sha256, stamp }
    },
  }
}
