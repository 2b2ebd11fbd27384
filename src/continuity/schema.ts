import type { Schema } from '../store';

/** Project overview, sessions and progress; in the workspace's store only. */
export const continuitySchema: Schema = {
  part: 'continuity',
  migrations: [
    `
    CREATE TABLE overview (
      project_id TEXT PRIMARY KEY,
      purpose TEXT,
      tech_stack TEXT NOT NULL,
      compliance TEXT NOT NULL,
      current_phase TEXT,
      key_constraints TEXT NOT NULL,
      author TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE session (
      id INTEGER PRIMARY KEY,
      project_id TEXT NOT NULL,
      at INTEGER NOT NULL,
      duration_minutes INTEGER,
      summary TEXT NOT NULL,
      tasks_completed TEXT NOT NULL,
      domain TEXT,
      next_planned TEXT,
      author TEXT NOT NULL
    ) STRICT;
    CREATE INDEX session_by_time ON session (project_id, at);

    CREATE TABLE progress (
      project_id TEXT PRIMARY KEY,
      overall_progress TEXT,
      current_sprint TEXT,
      author TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE task (
      id INTEGER PRIMARY KEY,
      project_id TEXT NOT NULL,
      name TEXT NOT NULL,
      domain TEXT,
      state TEXT NOT NULL CHECK (state IN ('in_progress', 'blocked', 'completed')),
      status TEXT,
      blocker TEXT,
      author TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX task_by_name ON task (project_id, name, coalesce(domain, ''));
    `,
    // 1 for what an agent is known to have written. What was there before may be anybody's, and stays 0.
    `
    ALTER TABLE overview ADD COLUMN by_agent INTEGER NOT NULL DEFAULT 0 CHECK (by_agent IN (0, 1));
    ALTER TABLE session ADD COLUMN by_agent INTEGER NOT NULL DEFAULT 0 CHECK (by_agent IN (0, 1));
    ALTER TABLE progress ADD COLUMN by_agent INTEGER NOT NULL DEFAULT 0 CHECK (by_agent IN (0, 1));
    ALTER TABLE task ADD COLUMN by_agent INTEGER NOT NULL DEFAULT 0 CHECK (by_agent IN (0, 1));
    `,
  ],
};

/** Touched by every change of a project's overview, sessions or progress. */
export function continuityTopic(projectId: string): string {
  return `continuity:${projectId}`;
}
