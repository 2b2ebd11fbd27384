import * as vscode from 'vscode';
import { entryUri, KNOWLEDGE_SCHEME, libraryUri } from '../../core/knowledge-uri';
import type { KaizenParts } from '../../kaizen';
import { learnedIn } from '../documents';
import type { CommandContext } from './command';
import { givenEntries, isRecord } from './given';
import { placeGiven } from './library-given';
import { pieceIn } from './node-commands';
import { noteIn } from './note-given';

/**
 * The address of what a command was given: an address, a document or file of the editor, a line of a view, or something
 * with a `uri`. Undefined for what has none.
 */
export function artifactGiven(parts: KaizenParts, value: unknown): string | undefined {
  if (typeof value === 'string') return value.startsWith(`${KNOWLEDGE_SCHEME}://`) ? value : undefined;
  if (value instanceof vscode.Uri && learnedIn(value) !== undefined) return learnedIn(value);
  const [entry] = givenEntries([value], (key) => parts.knowledge.entry(key) !== undefined);
  if (entry) return entryUri(entry);
  const place = placeGiven(value);
  if (place) return libraryUri(place.document_id, place.chunk);
  const note = noteIn(value, parts.notes);
  if (note) return note.uri;
  if (!isRecord(value)) return undefined;
  const piece = pieceIn(value);
  if (piece) return 'entry' in piece ? entryUri(piece.entry) : 'node' in piece ? piece.node : piece.note;
  return typeof value.uri === 'string' ? artifactGiven(parts, value.uri) : undefined;
}

/** The address of what a command was given or, without anything, of what is in front. */
export function artifactInFront(context: CommandContext, parts: KaizenParts, given?: unknown): string | undefined {
  if (given !== undefined) return artifactGiven(parts, given);
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isDocument = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
  const inFront = isDocument ? artifactGiven(parts, input.uri) : undefined;
  const { inFront: note } = context.notes;
  return inFront ?? (note && parts.notes.noteAt(note.fsPath)?.uri);
}
