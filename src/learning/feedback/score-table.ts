import { libraryUri, parseLibraryUri } from '../../core/knowledge-uri';
import type { Reader, Store } from '../../store';
import { FEEDBACK_CHANGED_TOPIC, FEEDBACK_TOPIC, type FeedbackRow, rowsAfter } from './rows';
import { addTo, newTally, type Tally } from './tally';

/** What others wrote is looked for at most so often, in milliseconds: one answer asks hundreds of times. */
const LOOK_EACH_MS = 20;
/** Read at once; some milliseconds. */
const PAGE = 500;

/**
 * The sums of all feedback by artifact, in memory: made of the stored feedback and of nothing else, so that making them
 * anew gives the same. A passage of the library counts for its document as well.
 */
export class ScoreTable {
  private tallies = new Map<string, Tally>();
  private readonly libraryPassages = new Set<string>();
  private readSeq = 0;
  private seenNew = -1;
  private seenChanged = -1;
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly store: Store) {}

  tallyOf(artifact: string): Tally | undefined {
    this.glance();
    return this.tallies.get(artifact);
  }

  /** Addresses of the library's passages on which there is feedback. */
  ratedPassages(): ReadonlySet<string> {
    this.glance();
    return this.libraryPassages;
  }

  /** All on which there is feedback, documents that have it by their passages alone included. */
  artifacts(): string[] {
    this.look(this.store.read());
    return [...this.tallies.keys()];
  }

  /** Reads what is new by now. Within a transaction its own reader is to be given, before it writes. */
  look(reader: Reader): void {
    while (this.readPage(reader));
  }

  /** As `look`, for long lists: answers false once all is read. */
  readPage(reader: Reader): boolean {
    const changed = reader.versionOf(FEEDBACK_CHANGED_TOPIC);
    if (changed !== this.seenChanged) {
      this.forget();
      this.seenChanged = changed;
    }
    const version = reader.versionOf(FEEDBACK_TOPIC);
    if (version === this.seenNew) return false;
    const rows = rowsAfter(reader, this.readSeq, PAGE);
    for (const { seq, row } of rows) {
      this.add(row);
      this.readSeq = seq;
    }
    if (rows.length === PAGE) return true;
    this.seenNew = version;
    return false;
  }

  /** What is written now is looked for with the next question. */
  lookSoon(): void {
    this.lookedAt = Number.NEGATIVE_INFINITY;
  }

  /** Makes all sums anew. */
  rebuild(): void {
    this.forget();
    this.look(this.store.read());
  }

  private glance(): void {
    const now = performance.now();
    if (now - this.lookedAt < LOOK_EACH_MS) return;
    this.lookedAt = now;
    this.look(this.store.read());
  }

  private forget(): void {
    this.tallies = new Map();
    this.libraryPassages.clear();
    this.readSeq = 0;
    this.seenNew = -1;
  }

  private add(row: FeedbackRow): void {
    addTo(this.tally(row.artifact, row), row);
    const document = documentOf(row.artifact);
    if (document === undefined) return;
    this.libraryPassages.add(row.artifact);
    addTo(this.tally(document, row), row);
  }

  private tally(artifact: string, { artifact_type }: FeedbackRow): Tally {
    let tally = this.tallies.get(artifact);
    if (!tally) {
      tally = newTally(artifact_type);
      this.tallies.set(artifact, tally);
    }
    return tally;
  }
}

/** The document's address of a passage of the library; undefined for whatever else. */
export function documentOf(artifact: string): string | undefined {
  const address = parseLibraryUri(artifact);
  return address?.chunk === undefined ? undefined : libraryUri(address.document_id);
}

/** Whether it is a document of the library, on which what is said of its passages counts. */
export function isDocument(artifact: string): boolean {
  const address = parseLibraryUri(artifact);
  return address !== undefined && address.chunk === undefined;
}
