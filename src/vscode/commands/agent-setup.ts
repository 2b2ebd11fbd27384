import * as vscode from 'vscode';
import type { FileChange, SetUpChoice, SetUpPiece } from '../../agents';
import { inWords } from '../in-words';
import { withoutLinks } from '../messages';
import { agentFolder } from './agent-folder';
import { notesInWords, shownFile, tickPieces } from './agent-pieces';
import { confirmChanges } from './agent-setup-preview';
import type { CommandContext } from './command';
import { announceWritten } from './files-written';

/**
 * What agents outside of this editor's own are given: shows what would be written where, and writes what is ticked, once
 * the person has seen the files as they would be. Nothing is written before; what loses its tick is removed.
 */
export async function setUpAgents(context: CommandContext): Promise<void> {
  // In Restricted Mode nothing is written: said before anything is asked.
  context.knowledge.change();
  const title = vscode.l10n.t('Set Up Agents');
  const folder = await agentFolder(title);
  if (!folder) return;
  const { apply, inspect, plan } = await import('../../agents');
  const around = await context.agents.surroundings(folder);
  const pieces = (await inspect(around)).filter(isOfUse);
  const choice = await tickPieces(title, pieces, around);
  if (!choice) return;
  const { blocked, ...possible } = writable(pieces, choice);
  if (blocked.length > 0) void vscode.window.showWarningMessage(withoutLinks(blocked.join(' ')));
  const changes = await plan(around, possible);
  const startsKaizen = pieces.some(
    (piece) => (piece.kind === 'server' || piece.kind === 'hooks') && isChosen(piece, possible),
  );
  if (changes.length === 0) {
    if (startsKaizen) await context.agents.makeReady(folder);
    if (blocked.length === 0) void vscode.window.showInformationMessage(vscode.l10n.t('All of it is as it should be.'));
    return;
  }
  // What is said of a piece in the list is said once more where it is agreed to.
  const notesOf = (change: FileChange) =>
    pieces
      .filter(({ id }) => change.pieces.includes(id) && possible.install.includes(id))
      .map(notesInWords)
      .filter((notes) => notes !== '')
      .join(' ');
  if (!(await confirmChanges(context, title, changes, around, notesOf))) return;
  if (startsKaizen) await context.agents.makeReady(folder);
  await apply(changes, around);
  await context.agents.update();
  const names = changes.map(({ file }) => shownFile(file, around)).join(', ');
  const said = vscode.l10n.t('Agents are set up. Changed: {0}', names);
  await announceWritten(said, changes, around, () => context.agents.update());
}

/** Whether it is there afterwards. */
function isChosen(piece: SetUpPiece, { install, remove }: SetUpChoice): boolean {
  return install.includes(piece.id) || (piece.isThere && !remove.includes(piece.id));
}

/** In this editor the extension is the server and ships the hooks: that piece is there only to be taken away. */
function isOfUse(piece: SetUpPiece): boolean {
  return piece.client !== 'vscode' || piece.kind === 'instructions' || piece.isThere;
}

/** The choice without what cannot be written, and why not, in sentences. */
function writable(
  pieces: readonly SetUpPiece[],
  { install, remove }: SetUpChoice,
): SetUpChoice & { blocked: readonly string[] } {
  const unreadable = pieces.filter(({ id, state }) => state === 'unreadable' && install.includes(id));
  return {
    install: install.filter((id) => !unreadable.some((piece) => piece.id === id)),
    remove,
    blocked: unreadable.map(({ title, problem }) =>
      vscode.l10n.t('{0} is left out: {1}', inWords(title), inWords(problem ?? '')),
    ),
  };
}
