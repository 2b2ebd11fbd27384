import assert from 'node:assert/strict';
import type { Tier } from '../../src/knowledge';
import { type Hall, seededRandom, useHalls } from '../support/hall';

interface ScopeModel {
  id: string;
  tier: Tier;
  name: string;
  parents: string[];
}

interface EntryModel {
  scope: string;
  category: string;
  keyword: string;
  content: string;
}

interface World {
  scopes: ScopeModel[];
  entries: EntryModel[];
}

/** Seed 000's "Inheritance Resolution" as it is written, without a thought for speed. */
class Reference {
  constructor(private readonly world: World) {}

  getKnowledge(scopeId: string, keyword: string, categories?: string[]) {
    const order = this.order(scopeId);
    const candidates = this.world.entries
      .filter((entry) => entry.keyword === keyword && order.includes(entry.scope))
      .filter(({ category }) => !categories || categories.some((each) => this.isIn(category, each)));
    const winningScope = order.find((id) => candidates.some(({ scope }) => scope === id));
    const [winner, ...others] = candidates
      .filter(({ scope }) => scope === winningScope)
      .sort((a, b) => (a.category < b.category ? -1 : 1));
    if (!winner) return undefined;
    return { ...winner, also_in: others.map(({ category }) => category) };
  }

  getKeywords(scopeId: string, category: string): string[] {
    const order = this.order(scopeId);
    const found = this.world.entries.filter(
      (entry) => order.includes(entry.scope) && this.isIn(entry.category, category),
    );
    return [...new Set(found.map(({ keyword }) => keyword))].sort();
  }

  getCategories(scopeId: string) {
    const order = this.order(scopeId);
    const entries = this.world.entries.filter(({ scope }) => order.includes(scope));
    const names = new Set(entries.flatMap(({ category }) => this.ancestors(category)));
    return [...names].sort().map((name) => {
      const own = entries.filter(({ category }) => category === name);
      const defining = own.length > 0 ? own : entries.filter(({ category }) => this.isIn(category, name));
      const first = order.find((id) => defining.some(({ scope }) => scope === id));
      const depth = name.split('.').length;
      const children = [...names].filter(
        (other) => other.startsWith(`${name}.`) && other.split('.').length === depth + 1,
      );
      return {
        name,
        subcategories: children.map((child) => child.slice(name.length + 1)).sort(),
        has_entries: own.length > 0,
        tier: this.scope(first!).tier,
      };
    });
  }

  /** The scope and all it inherits from, by tier, groups by name and then id. */
  private order(scopeId: string): string[] {
    const reached = new Set<string>();
    const trace = (id: string) => {
      reached.add(id);
      for (const parent of this.scope(id).parents) trace(parent);
    };
    trace(scopeId);
    for (const { id, tier } of this.world.scopes) if (tier === 'GENERAL') reached.add(id);
    return (['PROJECT', 'GROUP', 'PRODUCT', 'GENERAL'] as Tier[]).flatMap((tier) =>
      [...reached]
        .filter((id) => this.scope(id).tier === tier)
        .sort((a, b) => {
          const [left, right] = [this.scope(a).name, this.scope(b).name];
          return left < right ? -1 : left > right ? 1 : a < b ? -1 : 1;
        }),
    );
  }

  private scope(id: string): ScopeModel {
    return this.world.scopes.find((scope) => scope.id === id)!;
  }

  private isIn(category: string, ancestor: string): boolean {
    return this.ancestors(category).includes(ancestor);
  }

  private ancestors(category: string): string[] {
    const parts = category.split('.');
    return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
  }
}

const CATEGORIES = ['a', 'a.b', 'a.b.c', 'a-b', 'ab', 'A', 'd.e', 'd', 'é.z'];
const KEYWORDS = ['commit', 'push', 'Push', 'tokens', 'ä'];
const NAMES = ['alpha', 'beta', 'Beta', 'ähre', 'same', 'same'];

