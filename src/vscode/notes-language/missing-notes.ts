import { CATEGORY_OF, type EntryType, type NoteInput } from '../../notes';

/** UTF-16 code units of an id, and fewer than 200 bytes in nearly every language. */
const LONGEST_ID = 60;

/** What a note is to be that a link asks for, and how the link has to be written then. */
export interface MissingNote {
  input: Omit<NoteInput, 'content'>;
  /** What takes the place of the link's target; undefined where the link may stay as it is. */
  target?: string;
}

/**
 * The note that a link to nothing asks for: its id and its folder from the target, its title from the alias or the id, its
 * type from the folder. Undefined where no id can be made of the target.
 */
export function missingNote(
  { target, alias }: { target: string; alias?: string | undefined },
  from: { file: string; entry_type?: EntryType | undefined },
): MissingNote | undefined {
  const parts = target.replaceAll('\\', '/').split('/');
  const name = (parts.pop() ?? '').replace(/\.md$/i, '');
  const id = idOf(name);
  if (id === undefined) return undefined;
  const folders = foldersOf(parts, from.file);
  const category = folders && (folders.length > 0 ? folders.join('/') : undefined);
  const type = (Object.keys(CATEGORY_OF) as EntryType[]).find((each) => CATEGORY_OF[each] === category?.split('/')[0]);
  const title = alias?.trim() || (id === name.normalize('NFC') ? titleOf(id) : name.trim());
  return {
    input: {
      zettel_id: id,
      title,
      entry_type: type ?? from.entry_type ?? 'concept',
      ...(category !== undefined && { category }),
    },
    ...(id !== name && { target: id }),
  };
}

/** Letters, digits, dots and hyphens of a name, so that it is one of a file on every system. */
export function idOf(name: string): string | undefined {
  const id = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .slice(0, LONGEST_ID)
    .replace(/[.-]+$/, '');
  return id === '' || /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(id) ? undefined : id;
}

/** `043-spf-records` is on SPF records. */
export function titleOf(id: string): string {
  const words =
    id
      .replace(/^\d+[-_.]+/, '')
      .replace(/[-_]+/g, ' ')
      .trim() || id;
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Folders of a target from the root of the space; undefined where they lead out of it. */
function foldersOf(parts: readonly string[], file: string): string[] | undefined {
  const isRelative = parts[0] === '.' || parts[0] === '..';
  const folders = isRelative ? file.split('/').slice(0, -1) : [];
  for (const part of parts) {
    if (part === '' || part === '.') continue;
    if (part !== '..') folders.push(part);
    else if (folders.pop() === undefined) return undefined;
  }
  return folders;
}
