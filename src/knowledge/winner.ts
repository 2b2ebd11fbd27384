import { parseMetaknowledge } from './entries';
import type { EntryPlace, ResolvedEntry, Scope } from './model';
import { parseRisks } from './risk';

/** An entry as found in one scope of a chain, its metaknowledge and risks read when first needed. */
export interface Found {
  scope: Scope;
  category: string;
  content: string;
  metaknowledge: string;
  resolved?: ResolvedEntry;
}

/**
 * The entry that holds for the keyword. `found` is what the chain holds for it, the most specific scope first and the
 * categories of one scope by name; `categories` narrows it to these and what is below them.
 */
export function winner(
  keyword: string,
  found: readonly Found[],
  categories?: readonly string[],
): ResolvedEntry | undefined {
  const candidates = categories ? found.filter(({ category }) => isWithin(category, categories)) : found;
  const [first] = candidates;
  if (!first) return undefined;
  first.resolved ??= resolved(keyword, first);
  const alsoIn = candidates.filter((other) => other !== first && other.scope === first.scope);
  return alsoIn.length === 0 ? first.resolved : { ...first.resolved, also_in: alsoIn.map(({ category }) => category) };
}

/** Where an entry of the keyword was found. */
export function placeOf(keyword: string): (found: Found) => EntryPlace {
  return ({ scope, category }) => ({ scope_id: scope.id, category, keyword, tier: scope.tier });
}

function isWithin(category: string, wanted: readonly string[]): boolean {
  return wanted.some((each) => category === each || category.startsWith(`${each}.`));
}

function resolved(keyword: string, { scope, category, content, metaknowledge }: Found): ResolvedEntry {
  return {
    keyword,
    content,
    source_tier: scope.tier,
    metaknowledge: parseMetaknowledge(metaknowledge),
    category,
    source_scope: scope.id,
    risks: parseRisks(content),
  };
}
