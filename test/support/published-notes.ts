import { createHash } from 'node:crypto';
import type { PublishRequest } from '../../src/notes';

/** What publishing a note of this text asks of a registry. */
export function publishRequest(zettelId: string, content: string, more: Partial<PublishRequest> = {}): PublishRequest {
  const fields = {
    zettel_id: zettelId,
    title: `About ${zettelId}`,
    entry_type: 'pattern' as const,
    tags: [],
    ...more.fields,
  };
  const head = `zettel_id: ${zettelId}\ntitle: ${fields.title}\nentry_type: pattern\ntags: [${fields.tags.join(', ')}]\n`;
  return {
    category: 'patterns',
    content,
    document: (version) => `---\n${head}version: ${version}\n---\n${content}`,
    content_hash: createHash('sha256').update(`${head}${content}`).digest('hex'),
    relationships: [],
    author: 'alice',
    ...more,
    fields,
  };
}
