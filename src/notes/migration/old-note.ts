import { parseTime } from '../../core/clock';
import { editHead, type ForeignHead, type ForeignValue, lineAt, readForeignHead } from '../../frontmatter';
import { FIELD_ORDER } from '../format/edit';
import { isWebAddress } from '../format/fields';
import { idFault } from '../format/ids';
import { parseNote } from '../format/parse';
import { safeName } from '../safe-names';
import { CATEGORY_OF, ENTRY_TYPES, type EntryType, SOURCE_TYPES } from '../vocabulary';
import { entryTypeOf, isoTimeOf } from './words';

/** What an old note says, in the words of notes: what its front matter is to be, and where it is to lie. */
interface OldWords {
  zettel_id: string;
  category: string;
  /** Values by key; null for keys that are called otherwise now. What is not named stays as it is. */
  changes: Record<string, string | string[] | null>;
  /** What was taken over from elsewhere, guessed, or left: sentences. */
  remarks: string[];
}

/** Other names under which old notes have what is a field of notes now. The first that has a value is taken. */
const KEYS = {
  zettel_id: ['zettel_id', 'zettel', 'zettelid', 'id', 'uid', 'slug'],
  title: ['title', 'name'],
  entry_type: ['entry_type', 'type', 'kind', 'entrytype'],
  source_type: ['source_type', 'sourcetype'],
  source_url: ['source_url', 'sourceurl', 'url', 'link'],
  created_at: ['created_at', 'created', 'createdat', 'date_created', 'date'],
  updated_at: ['updated_at', 'updated', 'updatedat', 'date_updated', 'modified', 'last_modified', 'lastmod'],
} as const;
type Field = keyof typeof KEYS;

/** An old note as one of a space. */
export interface OldNote {
  zettel_id: string;
  /** Relative to the space's root. */
  file: string;
  /** Undefined where its front matter cannot be edited; the remark says why. */
  text: string | undefined;
  /** What was taken over from elsewhere, guessed, or left: sentences. */
  remarks: string[];
  /** What its links lead to, as written. */
  targets: string[];
}

/**
 * Converts a note of an old `knowledge/base/`: its front matter says what a note's does, its text stays byte for byte.
 * `file` is its path in that folder, `/` between its parts. What cannot be taken over stays under the name that it has.
 * Never throws.
 */
export function convertOldNote(text: string, file: string): OldNote {
  const parsed = parseNote(text, file);
  const heading = parsed.headings.find(({ title }) => title !== '')?.title;
  const { zettel_id, category, changes, remarks } = new Reading(readForeignHead(text), file, heading).read();
  const place = `${category === '' ? '' : `${category}/`}${zettel_id}.md`;
  const targets = parsed.links.map(({ target }) => target);
  const edits = Object.entries(changes).map(([key, value]) => ({ key, value: value ?? undefined }));
  // What goes makes room for what comes: the two may differ in case alone.
  edits.sort((one, other) => Number(one.value !== undefined) - Number(other.value !== undefined));
  const edited = editHead(text, edits, FIELD_ORDER);
  if (!('text' in edited)) {
    const { message, range } = edited.fault;
    const line = lineAt(text, range.start + 1);
    const why = `The front matter cannot be converted, because of its line ${line}: ${message}`;
    return { zettel_id, file: place, text: undefined, remarks: [why], targets };
  }
  for (const { message } of parseNote(edited.text, place).problems) remarks.push(String(message));
  return { zettel_id, file: place, text: edited.text, remarks, targets };
}

class Reading {
  private readonly values: Map<string, { key: string; value: ForeignValue }>;
  private readonly changes: OldWords['changes'] = {};
  private readonly remarks: string[] = [];

  constructor(
    head: ForeignHead | undefined,
    private readonly file: string,
    private readonly heading: string | undefined,
  ) {
    this.values = new Map();
    for (const [key, value] of head?.values ?? []) {
      const lower = key.toLowerCase();
      if (!this.values.has(lower)) this.values.set(lower, { key, value });
    }
  }

  read(): OldWords {
    const zettel_id = this.id();
    this.title();
    this.tags();
    const type = this.type();
    const category = this.category(type);
    this.source();
    this.time('created_at');
    this.time('updated_at');
    return { zettel_id, category, changes: this.changes, remarks: this.remarks };
  }

  private id(): string {
    const name = this.nameOfFile();
    const fromFile = safeName(name);
    for (const key of KEYS.zettel_id) {
      const written = this.text(key);
      if (written === undefined) continue;
      const id = written.normalize('NFC');
      const fault = idFault(id);
      if (fault === undefined) {
        this.take('zettel_id', key, id);
        if (id !== fromFile) this.remarks.push(`The file was called "${name}", and is called after its id now.`);
        return id;
      }
      this.remarks.push(`The ${key} "${shown(written)}" ${fault}; the id is made of the file's name.`);
      break;
    }
    const id = idFault(fromFile) === undefined ? fromFile : shortened(fromFile);
    this.changes.zettel_id = id;
    if (id !== name) this.remarks.push(`The file was called "${name}", which is no id; it is "${id}" now.`);
    return id;
  }

  private title(): void {
    for (const key of KEYS.title) {
      const title = this.text(key);
      if (title === undefined) continue;
      this.take('title', key, title);
      return;
    }
    const title = this.heading ?? this.nameOfFile().replace(/[-_]+/g, ' ').trim();
    this.changes.title = title.slice(0, 300).replace(/\p{Cs}$/u, '');
    this.remarks.push(this.heading ? 'The title is the first heading.' : "The title is made of the file's name.");
  }

