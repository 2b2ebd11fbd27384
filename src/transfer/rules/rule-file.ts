import { type Sentence, sentence } from '../../core/sentence';
import { type ForeignHead, faultSentence, lineAt, readForeignHead } from '../../frontmatter';
import { countLines } from '../../markdown';
import { appliesTo } from './globs';
import { WRITTEN, withoutMarked } from './marks';
import type { FileReading, Leftover, RuleDraft, RuleFile } from './model';
import { segment, slug, slugOfRule, topicOf } from './naming';
import { type Piece, piecesOf, shownTitle } from './pieces';
import { folderOf } from './recognising';
import { withRisk } from './risks';
import { type Section, sectionsOf } from './sections';
import { LONGEST_VALUE, storable } from './storable';

/** Where the entries of files go that say what holds for all work. */
const BASE = 'rules';
/** Levels of headings that become parts of a category below the file's. */
const DEEPEST = 3;
const LONGEST_CATEGORY = 180;
const LONGEST_HEADING = 400;
/** Keys of front matter that say when a rule holds, in the words of Cursor, Copilot, Claude Code, Cline and Windsurf. */
const GLOB_KEYS = ['globs', 'glob', 'applyTo', 'paths'];
const HALF_READ = sentence('The front matter could not be read as a whole.');
const UNCLEAR = sentence('Which files it holds for could not be read.');
const KNOWN_KEYS = new Set([...GLOB_KEYS, 'alwaysApply', 'trigger', 'description']);

/**
 * Reads a file of rules: Markdown with headings, whatever its front matter is; in steps. Never throws for what stands in
 * it.
 */
export function* readRuleFile({ path, kind, text: whole, folders }: RuleFile): Generator<void, FileReading> {
  const { text, leftovers } = withoutMarked(storable(whole), path);
  const reading: FileReading = { drafts: [], leftovers, notes: [] };
  const head = readForeignHead(text);
  const { metaknowledge, isUnclear } = head
    ? fromHead(head, text, path, folders, reading)
    : { metaknowledge: fromFolders(folders, path, reading) };
  const topic = topicOf(path);
  const sections = yield* sectionsOf(text, head?.contentStart ?? bodyStart(text));
  const pieces: Piece[][] = [];
  for (const { start, end, line } of sections) {
    pieces.push(piecesOf(text, start, end, line));
    yield;
  }
  const withText = new Set<number>();
  for (const [place, { within }] of sections.entries()) {
    if (pieces[place]!.length > 0) for (const each of [place, ...within]) withText.add(each);
  }
  const places: Place[] = [];
  const bare: Section[] = [];
  const leaveBare = () => places.push(...textOfHeadings(bare.splice(0), text, path, leftovers));
  for (const [place, section] of sections.entries()) {
    if (withText.has(place)) {
      leaveBare();
      reportLong(section, text, path, leftovers);
      for (const piece of pieces[place]!) places.push({ section, piece });
    } else if (section.headingLine !== undefined) {
      bare.push(section);
    }
  }
  leaveBare();
  const isWhole = places.length === 1;
  // Its own place names it: the name stays when another file imports it as well.
  const context = {
    path,
    topic,
    folder: folderOf(path, kind),
    metaknowledge,
    isWhole,
    remark: isUnclear ? UNCLEAR : undefined,
  };
  for (const place of places) {
    reading.drafts.push(draft(place, context));
    yield;
  }
  if (reading.drafts.length === 0) {
    const isKaizens = leftovers.some(({ why }) => why === WRITTEN);
    reading.reason = isKaizens ? sentence('It holds nothing but what Kaizen wrote.') : sentence('It has no text.');
  }
  return reading;
}

interface Place {
  section: Section;
  piece: Piece;
}

interface Context {
  path: string;
  topic: string;
  folder: string;
  metaknowledge: Record<string, string>;
  /** Whether the file becomes one entry. */
  isWhole: boolean;
  remark?: Sentence | undefined;
}

function draft({ section, piece }: Place, { path, topic, folder, metaknowledge, isWhole, remark }: Context): RuleDraft {
  const own = section.titles.slice(section.documentTitles);
  const whole = section.titles.at(-1) ?? '';
  const heading = own.at(-1) ?? (isFileName(whole, path) ? undefined : whole);
  const parents = piece.title === undefined ? own.slice(0, -1) : own;
  const base = [BASE, ...folder.split('/').map(segment), isWhole ? '' : topic];
  const category = categoryOf([...base, ...parents.slice(0, DEEPEST).map(segment)]);
  const title = piece.title === undefined ? (heading ?? '') : shownTitle(piece.title);
  const name = slug(title) || (isWhole && topic) || slugOfRule(piece.text) || topic || BASE;
  // Keywords are looked up without their categories: that of a file about one thing says which.
  const keyword =
    topic === '' || isWhole || name.includes(topic) ? (isWhole && topic ? topic : name) : `${topic}_${name}`;
  const text = trimmed(piece.text);
  const { content, risk } = withRisk(text, title);
  const source = [path, ...section.titles].join(' › ').slice(0, LONGEST_VALUE);
  return {
    category,
    keyword: keyword.slice(0, 180),
    content,
    metaknowledge: { ...metaknowledge, SOURCE: source },
    path,
    line: piece.line + 1,
    ...(piece.cutFrom === undefined ? {} : { partOf: `${path}, line ${piece.cutFrom + 1}` }),
    ...(risk ? { risk } : {}),
    ...(remark ? { remark } : {}),
  };
}

