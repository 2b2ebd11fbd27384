import type { CompletionItem, DocumentMessage, NoteRequest, SurroundingsMessage } from '../protocol/note';
import type { RatingState } from '../protocol/rating';
import type { NoteDraft } from './draft';

/** What the parts of the page are drawn from, and what they can have done. */
export interface NoteView {
  draft: NoteDraft;
  document: DocumentMessage;
  surroundings: SurroundingsMessage;
  rating: RatingState | undefined;
  canWrite: boolean;
  /** Whether the front matter can be edited here. */
  canEditFields: boolean;
  post(message: NoteRequest): void;
  /** The same, once all that was typed is in the document. */
  sayAfterEdits(message: NoteRequest): void;
  /** To be called after each change of the draft. */
  changed(): void;
  /** Notes, or sections, that a link may lead to; those of the last question only. */
  complete(typed: string, section: boolean): Promise<readonly CompletionItem[]>;
  requestUpdate(): void;
  readonly updateComplete: Promise<boolean>;
}
