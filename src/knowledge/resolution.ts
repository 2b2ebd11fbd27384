import { compareText } from '../core/text';
import { type EffectiveIndex, readEffective } from './effective';
import type { CategoryListing, EffectiveEntry, EntryKey, Page, ResolvedEntry, Scope, Standing, Tier } from './model';
import { entriesTopic, namesTopic } from './schema';
import type { Scopes } from './scopes';
import { type Stores, storeOf } from './stores';
import { effectiveIn, type Found, inEffect, placeOf, winner } from './winner';

/** A category as it is put together from the scopes of a chain. */
interface Merged {
  /** The most specific tier that holds the category itself. */
  tier?: Tier;
  /** The most specific tier that holds something below it. */
  below?: Tier;
  description?: string;
  entries: boolean;
  children: Set<string>;
}

/** What has been answered for one scope since anything in its chain last changed. */
interface Answers {
  /** The very chain that they hold for: another one is made whenever a scope is redefined. */
  chain: readonly Scope[];
  /** Versions of the chain's names and of its entries that the lists and the entries below belong to. */
  names: number;
  entries: number;
  categories: CategoryListing[] | undefined;
  keywords: Map<string, string[]>;
  effective: EffectiveIndex | undefined;
  found: Map<string, Found[]>;
}

/** Beyond this many remembered keywords of one scope, remembering starts over with those asked for: it bounds the memory. */
const REMEMBERED_KEYWORDS = 20_000;

/**
 * The three steps of retrieval (seed 000, "Knowledge Retrieval Operations"), with inheritance resolved: PROJECT before
 * GROUP before PRODUCT before GENERAL, groups by name.
 *
 * Answers are remembered for each scope until something in its chain changes, here or in another process. The results
 * are shared with later callers: they are not to be changed.
 */
export class Resolution {
  private readonly remembered = new Map<string, Answers>();

  constructor(
    private readonly stores: Stores,
    private readonly scopes: Scopes,
  ) {}

  /** Every category of the chain and every ancestor of one, sorted by name. */
  categories(scopeId: string): CategoryListing[] {
    const answers = this.answers(scopeId);
    answers.categories ??= this.findCategories(answers.chain);
    return answers.categories;
  }

  /** For each category its keywords and those of everything below it, over the whole chain, sorted. */
  keywords(scopeId: string, categories: readonly string[]): Record<string, string[]> {
    const answers = this.answers(scopeId);
    return Object.fromEntries(categories.map((category) => [category, this.keywordsOf(category, answers)]));
  }

  /**
   * The entry that answers for each keyword, in their order and each once; `categories` narrows the search to these and what
   * is below them.
   */
  entries(scopeId: string, keywords: readonly string[], categories?: readonly string[]): ResolvedEntry[] {
    const answers = this.answers(scopeId);
    const wanted = [...new Set(keywords)];
    this.lookUp(wanted, answers);
    return wanted.flatMap((keyword) => winner(keyword, answers.found.get(keyword) ?? [], categories) ?? []);
  }

  /** Keywords of the chain whose entry, in one scope or another, carries a risk. */
  keywordsWithRisk(scopeId: string): string[] {
    const keywords = this.overChain<{ keyword: string }>(
      this.scopes.chain(scopeId),
      (slots) => `SELECT DISTINCT keyword FROM entry WHERE risks > 0 AND scope_id IN (${slots})`,
    ).map(({ keyword }) => keyword);
    return [...new Set(keywords)].sort(compareText);
  }

  /** The entries in effect for these keywords, each keyword once and its entries by category. */
  inEffect(scopeId: string, keywords: readonly string[]): ResolvedEntry[] {
    const answers = this.answers(scopeId);
    const wanted = [...new Set(keywords)];
    this.lookUp(wanted, answers);
    return wanted.flatMap((keyword) => inEffect(keyword, answers.found.get(keyword) ?? []));
  }

  /** Categories of the entries that are in effect along the chain, with their number, sorted. */
  effectiveCategories(scopeId: string): { category: string; entries: number }[] {
    return [...this.effective(this.answers(scopeId))].map(([category, keywords]) => ({
      category,
      entries: keywords.length,
    }));
  }

  /** The entries that are in effect along the chain and stand in exactly this category. */
  effectiveEntries(scopeId: string, category: string, page?: Page): EffectiveEntry[] {
    const answers = this.answers(scopeId);
    const all = this.effective(answers).get(category) ?? [];
    const keywords = page ? all.slice(page.offset, page.offset + page.limit) : all;
    this.lookUp(keywords, answers);
    return keywords.flatMap((keyword) => effectiveIn(category, keyword, answers.found.get(keyword) ?? []) ?? []);
  }

  /** Where the keyword stands beside `key`, over the chain of `viewpoint`, which holds the scope of `key`. */
  standing(key: EntryKey, viewpoint: string): Standing {
    const answers = this.answers(viewpoint);
    this.lookUp([key.keyword], answers);
    const rank = new Map(answers.chain.map(({ id }, index) => [id, index]));
    const own = rank.get(key.scope_id)!;
    const standing: Standing = { overrides: [], overridden_by: [], beside: [] };
    for (const other of answers.found.get(key.keyword) ?? []) {
      const place = placeOf(key.keyword)(other);
      const order = rank.get(other.scope.id)! - own;
      if (order > 0) standing.overrides.push(place);
      else if (order < 0) standing.overridden_by.unshift(place);
      else if (other.category !== key.category) standing.beside.push(place);
    }
    return standing;
  }

  private effective(answers: Answers): EffectiveIndex {
    answers.effective ??= readEffective(this.stores, answers.chain);
    return answers.effective;
  }

