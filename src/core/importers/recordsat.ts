// Records at places that an earlier pass over the same stream found: nothing between them is looked at. Knows no format.

import type { RawItem, RecordBytes, RecordPlace } from './importer.ts'
import { JsonScanner } from './scanner.ts'
import { ByteWindow } from './window.ts'

/**
 * The records of a stream at places that an earlier pass found; those that are not there any more are left out. Once it
 * `isChanged` what that pass saw in them is looked for again: a text of other bytes would be taken as it no longer is.
 */
export async function* recordsAt(
  chunks: AsyncIterable<Buffer>,
  places: readonly RecordPlace[],
  isFleeting = false,
  isChanged: () => boolean = () => false,
): AsyncGenerator<RawItem> {
  const window = new ByteWindow(chunks, isFleeting)
  try {
    for (const { length, ...place } of places) {
      const end = place.byteOffset + length
      window.kept = place.byteOffset
      while (window.end < end) if (!(await window.more())) return
      const bytes = window.view(place.byteOffset, end)
      yield { kind: 'record', record: { ...place, bytes, ...(isChanged() ? seenAgain(bytes) : {}) } }
    }
  } finally {
    await window.close()
  }
}

/** What scanning notes of a record; of bytes that are none any more nothing is known. */
function seenAgain(bytes: Buffer): Pick<RecordBytes, 'depth' | 'hasLongNumber' | 'texts'> {
  const scanner = new JsonScanner()
  const isWhole = scanner.scan(bytes, 0, bytes.length) === 'done' && scanner.position === bytes.length
  const { depth, hasLongNumber, texts } = scanner
  return isWhole
    ? { depth, hasLongNumber, texts: Int32Array.from(texts) }
    : { depth: Infinity, hasLongNumber: true, texts: new Int32Array(0) }
}
