import type { BasesPart, KnowledgeNode } from '../bases';
import { entryUri } from '../core/knowledge-uri';
import { estimateTokens } from '../core/tokens';
import type { ResolvedEntry } from '../knowledge';
import type { Note } from '../notes';

/** What can be found: an entry, a node or a note. */
export type Subject =
  | { kind: 'entry'; uri: string; entry: ResolvedEntry }
  | { kind: 'node'; uri: string; node: KnowledgeNode }
  | { kind: 'note'; uri: string; note: Note; tokens: number };

export function entrySubject(entry: ResolvedEntry): Subject {
  const { source_scope: scope_id, category, keyword } = entry;
  return { kind: 'entry', uri: entryUri({ scope_id, category, keyword }), entry };
}

export function nodeSubject(node: KnowledgeNode): Subject {
  return { kind: 'node', uri: node.uri, node };
}

/** `tokens`: estimated, of its text. */
export function noteSubject(note: Note, tokens: number): Subject {
  return { kind: 'note', uri: note.uri, note, tokens };
}

export function titleOf(subject: Subject): string {
  switch (subject.kind) {
    case 'entry':
      return subject.entry.keyword;
    case 'node':
      return subject.node.title;
    case 'note':
      return subject.note.title;
  }
}

export function typeOf(subject: Subject): string {
  switch (subject.kind) {
    case 'entry':
      return 'entry';
    case 'node':
      return subject.node.type;
    case 'note':
      return subject.note.entry_type ?? 'note';
  }
}

/** Estimated tokens of what `retrieve` gives for it, without children. */
export function tokensOf(subject: Subject): number {
  switch (subject.kind) {
    case 'entry':
      return estimateTokens(subject.entry.content);
    case 'node':
      return subject.node.token_count;
    case 'note':
      return subject.tokens;
  }
}

/** What is asked of notes. */
export interface NoteLookup {
  subject(uri: string): Subject | undefined;
  /** Whether the node is of a note's file, which is then given as a note alone. */
  standsFor(node: KnowledgeNode): boolean;
}

/** What addresses stand for, each looked up once; entries are looked up together. */
export class Subjects {
  private readonly known = new Map<string, Subject | undefined>();

  /** `entries` finds those of the addresses that are entries and may be given. */
  constructor(
    private readonly bases: BasesPart,
    private readonly notes: NoteLookup,
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
      const found = node ? nodeSubject(node) : this.notes.subject(uri);
      this.known.set(uri, node && this.notes.standsFor(node) ? undefined : found);
      if (!found) others.push(uri);
    }
    if (others.length > 0) for (const [uri, entry] of this.entries(others)) this.known.set(uri, entrySubject(entry));
    return uris.flatMap((uri) => this.known.get(uri) ?? []);
  }
}
