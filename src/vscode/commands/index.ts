import * as vscode from 'vscode';
import { showError } from '../log';
import { agentCommands } from './agent-commands';
import { agentSetUpCommands } from './agent-setup-commands';
import { artifactCommands } from './artifact-commands';
import { baseCommands } from './base-commands';
import type { CommandContext, CommandHandlers } from './command';
import { doctorCommands } from './doctor-commands';
import { editorCommands } from './editor-commands';
import { embeddingCommands } from './embedding-commands';
import { entryCommands } from './entry-commands';
import { feedbackCommands } from './feedback-commands';
import { fileCommands } from './file-commands';
import { findCommands } from './find-commands';
import { graphCommands } from './graph-commands';
import { learnedCommands } from './learned-commands';
import { learningExchangeCommands } from './learning-exchange-commands';
import { libraryCommands } from './library-commands';
import { nodeCommands } from './node-commands';
import { noteCommands } from './note-commands';
import { noteEditorCommands } from './note-editor-commands';
import { noteRegistryCommands } from './note-registry-commands';

import { projectCommands } from './project-commands';
import { projectsCommands } from './projects-commands';
import { RatingInFront } from './rating-in-front';
import { relationCommands } from './relation-commands';
import { safetyCommands } from './safety-commands';
import { scopeCommands } from './scope-commands';
import { storageCommands } from './storage-commands';
import { transferCommands } from './transfer-commands';
import { viewCommands } from './view-commands';

/** Every command that package.json declares; a test holds the two lists together. */
export function registerCommands(context: CommandContext): vscode.Disposable {
  const handlers: CommandHandlers = {
    ...entryCommands(context),
    ...editorCommands(context),
    ...scopeCommands(context),
    ...projectCommands(context),
    ...projectsCommands(context),
    ...findCommands(context),
    ...fileCommands(context),
    ...baseCommands(context),
    ...nodeCommands(context),
    ...noteEditorCommands(context),
    ...noteCommands(context),
    ...graphCommands(context),
    ...noteRegistryCommands(context),
    ...libraryCommands(context),
    ...artifactCommands(context),
    ...feedbackCommands(context),
    ...relationCommands(context),
    ...learnedCommands(context),
    ...embeddingCommands(context),
    ...agentCommands(context),
    ...agentSetUpCommands(context),
    ...transferCommands(context),
    ...doctorCommands(context),
    ...safetyCommands(context),
    ...learningExchangeCommands(context),
    ...storageCommands(context),
    ...viewCommands(context),
  };
  return vscode.Disposable.from(
    new RatingInFront(context),
    ...Object.entries(handlers).map(([id, run]) =>
      vscode.commands.registerCommand(id, (...values: unknown[]) => attempt(context, id, () => run(...(values as [])))),
    ),
  );
}

/** Shows what goes wrong instead of throwing it. */
async function attempt({ log, extension }: CommandContext, id: string, run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    await showError(log, error, titleOf(id, extension));
    return undefined;
  }
}

/** What the palette calls a command, in the editor's language. */
function titleOf(id: string, { extension }: vscode.ExtensionContext): string | undefined {
  const { contributes } = extension.packageJSON as {
    contributes?: { commands?: { command: string; title: string }[] };
  };
  return contributes?.commands?.find(({ command }) => command === id)?.title.replace(/…$/, '');
}
