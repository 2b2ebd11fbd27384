import type { BasesPart } from '../bases';
import type { Clock } from '../core/clock';
import type { Sentence } from '../core/sentence';
import type { KnowledgePart, ResolvedEntry } from '../knowledge';
import type { NotesPart } from '../notes';
import type { HybridHit, HybridSearch } from '../search';
import type { BoostContext } from './boosts';
import { choose } from './choice';
import { scoredForRisk, scoredForTask } from './coverage';
import { CurrentFile, type NamedFiles, type Nearness } from './current-file';
import { RISK_STATUSES } from './entry-passages';
import type { KeywordTally } from './keyword-tally';
import type { DiscoveredWarning, DiscoverRequest, DiscoverySettings, Recommendation, TaskType } from './model';
import { Naming } from './naming';
import type { NoteView } from './note-view';
import type { Learned } from './options';
import { withoutOverlap } from './overlap';
import { reasonFor } from './reasons';
import { byScore, type Candidate, candidateOf, rounded } from './scoring';
import { entriesSource, nodesSource, notesSource } from './sources';
import { entrySubject, nodeSubject, type Subject, Subjects, titleOf, tokensOf, typeOf } from './subject';
import type { Viewpoint } from './viewpoint';
import { warningsOf } from './warnings';

/** Of a longer task its beginning and its end are searched for: logs and code stand between, and each word takes time. */
const ASKED_BEGINNING = 700;
const ASKED_END = 300;
/** So many hits are looked at for each result: boosts and overlaps change their order. */
const CANDIDATES_EACH = 4;
const MIN_CANDIDATES = 100;
/** Rules with a risk that are looked at; the gravest ten of them are given. */
const RISK_CANDIDATES = 40;
/** Rules without a risk that name the current file. */
const MAX_FILE_RULES = 50;

/** Where nothing is relevant, what came nearest is named from this score on. */
const WORTH_NAMING = 0.1;

/** What `discover` works with. */
export interface RecommendingParts {
  knowledge: KnowledgePart;
  bases: BasesPart;
  notes: NotesPart;
  noteView: NoteView;
  hybrid: HybridSearch;
  viewpoint: Viewpoint;
  tally: KeywordTally;
  named: NamedFiles;
  clock: Clock;
  workspace: string | undefined;
  learned: Learned | undefined;
}

export interface Recommended {
  recommendations: (Recommendation & { subject: Subject })[];
  warnings: (DiscoveredWarning & { subject: Subject })[];
  /** Nodes, entries and notes that could have been recommended. */
  available: number;
  /** How many were left out because they did not fit the budget. */
  unfitting: number;
  /** What came nearest where nothing was relevant. */
  nearest?: string;
  /** How many rules with a risk there are beyond those given. */
  unmentioned: number;
  note?: Sentence | string;
}

/** Seed 002's algorithm: candidates by words and meaning, boosts, de-duplication, the best of them with reasons. */
export class Recommending {
  constructor(private readonly parts: RecommendingParts) {}

