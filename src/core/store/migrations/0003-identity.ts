// Migration 3: what makes two records one trial, what a person decided about records that contradict each other, and
// outcomes that came separately, with the imported ones kept beside them.

import type { Migration } from '../migrate.ts'

/** Identity and attached outcomes. */
export const identity: Migration = {
  version: 3,
  name: 'identity',
  sql: `
-- Hash of the trial's normal form as packed; NULL for trials of older versions.
ALTER TABLE trials ADD COLUMN body_hash TEXT;
-- An earlier attempt: seq of the trial that counts in its place. Such a trial has is_conflict = 1, too.
ALTER TABLE trials ADD COLUMN attempt_of INTEGER;

-- Other bytes of a trial that is here: another container, another order of keys.
CREATE TABLE twins (
  content_hash TEXT PRIMARY KEY NOT NULL,
  trial_seq INTEGER NOT NULL REFERENCES trials(seq) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX twins_by_trial ON twins (trial_seq);

-- What a person decided about records of one id: a trial's id, or 'both'. It holds for these members, as JSON, only.
CREATE TABLE conflict_choices (
  source_key TEXT PRIMARY KEY NOT NULL,
  keep TEXT NOT NULL,
  members TEXT NOT NULL,
  decided_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One attaching of outcomes from files.
CREATE TABLE attachments (
  id TEXT PRIMARY KEY NOT NULL,
  seq INTEGER NOT NULL UNIQUE,
  attached_at TEXT NOT NULL,
  undone_at TEXT,
  source TEXT NOT NULL,
  format TEXT NOT NULL,
  scorer TEXT,
  threshold REAL,
  rows INTEGER NOT NULL
) STRICT;

-- What an attaching says of a trial, and by which rule and from which place.
CREATE TABLE attached_outcomes (
  attachment_id TEXT NOT NULL REFERENCES attachments(id) ON DELETE CASCADE,
  trial_seq INTEGER NOT NULL REFERENCES trials(seq) ON DELETE CASCADE,
  outcome TEXT NOT NULL CHECK (outcome IN ('pass', 'fail', 'error', 'unknown')),
  score REAL,
  score_raw TEXT NOT NULL,
  scores TEXT NOT NULL,
  scorer TEXT,
  rule TEXT NOT NULL,
  file TEXT NOT NULL,
  line INTEGER,
  record INTEGER NOT NULL,
  PRIMARY KEY (attachment_id, trial_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX attached_by_trial ON attached_outcomes (trial_seq);

-- The outcome as it was imported, of every trial that ever had another one attached.
CREATE TABLE imported_outcomes (
  trial_seq INTEGER PRIMARY KEY REFERENCES trials(seq) ON DELETE CASCADE,
  outcome TEXT NOT NULL CHECK (outcome IN ('pass', 'fail', 'error', 'unknown')),
  score REAL,
  score_raw TEXT NOT NULL,
  scores TEXT NOT NULL,
  scorer TEXT
) STRICT;
`,
}
