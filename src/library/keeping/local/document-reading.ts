import { describeError, KaizenError } from '../../../core/errors';
import { sentence } from '../../../core/sentence';
import type { Turns } from '../../../core/turns';
import { embeddedText } from '../../../search';
import type { KnowledgeChunk } from '../../model';
import { chunkOf } from '../chunk-record';
import type { ChunkHit, DocumentContent } from '../model';
import * as catalogue from './catalogue';
import { headingsOf } from './chunk-passages';
import type { ContentFiles } from './content-files';
import type { DocumentStore } from './document-store';
import type { Indexable } from './indexing';
import { KeptRows } from './kept-rows';
import { LOCAL_LIMITS } from './limits';
import { parsePassageUri } from './passage-uri';

/** A hit of the index, whose chunk is still to be read. */
export type UnreadHit = Omit<ChunkHit, 'chunk' | 'byMeaning'> & { uri: string; byMeaning?: boolean };

type WithContent = Required<catalogue.Shelved> & { content: object };

/** What documents say, read from their files; a document whose file was replaced just then is looked up anew. */
export class DocumentReading {
  readonly rows: KeptRows;

  constructor(
    private readonly store: DocumentStore,
    private readonly contents: ContentFiles,
    private readonly log: (message: string) => void,
  ) {
    this.rows = new KeptRows(() => store.reader());
  }

  content(documentId: string, turns: Turns): Promise<DocumentContent | undefined> {
    return this.read(documentId, ({ document, content }) => this.contents.content(content, document, turns));
  }

  text(documentId: string, turns: Turns): Promise<string | undefined> {
    return this.read(documentId, ({ content }) => this.contents.text(content, turns));
  }

  async chunk(documentId: string, chunkId: string): Promise<KnowledgeChunk | undefined> {
    const found = await this.read(documentId, async ({ document, content }) => {
      const chunk = this.contents.chunk(content, chunkId);
      if (chunk) return chunkOf(chunk.record, chunk.content, document);
      return this.contents.has(content.file) ? NOTHING : undefined;
    });
    return found === NOTHING ? undefined : found;
  }

  /** What a document says, with the stamp of just that revision; undefined where it is gone. */
  async indexable(documentId: string, turns: Turns): Promise<Indexable | undefined> {
    for (;;) {
      const mark = catalogue.shelfmark(this.store.reader(), documentId);
      if (!mark) return undefined;
      const document = catalogue.shelved(this.store.reader(), documentId)?.document;
      const said = await this.content(documentId, turns);
      // What belongs to another revision is not to pass for this one.
      if (catalogue.shelfmark(this.store.reader(), documentId)?.stamp !== mark.stamp) continue;
      return document && said && { ...said, document, stamp: mark.stamp };
    }
  }

  /** For the index of meaning: read from the disk whenever it is asked for. */
  textOf(uri: string): { uri: string; text: string } {
    const read = () => this.embedded(uri);
    return {
      uri,
      get text() {
        return read();
      },
    };
  }

  /** Those whose chunk is gone meanwhile are left out. */
  async withChunks(hits: readonly UnreadHit[], turns: Turns): Promise<ChunkHit[]> {
    const found: ChunkHit[] = [];
    let reader = this.store.reader();
    for (const { uri, score, matched, byMeaning = false } of hits) {
      const { document_id, chunk_id } = parsePassageUri(uri);
      const shelved = this.rows.shelved(document_id, reader);
      try {
        const chunk = shelved?.content && this.contents.chunk(shelved.content, chunk_id);
        if (chunk) {
          const { record, content } = chunk;
          found.push({ chunk: chunkOf(record, content, shelved.document), score, matched, byMeaning });
        } else {
          // Another process has replaced the document since; the index hears of it.
          reader = this.store.reader();
        }
      } catch (error) {
        this.log(describeError(error));
      }
      await turns.pause();
    }
    return found;
  }

  private async read<T>(
    documentId: string,
    take: (found: WithContent) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const store = await this.store.opened();
    if (!store) return undefined;
    for (let attempt = 1; ; attempt++) {
      const found = catalogue.shelved(store.read(), documentId);
      if (!found?.content) return undefined;
      const { document, content } = found;
      const taken = await take({ document, content });
      if (taken !== undefined) return taken;
      const isSame = catalogue.shelved(store.read(), documentId)?.content?.file === content.file;
      if (!isSame && attempt < LOCAL_LIMITS.attempts) continue;
      const file = this.contents.pathOf(content.file);
      throw new KaizenError(
        'store_damaged',
        sentence('The file {0} is gone.', file),
        sentence('Read the source again to mend it.'),
      );
    }
  }

  /** Empty for what is gone by now. */
  private embedded(uri: string): string {
    const { document_id, chunk_id } = parsePassageUri(uri);
    try {
      const found = this.rows.shelved(document_id);
      const chunk = found?.content && this.contents.chunk(found.content, chunk_id);
      if (!chunk) return '';
      return embeddedText({ uri, ...headingsOf(chunk.record, found.document.title), body: chunk.content }).text;
    } catch {
      return '';
    }
  }
}

/** There is such a chunk in no revision of the document that can be read. */
const NOTHING = Symbol('nothing');
