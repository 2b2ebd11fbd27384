import { createHash } from 'node:crypto';
import { learningUri } from '../../core/knowledge-uri';
import { Turns } from '../../core/turns';
import { createSearchIndex, type MatchedWord, type Passage as Searchable, type SearchIndex } from '../../search';
import type { FoundRecord, PatternType, ProjectItem, ProjectRecord } from '../model';
import { otherWordsFor } from './wording';
import { asQuery } from './words';
import type { World } from './world';

const SOURCE = 'incidents';
const MOST = 1_000;
const AT_ONCE = 20;
/** What other words for the same count beside those that were used. */
const OTHER_WORDS = 0.7;

/** What a captured case was: fields that count more than what else is told. */
export interface Case {
  symptoms: readonly string[];
  causes: readonly string[];
}

export interface CaseHit {
  found: FoundRecord;
  /** 0 to 1. */
  semantic: number;
  matched: readonly MatchedWord[];
  /** Words of the case that stand for others in the question. */
  likeness: readonly string[];
}

/** `context_factors` of an RCCA project that are understood, each a sentence or a list of them. */
const SYMPTOM_FACTORS = ['symptoms', 'symptom_keywords', 'effects', 'effect'];
const CAUSE_FACTORS = ['root_cause', 'root_causes', 'cause', 'causes'];

/** Whether a project tells of something that went wrong. */
export function isIncident(project: ProjectRecord): boolean {
  if (/rcca|incident|post-?mortem|root[ _-]?cause|failure|outage|8d|capa\b/i.test(project.project_type)) return true;
  return factors(project, [...SYMPTOM_FACTORS, ...CAUSE_FACTORS]).length > 0;
}

export function caseOf({ kind, record }: FoundRecord): Case {
  switch (kind) {
    case 'project':
      return {
        symptoms: factors(record, SYMPTOM_FACTORS),
        causes: causesOf(record),
      };
    case 'pattern':
      return { symptoms: record.indicators, causes: record.root_causes };
    case 'lesson':
      return { symptoms: [record.context].filter(Boolean), causes: [] };
    default:
      return { symptoms: [], causes: [] };
  }
}

/** What an RCCA project came to: the named root causes; where it names none, its outcome. */
export function causesOf(project: ProjectRecord): string[] {
  const told = factors(project, CAUSE_FACTORS);
  if (told.length > 0) return told;
  return isIncident(project) && project.outcome_summary ? [project.outcome_summary] : [];
}

function factors({ context_factors }: ProjectRecord, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const value = context_factors[name];
    return (Array.isArray(value) ? value : [value]).filter(
      (each): each is string => typeof each === 'string' && each.trim() !== '',
    );
  });
}

/** What was recorded of cases: incidents, lessons, failure modes and anti-patterns. */
const KINDS = ['project', 'lesson', 'pattern'] as const;

/**
 * Finds cases by what was seen and what it came from. Symptoms and causes count as much as titles do, and what others say
 * for the words of the question is searched beside them. Made at the first question; follows the records from then on.
 */
export class Incidents {
  private readonly index: SearchIndex = createSearchIndex();
  private known = new Map<string, FoundRecord>();
  private following: Promise<void> = Promise.resolve();

  constructor(private readonly learning: World['learning']) {}

  /** Best first. */
  async find(
    description: string,
    symptoms: readonly string[],
    kinds: readonly (typeof KINDS)[number][],
    limit: number,
    signal?: AbortSignal,
  ): Promise<CaseHit[]> {
    const next = this.following.catch(() => undefined).then(() => this.follow(new Turns(signal)));
    this.following = next;
    await next;
    const query = asQuery(description, ...symptoms);
    const others = otherWordsFor(query);
    const options = { limit: MOST, filter: { kind: kinds } };
    const words = this.search(query, options);
    const meant = others.length > 0 ? this.search(asQuery(others.join(' ')), options) : NOTHING;
    const hits = new Map<string, CaseHit & { rank: number }>();
    for (const [answer, weight] of [
      [words, 1],
      [meant, OTHER_WORDS],
    ] as const) {
      for (const { uri, rank, matched } of answer.hits) {
        const found = this.known.get(uri);
        if (!found) continue;
        const hit = hits.get(uri) ?? { found, semantic: 0, matched: [], likeness: [], rank: 0 };
        hit.rank += (weight * rank) / answer.best;
        if (answer === words) hit.matched = matched;
        else hit.likeness = matched.map(({ word }) => word);
        hits.set(uri, hit);
      }
    }
    const best = [...hits.values()].sort((a, b) => b.rank - a.rank || (a.found.uri < b.found.uri ? -1 : 1));
    const top = best[0]?.rank ?? 1;
    const sure = Math.max(words.score, OTHER_WORDS * meant.score);
    return best.slice(0, limit).map(({ rank, ...hit }) => ({ ...hit, semantic: sure * (rank / top) }));
  }

  private search(query: string, options: { limit: number; filter: { kind: readonly string[] } }) {
    const hits = this.index.search(query, options).hits.filter(({ matched }) => matched.length > 0);
    return { hits, best: hits[0]?.rank || 1, score: hits[0]?.score ?? 0 };
  }

  private async follow(turns: Turns): Promise<void> {
    const now = new Map<string, FoundRecord>();
    const segment = this.index.segment(SOURCE);
    let passages: Searchable[] = [];
    for (const found of this.cases()) {
      now.set(found.uri, found);
      // Whatever has not changed is the same object.
      if (this.known.get(found.uri)?.record === found.record) continue;
      passages.push(searchable(found));
      if (passages.length < AT_ONCE) continue;
      segment.set(passages);
      passages = [];
      await turns.pause();
    }
    segment.set(passages);
    segment.remove([...segment.uris()].filter((uri) => !now.has(uri)));
    this.known = now;
  }

  private *cases(): Generator<FoundRecord> {
    for (const kind of KINDS) {
      for (const record of this.learning.list(kind)) {
        const found = { kind, id: record.id, uri: learningUri(kind, record.id), record } as FoundRecord;
        if (found.kind === 'project' && !isIncident(found.record)) continue;
        if (found.kind === 'pattern' && !FAILING.has(found.record.pattern_type)) continue;
        yield found;
      }
    }
  }
}

/** Patterns that tell how something fails. */
const FAILING: ReadonlySet<PatternType> = new Set(['failure_mode', 'antipattern']);

const NOTHING: ReturnType<Incidents['search']> = { hits: [], best: 1, score: 0 };

function searchable(found: FoundRecord): Searchable {
  const { kind, uri, record } = found;
  const { symptoms, causes } = caseOf(found);
  const title = 'title' in record ? record.title : record.name;
  const more = kind === 'pattern' ? record.keywords : [];
  const keywords = [...symptoms, ...causes, ...more];
  const body = bodyOf(found);
  return {
    uri,
    title,
    headings: [],
    keywords,
    body,
    facets: { kind, space: 'learning' },
    fingerprint: createHash('sha1')
      .update(JSON.stringify([title, keywords, body]))
      .digest('base64url'),
  };
}

function bodyOf({ kind, record }: FoundRecord): string {
  const parts: readonly (string | undefined)[] =
    kind === 'project'
      ? [
          record.description,
          record.outcome_summary,
          ...record.lessons_learned,
          ...record.what_worked,
          ...record.what_didnt_work,
          ...record.identified_risks.map(({ description }: ProjectItem) => description),
        ]
      : kind === 'lesson'
        ? [record.lesson, record.recommendation]
        : kind === 'pattern'
          ? [record.description, ...record.consequences]
          : [];
  return parts.filter(Boolean).join('\n');
}
