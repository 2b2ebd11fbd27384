import type { DocumentMessage, EntryRequest, HistoryItem, SurroundingsMessage } from '../protocol/entry';
import type { RatingState } from '../protocol/rating';
import type { Draft } from './draft';

/** What the parts of the page are drawn from, and what they can have done. */
export interface EntryView {
  draft: Draft;
  document: DocumentMessage;
  surroundings: SurroundingsMessage | undefined;
  rating: RatingState | undefined;
  history: { revisions: HistoryItem[]; total: number } | undefined;
  historyIsOpen: boolean;
  canWrite: boolean;
  post(message: EntryRequest): void;
  /** To be called after each change of the draft. */
  changed(): void;
  openHistory(isOpen: boolean): void;
  /** Opens the history and brings it into view. */
  showHistory(): void;
  readonly updateComplete: Promise<boolean>;
}
