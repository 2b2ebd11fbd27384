import type { AuthorityLevel, RequestedType, RequiredAuthority } from '../vocabulary';
import { LIMITS } from './constants';
import { type StandardName, standardsIn } from './standards';
import { topicWords } from './topic-words';

/** What is worth looking for, where, and what kind of document it would be. */
export interface Suggestions {
  queries: string[];
  /** In words for a person. */
  sources: string[];
  /** Pages that are known to say it: to be fetched as they are. */
  urls: string[];
  /** Hosts. */
  domains: string[];
  /** Whether the web has what is wanted first of all, whatever kind of document it is. */
  isOnWeb: boolean;
  document_type: RequestedType;
}

interface Subject {
  topic: string;
  /** Of the topic, that nothing was found of. */
  missing?: readonly string[] | undefined;
  authority: RequiredAuthority;
  /** What the sources that there are refer to, and the library has not. */
  references?: readonly string[] | undefined;
  /** Addresses among those references. */
  addresses?: readonly string[] | undefined;
}

/** Where a body publishes what it makes. */
const BODY_HOSTS: Readonly<Record<string, string>> = {
  ISO: 'iso.org',
  IEC: 'webstore.iec.ch',
  IEEE: 'standards.ieee.org',
  NIST: 'csrc.nist.gov',
  SP: 'csrc.nist.gov',
  FIPS: 'csrc.nist.gov',
  'MIL-STD': 'quicksearch.dla.mil',
  'MIL-HDBK': 'quicksearch.dla.mil',
  'NASA-STD': 'standards.nasa.gov',
  'NASA-HDBK': 'standards.nasa.gov',
  RFC: 'rfc-editor.org',
  BCP: 'rfc-editor.org',
  ETSI: 'etsi.org',
  ECMA: 'ecma-international.org',
  SAE: 'sae.org',
  ARP: 'sae.org',
  DIN: 'din.de',
  EN: 'cencenelec.eu',
};

/** Bodies whose documents anybody may read: where one with this number stands. */
const OPEN_SERIES: Readonly<Record<string, (number: string) => string>> = {
  RFC: (number) => `https://www.rfc-editor.org/rfc/rfc${number}.html`,
  BCP: (number) => `https://www.rfc-editor.org/info/bcp${number}`,
};

const BY_AUTHORITY: Readonly<Record<AuthorityLevel, { words: string; source: string; domains: readonly string[] }>> = {
  normative: {
    words: 'standard requirements',
    source: 'The standard that applies, from the body that publishes it',
    domains: ['iso.org', 'standards.ieee.org', 'ietf.org'],
  },
  authoritative: {
    words: 'handbook',
    source: 'An official handbook, or the documentation of whoever makes it',
    domains: ['nasa.gov', 'nist.gov'],
  },
  reputable: {
    words: 'review paper',
    source: 'Peer-reviewed papers, and pages of universities and public bodies',
    domains: ['doi.org', 'arxiv.org', 'nist.gov'],
  },
  informative: { words: 'guide', source: 'Technical guides and reference pages', domains: [] },
  unverified: { words: 'guide', source: 'Technical guides and reference pages', domains: [] },
};

/** What to look for about a topic. Deterministic, made of the topic's own words. */
export function suggestionsFor({
  topic,
  missing = [],
  authority,
  references = [],
  addresses = [],
}: Subject): Suggestions {
  const subject = topic.replace(/\s+/g, ' ').trim().slice(0, 160);
  const named = [...standardsIn(topic), ...references.flatMap((each) => standardsIn(each, 1))];
  const { words, source, domains } = BY_AUTHORITY[authority === 'any' ? 'informative' : authority];
  const hosts = named.flatMap(({ bodies }) => bodies.flatMap((body) => BODY_HOSTS[body] ?? []));
  // Where nothing at all was found, every word of the topic is missing: no one of them says more than the topic.
  const isPart = missing.length > 0 && missing.length < topicWords(topic).length;
  return {
    queries: distinct([
      ...named.slice(0, 2).map(({ id }) => `"${id}"`),
      subject,
      `${subject} ${words}`,
      ...(isPart ? [`${subject} "${missing.slice(0, 2).join('" "')}"`] : []),
      ...(domains[0] === undefined ? [] : [`site:${hosts[0] ?? domains[0]} ${subject}`]),
    ]).slice(0, LIMITS.queries),
    sources: distinct([...named.slice(0, 3).map(sourceOf), source]),
    urls: distinct([...named.flatMap(openAddress), ...addresses]).slice(0, LIMITS.urls),
    domains: distinct([...hosts, ...domains]),
    isOnWeb: named[0] !== undefined && openAddress(named[0]).length > 0,
    document_type:
      named[0]?.kind ?? (authority === 'normative' ? 'standard' : authority === 'authoritative' ? 'handbook' : 'any'),
  };
}

function openAddress({ bodies, number }: StandardName): string[] {
  return bodies.flatMap((body) => OPEN_SERIES[body]?.(number) ?? []);
}

function sourceOf({ id, bodies }: StandardName): string {
  const host = bodies.map((body) => BODY_HOSTS[body]).find((each) => each !== undefined);
  return host === undefined ? id : `${id} (${host})`;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
