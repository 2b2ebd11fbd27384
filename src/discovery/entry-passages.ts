import { createHash } from 'node:crypto';
import { entryUri } from '../core/knowledge-uri';
import { type EntryText, type Metaknowledge, parseRisks, type RiskLevel } from '../knowledge';
import type { Passage } from '../search';

/** Grows whenever passages are made in another way: what was cached of older ones is then made anew. */
const VERSION = 1;

/** Metaknowledge that is no text for a reader: globs and a regular expression. */
const PATTERNS = new Set(['APPLIES_TO', 'MATCHES']);
const TAGS = /^(tags?|labels?)$/i;
/** Longer values of metaknowledge are prose: they go with the content. */
const LONGEST_KEYWORD = 60;

const LEVELS: readonly RiskLevel[] = ['DANGER', 'WARNING', 'LAST TIME'];

/** The status by which entries with a risk are found (`status:danger`). */
export const RISK_STATUSES = LEVELS.map(riskStatus);

function riskStatus(level: RiskLevel): string {
  return level.toLowerCase().replace(' ', '-');
}

/** Tells whether an entry's passage is still what is stored. */
export function entryFingerprint({ content, metaknowledge }: EntryText): string {
  return createHash('sha1')
    .update(`${VERSION}\0${content}\0${JSON.stringify(metaknowledge)}`)
    .digest('base64url');
}

/** An entry as search knows it: its keyword for a title, its category for headings, its metaknowledge for keywords. */
export function entryPassage(entry: EntryText): Passage {
  const { scope_id, category, keyword, content, metaknowledge } = entry;
  const values = Object.entries(metaknowledge).filter(([key, value]) => !PATTERNS.has(key) && value.trim() !== '');
  const isShort = ([, value]: [string, string]) => value.length <= LONGEST_KEYWORD;
  const prose = values.filter((pair) => !isShort(pair)).map(([, value]) => value);
  const tags = tagsOf(metaknowledge);
  const risks = parseRisks(content).map(({ level }) => level);
  const gravest = LEVELS.find((level) => risks.includes(level));
  return {
    uri: entryUri({ scope_id, category, keyword }),
    title: keyword,
    headings: category.split('.'),
    keywords: [...new Set([...tags, ...values.filter(isShort).map(([, value]) => value)])],
    body: [content, ...prose].join('\n\n'),
    facets: {
      kind: 'entry',
      scope: scope_id,
      space: scope_id,
      type: 'entry',
      path: category.replaceAll('.', '/'),
      ...(tags.length > 0 ? { tags } : {}),
      ...(gravest ? { status: riskStatus(gravest) } : {}),
    },
    fingerprint: entryFingerprint(entry),
  };
}

/** Metaknowledge TAGS, separated by commas or white space. */
function tagsOf(metaknowledge: Metaknowledge): string[] {
  return Object.entries(metaknowledge)
    .filter(([key]) => TAGS.test(key))
    .flatMap(([, value]) => value.split(/[\s,;]+/))
    .filter(Boolean);
}
