import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';
import { parseLearningUri, parseLibraryUri } from '../../core/knowledge-uri';
import { learningDocumentUri } from '../documents';
import { artifactGiven } from './artifact-given';
import type { CommandContext, CommandHandlers } from './command';

export function artifactCommands(context: CommandContext): CommandHandlers {
  return { 'kaizen.openArtifact': (given?: unknown) => openArtifact(context, given) };
}

/** Opens whatever is at an address: a captured record or a passage to be read, an entry, a node or a note to be edited. */
export async function openArtifact(context: CommandContext, given: unknown): Promise<void> {
  const parts = await context.learning.start();
  const address = artifactGiven(parts, given);
  if (address === undefined) {
    throw new KaizenError('invalid_argument', vscode.l10n.t('This has no address in what Kaizen knows.'));
  }
  const record = parseLearningUri(address);
  if (record) {
    await openRecord(record.kind, record.id);
    return;
  }
  const command = parseLibraryUri(address) ? 'kaizen.openLibrarySource' : 'kaizen.openNode';
  await vscode.commands.executeCommand(command, address);
}

/** Shows a captured record as it reads. */
export async function openRecord(kind: string, id: string): Promise<void> {
  await vscode.commands.executeCommand('markdown.showPreview', learningDocumentUri(kind, id));
}
