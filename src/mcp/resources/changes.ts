import type { BaseChange, BaseFile, BasesPart, KnowledgeNode } from '../../bases';
import { entryUri, libraryUri } from '../../core/knowledge-uri';
import type { EntryChange, KnowledgePart } from '../../knowledge';
import type { LearningPart } from '../../learning';
import type { LibraryChangeEvent } from '../../library';
import type { Note, NotesChangeEvent, NotesPart, Space } from '../../notes';
import { addressKey, documentKey, fileUri, nodeKey, noteKey, recordKey } from './address';
import { everyRecord } from './records';

/** Resources that have changed. */
export interface Notice {
  /** The URI of each, by the key of its address; what can be addressed in two ways is there twice. */
  updated: ReadonlyMap<string, string>;
  /** Whether `resources/list` would answer something else. */
  isListChanged: boolean;
}

/** Tells which resources a change concerns: the bases name files only, and the stores scopes. */
export class ResourceChanges {
  /** As they were told last; undefined until everything was indexed once. */
  #files: Map<string, BaseFile> | undefined;
  /** By space, as they were told last; undefined until everything was indexed once. */
  #notes: Map<Space, Map<string, Note>> | undefined;
  /** Captured records: what they are called, and when they were changed last. */
  #records = new Map<string, { key: string; title: string; updated_at: string }>();
  #since: string | undefined;
  #seen: ReadonlySet<string> = new Set();

  /** From here on changes of entries count. */
  begin(knowledge: KnowledgePart): void {
    this.#since = knowledge.changes({ limit: 1 })[0]?.at;
    this.#noteSeen(knowledge.changes({ since: this.#since, limit: MAX_CHANGES }));
  }

  /** Everything was indexed once. Until then all that is found is new, and only files are told. */
  learn(bases: BasesPart): void {
    this.#files = new Map(bases.files().map((file) => [nodeKey(file.base, file.file), file]));
  }

  /** The same of the notes. */
  learnNotes(notes: NotesPart): void {
    this.#notes = new Map(notes.spaces().map(({ space }) => [space, byUri(notes.notes(space))]));
  }

  /** Notes of the space that were added, changed or removed; until all were learnt, those of the files. */
  ofNotes(notes: NotesPart, { space, files }: NotesChangeEvent): Notice {
    const updated = new Map<string, string>();
    const before = this.#notes?.get(space);
    const now = byUri(notes.notes(space));
    const named = new Set(files);
    let isListChanged = !before;
    for (const uri of new Set([...(before?.keys() ?? []), ...now.keys()])) {
      const [was, is] = [before?.get(uri), now.get(uri)];
      if (was?.content_hash === is?.content_hash && was?.file === is?.file) continue;
      const note = is ?? was;
      if (note && (before || named.has(note.file))) updated.set(noteKey(space, note.zettel_id), uri);
      isListChanged ||= was?.title !== is?.title || was?.file !== is?.file || was?.entry_type !== is?.entry_type;
    }
    this.#notes?.set(space, now);
    return { updated, isListChanged };
  }

  /** Documents that came, changed or went: their list is another one in any case. Without names, all may be. */
  ofDocuments({ documents }: LibraryChangeEvent): Notice {
    const updated = new Map(documents?.map((id) => [documentKey(id), libraryUri(id)]));
    return { updated, isListChanged: documents?.length !== 0 };
  }

  /** Captured records, from here on. */
  learnRecords(learning: Pick<LearningPart, 'list'>): void {
    this.#records = recordStates(learning);
  }

