import path from 'node:path';
import * as vscode from 'vscode';
import type { AgentSurroundings, PieceKind, SetUpChoice, SetUpPiece } from '../../agents';
import { inWords } from '../in-words';
import { withoutIcons } from '../messages';

const KINDS: readonly PieceKind[] = ['instructions', 'knowledge', 'server', 'hooks'];

/**
 * Lets the person tick what is to be there. What is there is ticked; where nothing is, that which is for clients found
 * here. Undefined when the person gives up.
 */
export async function tickPieces(
  title: string,
  pieces: readonly SetUpPiece[],
  around: AgentSurroundings,
): Promise<SetUpChoice | undefined> {
  const isFirst = !pieces.some(({ kind, isThere }) => kind !== 'knowledge' && isThere);
  const items = KINDS.flatMap((kind) => {
    const some = pieces.filter((piece) => piece.kind === kind);
    if (some.length === 0) return [];
    return [
      { label: kindInWords(kind), kind: vscode.QuickPickItemKind.Separator },
      ...some.map((piece) => ({ ...itemOf(piece, around), picked: piece.isThere || (isFirst && isProposed(piece)) })),
    ];
  }) as (vscode.QuickPickItem & { piece?: SetUpPiece })[];
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('Tick what is to be there; nothing is written before you have seen it'),
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!picked) return undefined;
  const ticked = new Set(picked.flatMap(({ piece }) => (piece ? [piece.id] : [])));
  return {
    install: pieces.filter(({ id, state }) => ticked.has(id) && state !== 'current').map(({ id }) => id),
    remove: pieces.filter((piece) => !ticked.has(piece.id) && piece.isThere).map(({ id }) => id),
  };
}

function isProposed({ detected, state, isCovered }: SetUpPiece): boolean {
  return detected && state === 'absent' && !isCovered;
}

function itemOf(piece: SetUpPiece, around: AgentSurroundings): vscode.QuickPickItem & { piece: SetUpPiece } {
  const file = shownFile(piece.file, around);
  const parts = [...(piece.title === file ? [] : [file]), stateInWords(piece)];
  const item = { label: withoutIcons(inWords(piece.title)), description: withoutIcons(parts.join(' · ')), piece };
  const detail = piece.problem ? withoutIcons(inWords(piece.problem)) : notesInWords(piece);
  return detail === '' ? item : { ...item, detail };
}

/** What a person should know of a piece, on one line; empty where there is nothing. */
export function notesInWords({ notes }: SetUpPiece): string {
  return withoutIcons(notes.map(inWords).join(' '));
}

function kindInWords(kind: PieceKind): string {
  switch (kind) {
    case 'instructions':
      return vscode.l10n.t('Instructions');
    case 'knowledge':
      return vscode.l10n.t('Exported knowledge');
    case 'server':
      return vscode.l10n.t('MCP servers');
    case 'hooks':
      return vscode.l10n.t('Hooks');
  }
}

function stateInWords({ kind, state, hasFile }: SetUpPiece): string {
  switch (state) {
    case 'absent':
      return kind === 'instructions' && hasFile ? vscode.l10n.t('no section yet') : vscode.l10n.t('not there');
    case 'current':
      // Whether what was exported is what is known now is not looked up.
      return kind === 'knowledge' ? vscode.l10n.t('there') : vscode.l10n.t('up to date');
    case 'outdated':
      return vscode.l10n.t('out of date');
    case 'unreadable':
      return vscode.l10n.t('cannot be changed');
  }
}

/** A file as a person knows it: from the workspace's folder, or from their own. */
export function shownFile(file: string, { workspace, platform }: AgentSurroundings): string {
  const inside = path.relative(workspace, file);
  if (!inside.startsWith('..') && !path.isAbsolute(inside)) return inside.split(path.sep).join('/');
  const home = path.relative(platform.home, file);
  return home.startsWith('..') || path.isAbsolute(home) ? file : `~/${home.split(path.sep).join('/')}`;
}
