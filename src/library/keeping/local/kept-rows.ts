import type { Turns } from '../../../core/turns';
import type { Reader } from '../../../store';
import type { ChunkFilter } from '../model';
import * as catalogue from './catalogue';
import { LOCAL_LIMITS } from './limits';

/** What searches ask of the store again and again, as long as nothing of it changes. */
export class KeptRows {
  private readonly documents = new Map<string, { version: number; shelved: catalogue.Shelved | undefined }>();
  private readonly filters = new Map<string, { version: number; chosen: ReadonlySet<string> | undefined }>();

  constructor(private readonly read: () => Reader) {}

  /** As `catalogue.shelved`; not to be changed. */
  shelved(documentId: string, reader = this.read()): catalogue.Shelved | undefined {
    const version = reader.versionOf(catalogue.documentTopic(documentId));
    const known = this.documents.get(documentId);
    if (known?.version === version) return known.shelved;
    const shelved = catalogue.shelved(reader, documentId);
    keep(this.documents, LOCAL_LIMITS.documents, documentId, { version, shelved });
    return shelved;
  }

  /** As `catalogue.chosenDocuments`. */
  async chosen(filter: ChunkFilter, turns: Turns): Promise<ReadonlySet<string> | undefined> {
    const { document_type, source_type, min_authority } = filter;
    // Those that name documents seldom come again.
    if (filter.documents) return catalogue.chosenDocuments(this.read, filter, turns);
    const key = JSON.stringify([document_type, source_type, min_authority]);
    const version = this.read().versionOf(catalogue.DOCUMENTS_TOPIC);
    const known = this.filters.get(key);
    if (known?.version === version) return known.chosen;
    const chosen = await catalogue.chosenDocuments(this.read, filter, turns);
    keep(this.filters, LOCAL_LIMITS.filters, key, { version, chosen });
    return chosen;
  }
}

function keep<T>(map: Map<string, T>, most: number, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) break;
    map.delete(oldest);
  }
}
