import { isoTime } from '../../core/clock';
import type { Transaction } from '../../store';
import type { FeedbackInput } from '../feedback-model';
import type { LearnedRecord, LearnedRecords } from '../records-model';
import type { LearnedKind } from '../vocabulary';
import { idOf, isVisibleTo, newId, unknownRecord } from './kinds';
import type { RecordChange, RecordStore } from './record-store';

/** What a write comes to: records that it puts or takes away, the first of them the one that it is about. */
export interface Plan {
  kind: LearnedKind;
  /** Of a deleted one as it was. */
  record: LearnedRecord;
  changes: readonly RecordChange[];
  /** An outcome says how well the project did. */
  feedback?: { input: FeedbackInput; project: LearnedRecords['project'] } | undefined;
  /** Templates that were used for it. */
  used?: readonly string[] | undefined;
  hint?: string | undefined;
}

/** What a write finds while nobody else can write, and who makes it. */
export class Writing {
  constructor(
    private readonly transaction: Transaction,
    private readonly store: RecordStore,
    /** Whose records are captured, and whose personal ones are seen. */
    readonly person: string,
    readonly author: string,
    /** Milliseconds since the epoch. */
    readonly now: number,
  ) {}

  /** ISO 8601. */
  get at(): string {
    return isoTime(this.now);
  }

  find<K extends LearnedKind>(kind: K, artifact: string): LearnedRecords[K] | undefined {
    const record = this.store.within(this.transaction, kind, idOf(kind, artifact));
    return record && isVisibleTo(this.person, record) ? record : undefined;
  }

  /** Throws `unknown_project`, `unknown_template` … */
  require<K extends LearnedKind>(kind: K, artifact: string): LearnedRecords[K] {
    const record = this.find(kind, artifact);
    if (!record) throw unknownRecord(kind, artifact);
    return record;
  }

  /** Oldest first; with `where` only those with this value in this field. */
  all<K extends LearnedKind>(
    kind: K,
    where?: { field: keyof LearnedRecords[K] & string; value: string },
  ): LearnedRecords[K][] {
    return this.store.allWithin(this.transaction, kind, where).filter((record) => isVisibleTo(this.person, record));
  }

  freeId(kind: LearnedKind, title: string): string {
    let id = newId(kind, title);
    while (this.store.within(this.transaction, kind, id)) id = newId(kind, title);
    return id;
  }

  /** What every new record begins with. */
  begun(kind: LearnedKind, title: string): Pick<LearnedRecord, 'id' | 'created_at' | 'updated_at' | 'author'> {
    return { id: this.freeId(kind, title), created_at: this.at, updated_at: this.at, author: this.author };
  }
}

/** A plan that puts one record. */
export function putting<K extends LearnedKind>(kind: K, record: LearnedRecords[K]): Plan {
  return { kind, record, changes: [{ kind, id: record.id, record }] };
}

/** What is given takes the place of what was there; what is left out stays. */
export function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
