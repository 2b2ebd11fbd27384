import {
  type EndsChange,
  openRelations,
  type Relation,
  type RelationEnds,
  type RelationsPart,
} from '../../src/relations';
import { relationsSchema } from '../../src/relations/schema';
import type { Store } from '../../src/store';
import { TestClock } from './hall';
import { Bench } from './stores';

/** Things with addresses, as a test says, and the relations between them in two stores. */
export class RelationWorld {
  readonly clock = new TestClock();
  readonly logged: string[] = [];
  /** Addresses of what is there, with titles. */
  readonly there = new Map<string, string>();
  /** Of what cannot be told of. */
  readonly untold = new Set<string>();
  /** What files say. */
  readonly stated: Relation[] = [];
  private readonly bench = new Bench();
  private readonly listeners = new Set<(change: EndsChange) => void>();
  private readonly opened: RelationsPart[] = [];
  private places: { workspace: string; shared: string } | undefined;
  workspace!: Store;
  shared!: Store;

  readonly ends: RelationEnds = {
    resolve: async (uri) => {
      if (this.untold.has(uri)) return 'unknown';
      const title = this.there.get(uri);
      return title === undefined ? 'gone' : { uri, title, kind: 'entry' };
    },
    locate: async (id) => (this.there.has(at(id)) ? at(id) : undefined),
    isOfWorkspace: (uri) => uri.startsWith('knowledge://here/'),
    sources: [
      {
        relationsOf: async (uri) =>
          this.stated.filter(({ source, target }) => uri === undefined || source === uri || target === uri),
      },
    ],
    onDidChange: (listener) => {
      this.listeners.add(listener);
      return { dispose: () => void this.listeners.delete(listener) };
    },
  };

  /** Opened once more each time, as another process would. */
  async open(): Promise<RelationsPart> {
    this.places ??= { workspace: this.bench.directory(), shared: this.bench.directory() };
    const schemas = [relationsSchema];
    this.workspace = await this.bench.open(this.places.workspace, { schemas });
    this.shared = await this.bench.open(this.places.shared, { schemas });
    const stores = { workspace: this.workspace, shared: this.shared };
    const { ends, clock } = this;
    const relations = openRelations({ stores, ends, clock, log: (message) => this.logged.push(message) });
    this.opened.push(relations);
    return relations;
  }

  add(...ids: string[]): void {
    for (const id of ids) this.there.set(at(id), id);
  }

  tell(change: EndsChange): void {
    for (const listener of this.listeners) listener(change);
  }

  async close(): Promise<void> {
    for (const each of this.opened.splice(0)) await each.close();
    await this.bench.cleanUp();
  }
}

/** The address of a thing; `here/x` is one of the workspace. */
export function at(id: string): string {
  return id.startsWith('here/') ? `knowledge://${id}` : `knowledge://learning/pattern/${id}`;
}

/** `a causes b` */
export function inWords({ source, type, target }: Pick<Relation, 'source' | 'type' | 'target'>): string {
  const nameOf = (uri: string) => uri.slice(uri.lastIndexOf('/') + 1);
  return `${nameOf(source)} ${type} ${nameOf(target)}`;
}
