import type { Session } from '../../../postgres';
import type { ChunkFilter } from '../model';
import { SEARCH_LIMITS } from './limits';
import { quoted } from './words';

/** Keys of passages that may be among the best, and how many were chosen from. */
export interface Chosen {
  keys: string[];
  total: number;
}

/** A word of the query that passages have, and what it weighs. */
export interface WeighedStem {
  stem: string;
  weight: number;
}

/** Weights of D, C, B, A: content, nothing, keywords and headings, title. */
const WEIGHTS = "'{0.2, 0, 0.5, 1}'";

/**
 * Chooses, on the server, what is worth being ranked: passages with all words, with any two of the rarest, with one of
 * them, and with one in what stands above the text; of each so many. Those with most of the query's weight remain. Of a
 * word that very many passages have, and no other, it depends on chance which of them are chosen.
 */
export async function choosePassages(
  session: Session,
  stems: readonly WeighedStem[],
  filter: ChunkFilter,
  wanted: number,
): Promise<Chosen> {
  const rarest = [...stems].sort((a, b) => b.weight - a.weight).slice(0, SEARCH_LIMITS.choosing);
  const asked = askedOf(rarest);
  const values: unknown[] = [
    asked.map(({ query }) => query),
    asked.map(({ weight }) => weight),
    asked.map(({ most }) => most),
    rarest.map(({ stem }) => quoted(stem)),
    rarest.map(({ weight }) => weight),
  ];
  const given = (value: unknown) => `$${values.push(value)}`;
  const narrowed = conditions(filter, given);
  const having = (vector: string, most: string) =>
    `(SELECT c.key FROM kaizen_library.chunk_words c WHERE c.${vector} @@ asked.query::tsquery${narrowed} LIMIT ${most})`;
  const times = Math.max(1, Math.ceil((wanted * 2) / SEARCH_LIMITS.ofWord));
  const ranked = Math.max(SEARCH_LIMITS.ranked, wanted * 2);
  const weighed = Math.max(SEARCH_LIMITS.weighed, ranked);
  const rows = await session.query<{ key: string; total: number }>(
    `WITH asked AS (SELECT * FROM unnest($1::text[], $2::float8[], $3::int[]) AS asked (query, weight, most)),
     found AS (
       SELECT found.key, asked.weight FROM asked CROSS JOIN LATERAL ${having('words', `asked.most * ${times}`)} found
       UNION ALL
       SELECT found.key, 2 * asked.weight FROM unnest($4::text[], $5::float8[]) AS asked (query, weight)
         CROSS JOIN LATERAL ${having('head', `${SEARCH_LIMITS.ofHead * times}`)} found
     ),
     best AS (
       SELECT key, (count(*) OVER ())::float8 AS total FROM found GROUP BY key
       ORDER BY sum(weight) DESC, key LIMIT ${weighed}
     )
     SELECT best.key::text AS key, best.total FROM best JOIN kaizen_library.chunk_words c USING (key)
     ORDER BY (
       SELECT sum(asked.weight * ts_rank(${WEIGHTS}, c.words, asked.query::tsquery))
       FROM unnest($4::text[], $5::float8[]) AS asked (query, weight)
     ) DESC, best.key LIMIT ${ranked}`,
    values,
  );
  return { keys: rows.map(({ key }) => key), total: rows[0]?.total ?? 0 };
}

function askedOf(rarest: readonly WeighedStem[]): { query: string; weight: number; most: number }[] {
  const all = rarest.reduce((sum, { weight }) => sum + weight, 0);
  const asked: { query: string; weight: number; most: number }[] = rarest.map(({ stem, weight }) => ({
    query: quoted(stem),
    weight,
    most: SEARCH_LIMITS.ofWord,
  }));
  const pairing = rarest.slice(0, SEARCH_LIMITS.pairing);
  for (const [number, one] of pairing.entries()) {
    for (const other of pairing.slice(number + 1)) {
      asked.push({
        query: `${quoted(one.stem)} & ${quoted(other.stem)}`,
        weight: one.weight + other.weight,
        most: SEARCH_LIMITS.ofPair,
      });
    }
  }
  if (rarest.length > 2) {
    const query = rarest.map(({ stem }) => quoted(stem)).join(' & ');
    asked.push({ query, weight: all, most: SEARCH_LIMITS.ofAll });
  }
  return asked;
}

/** What narrows passages `c`, to be added to other conditions. */
export function conditions(filter: ChunkFilter, given: (value: unknown) => string): string {
  const { documents, document_type, source_type, normative_only, min_authority } = filter;
  const ofDocument = [
    ...(document_type ? [`d.document_type = ANY (${given(document_type)}::text[])`] : []),
    ...(source_type === undefined ? [] : [`d.source_type = ${given(source_type)}`]),
    ...(min_authority === undefined || min_authority <= 0 ? [] : [`d.authority_score >= ${given(min_authority)}`]),
  ];
  const all = [
    ...(normative_only ? ['c.normative'] : []),
    ...(documents ? [`c.document_id = ANY (${given(documents)}::text[])`] : []),
    ...(ofDocument.length === 0
      ? []
      : [
          `EXISTS (SELECT FROM kaizen_library.documents d WHERE d.document_id = c.document_id AND ${ofDocument.join(' AND ')})`,
        ]),
  ];
  return all.map((condition) => ` AND ${condition}`).join('');
}
