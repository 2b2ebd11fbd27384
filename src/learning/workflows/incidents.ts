import { createHash } from 'node:crypto';
import { learningUri } from '../../core/knowledge-uri';
import { Turns } from '../../core/turns';
import { createSearchIndex, type MatchedWord, type Passage as Searchable, type SearchIndex } from '../../search';
import type { FoundRecord, PatternType, ProjectItem, ProjectRecord } from '../model';
import { type ConceptHit, ConceptRanking, type RankedFields } from './concept-ranking';
import { type Concept, conceptsOf, type GroupsSaid } from './concepts';
import { asQuery } from './words';
import type { World } from './world';

const SOURCE = 'incidents';
const MOST = 1_000;
const AT_ONCE = 20;
/** What the order of a search by words alone counts beside that by concepts: it knows words that were mistyped. */
const BY_WORDS = 0.1;

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
  private readonly ranking = new ConceptRanking();
  private known = new Map<string, FoundRecord>();
  private following: Promise<void> = Promise.resolve();

  /** `groupsSaid` tells which words are used for the same; none where a question is to be searched as it stands. */
  constructor(
    private readonly learning: World['learning'],
    private readonly groupsSaid?: GroupsSaid,
  ) {}

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
    const concepts = conceptsOf(query, this.groupsSaid);
    const accept = (uri: string) => kinds.some((kind) => kind === this.known.get(uri)?.kind);
    const ranked = this.ranking.rank(concepts, { limit: MOST, accept });
    const words = this.index.search(query, { limit: MOST, filter: { kind: kinds } }).hits;
    const hits = new Map<string, CaseHit & { rank: number }>();
    for (const { uri, rank, likeness } of ranked) {
      hits.set(uri, { found: this.known.get(uri)!, semantic: 0, matched: [], likeness, rank: rank / ranked[0]!.rank });
    }
    for (const { uri, rank, matched } of words) {
      const found = this.known.get(uri);
      if (!found || matched.length === 0) continue;
      const hit = hits.get(uri) ?? { found, semantic: 0, matched: [], likeness: [], rank: 0 };
      hits.set(uri, { ...hit, matched, rank: hit.rank + (BY_WORDS * rank) / words[0]!.rank });
    }
    const best = [...hits.values()].sort((a, b) => b.rank - a.rank || (a.found.uri < b.found.uri ? -1 : 1));
    const top = best[0]?.rank ?? 1;
    const sure = sureness(concepts, ranked) || BY_WORDS * (words[0]?.score ?? 0);
    return best.slice(0, limit).map(({ rank, ...hit }) => ({ ...hit, semantic: sure * (rank / top) }));
  }

  private async follow(turns: Turns): Promise<void> {
    const now = new Map<string, FoundRecord>();
    const segment = this.index.segment(SOURCE);
    let passages: Searchable[] = [];
    for (const found of this.cases()) {
      now.set(found.uri, found);
      // Whatever has not changed is the same object.
      if (this.known.get(found.uri)?.record === found.record) continue;
      const passage = searchable(found);
      this.ranking.set(found.uri, rankedFields(passage));
      passages.push(passage);
      if (passages.length < AT_ONCE) continue;
      segment.set(passages);
      passages = [];
      await turns.pause();
    }
    segment.set(passages);
    const gone = [...segment.uris()].filter((uri) => !now.has(uri));
    segment.remove(gone);
    for (const uri of gone) this.ranking.remove(uri);
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

/**
 * How sure it is that the best is about the question, 0 to 1: by how much of the question it speaks of, of how many
 * concepts, and how far it stands out from the second. As search says it of words (docs/search.md, "Calibration"), and
 * with its constants: over the questions of both sets of incidents, asked of either, they fit here as well.
 */
function sureness(concepts: readonly Concept[], ranked: readonly ConceptHit[]): number {
  const [first, second] = ranked;
  if (!first) return 0;
  const margin = Math.min(MOST_MARGIN, first.rank / (second?.rank ?? Number.EPSILON));
  const evidence = first.covered * concepts.length ** LENGTH * margin ** (1 - 1 / concepts.length);
  const power = (evidence / HALF) ** STEEPNESS;
  return power / (1 + power);
}

/** Evidence that is worth one half, and how steeply it rises around it. */
const HALF = 0.8;
const STEEPNESS = 2.5;
/** Of long questions a smaller part is found. */
const LENGTH = 0.2;
const MOST_MARGIN = 2;

/** Patterns that tell how something fails. */
const FAILING: ReadonlySet<PatternType> = new Set(['failure_mode', 'antipattern']);

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

function rankedFields({ title, keywords, body }: Searchable): RankedFields {
  return { title: [title], telling: keywords, body: body.split('\n') };
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
