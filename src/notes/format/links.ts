import { findWikilinks, scanBlocks, titleOf } from '../../markdown';
import type { Location, NoteHeading, NoteLink, Range, RelationshipType } from '../vocabulary';
import { LIMITS } from './limits';

/** What stands between the brackets of a link, or in a list of `relationships`; offsets in the whole text. */
export interface LinkText {
  target: string;
  targetRange: Range;
  location?: Location;
  section?: string;
  alias?: string;
}

const PREFIX = /^(project|user|registry):[ \t]*/;

/**
 * Takes `user:target#section|alias` apart. The range is where it stands; the separator may be escaped, as it has to be in
 * a table. Undefined when it has no target: a link to a section of the same text is none to another note.
 */
function readLinkText(text: string, { start, end }: Range): LinkText | undefined {
  const inner = text.slice(start, end);
  const bar = inner.indexOf('|');
  const escaped = bar > 0 && inner[bar - 1] === '\\';
  const address = bar === -1 ? inner : inner.slice(0, escaped ? bar - 1 : bar);
  const hash = address.indexOf('#');
  const where = hash === -1 ? address : address.slice(0, hash);
  const leading = where.length - where.trimStart().length;
  const prefix = PREFIX.exec(where.slice(leading));
  const from = leading + (prefix?.[0].length ?? 0);
  const target = where.slice(from).trimEnd();
  if (target === '') return undefined;
  const section = hash === -1 ? '' : address.slice(hash + 1).trim();
  const alias = bar === -1 ? '' : inner.slice(bar + 1).trim();
  return {
    target,
    targetRange: { start: start + from, end: start + from + target.length },
    ...(prefix ? { location: prefix[1] as Location } : {}),
    ...(section === '' ? {} : { section }),
    ...(alias === '' ? {} : { alias }),
  };
}

/** The links and headings of the text below the front matter, in their order. Takes time in proportion to it, in steps. */
export function* readBody(
  text: string,
  from: number,
  line: number,
): Generator<void, { links: NoteLink[]; headings: NoteHeading[] }> {
  const { headings, texts } = yield* scanBlocks(text, from, line);
  const links: NoteLink[] = [];
  for (const { start, end, line, isEmbed, innerStart, innerEnd } of yield* findWikilinks(text, texts)) {
    const read = readLinkText(text, { start: innerStart, end: innerEnd });
    if (read) links.push({ type: 'references', origin: 'wikilink', ...read, isEmbed, range: { start, end }, line });
  }
  return {
    links,
    headings: headings.slice(0, LIMITS.headings).map(({ level, line, textStart, textEnd }) => ({
      title: titleOf(text.slice(textStart, textEnd)),
      level,
      line,
    })),
  };
}

/** An item of a list of `relationships`, which may stand in brackets as in the text. */
export function readRelationship(
  text: string,
  type: RelationshipType,
  range: Range,
  line: number,
): NoteLink | undefined {
  const written = text.slice(range.start, range.end);
  const around = /^(["']?\s*(?:\[\[)?)([\s\S]*?)(?:\]\])?\s*["']?$/.exec(written);
  const start = range.start + (around?.[1]?.length ?? 0);
  const read = readLinkText(text, { start, end: start + (around?.[2]?.length ?? 0) });
  return read && { type, origin: 'front_matter', ...read, isEmbed: false, range, line };
}
