import { authorityOfHost } from '../assessing/hosts';
import { topicWords } from '../assessing/topic-words';
import type { CoverageAssessment } from '../model';
import { AUTHORITY_LEVELS } from '../model';

const MOST_QUERIES = 5;
const MOST_SITES = 8;

/** Sites by what they are about; words as they stand in topics, compared by their stems. docs/library.md has the same table. */
const SITES: readonly { words: string; hosts: readonly string[] }[] = [
  {
    words: 'web http https html css javascript browser dom fetch cookie websocket',
    hosts: ['developer.mozilla.org', 'www.w3.org', 'www.rfc-editor.org'],
  },
  { words: 'typescript javascript node npm', hosts: ['www.typescriptlang.org', 'nodejs.org', 'developer.mozilla.org'] },
  { words: 'python pip asyncio django flask', hosts: ['docs.python.org'] },
  { words: 'rust cargo', hosts: ['doc.rust-lang.org'] },
  { words: 'go golang goroutine', hosts: ['go.dev'] },
  {
    words: 'sql database postgres postgresql transaction query index',
    hosts: ['www.postgresql.org', 'www.sqlite.org'],
  },
  { words: 'linux kernel syscall posix shell', hosts: ['docs.kernel.org', 'man7.org'] },
  { words: 'kubernetes container docker pod helm cluster', hosts: ['kubernetes.io'] },
  { words: 'aws lambda s3', hosts: ['docs.aws.amazon.com'] },
  { words: 'azure windows dotnet powershell', hosts: ['learn.microsoft.com'] },
  {
    words: 'protocol network tcp udp tls dns smtp oauth jwt rfc',
    hosts: ['www.rfc-editor.org', 'datatracker.ietf.org'],
  },
  {
    words: 'security vulnerability authentication cryptography encryption attack threat privacy injection',
    hosts: ['csrc.nist.gov', 'owasp.org', 'cwe.mitre.org'],
  },
  { words: 'mcp agent', hosts: ['modelcontextprotocol.io'] },
  {
    words:
      'requirement verification validation systems engineering review reliability safety hazard fault failure mission',
    hosts: ['www.nasa.gov', 'swehb.nasa.gov', 'www.incose.org', 'www.iso.org'],
  },
  { words: 'space spacecraft satellite orbit launch', hosts: ['ecss.nl', 'www.nasa.gov', 'www.esa.int'] },
  { words: 'automotive vehicle asil', hosts: ['www.iso.org', 'www.sae.org', 'www.nhtsa.gov'] },
  {
    words: 'aircraft aviation avionics flight airworthiness',
    hosts: ['www.faa.gov', 'www.easa.europa.eu', 'www.rtca.org'],
  },
  { words: 'medical clinical health device patient', hosts: ['www.fda.gov', 'www.who.int', 'pubmed.ncbi.nlm.nih.gov'] },
  {
    words: 'risk measurement calibration statistics quality',
    hosts: ['www.itl.nist.gov', 'www.nist.gov', 'www.iso.org'],
  },
  { words: 'research paper learning neural model algorithm', hosts: ['arxiv.org', 'dl.acm.org'] },
];

/** Where nothing is known of the field: what stands for most of them. */
const ANYWHERE = ['www.iso.org', 'www.nist.gov', 'www.rfc-editor.org', 'doi.org', 'en.wikipedia.org'];

/** Queries to ask somewhere else: those that were not asked, else what the assessment suggests, else the topic's own words. */
export function proposedQueries(
  topic: string,
  asked: readonly string[],
  assessment: CoverageAssessment | undefined,
): string[] {
  if (asked.length > 0) return [...asked];
  const suggested = [
    ...(assessment?.acquisition_recommendations.flatMap(({ suggested_queries }) => suggested_queries) ?? []),
    ...(assessment?.gaps.flatMap(({ search_queries }) => search_queries) ?? []),
  ];
  const own = [topic, `${topic} standard`, `${topic} guide`];
  return [...new Set(suggested.length > 0 ? suggested : own)].slice(0, MOST_QUERIES);
}

/**
 * Sites to look at: what the assessment suggests, then those of the topic's fields, those first that more of its words
 * name, and the more authoritative of them first.
 */
export function proposedSites(
  topic: string,
  domains: readonly string[],
  assessment: CoverageAssessment | undefined,
): string[] {
  const terms = new Set(topicWords(topic).map(({ term }) => term));
  const fields = SITES.map(({ words, hosts }) => ({
    hosts: [...hosts].sort((a, b) => authority(b) - authority(a)),
    named: topicWords(words).filter(({ term }) => terms.has(term)).length,
  })).filter(({ named }) => named > 0);
  fields.sort((a, b) => b.named - a.named);
  const suggested = assessment?.acquisition_recommendations.flatMap(({ suggested_domains }) => suggested_domains) ?? [];
  const sites = [...suggested, ...fields.flatMap(({ hosts }) => hosts)];
  const all = [...new Set(sites.length > 0 ? sites : ANYWHERE)];
  const allowed = domains.length === 0 ? all : all.filter((host) => domains.some((domain) => isOf(host, domain)));
  // Who names sites wants them, known here or not.
  return (allowed.length > 0 ? allowed : [...domains]).slice(0, MOST_SITES);
}

function authority(host: string): number {
  return AUTHORITY_LEVELS[authorityOfHost(host)?.level ?? 'unverified'];
}

function isOf(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
