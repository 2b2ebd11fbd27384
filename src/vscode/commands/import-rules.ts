import * as vscode from 'vscode';
import { isoTime, systemClock } from '../../core/clock';
import type { EntryKey } from '../../knowledge';
import type { ImportResult } from '../../transfer';
import type { ReviewedDraft, RuleDraft, RulesReading, RulesSource } from '../../transfer/rules';
import { inWords } from '../in-words';
import { showError } from '../log';
import { withoutLinks } from '../messages';
import type { CommandContext } from './command';
import { lastRevision } from './entry-changes';
import { decideConflicts } from './import-conflicts';
import type { ImportCommandOptions } from './import-options';
import { pickDrafts } from './import-rules-pick';
import { ImportSecrets, placeInFile, tellNothingImported } from './import-secrets';
import { withProgress } from './long-work';
import { scopeItem } from './scope-item';

/** A note as it is shown. */
interface Note {
  path: string;
  message: string;
}

/**
 * Imports what other tools keep: asks where it goes, lists the entries that it would become with what speaks against
 * them, and stores what the person ticks. Nothing is changed before that; what was stored can be taken back.
 */
export async function importRules(
  context: CommandContext,
  source: RulesSource,
  settled: ImportCommandOptions,
): Promise<ImportResult | undefined> {
  const scope = settled.scope ?? (await askScope(context));
  if (scope === undefined) return undefined;
  const kaizen = await context.knowledge.hall();
  const title = vscode.l10n.t('Reading {0}', withoutLinks(source.name));
  const { reading, reviewed } = await withProgress(title, async ({ signal }) => {
    const read = await kaizen.readRules(source, signal);
    return { reading: read, reviewed: await kaizen.reviewRules(read.drafts, scope, signal) };
  });
  const notes = notesOf(reading);
  const undecided = reviewed.filter(({ standing }) => standing !== 'same');
  if (undecided.length === 0) {
    void announceNothing(context, reviewed.length, notes);
    return undefined;
  }
  const picked =
    settled.entries === 'proposed'
      ? undecided.filter(({ isProposed }) => isProposed)
      : await pickDrafts(reviewed, scope, context.texts);
  if (!picked) return undefined;
  if (picked.length === 0) return tellNothingImported();
  return store(context, { source, picked, scope, notes, settled });
}

interface Choice {
  source: RulesSource;
  picked: readonly ReviewedDraft[];
  scope: string;
  notes: readonly Note[];
  settled: ImportCommandOptions;
}

async function store(
  context: CommandContext,
  { source, picked, scope, notes, settled }: Choice,
): Promise<ImportResult | undefined> {
  const { author, project_context } = context.knowledge.change();
  const [kaizen, { draftPlaces, recordsOf, tellDraftPlaces }] = await Promise.all([
    context.knowledge.hall(),
    import('../../transfer/rules'),
  ]);
  const { knowledge } = await context.knowledge.parts();
  const drafts = picked.map(({ draft }) => draft);
  const at = isoTime(systemClock.now());
  const isNew = !knowledge.listScopes().some(({ scope_id }) => scope_id === scope);
  const records = recordsOf(drafts, { scope, author, at, project: project_context ?? '', isNew });
  const secrets = new ImportSecrets(drafts.length, placeInFile(drafts, source.files));
  try {
    const { conflicts } = await kaizen.previewImport(records, { author });
    const overwrite = settled.conflicts
      ? settled.conflicts === 'replace'
      : conflicts.length === 0
        ? false
        : await decideConflicts(conflicts);
    if (overwrite === undefined) return tellNothingImported();
    const kept = new Set(conflicts.filter(({ line }) => !isReplaced(overwrite, line)).map(({ line }) => line));
    const title = vscode.l10n.t('Importing into {0}', scope);
    const options = { author, overwrite, placeOf: draftPlaces(drafts), onSecrets: secrets.ask };
    const result = await withProgress(title, ({ signal }) => kaizen.importRecords(records, { ...options, signal }));
    const stored = drafts.filter((_, index) => !kept.has(index + 1) && !secrets.isLeftOut(index + 1));
    announce(context, stored, scope, secrets.withCounts(countsIn(scope, result)), notes).catch((error) =>
      showError(context.log, error),
    );
    return result;
  } catch (error) {
    if (secrets.isGivenUp) return tellNothingImported();
    throw tellDraftPlaces(error, drafts);
  }
}