function randomWorld(random: () => number): World {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const some = <T>(items: readonly T[]): T[] => items.filter(() => random() < 0.5);
  const named = (id: string, tier: Tier, parents: string[]) => ({ id, tier, name: pick(NAMES), parents });
  const general = random() < 0.8 ? [named('general', 'GENERAL', [])] : [];
  const naming = () => (general.length > 0 && random() < 0.3 ? ['general'] : []);
  const products = ['p1', 'p2'].map((id) => named(id, 'PRODUCT', naming()));
  const groups = ['g1', 'g2', 'g3', 'g4', 'g5'].map((id) => {
    const product = pick(['p1', 'p2', undefined]);
    return named(id, 'GROUP', [...(product ? [product] : []), ...naming()]);
  });
  const projects = ['x', 'y'].map((id) => {
    const product = pick(['p1', 'p2']);
    const other = product === 'p1' ? 'p2' : 'p1';
    const possible = groups.filter(({ parents }) => !parents.includes(other)).map((group) => group.id);
    return named(id, 'PROJECT', [...some(possible), ...(random() < 0.5 ? [product] : []), ...naming()]);
  });
  const scopes = [...general, ...products, ...groups, ...projects];
  const entries: EntryModel[] = [];
  for (const { id } of scopes) {
    for (const category of some(CATEGORIES)) {
      for (const keyword of some(KEYWORDS)) {
        entries.push({ scope: id, category, keyword, content: `${id}/${category}/${keyword}` });
      }
    }
  }
  return { scopes, entries };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Scopes without their parents first, so that any order will do; then as they are to be, then the entries. */
async function build(hall: Hall, { scopes, entries }: World, random: () => number): Promise<void> {
  for (const { id, tier } of shuffled(scopes, random)) await hall.define(id, tier);
  for (const { id, tier, name, parents } of shuffled(scopes, random)) {
    await hall.define(id, tier, shuffled(parents, random), name);
  }
  for (const { scope, category, keyword, content } of shuffled(entries, random)) {
    await hall.put(scope, category, keyword, content);
  }
}

function check(hall: Hall, world: World): void {
  const reference = new Reference(world);
  for (const { id } of world.scopes) {
    assert.deepEqual(hall.knowledge.getCategories(id), reference.getCategories(id));
    const keywords = hall.knowledge.getKeywords(id, [...CATEGORIES, 'd.x', 'é']);
    for (const [category, answer] of Object.entries(keywords)) {
      assert.deepEqual(answer, reference.getKeywords(id, category), `${id} ${category}`);
    }
    for (const categories of [undefined, ['a'], ['a.b', 'd'], ['ab', 'A', 'é']]) {
      for (const keyword of KEYWORDS) {
        const [answer] = hall.knowledge.getKnowledge(id, [keyword], categories);
        const expected = reference.getKnowledge(id, keyword, categories);
        const told = answer && {
          scope: answer.source_scope,
          category: answer.category,
          keyword: answer.keyword,
          content: answer.content,
          also_in: answer.also_in ?? [],
        };
        assert.deepEqual(told, expected, `${id} ${keyword} ${categories}`);
        if (answer)
          assert.equal(answer.source_tier, world.scopes.find((each) => each.id === answer.source_scope)?.tier);
      }
    }
  }
}

describe('inheritance', () => {
  const open = useHalls();

  for (let seed = 1; seed <= 12; seed++) {
    it(`answers as the seed says, in whatever order things were defined (world ${seed})`, async () => {
      const world = randomWorld(seededRandom(seed));
      const hall = await open();
      await build(hall, world, seededRandom(seed * 1_000));
      check(hall, world);
      if (seed % 4 > 0) return;
      const another = await open();
      await build(another, world, seededRandom(seed * 2_000));
      check(another, world);
    }).timeout(60_000);
  }

  it('answers the same with both stores in one directory', async () => {
    const hall = await open();
    const together = await open({ data: hall.data, shared: hall.data });
    const world = randomWorld(seededRandom(99));
    await build(together, world, seededRandom(100));
    check(together, world);
  });

  it('answers as the seed says after each of many changes, with what was remembered before', async () => {
    const random = seededRandom(7);
    const world = randomWorld(random);
    const hall = await open();
    await build(hall, world, random);
    for (let step = 0; step < 60; step++) {
      check(hall, world);
      if (random() < 0.3) {
        const group = world.scopes.filter(({ tier }) => tier === 'GROUP' || tier === 'PROJECT')[
          Math.floor(random() * 7)
        ]!;
        group.name = NAMES[Math.floor(random() * NAMES.length)]!;
        if (group.tier === 'PROJECT') group.parents = group.parents.slice(1);
        await hall.define(group.id, group.tier, group.parents, group.name);
      } else {
        const index = Math.floor(random() * world.entries.length);
        const [entry] = world.entries.splice(index, 1);
        const { scope: scope_id, category, keyword } = entry!;
        await hall.knowledge.delete({ scope_id, category, keyword }, { author: 'tester' });
        if (random() < 0.5) {
          world.entries.push({ ...entry!, content: `changed in step ${step}` });
          await hall.put(scope_id, category, keyword, `changed in step ${step}`);
        }
      }
    }
  }).timeout(60_000);
});
