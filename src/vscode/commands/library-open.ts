import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';
import { libraryUri } from '../../core/knowledge-uri';
import type { KnowledgeChunk, LibraryPart, SourceListing } from '../../library';
import { libraryDocumentUri } from '../documents';
import { withoutLinks } from '../messages';
import { placeInDocument } from '../views';
import type { CommandContext } from './command';
import { chooseSources, chunkAt, type LibraryPlaceGiven, placeGiven } from './library-given';

const SHOWN_MS = 4_000;
/** What is handed to the system's own programs; anything else is opened here, whatever it would do there. */
const BY_SYSTEM = ['.pdf', '.docx'];

/** Opens the stored text of a source, at a section or passage where one is given. */
export async function openLibrarySource(context: CommandContext, given: unknown): Promise<void> {
  const part = await context.library.start();
  const place = placeGiven(given) ?? (await chosenPlace(context, part, given, vscode.l10n.t('Open Stored Text')));
  if (!place) return;
  const source = await part.source(place.document_id);
  if (source.chunk_count === 0 && source.processing_status === 'failed') return tellFailure(source);
  await showPassage(part, place);
}

/** Shows a place of a stored text; the whole passage is selected. */
export async function showPassage(
  part: LibraryPart,
  place: LibraryPlaceGiven,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(libraryDocumentUri(place.document_id));
  const chunk = await chunkAt(part, place);
  const selection =
    chunk && new vscode.Range(document.positionAt(chunk.char_start), document.positionAt(chunk.char_end));
  const editor = await vscode.window.showTextDocument(document, { preview: true, ...options });
  if (!selection) return;
  // From its end to its beginning, so that the beginning is in view.
  editor.selection = new vscode.Selection(selection.end, selection.start);
  editor.revealRange(new vscode.Range(selection.start, selection.start), vscode.TextEditorRevealType.AtTop);
}

/** Opens what a source was read from: a page in the browser, a file in its program or, where it is text, here. */
export async function openLibraryOriginal(context: CommandContext, given: unknown): Promise<void> {
  const part = await context.library.start();
  const place = placeGiven(given) ?? (await chosenPlace(context, part, given, vscode.l10n.t('Open Source')));
  if (!place) return;
  const [source, chunk] = [await part.source(place.document_id), await chunkAt(part, place)];
  const page = chunk?.page_numbers[0];
  const { source_path } = source;
  if (source_path.startsWith('content:')) return showPassage(part, place);
  if (/^https?:\/\//i.test(source_path)) {
    const address = source.format === 'pdf' && page !== undefined ? `${source_path}#page=${page}` : source_path;
    await vscode.env.openExternal(vscode.Uri.parse(address));
    return;
  }
  await openFile(source_path, page);
}

async function openFile(file: string, page: number | undefined): Promise<void> {
  if (!existsSync(file)) {
    throw new KaizenError(
      'unreadable_source',
      vscode.l10n.t('{0} is not there any more.', file),
      vscode.l10n.t('Its stored text can still be read. Add the file again from where it is now.'),
    );
  }
  const uri = vscode.Uri.file(file);
  if (!BY_SYSTEM.includes(path.extname(file).toLowerCase())) {
    await vscode.commands.executeCommand('vscode.open', uri);
    return;
  }
  if (page !== undefined) vscode.window.setStatusBarMessage(vscode.l10n.t('It is on page {0}.', page), SHOWN_MS);
  // In a browser there is no program on the machine that has the file.
  const isOpened = vscode.env.uiKind === vscode.UIKind.Desktop && (await vscode.env.openExternal(uri));
  if (!isOpened) await vscode.commands.executeCommand('vscode.open', uri);
}

/** Puts what is needed to cite it into the clipboard: title, place, date, source, and the address for agents. */
export async function copyCitation(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  const part = await context.library.start();
  const place = Array.isArray(others) && others.length > 1 ? undefined : placeGiven(first);
  const citations: string[] = [];
  if (place) {
    citations.push(citationOf(await part.source(place.document_id), await chunkAt(part, place)));
  } else {
    const title = vscode.l10n.t('Copy Citation');
    const sources = await chooseSources(context, part, { title }, first, others);
    citations.push(...sources.map((source) => citationOf(source)));
  }
  if (citations.length === 0) return;
  await vscode.env.clipboard.writeText(`${citations.join('\n')}\n`);
  vscode.window.setStatusBarMessage(`$(copy) ${vscode.l10n.t('Copied the citation.')}`, SHOWN_MS);
}

export function citationOf(source: SourceListing, chunk?: KnowledgeChunk): string {
  const { title, standard_id, version, publication_date, source_path, document_id } = source;
  const edition = [title.includes(standard_id ?? title) ? '' : standard_id, version, publication_date];
  const told = edition.filter(Boolean).join(', ');
  const facts = [
    told ? `${title} (${told})` : title,
    chunk ? placeInDocument(chunk) : '',
    source_path.startsWith('content:') ? '' : source_path,
  ];
  return `${facts.filter(Boolean).join(', ')} <${libraryUri(document_id, chunk?.id)}>`;
}

async function chosenPlace(
  context: CommandContext,
  part: LibraryPart,
  given: unknown,
  title: string,
): Promise<LibraryPlaceGiven | undefined> {
  const [source] = await chooseSources(context, part, { title }, given);
  return source && { document_id: source.document_id };
}

/** Of a source that could not be read there is no text to show. */
async function tellFailure(source: SourceListing): Promise<void> {
  const retry = vscode.l10n.t('Try Again');
  const why = source.processing_error ?? vscode.l10n.t('nobody knows why');
  const message = vscode.l10n.t('"{0}" could not be read: {1}', source.title, why);
  if ((await vscode.window.showWarningMessage(withoutLinks(message), retry)) !== retry) return;
  await vscode.commands.executeCommand('kaizen.rereadSource', { document_id: source.document_id });
}
