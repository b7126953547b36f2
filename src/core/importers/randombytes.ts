// Bytes that can be read at any offset: a file on disk, a piece of other random bytes, or bytes in memory.
// What archives stand on (zip.ts): a member is found and read without reading what lies before it.

import { open } from 'node:fs/promises'

/** Random access to a fixed number of bytes. `read` gives fewer bytes than asked only at the end. */
export type RandomBytes = {
  readonly size: number
  read(at: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

/** Opens random bytes anew; whoever opens closes. */
export type OpenRandom = (signal?: AbortSignal) => Promise<RandomBytes>

/** A file on disk; later growth is not read. Rejects with what the file system says. */
export function randomFile(path: string, size: number): OpenRandom {
  return async () => {
    const file = await open(path, 'r')
    return {
      size,
      async read(at, length) {
        const wanted = Math.max(0, Math.min(length, size - at))
        const buffer = Buffer.allocUnsafeSlow(wanted)
        let filled = 0
        while (filled < wanted) {
          const { bytesRead } = await file.read(buffer, filled, wanted - filled, at + filled)
          if (bytesRead === 0) break
          filled += bytesRead
        }
        return buffer.subarray(0, filled)
      },
      close: () => file.close(),
    }
  }
}

/** Part of other random bytes: `size` bytes from `start`. */
export function randomSlice(whole: RandomBytes, start: number, size: number): RandomBytes {
  return {
    size,
    read: (at, length) => whole.read(start + at, Math.max(0, Math.min(length, size - at))),
    close: () => whole.close(),
  }
}

/** Bytes in memory. */
export function randomBuffer(bytes: Buffer): RandomBytes {
  return {
    size: bytes.length,
    read: (at, length) => Promise.resolve(bytes.subarray(at, at + length)),
    close: () => Promise.resolve(),
  }
}
