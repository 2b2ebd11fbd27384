import type { LinkState, Passage, Problem } from '../../../webview-ui/protocol/note';
import { withLineFeeds } from '../../../webview-ui/protocol/text-splices';
import type { LinkTarget } from '../../notes';
import type { NoteText } from '../notes-language';
import { formLink } from './note-edits';

/** What a link leads to, as the form shows it. */
export function endOf(target: LinkTarget): { state: LinkState; title?: string } {
  switch (target.kind) {
    case 'note':
      return { state: 'note', title: target.note.title };
    case 'collection':
      return { state: 'collection', title: target.collection.name };
    case 'registry':
      return { state: 'registry' };
    case 'file':
    case 'broken':
      return { state: target.kind };
  }
}

/** The text of a note from an offset on, taken apart at its links. */
export function passagesOf(read: NoteText, from: number): Passage[] {
  const { text, parsed, notes } = read;
  const passages: Passage[] = [];
  let at = from;
  for (const link of parsed.links) {
    if (link.origin !== 'wikilink' || link.range.start < at) continue;
    if (at < link.range.start) passages.push({ text: withLineFeeds(text.slice(at, link.range.start)) });
    const { state, title } = endOf(notes.resolveLink(read, link));
    const said = link.alias ?? `${link.target}${link.section === undefined ? '' : ` › ${link.section}`}`;
    passages.push({
      text: said,
      link: { target: formLink(link).target, state, ...(title !== undefined && { title }) },
    });
    at = link.range.end;
  }
  if (at < text.length) passages.push({ text: withLineFeeds(text.slice(at)) });
  return passages;
}

/** The field of the form that a problem is about. */
export function fieldOf({ code, detail }: { code: string; detail?: string | undefined }): Pick<Problem, 'field'> {
  const isOfField = detail !== undefined && (code === 'missing_field' || code === 'bad_value');
  return isOfField ? { field: detail.split('.')[0]! } : {};
}
