import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';
import { parseEntryUri, parseNoteUri } from '../../core/knowledge-uri';
import type { KaizenParts } from '../../kaizen';
import { adviceForFile } from '../bases';
import { pathInFolder } from '../diagnostics';
import { withoutIcons, withoutLinks } from '../messages';
import { riskIcon } from '../risk-signs';
import { adviceFor, type BasesNode, nodeIcon, noteIcon, relevanceText } from '../views';
import type { CommandContext, CommandHandlers } from './command';
import { openFile } from './file-commands';
import { copyPieces, openPiece } from './find-commands';
import { givenValues, isRecord } from './given';
import { addressOfPiece, type Piece, pickKnowledge } from './knowledge-pick';
import { type ActionButton, dressed, type HitAction, type PickItem } from './live-pick';
import { RatedLines } from './rated-lines';

const SHOWN_MS = 4_000;

export function nodeCommands(context: CommandContext): CommandHandlers {
  return {
    'kaizen.openNode': (given?: unknown) => openGiven(context, given),
    'kaizen.copyNodeId': (given?: unknown, others?: unknown) => copyIds(context, given, others),
    'kaizen.copyNodeReference': (given?: unknown, others?: unknown) => copyReferences(context, given, others),
    'kaizen.showKnowledgeForFile': (uri?: unknown) => showKnowledgeForFile(context, uri),
  };
}

/** Opens what a line of the view stands for, or a node by its address or id; without any, the person looks for one. */
async function openGiven(context: CommandContext, given: unknown): Promise<void> {
  const parts = await context.bases.start();
  const problem = problemIn(given);
  if (problem) {
    const { base, file, line = 0 } = problem;
    const uri = vscode.Uri.file(await parts.bases.locate(base, file));
    await vscode.window.showTextDocument(uri, { preview: true, selection: new vscode.Range(line, 0, line, 0) });
    return;
  }
  const piece = pieceIn(given) ?? (await choose(parts, vscode.l10n.t('Open Node')));
  if (piece) await openPiece(context, parts, piece);
}

async function copyIds(context: CommandContext, given: unknown, others: unknown): Promise<void> {
  const parts = await context.bases.start();
  const pieces = await givenOrChosen(context, parts, [given, others], vscode.l10n.t('Copy Id'));
  const ids = pieces.flatMap((piece) => {
    if ('node' in piece) return [parts.bases.publicId(parts.bases.node(piece.node))];
    return 'note' in piece ? [piece.note] : [];
  });
  if (ids.length === 0) return;
  await vscode.env.clipboard.writeText(ids.join('\n'));
  vscode.window.setStatusBarMessage(`$(copy) ${withoutIcons(vscode.l10n.t('Copied {0}', ids.join(', ')))}`, SHOWN_MS);
}

async function copyReferences(context: CommandContext, given: unknown, others: unknown): Promise<void> {
  const parts = await context.bases.start();
  const pieces = await givenOrChosen(context, parts, [given, others], vscode.l10n.t('Copy Reference for Agent'));
  if (pieces.length > 0) await copyPieces(parts, pieces);
}

