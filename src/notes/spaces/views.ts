import { noteUri } from '../../core/knowledge-uri';
import type { Collection, Note, NoteLink, NoteProblem } from '../model';
import { folderOf, nameOf } from './known';
import { declaredId, isIdDeclared, type Member } from './member';

/** The note as it is handed out; the same object until something in it changes. Undefined for a collection. */
export function noteOf(member: Member, areLinksKnown: boolean): Note | undefined {
  const { known, space, file, id } = member;
  const { note } = known;
  if (!note) return undefined;
  member.view ??= {
    ...note.fields,
    zettel_id: id,
    uri: noteUri(space, id),
    space,
    category: folderOf(file),
    file,
    content_hash: known.hash,
    isIdDeclared: note.isIdDeclared,
    links: note.links,
    headings: note.headings,
    problems: problemsOf(member, areLinksKnown),
  };
  return member.view;
}

export function collectionOf({ known, space, file, id }: Member): Collection | undefined {
  if (!known.collection) return undefined;
  const { name, description, collection_type, zettel_ids } = known.collection;
  return { id, name, description, collection_type, zettel_ids, location: space, file };
}

/** All that is wrong with a file, links that lead nowhere only where all that they could lead to is known. */
export function problemsOf(member: Member, areLinksKnown: boolean): NoteProblem[] {
  const { known, space, file, idProblem } = member;
  const problems: NoteProblem[] = (known.note ?? known.collection)!.problems.map((problem) => ({
    ...problem,
    space,
    file,
  }));
  if (idProblem) problems.push(idProblem);
  if (isCalledOtherwise(member)) {
    const message = `The note's id is "${declaredId(known)}", and its file is called "${nameOf(file)}". Rename one of them.`;
    problems.push({ space, file, line: 0, code: 'id_and_name_differ', message, detail: declaredId(known) });
  }
  if (areLinksKnown) for (const link of member.broken) problems.push({ space, file, ...brokenLink(link) });
  return problems;
}

/** As many as `problemsOf` answers. */
export function countProblems(member: Member, areLinksKnown: boolean): number {
  const { known, idProblem, broken } = member;
  const own = (known.note ?? known.collection)!.problems.length;
  return own + (idProblem ? 1 : 0) + (isCalledOtherwise(member) ? 1 : 0) + (areLinksKnown ? broken.length : 0);
}

function isCalledOtherwise({ known, file }: Member): boolean {
  return isIdDeclared(known) && declaredId(known) !== nameOf(file).normalize('NFC');
}

function brokenLink(link: NoteLink): Omit<NoteProblem, 'space' | 'file'> {
  const { target, location, line, targetRange: range, isEmbed } = link;
  const where = location ? `the ${location} space has nothing` : 'there is nothing';
  const message = isEmbed
    ? `Nothing can be shown here: ${where} called "${target}".`
    : `The link leads nowhere: ${where} called "${target}".`;
  return { line, range, code: 'broken_link', message, detail: target };
}