  /** Records that were captured, changed or deleted since the last time. */
  ofRecords(learning: Pick<LearningPart, 'list'>): Notice {
    const [before, now] = [this.#records, recordStates(learning)];
    const updated = new Map<string, string>();
    let isListChanged = false;
    for (const uri of new Set([...before.keys(), ...now.keys()])) {
      const [was, is] = [before.get(uri), now.get(uri)];
      const state = is ?? was;
      if (!state || (was?.updated_at === is?.updated_at && was?.title === is?.title)) continue;
      updated.set(state.key, uri);
      isListChanged ||= was?.title !== is?.title;
    }
    this.#records = now;
    return { updated, isListChanged };
  }

  /** Files, their nodes whose own text changed, and the nodes above those. */
  ofFiles(bases: BasesPart, { base, files }: BaseChange): Notice {
    const updated = new Map<string, string>();
    let isListChanged = this.#files === undefined;
    for (const name of files) {
      const key = nodeKey(base, name);
      const before = this.#files?.get(key);
      const now = bases.file(base, name);
      const uri = now?.nodes[0]?.uri ?? fileUri(base, name);
      updated.set(key, uri);
      isListChanged ||= asListed(now) !== asListed(before);
      if (now) this.#files?.set(key, now);
      else this.#files?.delete(key);
      if (!now || !this.#files) continue;
      for (const node of changedNodes(now.nodes, before?.nodes)) {
        if (node.anchor !== '') updated.set(nodeKey(base, name, node.anchor), node.uri);
        updated.set(nodeKey(base, name, node.id), `${uri}#${encodeURIComponent(node.id)}`);
      }
    }
    return { updated, isListChanged };
  }

  /** Entries that were written since the last time. */
  ofEntries(knowledge: KnowledgePart): Notice {
    const changes = knowledge
      .changes({ since: this.#since, limit: MAX_CHANGES })
      .filter((change) => !this.#seen.has(revisionKey(change)));
    const updated = new Map(
      changes.map((change) => [addressKey({ kind: 'entry', ...change }), entryUri(change)] as const),
    );
    this.#since = changes[0]?.at ?? this.#since;
    if (changes.length > 0) this.#noteSeen(knowledge.changes({ since: this.#since, limit: MAX_CHANGES }));
    const isListChanged = changes.some(
      ({ content, previous_content }) => content === null || previous_content === null,
    );
    return { updated, isListChanged };
  }

  /** Times are of milliseconds: what comes within the same one is told apart by its revision. */
  #noteSeen(changes: readonly EntryChange[]): void {
    this.#seen = new Set(changes.map(revisionKey));
  }
}

/** Of those that are written at once (an import), the rest shows in the changed list alone. */
const MAX_CHANGES = 1_000;

function revisionKey({ scope_id, category, keyword, number }: EntryChange): string {
  return JSON.stringify([scope_id, category, keyword, number]);
}

function recordStates(learning: Pick<LearningPart, 'list'>) {
  const states = everyRecord(learning).map(({ kind, id, uri, title, record }) => {
    return [uri, { key: recordKey(kind, id), title, updated_at: record.updated_at }] as const;
  });
  return new Map(states);
}

function byUri(notes: readonly Note[]): Map<string, Note> {
  return new Map(notes.map((note) => [note.uri, note]));
}

/** What `resources/list` shows of a file. */
function asListed(file: BaseFile | undefined): string | undefined {
  const [root] = file?.nodes ?? [];
  return file && JSON.stringify([root?.title, root?.type, root?.status, root?.last_checked]);
}

/** All of them when it is not the same nodes any more, or a new file. */
function changedNodes(
  nodes: readonly KnowledgeNode[],
  before: readonly KnowledgeNode[] | undefined,
): readonly KnowledgeNode[] {
  const hashes = new Map(before?.map(({ id, content_hash }) => [id, content_hash]));
  if (hashes.size !== nodes.length || nodes.some(({ id }) => !hashes.has(id))) return nodes;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const changed = new Set<KnowledgeNode>();
  for (const node of nodes) {
    if (hashes.get(node.id) === node.content_hash) continue;
    // Reading a node gives what is below it as well.
    for (let at: KnowledgeNode | undefined = node; at && !changed.has(at); at = byId.get(at.parent_id ?? '')) {
      changed.add(at);
    }
  }
  return [...changed];
}
