import { isKaizenError, KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import type { DocumentContent, LibraryKeeper } from '../keeping/model';
import type { DocumentMetadata } from '../model';

/** Each once. Throws `unknown_document`. */
export async function existing(keeper: LibraryKeeper, ids: readonly string[]): Promise<DocumentMetadata[]> {
  return Promise.all(
    [...new Set(ids)].map(async (id) => {
      const document = await keeper.document(id);
      if (document) return document;
      throw new KaizenError(
        'unknown_document',
        sentence('The library has no document "{0}".', id.slice(0, 120)),
        sentence('knowledge_sources lists the documents that there are.'),
      );
    }),
  );
}

/** What was read of a document before; undefined as well where that is damaged, since it is about to be replaced. */
export async function readable(keeper: LibraryKeeper, documentId: string): Promise<DocumentContent | undefined> {
  try {
    return await keeper.content(documentId);
  } catch (error) {
    if (isKaizenError(error) && error.code === 'store_damaged') return undefined;
    throw error;
  }
}

/** Where somebody else changed the same document meanwhile, what they made of it is looked at, once. */
export async function onceMore<Result>(attempt: () => Promise<Result>): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (!isKaizenError(error) || error.code !== 'conflict') throw error;
    return attempt();
  }
}
