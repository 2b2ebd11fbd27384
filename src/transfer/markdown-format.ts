import { type Sentence, sentence } from '../core/sentence';
import type { FrontMatterFault } from '../frontmatter';

/**
 * Knowledge as a folder of Markdown (docs/import-export.md): `<scope>/<category>/<keyword>.md`, each the document of one
 * entry, and beside them the scopes and what is said about categories, as lines of an export file.
 */

/** The file that makes a folder one of Kaizen's own. */
export const DEFINITIONS_FILE = 'kaizen.jsonl';

export const MARKDOWN = /\.(?:md|markdown)$/i;

/** A file of the folder; its path is relative, with `/` between its parts. */
export interface TextFile {
  path: string;
  text: string;
}

/** Something about a file that a person should know; it does not keep the others from being imported. */
export interface FileNote {
  path: string;
  message: Sentence;
}

/** Names that a file's own name cannot say: a comment, so that no key of the metaknowledge is taken for it. */
export interface WrittenNames {
  category: string;
  keyword: string;
}

const NAMES_COMMENT = /^# kaizen: (\{.*\})\r?$/m;

/** The document with its names in the front matter. */
export function withNames(document: string, names: WrittenNames): string {
  const line = `# kaizen: ${JSON.stringify({ category: names.category, keyword: names.keyword })}`;
  const opening = /^---(\r?\n)/.exec(document);
  return opening
    ? `---${opening[1]}${line}${opening[1]}${document.slice(opening[0].length)}`
    : `---\n${line}\n---\n${document}`;
}

/** The names in the front matter's comment, which is the text of `comment`; undefined when it is another comment. */
export function namesIn(comment: string): WrittenNames | undefined {
  const found = NAMES_COMMENT.exec(comment);
  if (!found) return undefined;
  try {
    const { category, keyword } = JSON.parse(found[1]!) as Partial<WrittenNames>;
    return typeof category === 'string' && typeof keyword === 'string' ? { category, keyword } : undefined;
  } catch {
    return undefined;
  }
}

/** What an entry does not keep as its file has it. */
export function lossOf({ code, detail }: FrontMatterFault): Sentence {
  if (code === 'list') return sentence('The list "{0}" became text with commas.', detail);
  if (code === 'nested') return sentence('The keys below "{0}" became keys with dots.', detail);
  return sentence('A comment in the front matter was left out.');
}
