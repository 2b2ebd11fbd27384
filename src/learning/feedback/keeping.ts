import { compareText } from '../../core/text';
import { atOnce } from '../../core/turns';
import { type Reader, rehearse, type Store, type Transaction } from '../../store';
import type { FeedbackRecord } from '../feedback-model';
import type { FeedbackChange } from '../model';
import type { CapturedRecords } from '../surroundings';
import type { Artifacts } from './artifacts';
import { ownOn } from './opinions';
import { feedbackAfter, hasFeedback, insertFeedback, knownIds, moveFeedback, refuseTooMuchFeedback } from './rows';
import type { Scores } from './scores';
import { toldFeedback } from './telling';

/** Pieces of feedback; some milliseconds. */
const READ_AT_ONCE = 250;

export interface KeepingOptions {
  store: Store;
  records: () => CapturedRecords;
  artifacts: Artifacts;
  scores: Scores;
}

/** What was said, as it is kept: told, given to other stores and taken from them, moved with what it was said of. */
export class Keeping {
  constructor(private readonly options: KeepingOptions) {}

  /** Oldest first; of a document of the library what was said of its passages as well. */
  feedbackOn(artifact: string): FeedbackRecord[] {
    const { store, records, artifacts } = this.options;
    return toldFeedback(store.read(), records, artifacts.atHand(artifact).artifact);
  }

  /** What a person said of it by hand and did not take back, oldest first; what agents said for somebody is not the person's. */
  saidBy(author: string, artifact: string): FeedbackRecord[] {
    const { store, artifacts, scores } = this.options;
    const { artifact: uri } = artifacts.atHand(artifact);
    // Nearly all of what a list asks about, nobody has rated.
    return scores.table.tallyOf(uri) ? ownOn(store.read(), author, uri) : [];
  }

  /** All that counts, oldest first. */
  exportFeedback(): FeedbackRecord[] {
    return atOnce(this.readAll());
  }

  /** See `FeedbackExchange`. */
  *readAll(): Generator<void, FeedbackRecord[]> {
    const all: FeedbackRecord[] = [];
    let after = 0;
    for (;;) {
      const { records, last } = feedbackAfter(this.options.store.read(), after, READ_AT_ONCE);
      all.push(...records);
      if (last === undefined) break;
      after = last;
      yield;
    }
    return all.sort((a, b) => compareText(a.created_at, b.created_at));
  }

  /** See `FeedbackExchange`. */
  countNew(reader: Reader, records: readonly FeedbackRecord[]): number {
    const ids = records.map(({ id }) => id);
    return ids.length - knownIds(reader, ids).size;
  }

  /** See `FeedbackExchange`. */
  refuseTooMuch(reader: Reader, more: number): void {
    refuseTooMuchFeedback(reader, more);
  }

  /** Takes what `exportFeedback` gave; what is there already stays as it is. Answers how many were new. */
  importFeedback(transaction: Transaction, records: readonly FeedbackRecord[]): number {
    const ids = records.map(({ id }) => id);
    const known = knownIds(transaction, ids);
    const fresh = records.filter(({ id }) => !known.has(id) && known.add(id));
    insertFeedback(transaction, fresh);
    this.options.scores.table.lookSoon();
    return fresh.length;
  }

  /** As `importFeedback`, in a transaction of its own. */
  takeIn(records: readonly FeedbackRecord[], change: Pick<FeedbackChange, 'rehearse' | 'signal'>): Promise<number> {
    const { store } = this.options;
    const write = (transaction: Transaction) => this.importFeedback(transaction, records);
    return change.rehearse ? rehearse(store, write, change.signal) : store.write(write, change.signal);
  }

  /** Follows an artifact that has another address now. */
  async moved(from: string, to: string, signal?: AbortSignal): Promise<void> {
    const { store, scores } = this.options;
    if (!hasFeedback(store.read(), from)) return;
    await store.write((transaction) => moveFeedback(transaction, from, to), signal);
    scores.table.lookSoon();
  }
}