/** What an agent would get for a file, to look at, to open and to hand on. */
async function showKnowledgeForFile(context: CommandContext, given: unknown): Promise<void> {
  const uri = given instanceof vscode.Uri ? given : openFile();
  const path = uri && pathInFolder(uri);
  if (uri === undefined || path === undefined) {
    throw new KaizenError(
      'invalid_argument',
      vscode.l10n.t('This is no file of a folder in the workspace.'),
      vscode.l10n.t('Open a file of the workspace, or choose one in the Explorer.'),
    );
  }
  const parts = await context.bases.start();
  const advice = adviceFor(undefined, await adviceForFile(parts, { uri, path }));
  if (advice.length === 0) {
    const message = parts.discovery.state.ready
      ? vscode.l10n.t('No rule names {0}, and no entry or node has much in common with it.', path)
      : vscode.l10n.t('Nothing was found for {0} yet: it is still being indexed.', path);
    void vscode.window.showInformationMessage(withoutLinks(message));
    return;
  }
  const copyAll = {
    iconPath: new vscode.ThemeIcon('copy'),
    tooltip: vscode.l10n.t('Copy All as References for Agent'),
  };
  const rated = new RatedLines(context, parts);
  const pick = vscode.window.createQuickPick<PickItem<Piece>>();
  pick.title = vscode.l10n.t('What an Agent Gets for {0}', path);
  pick.placeholder = vscode.l10n.t('Choose one to open it');
  pick.matchOnDescription = true;
  pick.buttons = [copyAll];
  const items = advice.map(({ title, place, score, risks, target }): PickItem<Piece> => {
    const why = score === undefined ? vscode.l10n.t('names this file') : relevanceText(score);
    const node = 'node' in target ? parts.bases.nodeByUri(target.node) : undefined;
    return {
      label: withoutIcons(title),
      description: withoutIcons([...risks.slice(0, 1), why].join(' · ')),
      detail: withoutIcons(place),
      iconPath: node
        ? nodeIcon(node)
        : 'note' in target
          ? noteIcon(undefined)
          : riskIcon(risks.map((level) => ({ level }))),
      hit: target,
    };
  });
  const copyOne: HitAction<Piece> = {
    icon: 'copy',
    tooltip: vscode.l10n.t('Copy Reference for Agent'),
    run: (piece) => copyPieces(parts, [piece]),
  };
  const draw = () => {
    pick.items = items.map((item) =>
      dressed(item, {
        dress: (line, hit) => rated.dress(line, addressOfPiece(hit)),
        actions: (hit) => [copyOne, ...rated.actions<Piece>(addressOfPiece(hit))],
      }),
    );
  };
  draw();
  const chosen = await new Promise<(() => Promise<void>) | undefined>((resolve) => {
    const end = (action?: () => Promise<void>) => {
      resolve(action);
      pick.hide();
    };
    pick.onDidTriggerButton(() =>
      end(() =>
        copyPieces(
          parts,
          advice.map(({ target }) => target),
        ),
      ),
    );
    pick.onDidTriggerItemButton(({ button, item }) => {
      const { action } = button as Partial<ActionButton<Piece>>;
      const { hit } = item;
      if (!action || !hit) return;
      if (!action.stays) return end(async () => void (await action.run(hit)));
      const at = pick.items.indexOf(item);
      Promise.resolve(action.run(hit)).then(
        () => {
          pick.keepScrollPosition = true;
          draw();
          pick.activeItems = [pick.items[at]!];
        },
        (error: unknown) => end(() => Promise.reject(error)),
      );
    });
    pick.onDidAccept(() => {
      const piece = pick.selectedItems[0]?.hit;
      if (!piece) return;
      rated.opened(addressOfPiece(piece));
      end(() => openPiece(context, parts, piece));
    });
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
  pick.dispose();
  await chosen?.();
}

/** What a command was called with; without anything, what the person chooses. */
async function givenOrChosen(
  { explorer }: CommandContext,
  parts: KaizenParts,
  [given, others]: readonly [unknown, unknown],
  title: string,
): Promise<Piece[]> {
  const values = await givenValues(given, others, () => explorer.bases.underKeyboard());
  const pieces = values.flatMap((value) => pieceIn(value) ?? []);
  if (pieces.length > 0 || given !== undefined) return pieces;
  const chosen = await choose(parts, title);
  return chosen ? [chosen] : [];
}

function choose(parts: KaizenParts, title: string): Promise<Piece | undefined> {
  return pickKnowledge(parts, { title, onlyNodes: true });
}

/** What a line of the view stands for, or the address of an entry or a note, or the address or id of a node. */
export function pieceIn(value: unknown): Piece | undefined {
  if (typeof value === 'string') {
    const entry = parseEntryUri(value);
    if (entry) return { entry };
    return parseNoteUri(value) ? { note: value } : { node: value };
  }
  if (!isRecord(value)) return undefined;
  const line = value as unknown as BasesNode;
  switch (line.kind) {
    case 'node':
      return { node: line.node.uri };
    case 'file':
      return line.root && { node: line.root.uri };
    case 'advice':
      return line.target;
    default:
      return undefined;
  }
}

function problemIn(value: unknown): { base: string; file: string; line?: number } | undefined {
  if (!isRecord(value) || value.kind !== 'problem' || !isRecord(value.problem)) return undefined;
  const { base, file, line } = value.problem;
  if (typeof base !== 'string' || typeof file !== 'string') return undefined;
  return typeof line === 'number' ? { base, file, line } : { base, file };
}
