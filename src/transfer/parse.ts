import { describeError, isKaizenError, KaizenError } from '../core/errors';
import { isSentence, type Sentence, sentence } from '../core/sentence';
import { Turns } from '../core/turns';
import { isObject } from './fields';
import { type Defaults, readRecord } from './read';
import { FORMAT, type ParsedRecord, type TransferRecord } from './records';

/** How many further problems the hint spells out: enough to mend a file in a few rounds, not a screen full. */
const MAX_FURTHER = 4;

/**
 * Reads the text of an export file (docs/import-export.md). Blank lines, a byte order mark and CRLF are let pass.
 * Checks what a line by itself and its neighbours in the file can tell: JSON, fields, types, repeated records; ids,
 * lengths and parents are checked by whoever applies the records (see `atLine`).
 * Throws `invalid_argument` with `line 12: …` for the first problem; the hint names some of the others.
 */
export function parseLines(text: string, defaults: Defaults): ParsedRecord[] {
  const reading = new Reading(defaults);
  for (const [index, raw] of linesOf(text).entries()) reading.take(raw, index + 1);
  return reading.end();
}

/** As `parseLines`, yielding to the event loop. */
export async function parseLinesInTurns(
  text: string,
  defaults: Defaults,
  signal?: AbortSignal,
): Promise<ParsedRecord[]> {
  const reading = new Reading(defaults);
  const turns = new Turns(signal);
  for (const [index, raw] of linesOf(text).entries()) {
    await turns.pause();
    reading.take(raw, index + 1);
  }
  return reading.end();
}

function linesOf(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split('\n');
}

/** A file that is read line by line, and what was wrong so far. */
class Reading {
  private readonly records: ParsedRecord[] = [];
  private readonly problems: Sentence[] = [];
  private readonly seen = new Map<string, number>();
  private headerSeen = false;

  constructor(private readonly defaults: Defaults) {}

  take(raw: string, line: number): void {
    if (raw.trim() === '') return;
    try {
      const value = parseJson(raw);
      if (!this.headerSeen) {
        this.headerSeen = true;
        checkHeader(value);
        return;
      }
      const record = readRecord(value, this.defaults);
      const identity = identityOf(record);
      const earlier = this.seen.get(identity);
      if (earlier !== undefined && record.type !== 'session')
        throw new Wrong(sentence('the same {0} already stands on line {1}', record.type, earlier));
      this.seen.set(identity, line);
      this.records.push({ line, record });
    } catch (error) {
      if (isKaizenError(error)) throw new KaizenError(error.code, atLineSaid(line, error), error.said[1]);
      this.problems.push(lineSaid(line, error instanceof Wrong ? error.said : describeError(error)));
    }
  }

  end(): ParsedRecord[] {
    const [first, ...further] = this.problems;
    if (!this.headerSeen)
      throw new KaizenError(
        'invalid_argument',
        sentence('{0}.', first ?? sentence('line 1: the file is empty')),
        HEADER_HINT,
      );
    if (first !== undefined) {
      const more = further.length - MAX_FURTHER;
      const named = further.slice(0, MAX_FURTHER);
      if (more > 0) named.push(sentence('and {0} more', more));
      throw new KaizenError(
        'invalid_argument',
        sentence('{0}.', first),
        named.length > 0 ? sentence('Also: {0}.', inOneRow(named)) : undefined,
      );
    }
    return this.records;
  }
}

/** At least one. Each stays a sentence, so that all of it is said in the reader's language. */
function inOneRow(problems: readonly Sentence[]): Sentence {
  return problems.reduce((all, each) => sentence('{0}; {1}', all, each));
}

/** Runs a check of one record; a KaizenError that it throws says the line the record stands on. */
export function atLine<T>(line: number, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!isKaizenError(error)) throw error;
    throw new KaizenError(error.code, atLineSaid(line, error), error.said[1], { cause: error });
  }
}

type Said = Sentence['values'][number];

/** How `atLine` says on which line something is wrong. */
export function lineSaid(line: number, what: Said): Sentence {
  return sentence('line {0}: {1}', line, what);
}

const LINE_SAID = lineSaid(0, '').text;

/** The parts of what `lineSaid` gave, in another bundle as well; undefined for anything else. */
export function partsOfLineSaid(said: Sentence | string): { line: number; what: Said } | undefined {
  if (!isSentence(said) || said.text !== LINE_SAID) return undefined;
  const [line, what = ''] = said.values;
  return { line: Number(line), what };
}

function atLineSaid(line: number, { said, message }: KaizenError): Sentence {
  return lineSaid(line, said[0] ?? message);
}

const HEADER_HINT = sentence('A Kaizen file begins with {0}.', JSON.stringify({ type: 'kaizen', format: FORMAT }));

/** What a line is not; more of them are told at once. */
class Wrong extends Error {
  constructor(readonly said: Sentence) {
    super(String(said));
  }
}

function parseJson(raw: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    throw new Wrong(sentence('this is not JSON (each line holds one whole JSON object)'));
  }
  if (!isObject(value)) throw new Wrong(sentence('this is not a JSON object'));
  return value;
}

/** Ends the reading when it does not fit: the lines below mean nothing then. */
function checkHeader(value: Record<string, unknown>): void {
  if (value.type !== 'kaizen' || typeof value.format !== 'number') {
    throw new KaizenError('invalid_argument', sentence('this is not a Kaizen export file.'), HEADER_HINT);
  }
  if (value.format !== FORMAT) {
    throw new KaizenError(
      'invalid_argument',
      sentence('the file has format {0}, this Kaizen reads format {1}.', value.format, FORMAT),
      value.format > FORMAT ? sentence('Update Kaizen and import it again.') : HEADER_HINT,
    );
  }
  const unknown = Object.keys(value).find((name) => name !== 'type' && name !== 'format');
  if (unknown !== undefined)
    throw new KaizenError('invalid_argument', sentence('unknown field "{0}".', unknown), HEADER_HINT);
}

/** What must be there once only; a session that was stored twice in one millisecond is no reason to refuse a file. */
function identityOf(record: TransferRecord): string {
  switch (record.type) {
    case 'scope':
      return JSON.stringify([record.type, record.id]);
    case 'category':
      return JSON.stringify([record.type, record.scope, record.category]);
    case 'entry':
      return JSON.stringify([record.type, record.scope, record.category, record.keyword]);
    case 'overview':
    case 'progress':
      return JSON.stringify([record.type, record.project]);
    case 'session':
      return JSON.stringify([record.type, record.project, record.at, record.summary]);
    case 'task':
      return JSON.stringify([record.type, record.project, record.name, record.domain ?? '']);
  }
}
