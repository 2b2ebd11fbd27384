import { CATEGORY_OF, ENTRY_TYPES, type EntryType } from '../../notes';

/** What a new note of each type begins with, in the language of the format: what is written goes to the whole team. */
const SKELETONS: Readonly<Record<EntryType, string>> = {
  api_fact: '## Fact\n\n\n\n## How it was found out\n\n\n\n## Example\n\n',
  pattern: '## When\n\n\n\n## What to do\n\n\n\n## Why\n\n\n\n## Related\n\n- \n',
  concept: '## In short\n\n\n\n## What it is not\n\n\n\n## Related\n\n- \n',
  learning: '## What happened\n\n\n\n## What we learned\n\n\n\n## What we do now\n\n',
  experiment: '## Question\n\n\n\n## What was tried\n\n\n\n## Result\n\n\n\n## Conclusion\n\n',
  reference: '## Source\n\n\n\n## Summary\n\n\n\n## Worth quoting\n\n> \n',
  template: '## When to use it\n\n\n\n## Steps\n\n1. \n',
  workflow: '## Before\n\n\n\n## Steps\n\n1. \n\n## How to check\n\n',
};

/** The text below the front matter, with the title on top. */
export function skeletonOf(type: EntryType, title: string): string {
  return `# ${title}\n\n${SKELETONS[type]}`;
}

/** A note of the category `templates` as the beginning of another one: `{{title}}` and `{{date}}` are filled in. */
export function filledTemplate(body: string, title: string, now: Date): string {
  const day = `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
  const values: Readonly<Record<string, string>> = { title, date: day };
  const filled = body.replace(/\{\{\s*(title|date)\s*\}\}/g, (_, name: string) => values[name] ?? '');
  // A first heading is the template's own name unless it has a place for the title.
  return filled === body ? filled.replace(/^(\s*#\s).*$/m, (_, mark: string) => mark + title) : filled;
}

/** The type whose folder this is; undefined for a folder of the person's own. */
export function typeOfCategory(category: string | undefined): EntryType | undefined {
  return ENTRY_TYPES.find((type) => CATEGORY_OF[type] === category?.split('/')[0]);
}

const NUMBER = /^(\d{1,6})-/;
const LEAST_DIGITS = 3;
const SLUG_CHARACTERS = 60;

/**
 * The id that is proposed: the number after the highest one that is in use, and the title: `043-spf-records`. A title
 * without letters and digits leaves the number and the type.
 */
export function proposedId(title: string, type: EntryType, ids: Iterable<string>): string {
  let highest = 0;
  for (const id of ids) highest = Math.max(highest, Number(NUMBER.exec(id)?.[1] ?? 0));
  const number = String(highest + 1).padStart(LEAST_DIGITS, '0');
  const words =
    title
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  let slug = '';
  for (const word of words) {
    if (slug.length + word.length >= SLUG_CHARACTERS) break;
    slug += slug === '' ? word : `-${word}`;
  }
  return `${number}-${slug || type.replace('_', '-')}`;
}

function pad(part: number): string {
  return String(part).padStart(2, '0');
}
