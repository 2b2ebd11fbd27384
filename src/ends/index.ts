import type { Disposable } from '../core/disposable';
import type { RelationEnds } from '../relations';
import { onDocumentsChanged, onEntriesChanged, onNodesChanged, onNotesChanged, onRecordsChanged } from './changes';
import { FirstLook } from './first-look';
import type { KnownParts } from './model';
import { Resolving } from './resolving';
import { statedByNodes, statedByNotes } from './stated';

export interface EndsOptions extends KnownParts {
  /** Tells of changes in the stores that entries lie in, by their topics. */
  onEntriesChanged(listener: (topics: ReadonlySet<string>) => void): Disposable;
}

/** What relations lead to, in all parts. Reads nothing before it is asked; listens to the parts while somebody listens to it. */
export function openEnds(options: EndsOptions): RelationEnds {
  const { bases, notes, library, learning } = options;
  const looks = { bases: new FirstLook(bases), notes: new FirstLook(notes) };
  const resolving = new Resolving(options, looks);
  return {
    resolve: (uri) => resolving.resolve(uri),
    locate: (id) => resolving.locate(id),
    isOfWorkspace: (uri) => resolving.isOfWorkspace(uri),
    sources: [statedByNotes(notes, looks.notes), statedByNodes(bases, looks.bases)],
    onDidChange: (listener) => {
      const listening = [
        onEntriesChanged(options.onEntriesChanged, listener),
        onNodesChanged(bases, listener),
        onNotesChanged(notes, listener),
        onDocumentsChanged(library, listener),
        onRecordsChanged(learning, listener),
      ];
      return {
        dispose: () => {
          for (const each of listening) each.dispose();
        },
      };
    },
  };
}
