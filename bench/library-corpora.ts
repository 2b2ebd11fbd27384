import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A source of a corpus, as a file that can be added. */
export interface CorpusFile {
  name: string;
  text: string;
}

/**
 * The pages of a docs-qa set (`anthropic_docs.json`: sections with `chunk_link`, `chunk_heading` and `text`), as one Markdown
 * file a page with its sections as headings. Undefined where the folder has no such set.
 */
export function docsQaPages(folder: string): CorpusFile[] | undefined {
  const file = path.join(folder, 'anthropic_docs.json');
  if (!existsSync(file)) return undefined;
  const rows = JSON.parse(readFileSync(file, 'utf8')) as { chunk_link: string; chunk_heading: string; text: string }[];
  const pages = new Map<string, string[]>();
  for (const { chunk_link, chunk_heading, text } of rows) {
    const link = chunk_link.replace(/[?#].*$/, '').replace(/\/$/, '');
    const name = link.slice(link.indexOf('/en/') + 4);
    const title = name.slice(name.lastIndexOf('/') + 1).replace(/-/g, ' ');
    const page = pages.get(name) ?? [`# ${title}`];
    pages.set(name, page);
    // The text begins with its heading.
    const body = text.trimStart();
    page.push(
      `## ${chunk_heading}\n\n${body.startsWith(chunk_heading) ? body.slice(chunk_heading.length).trimStart() : body}`,
    );
  }
  return [...pages].map(([name, parts]) => ({ name: `${name.replace(/\//g, '_')}.md`, text: parts.join('\n\n') }));
}

/** The Markdown files below a folder, sorted. Undefined where there is no such folder. */
export function markdownBelow(folder: string): CorpusFile[] | undefined {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(md|mdc|markdown)$/.test(name))
    .sort()
    .map((name) => ({ name: name.replaceAll(path.sep, '_'), text: readFileSync(path.join(folder, name), 'utf8') }));
}
