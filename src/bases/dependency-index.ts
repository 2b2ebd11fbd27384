import { Turns } from '../core/turns';
import type { Base } from './base';
import type { KnowledgeNode } from './model';

/** The edges of `blocked_by`, forwards and back. Those back are found when somebody asks, and until something changes. */
export class DependencyIndex {
  private back: Promise<ReadonlyMap<string, KnowledgeNode[]>> | undefined;

  /** @param bases by their names in lower case */
  constructor(private readonly bases: ReadonlyMap<string, Base>) {}

  forget(): void {
    this.back = undefined;
  }

  /** An id means a node of the same file, of the same base, or with `base:` before it of another one, in this order. */
  blockers({ base, file, blocked_by }: KnowledgeNode): (KnowledgeNode | string)[] {
    const own = this.bases.get(base.toLowerCase())?.catalogue;
    return blocked_by.map((id) => own?.nodeFrom(file, id) ?? this.inNamedBase(id) ?? id);
  }

  async blocked(node: KnowledgeNode): Promise<readonly KnowledgeNode[]> {
    this.back ??= this.collect();
    return (await this.back).get(keyOf(node)) ?? [];
  }

  private inNamedBase(id: string): KnowledgeNode | undefined {
    const colon = id.indexOf(':');
    if (colon < 0) return undefined;
    return this.bases.get(id.slice(0, colon).toLowerCase())?.catalogue.node(id.slice(colon + 1));
  }

  private async collect(): Promise<ReadonlyMap<string, KnowledgeNode[]>> {
    const turns = new Turns();
    const back = new Map<string, KnowledgeNode[]>();
    for (const { catalogue } of [...this.bases.values()]) {
      for (const node of catalogue.nodes()) {
        for (const blocker of node.blocked_by.length > 0 ? this.blockers(node) : []) {
          if (typeof blocker === 'string') continue;
          const known = back.get(keyOf(blocker));
          if (known) known.push(node);
          else back.set(keyOf(blocker), [node]);
        }
        await turns.pause();
      }
    }
    return back;
  }
}

function keyOf({ base, id }: KnowledgeNode): string {
  return `${base}:${id}`;
}
