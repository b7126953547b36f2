// Migration 2: rules that a person declares, every state that they had, and what they found in trials. A trial's own
// row stays as it was imported: what the rules say stands beside it in `judgements`.

import type { Migration } from '../migrate.ts'

/** Rules and their results. */
export const rules: Migration = {
  version: 2,
  name: 'rules',
  sql: `
CREATE TABLE rules (
  id TEXT PRIMARY KEY NOT NULL,
  seq INTEGER NOT NULL UNIQUE,
  revision INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT,
  body TEXT NOT NULL
) STRICT;

-- Every state of every rule, the present one included; body NULL: removed.
CREATE TABLE rule_history (
  rule_id TEXT NOT NULL REFERENCES rules(id) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  saved_at TEXT NOT NULL,
  body TEXT,
  PRIMARY KEY (rule_id, revision)
) STRICT, WITHOUT ROWID;

-- What outcome and severity rules say of a trial. No row: no such rule was there when it was last looked at.
CREATE TABLE judgements (
  trial_seq INTEGER PRIMARY KEY REFERENCES trials(seq) ON DELETE CASCADE,
  -- Of the rules that were applied: another hash than that of the suite's rules is stale.
  rules_hash TEXT NOT NULL,
  -- NULL: the imported outcome stands.
  outcome TEXT CHECK (outcome IN ('pass', 'fail', 'error', 'unknown')),
  why TEXT,
  rule_id TEXT,
  -- Severe events that are not among the imported ones.
  severe INTEGER NOT NULL
) STRICT;

CREATE TABLE rule_events (
  trial_seq INTEGER NOT NULL REFERENCES trials(seq) ON DELETE CASCADE,
  rule_id TEXT NOT NULL REFERENCES rules(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  step INTEGER NOT NULL,
  call INTEGER,
  kind TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('minor', 'major', 'severe')),
  note TEXT NOT NULL,
  cost_usd REAL,
  PRIMARY KEY (trial_seq, rule_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX rule_events_by_rule ON rule_events (rule_id);

-- The tools that a task's trials called: which tasks a rule about a tool bears on. '*': more than are kept by name.
CREATE TABLE task_tools (
  task_id TEXT NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
  tool TEXT NOT NULL,
  PRIMARY KEY (task_id, tool)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO task_tools SELECT trials.task_id, json_each.value FROM trials, json_each(trials.tools);
INSERT OR IGNORE INTO task_tools SELECT task_id, '*' FROM trials WHERE json_array_length(tools) >= 100;
`,
}
