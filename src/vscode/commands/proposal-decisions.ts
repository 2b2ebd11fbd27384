import * as vscode from 'vscode';
import type { NodeUpdate } from '../../bases';
import { isKaizenError, KaizenError } from '../../core/errors';
import type { Sentence } from '../../core/sentence';
import type { KaizenParts } from '../../kaizen';
import type { Change } from '../../knowledge';
import type { LearningRevision } from '../../learning';
import type { LibraryProgress } from '../../library';
import {
  entryKeyOf,
  feedbackTitle,
  type LibraryWrite,
  learningTitle,
  libraryTitle,
  type Proposal,
  relationTitle,
} from '../../review';
import { proposalOf, proposalUri } from '../documents';
import { inWords } from '../in-words';
import { showError } from '../log';
import { withoutLinks } from '../messages';
import { subjectOfWrite } from '../views';
import type { CommandContext } from './command';
import { lastRevision } from './entry-changes';
import { withLibrary } from './library-failures';
import { withProgress } from './long-work';
import { filesToChange, requireSavedFiles } from './note-given';
import { undoAll } from './note-writes';

/** So long it waits for files that are still being indexed. */
const PATIENCE_MS = 10_000;
/** One proposal never makes more. */
const MOST_REVISIONS = 20;

/** Shows what is stored beside what would be. */
export async function compareProposal(
  context: CommandContext,
  proposal: Proposal,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const { review } = await partsFor(context, [proposal]);
  const preview = await review.preview(proposal.id);
  if (!preview) throw gone(proposal.id);
  const { title } = preview;
  await vscode.commands.executeCommand(
    'vscode.diff',
    proposalUri(proposal.id, title, 'before'),
    proposalUri(proposal.id, title),
    vscode.l10n.t('{0} (stored ↔ proposed by {1})', title, proposal.author),
    { preview: true, ...options },
  );
  warnOfInstructions(title, preview.warnings);
}

/** Beside the comparison: what in it speaks to agents. */
function warnOfInstructions(title: string, warnings: readonly Sentence[] | undefined): void {
  if (!warnings) return;
  const message = vscode.l10n.t(
    '"{0}" has text that tries to instruct agents: {1}.',
    title,
    warnings.map(inWords).join('; '),
  );
  void vscode.window.showWarningMessage(withoutLinks(message));
}

/** What was accepted, with the way back where it is no entry's history. */
export interface Accepted {
  undo?: () => Promise<void>;
}

/**
 * Writes what an agent proposed. What was changed since is written only when the person says so again. Undefined when
 * it was not written.
 */
export async function acceptProposal(context: CommandContext, proposal: Proposal): Promise<Accepted | undefined> {
  const change = context.knowledge.change();
  const parts = await partsFor(context, [proposal]);
  await requireSaved(parts, proposal);
  const before = proposal.operation === 'update_node' ? await textOf(parts, proposal.input) : undefined;
  const [lastChange] = parts.notes.revisions({ limit: 1 });
  let undoLearned = undoingLearned(context, parts, proposal);
  try {
    if (!(await written(context, parts, proposal, change))) return undefined;
  } catch (error) {
    if (!isKaizenError(error) || error.code !== 'confirmation_required') throw error;
    const compare = vscode.l10n.t('Compare');
    const accept = vscode.l10n.t('Accept Anyway');
    const choice = await vscode.window.showWarningMessage(
      vscode.l10n.t('"{0}" was changed since {1} proposed this.', titleOf(proposal), proposal.author),
      {
        modal: true,
        detail:
          proposal.operation === 'update_node' || proposal.operation === 'write_note'
            ? vscode.l10n.t('The text that the file has there now is replaced.')
            : vscode.l10n.t('The text that is stored now stays in the history.'),
      },
      compare,
      accept,
    );
    if (choice === compare) await compareProposal(context, proposal);
    if (choice !== accept) return undefined;
    // While the person thought it over, the agent may have written something else.
    undoLearned = undoingLearned(context, parts, proposal);
    await parts.review.accept(proposal.id, { confirmed: true }, change);
  }
  await closeProposal(proposal.id);
  if (proposal.operation === 'write_note') return undoingNotes(context, parts, lastChange?.id ?? 0, proposal.author);
  if (undoLearned) return undoLearned();
  if (proposal.operation !== 'update_node' || before === undefined) return {};
  const { input } = proposal;
  return {
    undo: async () => {
      await requireSaved(parts, proposal);
      await takeBack(parts, input, before);
    },
  };
}

