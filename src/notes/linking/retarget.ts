import { writeForeignScalar } from '../../frontmatter';
import type { Location, NoteLink } from '../model';

/** A piece of a text that becomes another one. Offsets are UTF-16 code units, `end` exclusive. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** The text with all of the edits made, which do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text: inserted } of [...edits].sort((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + inserted;
    at = end;
  }
  return result + text.slice(at);
}

/**
 * What has a link lead to the same note under a new id. Only the last part of the target changes: folders before it, an
 * ending `.md` and everything around the target stay. `location` is put before it where the plain id would lead elsewhere.
 */
export function retarget(link: NoteLink, newId: string, location?: Location): TextEdit {
  const [, folders = '', ending = ''] = /^(.*[/\\])?[^/\\]*?(\.md)?$/is.exec(link.target) ?? [];
  // An id needs no folder where its space is named.
  return retargetTo(link, location ? `${location}:${newId}` : `${folders}${newId}${ending}`);
}

/** What has a link say another target. */
export function retargetTo({ origin, range, targetRange: { start, end } }: NoteLink, target: string): TextEdit {
  // In a list of the front matter some ids would be numbers or dates to others who read it.
  const isBare = origin === 'front_matter' && range.start === start && range.end === end;
  return { start, end, text: isBare ? writeForeignScalar(target) : target };
}
