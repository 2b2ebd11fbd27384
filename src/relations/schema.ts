import type { Schema } from '../store';

/**
 * Relations (seed 003, 8.2). Both stores have the tables: what leads to something of a workspace alone is kept with the
 * workspace, everything else in the shared store. What has lost an end has `gone_at`, and is no part of any answer.
 */
export const relationsSchema: Schema = {
  part: 'relations',
  migrations: [
    `
    CREATE TABLE relation (
      id TEXT NOT NULL UNIQUE,
      source TEXT NOT NULL,
      target TEXT NOT NULL,
      type TEXT NOT NULL,
      confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
      bidirectional INTEGER NOT NULL CHECK (bidirectional IN (0, 1)),
      context TEXT NOT NULL,
      created_by TEXT NOT NULL,
      author TEXT NOT NULL,
      at INTEGER NOT NULL,
      gone_at INTEGER,
      UNIQUE (source, target, type),
      CHECK (source <> target)
    ) STRICT;
    CREATE INDEX relation_by_time ON relation (at, id);
    CREATE INDEX relation_from ON relation (source, at, id);
    CREATE INDEX relation_to ON relation (target, at, id);
    CREATE INDEX relation_gone ON relation (gone_at) WHERE gone_at IS NOT NULL;

    CREATE TABLE relation_evidence (
      relation TEXT NOT NULL REFERENCES relation (id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      uri TEXT NOT NULL,
      PRIMARY KEY (relation, place)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX relation_evidence_by_uri ON relation_evidence (uri);
    `,
  ],
};
