import { createHash } from 'node:crypto';
import type { BaseFile, KnowledgeNode, MetadataValue } from '../bases';
import type { Passage } from '../search';

/** Grows whenever passages are made in another way: what was cached of older ones is then made anew. */
const VERSION = 1;

/** The titles above each node of a file, outermost first, by its id. */
export function headingsOf({ nodes }: BaseFile): Map<string, string[]> {
  const titles = new Map(nodes.map(({ id, title }) => [id, title]));
  const headings = new Map<string, string[]>();
  // Parents stand before their children.
  for (const { id, parent_id } of nodes) {
    const above = parent_id === null ? undefined : headings.get(parent_id);
    headings.set(id, above ? [...above, titles.get(parent_id as string)!] : []);
  }
  return headings;
}

/** Tells whether a node's passage is still what the file says: without its content, which the node has the hash of. */
export function nodeFingerprint(node: KnowledgeNode, headings: readonly string[]): string {
  return createHash('sha1')
    .update(
      [VERSION, node.content_hash, node.title, node.type, node.status, ...node.keywords, '', ...headings].join('\0'),
    )
    .digest('base64url');
}

export function nodePassage(node: KnowledgeNode, headings: readonly string[], content: string): Passage {
  const tags = listOf(node.metadata.tags);
  return {
    uri: node.uri,
    title: node.title,
    headings,
    keywords: node.keywords,
    body: content,
    facets: {
      kind: 'node',
      space: node.base,
      type: node.type,
      status: node.status,
      path: node.file,
      ...(tags.length > 0 ? { tags } : {}),
    },
    fingerprint: nodeFingerprint(node, headings),
  };
}

/** A value of the metadata as a list; one text may be several, separated by commas. */
function listOf(value: MetadataValue | undefined): string[] {
  const texts = typeof value === 'string' ? value.split(',') : (value ?? []);
  return texts.map((text) => text.trim()).filter(Boolean);
}
