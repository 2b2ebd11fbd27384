import type { BasesPart } from '../bases';
import type { ResolvedEntry } from '../knowledge';
import { entrySubject, nodeSubject, type Subject } from './subject';

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