  async recommend(request: DiscoverRequest, settings: DiscoverySettings, signal?: AbortSignal): Promise<Recommended> {
    const { bases, notes, noteView, viewpoint, hybrid, knowledge } = this.parts;
    const limit = request.max_results ?? settings.default_max_results;
    const scopeId = viewpoint.scopeId();
    const file = request.current_file?.trim()
      ? new CurrentFile(request.current_file.trim(), this.parts.workspace)
      : undefined;
    const rules = file && scopeId !== undefined ? knowledge.rulesFor(scopeId, file.path) : [];
    const context = this.context(request.task_type, settings, file, rules);
    const subjects = new Subjects(bases, noteView, (uris) => viewpoint.holding(scopeId, uris));
    const naming = new Naming(bases);

    const chain = viewpoint.chain(scopeId);
    const entries = chain.map(entriesSource);
    const nodes = bases.statuses().map(({ definition }) => nodesSource(definition.name));
    const spaces = notes.spaces().map(({ space }) => notesSource(space));
    const isMeant = (subject: Subject) => subject.kind !== 'note' || !noteView.isShadowed(subject.note);
    const admit = (uris: readonly string[]) => subjects.all(uris).flatMap((each) => (isMeant(each) ? each.uri : []));
    const options = { admit, signal };
    const task = askedOf(request.task_description);
    const [found, risky] = await Promise.all([
      hybrid.find(task, 'hybrid', {
        ...options,
        rescore: scoredForTask,
        limit: Math.max(MIN_CANDIDATES, limit * CANDIDATES_EACH),
        filter: { sources: [...entries, ...nodes, ...spaces] },
      }),
      // Rules with a risk are looked for by themselves: no number of better hits hides them.
      // Both searches in one turn would hold others up.
      new Promise((resolve) => setImmediate(resolve)).then(() =>
        hybrid.find(task, 'keyword', {
          ...options,
          rescore: scoredForRisk,
          limit: RISK_CANDIDATES,
          filter: { sources: entries, status: RISK_STATUSES },
        }),
      ),
    ]);

    const candidates = new Map<string, Candidate>();
    const consider = (subject: Subject | undefined, hit?: HybridHit) => {
      if (!subject || candidates.has(subject.uri)) return;
      candidates.set(subject.uri, candidateOf(subject, hit, tokensOf(subject), context));
    };
    // What was found both ways counts by the better one.
    const hits = [...found.hits, ...risky.hits].sort((a, b) => b.score - a.score);
    for (const hit of hits) consider(subjects.get(hit.uri), hit);
    for (const rule of rules.filter(({ risks }) => risks.length > 0)) consider(entrySubject(rule));
    for (const rule of rules.filter(({ risks }) => risks.length === 0).slice(0, MAX_FILE_RULES)) {
      consider(entrySubject(rule));
    }
    for (const root of file ? this.parts.named.naming(file.path) : []) {
      if (!noteView.standsFor(root)) consider(nodeSubject(root));
    }

    const relevant = [...candidates.values()].filter(({ score }) => score >= settings.min_relevance_threshold);
    const nearest = relevant.length === 0 ? [...candidates.values()].sort(byScore)[0] : undefined;
    const { warned, unmentioned, others } = warningsOf(relevant);
    const { chosen, unfitting } = choose(withoutOverlap(others, bases), limit, request.token_budget);
    // Whoever set no model up need not be told so with each task.
    const isPlain = found.note === undefined || !hybrid.isSetUp;
    return {
      recommendations: chosen.map((candidate) => recommendationOf(candidate, naming)),
      warnings: warned.map(({ candidate, risks }) => ({
        subject: candidate.subject,
        id: naming.idOf(candidate.subject),
        title: titleOf(candidate.subject),
        risks,
        relevance_score: rounded(candidate.score),
        reason: reasonOf(candidate, naming),
      })),
      available: this.parts.tally.count(chain) + bases.size - noteView.doubled + noteView.available,
      unfitting,
      unmentioned,
      ...(nearest && nearest.score >= WORTH_NAMING ? { nearest: naming.idOf(nearest.subject) } : {}),
      ...(isPlain ? {} : { note: found.note }),
    };
  }

  private context(
    taskType: TaskType | undefined,
    settings: DiscoverySettings,
    file: CurrentFile | undefined,
    rules: readonly ResolvedEntry[],
  ): BoostContext {
    const { clock, named, learned } = this.parts;
    const names = new Set(rules.map((rule) => entrySubject(rule).uri));
    for (const { base, file: name } of file ? named.naming(file.path) : []) names.add(`${base}\0${name}`);
    const isNamed = (subject: Subject) =>
      names.has(subject.kind === 'node' ? `${subject.node.base}\0${subject.node.file}` : subject.uri);
    const nearness = (subject: Subject): Nearness | undefined =>
      file && { share: file.share(subject), isNamed: isNamed(subject) };
    return { settings, taskType, clock, nearness, learned };
  }
}

/** What is searched for: of a long task each word once, since what a log repeats is not what the task is about. */
function askedOf(task: string): string {
  if (task.length <= ASKED_BEGINNING + ASKED_END) return task;
  const words = [...new Set(task.split(/\s+/u))].join(' ');
  if (words.length <= ASKED_BEGINNING + ASKED_END) return words;
  return `${words.slice(0, ASKED_BEGINNING)} ${words.slice(-ASKED_END)}`;
}

function recommendationOf(candidate: Candidate, naming: Naming): Recommendation & { subject: Subject } {
  const { subject, score, tokens } = candidate;
  return {
    subject,
    id: naming.idOf(subject),
    path: naming.pathOf(subject),
    title: titleOf(subject),
    type: typeOf(subject),
    relevance_score: rounded(score),
    reason: reasonOf(candidate, naming),
    estimated_tokens: tokens,
  };
}

function reasonOf({ subject, matched, byMeaning, boosts, sections, tokens }: Candidate, naming: Naming): string {
  const best = sections.reduce((most, { matched: words }) => (words.length > most.length ? words : most), matched);
  return reasonFor({
    matched: best,
    byMeaning,
    headings: naming.headingsAbove(subject),
    boosts,
    sections: sections.map((section) => titleOf(section.subject)),
    isWhole: tokens > tokensOf(subject),
  });
}
