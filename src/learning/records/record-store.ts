import { isoTime } from '../../core/clock';
import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { compareText } from '../../core/text';
import { atOnce, inTurns, type Turns } from '../../core/turns';
import type { Reader, Store, Transaction } from '../../store';
import type { LearnedRecord, LearnedRecords } from '../records-model';
import { RECORDS_TOPIC } from '../schema';
import { LEARNED_KINDS, type LearnedKind } from '../vocabulary';
import { checkRecordJson } from './checks';
import { titleOf } from './kinds';
import {
  addRevision,
  changedAfter,
  dropOldRevisions,
  lastRevision,
  nextRevision,
  type RevisionNote,
} from './revisions';
import { type BuiltIn, HIDDEN, jsonOf, parse, recordIn } from './stored';

/** Of all kinds together; each process has them in memory. */
export const MOST_RECORDS = 10_000;
/** Rows that are read at once. */
const PAGE = 50;
/** Its version changes whenever everything may be another, and with it what numbers of revisions mean. */
const EVERYTHING = '*';

/** One record that a change puts, or takes away where it is null. */
export interface RecordChange {
  kind: LearnedKind;
  id: string;
  record: LearnedRecord | null;
}

interface Row {
  id: string;
  revision: number;
  created_at: string;
  json: string;
}

/** A row as it was read; null where a pattern of the product is hidden. */
interface Stored extends Omit<Row, 'json'> {
  record: LearnedRecord | null;
}

type ById = Map<string, LearnedRecord>;

/** All records, of a version of the topic of records. */
interface Known {
  version: number;
  all: number;
  /** The last revision that is in it. */
  last: number;
  rows: Map<LearnedKind, Map<string, Stored>>;
  kinds: Map<LearnedKind, ById>;
}

/**
 * Captured records in the store, with a revision for each change. What came with the product is there as long as no row
 * says otherwise: a changed one, or that it is hidden.
 */
export class RecordStore {
  private known: Known | undefined;

  constructor(
    private readonly store: Store,
    private readonly builtIn: BuiltIn,
  ) {}

  /** Grows whenever a record has changed. */
  get version(): number {
    return this.store.read().versionOf(RECORDS_TOPIC);
  }

  /** All of a kind by their ids, newest first, those of the product last. Only what has changed is read anew. */
  all<K extends LearnedKind>(kind: K): ReadonlyMap<string, LearnedRecords[K]> {
    const reader = this.store.read();
    const version = reader.versionOf(RECORDS_TOPIC);
    if (this.known?.version !== version) {
      if (!this.follow(reader, version)) this.known = atOnce(this.readAll(version));
    }
    return this.known!.kinds.get(kind) as Map<string, LearnedRecords[K]>;
  }

  /** Reads all of them in short turns, so that `all` need not. */
  async warm(turns: Turns): Promise<void> {
    const reader = this.store.read();
    if (this.known !== undefined && this.known.all === reader.versionOf(EVERYTHING)) return;
    const known = await inTurns(this.readAll(reader.versionOf(RECORDS_TOPIC)), turns);
    // By now somebody who could not wait may have read them, or all of it may be another.
    if (this.known?.all !== known.all && known.all === this.store.read().versionOf(EVERYTHING)) this.known = known;
  }

  /** A few at a time; what changes meanwhile is told by the revisions behind the one that it began with. */
  private *readAll(version: number): Generator<void, Known> {
    const reader = this.store.read();
    const known: Known = {
      version,
      all: reader.versionOf(EVERYTHING),
      last: lastRevision(reader),
      rows: new Map(),
      kinds: new Map(),
    };
    for (const kind of LEARNED_KINDS) {
      const rows = new Map<string, Stored>();
      let after = '';
      for (;;) {
        const some = this.store
          .read()
          .all<Row>(
            `SELECT id, revision, created_at, json FROM learning_record WHERE kind = ? AND id > ? ORDER BY id LIMIT ${PAGE}`,
            [kind, after],
          );
        for (const { id, revision, created_at, json } of some) {
          rows.set(id, { id, revision, created_at, record: parse(json) });
          after = id;
          yield;
        }
        if (some.length < PAGE) break;
      }
      known.rows.set(kind, rows);
      this.order(known, kind);
      yield;
    }
    return known;
  }

  /** Takes over what changed since, as the revisions name it; false where they do not go back so far. */
  private follow(reader: Reader, version: number): boolean {
    const { known } = this;
    if (!known || known.all !== reader.versionOf(EVERYTHING)) return false;
    const changes = changedAfter(reader, known.last);
    if (changes === undefined) return false;
    const touched = new Set<LearnedKind>();
    for (const { kind, id, revision } of changes) {
      known.last = Math.max(known.last, revision);
      const row = reader.get<Row>(
        'SELECT id, revision, created_at, json FROM learning_record WHERE kind = ? AND id = ?',
        [kind, id],
      );
      const rows = known.rows.get(kind)!;
      if (row) rows.set(id, { ...row, record: parse(row.json) });
      else rows.delete(id);
      touched.add(kind);
    }
    for (const kind of touched) this.order(known, kind);
    known.version = version;
    return true;
  }

