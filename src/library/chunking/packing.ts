import { estimateTokens } from '../../core/tokens';
import { CHUNKING_LIMITS } from './limits';
import { commonSection, type Section } from './sections';
import type { Unit } from './units';

/** Units that follow each other, with the innermost section that has them all. */
export interface Pack {
  start: number;
  end: number;
  tokens: number;
  section: Section;
  units: readonly Unit[];
}

const { least, leastNumbered, most, aim } = CHUNKING_LIMITS;
/** In tokens: what is longer says something by itself. */
const LONGEST_INTRODUCTION = 120;

/** A section's units in packs of at most `most` tokens, cut where paragraphs end if that is near enough, else where sentences do. */
export function packSection(text: string, section: Section, units: readonly Unit[]): Pack[] {
  const packs: Pack[] = [];
  let rest = units.reduce((sum, { tokens }) => sum + tokens, 0);
  let open: Unit[] = [];
  let size = 0;
  const end = () => {
    if (open.length > 0) packs.push(packOf(text, section, open));
    open = [];
    size = 0;
  };
  for (const unit of units) {
    // As many packs as are needed, and all of about one size.
    const parts = Math.max(1, Math.ceil((size + rest) / aim));
    const share = size + rest <= most ? most : (size + rest) / parts;
    const isFull = open.length > 0 && !fits(text, open[0]!.start, unit.end, size + unit.tokens);
    const isEnough = size >= least && size + unit.tokens / 2 > share && (unit.opens || size >= share);
    const kept = introduction(text, open);
    if (isFull || (isEnough && kept.length === 0)) {
      open.length -= kept.length;
      end();
      open = kept;
      size = kept.reduce((sum, { tokens }) => sum + tokens, 0);
    }
    open.push(unit);
    size += unit.tokens;
    rest -= unit.tokens;
  }
  end();
  return packs;
}

/** What says what comes next, a heading or a sentence with a colon, and stands at the end of units that go on before it. */
function introduction(text: string, units: readonly Unit[]): Unit[] {
  let from = units.length;
  let tokens = 0;
  for (; from > 0; from--) {
    const unit = units[from - 1]!;
    const announces =
      unit.kind === 'heading' || (unit.kind === 'prose' && /[:：]$/.test(text.slice(unit.start, unit.end)));
    tokens += unit.tokens;
    if (!announces || tokens > LONGEST_INTRODUCTION) break;
  }
  return from === 0 ? [] : units.slice(from);
}

/**
 * What was too small is joined with what follows, as long as that is small too, and rests of a section with what stands
 * before them: a citation still says where each of them stands, and of what was large enough it says no less than before.
 */
export function joinSmall(text: string, packs: readonly Pack[]): Pack[] {
  const forward = joinWhere(text, packs, (last, pack) => {
    if (last.section === pack.section) return isSmall(last, pack) || isSmall(pack, last);
    return isSmall(last, pack) && isSmall(pack, last);
  });
  return joinWhere(text, forward, (last, pack) => {
    return isSmall(pack, last) && joinedSection(last, pack) === last.section;
  });
}

function isSmall({ section, tokens }: Pack, neighbour: Pack): boolean {
  return tokens < (section.number !== undefined && section !== neighbour.section ? leastNumbered : least);
}

function joinWhere(text: string, packs: readonly Pack[], isToJoin: (last: Pack, pack: Pack) => boolean): Pack[] {
  const joined: Pack[] = [];
  for (const pack of packs) {
    const last = joined.at(-1);
    const section = last && isToJoin(last, pack) ? joinedSection(last, pack) : undefined;
    if (last && section && fits(text, last.start, pack.end, last.tokens + pack.tokens)) {
      joined[joined.length - 1] = packOf(text, section, [...last.units, ...pack.units]);
    } else joined.push(pack);
  }
  return joined;
}

/** Of what both would be cited by: undefined where that would be less than either has. */
function joinedSection(one: Pack, other: Pack): Section | undefined {
  if (one.section === other.section) return one.section;
  const common = commonSection(one.section, other.section);
  // A heading that nothing stands below but further sections: what is said is said in those.
  if (isHeadingOnly(one) && common === one.section) return other.section;
  if (!common) return undefined;
  const hasNumber = one.section.number !== undefined || other.section.number !== undefined;
  const isBelow = common === one.section;
  const areSiblings = one.section.parent === common && other.section.parent === common;
  // Clause 6.4.7 and clause 6.5 would be clause 6.
  const isNext = other.section.parent === common && !hasNumber;
  if (!isBelow && !areSiblings && !isNext) return undefined;
  if (common.level > 0) return common;
  // Above all sections is only the document: a clause's number would be lost.
  return hasNumber || common.title === '' ? undefined : common;
}

function isHeadingOnly({ units }: Pack): boolean {
  return units.every(({ kind }) => kind === 'heading');
}

function packOf(text: string, section: Section, units: readonly Unit[]): Pack {
  const start = units[0]!.start;
  const end = units.at(-1)!.end;
  return { start, end, tokens: estimateTokens(text.slice(start, end)), section, units };
}

/** Estimates do not add up exactly: near the limit the whole is looked at. */
function fits(text: string, start: number, end: number, sum: number): boolean {
  if (sum < 0.5 * most) return true;
  if (sum > 1.5 * most) return false;
  return estimateTokens(text.slice(start, end)) <= most;
}
