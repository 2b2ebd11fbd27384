import type { Collection, Note, NoteProblem, RegistryHit, Space, SpaceStatus } from '../../notes';
import { matchesAll } from './filter';
import type {
  NoteCategoryNode,
  NoteCollectionNode,
  NoteCollectionsNode,
  NoteNode,
  NoteProblemNode,
  NoteRegistryNode,
  NoteSpaceNode,
  NotesNode,
  RegistryNoteNode,
} from './note-nodes';

/** What a filter made has ids of its own: it is unfolded, whatever was folded before. */
const FILTERED = '?filtered';
const MEMBER = 'member/';

/** Whether every word of a filter occurs in what the view says of a note. */
export function isLeft(words: readonly string[], { zettel_id, title, category, entry_type, tags }: Note): boolean {
  return matchesAll(words, [zettel_id, title, category, entry_type, tags.join(' ')]);
}

/** @param shown how many notes a filter leaves, when one is set */
export function spaceNode(status: SpaceStatus, shown?: number): NoteSpaceNode {
  const filtered = shown !== undefined;
  return { kind: 'noteSpace', id: placeId(status.space, '', filtered), status, filtered, shown };
}

/**
 * What stands directly in a space or in a category of it: categories first, then notes, by file. A space begins with
 * what is wrong with it as a whole and ends with its collections.
 */
export function contentsOf(
  parent: NoteSpaceNode | NoteCategoryNode,
  notes: readonly Note[],
  { problems = [], collections = 0 }: { problems?: readonly NoteProblem[]; collections?: number } = {},
): NotesNode[] {
  const space = spaceOf(parent);
  const above = parent.kind === 'noteSpace' ? '' : parent.category;
  const prefix = above === '' ? '' : `${above}/`;
  const below = new Map<string, number>();
  const own: NoteNode[] = [];
  for (const note of notes) {
    if (note.space !== space) continue;
    if (note.category === above) own.push(noteNode(note, parent));
    else if (note.category.startsWith(prefix)) {
      const slash = note.category.indexOf('/', prefix.length);
      const category = slash < 0 ? note.category : note.category.slice(0, slash);
      below.set(category, (below.get(category) ?? 0) + 1);
    }
  }
  const categories = [...below].sort(([a], [b]) => (a < b ? -1 : 1));
  const wrong = problems.filter((problem) => problem.space === space && problem.file === undefined);
  return [
    ...wrong.map((problem, index) => problemNode(problem, index, parent)),
    ...categories.map(([category, count]) => categoryNode(parent, category, count)),
    ...own,
    ...(collections > 0 ? [collectionsNode(parent, space, collections)] : []),
  ];
}

/** The problems of a note. */
export function problemsOf(parent: NoteNode): NoteProblemNode[] {
  return parent.note.problems.map((problem, index) => problemNode(problem, index, parent));
}

export function collectionNodes(parent: NoteCollectionsNode, collections: readonly Collection[]): NoteCollectionNode[] {
  return collections.map((collection) => ({
    kind: 'noteCollection',
    id: `collection/${collection.location}/${collection.id}`,
    parent,
    collection,
  }));
}

/** The notes of a collection, in its order.
 * @param find gives the note that an id means where the collection lies */
export function membersOf(parent: NoteCollectionNode, find: (zettelId: string) => Note | undefined): NotesNode[] {
  return parent.collection.zettel_ids.map((zettel_id, index) => {
    const note = find(zettel_id);
    const id = `${MEMBER}${index}/${parent.id}`;
    return note ? { kind: 'note', id, parent, note } : { kind: 'missingNote', id, parent, zettel_id };
  });
}

/** The lines from the space down to a note, that one last: as the view has them. */
export function wayTo(note: Note, status: SpaceStatus): NotesNode[] {
  const way: [NoteSpaceNode, ...(NoteCategoryNode | NoteNode)[]] = [spaceNode(status)];
  let parent: NoteSpaceNode | NoteCategoryNode = way[0];
  const parts = note.category === '' ? [] : note.category.split('/');
  for (let depth = 1; depth <= parts.length; depth += 1) {
    parent = categoryNode(parent, parts.slice(0, depth).join('/'), 0);
    way.push(parent);
  }
  way.push(noteNode(note, parent));
  return way;
}

/** Where in its collection a line stands; undefined for what is no member of one. */
export function placeInCollection(line: unknown): number | undefined {
  const { id, parent } = line as Partial<NotesNode>;
  if (parent?.kind !== 'noteCollection' || !id?.startsWith(MEMBER)) return undefined;
  return Number.parseInt(id.slice(MEMBER.length), 10);
}

export function registryNode(server: string): NoteRegistryNode {
  return { kind: 'noteRegistry', id: 'registry', server };
}

export function registryNoteNodes(parent: NoteRegistryNode, hits: readonly RegistryHit[]): RegistryNoteNode[] {
  return hits.map((hit) => ({ kind: 'registryNote', id: `registry/${hit.zettel_id}`, parent, hit }));
}

/** The space and category that a line stands in: where something new, or something that is dropped on it, goes. */
export function placeOfNode(node: NotesNode): { space: Space; category?: string } | undefined {
  switch (node.kind) {
    case 'noteSpace':
      return { space: node.status.space };
    case 'noteCategory':
      return { space: node.space, category: node.category };
    case 'note':
    case 'noteProblem':
    case 'moreNotes':
      return node.parent && placeOfNode(node.parent);
    default:
      return undefined;
  }
}

function spaceOf(node: NoteSpaceNode | NoteCategoryNode): Space {
  return node.kind === 'noteSpace' ? node.status.space : node.space;
}

function categoryNode(parent: NoteSpaceNode | NoteCategoryNode, category: string, notes: number): NoteCategoryNode {
  const space = spaceOf(parent);
  const { filtered } = parent;
  return { kind: 'noteCategory', id: placeId(space, category, filtered), parent, filtered, space, category, notes };
}

function noteNode(note: Note, parent: NotesNode): NoteNode {
  return { kind: 'note', id: `note/${note.space}/${note.file}`, parent, note };
}

function problemNode(problem: NoteProblem, index: number, parent: NotesNode): NoteProblemNode {
  return { kind: 'noteProblem', id: `problem/${index}/${parent.id}`, parent, problem };
}

function collectionsNode(parent: NotesNode, space: Space, collections: number): NoteCollectionsNode {
  return { kind: 'noteCollections', id: `collections/${space}`, parent, space, collections };
}

function placeId(space: Space, category: string, filtered = false): string {
  return `place/${space}/${category}${filtered ? FILTERED : ''}`;
}
