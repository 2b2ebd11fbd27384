import { compareText } from '../core/text';
import { Turns } from '../core/turns';
import { GRAVITY, gravityOf, type Holding, type HoldingEntry, type HoldingRisk, visibleText } from './holding';
import { escapeHtml, renderMarkdown } from './report-markdown';
import { REPORT_STYLE } from './report-style';

/** What the report says in its own words, so that it can be said in another language. */
export interface ReportWords {
  /** BCP 47. */
  language: string;
  title(name: string): string;
  about(entries: number, risks: number, newest: string): string;
  contents: string;
  scopes: string;
  inherits: string;
  overview: string;
  purpose: string;
  techStack: string;
  constraints: string;
  risks: string;
  reason: string;
  changed: string;
  by(author: string, isAgent: boolean): string;
  overrides: string;
  nothing: string;
}

export const ENGLISH_REPORT: ReportWords = {
  language: 'en',
  title: (name) => `What is known: ${name}`,
  about: (entries, risks, newest) =>
    `${entries === 1 ? '1 entry holds' : `${entries} entries hold`}, ${risks} of them with a risk. Last change: ${newest}.`,
  contents: 'Contents',
  scopes: 'Where it comes from',
  inherits: 'Nearest first: of entries with the same keyword, the first scope’s holds.',
  overview: 'Overview',
  purpose: 'Purpose',
  techStack: 'Technology',
  constraints: 'Constraints',
  risks: 'Dangers and warnings',
  reason: 'Reason',
  changed: 'Changed',
  by: (author, isAgent) => `by ${author}${isAgent ? ' (agent)' : ''}`,
  overrides: 'Holds in place of the entries of',
  nothing: 'Nothing is stored for this scope yet.',
};

export interface ReportOptions {
  /** Whether it says who wrote each entry; true unless told. */
  authors?: boolean | undefined;
  words?: ReportWords | undefined;
  signal?: AbortSignal | undefined;
}

/** Told apart by shape as well as by colour. */
const SIGNS: Record<HoldingRisk['level'], { sign: string; className: string }> = {
  DANGER: { sign: '⛔', className: 'danger' },
  WARNING: { sign: '⚠', className: 'warning' },
  'LAST TIME': { sign: '↺', className: 'last-time' },
};

const TIERS = ['PROJECT', 'GROUP', 'PRODUCT', 'GENERAL'] as const;

/**
 * One HTML file to share and to print: it loads nothing, runs nothing, and holds everything that it shows. Whatever comes
 * from the knowledge is escaped, and the file's own policy would run and load nothing in any case. The same state gives
 * the same bytes. Yields to the event loop.
 */
export async function htmlReport(holding: Holding, options: ReportOptions = {}): Promise<string> {
  const { words = ENGLISH_REPORT, authors = true, signal } = options;
  const turns = new Turns(signal);
  const [own] = holding.chain;
  const title = words.title(plain(own?.name ?? ''));
  const tiers = groupsOf(holding.entries);
  const risky = holding.entries.filter(({ risks }) => risks.length > 0);
  const newest = holding.entries
    .map(({ at }) => at)
    .sort(compareText)
    .at(-1);
  const out = [
    `<!DOCTYPE html>
<html lang="${escapeHtml(words.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Kaizen">
<title>${escapeHtml(title)}</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
<p class="about">${escapeHtml(newest ? words.about(holding.entries.length, risky.length, newest.slice(0, 10)) : words.nothing)}</p>
</header>`,
    contents(holding, tiers, risky, words),
    '<main>',
    scopesSection(holding, words),
    overviewSection(holding, words),
    risksSection(risky, tiers, words),
  ];
  for (const { id, tier, categories } of tiers) {
    out.push(`<section aria-labelledby="${id}">\n<h2 id="${id}">${escapeHtml(tier)}</h2>`);
    for (const category of categories) {
      out.push(`<h3 id="${category.id}">${escapeHtml(plain(category.name))}</h3>`);
      for (const [index, entry] of category.entries.entries()) {
        await turns.pause();
        out.push(article(entry, `${category.id}-${index + 1}`, authors, words));
      }
    }
    out.push('</section>');
  }
  out.push('</main>\n</body>\n</html>\n');
  return out.filter((part) => part !== '').join('\n');
}

interface TierGroup {
  id: string;
  tier: string;
  categories: { id: string; name: string; entries: HoldingEntry[] }[];
}

/** The nearest tier first; categories by name, entries as they come. */
function groupsOf(entries: readonly HoldingEntry[]): TierGroup[] {
  return TIERS.map((tier) => {
    const id = tier.toLowerCase();
    const byName = new Map<string, HoldingEntry[]>();
    for (const entry of entries) {
      if (entry.tier !== tier) continue;
      const others = byName.get(entry.category);
      if (others) others.push(entry);
      else byName.set(entry.category, [entry]);
    }
    const names = [...byName.keys()].sort(compareText);
    return {
      id,
      tier,
      categories: names.map((name, index) => ({ id: `${id}-${index + 1}`, name, entries: byName.get(name)! })),
    };
  }).filter(({ categories }) => categories.length > 0);
}

