import type { Collection, Downloaded, Location, NoteFields, NotesPart, Relationship, Written } from '../../../notes';
import { indent, type Terminal } from '../../terminal';

/** `042-x  (project, patterns/042-x.md)` */
export function placeOf({ zettel_id, location, path, version }: Written): string {
  const where = [location, path ?? (version && `version ${version}`)].filter(Boolean);
  return `${zettel_id} (${where.join(', ')})`;
}

/** One note as a line: its id, title, type and tags. */
export function noteLine(
  { zettel_id, title, entry_type, tags }: NoteFields,
  location: Location,
  terminal: Terminal,
): string[] {
  const labels = [entry_type, ...tags.map((tag) => `#${tag}`)].filter(Boolean).join(' ');
  return [terminal.paint('bold', zettel_id), title, terminal.paint('dim', labels), terminal.paint('dim', location)];
}

export function relationshipLine({ zettel_id, relationship_type, direction, ...rest }: Relationship): string[] {
  const arrow = direction === 'outgoing' ? '→' : '←';
  return [arrow, relationship_type, zettel_id, rest.missing ? 'nothing has this id' : (rest.title ?? '')];
}

/** The collections that hold a note of a space. */
export function collectionsWith(notes: NotesPart, zettelId: string, location: Location): readonly Collection[] {
  const note = location === 'registry' ? undefined : notes.note(location, zettelId);
  return note ? notes.collectionsOf(note) : [];
}

export function collectionLine({ id, name }: Collection): string[] {
  return ['in', 'collection', id, name];
}

/** What became of each file that a note was downloaded to. */
export function tellDownloads(downloads: readonly Downloaded[], terminal: Terminal): void {
  for (const { status, path, difference } of downloads) {
    if (status === 'written') terminal.out(`Written to ${path}.`);
    else if (status === 'unchanged') terminal.out(`${path} has this text already.`);
    else {
      terminal.say(`kaizen: ${path} has another text and was kept.`);
      if (difference) terminal.out(paintedDifference(difference, terminal));
    }
  }
}

/** A unified difference in colours. */
export function paintedDifference(text: string, terminal: Terminal): string {
  const lines = text.trimEnd().split('\n');
  return indent(
    lines
      .map((line) => {
        if (line.startsWith('+')) return terminal.paint('green', line);
        return line.startsWith('-') ? terminal.paint('red', line) : line;
      })
      .join('\n'),
  );
}