function isReplaced(overwrite: boolean | ReadonlySet<number>, line: number): boolean {
  return typeof overwrite === 'boolean' ? overwrite : overwrite.has(line);
}

/** The current project first, which is defined with the import where it is not yet. */
async function askScope({ knowledge: window }: CommandContext): Promise<string | undefined> {
  const { knowledge } = await window.parts();
  const scopes = knowledge.listScopes();
  const { project } = window;
  const isDefined = scopes.some(({ scope_id }) => scope_id === project);
  const items = scopes.sort((a, b) => Number(b.is_current_project) - Number(a.is_current_project)).map(scopeItem);
  const added =
    project && !isDefined
      ? [{ label: project, description: vscode.l10n.t('PROJECT · is defined with the import') }]
      : [];
  const picked = await vscode.window.showQuickPick([...added, ...items], {
    title: vscode.l10n.t('Import Knowledge'),
    placeHolder: vscode.l10n.t('The scope that these entries are to go to'),
    ignoreFocusOut: true,
  });
  return picked?.label;
}

/** Everything that became no entry, and why. */
function notesOf({ files, leftovers, notes }: RulesReading): Note[] {
  const lines = (line: number, endLine: number) =>
    endLine > line ? vscode.l10n.t('lines {0} to {1}', line, endLine) : vscode.l10n.t('line {0}', line);
  return [
    ...files.flatMap(({ path, reason }) => (reason === undefined ? [] : [{ path, message: inWords(reason) }])),
    ...notes.map(({ path, message }) => ({ path, message: inWords(message) })),
    ...leftovers.map(({ path, line, endLine, why }) => ({ path, message: `${lines(line, endLine)}: ${inWords(why)}` })),
  ];
}

async function announceNothing(context: CommandContext, known: number, notes: readonly Note[]): Promise<void> {
  const message =
    known === 0
      ? vscode.l10n.t('There is nothing in it to import.')
      : vscode.l10n.t('Everything that it holds is stored already. Nothing was changed.');
  for (const { path, message: note } of notes) context.log.info(`${path}: ${note}`);
  const show = vscode.l10n.t('Show Notes');
  const choice = await vscode.window.showInformationMessage(message, ...(notes.length > 0 ? [show] : []));
  if (choice === show) await showNotes(context, notes);
}

function countsIn(scope: string, { entry: { added, overwritten, kept } }: ImportResult): string {
  return vscode.l10n.t('Imported into {0}: {1} added, {2} replaced, {3} kept.', scope, added, overwritten, kept);
}

async function announce(
  context: CommandContext,
  stored: readonly RuleDraft[],
  scope: string,
  counts: string,
  notes: readonly Note[],
): Promise<void> {
  const { knowledge } = await context.knowledge.parts();
  const revisions = stored.flatMap(({ category, keyword }): [EntryKey, number][] => {
    const key = { scope_id: scope, category, keyword };
    // Of a name that held a secret something else is left.
    return knowledge.entry(key) ? [[key, lastRevision(knowledge, key)]] : [];
  });
  for (const { path, message } of notes) context.log.info(`${path}: ${message}`);
  const [undo, show] = [vscode.l10n.t('Undo'), vscode.l10n.t('Show Notes')];
  const actions = [...(revisions.length > 0 ? [undo] : []), ...(notes.length > 0 ? [show] : [])];
  const choice = await vscode.window.showInformationMessage(withoutLinks(counts), ...actions);
  if (choice === show) await showNotes(context, notes);
  if (choice !== undo) return;
  const change = context.knowledge.change();
  await withProgress(vscode.l10n.t('Undoing the import'), async ({ signal, onProgress }) => {
    for (const [index, [key, revision]] of revisions.entries()) {
      signal.throwIfAborted();
      onProgress(index, revisions.length);
      await knowledge.undo(key, revision, change);
    }
  });
}

async function showNotes({ texts }: CommandContext, notes: readonly Note[]): Promise<void> {
  const content = notes.map(({ path, message }) => `${path}: ${message}`).join('\n');
  await vscode.window.showTextDocument(texts.add('import-notes.txt', content));
}
