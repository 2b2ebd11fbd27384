import type { Schema } from '../store';

/** Counts of what agents were given, in the workspace's store. The title is kept for what is gone since. */
export const discoverySchema: Schema = {
  part: 'discovery',
  migrations: [
    `
    CREATE TABLE discovery_usage (
      uri TEXT PRIMARY KEY,
      title TEXT NOT NULL,
      recommended INTEGER NOT NULL,
      retrieved INTEGER NOT NULL,
      last_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX discovery_usage_by_time ON discovery_usage (last_at);
    `,
  ],
};
