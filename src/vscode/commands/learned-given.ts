import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';
import { learningUri } from '../../core/knowledge-uri';
import type { KaizenParts } from '../../kaizen';
import type { FoundRecord, LearnedKind, LearningWritten } from '../../learning';
import { showError } from '../log';
import { withoutLinks } from '../messages';
import { artifactGiven, artifactInFront } from './artifact-given';
import type { CommandContext } from './command';
import { givenValues, isRecord } from './given';
import { pickRecord } from './learned-search';

export interface RecordChoice {
  title: string;
  /** All unless told. */
  kinds?: readonly LearnedKind[] | undefined;
}

/** The captured records that a command was given or that is in front, or the one that the person looks for; none on cancel. */
export async function chooseRecords(
  context: CommandContext,
  parts: KaizenParts,
  { title, kinds }: RecordChoice,
  first?: unknown,
  others?: unknown,
): Promise<FoundRecord[]> {
  const isMeant = (found: FoundRecord) => !kinds || kinds.includes(found.kind);
  const values = await givenValues(first, others, () => context.explorer.learning.underKeyboard());
  const given = values.flatMap((value) => recordGiven(parts, value) ?? []);
  const distinct = given.filter(({ uri }, index) => given.findIndex((other) => other.uri === uri) === index);
  if (distinct.length > 0) return distinct.filter(isMeant);
  // A heading is selected.
  if (values.some((value) => isRecord(value) && 'kind' in value)) return [];
  if (values.some((value) => value !== undefined)) throw noRecord();
  const open = recordGiven(parts, artifactInFront(context, parts));
  if (open && isMeant(open)) return [open];
  const found = await pickRecord(parts, { title, kinds });
  return found ? [found] : [];
}

/** The record that an address, a line of a view or a document means. */
export function recordGiven(parts: KaizenParts, value: unknown): FoundRecord | undefined {
  const address = artifactGiven(parts, value);
  return address === undefined ? undefined : parts.learning.find(address);
}

/** Says what was captured or changed, and offers to open it and to take it back. Nobody waits for the answer. */
export function announceWritten(context: CommandContext, written: LearningWritten, message: string): void {
  const { kind, record, revision } = written;
  const tell = async () => {
    const open = vscode.l10n.t('Open');
    const choice = await offerUndo(context, message, [revision], open);
    if (choice === open) await vscode.commands.executeCommand('kaizen.openArtifact', learningUri(kind, record.id));
  };
  tell().catch((error: unknown) => showError(context.log, error));
}

/** Says what was done, and takes it back, the last first, when the person says so. Answers what else was chosen. */
export async function offerUndo(
  context: CommandContext,
  message: string,
  revisions: readonly number[],
  ...more: string[]
): Promise<string | undefined> {
  const undo = vscode.l10n.t('Undo');
  const choice = await vscode.window.showInformationMessage(withoutLinks(message), ...more, undo);
  if (choice !== undo) return choice;
  const { learning } = await context.learning.start();
  for (const revision of [...revisions].reverse()) await learning.undo(revision, context.learning.change());
  return undefined;
}

function noRecord(): KaizenError {
  return new KaizenError(
    'invalid_argument',
    vscode.l10n.t('This is nothing that was captured.'),
    vscode.l10n.t('Choose a line in the view Learning, or run the command from the Command Palette.'),
  );
}
