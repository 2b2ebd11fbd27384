import { libraryUri, parseLibraryUri } from '../../core/knowledge-uri';
import { compareText } from '../../core/text';
import { Turns } from '../../core/turns';
import type { Reader, Store } from '../../store';
import {
  artifactsBelow,
  changesAfter,
  FEEDBACK_CHANGED_TOPIC,
  FEEDBACK_TOPIC,
  type FeedbackRow,
  lastChange,
  rowsAfter,
  rowsOf,
} from './rows';
import { addTally, addTo, newTally, type Tally } from './tally';

/** What others wrote is looked for at most so often, in milliseconds: one answer asks hundreds of times. */
const LOOK_EACH_MS = 20;
/** Read at once; some milliseconds. */
const PAGE = 500;
/** Its version changes whenever everything may be another, and with it what numbers mean. */
const EVERYTHING = '*';

/** Of an artifact whose feedback changed, the sums that are made anew, a page at a time. */
interface Remaking {
  tally: Tally | undefined;
  /** The number of the last row that is in it. */
  read: number;
}

/**
 * The sums of all feedback by artifact, in memory: made of the stored feedback and of nothing else, so that making them
 * anew gives the same. A passage of the library counts for its document as well. What there is to read is read a page at
 * a time; as long as that goes on, the sums of what is asked for are made of its own rows.
 */
export class ScoreTable {
  /** By artifact, of what was said of itself. */
  private tallies = new Map<string, Tally>();
  private readonly libraryPassages = new Set<string>();
  /** Passages on which there is feedback by their document. */
  private readonly passagesOf = new Map<string, Set<string>>();
  /** Documents with their passages, made when they are asked for. */
  private readonly documents = new Map<string, Tally>();
  private readonly remaking = new Map<string, Remaking>();
  private readSeq = 0;
  private readChange = 0;
  private seenNew = -1;
  private seenChanged = -1;
  private seenAll = -1;
  private isRead = false;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | undefined;

  constructor(private readonly store: Store) {}

  /** What is said of an artifact; of a document of its passages as well. Undefined for nothing. */
  tallyOf(artifact: string): Tally | undefined {
    this.glance();
    return this.isRead ? this.known(artifact) : tallied(this.store.read(), artifact);
  }

  /** As `tallyOf`, of just this moment. Within a transaction its own reader is to be given, before it writes. */
  tallyNow(artifact: string, reader: Reader): Tally | undefined {
    this.lookedAt = Number.NEGATIVE_INFINITY;
    this.readSome(reader);
    return this.isRead ? this.known(artifact) : tallied(reader, artifact);
  }

  /** Addresses of the library's passages on which there is feedback. */
  ratedPassages(): ReadonlySet<string> {
    this.glance();
    if (this.isRead) return this.libraryPassages;
    return new Set(artifactsBelow(this.store.read(), libraryUri('')).filter((uri) => documentOf(uri) !== undefined));
  }

  /** All on which there is feedback, documents that have it by their passages alone included. As far as it is read. */
  artifacts(): string[] {
    return [...new Set([...this.tallies.keys(), ...this.passagesOf.keys()])];
  }

  /** Reads all there is, in short turns. */
  async read(turns: Turns): Promise<void> {
    while (this.readPage(this.store.read())) await turns.pause();
  }

  /** What is written now is looked for with the next question. */
  lookSoon(): void {
    this.lookedAt = Number.NEGATIVE_INFINITY;
  }

  private glance(): void {
    const now = performance.now();
    if (now - this.lookedAt < LOOK_EACH_MS) return;
    this.lookedAt = now;
    this.readSome(this.store.read());
  }

  /** A page, which is all as a rule; the rest by and by. */
  private readSome(reader: Reader): void {
    if (this.reading || !this.readPage(reader)) return;
    if (!this.readPage(reader)) return;
    // Whoever cannot read now, as the store was closed, is told so when asked the next time.
    this.reading = this.readOn()
      .catch(() => undefined)
      .finally(() => {
        this.reading = undefined;
      });
  }

