/** A standard as it is named: who publishes it, its number, and the edition where it is told. */
export interface StandardName {
  /** As it stands in the text. */
  id: string;
  kind: 'standard' | 'handbook';
  /** Upper case: `ISO`, `IEC`; of a series its whole name: `MIL-STD`. */
  bodies: readonly string[];
  /** With its part: `26262-6`; with the letter of its revision: `461G`. */
  number: string;
  year?: string | undefined;
}

/** Bodies that number what they publish; a few may stand together: `ISO/IEC/IEEE`, `DIN EN ISO`. */
const BODY =
  'ISO|IEC|IEEE|ANSI|INCITS|DIN|EN|BS|NF|ETSI|ITU-[TR]|ECMA|ASTM|SAE|EIA|AIAA|ASME|VDI|RTCA|EUROCAE|NIST|NFPA|API|UL|JEDEC';
const SERIES =
  'MIL-STD|MIL-HDBK|MIL-PRF|MIL-SPEC|NASA-STD|NASA-HDBK|NPR|NPD|ECSS-[EQMSU](?:-ST|-HB)?|ARP|AIR|DO|ED|AS|STANAG|RFC|BCP|FIPS|SP';
/** What stands between a body and its number: `IEEE Std 1012`, `NIST SP 800-53`, `ETSI EN 303 645`. */
const NAMED = new RegExp(
  String.raw`(?<![\p{L}\d-])((?:${BODY})(?:[ /](?:${BODY}|TR|TS))*)(?:[ -](?:STD|Std|SP|FIPS|TR|TS|PAS|Guide|[A-Z]))?\.?[ -]?(\d{1,6}(?:[-.]\d{1,4})*(?:[A-Z](?![\p{L}]))?)(?:[:–—]((?:19|20)\d\d))?(?![\p{L}\d])`,
  'gu',
);
const NUMBERED = new RegExp(
  String.raw`(?<![\p{L}\d-])(${SERIES})[ -]?(\d{1,6}(?:[-.]\d{1,4})*[A-Z]?\d?)(?:[:–—]((?:19|20)\d\d))?(?![\p{L}\d])`,
  'gu',
);
/** IEEE and ANSI write the edition behind a hyphen: `IEEE 1012-2016`. */
const EDITION = /^(.+)-((?:19|20)\d\d)$/;
/** `EN 5` and `AS 1` are more often no standards. */
const LEAST_DIGITS = 3;
/** These have small numbers. */
const SHORT = /^(RFC|BCP|FIPS|DO|ITU|MIL|NASA|ECSS|ECMA)/;

/** Standards that a text names, each once, in order. */
export function standardsIn(text: string, most = 20): StandardName[] {
  const found = new Map<string, StandardName & { at: number }>();
  for (const pattern of [NAMED, NUMBERED]) {
    for (const match of text.matchAll(pattern)) {
      const bodies = match[1]!.toUpperCase().split(/[ /]/);
      const [, number = match[2]!, year = match[3]] = EDITION.exec(match[2]!) ?? [];
      if (number.replace(/\D/g, '').length < LEAST_DIGITS && !SHORT.test(bodies[0]!)) continue;
      const kind = /HDBK|-HB/.test(match[1]!) ? 'handbook' : 'standard';
      const key = `${bodies.join('/')} ${number}:${year ?? ''}`;
      if (!found.has(key))
        found.set(key, { id: match[0], kind, bodies, number: number.toUpperCase(), year, at: match.index });
    }
  }
  return [...found.values()]
    .sort((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ at, ...name }) => name);
}

/**
 * Whether what there is is what was asked for: the same number of one of the same bodies, and where both tell the edition,
 * the same one. What names no standard is compared by its letters and digits alone.
 */
export function isSameStandard(asked: string, there: string): boolean {
  const [wanted] = standardsIn(asked, 1);
  const [has] = standardsIn(there, 1);
  if (!wanted || !has) return plain(asked) !== '' && plain(asked) === plain(there);
  return (
    wanted.number === has.number &&
    wanted.bodies.some((body) => has.bodies.includes(body)) &&
    (wanted.year === undefined || has.year === undefined || wanted.year === has.year)
  );
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\d]+/gu, '');
}
