import type { DocumentRequests } from '../acquiring/document-requests';
import type {
  AcquiredPage,
  DocumentMetadata,
  IngestRequest,
  IngestResult,
  LibraryChange,
  MetadataOverrides,
} from '../model';
import type { Surroundings } from '../surroundings';

/** Brings sources in, keeps them up to date, and takes them out. */
export class Ingesting {
  constructor(
    private readonly surroundings: Surroundings,
    private readonly requests: DocumentRequests,
  ) {}

  async ingest(request: IngestRequest, change: LibraryChange): Promise<IngestResult> {
    throw new Error(`${request.source} ${change.author} ${this.surroundings} ${this.requests}`);
  }

  async refresh(documentIds: readonly string[] | undefined, change: LibraryChange): Promise<AcquiredPage[]> {
    throw new Error(`${documentIds} ${change.author}`);
  }

  async describe(documentId: string, overrides: MetadataOverrides, change: LibraryChange): Promise<DocumentMetadata> {
    throw new Error(`${documentId} ${overrides.title} ${change.author}`);
  }

  async remove(documentIds: readonly string[], change: LibraryChange): Promise<void> {
    throw new Error(`${documentIds} ${change.author}`);
  }
}
