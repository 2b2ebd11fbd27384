import * as vscode from 'vscode';
import { parseNoteUri } from '../../core/knowledge-uri';
import type { KaizenParts } from '../../kaizen';
import type { EntryKey } from '../../knowledge';
import type { Note } from '../../notes';
import { nodeReference, noteReference, type Reference, referenceFor } from '../agent-reference';
import { openNode } from '../bases';
import { documentUri } from '../documents';
import { openNoteFile } from '../notes';
import type { CommandContext, CommandHandlers } from './command';
import { noEntry, requireEntries } from './entry-changes';
import { pickEntry } from './entry-pick';
import { givenEntries, givenParts, givenValues, openEntry } from './given';
import { addressOfPiece, type Piece, pickKnowledge } from './knowledge-pick';
import { RatedLines } from './rated-lines';

const SHOWN_MS = 4_000;

export function findCommands(context: CommandContext): CommandHandlers {
  return {
    'kaizen.findKnowledge': (text?: unknown) => findKnowledge(context, text),
    'kaizen.copyForAgent': (first?: unknown, others?: unknown) => copyForAgent(context, first, others),
  };
}

/** @param text what to look for first */
async function findKnowledge(context: CommandContext, text: unknown): Promise<void> {
  const parts = await context.bases.start();
  if (!context.bases.isConfigured) requireEntries(parts.knowledge);
  const rated = new RatedLines(context, parts);
  const found = await pickKnowledge(parts, {
    title: vscode.l10n.t('Find Knowledge'),
    value: typeof text === 'string' ? text : undefined,
    rated,
    actions: [
      { icon: 'copy', tooltip: vscode.l10n.t('Copy Reference for Agent'), run: (piece) => copyPieces(parts, [piece]) },
      {
        icon: 'split-horizontal',
        tooltip: vscode.l10n.t('Open to the Side'),
        run: (piece) => {
          rated.opened(addressOfPiece(piece));
          return openPiece(context, parts, piece, { viewColumn: vscode.ViewColumn.Beside });
        },
      },
    ],
  });
  if (found) await openPiece(context, parts, found);
}

/** Opens an entry or a note as the settings say, to the side as text; a node at its heading. */
export async function openPiece(
  { editors }: CommandContext,
  parts: KaizenParts,
  piece: Piece,
  options?: vscode.TextDocumentShowOptions,
): Promise<void> {
  if ('entry' in piece) {
    if (options) await editors.openAsText(documentUri(piece.entry), options);
    else await editors.openEntry(piece.entry);
    return;
  }
  if ('node' in piece) return openNode(parts, parts.bases.node(piece.node), options);
  const { space, file } = noteOf(parts, piece.note);
  await openNoteFile(vscode.Uri.file(await parts.notes.locate(space, file)), options);
}

/** Copies what an agent needs to get these, and says so. */
export async function copyPieces(parts: KaizenParts, pieces: readonly Piece[]): Promise<void> {
  const { bases } = parts;
  const entries = pieces.flatMap((piece) => ('entry' in piece ? [piece.entry] : []));
  const nodes = pieces.flatMap((piece) => ('node' in piece ? [bases.node(piece.node)] : []));
  const notes = pieces.flatMap((piece) => ('note' in piece ? [noteOf(parts, piece.note)] : []));
  const references = [
    referenceFor(entries),
    nodeReference(nodes.map((node) => ({ id: bases.publicId(node), path: node.path }))),
    noteReference(notes.map(({ zettel_id, title, space }) => ({ zettel_id, title, location: space }))),
  ];
  await copyText(references.filter(Boolean).join('\n\n'), pieces.length);
}

/** Throws `unknown_note` when it is gone meanwhile. */
function noteOf({ notes }: KaizenParts, uri: string): Note {
  return notes.noteByUri(uri) ?? notes.resolve({ zettel_id: parseNoteUri(uri)?.zettel_id ?? uri });
}

/** Copies what the command was given, what is open, or what the person looks for. */
async function copyForAgent(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  const { knowledge } = await context.knowledge.parts();
  const exists = (key: EntryKey) => knowledge.entry(key) !== undefined;
  const values = await givenValues(first, others, () => context.explorer.knowledge.underKeyboard());
  const entries = givenEntries(values, exists);
  const places = values.flatMap((value) => {
    const { scope_id, category, keyword } = givenParts(value, exists);
    return scope_id && !keyword ? [category ? { scope_id, category } : { scope_id }] : [];
  });
  if (entries.length + places.length > 0) return copy([...entries, ...places]);
  if (first !== undefined) throw noEntry();
  requireEntries(knowledge);
  const open = openEntry();
  if (open) return copy([open]);
  const title = vscode.l10n.t('Copy Reference for Agent');
  const found = await pickEntry(knowledge, {
    title,
    placeholder: vscode.l10n.t('Type words of its keyword or content'),
  });
  if (found) await copy([found]);
}

async function copy(references: readonly Reference[]): Promise<void> {
  await copyText(referenceFor(references), references.length);
}

async function copyText(text: string, count: number): Promise<void> {
  await vscode.env.clipboard.writeText(`${text}\n`);
  const message =
    count === 1
      ? vscode.l10n.t('Copied the reference. Paste it into your agent’s chat.')
      : vscode.l10n.t('Copied {0} references. Paste them into your agent’s chat.', count);
  vscode.window.setStatusBarMessage(`$(copy) ${message}`, SHOWN_MS);
}
