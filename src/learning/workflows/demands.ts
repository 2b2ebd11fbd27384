import { clausesOf, isNegated } from './polarity';
import { shared, stemSet, stemsOf } from './words';

/** A number with its unit, and how it binds. */
interface Measure {
  value: number;
  unit: string;
  /** As it stands there: `10 seconds`, `every 12 months`. */
  written: string;
  bound: 'least' | 'most' | 'exact';
}

export interface Comparison {
  status: 'possibly not met' | 'applies';
  /** What in both texts says so. */
  reason: string;
}

const MEASURE = /(?<![\p{L}\p{N}.])(\d{1,3}(?:[, ]\d{3})+|\d+)(\.\d+)?\s*(%|°C|[\p{L}µΩ]+(?:\/[\p{L}]+)?)/gu;
const AT_LEAST =
  /\b(?:at least|no(?:t)? (?:less|fewer|lower|shorter) than|minimum(?: of)?|or more|more than|exceeds?|above|longer than)\b/iu;
const AT_MOST =
  /\b(?:at most|no(?:t)? (?:more|greater|higher|longer|later) than|(?:not|never) exceed|maximum(?: of)?|within|or less|less than|fewer than|below|up to|under|shorter than)\b/iu;
/** How often: `at least every 12 months`. */
const OFTEN = /\b(at least |at a minimum )?(?:once |twice )?(?:every|each|per) $/iu;
/** Forms that no stem brings together, by the one that it is known by. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  `written/write wrote/write sent/send kept/keep made/make given/give taken/take shown/show held/hold built/build left/leave
  lost/lose done/do chosen/choose hidden/hide broken/break known/know seen/see met/meet paid/pay told/tell thrown/throw`
    .split(/\s+/)
    .map((pair) => pair.split('/').flatMap(stemsOf) as [string, string]),
);
/** What obliges. */
const OBLIGES = /\b(?:shall|must|is required to|are required to|has to|have to|muss|müssen)\b/iu;

export function isDemand(sentence: string): boolean {
  return OBLIGES.test(sentence);
}

/**
 * What a demand and a situation say of the same: numbers of one unit where both state them, and a yes against a no where
 * they share what they speak of. Everything else only applies: what a text does not show is not claimed.
 */
export function compare(demand: string, situation: readonly string[]): Comparison {
  const demanded = measuresIn(demand);
  const about = stemSet(demand);
  for (const sentence of situation) {
    const both = shared(stemsOf(sentence), about);
    if (both.length === 0) continue;
    for (const wanted of demanded) {
      for (const stated of measuresIn(sentence)) {
        if (stated.unit !== wanted.unit || !breaks(stated, wanted)) continue;
        const reason = `It demands ${words(wanted)}, and the situation says ${stated.written}.`;
        return { status: 'possibly not met', reason };
      }
    }
    const denied = deniedOf(demand, sentence);
    if (denied) return { status: 'possibly not met', reason: denied };
  }
  return { status: 'applies', reason: 'It concerns the situation; whether it is met, the text does not tell.' };
}

function deniedOf(demand: string, sentence: string): string | undefined {
  const wanted = demand.split(OBLIGES).slice(1).join(' ');
  const isForbidden = /^\s*(?:not|never|nicht)\b/iu.test(wanted);
  const subject = new Set(basicStems(wanted));
  for (const clause of clausesOf(sentence)) {
    const both = shared(basicStems(clause), subject);
    // A single common word of a long demand is chance.
    if (both.length < Math.min(2, subject.size) || both.length === 0) continue;
    if (isNegated(clause) !== isForbidden) {
      return isForbidden
        ? `It forbids what the situation says: "${clause}".`
        : `It demands what the situation denies: "${clause}".`;
    }
  }
  return undefined;
}

function basicStems(text: string): string[] {
  return stemsOf(text).map((stem) => IRREGULAR.get(stem) ?? stem);
}

function measuresIn(text: string): Measure[] {
  return [...text.matchAll(MEASURE)].map((match) => {
    const before = text.slice(Math.max(0, match.index - 30), match.index);
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 10);
    const around = `${before} ${after}`;
    const often = OFTEN.exec(before);
    // The more often, the shorter the time between.
    const bound = often?.[1] || AT_MOST.test(around) ? 'most' : AT_LEAST.test(around) ? 'least' : 'exact';
    return {
      value: Number(match[1]!.replace(/[, ]/g, '') + (match[2] ?? '')),
      unit: unitOf(match[3]!),
      written: often ? `${often[0].trim()} ${match[0]}` : match[0],
      bound,
    };
  });
}

function unitOf(unit: string): string {
  const plain = unit.toLowerCase();
  return plain.length > 3 ? plain.replace(/s$/, '') : plain;
}

function breaks(stated: Measure, wanted: Measure): boolean {
  if (wanted.bound === 'most') return stated.bound !== 'most' && stated.value > wanted.value;
  if (wanted.bound === 'least') return stated.bound !== 'least' && stated.value < wanted.value;
  return false;
}

function words({ written, bound }: Measure): string {
  if (/every|each|per/iu.test(written)) return written;
  return `${bound === 'most' ? 'at most' : bound === 'least' ? 'at least' : ''} ${written}`.trim();
}
