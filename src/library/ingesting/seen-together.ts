import type { LibraryKeeper, SeenAgain } from '../keeping/model';
import type { DocumentMetadata } from '../model';
import { LIMITS } from './limits';

/** Documents that were looked at and say what they said, kept with one write: each by itself would wait for the disk. */
export class SeenTogether {
  private seen: SeenAgain[] = [];

  constructor(private readonly keeper: LibraryKeeper) {}

  /** Not kept yet. */
  get size(): number {
    return this.seen.length;
  }

  get isFull(): boolean {
    return this.size >= LIMITS.seenTogether;
  }

  /** `document` replaces the one that was kept at `expected`, with the next `keep`. */
  add(document: DocumentMetadata, expected: string): void {
    this.seen.push({ document, expected });
  }

  /** All are on the disk when it resolves, but those that somebody else has changed meanwhile: answers their ids. */
  keep(): Promise<string[]> {
    return this.keeper.putSeen(this.seen.splice(0));
  }
}