  private order({ rows, kinds }: Known, kind: LearnedKind): void {
    const stored = rows.get(kind)!;
    const byId: ById = new Map();
    const newestFirst = (a: Stored, b: Stored) => compareText(b.created_at, a.created_at) || b.revision - a.revision;
    for (const { id, record } of [...stored.values()].sort(newestFirst)) if (record) byId.set(id, record);
    if (kind === 'pattern') {
      for (const [id, pattern] of this.builtIn) if (!stored.has(id)) byId.set(id, pattern);
    }
    kinds.set(kind, byId);
  }

  /** As a transaction finds it, which others may have changed since this process looked. */
  within<K extends LearnedKind>(transaction: Transaction, kind: K, id: string): LearnedRecords[K] | undefined {
    return recordIn(this.builtIn, kind, id, jsonOf(transaction, kind, id)) as LearnedRecords[K] | undefined;
  }

  /**
   * All of a kind as a transaction finds them, oldest first; without those of the product. With `where` only those with
   * this value in this field.
   */
  allWithin<K extends LearnedKind>(
    transaction: Transaction,
    kind: K,
    where?: { field: keyof LearnedRecords[K] & string; value: string },
  ): LearnedRecords[K][] {
    return transaction
      .all<Row>(
        `SELECT json FROM learning_record WHERE kind = ?1 AND (?2 IS NULL OR json ->> ?2 = ?3)
         ORDER BY created_at, revision`,
        [kind, where?.field ?? null, where?.value ?? null],
      )
      .flatMap(({ json }) => (parse(json) as LearnedRecords[K] | null) ?? []);
  }

  /**
   * Changes records and keeps how they were: one revision a record, made together, or together with what an earlier
   * transaction made. Answers the number that they are undone by.
   * Throws `learning_full` where there are too many, `invalid_argument` for one that is too large.
   */
  put(transaction: Transaction, changes: readonly RecordChange[], note: RevisionNote, madeWith?: number): number {
    const states = changes.map(({ kind, id, record }) => ({
      kind,
      id,
      after: record ? checkRecordJson(JSON.stringify(record)) : this.gone(kind, id),
    }));
    return this.putStates(transaction, states, note, madeWith);
  }

  /** What stands for a record that is taken away: nothing, or that what came with the product is hidden. */
  private gone(kind: LearnedKind, id: string): string | null {
    return kind === 'pattern' && this.builtIn.has(id) ? HIDDEN : null;
  }

  /** As `put`, with states as rows have them. */
  putStates(
    transaction: Transaction,
    states: readonly { kind: LearnedKind; id: string; after: string | null }[],
    note: RevisionNote,
    madeWith?: number,
  ): number {
    let revision = nextRevision(transaction);
    const first = madeWith ?? revision;
    let { feedback } = note;
    for (const { kind, id, after } of states) {
      const before = jsonOf(transaction, kind, id) ?? null;
      const record = parse(after ?? HIDDEN) ?? recordIn(this.builtIn, kind, id, before);
      if (after === null) {
        transaction.run('DELETE FROM learning_record WHERE kind = ? AND id = ?', [kind, id]);
      } else {
        const created = record?.created_at ?? isoTime(note.at);
        transaction.run(
          `INSERT OR REPLACE INTO learning_record (kind, id, revision, created_at, changed_at, json)
           VALUES (?, ?, ?, ?, ?, ?)`,
          [kind, id, revision, created, note.at, after],
        );
      }
      const title = record ? titleOf(record) : id;
      addRevision(transaction, { ...note, feedback }, { revision, made_with: first, kind, id, title, before });
      // The first of them stands for all.
      feedback = [];
      revision++;
    }
    refuseTooMany(transaction);
    dropOldRevisions(transaction, first);
    transaction.touch(RECORDS_TOPIC);
    return first;
  }

  /** Whether there is a row, whatever it says. */
  isStored(reader: Reader, kind: LearnedKind, id: string): boolean {
    return reader.get('SELECT 1 FROM learning_record WHERE kind = ? AND id = ?', [kind, id]) !== undefined;
  }

  /** The JSON of a row as it is now; null for none. */
  stateOf(reader: Reader, kind: LearnedKind, id: string): string | null {
    return jsonOf(reader, kind, id) ?? null;
  }
}

/** Throws `learning_full` where there would be too many with as many more. */
export function refuseTooMany(reader: Reader, more = 0): void {
  const { stored } = reader.get<{ stored: number }>('SELECT count(*) AS stored FROM learning_record')!;
  const count = stored + more;
  if (count <= MOST_RECORDS) return;
  throw new KaizenError(
    'learning_full',
    sentence('There would be {0} captured records; the limit is {1}.', count, MOST_RECORDS),
    sentence('Export them, and delete those that nobody needs any more.'),
  );
}
