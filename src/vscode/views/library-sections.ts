import type { KnowledgeChunk } from '../../library';

/** A section of a document as its chunks tell it. */
export interface LibrarySection {
  /** Those of all sections above it and its own, as the chunks have them. */
  path: readonly string[];
  title: string;
  /** The chunk that it begins with. */
  chunk: string;
  /** Pages that it and the sections below it lie on, ascending; empty where the source has none. */
  pages: readonly number[];
  /** In its own text and in that of the sections below it. */
  chunks: number;
  sections: readonly LibrarySection[];
}

interface Growing extends LibrarySection {
  pages: number[];
  sections: Growing[];
  chunks: number;
  title: string;
}

type Located = Pick<KnowledgeChunk, 'id' | 'section_hierarchy' | 'section_title' | 'page_numbers'>;

/**
 * The sections of a document, in the order of its text. A number in a hierarchy gets the title that a chunk of that
 * section says; text before the first heading belongs to no section and has no line.
 */
export function sectionsOf(chunks: readonly Located[]): LibrarySection[] {
  const roots: Growing[] = [];
  for (const { id, section_hierarchy, section_title, page_numbers } of chunks) {
    let siblings = roots;
    for (const [depth, name] of section_hierarchy.entries()) {
      const isOwn = depth === section_hierarchy.length - 1;
      // Two sections of one name are one only where they follow each other.
      let section = siblings.at(-1);
      if (section?.path.at(-1) !== name) {
        section = {
          path: section_hierarchy.slice(0, depth + 1),
          title: name,
          chunk: id,
          pages: [],
          chunks: 0,
          sections: [],
        };
        siblings.push(section);
      }
      if (isOwn && section.title === name) section.title = titleOf(name, section_title);
      section.chunks += 1;
      for (const page of page_numbers) if (page > (section.pages.at(-1) ?? 0)) section.pages.push(page);
      siblings = section.sections;
    }
  }
  return roots;
}

/** `6.4.7` and `Verification` are `6.4.7 Verification`. */
function titleOf(name: string, title: string): string {
  const said = title.trim();
  if (said === '' || said === name) return name;
  return said.startsWith(name) ? said : /^[\p{N}\p{L}]{1,3}([.-]\p{N}+)*\.?$/u.test(name) ? `${name} ${said}` : said;
}