  private tags(): void {
    const found = this.values.get('tags');
    if (found && found.key !== 'tags') {
      const { key, value } = found;
      this.changes[key] = null;
      this.changes.tags = (typeof value === 'string' ? value.split(',') : value).map((tag) => tag.trim());
    }
  }

  /** Of what the note says, of its folders from the nearest on, and of its tags. */
  private type(): EntryType {
    for (const key of KEYS.entry_type) {
      const word = this.text(key);
      const type = word === undefined ? undefined : entryTypeOf(word);
      if (word === undefined) continue;
      if (type === undefined) {
        this.remarks.push(`The ${key} "${shown(word)}" is none of ${ENTRY_TYPES.join(', ')}, and stays as it is.`);
        if (key === 'entry_type') break;
        continue;
      }
      if (word !== type) this.remarks.push(`The ${key} "${shown(word)}" is the type ${type}.`);
      this.take('entry_type', key, type);
      return type;
    }
    const words: [string, string][] = [
      ...texts(this.values.get('category')?.value).map((word): [string, string] => ['category', word]),
      ...this.folders()
        .reverse()
        .map((word): [string, string] => ['folder', word]),
      ...texts(this.values.get('tags')?.value).map((word): [string, string] => ['tag', word]),
    ];
    const told = words.find(([, word]) => entryTypeOf(word) !== undefined);
    const type = told ? entryTypeOf(told[1])! : 'learning';
    this.changes.entry_type = type;
    this.remarks.push(
      told
        ? `The type ${type} is guessed from the ${told[0]} "${shown(told[1])}".`
        : `Nothing tells the type; it is ${type}.`,
    );
    return type;
  }

  /** What the note says, else its folder, else the folder of its type. */
  private category(type: EntryType): string {
    const found = this.values.get('category');
    const written = typeof found?.value === 'string' ? found.value.trim() : '';
    const folder = folderOf(written.split(/[/\\]/));
    if (found && folder !== '') {
      if (folder === written) this.changes[found.key] = null;
      else this.remarks.push(`The category "${shown(written)}" is the folder "${folder}".`);
      return folder;
    }
    const lies = this.folders().join('/');
    const made = folderOf(this.folders());
    if (made === '') return CATEGORY_OF[type];
    if (made !== lies) this.remarks.push(`The folder "${shown(lies)}" is "${made}" now.`);
    return made;
  }

  /** `source` is an address, or one of the types, or stays. */
  private source(): void {
    this.sourceType('source_type', KEYS.source_type);
    for (const key of KEYS.source_url) {
      const url = this.text(key);
      if (url === undefined || !isWebAddress(url)) continue;
      this.take('source_url', key, url);
      break;
    }
    const source = this.text('source');
    if (source === undefined) return;
    if (isWebAddress(source) && this.isFree('source_url')) this.take('source_url', 'source', source);
    else if (this.isFree('source_type')) this.sourceType('source_type', ['source']);
  }

  private sourceType(field: 'source_type', keys: readonly string[]): void {
    for (const key of keys) {
      const word = this.text(key)?.toLowerCase();
      const type = SOURCE_TYPES.find((each) => each === word);
      if (!type) continue;
      this.take(field, key, type);
      return;
    }
  }

  private time(field: 'created_at' | 'updated_at'): void {
    for (const key of KEYS[field]) {
      const written = this.text(key);
      if (written === undefined) continue;
      const time = parseTime(written) === undefined ? isoTimeOf(written) : written;
      if (time === undefined || parseTime(time) === undefined) {
        this.remarks.push(`The ${key} "${shown(written)}" is no time, and stays as it is.`);
        continue;
      }
      if (time !== written) this.remarks.push(`The ${key} "${shown(written)}" is ${time}.`);
      this.take(field, key, time);
      return;
    }
  }

  /** Puts a value under the field's name; the key that had it goes. */
  private take(field: Field, key: string, value: string): void {
    const { key: written } = this.values.get(key)!;
    if (written !== field) this.changes[written] = null;
    if (written !== field || this.text(key) !== value) this.changes[field] = value;
  }

  private isFree(field: Field): boolean {
    return this.changes[field] === undefined && this.text(field) === undefined;
  }

  /** The text of a key; undefined where there is none, or a list. */
  private text(key: string): string | undefined {
    const value = this.values.get(key)?.value;
    const text = typeof value === 'string' ? value.trim() : '';
    return text === '' || /[\r\n]/.test(text) ? undefined : text;
  }

  private folders(): string[] {
    return this.file.split('/').slice(0, -1);
  }

  private nameOfFile(): string {
    return this.file
      .split('/')
      .at(-1)!
      .replace(/\.(?:md|mdc|markdown)$/i, '');
  }
}

/** Of the parts of a path those that can be folders of a space. */
function folderOf(parts: readonly string[]): string {
  return parts
    .map(safeName)
    .filter((part) => part !== '' && idFault(part) === undefined)
    .slice(0, 8)
    .join('/');
}

function texts(value: ForeignValue | undefined): string[] {
  if (value === undefined) return [];
  return (typeof value === 'string' ? value.split(/[,/]/) : value).map((text) => text.trim());
}

/** An id of a name that is too long, or none at all. */
function shortened(name: string): string {
  let id = name;
  while (id !== '' && ([...id].length > 120 || Buffer.byteLength(id) > 200)) id = [...id].slice(0, -1).join('');
  id = id.replace(/[-.]+$/, '');
  return idFault(id) === undefined ? id : `note-${id.replace(/\./g, '-')}`.replace(/-$/, '');
}

function shown(text: string): string {
  const plain = text.replace(/\p{C}/gu, '\u{FFFD}');
  return plain.length > 80 ? `${plain.slice(0, 79)}…` : plain;
}
