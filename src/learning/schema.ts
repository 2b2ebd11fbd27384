import type { Schema } from '../store';

/**
 * Captured records and what was said of everything that is used (seed 003, 8.2). Both stores have the tables; only the
 * shared store's are used. A record is JSON, with the facets beside it by which others are told apart without reading it.
 *
 * `learning_record.json` is `null` (the JSON value) for a pattern of the product that is hidden; one that was never
 * changed has no row. `learning_revision.before` is what the row's `json` was, NULL for no row; what it was after the
 * change is what the record's next revision found, or what the row says now.
 */
export const learningSchema: Schema = {
  part: 'learning',
  migrations: [
    `
    CREATE TABLE learning_record (
      kind TEXT NOT NULL CHECK (kind IN ('project', 'template', 'pattern', 'decision', 'lesson')),
      id TEXT NOT NULL,
      revision INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      changed_at INTEGER NOT NULL,
      json TEXT NOT NULL,
      PRIMARY KEY (kind, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE learning_revision (
      revision INTEGER PRIMARY KEY,
      -- The revision that it was made together with; its own number for the first of them.
      made_with INTEGER NOT NULL,
      kind TEXT NOT NULL,
      id TEXT NOT NULL,
      title TEXT NOT NULL,
      operation TEXT NOT NULL,
      author TEXT NOT NULL,
      by_agent INTEGER NOT NULL CHECK (by_agent IN (0, 1)),
      at INTEGER NOT NULL,
      -- Characters of the text.
      size INTEGER NOT NULL,
      before TEXT,
      -- Ids of the feedback that the change gave or took back: a JSON array; and whether that counts since.
      feedback TEXT NOT NULL,
      feedback_counts INTEGER NOT NULL CHECK (feedback_counts IN (0, 1))
    ) STRICT;
    CREATE INDEX learning_revision_of ON learning_revision (kind, id, revision);
    CREATE INDEX learning_revision_with ON learning_revision (made_with);

    -- Only added to; what counts no longer is withdrawn, and can count again.
    CREATE TABLE learning_feedback (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      artifact TEXT NOT NULL,
      artifact_type TEXT NOT NULL,
      feedback_type TEXT NOT NULL,
      feedback_tier TEXT NOT NULL,
      rating REAL,
      specific_data TEXT NOT NULL,
      propagated_from TEXT,
      propagation_weight REAL,
      project_id TEXT,
      author TEXT NOT NULL,
      at INTEGER NOT NULL,
      -- What no score is made of, as JSON: context, comment, corrections, suggestions, source.
      said TEXT NOT NULL,
      withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1))
    ) STRICT;
    CREATE INDEX learning_feedback_on ON learning_feedback (artifact);

    -- What had feedback that counts no longer, or again, or that is of another artifact now: the last of it.
    CREATE TABLE learning_feedback_change (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      artifact TEXT NOT NULL
    ) STRICT;

    CREATE TABLE learning_use (
      artifact TEXT PRIMARY KEY,
      retrieved INTEGER NOT NULL,
      used INTEGER NOT NULL,
      last_retrieved INTEGER,
      last_used INTEGER,
      changed_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX learning_use_by_time ON learning_use (changed_at);

    CREATE TABLE learning_query (
      tool TEXT NOT NULL,
      -- In lower case, with single spaces: by this, questions are the same.
      asked TEXT NOT NULL,
      query TEXT NOT NULL,
      times INTEGER NOT NULL,
      unanswered INTEGER NOT NULL,
      last_results INTEGER NOT NULL,
      last_best REAL NOT NULL,
      first_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL,
      PRIMARY KEY (tool, asked)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX learning_query_by_time ON learning_query (last_at);

    CREATE TABLE learning_day (
      -- UTC: 2026-05-04.
      day TEXT NOT NULL,
      tool TEXT NOT NULL,
      times INTEGER NOT NULL,
      unanswered INTEGER NOT NULL,
      PRIMARY KEY (day, tool)
    ) STRICT, WITHOUT ROWID;
    `,
  ],
};

/** Touched by every change of a captured record. */
export const RECORDS_TOPIC = 'learning:records';
