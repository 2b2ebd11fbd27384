import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Passage } from '../../src/search';
import { passage } from './passages';

/** What is asked of the handbook, and the sections that answer it. */
export interface Question {
  text: string;
  relevant: string[];
}

const folder = path.resolve('test/fixtures/retrieval');
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');

/** The sections of a shop's engineering handbook; their uris are their titles, lower case and with hyphens. */
export function handbook(): Passage[] {
  const sections: Passage[] = [];
  for (const chapter of read('handbook.md').split(/^# /m).slice(1)) {
    const [head = '', ...parts] = chapter.split(/^## /m);
    for (const part of parts) {
      const [title = '', ...body] = part.split('\n');
      const uri = title.toLowerCase().replace(/[^a-z]+/g, '-');
      sections.push(passage(uri, { title, headings: [head.trim()], body: body.join('\n').trim() }));
    }
  }
  return sections;
}

/** Short questions, as people ask them. */
export function questions(): Question[] {
  return JSON.parse(read('questions.json')) as Question[];
}

/** Descriptions of work, as agents give them, and questions about nothing in the handbook. */
export function tasks(): { tasks: Question[]; unrelated: string[] } {
  return JSON.parse(read('tasks.json')) as { tasks: Question[]; unrelated: string[] };
}

/** What is asked of the documentation (`passages.ts`), and the files that answer it. */
export function documentationQuestions(): Question[] {
  return JSON.parse(read('documentation-questions.json')) as Question[];
}
