import { readFileSync } from 'node:fs';
import type { Passage } from '../src/search';

/** Passages and questions with the passages that answer them. */
export interface RetrievalSet {
  passages: Passage[];
  questions: { text: string; relevant: Set<string> }[];
}

/**
 * Reads a set from two JSON files, in one of two shapes:
 * - `[{uri, title, headings?, keywords?, body}]` and `[{text, relevant: [uri]}]`;
 * - `[{chunk_link, chunk_heading, text}]` and `[{question, correct_chunks: [chunk_link]}]`. Sections with one link are
 *   joined; the last part of the link's path is taken for the title of the page, that is for a heading above.
 */
export function readSet(corpusFile: string, queriesFile: string): RetrievalSet {
  const passages = joined(rowsOf(corpusFile).map((row, index) => passageOf(row, `${corpusFile}[${index}]`)));
  const questions = rowsOf(queriesFile).map((row, index) => questionOf(row, `${queriesFile}[${index}]`));
  const known = new Set(passages.map(({ uri }) => uri));
  for (const { text, relevant } of questions) {
    for (const uri of relevant) if (!known.has(uri)) throw new Error(`"${text}" asks for ${uri}, which is not there`);
  }
  return { passages, questions };
}

type Row = Record<string, unknown>;

function rowsOf(file: string): Row[] {
  const rows: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(rows)) throw new Error(`${file} does not hold a list`);
  return rows as Row[];
}

function passageOf(row: Row, where: string): Passage {
  const link = row.chunk_link;
  if (typeof link !== 'string') {
    return passage(
      textIn(row, 'uri', where),
      textIn(row, 'title', where),
      listIn(row, 'headings', where),
      listIn(row, 'keywords', where),
      textIn(row, 'body', where),
    );
  }
  const title = textIn(row, 'chunk_heading', where);
  const text = textIn(row, 'text', where).trimStart();
  // The text begins with its heading, which is the title already.
  return passage(link, title, pageOf(link), [], text.startsWith(title) ? text.slice(title.length) : text);
}

/** `https://host/docs/eval-tool#creating-test-cases` stands on the page `eval tool`. */
function pageOf(link: string): string[] {
  const page = link.replace(/[?#].*$/, '').replace(/\/$/, '');
  const name = page.slice(page.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return name === '' ? [] : [decodeURIComponent(name).replace(/[-_]+/g, ' ')];
}

function passage(uri: string, title: string, headings: string[], keywords: string[], body: string): Passage {
  return { uri, title, headings, keywords, body, facets: { kind: 'node' }, fingerprint: '' };
}

function joined(parts: readonly Passage[]): Passage[] {
  const passages = new Map<string, Passage>();
  for (const part of parts) {
    const before = passages.get(part.uri);
    if (!before) passages.set(part.uri, part);
    else {
      const title = before.title === part.title ? before.title : `${before.title} ${part.title}`;
      passages.set(part.uri, { ...before, title, body: `${before.body}\n\n${part.body}` });
    }
  }
  return [...passages.values()];
}

function questionOf(row: Row, where: string): RetrievalSet['questions'][number] {
  const foreign = 'question' in row;
  return {
    text: textIn(row, foreign ? 'question' : 'text', where),
    relevant: new Set(listIn(row, foreign ? 'correct_chunks' : 'relevant', where)),
  };
}

function textIn(row: Row, key: string, where: string): string {
  const value = row[key];
  if (typeof value !== 'string') throw new Error(`${where}: ${key} is no text`);
  return value;
}

function listIn(row: Row, key: string, where: string): string[] {
  const value = row[key] ?? [];
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string')) {
    throw new Error(`${where}: ${key} is no list of texts`);
  }
  return value as string[];
}
