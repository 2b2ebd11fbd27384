/**
 * How many keywords scopes hold together: as many entries win. Counted as they are indexed, because asking the stores
 * would take a moment for each thousand.
 */
export class KeywordTally {
  /** By scope, in how many categories each keyword stands. */
  private readonly scopes = new Map<string, Map<string, number>>();
  private counted: { scopes: string; keywords: number } | undefined;

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

  /** Different keywords of these scopes. */
  count(scopeIds: readonly string[]): number {
    const scopes = scopeIds.join('\0');
    if (this.counted?.scopes !== scopes) this.counted = { scopes, keywords: this.union(scopeIds) };
    return this.counted.keywords;
  }

  private union(scopeIds: readonly string[]): number {
    const held = scopeIds.flatMap((id) => this.scopes.get(id) ?? []).sort((a, b) => b.size - a.size);
    let sum = 0;
    for (const [index, keywords] of held.entries()) {
      const larger = held.slice(0, index);
      if (larger.length === 0) sum += keywords.size;
      else for (const keyword of keywords.keys()) if (!larger.some((other) => other.has(keyword))) sum++;
    }
    return sum;
  }
}
