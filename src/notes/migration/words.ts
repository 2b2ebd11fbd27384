import { CATEGORY_OF, ENTRY_TYPES, type EntryType } from '../vocabulary';

/** What old notes, and their folders, call the eight types; in the singular, words joined by one hyphen. */
const WORDS: Readonly<Record<EntryType, readonly string[]>> = {
  api_fact: ['api', 'api-fact', 'fact', 'endpoint', 'integration', 'service'],
  pattern: ['pattern', 'best-practice', 'practice', 'convention', 'guideline', 'rule', 'anti-pattern', 'antipattern'],
  concept: ['concept', 'idea', 'definition', 'principle', 'theory', 'term', 'glossary'],
  learning: ['learning', 'lesson', 'lesson-learned', 'insight', 'til', 'note', 'postmortem', 'retrospective'],
  experiment: ['experiment', 'trial', 'benchmark', 'spike', 'prototype'],
  reference: ['reference', 'ref', 'doc', 'documentation', 'source', 'link', 'bookmark', 'resource', 'specification'],
  template: ['template', 'boilerplate', 'skeleton', 'snippet'],
  workflow: [
    'workflow',
    'process',
    'procedure',
    'how-to',
    'howto',
    'guide',
    'tutorial',
    'checklist',
    'runbook',
    'playbook',
  ],
};

const TYPE_OF = new Map<string, EntryType>(
  ENTRY_TYPES.flatMap((type) => [type, CATEGORY_OF[type], ...WORDS[type]].map((word) => [keyOf(word), type] as const)),
);

/** The type that a word of an old note stands for, in the singular or the plural; undefined when it tells nothing. */
export function entryTypeOf(word: string): EntryType | undefined {
  const key = keyOf(word);
  const singulars = [
    key,
    key.replace(/s$/, ''),
    key.replace(/es$/, ''),
    key.replace(/ies$/, 'y'),
    key.replace(/s-/, '-'),
  ];
  for (const each of singulars) {
    const type = TYPE_OF.get(each);
    if (type !== undefined) return type;
  }
  return undefined;
}

function keyOf(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-');
}

const SQL_TIME =
  /^(\d{4})[-/](\d\d)[-/](\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:[.,]\d+)?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** A time as ISO 8601 of one that is written otherwise (`2024/05/01`, `2024-05-01 10:30`); undefined when it is none. */
export function isoTimeOf(text: string): string | undefined {
  const [, year, month, day, time, seconds = ':00', zone = 'Z'] = SQL_TIME.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  if (time === undefined) return `${year}-${month}-${day}`;
  const offset = /^(?:Z|UTC)$/i.test(zone)
    ? 'Z'
    : zone.replace(/^([+-]\d\d):?(\d\d)?$/, (_all, hours, minutes = '00') => `${hours}:${minutes}`);
  return `${year}-${month}-${day}T${time}${seconds.replace(',', '.')}${offset}`;
}
