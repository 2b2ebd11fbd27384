import { atOnce, inTurns, type Turns } from '../../core/turns';
import { type ForeignHead, readForeignHead } from '../../frontmatter';
import {
  type CollectionType,
  type NoteLink,
  type NoteProblem,
  type ParsedNote,
  type Range,
  RELATIONSHIP_TYPES,
  type RelationshipType,
} from '../vocabulary';
import { FieldReader, readCollectionFields, readFields } from './fields';
import { idFault } from './ids';
import { LIMITS } from './limits';
import { readBody, readRelationship } from './links';

/** What a collection's file says (docs/notes.md). */
export interface ParsedCollection {
  name: string;
  description: string;
  /** `topic` where the file says none that there is; that is a problem of it. */
  collection_type: CollectionType;
  /** ISO 8601. */
  created_at?: string | undefined;
  /** As its links have them, in its order, each once. */
  zettel_ids: readonly string[];
  bodyStart: number;
  links: readonly NoteLink[];
  problems: readonly Problem[];
}

type Problem = Omit<NoteProblem, 'space' | 'file'>;

/** Said once, and not for each field. */
const NO_FRONT_MATTER = {
  code: 'missing_field',
  message: 'The file has no front matter, which says a zettel_id, a title and an entry_type.',
  detail: 'zettel_id',
} as const;

/**
 * Reads a note's file, whatever stands in it: what cannot be read is a problem with its place, and its text is there all
 * the same. `file` is its path, `/` between its parts: its name stands in for an id, and for a title. Takes time in
 * proportion to the text: `parseNoteInTurns` is for those that may be long. Never throws.
 */
export function parseNote(text: string, file: string): ParsedNote {
  return atOnce(readNote(text, file));
}

/** As `parseNote`, with turns for others in between: a note may have 2 MB, which take some 200 ms at worst. */
export function parseNoteInTurns(text: string, file: string, turns: Turns): Promise<ParsedNote> {
  return inTurns(readNote(text, file), turns);
}

function* readNote(text: string, file: string): Generator<void, ParsedNote> {
  const head = readForeignHead(text);
  const reader = new FieldReader(head, beginningOf(text));
  const { zettel_id, title, ...fields } = readFields(reader);
  const lines = new LineNumbers(text);
  const bodyStart = bodyStartOf(text, head);
  const body = yield* readBody(text, bodyStart, lines.at(bodyStart));
  const problems = head ? headProblems(head, lines) : [];
  // Where nothing can be read of it, that is what there is to say.
  const isReadable = problems.length === 0 || (head?.values.size ?? 0) > 0;
  const links = [...readRelationships(text, reader, lines), ...body.links];
  if (!head) problems.push({ ...NO_FRONT_MATTER, range: beginningOf(text), line: 0 });
  else if (isReadable) {
    for (const fault of reader.faults) problems.push({ ...fault, line: lines.at(fault.range.start) });
  }
  const name = nameOf(file);
  return {
    fields: {
      zettel_id: zettel_id ?? name,
      title: title ?? body.headings.find((heading) => heading.title !== '')?.title ?? name,
      ...fields,
    },
    isIdDeclared: zettel_id !== undefined,
    others: reader.others(),
    bodyStart,
    links,
    headings: body.headings,
    problems: sorted(problems),
  };
}

/** Whether a file is a collection: its front matter has a `collection_type`, and no `zettel_id`. */
export function isCollection(text: string): boolean {
  // Nearly every file can be told without reading its YAML.
  if (!/^\uFEFF?---/.test(text) || !text.slice(0, 64 * 1024).includes('collection_type')) return false;
  const values = readForeignHead(text)?.values;
  return values?.has('collection_type') === true && !values.has('zettel_id');
}

