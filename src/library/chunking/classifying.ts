import type { ChunkType } from '../model';
import type { Pack } from './packing';
import { type Section, titlesOf } from './sections';

/** RFC 2119 and the ISO/IEC Directives, part 2, 7: what is required is said by these words, in German by `muss`. */
const REQUIRED =
  /\b(?:shall|must)(?:\s+not)?\b(?!\s+have\s+been\b)|\b(?:REQUIRED|MUST|SHALL)\b|\b(?:is|are)\s+required\s+to\b|\b(?:muss|müssen|darf\s+nicht|dürfen\s+nicht)\b/u;
const RECOMMENDED =
  /\b(?:should|recommended|RECOMMENDED|recommend|advisable|best\s+practice|consider|sollte|sollten|empfohlen)\b/u;
const DEFINED =
  /^(?:\*\*|__)?[\p{L}][^.:\n]{0,80}?(?:\*\*|__)?\s*(?:\([^)\n]{1,40}\)\s*)?(?:means|is defined as|are defined as|refers to|denotes|bezeichnet|bedeutet)\b/imu;
/** Not "Architecture definition", which is a process. */
const DEFINITIONS =
  /^(?:[\dA-Z.]+\s+)?(?:(?:key|general|basic|list\s+of)\s+)?(?:terms(?=\s*(?:,|$|and\s+(?!conditions)))|definitions\b|definition\s+of\s+terms|glossary|terminology|vocabulary|(?:symbols\s+and\s+)?abbreviat(?:ions|ed\s+terms)|acronyms|begriffe|glossar|abkürzungen)/i;
const GUIDANCE =
  /\b(?:guidance|guidelines?|recommendations?|best\s+practices?|how\s+to|tips|tutorial|advice|empfehlungen|leitfaden)\b/i;
const INFORMATIVE =
  /\(informative\)|\binformative\b|^(?:examples?|foreword|bibliography|beispiele?|vorwort|literatur)\b/i;
const NORMATIVE = /\(normative\)/i;
/** A paragraph that explains and does not require (ISO/IEC Directives, part 2, 24 and 25). */
const NOTE =
  /^(?:[-*>\s]*)(?:\*\*|__|\*)?(?:NOTE|EXAMPLE|Note|Example|ANMERKUNG|BEISPIEL|Anmerkung|Beispiel)(?:\s+\d+)?(?:\s+to\s+entry)?\s*(?:\*\*|__|\*)?\s*[:.–—-]?\s/;

/** What only names the words (RFC 2119, 1) requires nothing. */
const NAMED = /["“”‘'](?:shall|must|required|muss|müssen)(?:\s+not)?["“”’']/gi;

export interface Classified {
  chunk_type: ChunkType;
  normative?: boolean | undefined;
}

/** What a chunk is, by its section's title and its own words. `normative` is undefined where neither tells. */
export function classify(text: string, pack: Pack): Classified {
  const titles = titlesOf(pack.section);
  const paragraphs = paragraphsOf(text, pack);
  const requires = paragraphs.some(({ said, isNote }) => !isNote && REQUIRED.test(said.replace(NAMED, '')));
  const normative = normativeOf(pack.section, paragraphs, requires);
  const own = paragraphs.map(({ said }) => said).join('\n\n');
  return { chunk_type: typeOf(titles, own, requires && normative !== false), normative };
}

function normativeOf(
  section: Section,
  paragraphs: readonly { isNote: boolean }[],
  requires: boolean,
): boolean | undefined {
  const titles = titlesOf(section);
  if (titles.some((title) => NORMATIVE.test(title))) return true;
  if (titles.some((title) => INFORMATIVE.test(title))) return false;
  if (requires) return true;
  return paragraphs.length > 0 && paragraphs.every(({ isNote }) => isNote) ? false : undefined;
}

function typeOf(titles: readonly string[], said: string, requires: boolean): ChunkType {
  if (titles.some((title) => DEFINITIONS.test(title))) return 'definition';
  if (requires) return 'requirement';
  if (DEFINED.test(said)) return 'definition';
  return RECOMMENDED.test(said) || titles.some((title) => GUIDANCE.test(title)) ? 'guidance' : 'content';
}

/** Its paragraphs in words: neither headings nor code. */
function paragraphsOf(text: string, { units }: Pack): { said: string; isNote: boolean }[] {
  const paragraphs: { said: string; isNote: boolean }[] = [];
  for (const { start, end, kind, opens } of units) {
    if (kind === 'heading' || kind === 'code') continue;
    const said = text.slice(start, end);
    const last = paragraphs.at(-1);
    if (last && !opens) last.said += ` ${said}`;
    else paragraphs.push({ said, isNote: NOTE.test(said) });
  }
  return paragraphs;
}
