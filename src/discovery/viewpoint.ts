import { isKaizenError } from '../core/errors';
import { entryUri, parseEntryUri } from '../core/knowledge-uri';
import type { KnowledgePart, ResolvedEntry } from '../knowledge';

/** Which entries hold for the current project; without one, those of the GENERAL scope. */
export class Viewpoint {
  constructor(
    private readonly knowledge: KnowledgePart,
    private readonly project: string | undefined,
  ) {}

  /** The scope from which inheritance is looked at; undefined when there is none. */
  scopeId(): string | undefined {
    if (this.project !== undefined && this.has(this.project)) return this.project;
    return this.knowledge.listScopes().find(({ tier }) => tier === 'GENERAL')?.scope_id;
  }

  /** The scopes whose entries may hold. */
  chain(scopeId: string | undefined): string[] {
    return scopeId === undefined ? [] : this.knowledge.chain(scopeId).map(({ id }) => id);
  }

  /** Of these addresses, those of entries that are in effect: one question to each store. */
  holding(scopeId: string | undefined, uris: readonly string[]): Map<string, ResolvedEntry> {
    const keywords = uris.flatMap((uri) => parseEntryUri(uri)?.keyword ?? []);
    if (scopeId === undefined || keywords.length === 0) return new Map();
    const wanted = new Set(uris);
    const inEffect = this.knowledge.effectiveFor(scopeId, keywords).map((entry) => [uriOf(entry), entry] as const);
    return new Map(inEffect.filter(([uri]) => wanted.has(uri)));
  }

  /** Of these addresses, those of entries as they are stored, whether or not they are in effect: one question to each store. */
  stored(uris: readonly string[]): Map<string, ResolvedEntry> {
    const keys = uris.flatMap((uri) => parseEntryUri(uri) ?? []);
    if (keys.length === 0) return new Map();
    const entries = this.knowledge.entriesAt(keys).map((entry): [string, ResolvedEntry] => {
      const { scope_id: source_scope, tier: source_tier, keyword, category, content, metaknowledge, risks } = entry;
      return [entryUri(entry), { keyword, category, content, metaknowledge, risks, source_scope, source_tier }];
    });
    return new Map(entries);
  }

  private has(scopeId: string): boolean {
    try {
      return this.knowledge.scope(scopeId) !== undefined;
    } catch (error) {
      if (isKaizenError(error) && error.code === 'unknown_scope') return false;
      throw error;
    }
  }
}

function uriOf({ source_scope: scope_id, category, keyword }: ResolvedEntry): string {
  return entryUri({ scope_id, category, keyword });
}
