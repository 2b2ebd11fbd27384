import type { Sentence } from '../../core/sentence';
import type { CoverageAssessment, KnowledgeGap } from '../model';
import { AUTHORITY_LEVELS, type Depth, type Importance } from '../vocabulary';
import { ENOUGH, LIMITS, NOTHING, REQUIRED_LEVEL, SOMETHING } from './constants';
import { metAuthority, metRecency, type Scores, type Wanted } from './coverage';
import type { Gathered } from './evidence';
import { freshnessOf } from './freshness';
import { authorityOfHost } from './hosts';
import { isSameStandard, standardsIn } from './standards';
import { type Suggestions, suggestionsFor } from './suggestions';

const DEPTHS: Readonly<Record<Depth, string>> = {
  surface: 'an overview',
  working: 'working with it',
  expert: 'an expert',
};

/** What is missing on a topic, most important first, and what to look for. */
export function gapsOf(
  topic: string,
  gathered: Gathered,
  scores: Scores,
  wanted: Wanted & { depth: Depth },
  now: number,
): { gaps: KnowledgeGap[]; suggestions: Suggestions } {
  const { evidence, missing } = gathered;
  const suggestions = suggestionsFor({
    topic,
    missing,
    authority: wanted.authority,
    references: unknownReferences(gathered),
    addresses: unknownAddresses(gathered),
  });
  const gaps: KnowledgeGap[] = [];
  const say = (gap_type: KnowledgeGap['gap_type'], importance: Importance, description: string) => {
    const { sources: suggested_sources, queries: search_queries } = suggestions;
    gaps.push({ gap_type, description, importance, suggested_sources, search_queries });
  };
  const shown = `"${topic.slice(0, 120)}"`;
  const nowhere = missing.length === 0 ? '' : ` Words that occur nowhere: ${missing.slice(0, 5).join(', ')}.`;
  const count = `${evidence.length} relevant ${evidence.length === 1 ? 'passage' : 'passages'}`;
  if (scores.coverage < NOTHING) {
    say('missing_topic', 'critical', `The library says as good as nothing about ${shown} (${count}).${nowhere}`);
    return { gaps, suggestions };
  }
  if (scores.coverage < ENOUGH) {
    const importance = scores.coverage < SOMETHING ? 'important' : 'nice_to_have';
    const asked = `${DEPTHS[wanted.depth]} needs about ${wanted.chunks} that are wholly about it`;
    say('insufficient_depth', importance, `There is too little about ${shown}: ${count}; ${asked}.${nowhere}`);
  }
  if (wanted.authority !== 'any' && !evidence.some(({ chunk }) => metAuthority(chunk, wanted.authority) >= 1)) {
    const level = REQUIRED_LEVEL[wanted.authority];
    const best = Math.max(...evidence.map(({ chunk }) => chunk.authority_score));
    const name = Object.entries(AUTHORITY_LEVELS).find(([, score]) => score <= best)?.[0] ?? 'unverified';
    say(
      'no_authority',
      // Asked for on purpose, not merely expected.
      level === 'reputable' ? 'important' : 'critical',
      `No source about ${shown} is ${level}; the best is ${name}.`,
    );
  }
  const documents = [...gathered.documents.values()];
  if (wanted.recency !== 'any' && !documents.some((document) => metRecency(document, wanted.recency, now) >= 1)) {
    say('stale', 'important', `No source about ${shown} is known to be as new as asked for (${wanted.recency}).`);
  } else if (documents.length > 0 && documents.every((document) => freshnessOf(document, now).level === 'stale')) {
    say('stale', 'nice_to_have', `All sources about ${shown} are old.`);
  }
  gaps.sort((a, b) => RANKS[a.importance] - RANKS[b.importance]);
  if (!gaps.some(({ gap_type }) => gap_type === 'stale')) return { gaps, suggestions };
  // Pages may say something newer by now.
  const pages = documents.flatMap(({ source_type, source_url }) => (source_type === 'web' && source_url) || []);
  return {
    gaps,
    suggestions: { ...suggestions, urls: [...new Set([...pages, ...suggestions.urls])].slice(0, LIMITS.urls) },
  };
}

export const RANKS: Readonly<Record<Importance, number>> = { critical: 0, important: 1, nice_to_have: 2 };

/** Standards that the relevant passages refer to and that none of their documents is. */
function unknownReferences({ evidence, documents }: Gathered): string[] {
  const known = [...documents.values()].flatMap(({ standard_id, title }) => [standard_id ?? title]);
  const named = evidence.slice(0, 10).flatMap(({ chunk }) => chunk.references.flatMap((each) => standardsIn(each, 1)));
  return [...new Set(named.map(({ id }) => id))]
    .filter((id) => !known.some((there) => isSameStandard(id, there)))
    .slice(0, 3);
}

/**
 * Pages that the relevant passages refer to, on sites that are known to be reputable at least: any page could name any
 * address, and what it names is to be fetched.
 */
function unknownAddresses({ evidence, documents }: Gathered): string[] {
  const known = new Set([...documents.values()].map(({ source_url }) => source_url));
  const named = evidence
    .slice(0, 10)
    .flatMap(({ chunk }) => chunk.references.filter((each) => /^https?:\/\//i.test(each)));
  return [...new Set(named)].filter((address) => !known.has(address) && isReputable(address)).slice(0, 3);
}

function isReputable(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, username, password } = new URL(address);
  const { level } = authorityOfHost(hostname) ?? {};
  return (
    username === '' && password === '' && level !== undefined && AUTHORITY_LEVELS[level] >= AUTHORITY_LEVELS.reputable
  );
}

/** The assessment's caveats: what whoever goes on all the same should bear in mind. */
export function caveatsOf(
  { gaps, overall_level }: Pick<CoverageAssessment, 'gaps' | 'overall_level'>,
  message: Sentence | string | undefined,
): string[] {
  const caveats: string[] = gaps.map(({ gap_type, description }) => `${description} ${ADVICE[gap_type]}`);
  if (message !== undefined) caveats.push(`Not all was searched: ${message}`);
  if (caveats.length === 0 && (overall_level === 'low' || overall_level === 'medium')) {
    caveats.push('What there is rests on few passages: check what matters against its source.');
  }
  return caveats;
}

const ADVICE: Readonly<Record<KnowledgeGap['gap_type'], string>> = {
  missing_topic: 'Say that statements about it rest on nothing in the library.',
  insufficient_depth: 'Mark what goes beyond the passages as an assumption.',
  no_authority: 'Treat what the sources say as unconfirmed.',
  stale: 'Check whether it still holds.',
};
