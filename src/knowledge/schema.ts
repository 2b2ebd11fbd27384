import type { Schema } from '../store';
import type { EntryKey } from './model';

/**
 * Scopes, categories, entries and revisions (seed 000, "Storage Strategy"). The workspace's and the shared store have
 * the same tables; a scope stands in one of them only, so a parent may be in the other and has no foreign key.
 *
 * `category.entries` is kept by triggers, so that listing the categories of a scope never counts its entries.
 */
export const knowledgeSchema: Schema = {
  part: 'knowledge',
  migrations: [
    `
    CREATE TABLE scope (
      id TEXT PRIMARY KEY,
      tier TEXT NOT NULL CHECK (tier IN ('GENERAL', 'PRODUCT', 'GROUP', 'PROJECT')),
      name TEXT NOT NULL,
      description TEXT
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE scope_parent (
      scope_id TEXT NOT NULL REFERENCES scope (id) ON DELETE CASCADE,
      parent_id TEXT NOT NULL,
      PRIMARY KEY (scope_id, parent_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE category (
      id INTEGER PRIMARY KEY,
      scope_id TEXT NOT NULL REFERENCES scope (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      description TEXT,
      entries INTEGER NOT NULL DEFAULT 0,
      UNIQUE (scope_id, name)
    ) STRICT;

    CREATE TABLE entry (
      id INTEGER PRIMARY KEY,
      scope_id TEXT NOT NULL,
      category_id INTEGER NOT NULL REFERENCES category (id),
      keyword TEXT NOT NULL,
      content TEXT NOT NULL,
      metaknowledge TEXT NOT NULL,
      risks INTEGER NOT NULL,
      UNIQUE (category_id, keyword)
    ) STRICT;
    CREATE INDEX entry_by_keyword ON entry (keyword, scope_id);
    CREATE INDEX entry_with_risk ON entry (scope_id, keyword) WHERE risks > 0;

    CREATE TRIGGER entry_counted AFTER INSERT ON entry BEGIN
      UPDATE category SET entries = entries + 1 WHERE id = new.category_id;
    END;
    CREATE TRIGGER entry_uncounted AFTER DELETE ON entry BEGIN
      UPDATE category SET entries = entries - 1 WHERE id = old.category_id;
      DELETE FROM category WHERE id = old.category_id AND entries = 0 AND description IS NULL;
    END;

    CREATE TABLE revision (
      scope_id TEXT NOT NULL,
      category TEXT NOT NULL,
      keyword TEXT NOT NULL,
      number INTEGER NOT NULL,
      action TEXT NOT NULL CHECK (action IN ('create', 'update', 'delete', 'restore')),
      at INTEGER NOT NULL,
      author TEXT NOT NULL,
      project_context TEXT NOT NULL,
      reason TEXT,
      previous_content TEXT,
      previous_metaknowledge TEXT,
      PRIMARY KEY (scope_id, category, keyword, number)
    ) STRICT, WITHOUT ROWID;
    `,
    `
    ALTER TABLE revision ADD COLUMN by_agent INTEGER NOT NULL DEFAULT 0 CHECK (by_agent IN (0, 1));
    CREATE INDEX revision_by_time ON revision (by_agent, at);

    -- How often agents were given an entry, and since when that is counted: the one row of read_counting.
    CREATE TABLE entry_read (
      scope_id TEXT NOT NULL,
      category TEXT NOT NULL,
      keyword TEXT NOT NULL,
      reads INTEGER NOT NULL,
      last_at INTEGER NOT NULL,
      PRIMARY KEY (scope_id, category, keyword)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE read_counting (since INTEGER NOT NULL) STRICT;
    `,
  ],
};

/** Touched by every change of a scope's definition. */
export const SCOPES_TOPIC = 'scopes';

/** Touched when the scope's categories or keywords change: an entry comes or goes, a category is described. */
export function namesTopic(scopeId: string): string {
  return `names:${scopeId}`;
}

/** Touched when reads are written down: what is stored stays as it is. */
export const READS_TOPIC = 'reads';

/** Touched by every change of an entry or a category of the scope. */
export function entriesTopic(scopeId: string): string {
  return `entries:${scopeId}`;
}

const ENTRY_TOPIC = 'entry:';

/**
 * Touched when this one entry is written or deleted, so that whoever keeps something of each entry need not look at all
 * of them. A change of many entries touches only their scope's topic, and `manyEntriesTopic`.
 */
export function entryTopic({ scope_id, category, keyword }: EntryKey): string {
  return ENTRY_TOPIC + [scope_id, category, keyword].join('\0');
}

/** The entry that the topic is about; undefined when it is another kind of topic. */
export function entryOfTopic(topic: string): EntryKey | undefined {
  if (!topic.startsWith(ENTRY_TOPIC)) return undefined;
  const [scope_id, category, keyword] = topic.slice(ENTRY_TOPIC.length).split('\0');
  return scope_id && category && keyword ? { scope_id, category, keyword } : undefined;
}

const MOVED_TOPIC = 'moved-entry:';

/** Touched when an entry is moved, so that what is said of it elsewhere can follow. */
export function movedTopic(from: EntryKey, to: EntryKey): string {
  const names = [from, to].flatMap(({ scope_id, category, keyword }) => [scope_id, category, keyword]);
  return MOVED_TOPIC + names.join('\0');
}

/** The move that the topic tells of; undefined when it is another kind of topic. */
export function moveOfTopic(topic: string): { from: EntryKey; to: EntryKey } | undefined {
  if (!topic.startsWith(MOVED_TOPIC)) return undefined;
  const names = topic.slice(MOVED_TOPIC.length).split('\0');
  if (names.length !== 6 || names.includes('')) return undefined;
  const [scope_id, category, keyword, toScope, toCategory, toKeyword] = names as [
    ...[string, string, string],
    ...[string, string, string],
  ];
  return {
    from: { scope_id, category, keyword },
    to: { scope_id: toScope, category: toCategory, keyword: toKeyword },
  };
}

const MANY_ENTRIES_TOPIC = 'many-entries:';

/** Touched when entries of the scope change that are not named one by one: an import, the end of the scope. */
export function manyEntriesTopic(scopeId: string): string {
  return MANY_ENTRIES_TOPIC + scopeId;
}

/** The scope that such a topic is about; undefined when it is another kind of topic. */
export function scopeOfManyEntries(topic: string): string | undefined {
  return topic.startsWith(MANY_ENTRIES_TOPIC) ? topic.slice(MANY_ENTRIES_TOPIC.length) : undefined;
}