/** Whether a title only says what the file is called. */
function isFileName(title: string, path: string): boolean {
  const name = path.split('/').at(-1)!;
  return slug(title) === slug(name) || slug(title) === slug(name.replace(/\.\w+$/, ''));
}

/** Dotted, without empty parts, and no longer than a category may be. */
export function categoryOf(segments: readonly string[]): string {
  let category = '';
  const parts = segments.flatMap((each) => each.split('.')).map((part) => part.trim());
  for (const each of parts.filter((part) => part !== '')) {
    const longer = category === '' ? each : `${category}.${each}`;
    if (longer.length > LONGEST_CATEGORY) break;
    category = longer;
  }
  return category;
}

/** Blank lines around a text say nothing; what is indented may be code. */
export function trimmed(text: string): string {
  return text.replace(/^(?:[ \t]*(?:\r\n|\r|\n))+/, '').trimEnd();
}

function bodyStart(text: string): number {
  return text.startsWith('\uFEFF') ? 1 : 0;
}

function fromFolders(folders: readonly string[], path: string, { notes }: FileReading): Record<string, string> {
  const { appliesTo: globs, faults } = appliesTo(undefined, folders, false);
  for (const message of faults) notes.push({ path, message });
  return globs === undefined ? {} : { APPLIES_TO: globs };
}

function fromHead(
  { values, contentStart, faults }: ForeignHead,
  text: string,
  path: string,
  folders: readonly string[],
  { notes, leftovers }: FileReading,
): { metaknowledge: Record<string, string>; isUnclear?: boolean | undefined } {
  for (const fault of faults) {
    notes.push({ path, message: sentence('Line {0}: {1}', lineAt(text, fault.range.start), faultSentence(fault)) });
    const [line, endLine] = [1, Math.max(1, countLines(text, contentStart))];
    if (!leftovers.some(({ why }) => why === HALF_READ)) leftovers.push({ path, line, endLine, why: HALF_READ });
  }
  const always =
    /^(?:true|yes)$/i.test(String(values.get('alwaysApply') ?? '')) || values.get('trigger') === 'always_on';
  const globs = GLOB_KEYS.map((key) => values.get(key)).find((value) => value !== undefined && value.length > 0);
  const applying = appliesTo(globs, folders, always);
  for (const message of applying.faults) notes.push({ path, message });
  const metaknowledge: Record<string, string> = {};
  const description = String(values.get('description') ?? '').trim();
  if (description !== '') metaknowledge.DESCRIPTION = description;
  if (applying.appliesTo !== undefined) metaknowledge.APPLIES_TO = applying.appliesTo;
  for (const [key, value] of values) {
    const name = key
      .toUpperCase()
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .slice(0, 100);
    const said = (Array.isArray(value) ? value.join(', ') : value).trim().slice(0, LONGEST_VALUE);
    // These mean something to stores.
    const isTaken = /^(?:APPLIES_TO|MATCHES|SOURCE|DESCRIPTION)$/.test(name);
    if (!KNOWN_KEYS.has(key) && said !== '' && !isTaken && Object.keys(metaknowledge).length < 40)
      metaknowledge[name] = said;
  }
  return { metaknowledge, isUnclear: applying.isUnclear };
}

/** Of a very long heading only the beginning is kept with the entries below it. */
function reportLong(
  { headingLine, headingStart, start, line }: Section,
  text: string,
  path: string,
  leftovers: Leftover[],
): void {
  if (headingLine === undefined || text.slice(headingStart, start).length <= LONGEST_HEADING) return;
  leftovers.push({ path, line: headingLine + 1, endLine: line, why: sentence('The heading is too long for a name.') });
}

/**
 * What stands in a heading is kept with the entries below it. Of headings that have nothing below them, several in a row
 * are text that was written so, comments for instance; one alone says nothing and is told.
 */
function textOfHeadings(bare: readonly Section[], text: string, path: string, leftovers: Leftover[]): Place[] {
  const [first] = bare;
  if (first?.headingLine === undefined) return [];
  const { headingLine, titles } = first;
  const end = bare.at(-1)!.start;
  if (bare.length === 1) {
    const why = sentence('A heading without text.');
    if (titles.at(-1) !== '')
      leftovers.push({ path, line: headingLine + 1, endLine: Math.max(headingLine + 1, first.line), why });
    return [];
  }
  const section = { ...first, titles: titles.slice(0, -1) };
  return [{ section, piece: { text: text.slice(first.headingStart, end), line: headingLine } }];
}
