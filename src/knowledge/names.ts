import { distance } from 'fastest-levenshtein';
import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { checkText, checkTrimmed } from '../core/text';
import { type EntryKey, type Metaknowledge, TIERS, type Tier } from './model';

/** The limits of issue and seed: what a scope, a category, a keyword and an entry may be called and hold. */
const LIMITS = {
  scopeName: 200,
  scopeDescription: 4_096,
  category: 200,
  keyword: 200,
  content: 65_536,
  metaknowledgePairs: 64,
  metaknowledgeKey: 200,
  metaknowledgeValue: 8_192,
  projectContext: 4_096,
  reason: 8_192,
  author: 200,
} as const;

/** What the parts of a scope, a category and an entry are called in a sentence. */
const NAMES = {
  scopeName: sentence('scope name'),
  scopeDescription: sentence('scope description'),
  category: sentence('category'),
  categoryDescription: sentence('category description'),
  keyword: sentence('keyword'),
  content: sentence('content'),
  metaknowledgeKey: sentence('metaknowledge key'),
  projectContext: sentence('project context'),
  reason: sentence('reason'),
  author: sentence('author'),
};

export function checkScopeId(id: string): string {
  if (!/^[A-Za-z0-9._-]{1,100}$/.test(id) || /^\.+$/.test(id)) {
    throw new KaizenError(
      'invalid_argument',
      sentence('"{0}" is not a scope id.', id.slice(0, 120)),
      sentence('Use 1 to 100 letters, digits, dots, underscores and hyphens.'),
    );
  }
  return id;
}

export function checkTierName(tier: string): Tier {
  const known = TIERS.find((each) => each === tier);
  if (known) return known;
  throw new KaizenError(
    'invalid_argument',
    sentence('"{0}" is not a tier.', tier),
    sentence('Use one of {0}.', TIERS.join(', ')),
  );
}

export function checkScopeName(name: string): string {
  return checkTrimmed(name, { name: NAMES.scopeName, min: 1, max: LIMITS.scopeName, singleLine: true });
}

export function checkScopeDescription(description: string): string {
  return checkText(description, { name: NAMES.scopeDescription, max: LIMITS.scopeDescription });
}

/** A dotted path such as `git.workflows`. */
export function checkCategory(category: string): string {
  const trimmed = checkTrimmed(category, { name: NAMES.category, min: 1, max: LIMITS.category, singleLine: true });
  if (trimmed.split('.').some((segment) => segment.trim() === '')) {
    throw new KaizenError(
      'invalid_argument',
      sentence('The category "{0}" has an empty part.', trimmed),
      sentence('Write sub-categories with single dots, as in git.workflows.'),
    );
  }
  return trimmed;
}

export function checkCategoryDescription(description: string): string {
  return checkText(description, { name: NAMES.categoryDescription, min: 1, max: LIMITS.scopeDescription });
}

export function checkKeyword(keyword: string): string {
  return checkTrimmed(keyword, { name: NAMES.keyword, min: 1, max: LIMITS.keyword, singleLine: true });
}

export function checkKey({ scope_id, category, keyword }: EntryKey): EntryKey {
  return { scope_id: checkScopeId(scope_id), category: checkCategory(category), keyword: checkKeyword(keyword) };
}

export function checkContent(content: string): string {
  return checkText(content, { name: NAMES.content, min: 1, max: LIMITS.content });
}

export function checkMetaknowledge(metaknowledge: Metaknowledge): Metaknowledge {
  const pairs = Object.entries(metaknowledge);
  if (pairs.length > LIMITS.metaknowledgePairs) {
    throw new KaizenError(
      'invalid_argument',
      sentence('The metaknowledge has {0} pairs; the limit is {1}.', pairs.length, LIMITS.metaknowledgePairs),
    );
  }
  for (const [key, value] of pairs) {
    checkText(key, { name: NAMES.metaknowledgeKey, min: 1, max: LIMITS.metaknowledgeKey, singleLine: true });
    checkText(value, { name: sentence('metaknowledge {0}', key), max: LIMITS.metaknowledgeValue });
  }
  return metaknowledge;
}

export function checkProjectContext(context: string): string {
  return checkText(context, { name: NAMES.projectContext, max: LIMITS.projectContext });
}

/** Null stands for "none was given". */
export function checkReason(reason: string | null | undefined): string | null {
  return checkText(reason ?? '', { name: NAMES.reason, max: LIMITS.reason }) || null;
}

export function checkAuthor(author: string): string {
  return checkText(author, { name: NAMES.author, max: LIMITS.author, singleLine: true });
}

/** How many results are wanted. */
export function checkLimit(limit: number, max: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return limit;
  throw new KaizenError('invalid_argument', `The limit ${limit} is not a whole number from 1 to ${max}.`);
}

/** Up to three of the known names that are most like the one that was asked for. */
export function nearest(wanted: string, known: Iterable<string>): string[] {
  const lower = wanted.toLowerCase();
  return [...known]
    .map((name) => {
      const candidate = name.toLowerCase();
      const related =
        Math.min(lower.length, candidate.length) > 2 && (candidate.includes(lower) || lower.includes(candidate));
      const apart = distance(lower, candidate);
      // One in the other comes close, but a slip of the keyboard comes closer.
      return { name, apart: related ? Math.min(apart, 3) : apart, related };
    })
    .filter(
      ({ name, apart, related }) =>
        related || apart <= Math.max(2, Math.ceil(Math.max(name.length, wanted.length) / 2)),
    )
    .sort((a, b) => a.apart - b.apart || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}