  private async readOn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await this.read(new Turns());
  }

  /** Answers false once all is read. */
  private readPage(reader: Reader): boolean {
    const all = reader.versionOf(EVERYTHING);
    if (all !== this.seenAll) {
      this.forget(reader);
      this.seenAll = all;
    }
    const changed = reader.versionOf(FEEDBACK_CHANGED_TOPIC);
    if (changed !== this.seenChanged) {
      this.noteChanges(reader);
      this.seenChanged = changed;
    }
    this.isRead = false;
    if (this.remaking.size > 0) {
      this.remakeSome(reader);
      return true;
    }
    const version = reader.versionOf(FEEDBACK_TOPIC);
    if (version !== this.seenNew) {
      const rows = rowsAfter(reader, this.readSeq, PAGE);
      for (const { seq, row } of rows) {
        this.add(row);
        this.readSeq = seq;
      }
      if (rows.length === PAGE) return true;
      this.seenNew = version;
    }
    this.isRead = true;
    return false;
  }

  /** What counts no longer, or again, or is of another artifact now. */
  private noteChanges(reader: Reader): void {
    const changes = changesAfter(reader, this.readChange);
    if (changes === undefined) {
      this.forget(reader);
      return;
    }
    for (const { seq, artifact } of changes) {
      this.readChange = seq;
      this.remaking.set(artifact, { tally: undefined, read: 0 });
    }
  }

  /** A page of rows, of one artifact or several. */
  private remakeSome(reader: Reader): void {
    let left = PAGE;
    for (const [artifact, remaking] of this.remaking) {
      left -= this.remake(reader, artifact, remaking) + 1;
      if (left <= 0) return;
    }
  }

  /** Of the rows that were read before; later ones come in their turn. Answers how many it read. */
  private remake(reader: Reader, artifact: string, remaking: Remaking): number {
    const rows = rowsOf(reader, artifact, { after: remaking.read, until: this.readSeq, most: PAGE });
    for (const { seq, row } of rows) {
      remaking.tally ??= newTally(row.artifact_type);
      addTo(remaking.tally, row);
      remaking.read = seq;
    }
    if (rows.length === PAGE) return PAGE;
    this.remaking.delete(artifact);
    if (remaking.tally) this.tallies.set(artifact, remaking.tally);
    else this.tallies.delete(artifact);
    this.noteOfDocument(artifact, remaking.tally !== undefined);
    return rows.length;
  }

  private forget(reader: Reader): void {
    this.tallies = new Map();
    for (const each of [this.libraryPassages, this.passagesOf, this.documents]) each.clear();
    this.remaking.clear();
    this.readSeq = 0;
    this.readChange = lastChange(reader);
    this.seenNew = -1;
    this.isRead = false;
  }

  private add(row: FeedbackRow): void {
    const { artifact } = row;
    let tally = this.tallies.get(artifact);
    if (!tally) {
      tally = newTally(row.artifact_type);
      this.tallies.set(artifact, tally);
    }
    addTo(tally, row);
    this.noteOfDocument(artifact, true);
  }

  private noteOfDocument(artifact: string, isRated: boolean): void {
    this.documents.delete(artifact);
    const document = documentOf(artifact);
    if (document === undefined) return;
    this.documents.delete(document);
    const passages = this.passagesOf.get(document) ?? new Set<string>();
    if (isRated) {
      this.libraryPassages.add(artifact);
      this.passagesOf.set(document, passages.add(artifact));
      return;
    }
    this.libraryPassages.delete(artifact);
    passages.delete(artifact);
    if (passages.size === 0) this.passagesOf.delete(document);
  }

  private known(artifact: string): Tally | undefined {
    const passages = this.passagesOf.get(artifact);
    if (!passages) return this.tallies.get(artifact);
    let together = this.documents.get(artifact);
    if (!together) {
      const all = [artifact, ...passages].map((uri) => [uri, this.tallies.get(uri)] as const);
      together = joined(all);
      if (together) this.documents.set(artifact, together);
    }
    return together;
  }
}

/** Of the rows of an artifact alone. */
function tallied(reader: Reader, artifact: string): Tally | undefined {
  const artifacts = isDocument(artifact) ? [artifact, ...artifactsBelow(reader, `${artifact}#`)] : [artifact];
  const own = artifacts.map((uri) => {
    let tally: Tally | undefined;
    for (const { row } of rowsOf(reader, uri)) {
      tally ??= newTally(row.artifact_type);
      addTo(tally, row);
    }
    return [uri, tally] as const;
  });
  return artifacts.length > 1 ? joined(own) : own[0]?.[1];
}

/** In the order of the addresses: in whichever order they came, the sum is the same to the last digit. */
function joined(tallies: readonly (readonly [string, Tally | undefined])[]): Tally | undefined {
  let together: Tally | undefined;
  for (const [, tally] of [...tallies].sort(([a], [b]) => compareText(a, b))) {
    if (!tally) continue;
    together ??= newTally(tally.artifact_type);
    addTally(together, tally);
  }
  return together;
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