/** Looks at what was captured and said before; what it answers then is the way back from what came since. */
function undoingLearned(
  context: CommandContext,
  { learning }: KaizenParts,
  proposal: Proposal,
): (() => Accepted) | undefined {
  const { author } = proposal;
  if (proposal.operation === 'write_learning') {
    const last = learning.revisions({ limit: 1 })[0]?.revision ?? 0;
    return () => {
      const isMade = (each: LearningRevision) => each.revision > last && each.by_agent && each.author === author;
      // With the first of them all that was made with it is taken back.
      const first = learning.revisions({ limit: MOST_REVISIONS }).filter(isMade).at(-1);
      return first ? { undo: () => learning.undo(first.revision, context.knowledge.change()) } : {};
    };
  }
  if (proposal.operation !== 'give_feedback') return undefined;
  // What the agent says of something else meanwhile is not what was accepted.
  const { artifact_id } = proposal.input;
  const before = new Set(learning.feedbackOn(artifact_id).map(({ id }) => id));
  return () => {
    const given = learning.feedbackOn(artifact_id).filter((each) => !before.has(each.id) && each.author === author);
    const ids = given.map(({ id }) => id);
    return ids.length > 0 ? { undo: () => learning.takeBack(ids, context.knowledge.change()) } : {};
  };
}

/**
 * Has it written. Reading a source and fetching pages may take minutes: how far it has come is shown, it can be stopped,
 * and what the web refuses is told with what can be done about it. False then.
 */
async function written(
  context: CommandContext,
  { review }: KaizenParts,
  proposal: Proposal,
  change: Change,
): Promise<boolean> {
  if (proposal.operation !== 'write_library') {
    await review.accept(proposal.id, { confirmed: false }, change);
    return true;
  }
  const title = titleOf(proposal);
  const isDone = await withLibrary(context, () =>
    withProgress(progressTitle(proposal.input), async ({ signal, onStep }) => {
      onStep(0, title);
      const onProgress = ({ done = 0 }: LibraryProgress) => onStep(done, title);
      await review.accept(proposal.id, { confirmed: false, onProgress }, { ...change, signal });
      return true;
    }),
  );
  return isDone === true;
}

/** What was written of notes since, in the name of the agent, is undone as each other change of them. */
function undoingNotes(context: CommandContext, parts: KaizenParts, since: number, author: string): Accepted {
  const made = parts.notes
    .revisions({ limit: MOST_REVISIONS })
    .filter((each) => each.id > since && each.author === author);
  if (made.length === 0) return {};
  return { undo: () => undoAll(context, parts, made) };
}

export async function rejectProposal(context: CommandContext, proposal: Proposal): Promise<void> {
  const change = context.knowledge.change();
  const { review } = await context.knowledge.parts();
  await review.reject(proposal.id, change);
  await closeProposal(proposal.id);
}

/** Says what was accepted, and offers to take it back where it is an entry or a node. Nobody waits for the answer. */
export function announceAccepted(context: CommandContext, proposal: Proposal, accepted: Accepted): void {
  sayAccepted(context, proposal, accepted).catch((error) => showError(context.log, error));
}

/** Says what was rejected, and offers to have it wait again. */
export function announceRejected(context: CommandContext, proposal: Proposal): void {
  sayRejected(context, proposal).catch((error) => showError(context.log, error));
}

async function sayAccepted(context: CommandContext, proposal: Proposal, accepted: Accepted): Promise<void> {
  const key = entryKeyOf(proposal);
  const title = titleOf(proposal);
  if (!key) {
    const takeBack = vscode.l10n.t('Undo');
    const choice = await vscode.window.showInformationMessage(
      withoutLinks(vscode.l10n.t('Accepted what {0} proposed for {1}.', proposal.author, title)),
      ...(accepted.undo ? [takeBack] : []),
    );
    if (choice === takeBack) await accepted.undo?.();
    return;
  }
  const { knowledge } = await context.knowledge.parts();
  const revision = lastRevision(knowledge, key);
  const message =
    proposal.operation === 'delete'
      ? vscode.l10n.t('Deleted "{0}", as {1} proposed.', title, proposal.author)
      : vscode.l10n.t('Stored "{0}", as {1} proposed.', title, proposal.author);
  const undo = vscode.l10n.t('Undo');
  const choice = await vscode.window.showInformationMessage(withoutLinks(message), undo);
  if (choice === undo) await knowledge.undo(key, revision, context.knowledge.change());
}

async function sayRejected(context: CommandContext, proposal: Proposal): Promise<void> {
  const message = vscode.l10n.t('Rejected what {0} proposed for {1}.', proposal.author, titleOf(proposal));
  const undo = vscode.l10n.t('Undo');
  if ((await vscode.window.showInformationMessage(withoutLinks(message), undo)) !== undo) return;
  const { review } = await context.knowledge.parts();
  await review.reconsider(proposal.id, context.knowledge.change());
}

