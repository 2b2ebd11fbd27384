import { isoTime } from '../../core/clock';
import { KaizenError } from '../../core/errors';
import type { Reader, Store, Transaction } from '../../store';
import type { LearnedRecord, LearnedRecords } from '../records-model';
import { RECORDS_TOPIC } from '../schema';
import { LEARNED_KINDS, type LearnedKind } from '../vocabulary';
import { checkRecordJson } from './checks';
import { titleOf } from './kinds';
import { addRevision, dropOldRevisions, nextRevision, type RevisionNote } from './revisions';
import { type BuiltIn, HIDDEN, jsonOf, parse, recordIn } from './stored';

/** Of all kinds together; each process has them in memory. */
const MOST_RECORDS = 10_000;
/** Rows that are read one by one. */
const FEW = 50;

/** One record that a change puts, or takes away where it is null. */
export interface RecordChange {
  kind: LearnedKind;
  id: string;
  record: LearnedRecord | null;
}

interface Row {
  kind: LearnedKind;
  id: string;
  revision: number;
  created_at: string;
  changed_at: number;
  json: string;
}

type ById = Map<string, LearnedRecord>;

/**
 * Captured records in the store, with a revision for each change. What came with the product is there as long as no row
 * says otherwise: a changed one, or that it is hidden.
 */
export class RecordStore {
  private read: { version: number; kinds: Map<LearnedKind, ById> } | undefined;
  /** By revision and time: numbers are given once more where the last good state of a damaged store went on. */
  private parsed = new Map<string, LearnedRecord | null>();

  constructor(
    private readonly store: Store,
    private readonly builtIn: BuiltIn,
  ) {}

  /** Grows whenever a record has changed. */
  get version(): number {
    return this.store.read().versionOf(RECORDS_TOPIC);
  }

  /** All of a kind by their ids, newest first, those of the product last. Only what has changed is parsed anew. */
  all<K extends LearnedKind>(kind: K): ReadonlyMap<string, LearnedRecords[K]> {
    const reader = this.store.read();
    const version = reader.versionOf(RECORDS_TOPIC);
    if (this.read?.version !== version) this.read = { version, kinds: this.readAll(reader) };
    return this.read.kinds.get(kind) as Map<string, LearnedRecords[K]>;
  }

  private readAll(reader: Reader): Map<LearnedKind, ById> {
    const rows = reader.all<Omit<Row, 'json'>>(
      'SELECT kind, id, revision, changed_at FROM learning_record ORDER BY created_at DESC, revision DESC',
    );
    const parsed: typeof this.parsed = new Map();
    const stateOf = ({ kind, id, revision, changed_at }: Omit<Row, 'json'>) =>
      `${kind}/${id}/${revision}/${changed_at}`;
    const jsonOfAll = allTexts(
      reader,
      rows.filter((row) => !this.parsed.has(stateOf(row))),
    );
    const kinds = new Map<LearnedKind, ById>(LEARNED_KINDS.map((kind) => [kind, new Map()]));
    for (const row of rows) {
      const state = stateOf(row);
      const known = this.parsed.get(state);
      const record = known === undefined ? parse(jsonOfAll(row) ?? HIDDEN) : known;
      parsed.set(state, record);
      if (record) kinds.get(row.kind)!.set(row.id, record);
    }
    this.parsed = parsed;
    const changed = new Set(rows.filter(({ kind }) => kind === 'pattern').map(({ id }) => id));
    for (const [id, pattern] of this.builtIn) if (!changed.has(id)) kinds.get('pattern')!.set(id, pattern);
    return kinds;
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

  /** The JSON of a row as it is now; null for none. */
  stateOf(reader: Reader, kind: LearnedKind, id: string): string | null {
    return jsonOf(reader, kind, id) ?? null;
  }
}

/** The JSON of these rows: one by one where a few have changed, in one go where nearly everything is read. */
function allTexts(
  reader: Reader,
  rows: readonly Pick<Row, 'kind' | 'id'>[],
): (row: Pick<Row, 'kind' | 'id'>) => string | undefined {
  if (rows.length <= FEW) return ({ kind, id }) => jsonOf(reader, kind, id);
  const all = reader.all<Row>('SELECT kind, id, json FROM learning_record');
  const texts = new Map(all.map(({ kind, id, json }) => [`${kind}/${id}`, json]));
  return ({ kind, id }) => texts.get(`${kind}/${id}`);
}

function refuseTooMany(reader: Reader): void {
  const { count } = reader.get<{ count: number }>('SELECT count(*) AS count FROM learning_record')!;
  if (count <= MOST_RECORDS) return;
  throw new KaizenError(
    'learning_full',
    `There would be ${count} captured records; the limit is ${MOST_RECORDS}.`,
    'Export them, and delete those that nobody needs any more.',
  );
}
