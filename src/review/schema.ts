import type { Schema } from '../store';

/**
 * Proposals of agents, in the workspace's store only. A proposal is `accepting` from just before it is written until
 * just after: found so later, it was cut off in between.
 */
export const reviewSchema: Schema = {
  part: 'review',
  migrations: [
    `
    CREATE TABLE proposal (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      operation TEXT NOT NULL,
      input TEXT NOT NULL,
      author TEXT NOT NULL,
      at INTEGER NOT NULL,
      project_context TEXT NOT NULL,
      reason TEXT,
      base_revision INTEGER,
      state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'accepting', 'accepted', 'rejected')),
      decided_by TEXT,
      decided_at INTEGER
    ) STRICT;
    CREATE INDEX proposal_by_state ON proposal (state, decided_at);
    `,
  ],
};
