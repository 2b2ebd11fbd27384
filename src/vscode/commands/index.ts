import * as vscode from 'vscode';
import { type Log, showError } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { deleteKnowledge, openEntry, overwriteKnowledge, storeKnowledge } from './entry-commands';
import { defineScope, deleteScope } from './scope-commands';

/** Every command that package.json declares; a test holds the two lists together. */
export function registerCommands(knowledge: WorkspaceKnowledge, log: Log): vscode.Disposable {
  const commands: Record<string, (argument?: never) => unknown> = {
    'kaizen.storeKnowledge': (node) => storeKnowledge(knowledge, node),
    'kaizen.overwriteKnowledge': (node) => overwriteKnowledge(knowledge, node),
    'kaizen.deleteKnowledge': (node) => deleteKnowledge(knowledge, node),
    'kaizen.openEntry': (node) => openEntry(knowledge, node),
    'kaizen.defineScope': (proposal) => defineScope(knowledge, proposal),
    'kaizen.deleteScope': (node) => deleteScope(knowledge, node),
    'kaizen.showLog': () => log.show(),
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([id, run]) =>
      vscode.commands.registerCommand(id, async (argument) => {
        try {
          return await run(argument as never);
        } catch (error) {
          await showError(log, error);
          return undefined;
        }
      }),
    ),
  );
}
