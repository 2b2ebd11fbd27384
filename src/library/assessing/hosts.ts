import type { AuthorityLevel } from '../vocabulary';

interface HostRule {
  level: AuthorityLevel;
  /** Hosts with their subdomains. */
  hosts: readonly string[];
  why: string;
}

/** Bodies whose standards stand on their own sites: what they say with "shall" is normative. */
const STANDARDS_BODIES = [
  ...['iso.org', 'iec.ch', 'ieee.org', 'ietf.org', 'rfc-editor.org', 'w3.org', 'itu.int', 'etsi.org', 'ecss.nl'],
  ...[
    'ecma-international.org',
    'tc39.es',
    'whatwg.org',
    'unicode.org',
    'oasis-open.org',
    'omg.org',
    'opengeospatial.org',
  ],
  ...['nist.gov', 'ansi.org', 'din.de', 'sae.org', 'astm.org', 'asme.org', 'rtca.org', 'dla.mil', 'incose.org'],
];

/** In this order: the first that holds is taken. docs/library.md has the same table. */
const RULES: readonly HostRule[] = [
  {
    level: 'unverified',
    hosts: [
      ...['stackoverflow.com', 'stackexchange.com', 'serverfault.com', 'superuser.com', 'reddit.com', 'quora.com'],
      ...[
        'news.ycombinator.com',
        'medium.com',
        'substack.com',
        'dev.to',
        'hashnode.dev',
        'blogspot.com',
        'wordpress.com',
      ],
      ...[
        'tumblr.com',
        'x.com',
        'twitter.com',
        'facebook.com',
        'linkedin.com',
        'youtube.com',
        'discord.com',
        'telegram.org',
      ],
      ...['docs.google.com', 'notion.site', 'pastebin.com', 'gist.github.com', 'answers.microsoft.com', 'netlify.app'],
      ...['vercel.app', 'pages.dev', 'herokuapp.com', 'wixsite.com', 'weebly.com'],
    ],
    why: 'a forum, a blog or a place where anybody writes',
  },
  {
    level: 'authoritative',
    hosts: [
      ...['developer.mozilla.org', 'learn.microsoft.com', 'docs.aws.amazon.com', 'cloud.google.com', 'kubernetes.io'],
      ...['nodejs.org', 'postgresql.org', 'sqlite.org', 'python.org', 'rust-lang.org', 'go.dev', 'kernel.org'],
      ...['readthedocs.io', 'man7.org', 'nasa.gov', 'swehb.nasa.gov', 'modelcontextprotocol.io', 'typescriptlang.org'],
    ],
    why: "the maker's own documentation",
  },
  {
    level: 'reputable',
    hosts: [
      ...[
        'doi.org',
        'acm.org',
        'ieeexplore.ieee.org',
        'springer.com',
        'sciencedirect.com',
        'nature.com',
        'science.org',
      ],
      ...['wiley.com', 'tandfonline.com', 'mdpi.com', 'plos.org', 'jstor.org', 'usenix.org', 'pubmed.ncbi.nlm.nih.gov'],
      ...['europa.eu', 'esa.int', 'who.int', 'cern.ch', 'owasp.org', 'mitre.org', 'rand.org'],
    ],
    why: 'peer-reviewed or by a public body',
  },
  {
    level: 'informative',
    hosts: [
      'wikipedia.org',
      'arxiv.org',
      'github.com',
      'github.io',
      'gitlab.com',
      'w3schools.com',
      'geeksforgeeks.org',
      'baeldung.com',
    ],
    why: 'general technical content',
  },
];

/** Ends of hosts of governments, armed forces and universities, with those of other countries: `.gov.uk`, `.ac.jp`. */
const PUBLIC = /\.(gov|mil|edu|int)$|\.(gov|gob|gouv|govt|mil|edu|ac)\.[a-z]{2}$|\.(bund\.de|gc\.ca|admin\.ch|gv\.at)$/;
/** What makers call the site of their documentation. */
const DOCUMENTATION = /^(docs?|developers?|devdocs|documentation|manual|reference|api-docs)\./;
const TALK = /^(blogs?|forums?|community|discuss|answers)\./;

/** What a host's name says about its pages; undefined where it says nothing. Lower case, without a port. */
export function authorityOfHost(host: string): { level: AuthorityLevel; why: string } | undefined {
  if (TALK.test(host)) return { level: 'unverified', why: `${host} is a blog or a forum by its name` };
  // A journal's host stands below that of a body: the longest name is the nearest.
  const nearest = RULES.flatMap(({ level, hosts, why }) => hosts.map((name) => ({ level, name, why })))
    .filter(({ name }) => isOf(host, name))
    .sort((a, b) => b.name.length - a.name.length)[0];
  const body = STANDARDS_BODIES.find((name) => isOf(host, name));
  if (nearest && (body === undefined || nearest.name.length > body.length)) {
    return { level: nearest.level, why: `${nearest.name} is ${nearest.why}` };
  }
  if (body !== undefined) return { level: 'authoritative', why: `${body} is a body that makes standards` };
  if (PUBLIC.test(`.${host}`)) return { level: 'reputable', why: `${host} belongs to a government or a university` };
  if (DOCUMENTATION.test(host)) return { level: 'authoritative', why: `${host} is documentation by its name` };
  return undefined;
}

export function isStandardsBody(host: string): boolean {
  return STANDARDS_BODIES.some((name) => isOf(host, name));
}

function isOf(host: string, name: string): boolean {
  return host === name || host.endsWith(`.${name}`);
}
