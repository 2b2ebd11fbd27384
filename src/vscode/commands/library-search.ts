import * as vscode from 'vscode';
import type { FoundChunk, LibraryPart } from '../../library';
import { inWords } from '../in-words';
import { withoutIcons } from '../messages';
import { placeInDocument } from '../views';
import type { CommandContext } from './command';
import { nothingFound } from './entry-pick';
import { citationOf, showPassage } from './library-open';
import { livePick, type PickItem } from './live-pick';
import { RatedLines } from './rated-lines';

/** More than anybody reads: another word finds it sooner. */
const MOST_HITS = 40;
const SHOWN_MS = 4_000;
/** The index is read when somebody first asks: so long the list is not drawn anew by itself. */
const INDEXING_MS = 600_000;

/** Lets the person search the library with each key, and opens the passage that is chosen.
 * @param text what to look for first */
export async function searchLibrary(context: CommandContext, text: unknown): Promise<void> {
  const part = await context.library.start();
  const rated = new RatedLines(context, await context.learning.start());
  let running = new AbortController();
  const found = await livePick<FoundChunk>({
    title: vscode.l10n.t('Search Library'),
    placeholder: vscode.l10n.t('Words, a question, a standard or a clause'),
    value: typeof text === 'string' ? text : undefined,
    search: async (query) => {
      running.abort();
      running = new AbortController();
      return passageItems(part, query, running.signal);
    },
    onDidChange: (again) => onceReady(part, again),
    dress: (item, { uri }) => rated.dress(item, uri),
    actions: ({ uri, semantic_score: fit }) => [
      {
        icon: 'quote',
        tooltip: vscode.l10n.t('Copy Citation'),
        run: async ({ chunk }) => {
          const source = await part.source(chunk.document_id);
          await vscode.env.clipboard.writeText(`${citationOf(source, chunk)}\n`);
          vscode.window.setStatusBarMessage(`$(copy) ${vscode.l10n.t('Copied the citation.')}`, SHOWN_MS);
        },
      },
      {
        icon: 'split-horizontal',
        tooltip: vscode.l10n.t('Open to the Side'),
        run: ({ chunk }) => {
          rated.opened(uri);
          return showPassage(part, placeOf(chunk), { viewColumn: vscode.ViewColumn.Beside });
        },
      },
      ...rated.actions<FoundChunk>(uri, fit),
    ],
  });
  running.abort();
  if (!found) return;
  rated.opened(found.uri);
  await showPassage(part, placeOf(found.chunk));
}

/** Passages for what is typed, as lines of a list. */
export async function passageItems(
  part: LibraryPart,
  query: string,
  signal: AbortSignal,
): Promise<PickItem<FoundChunk>[]> {
  if (query.trim() === '') return [];
  const { results, message } = await part.search({
    query: query.trim(),
    n_results: MOST_HITS,
    include_coverage_assessment: false,
    signal,
  });
  const note = message ? [{ label: withoutIcons(inWords(message)), alwaysShow: true }] : [];
  if (results.length > 0) return [...results.map(itemOf), ...note];
  return note.length > 0 ? note : [nothingFound(query)];
}

function itemOf(hit: FoundChunk): PickItem<FoundChunk> {
  const { chunk, snippet } = hit;
  return {
    label: withoutIcons(chunk.document_title),
    description: withoutIcons(placeInDocument(chunk)),
    detail: withoutIcons(withoutMarks(snippet.text)),
    iconPath: new vscode.ThemeIcon(chunk.normative ? 'law' : 'quote'),
    // It was found by us, in more than what the line shows.
    alwaysShow: true,
    hit,
  };
}

/** A line of a list shows no headings. */
function withoutMarks(markdown: string): string {
  return markdown.replace(/(^|\s)#{1,6}\s+/g, '$1');
}

function placeOf({ document_id, id }: FoundChunk['chunk']) {
  return { document_id, chunk: id };
}

/** What is found by then may be more. */
function onceReady(part: LibraryPart, again: () => void): { dispose(): void } {
  const waiting = new AbortController();
  const wasReady = part.state.state === 'ready' && part.state.indexed === undefined;
  if (!wasReady) {
    part.ready(INDEXING_MS, waiting.signal).then(
      (isReady) => {
        if (isReady && !waiting.signal.aborted) again();
      },
      () => undefined,
    );
  }
  return { dispose: () => waiting.abort() };
}
