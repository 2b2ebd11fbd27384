import { READING_LIMITS } from '../limits';
import { readEntry, type ZipEntry } from '../zip';
import { PLAIN_NUMBERING, withNumbers } from './numbered-document';
import { Numbering } from './numbering';
import { Styles } from './styles';
import { attributeOf, tagsOf } from './xml';

/** A Word document's parts as mammoth asks for them. */
export interface Parts {
  exists(path: string): boolean;
  read(path: string, encoding?: string): Promise<Uint8Array | string>;
}

/**
 * The parts of an archive, with the numbers of lists and headings written into the document's own part: Word keeps them
 * apart, in the numbering and the styles. Throws `unreadable_source` where a part is damaged.
 */
export function partsOf(bytes: Uint8Array, entries: readonly ZipEntry[], name: string): Parts {
  const byPath = new Map(entries.map((entry) => [entry.name, entry]));
  const read = (path: string): Buffer | undefined => {
    const entry = byPath.get(path);
    return entry && readEntry(bytes, entry, READING_LIMITS.zip.unpacked, name);
  };
  const text = (path: string) => (read(path)?.toString('utf8') ?? '').replace(/^\uFEFF/, '');
  const paths = findPaths(text, (path) => byPath.has(path));
  return {
    exists: (path) => byPath.has(path),
    read: async (path, encoding) => {
      if (path === paths.document) {
        const styles = new Styles(text(paths.styles));
        return withNumbers(text(path), new Numbering(text(paths.numbering), styles), styles);
      }
      if (path === paths.numbering) return PLAIN_NUMBERING;
      const content = read(path);
      if (!content) throw new Error(`There is no part ${path}.`);
      if (encoding === 'base64') return content.toString('base64');
      return encoding ? new TextDecoder(encoding).decode(content) : content;
    },
  };
}

/** As relationships name them (ECMA-376, part 2, 9.3), else where Word puts them. */
function findPaths(
  text: (path: string) => string,
  exists: (path: string) => boolean,
): { document: string; styles: string; numbering: string } {
  const document = targetOf(text('_rels/.rels'), 'officeDocument', '', exists) ?? 'word/document.xml';
  const slash = document.lastIndexOf('/');
  const folder = document.slice(0, slash + 1);
  const related = text(`${folder}_rels/${document.slice(slash + 1)}.rels`);
  return {
    document,
    styles: targetOf(related, 'styles', folder, exists) ?? 'word/styles.xml',
    numbering: targetOf(related, 'numbering', folder, exists) ?? 'word/numbering.xml',
  };
}

function targetOf(
  relationships: string,
  kind: string,
  folder: string,
  exists: (path: string) => boolean,
): string | undefined {
  for (const tag of tagsOf(relationships)) {
    const type = attributeOf(relationships, tag, 'Type');
    const target = attributeOf(relationships, tag, 'Target');
    if (!type?.endsWith(`/relationships/${kind}`) || !target) continue;
    const path = target.startsWith('/') ? target.slice(1) : folder + target;
    if (exists(path)) return path;
  }
  return undefined;
}
