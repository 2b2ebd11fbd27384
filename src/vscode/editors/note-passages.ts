import type { LinkState, Passage, Problem } from '../../../webview-ui/protocol/note';
import { withLineFeeds } from '../../../webview-ui/protocol/text-splices';
import type { LinkTarget, NoteLink, NotesPart } from '../../notes';
import type { DocumentText } from '../notes-language';
import { areLinksKnown } from '../notes-language/known-links';
import { formLink } from './note-edits';

export interface LinkEnd {
  state: LinkState;
  title?: string;
}

/** What the links of a text lead to, as far as that is known by now. */
export function linkEnds(
  notes: Pick<NotesPart, 'spaces' | 'resolveLink'> | undefined,
  from: Pick<DocumentText, 'space' | 'file'>,
): (link: NoteLink) => LinkEnd {
  if (!notes) return () => ({ state: 'unknown' });
  const areKnown = areLinksKnown(notes);
  return (link) => {
    const end = endOf(notes.resolveLink(from, link));
    return end.state === 'broken' && !areKnown ? { state: 'unknown' } : end;
  };
}

function endOf(target: LinkTarget): LinkEnd {
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

/** So many links can be followed in one text; those behind them are text like any other. */
const MOST_LINKS = 1_000;

/** The text of a note from an offset on, taken apart at its links. */
export function passagesOf(
  { text, parsed }: Pick<DocumentText, 'text' | 'parsed'>,
  endOf: (link: NoteLink) => LinkEnd,
  from: number,
): Passage[] {
  const passages: Passage[] = [];
  let [at, count] = [from, 0];
  for (const link of parsed.links) {
    if (link.origin !== 'wikilink' || link.range.start < at) continue;
    if (++count > MOST_LINKS) break;
    if (at < link.range.start) passages.push({ text: withLineFeeds(text.slice(at, link.range.start)) });
    const { state, title } = endOf(link);
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
