import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import {
  type FeedbackInput,
  type Given,
  givenBy,
  type LearningChange,
  type LearningPart,
  type LearningRevision,
  type LearningWrite,
  recordMarkdown,
} from '../learning';
import { document, field, list, text } from './markdown';
import type { FeedbackProposal, LearningProposal, ProposalPreview } from './model';

const MAX_TITLE = 120;
/** As many as are kept: what was cut off long ago is among the older ones. */
const MOST_REVISIONS = 2_000;

type Learning = Pick<LearningPart, 'write' | 'get' | 'markdown' | 'revisions'>;

/** What a write is about, on one line: the record's title. */
export function learningTitle(write: LearningProposal): string {
  return onOneLine(write.kept?.title ?? ('project_id' in write ? write.project_id : ''));
}

/** What the feedback is on, on one line. */
export function feedbackTitle({ kept, artifact_id }: FeedbackProposal): string {
  return onOneLine(kept?.title ?? artifact_id);
}

/** The write as it waits: checked as making it would, with the record that it would leave. Throws as `LearningPart.write`. */
export async function keptLearning(
  learning: Learning,
  write: LearningWrite,
  change: LearningChange,
): Promise<LearningProposal> {
  const { kind, record } = await learning.write(write, { ...change, rehearse: true });
  const existing = learning.get(kind, record.id);
  const after = write.operation === 'delete' ? '' : recordMarkdown(kind, record);
  return {
    ...write,
    kept: {
      kind,
      title: 'title' in record ? record.title : record.name,
      after,
      ...(existing ? { id: existing.id, updated_at: existing.updated_at } : {}),
    },
  };
}

/**
 * Writes what was proposed. Throws `confirmation_required` where the record was changed since and `confirmed` is not
 * set; otherwise as `LearningPart.write`.
 */
export async function performLearning(
  learning: Learning,
  { kept, ...write }: LearningProposal,
  change: LearningChange,
  confirmed: boolean,
): Promise<void> {
  if (kept?.id !== undefined && !confirmed) {
    const now = learning.get(kept.kind, kept.id);
    if (now && now.updated_at !== kept.updated_at) {
      throw new KaizenError(
        'confirmation_required',
        sentence('"{0}" was changed since {1} proposed this.', onOneLine(kept.title), change.author),
        sentence('Compare the two, and confirm to write the proposal all the same.'),
      );
    }
  }
  await learning.write(write, change);
}

/** Whether a write that was cut off had been made: a change by the agent, since, that left what was proposed. */
export function isLearningWritten(
  learning: Learning,
  { kept, ...write }: LearningProposal,
  { author, at }: { author: string; at: string },
): boolean {
  if (!kept) return false;
  if (write.operation === 'delete') return learning.get(write.kind, write.id) === undefined;
  return learning
    .revisions({ kind: kept.kind, limit: MOST_REVISIONS })
    .some(
      (revision) =>
        revision.operation === write.operation &&
        revision.by_agent &&
        revision.author === author &&
        revision.at >= at &&
        (kept.id === undefined || revision.id === kept.id) &&
        withoutHistory(leftBy(revision)) === withoutHistory(kept.after),
    );
}

function leftBy({ kind, after }: LearningRevision): string {
  return after === null ? '' : recordMarkdown(kind, after);
}

/** Days stand there that are others when a person decides. */
function withoutHistory(markdown: string): string {
  return markdown.replace(/^## History\n(?:(?!## ).*\n)*/m, '').replace(/^- (?:Started|Ended): .*$/gm, '');
}

/** What is captured now, and what would be. */
export function learningPreview(learning: Learning, write: LearningProposal): ProposalPreview {
  const { kept } = write;
  const record = kept?.id === undefined ? undefined : learning.get(kept.kind, kept.id);
  const before = kept && record ? recordMarkdown(kept.kind, record) : '';
  return { title: learningTitle(write), before, after: kept?.after ?? '' };
}

/** The feedback as it waits: what it is on, by its address. Throws as `LearningPart.feedback`. */
export async function keptFeedback(
  learning: Pick<LearningPart, 'feedback' | 'find'>,
  input: FeedbackInput,
  change: LearningChange,
): Promise<FeedbackProposal> {
  const { artifact } = await learning.feedback(input, { ...change, rehearse: true });
  const record = learning.find(artifact)?.record;
  const title = record === undefined ? artifact : 'title' in record ? record.title : record.name;
  // A bare id may mean something else by then.
  return { ...input, artifact_id: artifact, kept: { title } };
}

/** Whether feedback that was cut off had been given. */
export function isFeedbackGiven(
  learning: Pick<LearningPart, 'feedbackOn'>,
  input: FeedbackProposal,
  { author, at }: { author: string; at: string },
): boolean {
  const wanted = wordsOf(givenBy(input));
  return learning
    .feedbackOn(input.artifact_id)
    .some(
      (record) =>
        record.author === author &&
        record.created_at >= at &&
        record.propagated_from === undefined &&
        wordsOf(record) === wanted,
    );
}

/** All that was said, to be compared. */
function wordsOf(given: Given): string {
  const { feedback_type, rating, comment, usage_context, specific_data, corrections, suggested_improvements } = given;
  return JSON.stringify([
    ...[feedback_type, rating ?? null, comment ?? '', usage_context],
    ...[Object.entries(specific_data).sort(), corrections, suggested_improvements],
  ]);
}

/** What would be said of it, for a person to read. */
export function feedbackPreview(input: FeedbackProposal): ProposalPreview {
  const after = document('Feedback', [
    field('On', `${feedbackTitle(input)} (${input.artifact_id})`),
    ...saidBy(input),
    text('Used for', input.usage_context),
    text('Comment', input.comment),
  ]);
  return { title: feedbackTitle(input), before: '', after };
}

function saidBy(input: FeedbackInput): string[] {
  switch (input.operation) {
    case 'rate':
      return [field('Helpful', yesOrNo(input.helpful)), field('Rating', input.rating)];
    case 'rate_specific':
      return Object.entries(input.aspect_ratings ?? {}).map(([aspect, rating]) => field(aspect, rating));
    case 'report_outcome': {
      const { outcome_type, rating, outcome_details: details = {} } = input;
      return [
        field('Outcome', outcome_type),
        field('Rating', rating),
        field('Tasks added', details.tasks_added),
        field('Tasks removed', details.tasks_removed),
        field('Estimates off by percent', details.estimate_delta_percent),
        list('Risks that occurred', details.risks_that_occurred ?? []),
        list('Risks missed', details.risks_missed ?? []),
        list('Modifications made', details.modifications_made ?? []),
      ];
    }
    case 'suggest_improvement':
      return [list('Suggestions', input.suggestions ?? []), list('Missing', input.missing_elements ?? [])];
  }
}

function yesOrNo(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? 'yes' : 'no';
}

function onOneLine(words: string): string {
  const line = words.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length <= MAX_TITLE ? line : `${line.slice(0, MAX_TITLE - 1).trimEnd()}…`;
}
