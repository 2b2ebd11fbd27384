import type { AcquisitionRecommendation, KnowledgeGap } from '../model';
import type { Recommendation, RequiredAuthority } from '../vocabulary';
import { ENOUGH, SOMETHING } from './constants';
import type { Scores } from './coverage';
import type { Suggestions } from './suggestions';

export interface Recommended {
  recommendation: Recommendation;
  recommendation_rationale: string;
  can_proceed_with_caveats: boolean;
}

/**
 * What to do: request documents where only a person can bring what is missing (a standard, a handbook), ask the web where
 * the topic is missing, go on with caveats where something is there, go on where it is enough.
 */
export function recommended(
  scores: Pick<Scores, 'coverage' | 'overall'>,
  gaps: readonly KnowledgeGap[],
  acquisitions: readonly Pick<AcquisitionRecommendation, 'action'>[],
): Recommended {
  const { overall, coverage } = scores;
  const critical = gaps.filter(({ importance }) => importance === 'critical');
  const important = gaps.filter(({ importance }) => importance === 'important');
  const figure = `overall ${overall.toFixed(2)}, coverage ${coverage.toFixed(2)}`;
  const can = critical.length === 0 && overall >= SOMETHING;
  const say = (recommendation: Recommendation, why: string): Recommended => ({
    recommendation,
    recommendation_rationale: `${why} (${figure})`,
    can_proceed_with_caveats: can,
  });
  // What is to be brought in first says by whom: a standard by a person, what is on the web from there.
  const fetch: Recommendation = acquisitions[0]?.action === 'request_document' ? 'request_docs' : 'acquire_web';
  if (critical.length > 0) return say(fetch, first(critical));
  if (overall >= ENOUGH && coverage >= ENOUGH && important.length === 0) {
    return say('proceed', 'What there is covers the topic well enough.');
  }
  if (can && coverage >= SOMETHING) {
    const why =
      important.length > 0 ? first(important) : (gaps[0]?.description ?? 'What there is covers the topic in part.');
    return say('caveat', why);
  }
  return say(fetch, first(important) || 'What there is does not carry far.');
}

function first(gaps: readonly KnowledgeGap[]): string {
  return gaps[0]?.description ?? '';
}

const PRIORITIES = { critical: 1, important: 2, nice_to_have: 4 } as const;

/** What to bring in for the gaps, most urgent first; one that says `none` where nothing is missing. */
export function acquisitionsFor(
  topic: string,
  gaps: readonly KnowledgeGap[],
  suggestions: Suggestions,
  { authority, webEnabled }: { authority: RequiredAuthority; webEnabled: boolean },
): AcquisitionRecommendation[] {
  const { queries, urls, domains, document_type, sources, isOnWeb } = suggestions;
  const subject = topic.slice(0, 160);
  const nothing = {
    suggested_queries: [],
    suggested_urls: [],
    suggested_domains: [],
    document_type: '',
    document_description: '',
    example_documents: [],
  };
  const [worst] = gaps;
  if (!worst) return [{ ...nothing, action: 'none', priority: 5, rationale: 'Nothing that was asked for is missing.' }];
  const priority = PRIORITIES[worst.importance];
  const needsDocument =
    !webEnabled ||
    (!isOnWeb && (authority === 'normative' || authority === 'authoritative' || document_type === 'standard'));
  const web: AcquisitionRecommendation = {
    ...nothing,
    action: 'web_search',
    priority: Math.min(5, needsDocument ? priority + 1 : priority),
    rationale: worst.description,
    suggested_queries: queries,
    suggested_domains: domains,
  };
  const crawl: AcquisitionRecommendation = {
    ...web,
    action: 'web_crawl',
    suggested_queries: [],
    suggested_urls: urls,
    suggested_domains: [...new Set(urls.map((url) => new URL(url).hostname))],
  };
  const document: AcquisitionRecommendation = {
    ...nothing,
    action: 'request_document',
    priority: Math.min(5, needsDocument ? priority : priority + 1),
    rationale: `${worst.description} ${webEnabled ? 'Such documents are rarely to be had on the web.' : 'The web is switched off.'}`,
    document_type,
    document_description: `A ${document_type === 'any' ? 'document' : document_type} on "${subject}"`,
    example_documents: sources.filter((source) => /\d/.test(source)),
  };
  const pages = urls.length === 0 ? [] : [crawl];
  return [...(webEnabled ? [...pages, web] : []), document].sort((a, b) => a.priority - b.priority);
}
