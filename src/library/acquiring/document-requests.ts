import type { DocumentMetadata, DocumentRequest, DocumentRequestInput, LibraryChange } from '../model';
import type { Surroundings } from '../surroundings';

/** What agents ask people for (seed 003, 5.3.4): kept, listed, and closed when it comes in. */
export class DocumentRequests {
  constructor(private readonly surroundings: Surroundings) {}

  async add(input: DocumentRequestInput, change: LibraryChange): Promise<DocumentRequest> {
    throw new Error(`${input.topic} ${change.author} ${this.surroundings}`);
  }

  async list(status?: DocumentRequest['status']): Promise<DocumentRequest[]> {
    throw new Error(status);
  }

  async settle(
    id: string,
    outcome: { answered_by: string } | 'dismissed' | 'open',
    change: LibraryChange,
  ): Promise<DocumentRequest> {
    throw new Error(`${id} ${outcome} ${change.author}`);
  }

  /** Closes open requests that a document answers. Answers their ids. */
  async closeBy(document: DocumentMetadata, text: string, change: LibraryChange): Promise<string[]> {
    throw new Error(`${document.title} ${text.length} ${change.author}`);
  }
}
