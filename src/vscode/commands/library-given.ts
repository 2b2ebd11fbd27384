import * as vscode from 'vscode';
import { parseLibraryUri } from '../../core/knowledge-uri';
import type { DocumentRequest, KnowledgeChunk, LibraryChange, LibraryPart, SourceListing } from '../../library';
import { libraryDocumentOf } from '../documents';
import { withoutIcons } from '../messages';
import { allSources, authorityName, documentTypeName, type LibraryNode, passageCount, sourceIcon } from '../views';
import type { CommandContext } from './command';
import { givenValues, isRecord } from './given';

/** A document of the library, and a place in it. */
export interface LibraryPlaceGiven {
  document_id: string;
  chunk?: string | undefined;
}

/** Who changes the library when a person does. Throws in Restricted Mode, where nothing is written. */
export function libraryChange({ knowledge }: CommandContext): LibraryChange {
  return { author: knowledge.change().author };
}

/** What a line of the view, an address, a document of the editor or `{ document_id, chunk }` means. */
export function placeGiven(value: unknown): LibraryPlaceGiven | undefined {
  if (value instanceof vscode.Uri) {
    const document_id = libraryDocumentOf(value);
    return document_id === undefined ? undefined : { document_id, chunk: value.fragment || undefined };
  }
  if (typeof value === 'string') return parseLibraryUri(value);
  if (!isRecord(value)) return undefined;
  const node = value as Partial<Extract<LibraryNode, { kind: 'librarySource' | 'librarySection' }>>;
  if (node.kind === 'librarySource' && node.source) return { document_id: node.source.document_id };
  if (node.kind === 'librarySection' && node.source && node.section) {
    return { document_id: node.source.document_id, chunk: node.section.chunk };
  }
  const { document_id, chunk } = value;
  if (typeof document_id !== 'string') return undefined;
  return { document_id, chunk: typeof chunk === 'string' ? chunk : undefined };
}

/**
 * The sources that a command was given or that are in front, or the one that the person chooses; none on cancel.
 * @param isOffered which may be chosen from the list
 */
export async function chooseSources(
  context: CommandContext,
  part: LibraryPart,
  { title, isOffered = () => true }: { title: string; isOffered?: (source: SourceListing) => boolean },
  first?: unknown,
  others?: unknown,
): Promise<SourceListing[]> {
  const values = await givenValues(first, others, () => context.explorer.library.underKeyboard());
  const ids = new Set(values.flatMap((value) => placeGiven(value)?.document_id ?? []));
  if (ids.size > 0) return Promise.all([...ids].map((id) => part.source(id)));
  // A request, or a group, is selected.
  if (values.some((value) => isRecord(value) && 'kind' in value)) return [];
  const inFront = vscode.window.activeTextEditor?.document.uri;
  const open = inFront && libraryDocumentOf(inFront);
  if (open !== undefined) return [await part.source(open)];
  const picked = await pickSource((await allSources(part)).filter(isOffered), title);
  return picked ? [picked] : [];
}

interface SourceItem extends vscode.QuickPickItem {
  source?: SourceListing;
}

export async function pickSource(sources: readonly SourceListing[], title: string): Promise<SourceListing | undefined> {
  if (sources.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The library has no source for that.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(sources.map(sourceItem), {
    title,
    placeHolder: vscode.l10n.t('Source'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.source;
}

export function sourceItem(source: SourceListing): SourceItem & { source: SourceListing } {
  const facts = [documentTypeName(source.document_type), authorityName(source.authority_level)];
  return {
    label: withoutIcons(source.title),
    description: withoutIcons([...facts, passageCount(source.chunk_count)].join(' · ')),
    detail: withoutIcons(source.source_path.slice(0, 200)),
    iconPath: sourceIcon(source),
    source,
  };
}

/** The request that a line of the view means, or that has the id. */
export async function requestGiven(part: LibraryPart, value: unknown): Promise<DocumentRequest | undefined> {
  const given = isRecord(value) && isRecord(value.request) ? value.request.id : value;
  if (typeof given !== 'string') return undefined;
  return (await part.requests()).find(({ id }) => id === given);
}

/** The chunk of a place, where it names one that is there. */
export async function chunkAt(part: LibraryPart, place: LibraryPlaceGiven): Promise<KnowledgeChunk | undefined> {
  if (place.chunk === undefined) return undefined;
  return (await part.chunks(place.document_id)).find(({ id }) => id === place.chunk);
}
