import type { BasesPart, KnowledgeNode } from '../bases';
import { entryUri } from '../core/knowledge-uri';
import { estimateTokens } from '../core/tokens';
import type { ResolvedEntry } from '../knowledge';

/** What can be found: an entry or a node. */
export type Subject =
  | { kind: 'entry'; uri: string; entry: ResolvedEntry }
  | { kind: 'node'; uri: string; node: KnowledgeNode };

export function entrySubject(entry: ResolvedEntry): Subject {
  const { source_scope: scope_id, category, keyword } = entry;
  return { kind: 'entry', uri: entryUri({ scope_id, category, keyword }), entry };
}

export function nodeSubject(node: KnowledgeNode): Subject {
  return { kind: 'node', uri: node.uri, node };
}

export function titleOf(subject: Subject): string {
  return subject.kind === 'entry' ? subject.entry.keyword : subject.node.title;
}

export function typeOf(subject: Subject): string {
  return subject.kind === 'entry' ? 'entry' : subject.node.type;
}

/** Estimated tokens of what `retrieve` gives for it, without children. */
export function tokensOf(subject: Subject): number {
  return subject.kind === 'entry' ? estimateTokens(subject.entry.content) : subject.node.token_count;
}

/** What addresses stand for, each looked up once; entries are looked up together. */
export class Subjects {
  private readonly known = new Map<string, Subject | undefined>();

  /** `entries` finds those of the addresses that are entries and may be given. */
  constructor(
    private readonly bases: BasesPart,
    private readonly entries: (uris: readonly string[]) => Map<string, ResolvedEntry>,
  ) {}

  get(uri: string): Subject | undefined {
    return this.all([uri])[0];
  }

  /** In their order; what is not there, or is not to be given, is left out. */
  all(uris: readonly string[]): Subject[] {
    const others: string[] = [];
    for (const uri of uris) {
      if (this.known.has(uri)) continue;
      const node = this.bases.nodeByUri(uri);
      this.known.set(uri, node && nodeSubject(node));
      if (!node) others.push(uri);
    }
    if (others.length > 0) for (const [uri, entry] of this.entries(others)) this.known.set(uri, entrySubject(entry));
    return uris.flatMap((uri) => this.known.get(uri) ?? []);
  }
}
