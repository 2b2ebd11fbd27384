import { sentence } from '../core/sentence';
import { checkText, compareAsSqlite } from '../core/text';
import type { Reader } from '../store';
import type { ScopeMap } from './chains';
import { lastChanged } from './changes';
import { identityOf, readEntries } from './entries';
import { type EntryKey, type FoundEntry, TIERS } from './model';
import { checkLimit } from './names';
import { type Stores, scopesOf } from './stores';
import { type Condition, joined, matches } from './text-match';

const MAX_QUERY = 1_000;
const MAX_FOUND = 1_000;
const DEFAULT_FOUND = 50;

interface Hit extends EntryKey {
  id: number;
  /** How well it fits; 0 is best. See `rankOf`. */
  rank: number;
  /** How far its tier is from PROJECT. */
  distance: number;
}

/**
 * Entries of all scopes in which every word of `query` occurs, whatever its case: in keyword, category, scope,
 * content or metaknowledge. First those whose keyword is the query, begins with it or holds its words, then those
 * found by category and scope, then by their text; among equals PROJECT first, then by keyword. Without a word, the
 * entries that were changed last.
 *
 * Nothing is kept in memory for it, and the text of entries is only looked through when names do not fill the limit.
 * Throws `invalid_argument` for a query of more than 1,000 characters and for a bad limit.
 */
export function findEntries(stores: Stores, scopes: ScopeMap, query: string, limit = DEFAULT_FOUND): FoundEntry[] {
  checkLimit(limit, MAX_FOUND);
  const words = [
    ...new Set(
      checkText(query, { name: sentence('query'), max: MAX_QUERY })
        .split(/\s+/)
        .filter(Boolean),
    ),
  ];
  return entriesAt(
    stores,
    scopes,
    words.length === 0 ? lastChanged(stores, scopes, limit) : hits(stores, scopes, words, limit),
  );
}

/** See `KnowledgePart.entriesAt`. */
export function entriesAt(stores: Stores, scopes: ScopeMap, keys: readonly EntryKey[]): FoundEntry[] {
  const place = new Map(keys.map((key, index) => [identityOf(key), index]));
  return scopesOf(stores, scopes)
    .flatMap(({ store, ids }) => {
      const here = new Set(ids);
      return readEntries(
        store.read(),
        keys.filter(({ scope_id }) => here.has(scope_id)),
      );
    })
    .sort((a, b) => place.get(identityOf(a))! - place.get(identityOf(b))!)
    .map((entry) => ({ ...entry, tier: scopes.get(entry.scope_id)!.tier }));
}

function hits(stores: Stores, scopes: ScopeMap, words: readonly string[], limit: number): Hit[] {
  return scopesOf(stores, scopes)
    .flatMap(({ store, ids }) => searchStore(store.read(), new Set(ids), words, limit))
    .sort(byFit)
    .slice(0, limit);
}

function byFit(a: Hit, b: Hit): number {
  return (
    a.rank - b.rank ||
    a.distance - b.distance ||
    compareAsSqlite(a.keyword, b.keyword) ||
    compareAsSqlite(a.scope_id, b.scope_id) ||
    compareAsSqlite(a.category, b.category)
  );
}

/** What SQL gives first, as far as a limit: in the order of `byFit`. */
const COLUMNS = 'e.id, c.scope_id, c.name AS category, e.keyword';
const DISTANCE = `CASE s.tier ${TIERS.map((tier, index) => `WHEN '${tier}' THEN ${TIERS.length - 1 - index}`).join(' ')} END AS distance`;
const FITTEST_FIRST = 'ORDER BY rank, distance, e.keyword, c.scope_id, c.name LIMIT ?';

