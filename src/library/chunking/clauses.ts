import type { Section } from './sections';
import type { Unit } from './units';

export interface Clause {
  section: Section;
  units: Unit[];
}

/** The number that a paragraph begins with. */
const NUMBER = /^((?:\d{1,3}|[A-Z])(?:\.\d{1,3}){1,8})\.?\s+(?=[\p{Lu}"“(])/u;
const ANNEX = /^(?:annex|appendix|anhang|anlage)\s+(?=[A-Z]\b)/i;

/**
 * A section's units by the clauses in it: paragraphs with a number below that of the section, or behind it below that of one
 * around it, without a heading. What stands in front of the first stays the section's own, its heading goes with the first.
 */
export function clausesOf(text: string, section: Section, units: readonly Unit[]): Clause[] {
  const clauses: Clause[] = [{ section, units: [] }];
  for (const unit of units) {
    const number = numberOf(text, unit);
    const parent = number === undefined ? undefined : around(section, number);
    if (parent) {
      const { level, title } = parent;
      const own = { start: unit.start, textStart: unit.start, end: unit.end, level: level + 1, title, number };
      const last = clauses.at(-1)!;
      const isHeading = parent === section && last.section === section && isHeadings(last.units);
      if (isHeading) clauses.pop();
      clauses.push({ section: { ...own, parent, isParagraph: true }, units: isHeading ? last.units : [] });
    }
    const open = clauses.at(-1)!;
    open.section.end = Math.max(open.section.end, unit.end);
    open.units.push(unit);
  }
  return clauses;
}

/** The innermost section that a clause of this number can be in. */
function around(section: Section, number: string): Section | undefined {
  for (let each: Section | undefined = section; each; each = each.parent) {
    const outer = each.number?.replace(ANNEX, '');
    if (outer === undefined || !number.startsWith(`${outer}.`)) continue;
    return each === section || isBehind(number, section.number ?? '') ? each : undefined;
  }
  return undefined;
}

function isBehind(number: string, other: string): boolean {
  const [own, before] = [number, other].map((each) => each.replace(ANNEX, '').split('.'));
  const at = own!.findIndex((part, index) => part !== before![index]);
  return at !== -1 && Number(own![at]) > Number(before![at] ?? 0);
}

function isHeadings(units: readonly Unit[]): boolean {
  return units.every(({ kind }) => kind === 'heading');
}

function numberOf(text: string, { start, end, kind, opens }: Unit): string | undefined {
  if (kind !== 'prose' || !opens) return undefined;
  return NUMBER.exec(text.slice(start, Math.min(end, start + 60)))?.[1];
}
