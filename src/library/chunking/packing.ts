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
    const staysWhole = open.at(-1)?.kind === 'heading';
    if (isFull || (isEnough && !staysWhole)) {
      const heading = isFull && staysWhole && open.length > 1 ? open.pop()! : undefined;
      end();
      if (heading) {
        open = [heading];
        size = heading.tokens;
      }
    }
    open.push(unit);
    size += unit.tokens;
    rest -= unit.tokens;
  }
  end();
  return packs;
}

/**
 * What was too small is joined with what follows, as long as that is small too, and rests of a section with what stands
 * before them: a citation still says where each of them stands, and of what was large enough it says no less than before.
 */
export function joinSmall(text: string, packs: readonly Pack[]): Pack[] {
  const forward = joinWhere(text, packs, (last, pack) => {
    if (last.section === pack.section) return isSmall(last, pack) || isSmall(pack, last);
    return isHeadingOnly(last) || (isSmall(last, pack) && isSmall(pack, last));
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
  const isBelow = common === one.section;
  const areSiblings = one.section.parent === common && other.section.parent === common;
  if (!isBelow && !areSiblings && !(other.section.parent === common)) return undefined;
  if (common.level > 0) return common;
  // Above all sections is only the document: a clause's number would be lost.
  const hasNumber = (section: Section) => section.number !== undefined;
  return hasNumber(one.section) || hasNumber(other.section) || common.title === '' ? undefined : common;
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
