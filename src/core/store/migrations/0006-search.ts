// Migration 6: which words stand in which trial, for the search over steps. One document per trial without its text:
// about 3 % of what it indexes. Derived; filled in the background by services/searchindex.ts.

import type { Migration } from '../migrate.ts'

/** The index of words. */
export const search: Migration = {
  version: 6,
  name: 'search',
  sql: `
-- rowid is the trial's seq. Folded words, each once; the tokenizer only parts them at blanks again.
CREATE VIRTUAL TABLE step_words USING fts5
  (words, content='', contentless_delete=1, detail=none, tokenize='ascii');
-- Pieces of the index are joined by mergeWords, a little at a time: SQLite's own way holds a write up for long.
INSERT INTO step_words (step_words, rank) VALUES ('automerge', 0), ('crisismerge', 1000);
-- Every word of the index, for phrases that begin inside of one.
CREATE VIRTUAL TABLE step_terms USING fts5vocab(step_words, row);

-- Trials whose words are in the index. No row: not yet; the trial itself is read then. The time tells one state of the
-- index from another.
CREATE TABLE indexed_trials (
  trial_seq INTEGER PRIMARY KEY REFERENCES trials(seq) ON DELETE CASCADE,
  indexed_ms INTEGER NOT NULL
) STRICT;
-- However a trial goes, its words go with it.
CREATE TRIGGER forget_words AFTER DELETE ON indexed_trials BEGIN
  DELETE FROM step_words WHERE rowid = old.trial_seq;
END;
`,
}
