// Migration 5: original records may be stored beside their body (rawblocks.ts). No table changes and no stored block;
// the number alone keeps programs away that would take such a block for damage.

import type { Migration } from '../migrate.ts'

/** Records that share their long texts with the body. */
export const beside: Migration = {
  version: 5,
  name: 'beside',
  sql: '-- raw_blobs.body: zstd frames of the whole record, or 0x01 and what the body does not hold.',
}
