import { type Sentence, sentence } from '../../core/sentence';
import { faultSentence, readForeignHead } from '../../frontmatter';
import { lineStartingAt } from '../../markdown';
import { withoutMarked } from './marks';
import type { FileReading, RuleDraft, RuleFile } from './model';
import { slug } from './naming';
import { piecesOf } from './pieces';
import { trimmed } from './rule-file';
import { type Section, sectionsOf } from './sections';
import { LONGEST_CONTENT, LONGEST_VALUE, storable } from './storable';

const CATEGORY = 'decisions';
/** Files that stand among decisions and are none. */
const OTHER = /^(?:readme|index|_index|template|adr-template|.*\btemplate)\.md$/i;
/** Headings that every decision has; what they say may stand behind a colon. */
const PART = /^(?:(?:status|date|consequences|entscheidung|kontext)(?:[ \t]*:.*)?|context\b.*|decision\b.*)$/i;
const DECIDED = 'decision(?: outcome| (?:and|&) rationale)?|entscheidung';
const SAYS_DECISION = new RegExp(`^(?:status|${DECIDED})(?:[ \\t]*:.*)?$`, 'i');
/** Of `adr-tools` the spelling with a c. */
const PAST = /\b(?:super[sc]eded|deprecated|rejected|ersetzt|verworfen|abgelehnt)\b/i;
/** `0012-use-postgres.md`, `adr-0012-…`, `20240131-…`. */
const NUMBER = /^(?:adr[-_]?)?(\d{1,8})[-_. ]*/i;

/** A year in front of a name says when a note was taken; behind `adr` it can be the number of one. */
const NUMBERED = /^(?:adr[-_]?\d{1,8}|(?!(?:19|20)\d\d(?!\d))\d{1,8})[-_. ]/i;
const STATUS_LINE = /^(?:(?:[-*]|#{1,4})[ \t]+)?\**status\**:\**[ \t]*\S/im;

/**
 * Whether a file is a decision by its name, which has a number, and its headings, wherever it lies: in Nygard's form a
 * decision with a status, in that of MADR, which may lack one, an outcome and a problem.
 */
export function looksLikeDecision(name: string, text: string): boolean {
  const beginning = text.slice(0, 20_000);
  const has = (title: string) =>
    new RegExp(`^#{1,4}[ \\t]+(?:${title})(?:[ \\t]*:.*)?[ \\t]*#*[ \\t]*$`, 'im').test(beginning);
  if (!NUMBERED.test(name)) return false;
  if (has('decision outcome') && has('context and problem statement')) return true;
  return has(DECIDED) && (has('status') || STATUS_LINE.test(beginning));
}

/**
 * Reads an architecture decision record, in the form of MADR (front matter, "Context and Problem Statement", "Decision
 * Outcome") or of Nygard ("Status", "Context", "Decision", "Consequences"): one entry, in the category `decisions`.
 */
export function* readDecisionFile({ path, text: whole }: RuleFile): Generator<void, FileReading> {
  const { text, leftovers } = withoutMarked(storable(whole), path);
  const nothing = (reason: Sentence): FileReading => ({ drafts: [], leftovers, notes: [], reason });
  const name = path.split('/').at(-1)!;
  if (OTHER.test(name)) return nothing(sentence('It is a template or an index, and no decision.'));
  const head = readForeignHead(text);
  const from = head?.contentStart ?? (text.startsWith('\uFEFF') ? 1 : 0);
  const sections = yield* sectionsOf(text, from);
  const heading = sections.find(({ titles }) => titles.length > 0);
  const titled = heading && !PART.test(heading.titles.at(-1)!) ? heading : undefined;
  const isDecision =
    NUMBER.test(name) ||
    head?.values.has('status') === true ||
    sections.some(({ titles }) => SAYS_DECISION.test(titles.at(-1) ?? ''));
  if (!isDecision) return nothing(sentence('It has neither a number nor a status or a decision.'));
  // The title is said in TITLE and SOURCE; what stands before it is rare, and then the text begins there.
  const hasPreamble = trimmed(text.slice(from, sections[0]!.end)) !== '';
  const bodyStart = titled && !hasPreamble ? titled.start : from;
  const body = text.slice(bodyStart);
  const content = trimmed(body);
  if (content === '') return nothing(sentence('It has no text.'));
  const title = (titled?.titles.at(-1) ?? '').replace(/^(?:ADR[- ]?)?\d{1,8}[.:)]?\s*(?:[-–—]\s*)?/i, '').trim();
  const metaknowledge: Record<string, string> = {
    SOURCE: [path, ...(titled ? [titled.titles.at(-1)!] : [])].join(' › '),
  };
  if (title !== '') metaknowledge.TITLE = title.slice(0, LONGEST_VALUE);
  const [, number] = NUMBER.exec(name) ?? [];
  if (number !== undefined) metaknowledge.ADR = number;
  const status = said(head?.values.get('status')) || statedAs('Status', text, sections);
  if (status !== '') metaknowledge.STATUS = status;
  const date = said(head?.values.get('date')) || statedAs('Date', text, sections);
  if (date !== '') metaknowledge.DATE = date;
  for (const [key, value] of head?.values ?? []) {
    const label = key
      .toUpperCase()
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .slice(0, 100);
    if (said(value) !== '' && !/^(?:APPLIES_TO|MATCHES)$/.test(label) && Object.keys(metaknowledge).length < 40)
      metaknowledge[label] ??= said(value);
  }
  const isPast = PAST.exec(status);
  const remark = isPast === null ? {} : { remark: sentence('Its status is "{0}".', status.slice(0, 80)) };
  const keyword = slug(title) || slug(name.replace(/\.\w+$/, '').replace(NUMBER, '')) || slug(name) || 'decision';
  const line = lineOf(text, bodyStart);
  const parts = split(content);
  const partOf = parts.length > 1 ? { partOf: path } : {};
  const drafts = parts.map((part, index): RuleDraft => {
    const part_of = index === 0 ? keyword : `${keyword}_${index + 1}`;
    return { category: CATEGORY, keyword: part_of, content: part, metaknowledge, path, line, ...remark, ...partOf };
  });
  const notes = (head?.faults ?? []).map((fault) => ({ path, message: faultSentence(fault) }));
  return { drafts, leftovers, notes };
}

function said(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value.join(', ') : (value ?? '')).trim().slice(0, LONGEST_VALUE);
}