/** Files have to be known before a change of one can be shown or made. */
export async function partsFor(
  { knowledge, bases, notes }: CommandContext,
  proposals: readonly Proposal[],
): Promise<KaizenParts> {
  if (proposals.some(({ operation }) => operation === 'write_note')) {
    const parts = await notes.start();
    await parts.notes.ready(PATIENCE_MS);
  }
  if (!proposals.some(({ operation }) => operation === 'update_node')) return knowledge.parts();
  const parts = await bases.start();
  await parts.bases.ready(PATIENCE_MS);
  return parts;
}

/** Throws `conflict` where the file that a proposal is about has changes in an editor: they would be in its way. */
export async function requireSaved({ bases, notes }: KaizenParts, proposal: Proposal): Promise<void> {
  if (proposal.operation === 'write_note') {
    requireSavedFiles(await filesToChange({ notes }, proposal.input));
    return;
  }
  if (proposal.operation !== 'update_node') return;
  const { base, file } = proposal.input;
  const path = await bases.locate(base, file);
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === path);
  if (!open?.isDirty) return;
  throw new KaizenError(
    'conflict',
    vscode.l10n.t('{0} has changes that are not saved.', file),
    vscode.l10n.t('Save or revert them first.'),
  );
}

/** The node's own text now; undefined when it is gone. */
async function textOf({ bases }: KaizenParts, update: NodeUpdate): Promise<string | undefined> {
  try {
    return await bases.content(bases.node(referenceTo(update)));
  } catch {
    return undefined;
  }
}

/** Writes what stood there before, unless somebody has gone on writing since. */
async function takeBack(parts: KaizenParts, update: NodeUpdate, before: string): Promise<void> {
  const { bases } = parts;
  const now = await textOf(parts, update);
  if (now === undefined || plain(now) !== plain(update.content)) {
    throw new KaizenError(
      'conflict',
      vscode.l10n.t('"{0}" was changed since.', update.node_id),
      vscode.l10n.t('Change it in its file.'),
    );
  }
  await bases.update(await bases.prepareUpdate(referenceTo(update), before), { confirmed: false });
}

/** The file keeps its own line ends, and empty lines around the text. */
const plain = (text: string) => text.replace(/\r\n?/g, '\n').trim();

const referenceTo = ({ base, node_id }: NodeUpdate) => `${base}:${node_id}`;

function progressTitle({ action }: LibraryWrite): string {
  if (action === 'refresh') return vscode.l10n.t('Looking at web sources again');
  return action === 'acquire' ? vscode.l10n.t('Fetching from the web') : vscode.l10n.t('Adding to the library');
}

/** What a proposal is about, on one line. */
export function titleOf(proposal: Proposal): string {
  switch (proposal.operation) {
    case 'store':
    case 'delete':
      return proposal.input.keyword;
    case 'define_scope':
      return proposal.input.scope_id;
    case 'update_node':
      return proposal.input.node_id;
    case 'write_note':
      return subjectOfWrite(proposal.input);
    case 'write_library':
      return libraryTitle(proposal.input);
    case 'write_relation':
      return relationTitle(proposal.input);
    case 'write_learning':
      return learningTitle(proposal.input);
    case 'give_feedback':
      return feedbackTitle(proposal.input);
    default:
      return proposal.input.project_id;
  }
}

/**
 * The proposals that a command was called with: nodes of the tree, an id, a document's address, or nothing, which stands
 * for the document in front. Throws for what was decided already; empty when the command was called with none.
 */
export function givenProposals({ review }: KaizenParts, first: unknown, others: unknown): Proposal[] {
  const values = Array.isArray(others) && others.length > 0 ? others : [first];
  const ids = [...new Set(values.flatMap((value) => idIn(value) ?? []))];
  const open = first === undefined ? proposalInFront() : undefined;
  return (ids.length === 0 && open !== undefined ? [open] : ids).map((id) => {
    const proposal = review.proposal(id);
    if (!proposal || proposal.decision) throw gone(id);
    return proposal;
  });
}

function idIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (value instanceof vscode.Uri) return proposalOf(value);
  const node = value as { kind?: unknown; proposal?: { id?: unknown } | null } | null | undefined;
  const id = node?.kind === 'proposal' ? node.proposal?.id : undefined;
  return typeof id === 'number' ? id : undefined;
}

function proposalInFront(): number | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri =
    input instanceof vscode.TabInputTextDiff
      ? input.modified
      : input instanceof vscode.TabInputText
        ? input.uri
        : undefined;
  return uri && proposalOf(uri);
}

/** What was decided does not have to be looked at any more. */
async function closeProposal(id: number): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff && proposalOf(input.modified) === id);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

function gone(id: number): KaizenError {
  return new KaizenError(
    'unknown_proposal',
    vscode.l10n.t('Proposal {0} was decided already.', id),
    vscode.l10n.t('The view Knowledge shows what waits.'),
  );
}