/** Reads a collection's file: `- [[zettel_id]] Title` a line, in its order. Never throws. */
export function parseCollection(text: string, file: string): ParsedCollection {
  const head = readForeignHead(text);
  const reader = new FieldReader(head, beginningOf(text));
  const { name, collection_type, ...fields } = readCollectionFields(reader);
  const lines = new LineNumbers(text);
  const bodyStart = bodyStartOf(text, head);
  const { links, headings } = atOnce(readBody(text, bodyStart, lines.at(bodyStart)));
  const problems = head ? headProblems(head, lines) : [];
  for (const fault of reader.faults) problems.push({ ...fault, line: lines.at(fault.range.start) });
  const members = links.filter(({ isEmbed }) => !isEmbed);
  return {
    name: name ?? headings[0]?.title ?? nameOf(file),
    ...fields,
    collection_type: collection_type ?? 'topic',
    zettel_ids: [...new Set(members.map(({ target, location }) => (location ? `${location}:${target}` : target)))],
    bodyStart,
    links: members,
    problems: sorted(problems),
  };
}

function readRelationships(text: string, reader: FieldReader, lines: LineNumbers): NoteLink[] {
  const links: NoteLink[] = [];
  if (reader.take('relationships')) {
    reader.bad('relationships', `has one list for each type of link, such as extends: [042-email-deliverability]`);
  }
  for (const [type, value, place] of reader.below('relationships')) {
    const key = `relationships.${type}`;
    if (!isRelationshipType(type)) {
      const message = `"${type}" is no type of a relationship: it is one of ${RELATIONSHIP_TYPES.join(', ')}.`;
      reader.faults.push({ code: 'bad_value', message, detail: key, range: place.key });
      continue;
    }
    const places = typeof value === 'string' ? (value.trim() === '' ? [] : [place.value]) : place.items;
    for (const range of places.slice(0, LIMITS.relationships)) {
      const link = readRelationship(text, type, range, lines.at(range.start));
      const fault = link ? targetFault(link) : 'is empty';
      if (link && fault === undefined) links.push(link);
      else {
        const message = `"${text.slice(range.start, range.end).slice(0, 80)}" in ${key} ${fault}.`;
        reader.faults.push({ code: 'bad_id', message, detail: link?.target ?? '', range });
      }
    }
  }
  return links;
}

/** The end of a link may be a path; its last part is an id. */
function targetFault({ target }: Pick<NoteLink, 'target'>): string | undefined {
  return idFault(nameOf(target).normalize('NFC'))?.toString();
}

function isRelationshipType(type: string): type is RelationshipType {
  return RELATIONSHIP_TYPES.some((each) => each === type);
}

function headProblems(head: ForeignHead, lines: LineNumbers): Problem[] {
  return [...head.faults, ...(head.loose ? [head.loose] : [])].map(({ code, message, detail, range }) => ({
    code: 'front_matter',
    message,
    detail,
    fault: code,
    range,
    line: lines.at(range.start),
  }));
}

function sorted(problems: Problem[]): Problem[] {
  return problems.sort((one, other) => (one.line ?? 0) - (other.line ?? 0)).slice(0, LIMITS.problems);
}

function bodyStartOf(text: string, head: ForeignHead | undefined): number {
  return head?.contentStart ?? (text.startsWith('\uFEFF') ? 1 : 0);
}

/** The first line, which is what there is to mark when something is missing. */
function beginningOf(text: string): Range {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const end = /[\r\n]/.exec(text.slice(start, start + 200))?.index ?? Math.min(200, text.length - start);
  return { start, end: start + end };
}

function nameOf(file: string): string {
  return (file.split('/').at(-1) ?? file).replace(/\.md$/i, '');
}

/** Lines of offsets that are asked for in nearly any order, most of them in the front matter. */
class LineNumbers {
  private readonly starts: number[] = [0];
  private readonly read: (until: number) => void;

  constructor(text: string) {
    const breaks = text.matchAll(/\r\n|\r|\n/g);
    this.read = (until) => {
      while (this.starts.at(-1)! <= until) {
        const next = breaks.next();
        if (next.done) break;
        this.starts.push(next.value.index + next.value[0].length);
      }
    };
  }

  /** From 0. */
  at(offset: number): number {
    this.read(offset);
    let low = 0;
    for (let high = this.starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
}
