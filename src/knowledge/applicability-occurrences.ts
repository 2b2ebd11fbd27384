import { RE2JS } from 're2js';
import type { OccurrenceOptions, Occurrences } from './model';

const MAX_PATTERN_LENGTH = 500;
/** Steps of a compiled pattern, and what its `{n,m}` may add up to: both bound what one character costs. */
const MAX_STEPS = 1_000;
const MAX_REPETITIONS = 1_000;

/** UTF-16 code units. Beyond it a file is data rather than something that a person reads. */
const MAX_TEXT_LENGTH = 1_000_000;
/** Longer lines are minified or data. They are passed over: the event loop is not to be held by one of them. */
const MAX_LINE_LENGTH = 1_000;
const MAX_OCCURRENCES = 200;
/** Of searching, not counting the pauses. */
const MAX_MILLISECONDS = 1_000;
const SLICE_MILLISECONDS = 8;

const compiled = new Map<string, RE2JS | string>();
const REMEMBERED_PATTERNS = 500;

/** What is wrong with a regular expression of MATCHES, in words; undefined when nothing is. */
export function patternFault(pattern: string): string | undefined {
  const result = compile(pattern);
  return typeof result === 'string' ? result : undefined;
}

/** See `KnowledgePart.findOccurrences`. */
export async function findOccurrences(
  text: string,
  pattern: string,
  { limit = MAX_OCCURRENCES, signal }: OccurrenceOptions = {},
): Promise<Occurrences> {
  const expression = compile(pattern);
  if (typeof expression === 'string') return { ranges: [], unsearched: 'broken_pattern' };
  if (text.length > MAX_TEXT_LENGTH) return { ranges: [], unsearched: 'too_large' };
  const ranges: Occurrences['ranges'] = [];
  let unsearched: Occurrences['unsearched'];
  let spent = 0;
  let sliceStart = performance.now();
  for (let start = 0; start < text.length && ranges.length < limit; ) {
    const lineBreak = text.indexOf('\n', start);
    const next = lineBreak < 0 ? text.length : lineBreak + 1;
    const end = lineBreak < 0 ? next : lineBreak - (text[lineBreak - 1] === '\r' ? 1 : 0);
    if (end - start > MAX_LINE_LENGTH) unsearched = 'too_large';
    else if (end > start) addOccurrences(text.slice(start, end), start, expression, limit, ranges);
    start = next;
    const slice = performance.now() - sliceStart;
    if (slice < SLICE_MILLISECONDS) continue;
    spent += slice;
    if (spent > MAX_MILLISECONDS) return { ranges, unsearched: 'too_large' };
    await new Promise((resolve) => setImmediate(resolve));
    if (signal?.aborted) return { ranges, unsearched: 'cancelled' };
    sliceStart = performance.now();
  }
  return { ranges, ...(unsearched ? { unsearched } : {}) };
}

function addOccurrences(
  line: string,
  offset: number,
  expression: RE2JS,
  limit: number,
  ranges: Occurrences['ranges'],
): void {
  const matcher = expression.matcher(line);
  while (ranges.length < limit && matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    // A pattern that matches nothing at all, such as `x*`, would be everywhere.
    if (end > start) ranges.push({ start: offset + start, end: offset + end });
  }
}

/** The expression, or what is wrong with it. */
function compile(pattern: string): RE2JS | string {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const result = compileAnew(pattern);
  // The few patterns of one set of rules are asked for again and again; beyond that, remembering starts over.
  if (compiled.size >= REMEMBERED_PATTERNS) compiled.clear();
  compiled.set(pattern, result);
  return result;
}

function compileAnew(pattern: string): RE2JS | string {
  if (pattern.trim() === '') return 'The regular expression is empty.';
  if (pattern.length > MAX_PATTERN_LENGTH) {
    return `The regular expression has ${pattern.length} characters; the limit is ${MAX_PATTERN_LENGTH}.`;
  }
  const repetitions = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)];
  const sum = repetitions.reduce((total, [, least, most]) => total + Number(most || least), 0);
  if (sum > MAX_REPETITIONS) return `The regular expression repeats more than ${MAX_REPETITIONS} times in all.`;
  try {
    const expression = RE2JS.compile(pattern);
    if (expression.programSize() > MAX_STEPS) return 'The regular expression is too large once it is written out.';
    return expression;
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
    return `The regular expression cannot be read: ${why}.`;
  }
}
