import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import type { Session } from '../../postgres';
import type { RegistryHit, RegistrySearchRequest } from './model';
import { type FieldsRow, fieldColumns, fieldsOf } from './rows';

/** Of those that have all words in title, id or tags, so many are ranked; and so many of all that have them. */
const HEAD_CANDIDATES = 100;
const CANDIDATES = 150;
/** When no entry has all words: so many entries that have any, each word its share, and so many of it at least. */
const CANDIDATES_OF_ANY = 120;
const LEAST_A_WORD = 20;
const MAX_WORDS = 12;
const MAX_QUERY = 1_000;
const MAX_HITS = 100;
/** The beginning of a text that its excerpt is taken from. */
const EXCERPT_FROM = 4_000;
/** For D, C, B, A: text, nothing, tags, title and id. */
const WEIGHTS = "'{0.1, 0.2, 0.5, 1}'";
const EXCERPT =
  '\'MaxWords=32, MinWords=16, ShortWord=2, MaxFragments=2, FragmentDelimiter=" … ", StartSel="", StopSel=""\'';

interface HitRow extends FieldsRow {
  rank: number;
  snippet: string;
  total: number;
}

/** Entries that have all words, or where none has, any of them; ranked, title above text. */
export async function searchEntries(
  session: Session,
  request: RegistrySearchRequest,
): Promise<{ hits: RegistryHit[]; total: number }> {
  const query = request.query.replaceAll('\0', ' ').slice(0, MAX_QUERY);
  const { limit } = request;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_HITS) {
    throw new KaizenError('invalid_argument', sentence('The limit is a whole number from 1 to {0}.', MAX_HITS));
  }
  const all = await find(session, query, request, 'all');
  if (all.length > 0) return answer(all, (rank) => 0.5 + 0.5 * share(rank));
  return answer(await find(session, query, request, 'any'), (rank) => 0.5 * share(rank));
}

/**
 * Ranks grow without an end, and slowly. One word in the title comes to 0.61 in ts_rank's measure, one in the text to
 * 0.06: halfway is what lies between.
 */
function share(rank: number): number {
  return rank / (rank + 0.2);
}

function answer(rows: readonly HitRow[], score: (rank: number) => number) {
  return {
    hits: rows.map(
      (row): RegistryHit => ({
        ...fieldsOf(row),
        relevance_score: Math.round(score(row.rank) * 1_000) / 1_000,
        snippet: plain(row.snippet),
      }),
    ),
    total: rows[0]?.total ?? 0,
  };
}

/**
 * Ranking reads every entry's vector, so what is ranked is limited: with a word that half of 50,000 entries have, the
 * order among those that merely mention it means nothing. `total` says how many were ranked. That a title has all words
 * that are wanted does not say that the text has none that is not: those are looked at once more.
 */
async function find(
  session: Session,
  query: string,
  { category, entry_type, tags, limit }: RegistrySearchRequest,
  kind: 'all' | 'any',
): Promise<HitRow[]> {
  const values: unknown[] = [query];
  const given = (value: unknown) => `$${values.push(value)}`;
  const filters = [
    ...(category === undefined ? [] : [inCategory(given(category), given(`${escapeLike(category)}/%`))]),
    ...(entry_type === undefined ? [] : [`e.entry_type = ${given(entry_type)}`]),
    ...(tags === undefined || tags.length === 0 ? [] : [`e.tags @> ${given([...tags])}::text[]`]),
  ].map((condition) => ` AND ${condition}`);
  const having = (vector: string, words: string, most: number) =>
    `(SELECT e.id FROM kaizen.knowledge_entries e WHERE e.${vector} @@ ${words}${filters.join('')} LIMIT ${most})`;
  const wanted = Math.min(query.trim().split(/\s+/).length, MAX_WORDS);
  const aWord = Math.max(LEAST_A_WORD, Math.ceil(CANDIDATES_OF_ANY / wanted));
  const [words, candidates] =
    kind === 'all'
      ? [
          ALL_WORDS,
          `${having('head_vector', ALL_WORDS, HEAD_CANDIDATES)} UNION ${having('search_vector', ALL_WORDS, CANDIDATES)}`,
        ]
      : [
          ANY_WORD,
          `SELECT found.id FROM ${EACH_WORD} CROSS JOIN LATERAL (
             ${having('head_vector', 'each.word', aWord)} UNION ${having('search_vector', 'each.word', aWord)}
           ) found GROUP BY found.id`,
        ];
  return session.query<HitRow>(
    `WITH candidates AS (${candidates}),
     ranked AS (
       SELECT e.id, ts_rank(${WEIGHTS}, e.search_vector, ${words}) AS rank, (count(*) OVER ())::int AS total
       FROM candidates JOIN kaizen.knowledge_entries e USING (id)
       WHERE ${words}::text NOT LIKE '%!%' OR e.search_vector @@ ${words}
       ORDER BY rank DESC, e.zettel_id LIMIT ${given(limit)}
     )
     SELECT ${fieldColumns('e')}, ranked.rank::float8 AS rank, ranked.total,
       ts_headline('pg_catalog.english', left(e.content, ${EXCERPT_FROM}), ${words}, ${EXCERPT}) AS snippet
     FROM ranked JOIN kaizen.knowledge_entries e USING (id)
     ORDER BY ranked.rank DESC, e.zettel_id`,
    values,
  );
}

/** As people type it: "quoted phrases", `or`, and `-without`. */
const ALL_WORDS = "websearch_to_tsquery('pg_catalog.english', $1)";
/** Nothing where a word is to be missing: nearly every entry lacks it. */
const ANY_WORD = `(CASE WHEN ${ALL_WORDS}::text LIKE '%!%' THEN '' ELSE replace(${ALL_WORDS}::text, ' & ', ' | ') END)::tsquery`;
const EACH_WORD = `(
  SELECT quote_literal(lexeme)::tsquery AS word
  FROM unnest(to_tsvector('pg_catalog.english', $1))
  WHERE ${ALL_WORDS}::text NOT LIKE '%!%'
  ORDER BY length(lexeme) DESC, lexeme LIMIT ${MAX_WORDS}
) each`;

function inCategory(category: string, below: string): string {
  return `(e.category = ${category} OR e.category LIKE ${below})`;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** One line, without what Markdown marks up; a link may be cut off at either end. */
function plain(text: string): string {
  return text
    .replace(/!?\[\[(?:[^\]|\n]*\|)?([^\]\n]*)(?:\]\])?/g, '$1')
    .replace(/!?\[([^\]\n]*)\]\([^)\s]*\)?/g, '$1')
    .replace(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, '')
    .replace(/(^|\s)(#{1,6}|[-*+>]|\d+\.)(?=\s)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
