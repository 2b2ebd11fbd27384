import { parseMetaknowledge } from './entries';
import type { EffectiveEntry, EntryPlace, ResolvedEntry, Scope } from './model';
import { gravity, parseRisks } from './risk';

/** An entry as found in one scope of a chain, its metaknowledge and risks read when first needed. */
export interface Found {
  scope: Scope;
  category: string;
  content: string;
  metaknowledge: string;
  resolved?: ResolvedEntry;
}

/**
 * The one entry that answers for the keyword. `found` is what the chain holds for it, the most specific scope first and
 * the categories of one scope by name; `categories` narrows it to these and what is below them. Of several categories
 * the one with the gravest risk answers: whoever stores the keyword once more elsewhere hides no warning.
 */
export function winner(
  keyword: string,
  found: readonly Found[],
  categories?: readonly string[],
): ResolvedEntry | undefined {
  const beside = mostSpecific(categories ? found.filter(({ category }) => isWithin(category, categories)) : found);
  const [first, ...others] = beside;
  if (!first) return undefined;
  // What is remembered is given as it is: nearly every keyword stands in one category.
  if (others.length === 0) return resolvedOf(keyword, first);
  const graver = (a: Found, b: Found) =>
    gravity(resolvedOf(keyword, b).risks) < gravity(resolvedOf(keyword, a).risks) ? b : a;
  const answer = others.reduce(graver, first);
  const otherRisks = beside.flatMap((each) =>
    each === answer
      ? []
      : resolvedOf(keyword, each).risks.map(({ level, text }) => ({ category: each.category, level, text })),
  );
  return { ...besideOthers(keyword, answer, beside), ...(otherRisks.length > 0 ? { other_risks: otherRisks } : {}) };
}

/** The entries that are in effect for the keyword: all of the most specific scope that holds it. `found` as above. */
export function inEffect(keyword: string, found: readonly Found[]): ResolvedEntry[] {
  return mostSpecific(found).map((each) => resolvedOf(keyword, each));
}

/** The one of them in this category, with what stands beside it and what it overrides. */
export function effectiveIn(category: string, keyword: string, found: readonly Found[]): EffectiveEntry | undefined {
  const beside = mostSpecific(found);
  const entry = beside.find((each) => each.category === category);
  const overrides = () => found.slice(beside.length).map(placeOf(keyword));
  return entry && { ...besideOthers(keyword, entry, beside), overrides: overrides() };
}

function mostSpecific(found: readonly Found[]): readonly Found[] {
  const end = found.findIndex(({ scope }) => scope !== found[0]!.scope);
  return end < 0 ? found : found.slice(0, end);
}

function besideOthers(keyword: string, found: Found, beside: readonly Found[]): ResolvedEntry {
  const entry = resolvedOf(keyword, found);
  const others = beside.filter((other) => other !== found);
  return others.length === 0 ? entry : { ...entry, also_in: others.map(({ category }) => category) };
}

function resolvedOf(keyword: string, found: Found): ResolvedEntry {
  found.resolved ??= resolved(keyword, found);
  return found.resolved;
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
