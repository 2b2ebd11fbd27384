import { CHUNKING_LIMITS } from './limits';

const LONGEST = 300;
const PATTERNS: readonly RegExp[] = [
  // Standards, with part and year: ISO/IEC/IEEE 15288:2023, IEC 61508-3, DIN EN ISO 9001.
  /\b(?:DIN\s+)?(?:EN\s+)?(?:ISO|IEC|IEEE|IETF|ITU-T|ETSI|ANSI|ASTM|ASME|SAE|ECSS|NIST|EIA|DIN|EN|VDI|VDE|BS|JIS|GOST|CEN|OMG|W3C|ECMA|DO|ARP|AS)(?:\/(?:IEC|IEEE|ASTM|TR|TS|PAS|CIE|ASME|EIA|IETF|CENELEC|RTCA|AIA))*(?:[ -](?:Std|TR|TS|PAS|SP|FIPS|Guide|EN|ISO|IEC|Rec\.?))*[ -]?[A-Z]{0,4}\.?-?\d{1,6}[A-Z]?(?:[-.]\d{1,5}[A-Z]?)*(?::\d{4}(?:-\d{2})?)?/g,
  /\bRFC[ -]?\d{1,5}\b/g,
  /\bMIL-(?:STD|HDBK|PRF|DTL|SPEC)-\d{2,6}[A-Z]?\b/g,
  /\bNASA[/-](?:SP|STD|HDBK|NPR|TM|TP|CR)[-/ ]?(?:\d{1,4}-)?\d{2,6}(?:[-.]\d{1,5})*[A-Z]?\b/g,
  /\bNPR\s?\d{4}\.\d[A-Z]?\b/g,
  // Places: clause 6.4.2, Section 3.1, Annex B.
  /\b(?:sub-?)?clauses?\s+(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*\b/gi,
  /\b(?:sections?|chapters?|articles?|paragraphs?|abschnitt|kapitel)\s+(?:\d{1,3}(?:\.\d{1,3})*|[A-Z](?:\.\d{1,3})+)\b/gi,
  /\b(?:annex|appendix|anhang)\s+[A-Z](?:\.\d{1,3})*\b/gi,
  /§§?\s?\d{1,4}[a-z]?(?:\(\d{1,3}\))?/g,
  /\bdoi:\s?10\.\d{4,9}\/[^\s<>"')\]]{1,200}/gi,
  /\bhttps?:\/\/[^\s<>"'`|\\^{}]{3,300}/g,
];

/** Standards, clauses and addresses that a text names, as they stand there, in order, each once. */
export function findReferences(content: string): string[] {
  const found: { at: number; text: string }[] = [];
  for (const pattern of PATTERNS) {
    for (const match of content.matchAll(pattern)) {
      const text = tidied(match[0]);
      if (text.length <= LONGEST) found.push({ at: match.index, text });
    }
  }
  found.sort((a, b) => a.at - b.at || b.text.length - a.text.length);
  const references = new Set<string>();
  let covered = 0;
  for (const { at, text } of found) {
    // What stands within another one: ISO 9001 in DIN EN ISO 9001, a number in an address.
    if (at < covered) continue;
    covered = at + text.length;
    references.add(text);
    if (references.size >= CHUNKING_LIMITS.references) break;
  }
  return [...references];
}

/** Marks that belong to the sentence and not to the address. */
function tidied(reference: string): string {
  let text = reference.replace(/\s+/g, ' ').replace(/[.,;:!?*_]+$/, '');
  while (text.endsWith(')') && !text.includes('(')) text = text.slice(0, -1).replace(/[.,;:!?]+$/, '');
  if (text.startsWith('http')) text = text.replace(/[)\]]+[.,;:]?$/, (end) => (text.includes('(') ? end : ''));
  return text;
}
