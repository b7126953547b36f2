// Migration 4: the normal forms that analyses are made from, kept beside the trials so that a second analysis of a
// task (another scope, another policy, one more trial) reads them instead of normalising again. Derived.

import type { Migration } from '../migrate.ts'

/** Kept normal forms. */
export const normals: Migration = {
  version: 4,
  name: 'normals',
  sql: `
-- variant: version of the normal form, and what of the outcome it depends on; another variant is made anew.
CREATE TABLE normal_forms (
  trial_seq INTEGER PRIMARY KEY REFERENCES trials(seq) ON DELETE CASCADE,
  variant TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  body BLOB NOT NULL
) STRICT;
`,
}
