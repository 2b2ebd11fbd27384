import { Turns } from '../../core/turns';
import { createSearchIndex, type Passage, type SearchIndex } from '../../search';
import type { FoundRecord, RecordFilter, RecordHit, RecordSearch } from '../model';
import type { LearnedRecord } from '../records-model';
import { LEARNED_KINDS, type LearnedKind } from '../vocabulary';
import { isVisibleTo, uriOf } from './kinds';
import { recordPassage } from './passages';
import type { RecordStore } from './record-store';

const SOURCE = 'learning';
const DEFAULT_LIMIT = 10;
const MOST = 1_000;
/** Records whose passages are made in one turn. */
const AT_ONCE = 20;

/** Finds captured records by their words. The index is made at the first question, and follows the store from then on. */
export class RecordIndex {
  private readonly index: SearchIndex = createSearchIndex();
  private known = new Map<string, LearnedRecord>();
  private indexed: number | undefined;
  private following: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: RecordStore,
    private readonly person: string,
  ) {}

  async search({ query, kinds, limit = DEFAULT_LIMIT, signal, ...filter }: RecordSearch): Promise<RecordHit[]> {
    await this.follow(signal);
    const most = Math.max(1, Math.min(Math.trunc(limit), MOST));
    // What the index does not know of is sorted out afterwards.
    const isNarrowed = Object.values(filter).some((wanted) => wanted !== undefined);
    const { hits } = this.index.search(query, {
      limit: isNarrowed ? MOST : most,
      ...(kinds ? { filter: { kind: kinds } } : {}),
    });
    return hits
      .flatMap(({ uri, score, matched }) => {
        const found = this.foundAt(uri);
        return found && passes(found.record, filter) ? { ...found, score, matched } : [];
      })
      .slice(0, most);
  }

  /** One after the other; whoever asks meanwhile waits for the same. */
  private follow(signal: AbortSignal | undefined): Promise<void> {
    const next = this.following.catch(() => undefined).then(() => this.catchUp(new Turns(signal)));
    this.following = next;
    return next;
  }

  private async catchUp(turns: Turns): Promise<void> {
    await this.store.warm(turns);
    const { version } = this.store;
    if (version === this.indexed) return;
    const now = new Map<string, LearnedRecord>();
    const segment = this.index.segment(SOURCE);
    let passages: Passage[] = [];
    for (const kind of LEARNED_KINDS) {
      for (const record of this.store.all(kind).values()) {
        if (!isVisibleTo(this.person, record)) continue;
        const found = { kind, id: record.id, uri: uriOf(kind, record), record } as FoundRecord;
        now.set(found.uri, record);
        await turns.pause();
        // Whatever has not changed is the same object.
        if (this.known.get(found.uri) === record) continue;
        passages.push(recordPassage(found));
        if (passages.length < AT_ONCE) continue;
        segment.set(passages);
        passages = [];
        await turns.pause();
      }
    }
    segment.set(passages);
    segment.remove([...segment.uris()].filter((uri) => !now.has(uri)));
    this.known = now;
    this.indexed = version;
  }

  private foundAt(uri: string): FoundRecord | undefined {
    const record = this.known.get(uri);
    const kind = record && kindIn(uri);
    return kind && ({ kind, id: record.id, uri, record } as FoundRecord);
  }
}

function kindIn(uri: string): LearnedKind | undefined {
  return LEARNED_KINDS.find((kind) => uri.startsWith(uriOf(kind, { id: '' })));
}

/** Whether a record has what is asked for; comparisons are exact, case does not count. */
export function passes(record: LearnedRecord, { status, project_type, domain }: RecordFilter): boolean {
  if (status && !('status' in record && status.includes(record.status))) return false;
  if (project_type !== undefined && !('project_type' in record && isSame(record.project_type, project_type)))
    return false;
  return domain === undefined || isSame(record.domain, domain);
}

function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.trim().toLowerCase();
}