  /** What is remembered for the scope and still holds: a changed text leaves the lists of names as they are. */
  private answers(scopeId: string): Answers {
    const chain = this.scopes.chain(scopeId);
    const workspace = this.stores.workspace.read();
    const shared = this.stores.shared.read();
    let names = 0;
    let entries = 0;
    for (const { id, tier } of chain) {
      const store = tier === 'PROJECT' ? workspace : shared;
      names += store.versionOf(namesTopic(id));
      entries += store.versionOf(entriesTopic(id));
    }
    // Versions only ever grow, so the sum over one chain changes whenever one of them does.
    let answers = this.remembered.get(scopeId);
    if (answers?.chain !== chain) {
      answers = {
        chain,
        names: -1,
        entries: -1,
        categories: undefined,
        keywords: new Map(),
        effective: undefined,
        found: new Map(),
      };
      this.remembered.set(scopeId, answers);
    }
    if (answers.names !== names) {
      answers.names = names;
      answers.categories = undefined;
      answers.keywords.clear();
      answers.effective = undefined;
    }
    if (answers.entries !== entries) {
      answers.entries = entries;
      answers.found.clear();
    }
    return answers;
  }

  private keywordsOf(category: string, { chain, keywords }: Answers): string[] {
    const known = keywords.get(category);
    if (known) return known;
    const found = this.findKeywords(chain, category);
    // Only what exists is remembered: guesses would fill the memory.
    if (found.length > 0) keywords.set(category, found);
    return found;
  }

  /** Remembers what the chain holds for these keywords: one question to each store, however many are new. */
  private lookUp(keywords: readonly string[], { chain, found }: Answers): void {
    let unknown = keywords.filter((keyword) => !found.has(keyword));
    if (unknown.length === 0) return;
    if (found.size + unknown.length > REMEMBERED_KEYWORDS) {
      found.clear();
      unknown = [...keywords];
    }
    for (const { keyword, ...entry } of this.find(chain, unknown)) {
      const others = found.get(keyword);
      if (others) others.push(entry);
      else found.set(keyword, [entry]);
    }
  }

  private findCategories(chain: readonly Scope[]): CategoryListing[] {
    const rank = new Map(chain.map(({ id }, index) => [id, index]));
    const rows = this.overChain<{ scope_id: string; name: string; description: string | null; entries: number }>(
      chain,
      (slots) => `SELECT scope_id, name, description, entries FROM category WHERE scope_id IN (${slots})`,
    ).sort((a, b) => rank.get(a.scope_id)! - rank.get(b.scope_id)!);
    const merged = new Map<string, Merged>();
    const at = (name: string) => {
      let category = merged.get(name);
      if (!category) {
        category = { entries: false, children: new Set() };
        merged.set(name, category);
      }
      return category;
    };
    for (const row of rows) {
      const tier = chain[rank.get(row.scope_id)!]!.tier;
      const category = at(row.name);
      category.tier ??= tier;
      if (row.description !== null) category.description ??= row.description;
      category.entries ||= row.entries > 0;
      for (let dot = row.name.lastIndexOf('.'), child = row.name; dot > 0; dot = child.lastIndexOf('.')) {
        const parent = at(child.slice(0, dot));
        parent.children.add(child.slice(dot + 1));
        parent.below ??= tier;
        child = child.slice(0, dot);
      }
    }
    return [...merged]
      .sort(([a], [b]) => compareText(a, b))
      .map(([name, { tier, below, description, entries, children }]) => ({
        name,
        subcategories: [...children].sort(compareText),
        has_entries: entries,
        tier: (tier ?? below)!,
        ...(description === undefined ? {} : { description }),
      }));
  }

  private findKeywords(chain: readonly Scope[], category: string): string[] {
    // Everything below "git" sorts from "git." up to, but not including, "git/".
    const rows = this.overChain<{ keyword: string }>(
      chain,
      (slots) =>
        `SELECT DISTINCT e.keyword FROM category c JOIN entry e ON e.category_id = c.id
         WHERE c.scope_id IN (${slots}) AND (c.name = ? OR (c.name >= ? AND c.name < ?))`,
      [category, `${category}.`, `${category}/`],
    );
    return [...new Set(rows.map(({ keyword }) => keyword))].sort(compareText);
  }

  /** Everything that the chain holds for the keywords, the most specific scope first, its categories by name. */
  private find(chain: readonly Scope[], keywords: readonly string[]): (Found & { keyword: string })[] {
    const rank = new Map(chain.map(({ id }, index) => [id, index]));
    return this.overChain<{
      scope_id: string;
      category: string;
      keyword: string;
      content: string;
      metaknowledge: string;
    }>(
      chain,
      (slots) =>
        `SELECT e.scope_id, c.name AS category, e.keyword, e.content, e.metaknowledge
         FROM entry e JOIN category c ON c.id = e.category_id
         WHERE e.scope_id IN (${slots}) AND e.keyword IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(keywords)],
    )
      .sort((a, b) => rank.get(a.scope_id)! - rank.get(b.scope_id)! || compareText(a.category, b.category))
      .map(({ scope_id, ...row }) => ({ scope: chain[rank.get(scope_id)!]!, ...row }));
  }

  /** Asks each store for the part of the chain that lives in it. */
  private overChain<T>(chain: readonly Scope[], sql: (slots: string) => string, parameters: string[] = []): T[] {
    const { workspace, shared } = this.stores;
    const stores = workspace === shared ? [shared] : [workspace, shared];
    return stores.flatMap((store) => {
      const ids = chain.filter(({ tier }) => storeOf(this.stores, tier) === store).map(({ id }) => id);
      if (ids.length === 0) return [];
      return store.read().all<T>(sql(ids.map(() => '?').join(', ')), [...ids, ...parameters]);
    });
  }
}
