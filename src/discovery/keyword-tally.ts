/**
 * How many entries are in effect along a chain. Counted as they are indexed, because asking the stores would take a
 * moment for each thousand.
 */
export class KeywordTally {
  /** By scope, in how many categories each keyword stands. */
  private readonly scopes = new Map<string, Map<string, number>>();
  private counted: { scopes: string; entries: number } | undefined;

  replace(scopeId: string, keywords: Iterable<string>): void {
    this.forget(scopeId);
    for (const keyword of keywords) this.add(scopeId, keyword);
  }

  add(scopeId: string, keyword: string): void {
    const keywords = this.scopes.get(scopeId) ?? new Map<string, number>();
    this.scopes.set(scopeId, keywords);
    keywords.set(keyword, (keywords.get(keyword) ?? 0) + 1);
    this.counted = undefined;
  }

  remove(scopeId: string, keyword: string): void {
    const keywords = this.scopes.get(scopeId);
    const left = (keywords?.get(keyword) ?? 0) - 1;
    if (left > 0) keywords?.set(keyword, left);
    else keywords?.delete(keyword);
    this.counted = undefined;
  }

  forget(scopeId: string): void {
    this.scopes.delete(scopeId);
    this.counted = undefined;
  }

  /** Entries in effect along a chain of scopes, the most specific first: of each keyword those of the first that holds it. */
  count(chain: readonly string[]): number {
    const scopes = chain.join('\0');
    if (this.counted?.scopes !== scopes) this.counted = { scopes, entries: this.inEffect(chain) };
    return this.counted.entries;
  }

  private inEffect(chain: readonly string[]): number {
    const held = chain.flatMap((id) => this.scopes.get(id) ?? []);
    let sum = 0;
    for (const [index, keywords] of held.entries()) {
      const before = held.slice(0, index);
      for (const [keyword, entries] of keywords) if (!before.some((other) => other.has(keyword))) sum += entries;
    }
    return sum;
  }
}
