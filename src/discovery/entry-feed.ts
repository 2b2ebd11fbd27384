import { isKaizenError } from '../core/errors';
import { entryUri } from '../core/knowledge-uri';
import type { Turns } from '../core/turns';
import type { EntryKey, KnowledgePart } from '../knowledge';
import type { Passage } from '../search';
import { entryFingerprint, entryPassage } from './entry-passages';
import type { Passages } from './passages';
import { entriesSource } from './sources';

/** Entries that are read in one go, within a turn. */
const AT_ONCE = 200;

/** Keeps the passages of entries as the stores have them. */
export class EntryFeed {
  constructor(
    private readonly knowledge: KnowledgePart,
    private readonly passages: Passages,
  ) {}

  /** Reads what other processes have written: they are told of as any change is, after this turn. */
  look(): void {
    this.knowledge.listScopes();
  }

  /** Ids of all scopes. */
  scopes(): string[] {
    return this.knowledge.listScopes().map(({ scope_id }) => scope_id);
  }

  /** All entries of a scope: those that are as they were cost a look at them, and nothing else. */
  async syncScope(scopeId: string, turns: Turns): Promise<void> {
    const source = entriesSource(scopeId);
    if (!this.exists(scopeId)) {
      await this.passages.drop(source);
      return;
    }
    await this.passages.restore(source);
    const needsAll = this.passages.needsTexts(source);
    const segment = this.passages.segment(source);
    const uris = new Set<string>();
    let last: EntryKey | undefined;
    do {
      const page = this.page(scopeId, last);
      const changed: Passage[] = [];
      for (const entry of page) {
        const uri = entryUri(entry);
        uris.add(uri);
        if (needsAll || segment.fingerprint(uri) !== entryFingerprint(entry)) changed.push(entryPassage(entry));
      }
      last = page.at(-1);
      await this.passages.set(source, changed, turns);
      await turns.pause();
    } while (last);
    await this.passages.keepOnly(source, uris, turns);
    if (needsAll) this.passages.gaveTexts(source);
  }

  async syncEntry(key: EntryKey, turns: Turns): Promise<void> {
    const source = entriesSource(key.scope_id);
    const entry = this.read(key);
    if (entry) await this.passages.set(source, [entryPassage(entry)], turns);
    else this.passages.remove(source, [entryUri(key)]);
  }

  private exists(scopeId: string): boolean {
    return ignoringGone(() => this.knowledge.scope(scopeId)) !== undefined;
  }

  private page(scopeId: string, after: EntryKey | undefined) {
    return ignoringGone(() => this.knowledge.entryTexts(scopeId, after, AT_ONCE)) ?? [];
  }

  private read(key: EntryKey) {
    return ignoringGone(() => this.knowledge.entry(key));
  }
}

/** Undefined when the scope was deleted meanwhile. */
function ignoringGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isKaizenError(error) && error.code === 'unknown_scope') return undefined;
    throw error;
  }
}