function contents(
  { overview }: Holding,
  tiers: readonly TierGroup[],
  risky: readonly HoldingEntry[],
  words: ReportWords,
): string {
  const link = (id: string, text: string) => `<a href="#${id}">${escapeHtml(plain(text))}</a>`;
  const rows = [
    `<li>${link('scopes', words.scopes)}</li>`,
    overview ? `<li>${link('overview', words.overview)}</li>` : '',
    risky.length > 0 ? `<li>${link('risks', words.risks)}</li>` : '',
    ...tiers.map(({ id, tier, categories }) => {
      const inner = categories.map((each) => `<li>${link(each.id, `${each.name} (${each.entries.length})`)}</li>`);
      return `<li>${link(id, tier)}\n<ul>\n${inner.join('\n')}\n</ul></li>`;
    }),
  ].filter((row) => row !== '');
  return `<nav aria-labelledby="contents">\n<h2 id="contents">${escapeHtml(words.contents)}</h2>\n<ol>\n${rows.join('\n')}\n</ol>\n</nav>`;
}

function scopesSection({ chain }: Holding, words: ReportWords): string {
  const rows = chain.map(({ id, tier, name, description }) => {
    const called = name === id ? '' : ` ${escapeHtml(plain(name))}`;
    const about = description ? `<br><span class="about">${escapeHtml(plain(description))}</span>` : '';
    return `<li><strong>${escapeHtml(tier)}</strong> <code>${escapeHtml(plain(id))}</code>${called}${about}</li>`;
  });
  return `<section aria-labelledby="scopes">\n<h2 id="scopes">${escapeHtml(words.scopes)}</h2>
<p class="about">${escapeHtml(words.inherits)}</p>\n<ol>\n${rows.join('\n')}\n</ol>\n</section>`;
}

function overviewSection({ overview }: Holding, words: ReportWords): string {
  if (!overview) return '';
  const facts = [
    [words.purpose, [overview.purpose ?? '', overview.current_phase ?? ''].filter((text) => text !== '').join(' · ')],
    [words.techStack, overview.tech_stack.join(', ')],
    [words.constraints, [...overview.compliance, ...overview.key_constraints].join(' · ')],
  ].filter(([, text]) => text !== '') as [string, string][];
  if (facts.length === 0) return '';
  const rows = facts.map(([name, text]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(plain(text))}</dd>`);
  return `<section aria-labelledby="overview">\n<h2 id="overview">${escapeHtml(words.overview)}</h2>
<dl class="facts">${rows.join('')}</dl>\n</section>`;
}

/** All of them in one place, each leading to its entry. */
function risksSection(risky: readonly HoldingEntry[], tiers: readonly TierGroup[], words: ReportWords): string {
  if (risky.length === 0) return '';
  const places = new Map<HoldingEntry, string>();
  for (const { categories } of tiers) {
    for (const { id, entries } of categories) {
      for (const [index, entry] of entries.entries()) places.set(entry, `${id}-${index + 1}`);
    }
  }
  const rows = GRAVITY.flatMap((_, gravity) => risky.filter((entry) => gravityOf(entry) === gravity)).map((entry) => {
    const signs = entry.risks.map(riskLine).join('\n');
    return `<li><a href="#${places.get(entry)}">${escapeHtml(plain(entry.keyword))}</a>\n${signs}</li>`;
  });
  return `<section aria-labelledby="risks">\n<h2 id="risks">${escapeHtml(words.risks)}</h2>\n<ul>\n${rows.join('\n')}\n</ul>\n</section>`;
}

function riskLine({ level, text }: HoldingRisk): string {
  const { sign, className } = SIGNS[level];
  return `<p class="risk ${className}"><span aria-hidden="true">${sign}</span> <strong>${level}</strong> ${escapeHtml(plain(text))}</p>`;
}

function article(entry: HoldingEntry, id: string, authors: boolean, words: ReportWords): string {
  const { REASON, ...labels } = entry.metaknowledge;
  const by = authors ? ` ${escapeHtml(words.by(plain(entry.author), entry.by_agent))}` : '';
  const day = entry.at.slice(0, 10);
  const fact = (name: string, html: string) => `<dt>${escapeHtml(plain(name))}</dt><dd>${html}</dd>`;
  const facts = [
    REASON ? fact(words.reason, escapeHtml(plain(REASON))) : '',
    ...Object.entries(labels)
      .sort(([a], [b]) => compareText(a, b))
      .map(([label, text]) => fact(label, escapeHtml(plain(text)))),
    fact(words.changed, `<time datetime="${escapeHtml(day)}">${escapeHtml(day)}</time>${by}`),
    entry.overrides.length > 0 ? fact(words.overrides, escapeHtml(plain(entry.overrides.join(', ')))) : '',
  ];
  return `<article aria-labelledby="${id}">
<h4 id="${id}">${escapeHtml(plain(entry.keyword))} <span class="about"><code>${escapeHtml(plain(entry.scope))}</code></span></h4>
${entry.risks.length > 0 ? `${entry.risks.map(riskLine).join('\n')}\n` : ''}${renderMarkdown(visibleText(entry.content))}
<dl class="facts">${facts.join('')}</dl>
</article>`;
}

/** On one line. */
function plain(text: string): string {
  return visibleText(text).replace(/\s+/g, ' ').trim();
}
