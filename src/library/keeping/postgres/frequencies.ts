import type { Session } from '../../../postgres';
import { SEARCH_LIMITS } from './limits';
import { quoted } from './words';

/** In how many passages words occur: kept for a while, since a weight changes little when a few passages are added. */
export class Frequencies {
  private readonly kept = new Map<string, { passages: number; at: number }>();
  private all: { passages: number; at: number } | undefined;

  /** Those of stems that some passage has, and how many passages there are. */
  async of(session: Session, stems: readonly string[]): Promise<{ passages: number; found: Map<string, number> }> {
    const now = performance.now();
    const unknown = stems.filter((stem) => !this.isKnown(stem, now));
    if (unknown.length > 0 || !isFresh(this.all, now)) await this.ask(session, unknown, now);
    const found = new Map<string, number>();
    for (const stem of stems) {
      const passages = this.kept.get(stem)?.passages ?? 0;
      if (passages > 0) found.set(stem, passages);
    }
    return { passages: this.all!.passages, found };
  }

  forget(): void {
    this.kept.clear();
    this.all = undefined;
  }

  private isKnown(stem: string, now: number): boolean {
    const known = this.kept.get(stem);
    // What nobody has now, somebody may have put the next time.
    return isFresh(known, now) && known!.passages > 0;
  }

  private async ask(session: Session, stems: readonly string[], now: number): Promise<void> {
    const rows = await session.query<{ stem: string | null; passages: number }>(
      `SELECT NULL AS stem, coalesce(sum(chunks), 0)::float8 AS passages FROM kaizen_library.documents
       UNION ALL
       SELECT asked.stem, (SELECT count(*) FROM (
           SELECT 1 FROM kaizen_library.chunk_words c WHERE c.words @@ asked.query::tsquery LIMIT ${SEARCH_LIMITS.counted}
         ) counted)::float8
       FROM unnest($1::text[], $2::text[]) AS asked (stem, query)`,
      [stems, stems.map(quoted)],
    );
    if (this.kept.size + stems.length > SEARCH_LIMITS.frequenciesKept) this.kept.clear();
    for (const { stem, passages } of rows) {
      if (stem === null) this.all = { passages, at: now };
      else this.kept.set(stem, { passages, at: now });
    }
    const frequent = stems.filter((stem) => this.kept.get(stem)?.passages === SEARCH_LIMITS.counted);
    if (frequent.length > 0) await this.estimate(session, frequent, now);
  }

  /** Of words in many passages, by their share of some pages of the table: counting them all would take long. */
  private async estimate(session: Session, stems: readonly string[], now: number): Promise<void> {
    const { passages } = this.all!;
    const percent = Math.min(100, (100 * SEARCH_LIMITS.sampled) / Math.max(1, passages));
    const rows = await session.query<{ stem: string; share: number | null }>(
      `WITH sampled AS MATERIALIZED (
         SELECT words FROM kaizen_library.chunk_words TABLESAMPLE SYSTEM ($3::float4) REPEATABLE (1)
       )
       SELECT asked.stem, (SELECT avg((words @@ asked.query::tsquery)::int) FROM sampled)::float8 AS share
       FROM unnest($1::text[], $2::text[]) AS asked (stem, query)`,
      [stems, stems.map(quoted), percent],
    );
    for (const { stem, share } of rows) {
      this.kept.set(stem, { passages: Math.max(SEARCH_LIMITS.counted, Math.round((share ?? 0) * passages)), at: now });
    }
  }
}

function isFresh(known: { at: number } | undefined, now: number): boolean {
  return known !== undefined && now - known.at < SEARCH_LIMITS.frequencyAge;
}
