import type { ForeignHead } from '../../frontmatter';

/** The front matter of a text; undefined when it has none. YAML is only loaded for a text that may have some. */
export async function readHead(text: string): Promise<ForeignHead | undefined> {
  if (!text.startsWith('---') && !text.startsWith('\uFEFF---')) return undefined;
  const { readForeignHead } = await import('../../frontmatter');
  return readForeignHead(text);
}
