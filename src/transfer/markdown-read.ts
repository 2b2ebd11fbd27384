import { isKaizenError, KaizenError } from '../core/errors';
import { type Sentence, sentence } from '../core/sentence';
import { Turns } from '../core/turns';
import type { EntryText, FrontMatterFault } from '../frontmatter';
import { DEFINITIONS_FILE, type FileNote, lossOf, MARKDOWN, namesIn, type TextFile } from './markdown-format';
import { nameOfFile } from './markdown-names';
import { lineSaid, parseLines, partsOfLineSaid } from './parse';
import type { Defaults } from './read';
import type { EntryRecord, ParsedRecord } from './records';

export interface MarkdownOptions extends Defaults {
  signal?: AbortSignal | undefined;
}

export interface MarkdownReading {
  /** `line` is the place in `places`, from 1. */
  records: ParsedRecord[];
  /** Where each record came from, for messages (`tellPlaces`). */
  places: string[];
  notes: FileNote[];
}

/** How many further problems the hint spells out. */
const MAX_FURTHER = 4;

/**
 * Entries from the files of a folder that Kaizen wrote, as its folders and files are called. Yields to the event loop.
 * Throws `invalid_argument` that names the file and the line when front matter cannot be read.
 */
export async function readMarkdown(files: readonly TextFile[], options: MarkdownOptions): Promise<MarkdownReading> {
  const { faultSentence, parseEntryText, lineAt } = await import('../frontmatter');
  const reading: MarkdownReading = { records: [], places: [], notes: [] };
  const add = (place: string, record: ParsedRecord['record']) => {
    reading.records.push({ line: reading.places.push(place), record });
  };
  const definitions = files.find(({ path }) => path === DEFINITIONS_FILE);
  if (definitions) readDefinitions(definitions, options, add);
  const turns = new Turns(options.signal);
  const problems: Sentence[] = [];
  for (const { path, text } of files) {
    await turns.pause();
    if (!MARKDOWN.test(path)) continue;
    const read = parseEntryText(text);
    const names = written(text, read);
    const { notes } = reading;
    const unreadable = read.faults.find(({ lossy }) => !lossy);
    if (unreadable) {
      const line = lineAt(text, unreadable.range.start);
      problems.push(sentence('{0}, line {1}: {2}', path, line, faultSentence(unreadable)));
      continue;
    }
    const place = placeOf(path, names);
    if (!place) {
      notes.push({
        path,
        message: sentence('It does not stand at <scope>/<category>/<keyword>.md, and was left out.'),
      });
    } else if (read.content.trim() === '') {
      notes.push({ path, message: sentence('It has no text, and was left out.') });
    } else {
      for (const fault of read.faults) if (!isNames(text, fault)) notes.push({ path, message: lossOf(fault) });
      add(path, entryRecord(place, read, options));
    }
  }
  if (problems.length > 0) {
    const [first, second, ...others] = problems.slice(0, 1 + MAX_FURTHER);
    const further = second && others.reduce((all, each) => sentence('{0}\n{1}', all, each), second);
    throw new KaizenError('invalid_argument', first!, further);
  }
  return reading;
}

/** The error with files where it speaks of lines. */
export function tellPlaces(error: unknown, places: readonly string[]): unknown {
  if (!isKaizenError(error)) return error;
  const [said = error.message, hint] = error.said;
  const parts = partsOfLineSaid(said);
  if (parts) {
    const place = places[parts.line - 1];
    return place === undefined
      ? error
      : new KaizenError(error.code, sentence('{0}: {1}', place, parts.what), hint, { cause: error });
  }
  const named = String(said)
    .replace(/^line (\d+): /, (all, line: string) => (places[Number(line) - 1] ? `${places[Number(line) - 1]}: ` : all))
    .replace(/\bon line (\d+)\.$/, (all, line: string) =>
      places[Number(line) - 1] ? `in ${places[Number(line) - 1]}.` : all,
    );
  return new KaizenError(error.code, named, hint, { cause: error });
}

function readDefinitions(
  { path, text }: TextFile,
  options: Defaults,
  add: (place: string, record: ParsedRecord['record']) => void,
): void {
  try {
    for (const { line, record } of parseLines(text, options)) {
      if (record.type === 'scope' || record.type === 'category') add(`${path}, line ${line}`, record);
      else
        throw new KaizenError(
          'invalid_argument',
          lineSaid(line, sentence('only scopes and categories stand in this file.')),
        );
    }
  } catch (error) {
    if (!isKaizenError(error) || !error.message.startsWith('line ')) throw error;
    const [said = error.message, hint] = error.said;
    throw new KaizenError(error.code, sentence('{0}, {1}', path, said), hint, { cause: error });
  }
}

interface Place {
  scope: string;
  category: string;
  keyword: string;
}

function placeOf(path: string, names: ReturnType<typeof namesIn>): Place | undefined {
  const parts = path.replace(MARKDOWN, '').split('/').map(nameOfFile);
  const [scope, category, keyword] = parts;
  return parts.length === 3 && scope && category && keyword ? { scope, category, keyword, ...names } : undefined;
}

function entryRecord(place: Place, { content, metaknowledge }: EntryText, { author, at }: Defaults): EntryRecord {
  const change = { action: 'create', author, by_agent: false, at, project_context: '', reason: null } as const;
  return { type: 'entry', ...place, content, metaknowledge, ...change, revisions: [] };
}

function written(text: string, { faults }: EntryText) {
  const fault = faults.find((each) => isNames(text, each));
  return fault && namesIn(text.slice(fault.range.start, fault.range.end));
}

function isNames(text: string, { code, range }: FrontMatterFault): boolean {
  return code === 'comment' && namesIn(text.slice(range.start, range.end)) !== undefined;
}
