import { randomUUID } from 'node:crypto';
import { type Clock, isoTime } from '../../core/clock';
import { learningUri } from '../../core/knowledge-uri';
import { sentence } from '../../core/sentence';
import { checkText } from '../../core/text';
import { type Reader, rehearse, type Store, type Transaction } from '../../store';
import type { FeedbackInput, FeedbackRecord, FeedbackResult } from '../feedback-model';
import type { FeedbackChange } from '../model';
import type { LearnedRecords } from '../records-model';
import { samplesOf } from '../scoring/factors';
import type { LearningSettings } from '../settings';
import type { CapturedRecords, OutcomeFeedback } from '../surroundings';
import { type ArtifactType, SCORE_FACTORS, type ScoreFactor } from '../vocabulary';
import type { Artifacts } from './artifacts';
import { givenBy } from './inputs';
import { ownOn, wayOf } from './opinions';
import { propagated } from './propagation';
import { feedbackOn, insertFeedback, setWithdrawn } from './rows';
import { isDocument } from './score-table';
import type { Scores } from './scores';
import { addTo, copyOf, newTally, type Tally } from './tally';

const MAX_AUTHOR = 200;

export interface GivingOptions {
  store: Store;
  clock: Clock;
  records: () => CapturedRecords;
  artifacts: Artifacts;
  scores: Scores;
  settings: () => LearningSettings;
}

/** Feedback is given, with what it says of the template that a project was made from, and taken back. */
export class Giving implements OutcomeFeedback {
  constructor(private readonly options: GivingOptions) {}

  /**
   * Records feedback, and what it says of the template that a project was made from. Throws `invalid_argument`,
   * `unknown_artifact`, `unknown_template` and the like.
   */
  async feedback(input: FeedbackInput, change: FeedbackChange): Promise<FeedbackResult> {
    const { store, clock, artifacts, scores } = this.options;
    const { author, by_agent: byAgent, signal } = change;
    const given = givenBy(input);
    const { artifact, artifact_type } = await artifacts.resolve(input.artifact_id, input.artifact_type, signal);
    const found = artifacts.record(artifact);
    const project = found?.kind === 'project' ? found.record : undefined;
    const record = {
      ...given,
      ...{ artifact, artifact_type, project_id: project?.id },
      feedback_source: byAgent ? ('automated' as const) : ('user' as const),
      ...{ author: checkedAuthor(author), created_at: isoTime(clock.now()) },
    };
    const write = (transaction: Transaction): FeedbackResult => {
      const before = scores.table.tallyNow(artifact, transaction);
      const isReplacing = change.instead === true && this.withdrawOwn(transaction, record);
      const kept = isReplacing ? talliedAnew(transaction, artifact, artifact_type) : before;
      const { records, note } = this.insert(transaction, record, project);
      const [first, ...others] = records as [FeedbackRecord, ...FeedbackRecord[]];
      const after = kept ? copyOf(kept) : newTally(artifact_type);
      addTo(after, { ...first, at: Date.parse(first.created_at) });
      const score = (tally: Tally | undefined) => scores.effectivenessBy(tally, artifact, artifact_type);
      const [previous, next] = [score(before), score(after)];
      return {
        feedback_id: first.id,
        artifact,
        score_update: {
          previous_score: previous.score,
          new_score: next.score,
          previous_confidence: previous.confidence,
          new_confidence: next.confidence,
          factors_updated: factorsOf(first),
        },
        propagation: { propagated_to: others.map((each) => each.artifact), note },
      };
    };
    return change.rehearse ? rehearse(store, write, signal) : store.write(write, signal);
  }

  give(
    transaction: Transaction,
    input: FeedbackInput,
    { author, at, project }: { author: string; at: number; project: LearnedRecords['project'] },
  ): readonly string[] {
    const record = {
      ...givenBy(input),
      ...{ artifact: learningUri('project', project.id), artifact_type: 'project' as const, project_id: project.id },
      ...{ feedback_source: 'outcome_tracking' as const, author: checkedAuthor(author), created_at: isoTime(at) },
    };
    return this.insert(transaction, record, project).records.map(({ id }) => id);
  }

  withdraw(transaction: Transaction, ids: readonly string[], withdrawn: boolean): void {
    setWithdrawn(transaction, ids, withdrawn);
    this.options.scores.table.lookSoon();
  }

  /** Takes feedback back, with what was propagated of it. Unknown ids are no error. */
  async takeBack(ids: readonly string[], { signal }: Pick<FeedbackChange, 'signal'>): Promise<void> {
    await this.options.store.write((transaction) => this.withdraw(transaction, withPropagated(ids), true), signal);
  }

  private insert(
    transaction: Transaction,
    given: Omit<FeedbackRecord, 'id'>,
    project: LearnedRecords['project'] | undefined,
  ): { records: FeedbackRecord[]; note: string } {
    const { records: captured, scores, settings } = this.options;
    const { record, note } = propagated(given, project, {
      enabled: settings().score_propagation_enabled,
      hasTemplate: (id) => captured().get('template', id) !== undefined,
    });
    const id = newId();
    const records = [{ ...given, id }, ...(record ? [{ ...record, id: propagatedId(id) }] : [])];
    insertFeedback(transaction, records);
    scores.table.lookSoon();
    return { records, note };
  }

  /** Whether there was something to be withdrawn. */
  private withdrawOwn(transaction: Transaction, given: Omit<FeedbackRecord, 'id'>): boolean {
    const way = wayOf(given);
    const own = ownOn(transaction, given.author, given.artifact).filter((each) => wayOf(each) === way);
    if (way === undefined || own.length === 0) return false;
    this.withdraw(transaction, withPropagated(own.map(({ id }) => id)), true);
    return true;
  }
}

/** Sums cannot be taken apart: they are made anew of what is left. */
function talliedAnew(reader: Reader, artifact: string, type: ArtifactType): Tally {
  const tally = newTally(type);
  for (const each of feedbackOn(reader, artifact, { withPassages: isDocument(artifact) })) {
    addTo(tally, { ...each, at: Date.parse(each.created_at) });
  }
  return tally;
}

function checkedAuthor(author: string): string {
  return checkText(author, { name: sentence('author'), max: MAX_AUTHOR, singleLine: true });
}

function newId(): string {
  return `fb-${randomUUID()}`;
}

/** What was propagated of a piece of feedback is found by its id. */
function propagatedId(id: string): string {
  return `${id}.template`;
}

function withPropagated(ids: readonly string[]): string[] {
  return ids.flatMap((id) => [id, propagatedId(id)]);
}

function factorsOf(record: FeedbackRecord): ScoreFactor[] {
  const touched = new Set(samplesOf(record).map(({ factor }) => factor));
  return SCORE_FACTORS.filter((factor) => touched.has(factor));
}