function searchStore(reader: Reader, ids: ReadonlySet<string>, words: readonly string[], limit: number): Hit[] {
  const categories = reader
    .all<{ id: number; scope_id: string; name: string }>('SELECT id, scope_id, name FROM category WHERE entries > 0')
    .filter(({ scope_id }) => ids.has(scope_id));
  // Categories and scopes are few: they are asked once for each word, and not for each entry.
  const terms = words.map((word): Term => {
    const lower = word.toLowerCase();
    const named = categories.filter(({ scope_id, name }) => `${scope_id}\n${name}`.toLowerCase().includes(lower));
    return { word, categories: JSON.stringify(named.map(({ id }) => id)), isNamed: named.length > 0 };
  });
  const inNames = joined(terms.map(nameCondition), 'AND');
  const rank = rankOf(words);
  // Category by category, from the index of keywords alone.
  const byName = reader.all<Hit>(
    `SELECT ${COLUMNS}, ${rank.sql} AS rank, ${DISTANCE}
     FROM category c CROSS JOIN scope s ON s.id = c.scope_id CROSS JOIN entry e ON e.category_id = c.id
     WHERE c.id IN (SELECT value FROM json_each(?)) AND ${inNames.sql} ${FITTEST_FIRST}`,
    [...rank.parameters, JSON.stringify(categories.map(({ id }) => id)), ...inNames.parameters, limit],
  );
  if (byName.length === limit) return byName;
  // All that names tell is known now, and whatever is found by its text ranks behind it.
  const inText = joined(
    [...terms].sort((a, b) => b.word.length - a.word.length).map((term) => textCondition(term, terms.length > 1)),
    'AND',
  );
  const byText = reader.all<Hit>(
    `SELECT ${COLUMNS}, ${TEXT_RANK} AS rank, ${DISTANCE}
     FROM entry e NOT INDEXED CROSS JOIN category c ON c.id = e.category_id CROSS JOIN scope s ON s.id = c.scope_id
     WHERE ${inText.sql} AND s.id IN (SELECT value FROM json_each(?)) AND e.id NOT IN (SELECT value FROM json_each(?))
     ${FITTEST_FIRST}`,
    [...inText.parameters, JSON.stringify([...ids]), JSON.stringify(byName.map(({ id }) => id)), limit],
  );
  return [...byName, ...byText];
}

interface Term {
  word: string;
  /** Ids of the categories whose name or scope holds the word, as JSON. */
  categories: string;
  isNamed: boolean;
}

const TEXT_RANK = 4;

/** 0: the keyword is the query; 1: begins with it; 2: holds its words; 3: they stand in the names together. */
function rankOf(words: readonly string[]): Condition {
  const query = words.join(' ');
  const ranks = [
    matches('e.keyword', query, 'whole'),
    matches('e.keyword', query, 'start'),
    joined(
      words.map((word) => matches('e.keyword', word, 'within')),
      'AND',
    ),
  ];
  return {
    sql: `CASE ${ranks.map(({ sql }, rank) => `WHEN ${sql} THEN ${rank}`).join(' ')} ELSE ${ranks.length} END`,
    parameters: ranks.flatMap(({ parameters }) => parameters),
  };
}

function nameCondition({ word, categories, isNamed }: Term): Condition {
  const inKeyword = matches('e.keyword', word, 'within');
  if (!isNamed) return inKeyword;
  const inCategory = { sql: 'e.category_id IN (SELECT value FROM json_each(?))', parameters: [categories] };
  return joined([inCategory, inKeyword], 'OR');
}

/** Alone, a word that stands in a name was found by it; beside others it may. */
function textCondition(term: Term, isBesideOthers: boolean): Condition {
  const conditions = [matches('e.content', term.word, 'within')];
  if (isBesideOthers) conditions.unshift(nameCondition(term));
  // Metaknowledge is JSON: its texts are written in its way, and its punctuation is nobody's word.
  if (!/^[{}:,]+$/.test(term.word)) {
    conditions.push(matches('e.metaknowledge', JSON.stringify(term.word).slice(1, -1), 'within'));
  }
  return joined(conditions, 'OR');
}
