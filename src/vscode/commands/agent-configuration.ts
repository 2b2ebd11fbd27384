import * as vscode from 'vscode';
import { inWords } from '../in-words';
import { withoutLinks } from '../messages';
import { agentFolder } from './agent-folder';
import { shownFile } from './agent-pieces';
import type { CommandContext } from './command';

/**
 * The configuration by which an agent's program starts Kaizen's server, to be pasted where the person wants it: it goes
 * to the clipboard and into a document of its own.
 */
export async function copyAgentConfiguration(context: CommandContext): Promise<void> {
  context.knowledge.change();
  const title = vscode.l10n.t('Copy Configuration for an Agent');
  const folder = await agentFolder(title);
  if (!folder) return;
  const { AGENT_CLIENTS, serverSnippet } = await import('../../agents');
  const around = await context.agents.surroundings(folder);
  const snippets = AGENT_CLIENTS.flatMap((client) => serverSnippet(client, around) ?? []);
  const picked = await vscode.window.showQuickPick(
    snippets.map((snippet) => ({
      label: inWords(snippet.title),
      description: shownFile(snippet.file, around),
      snippet,
    })),
    { title, placeHolder: vscode.l10n.t('Which agent is it for?'), matchOnDescription: true },
  );
  if (!picked) return;
  const { text, language, file } = picked.snippet;
  // What it starts is to be there when the agent starts it.
  await context.agents.makeReady(folder);
  await vscode.env.clipboard.writeText(text);
  const document = await vscode.workspace.openTextDocument({ content: text, language });
  await vscode.window.showTextDocument(document, { preview: true });
  void vscode.window.showInformationMessage(
    withoutLinks(vscode.l10n.t('Copied. It belongs into {0}.', shownFile(file, around))),
  );
}
