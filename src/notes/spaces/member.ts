import { idKey } from '../format/ids';
import type { Location, Note, NoteLink, NoteProblem, RelationshipType, Space } from '../model';
import { type KnownNote, nameOf } from './known';

/**
 * A note or a collection of a space, with what others have to do with it. There is one for each file as long as the file
 * is there, whatever is written into it.
 */
export interface Member {
  readonly space: Space;
  readonly file: string;
  /** The file's path without its ending and without case: how links are compared with it. */
  readonly pathKey: string;
  known: KnownNote;
  /** Unique in its space among notes, or among collections. */
  id: string;
  /** What its id being taken says. */
  idProblem: NoteProblem | undefined;
  /** Where its links lead to, each end once for each type. */
  outgoing: readonly Outgoing[];
  /** Those of whose links one leads here. */
  readonly incoming: Set<Member>;
  /** Its links that lead nowhere; the first of them where there are very many. */
  broken: readonly NoteLink[];
  /** What is handed out, until something in it changes. */
  view: Note | undefined;
}

/** What a link says about two notes. */
export interface Outgoing {
  type: RelationshipType;
  /** Undefined where nothing has the id, and for what lies in the registry. */
  end: Member | undefined;
  /** As the link names it. */
  target: string;
  location: Location | undefined;
}

export function memberOf(space: Space, known: KnownNote): Member {
  return {
    space,
    file: known.file,
    pathKey: idKey(known.file.replace(/\.md$/i, '')),
    known,
    id: declaredId(known),
    idProblem: undefined,
    outgoing: [],
    incoming: new Set(),
    broken: [],
    view: undefined,
  };
}

/** What the file calls itself, whoever else does. A collection is called like its file. */
export function declaredId({ file, note }: KnownNote): string {
  return note ? note.fields.zettel_id : nameOf(file);
}

export function isIdDeclared({ note }: KnownNote): boolean {
  return note?.isIdDeclared === true;
}

export function linksOf({ note, collection }: KnownNote): readonly NoteLink[] {
  return note?.links ?? collection?.links ?? [];
}
