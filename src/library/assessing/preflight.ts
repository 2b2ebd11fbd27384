import { isoTime } from '../../core/clock';
import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { checkTrimmed } from '../../core/text';
import type { LibraryKeeper } from '../keeping/model';
import type {
  CoverageAssessment,
  CoverageRequest,
  DocumentMetadata,
  KnowledgeGap,
  Preflight,
  PreflightRequest,
} from '../model';
import { type RequiredAuthority, WORKFLOW_TYPES, type Workflow, type WorkflowType } from '../vocabulary';
import { LIMITS, levelOf } from './constants';
import { RANKS } from './gaps';
import { acquisitionsFor, recommended } from './recommending';
import { isSameStandard } from './standards';
import { suggestionsFor } from './suggestions';
import { topicsIn, WORKFLOW_TOPICS } from './topics';

/** What each kind of topic counts in the whole: what was named counts most, what every workflow of the kind needs least. */
const PARTS = { given: 1, derived: 0.5, standing: 0.1 } as const;
type Part = keyof typeof PARTS;

/** Causes and choices have to be defended; plans and explorations live on what the team itself has written. */
const AUTHORITY: Readonly<Record<WorkflowType, RequiredAuthority>> = {
  rcca: 'reputable',
  trade_study: 'reputable',
  exploration: 'any',
  planning: 'any',
  gap_analysis: 'any',
};

/** Whether all that a workflow needs to know is there: every topic of it, and every standard. */
export async function preflight(
  request: PreflightRequest,
  keeper: LibraryKeeper,
  assess: (request: CoverageRequest) => Promise<CoverageAssessment>,
  { webEnabled, now }: { webEnabled: boolean; now: number },
): Promise<Preflight> {
  const { workflow_type, signal } = request;
  if (!WORKFLOW_TYPES.includes(workflow_type)) {
    const hint = `Use one of ${WORKFLOW_TYPES.join(', ')}.`;
    throw new KaizenError('invalid_argument', `"${String(workflow_type).slice(0, 80)}" is no workflow_type.`, hint);
  }
  const description = checkTrimmed(request.workflow_description, {
    name: 'workflow_description',
    min: 1,
    max: LIMITS.description,
  });
  const domain = checkTrimmed(request.domain ?? '', { name: sentence('domain'), max: LIMITS.domain, singleLine: true });
  const given = listed('key_topics', request.key_topics, LIMITS.topics, LIMITS.topic);
  const required = listed('required_standards', request.required_standards, LIMITS.standards, LIMITS.standard);
  const derived = topicsIn(description).filter(
    (topic) =>
      !given.some((other) => same(topic, other)) && !required.some((standard) => isSameStandard(standard, topic)),
  );
  const planned: { topic: string; part: Part }[] = [
    ...given.map((topic) => ({ topic, part: 'given' as const })),
    ...derived.map((topic) => ({ topic, part: 'derived' as const })),
    ...WORKFLOW_TOPICS[workflow_type].map((topic) => ({
      topic: domain === '' ? topic : `${domain} ${topic}`,
      part: 'standing' as const,
    })),
  ];
  // Weighed as exploration: what there is counts more than how new it is.
  const workflow_context: Workflow = workflow_type === 'gap_analysis' ? 'exploration' : workflow_type;
  const topics: { assessment: CoverageAssessment; part: Part }[] = [];
  for (const { topic, part } of planned)
    topics.push({
      assessment: await assess({ topic, workflow_context, required_authority: AUTHORITY[workflow_type], signal }),
      part,
    });
  const documents = required.length === 0 ? [] : await keeper.documents();
  const standards = await Promise.all(required.map((standard) => lookedUp(standard, documents, keeper, signal)));

  const gaps = [...standardGaps(standards), ...topics.flatMap(topicGaps)].sort(
    (a, b) => RANKS[a.importance] - RANKS[b.importance],
  );
  const there = standards.filter(({ found }) => found).length;
  const weights = topics.reduce((sum, { part }) => sum + PARTS[part], 0);
  const byTopics =
    topics.reduce((sum, { assessment, part }) => sum + PARTS[part] * assessment.overall_score, 0) / weights;
  const byCoverage =
    topics.reduce((sum, { assessment, part }) => sum + PARTS[part] * assessment.coverage_score, 0) / weights;
  // A standard that has to be there counts as much as a topic that was named.
  const overall = hundredths((byTopics * weights + there) / (weights + standards.length));
  const main = topics.filter(({ part }) => part !== 'standing').map(({ assessment }) => assessment);
  const acquisition_recommendations = acquisitions(standards, main, webEnabled);
  const outcome = recommended({ overall, coverage: byCoverage }, gaps, acquisition_recommendations);
  return {
    workflow_type,
    ready: outcome.recommendation === 'proceed',
    overall_score: overall,
    overall_level: levelOf(overall),
    ...outcome,
    topics: topics.map(({ assessment }) => assessment),
    derived_topics: planned.filter(({ part }) => part !== 'given').map(({ topic }) => topic),
    standards,
    gaps,
    acquisition_recommendations,
    caveats_if_proceeding: [
      ...standards
        .filter(({ found }) => !found)
        .map(({ standard }) => `${standard} is not in the library: do not cite it from memory.`),
      ...main.flatMap(({ caveats_if_proceeding }) => caveats_if_proceeding),
    ],
    assessed_at: isoTime(now),
  };
}

