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

/** How answers name what they give: one for each answer, as bases come and go. */
export class Naming {
  private readonly areSeveral: boolean;

  constructor(readonly bases: BasesPart) {
    this.areSeveral = bases.statuses().length > 1;
  }

  /** What `retrieve` takes: an entry's address, a node's id. */
  idOf(subject: Subject): string {
    return subject.kind === 'entry' ? subject.uri : this.bases.publicId(subject.node);
  }

  /** Where it stands, for a reader: `shop/git.workflows/branch-naming`, `SECURITY.md#authentication`. */
  pathOf(subject: Subject): string {
    if (subject.kind === 'entry') {
      const { source_scope, category, keyword } = subject.entry;
      return [source_scope, category, keyword].join('/');
    }
    const { base, path } = subject.node;
    return this.areSeveral ? `${base}/${path}` : path;
  }

  /** Titles above it, outermost first. */
  headingsAbove(subject: Subject): string[] {
    if (subject.kind === 'entry') return subject.entry.category.split('.');
    const { base, file, parent_id } = subject.node;
    if (parent_id === null) return [];
    const nodes = new Map(this.bases.file(base, file)?.nodes.map((node) => [node.id, node]));
    const titles: string[] = [];
    let above = nodes.get(parent_id);
    while (above) {
      titles.unshift(above.title);
      above = above.parent_id === null ? undefined : nodes.get(above.parent_id);
    }
    return titles;
  }
}

/** Estimated tokens of what `retrieve` gives for it, without children. */
export function tokensOf(subject: Subject): number {
  return subject.kind === 'entry' ? estimateTokens(subject.entry.content) : subject.node.token_count;
}
