import { authorityOfHost } from '../assessing/hosts';
import { AUTHORITY_LEVELS } from '../model';

/** A page that may be fetched. */
export interface Candidate {
  url: string;
  /** Whether its links are followed: those of pages that were named are, those of pages that a search found are not. */
  crawl: boolean;
  /** Links away from a page that was named. */
  depth: number;
  title?: string | undefined;
}

/** Pages that wait, nearest first and then in the order in which they were found: the same each time. Each comes once. */
export class Candidates {
  private readonly known = new Set<string>();
  private readonly waiting: Candidate[] = [];
  private next = 0;

  constructor(private readonly most: number) {}

  add(candidates: readonly Candidate[]): void {
    for (const candidate of candidates) {
      const key = addressOf(candidate.url);
      if (this.known.has(key) || this.waiting.length >= this.most) continue;
      this.known.add(key);
      this.waiting.push(candidate);
    }
  }

  /** Where a page was in the end: it need not come again. False where it is a page that comes, or came, by itself. */
  visit(asked: string, final: string): boolean {
    const key = addressOf(final);
    if (key === addressOf(asked)) return true;
    if (this.known.has(key)) return false;
    this.known.add(key);
    return true;
  }

  take(): Candidate | undefined {
    return this.waiting[this.next++];
  }
}

/** Most authoritative site first (seed 003, 5.3.3: `prefer_authoritative`); those of one authority stay in their order. */
export function byAuthority<Page extends { url: string }>(pages: readonly Page[]): Page[] {
  const scored = pages.map((page) => ({ page, score: authorityOfAddress(page.url) }));
  return scored.sort((a, b) => b.score - a.score).map(({ page }) => page);
}

/** Lists one after the other, one page of each at a time; each address once. */
export function interleaved<Page extends { url: string }>(lists: readonly (readonly Page[])[]): Page[] {
  const pages = new Map<string, Page>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let at = 0; at < longest; at++) {
    for (const list of lists) {
      const page = list[at];
      if (page && !pages.has(addressOf(page.url))) pages.set(addressOf(page.url), page);
    }
  }
  return [...pages.values()];
}

function authorityOfAddress(url: string): number {
  if (!URL.canParse(url)) return 0;
  return AUTHORITY_LEVELS[authorityOfHost(new URL(url).hostname)?.level ?? 'unverified'];
}

/** The same for addresses of the same page. */
function addressOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const address = new URL(url);
  address.hash = '';
  return address.href;
}