/** By its id or title; where the library has none, the documents that refer to it. */
async function lookedUp(
  standard: string,
  documents: readonly DocumentMetadata[],
  keeper: LibraryKeeper,
  signal: AbortSignal | undefined,
): Promise<Preflight['standards'][number]> {
  const complete = documents.filter(({ processing_status }) => processing_status === 'complete');
  const is = complete.filter(({ standard_id, title }) => isSameStandard(standard, standard_id ?? title));
  if (is.length > 0) return { standard, found: true, documents: is.map(({ document_id }) => document_id) };
  const { hits } = await keeper.search(standard, { limit: 20, signal });
  const refer = hits.filter(({ chunk }) => chunk.references.some((reference) => isSameStandard(standard, reference)));
  return { standard, found: false, documents: [...new Set(refer.map(({ chunk }) => chunk.document_id))] };
}

function standardGaps(standards: Preflight['standards']): KnowledgeGap[] {
  return standards
    .filter(({ found }) => !found)
    .map(({ standard, documents }) => {
      const { queries: search_queries, sources: suggested_sources } = suggestionsFor({
        topic: standard,
        authority: 'normative',
      });
      const referring =
        documents.length === 0
          ? ''
          : ` ${documents.length} of its documents refer${documents.length === 1 ? 's' : ''} to it.`;
      return {
        gap_type: 'no_authority' as const,
        importance: 'critical' as const,
        description: `The required standard ${standard} is not in the library.${referring}`,
        suggested_sources,
        search_queries,
      };
    });
}

/** What every workflow of a kind needs is no reason to stop; what was read from a description may have been misread. */
function topicGaps({
  assessment: { gaps },
  part,
}: {
  assessment: CoverageAssessment;
  part: Part;
}): readonly KnowledgeGap[] {
  if (part === 'given') return gaps;
  return gaps.map((gap) => {
    const importance =
      part === 'standing' ? 'nice_to_have' : gap.importance === 'critical' ? 'important' : gap.importance;
    return { ...gap, importance };
  });
}

function acquisitions(
  standards: Preflight['standards'],
  topics: readonly CoverageAssessment[],
  webEnabled: boolean,
): Preflight['acquisition_recommendations'] {
  const wanted = standardGaps(standards).flatMap((gap, at) => {
    const { standard } = standards.filter(({ found }) => !found)[at]!;
    const suggestions = suggestionsFor({ topic: standard, authority: 'normative' });
    return acquisitionsFor(standard, [gap], suggestions, { authority: 'normative', webEnabled });
  });
  const all = [...wanted, ...topics.flatMap((topic) => topic.acquisition_recommendations)];
  const useful = all.filter(({ action }) => action !== 'none').sort((a, b) => a.priority - b.priority);
  return useful.length > 0 ? useful : all.slice(0, 1);
}

function listed(name: string, texts: readonly string[] | undefined, most: number, longest: number): string[] {
  const checked = (texts ?? []).map((text) => checkTrimmed(text, { name, max: longest, singleLine: true }));
  const distinct = [...new Set(checked.filter((text) => text !== ''))];
  if (distinct.length <= most) return distinct;
  throw new KaizenError('invalid_argument', `There are ${distinct.length} ${name}; the limit is ${most}.`);
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function hundredths(score: number): number {
  return Math.round(score * 100) / 100;
}
