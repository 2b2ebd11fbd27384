import type { GuardRule } from '../model';
import { folded } from './patterns';
import { occursPlainly } from './plain-patterns';
import type { Disk } from './workspace-files';

/** Whether MATCHES occurs, or why that is not known. */
export type Occurs = 'yes' | 'no' | 'unreadable' | 'unsearched';

/** Characters of a text, and bytes of a file. */
const MAX_TEXT = 1_000_000;
/** Characters of one call, over all rules: what expressions cost is bounded by it. */
const MAX_SEARCHED = 2_000_000;
/** What `findOccurrences` looks at in one piece; longer lines are cut, with what two pieces have in common. */
const PIECE = 1_000;
const OVERLAP = 300;
/** Pieces that it is given at once: all of them may be more than it looks at. */
const AT_ONCE = 500;

interface SearchedText {
  /** As `folded` has it. */
  folded: string;
  lines?: { line: string; folded: string }[];
}

/** Searches for MATCHES: first for the text that every match needs, so that most expressions are never compiled. */
export class Texts {
  private readonly known = new Map<string, SearchedText>();
  private readonly contents = new Map<string, string | undefined>();
  /** Characters that may still be searched: the gravest rules come first. */
  private left = MAX_SEARCHED;

  constructor(private readonly disk: Disk) {}

  /** Whether one of the texts holds what every match needs, or is too long for that to be known. */
  hold(texts: readonly string[], needs: string): boolean {
    return texts.some(
      (text) => text.length > MAX_TEXT || this.searched(text.slice(0, MAX_TEXT)).folded.includes(needs),
    );
  }

  async match(rule: GuardRule, texts: readonly string[]): Promise<Occurs> {
    // Of an expression that cannot be read every text is one that it could be about, and so is none.
    if (await isUnreadable(rule)) return 'unreadable';
    let result: Occurs = 'no';
    for (const text of texts) {
      const occurs = await this.occurs(rule, text.slice(0, MAX_TEXT));
      if (occurs === 'yes' || occurs === 'unreadable') return occurs;
      if (occurs === 'unsearched' || text.length > MAX_TEXT) result = 'unsearched';
    }
    return result;
  }

  async matchFile(rule: GuardRule, file: string): Promise<Occurs> {
    if (!this.contents.has(file)) this.contents.set(file, this.disk.read(file));
    const text = this.contents.get(file);
    if (text === undefined) return 'no';
    const occurs = await this.occurs(rule, text);
    // So much is read of a file that is longer.
    return occurs === 'no' && Buffer.byteLength(text) >= MAX_TEXT ? 'unsearched' : occurs;
  }

  private async occurs({ matches, needs }: GuardRule, text: string): Promise<Occurs> {
    if (matches === null || text === '') return 'no';
    const searched = this.searched(text);
    if (needs !== null && !searched.folded.includes(needs)) return 'no';
    searched.lines ??= text.split(/\r?\n/).map((line) => ({ line, folded: folded(line) }));
    const lines = searched.lines.filter((each) => each.line !== '' && (needs === null || each.folded.includes(needs)));
    const all = lines.flatMap(({ line }) => pieces(line));
    for (let from = 0; from < all.length; from += AT_ONCE) {
      if (this.left === 0) return 'unsearched';
      const part = all.slice(from, from + AT_ONCE).join('\n');
      const within = part.slice(0, this.left);
      this.left -= within.length;
      const occurs = await search(matches, needs, within);
      if (occurs !== 'no') return occurs;
      if (within.length < part.length) return 'unsearched';
    }
    return 'no';
  }

  private searched(text: string): SearchedText {
    const known = this.known.get(text) ?? { folded: folded(text) };
    this.known.set(text, known);
    return known;
  }
}

async function search(matches: string, needs: string | null, part: string): Promise<Occurs> {
  const plainly = needs === null ? undefined : occursPlainly(matches, part);
  if (plainly !== undefined) return plainly ? 'yes' : 'no';
  const { findOccurrences } = await import('../../knowledge/applicability-occurrences');
  const { ranges, unsearched } = await findOccurrences(part, matches, { limit: 1 });
  if (ranges.length > 0) return 'yes';
  return unsearched === undefined ? 'no' : unsearched === 'broken_pattern' ? 'unreadable' : 'unsearched';
}

/** What can be read mostly has a text that it needs; one that has none must be compiled in any case. */
async function isUnreadable({ matches, needs }: GuardRule): Promise<boolean> {
  if (matches === null || needs !== null) return false;
  const { patternFault } = await import('../../knowledge/applicability-occurrences');
  return patternFault(matches) !== undefined;
}

/** A line that is too long to be searched at once. */
function pieces(line: string): string[] {
  if (line.length <= PIECE) return [line];
  const result: string[] = [];
  for (let at = 0; at < line.length; at += PIECE - OVERLAP) result.push(line.slice(at, at + PIECE));
  return result;
}
