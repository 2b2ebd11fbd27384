import type { BasesPart } from '../bases';
import type { ContinuityPart } from '../continuity';
import type { Clock } from '../core/clock';
import { isKaizenError, KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import type { Change, KnowledgePart } from '../knowledge';
import type { LearningPart } from '../learning';
import type { LibraryPart } from '../library';
import type { NotesPart } from '../notes';
import type { RelationsPart } from '../relations';
import type { Store } from '../store';
import { whileClaimed } from './claims';
import { withWarnings } from './instructing';
import { isFeedbackGiven, isLearningWritten, keptFeedback, keptLearning, performLearning } from './learning-proposals';
import { performLibraryWrite } from './library-proposals';
import {
  type AcceptOptions,
  entryKeyOf,
  type Proposal,
  type ProposalPreview,
  type ProposedWrite,
  type ReviewPart,
} from './model';
import { isNoteWritten, keptProposal, performProposal } from './note-proposals';
import { previewOf } from './preview';
import {
  addProposal,
  claimProposal,
  readPending,
  readProposal,
  reconsiderProposal,
  releaseProposal,
  settleProposal,
} from './proposals';
import { isRelationWritten, keptRelation, performRelationWrite } from './relation-proposals';

const MAX_REASON = 8_192;
const MAX_NOTE_REASON = 2_000;

/**
 * See `ReviewPart`. Proposals live in the workspace's store and what they write may live in the other one, so accepting
 * is three steps: claim the proposal, write, settle it. Whoever finds a claim that was cut off looks whether the write
 * had been made before making it: a proposal is written once, whenever its process was killed.
 */
export class Review implements ReviewPart {
  constructor(
    private readonly store: Store,
    private readonly parts: {
      knowledge: KnowledgePart;
      continuity: ContinuityPart;
      bases: BasesPart;
      notes: NotesPart;
      library: LibraryPart;
      relations: RelationsPart;
      learning: LearningPart;
    },
    private readonly clock: Clock,
  ) {}

  proposals(): Proposal[] {
    return readPending(this.store.read());
  }

  proposal(id: number): Proposal | undefined {
    return readProposal(this.store.read(), id);
  }

  async preview(id: number): Promise<ProposalPreview | undefined> {
    const proposal = this.proposal(id);
    return proposal && withWarnings(await previewOf(proposal, this.parts));
  }

  async propose(write: ProposedWrite, change: Change): Promise<Proposal> {
    const normalized = withTrimmedNames(write);
    const key = entryKeyOf(normalized);
    const base_revision = key ? this.lastRevision(key) : null;
    const kept = await this.checked(normalized, change);
    return this.store.write(
      (transaction) =>
        addProposal(transaction, {
          write: kept,
          author: change.author,
          at: this.clock.now(),
          project_context: change.project_context ?? '',
          reason: change.reason ?? null,
          base_revision,
        }),
      change.signal,
    );
  }

  async accept(id: number, options: AcceptOptions, reviewer: Change): Promise<void> {
    const { proposal, resumed, since } = await this.claim(id, reviewer);
    const claim = { id, since };
    try {
      await whileClaimed({ store: this.store, clock: this.clock }, claim, async () => {
        if (!resumed || !(await this.isWritten(proposal))) await this.write(proposal, options, reviewer);
      });
    } catch (error) {
      // When even this fails, the claim runs out by itself.
      await this.store.write((transaction) => releaseProposal(transaction, id, claim.since)).catch(() => {});
      throw error;
    }
    await this.store.write((transaction) => settleProposal(transaction, id, 'accepted', this.clock.now()));
  }

  async reject(id: number, reviewer: Change): Promise<void> {
    const { proposal, resumed } = await this.claim(id, reviewer);
    const written = resumed && (await this.isWritten(proposal));
    const action = written ? 'accepted' : 'rejected';
    await this.store.write((transaction) => settleProposal(transaction, id, action, this.clock.now()));
    if (!written) return;
    throw new KaizenError(
      'conflict',
      sentence('Proposal {0} had been accepted before, and is written.', id),
      sentence('Undo the change if it is not to hold.'),
    );
  }

  async reconsider(id: number, { signal }: Change): Promise<void> {
    await this.store.write((transaction) => reconsiderProposal(transaction, id), signal);
  }

  /** The write as it will be kept, checked as making it would. */
  private async checked(write: ProposedWrite, change: Change): Promise<ProposedWrite> {
    if (write.operation === 'update_node') {
      const { base, node_id, content } = write.input;
      this.requireBase(base);
      return { ...write, input: await this.parts.bases.prepareUpdate(`${base}:${node_id}`, content) };
    }
    if (write.operation === 'write_note') {
      return { ...write, input: await keptProposal(this.parts.notes, write.input, change.author, change.signal) };
    }
    if (write.operation === 'write_library') {
      // Whether a source can be read is known once it is read, and that is the person's to decide.
      if (write.input.action === 'ingest') await this.parts.library.check(write.input.request, change);
      return write;
    }
    if (write.operation === 'write_relation') {
      return { ...write, input: await keptRelation(this.parts.relations, write.input, change) };
    }
    if (write.operation === 'write_learning') {
      return { ...write, input: await keptLearning(this.parts.learning, write.input, change) };
    }
    if (write.operation === 'give_feedback') {
      return { ...write, input: await keptFeedback(this.parts.learning, write.input, change) };
    }
    await this.perform(write, { ...change, rehearse: true });
    if (write.operation !== 'store_session' || write.input.ended) return write;
    // How long a session took is known now, and not when a person gets round to deciding.
    const ended = this.parts.continuity.endSession(write.input.project_id);
    return { ...write, input: { ...write.input, ended } };
  }

  private requireBase(name: string): void {
    const names = this.parts.bases.statuses().map(({ definition }) => definition.name);
    if (names.some((each) => each.toLowerCase() === name.toLowerCase())) return;
    throw new KaizenError(
      'unknown_base',
      sentence('The knowledge base "{0}" is not configured here.', name),
      sentence(
        'Configure it under this name ("Kaizen: Add Knowledge Base" or the setting kaizen.bases in VS Code, --base {0}=DIR on the command line) and try again.',
        name,
      ),
    );
  }

  private async claim(
    id: number,
    { author, signal }: Change,
  ): Promise<{ proposal: Proposal; resumed: boolean; since: number }> {
    const since = this.clock.now();
    const claimed = await this.store.write((transaction) => claimProposal(transaction, id, author, since), signal);
    return { ...claimed, since };
  }

  private async write(proposal: Proposal, { confirmed, onProgress }: AcceptOptions, reviewer: Change): Promise<void> {
    const { base_revision } = proposal;
    if (proposal.operation === 'write_note') {
      const reason = reasonFor(proposal, reviewer.author, MAX_NOTE_REASON);
      const change = { author: proposal.author, reason, signal: reviewer.signal };
      await performProposal(this.parts.notes, proposal.input, change, confirmed);
      return;
    }
    if (proposal.operation === 'write_library') {
      const { author: agent } = proposal;
      // By the agent still: a person who accepts has not named another path than it did.
      const change = { author: agent, by_agent: true, signal: reviewer.signal, onProgress };
      await performLibraryWrite(this.parts.library, proposal.input, change);
      return;
    }
    if (proposal.operation === 'write_relation') {
      const { author, input } = proposal;
      await performRelationWrite(this.parts.relations, input, { author, signal: reviewer.signal });
      return;
    }
    if (proposal.operation === 'write_learning') {
      const change = { author: proposal.author, by_agent: true, signal: reviewer.signal };
      await performLearning(this.parts.learning, proposal.input, change, confirmed);
      return;
    }
    if (proposal.operation === 'give_feedback') {
      const { kept: _, ...input } = proposal.input;
      await this.parts.learning.feedback(input, { author: proposal.author, by_agent: true, signal: reviewer.signal });
      return;
    }
    try {
      if (proposal.operation === 'update_node') {
        this.requireBase(proposal.input.base);
        await this.parts.bases.update(proposal.input, { confirmed });
        return;
      }
      await this.perform(proposal, {
        author: proposal.author,
        by_agent: true,
        project_context: proposal.project_context,
        reason: reasonFor(proposal, reviewer.author, MAX_REASON),
        base_revision: confirmed ? undefined : (base_revision ?? undefined),
        signal: reviewer.signal,
      });
    } catch (error) {
      const canChange = base_revision !== null || proposal.operation === 'update_node';
      const wasChanged = canChange && !confirmed && isKaizenError(error) && error.code === 'conflict';
      if (!wasChanged) throw error;
      throw new KaizenError(
        'confirmation_required',
        sentence(
          '"{0}" was changed since {1} proposed this.',
          proposal.operation === 'update_node' ? proposal.input.node_id : entryKeyOf(proposal)!.keyword,
          proposal.author,
        ),
        sentence('Compare the two, and confirm to write the proposal all the same.'),
        { cause: error },
      );
    }
  }

  private perform(write: StoredWrite, change: Change): Promise<unknown> {
    const { knowledge, continuity } = this.parts;
    switch (write.operation) {
      case 'store':
        return knowledge.storeOverwrite(write.input, change);
      case 'delete':
        return knowledge.delete(write.input, change);
      case 'define_scope':
        return knowledge.defineScope(write.input, change);
      case 'store_overview':
        return continuity.storeProjectOverview(write.input, change);
      case 'store_session':
        return continuity.storeSessionSummary(write.input, change);
      case 'update_progress':
        return continuity.updateProgress(write.input, change);
    }
  }

  /** Whether a claim that was cut off had got as far as writing; of a scope that was deleted since, nothing is there. */
  private async isWritten(proposal: Proposal): Promise<boolean> {
    try {
      return await this.findWritten(proposal);
    } catch (error) {
      if (isKaizenError(error) && (error.code === 'unknown_scope' || error.code === 'unknown_base')) return false;
      throw error;
    }
  }

  /** What only sets values can be written again. */
  private async findWritten(proposal: Proposal): Promise<boolean> {
    const key = entryKeyOf(proposal);
    if (key) {
      return this.parts.knowledge
        .history(key)
        .some(
          ({ number, author, by_agent, reason }) =>
            number > (proposal.base_revision ?? 0) &&
            by_agent &&
            author === proposal.author &&
            reason?.startsWith(ACCEPTED) === true &&
            reason.includes(mark(proposal)),
        );
    }
    if (proposal.operation === 'write_note') {
      const isMarked = (reason: string) => reason.startsWith(ACCEPTED) && reason.includes(mark(proposal));
      return isNoteWritten(this.parts.notes, proposal.input, proposal.author, isMarked);
    }
    if (proposal.operation === 'update_node') {
      const preview = await this.parts.bases.previewUpdate(proposal.input);
      return preview !== undefined && preview.before === preview.after;
    }
    if (proposal.operation === 'write_relation') return isRelationWritten(this.parts.relations, proposal.input);
    if (proposal.operation === 'write_learning') {
      return isLearningWritten(this.parts.learning, proposal.input, proposal);
    }
    if (proposal.operation === 'give_feedback') return isFeedbackGiven(this.parts.learning, proposal.input, proposal);
    if (proposal.operation !== 'store_session') return false;
    const { project_id, summary, ended } = proposal.input;
    return this.parts.continuity
      .getSessionHistory(project_id, 100)
      .some(
        (session) =>
          session.summary === summary.trim() &&
          session.date === ended?.at.slice(0, 10) &&
          session.duration_minutes === ended.duration_minutes,
      );
  }

  private lastRevision(key: Parameters<KnowledgePart['history']>[0]): number {
    return this.parts.knowledge.history(key).at(-1)?.number ?? 0;
  }
}

/** What knowledge and continuity keep; each of the others has a way of its own. */
type StoredWrite = Exclude<
  ProposedWrite,
  {
    operation: 'update_node' | 'write_note' | 'write_library' | 'write_relation' | 'write_learning' | 'give_feedback';
  }
>;

const ACCEPTED = 'Accepted by ';

function mark({ id }: Proposal): string {
  return `(proposal ${id})`;
}

/** The person's decision first, then the agent's own reason, as far as there is room. */
function reasonFor(proposal: Proposal, reviewer: string, most: number): string {
  const decision = `${ACCEPTED}${reviewer} ${mark(proposal)}`;
  const reason = proposal.reason ? `${decision}: ${proposal.reason}` : decision;
  return reason.slice(0, most).replace(/\p{Cs}$/u, '');
}

/** Names are trimmed when they are stored; the proposal shows them as they will be. */
function withTrimmedNames(write: ProposedWrite): ProposedWrite {
  switch (write.operation) {
    case 'store': {
      const { category, keyword } = write.input;
      return { ...write, input: { ...write.input, category: category.trim(), keyword: keyword.trim() } };
    }
    case 'delete': {
      const { category, keyword } = write.input;
      return { ...write, input: { ...write.input, category: category.trim(), keyword: keyword.trim() } };
    }
    default:
      return write;
  }
}
