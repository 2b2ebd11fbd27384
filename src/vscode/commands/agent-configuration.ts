import path from 'node:path';
import * as vscode from 'vscode';
import { inWords } from '../in-words';
import { withoutLinks } from '../messages';
import { agentFolder } from './agent-folder';
import { shownFile } from './agent-pieces';
import type { CommandContext } from './command';

/**
 * The configuration by which an agent's program starts Kaizen's server, to be pasted where the person wants it: it goes
 * to the clipboard and into a document of its own, which nobody has to save.
 */
export async function copyAgentConfiguration(context: CommandContext): Promise<void> {
  context.knowledge.change();
  const title = vscode.l10n.t('Copy Configuration for an Agent');
  const folder = await agentFolder(title);
  if (!folder) return;
  const { AGENT_CLIENTS, serverSnippet } = await import('../../agents');
  const around = await context.agents.surroundings(folder);
  const snippets = AGENT_CLIENTS.flatMap((client) => {
    const snippet = serverSnippet(client, around);
    return snippet ? [{ ...snippet, client }] : [];
  });
  const picked = await vscode.window.showQuickPick(
    snippets.map((snippet) => ({
      label: inWords(snippet.title),
      description: shownFile(snippet.file, around),
      snippet,
    })),
    { title, placeHolder: vscode.l10n.t('Which agent is it for?'), matchOnDescription: true },
  );
  if (!picked) return;
  const { text, file, client } = picked.snippet;
  // What it starts is to be there when the agent starts it.
  await context.agents.makeReady(folder);
  await vscode.env.clipboard.writeText(text);
  await vscode.window.showTextDocument(context.texts.add(path.basename(file), text), { preview: true });
  const name = shownFile(file, around);
  // In this editor the extension is the server: that piece is not set up here.
  const said =
    client === 'vscode'
      ? vscode.l10n.t('Copied. It belongs in {0}.', name)
      : vscode.l10n.t('Copied. It belongs in {0}; where the file exists, Set Up Agents merges it.', name);
  void vscode.window.showInformationMessage(withoutLinks(said));
}