/** `Status: accepted`, `* Status: accepted`, the heading "Status: accepted", or the first line below the heading "Status". */
function statedAs(name: string, text: string, sections: readonly Section[]): string {
  const heading = new RegExp(`^${name}(?:[ \\t]*:[ \\t]*(.*))?$`, 'i');
  const section = sections.find(({ titles }) => heading.test(titles.at(-1) ?? ''));
  const beside = heading.exec(section?.titles.at(-1) ?? '')?.[1]?.trim();
  if (beside) return beside.slice(0, LONGEST_VALUE);
  const below = section && trimmed(text.slice(section.start, section.end)).split(/[\r\n]/, 1)[0];
  if (below) return below.trim().slice(0, LONGEST_VALUE);
  const line = new RegExp(`^[ \\t]*(?:[-*][ \\t]+)?(?:\\*\\*)?${name}:?(?:\\*\\*)?[ \\t]*:?[ \\t]+(\\S.*)$`, 'im');
  const found = line.exec(text.slice(0, 4_000));
  return found && /:/.test(found[0]) ? found[1]!.trim().slice(0, 200) : '';
}

function split(content: string): string[] {
  return content.length <= LONGEST_CONTENT
    ? [content]
    : piecesOf(content, 0, content.length, 0).map(({ text }) => text);
}

function lineOf(text: string, from: number): number {
  const blank = /^(?:[ \t]*(?:\r\n|\r|\n))+/.exec(text.slice(from))?.[0].length ?? 0;
  return lineStartingAt(text, from + blank) + 1;
}
