// Migration 1: the first schema of a workspace. STRICT tables; ids are TEXT, `seq` is the order of arrival.
// What lists and filters need are columns; trajectories and original records are one zstd block per trial.
// Never edited once released: a change is the next migration.

import type { Migration } from '../migrate.ts'

/** The first schema. */
export const first: Migration = {
  version: 1,
  name: 'first',
  sql: `
-- Choices of the workspace as JSON: policy, taxonomy, isSample.
CREATE TABLE settings (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE import_runs (
  id TEXT PRIMARY KEY NOT NULL,
  seq INTEGER NOT NULL UNIQUE,
  started_at TEXT NOT NULL,
  finished_at TEXT,
  state TEXT NOT NULL CHECK (state IN ('running', 'kept', 'cancelled', 'failed', 'interrupted')),
  -- Undone or deleted runs keep their state, so that redo brings it back.
  undone_at TEXT,
  deleted_at TEXT,
  suite TEXT,
  format TEXT,
  -- Who is reading: host and process, and when it last said so. A run whose reader is gone was interrupted.
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  beat_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE import_files (
  id TEXT PRIMARY KEY NOT NULL,
  import_id TEXT NOT NULL REFERENCES import_runs(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 TEXT,
  format TEXT,
  format_title TEXT,
  format_version INTEGER,
  confidence REAL NOT NULL,
  reason TEXT NOT NULL,
  candidates TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN
    ('waiting', 'reading', 'kept', 'unchanged', 'needs format', 'unreadable', 'cancelled', 'skipped')),
  trials_new INTEGER NOT NULL DEFAULT 0,
  trials_same INTEGER NOT NULL DEFAULT 0,
  conflicts INTEGER NOT NULL DEFAULT 0,
  tasks INTEGER NOT NULL DEFAULT 0,
  problems INTEGER NOT NULL DEFAULT 0,
  fault TEXT,
  UNIQUE (import_id, position)
) STRICT;

CREATE TABLE problems (
  id INTEGER PRIMARY KEY,
  file_id TEXT NOT NULL REFERENCES import_files(id) ON DELETE CASCADE,
  severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'info')),
  code TEXT NOT NULL,
  message TEXT NOT NULL,
  hint TEXT,
  line INTEGER,
  byte INTEGER,
  record INTEGER,
  count INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX problems_by_file ON problems (file_id, code);

CREATE TABLE configurations (
  id TEXT PRIMARY KEY NOT NULL,
  seq INTEGER NOT NULL UNIQUE,
  label TEXT,
  model TEXT,
  content TEXT NOT NULL
) STRICT;

CREATE TABLE tasks (
  id TEXT PRIMARY KEY NOT NULL,
  suite TEXT NOT NULL,
  task TEXT NOT NULL,
  title TEXT,
  input TEXT,
  UNIQUE (suite, task)
) STRICT;

-- The narrow columns stand first: a row's later columns may lie on overflow pages.
CREATE TABLE trials (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  task_id TEXT NOT NULL REFERENCES tasks(id),
  configuration_id TEXT NOT NULL REFERENCES configurations(id),
  number INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('pass', 'fail', 'error', 'unknown')),
  score REAL,
  severe_count INTEGER NOT NULL,
  step_count INTEGER NOT NULL,
  call_count INTEGER NOT NULL,
  tool_errors INTEGER NOT NULL,
  input_tokens INTEGER,
  output_tokens INTEGER,
  cached_tokens INTEGER,
  cost_usd REAL,
  duration_ms INTEGER,
  started_ms INTEGER,
  is_conflict INTEGER NOT NULL DEFAULT 0 CHECK (is_conflict IN (0, 1)),
  deleted_at TEXT,
  deleted_by TEXT CHECK (deleted_by IN ('person', 'import', 'all')),
  import_id TEXT NOT NULL REFERENCES import_runs(id),
  content_hash TEXT NOT NULL UNIQUE,
  source_key TEXT,
  source_id TEXT,
  source_trial TEXT,
  seed TEXT,
  scorer TEXT,
  termination TEXT,
  started_at TEXT,
  ended_at TEXT,
  time_naive INTEGER NOT NULL CHECK (time_naive IN (0, 1)),
  score_raw TEXT NOT NULL,
  scores TEXT NOT NULL,
  error TEXT,
  severe_events TEXT NOT NULL,
  tools TEXT NOT NULL,
  CHECK ((deleted_at IS NULL) = (deleted_by IS NULL))
) STRICT;
-- Everything that the task table sums up, without touching the rows.
CREATE INDEX trials_counted ON trials
  (task_id, configuration_id, number, id, outcome, severe_count, cost_usd)
  WHERE deleted_at IS NULL AND is_conflict = 0;
CREATE INDEX trials_by_task ON trials (task_id, configuration_id, number);
CREATE INDEX trials_by_configuration ON trials (configuration_id);
CREATE INDEX trials_by_source ON trials (source_key) WHERE source_key IS NOT NULL;
CREATE INDEX trials_by_import ON trials (import_id);
CREATE INDEX trials_deleted ON trials (deleted_by) WHERE deleted_at IS NOT NULL;

-- {steps, extra} as JSON in zstd frames; bytes is the length before compression.
CREATE TABLE trial_blobs (
  trial_seq INTEGER PRIMARY KEY REFERENCES trials(seq) ON DELETE CASCADE,
  bytes INTEGER NOT NULL,
  body BLOB NOT NULL
) STRICT;

-- The record as it stood in the file, in zstd frames.
CREATE TABLE raw_blobs (
  trial_seq INTEGER PRIMARY KEY REFERENCES trials(seq) ON DELETE CASCADE,
  bytes INTEGER NOT NULL,
  body BLOB NOT NULL
) STRICT;

CREATE TABLE origins (
  trial_seq INTEGER NOT NULL REFERENCES trials(seq) ON DELETE CASCADE,
  file_id TEXT NOT NULL REFERENCES import_files(id) ON DELETE CASCADE,
  record INTEGER NOT NULL,
  line INTEGER,
  byte INTEGER,
  PRIMARY KEY (trial_seq, file_id, record)
) STRICT, WITHOUT ROWID;
CREATE INDEX origins_by_file ON origins (file_id);

CREATE TABLE annotations (
  id TEXT PRIMARY KEY NOT NULL,
  trial_seq INTEGER NOT NULL UNIQUE REFERENCES trials(seq) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT,
  severity TEXT NOT NULL,
  causes TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE annotation_history (
  annotation_id TEXT NOT NULL REFERENCES annotations(id) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  saved_at TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (annotation_id, revision)
) STRICT, WITHOUT ROWID;

-- Derived, never shown when stale: inputs_hash and algorithm say of what and by what.
CREATE TABLE analyses (
  task_id TEXT NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
  view_hash TEXT NOT NULL,
  inputs_hash TEXT NOT NULL,
  algorithm TEXT NOT NULL,
  computed_at TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('ready', 'failed')),
  fault TEXT,
  -- The line that the task table shows, as JSON.
  lead TEXT,
  bytes INTEGER NOT NULL,
  result BLOB,
  PRIMARY KEY (task_id, view_hash)
) STRICT;
`,
}
