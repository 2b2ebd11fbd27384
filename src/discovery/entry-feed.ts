import { isKaizenError } from '../core/errors';
import { entryUri } from '../core/knowledge-uri';
import type { Turns } from '../core/turns';
import type { EntryKey, KnowledgePart } from '../knowledge';
import type { Passage, Passages } from '../search';
import { entryFingerprint, entryPassage } from './entry-passages';
import { KeywordTally } from './keyword-tally';
import { entriesSource } from './sources';

/** Entries that are read in one go, within a turn. */
const AT_ONCE = 200;

/** Keeps the passages of entries as the stores have them. */
export class EntryFeed {
  /** Keywords of what is indexed. */
  readonly tally = new KeywordTally();

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
      this.tally.forget(scopeId);
      await this.passages.drop(source);
      return;
    }
    await this.passages.restore(source);
    const needsAll = this.passages.needsTexts(source);
    const segment = this.passages.segment(source);
    const uris = new Set<string>();
    const keywords: string[] = [];
    let last: EntryKey | undefined;
    do {
      const page = this.page(scopeId, last);
      const changed: Passage[] = [];
      for (const entry of page) {
        const uri = entryUri(entry);
        uris.add(uri);
        keywords.push(entry.keyword);
        if (needsAll || segment.fingerprint(uri) !== entryFingerprint(entry)) changed.push(entryPassage(entry));
      }
      last = page.at(-1);
      await this.passages.set(source, changed, turns);
      await turns.pause();
    } while (last);
    await this.passages.keepOnly(source, uris, turns);
    this.tally.replace(scopeId, keywords);
    if (needsAll) this.passages.gaveTexts(source);
  }

  async syncEntry(key: EntryKey, turns: Turns): Promise<void> {
    const source = entriesSource(key.scope_id);
    await this.passages.restore(source);
    const entry = this.read(key);
    const uri = entryUri(key);
    const wasThere = this.passages.segment(source).fingerprint(uri) !== undefined;
    if (entry && !wasThere) this.tally.add(key.scope_id, key.keyword);
    if (!entry && wasThere) this.tally.remove(key.scope_id, key.keyword);
    if (entry) await this.passages.set(source, [entryPassage(entry)], turns);
    else this.passages.remove(source, [uri]);
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
