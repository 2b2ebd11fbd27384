import type { Schema } from '../store';

/**
 * What was changed through here, with the texts before and after, in the workspace's store only. `files` is JSON in
 * which long texts are deflated, its beginning and behind it its parts; `size` is that of the JSON, in bytes: less is
 * there where writing it was cut off.
 */
export const notesSchema: Schema = {
  part: 'notes',
  migrations: [
    `
    CREATE TABLE note_revision (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      space TEXT NOT NULL,
      zettel_id TEXT NOT NULL,
      action TEXT NOT NULL,
      author TEXT NOT NULL,
      by_agent INTEGER NOT NULL,
      reason TEXT,
      at INTEGER NOT NULL,
      size INTEGER NOT NULL,
      files TEXT NOT NULL
    ) STRICT;
    CREATE INDEX note_revision_by_note ON note_revision (zettel_id, id);
    CREATE TABLE note_revision_part (
      revision INTEGER NOT NULL REFERENCES note_revision (id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      data TEXT NOT NULL,
      PRIMARY KEY (revision, place)
    ) STRICT;
    `,
  ],
};
