import * as vscode from 'vscode';
import type { AcquiredPage, AcquireRequest, AcquireResult, WebSettings } from '../../library';
import { configuredWeb } from '../library';
import { cut, withoutIcons, withoutLinks } from '../messages';
import { passageCount } from '../views';
import type { CommandContext } from './command';
import { isRecord } from './given';
import { withLibrary } from './library-failures';
import { libraryChange } from './library-given';
import { withProgress } from './long-work';

/** The number of queries that one search sends. */
const MOST_QUERIES = 10;
const SEARCH_ENGINE = 'https://duckduckgo.com/?q=';
const BRAVE = 'https://api.search.brave.com/res/v1/web/search';

/**
 * Searches the web for a topic and adds what has to do with it: through the search endpoint of the settings. Without one,
 * the queries are offered for the person's own browser. @param given `{ topic, queries, urls }`
 */
export async function acquireForLibrary(context: CommandContext, given: unknown): Promise<void> {
  const change = libraryChange(context);
  const request = await requestOf(given);
  if (!request) return;
  const web = configuredWeb();
  if (!web.search && !request.urls?.length) return offerQueries(request);
  if (!(await agrees(request, web.search))) return;
  const part = await context.library.start();
  const result = await withLibrary(context, () =>
    withProgress(titleOf(request), ({ signal, onStep }) =>
      part.acquire(request, { ...change, signal, onProgress: ({ done = 0 }) => onStep(done, '') }),
    ),
  );
  // Nobody waits for what the person makes of it.
  if (result) void tell(context, request, result);
}

function titleOf({ search_queries = [] }: AcquireRequest): string {
  return search_queries.length > 0 ? vscode.l10n.t('Searching the web') : vscode.l10n.t('Fetching from the web');
}

async function requestOf(given: unknown): Promise<AcquireRequest | undefined> {
  const texts = (value: unknown) =>
    Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
  if (isRecord(given) && typeof given.topic === 'string') {
    const { topic } = given;
    const [queries, urls] = [texts(given.queries).slice(0, MOST_QUERIES), texts(given.urls)];
    return { topic, search_queries: queries.length > 0 ? queries : urls.length > 0 ? [] : [topic], urls };
  }
  const topic = await vscode.window.showInputBox({
    title: vscode.l10n.t('Search the Web for the Library'),
    prompt: vscode.l10n.t('Topic. Pages that have to do with it are added to the library.'),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('It cannot be empty.') : undefined),
  });
  return topic === undefined ? undefined : { topic: topic.trim(), search_queries: [topic.trim()] };
}

/** What leaves the machine is said before it does. */
async function agrees(
  { search_queries = [], urls = [] }: AcquireRequest,
  search: WebSettings['search'],
): Promise<boolean> {
  const isSearch = search_queries.length > 0;
  const go = isSearch ? vscode.l10n.t('Search') : vscode.l10n.t('Fetch');
  const detail = [
    isSearch && search
      ? vscode.l10n.t(
          'These queries are sent to {0}, and the pages that it finds are fetched:',
          new URL(search.url).host,
        )
      : '',
    search_queries.join('\n'),
    urls.length > 0 ? vscode.l10n.t('These pages are fetched:') : '',
    urls.join('\n'),
  ];
  const question = isSearch ? vscode.l10n.t('Search the web?') : vscode.l10n.t('Fetch from the web?');
  const options = { modal: true, detail: detail.filter(Boolean).join('\n\n') };
  return (await vscode.window.showInformationMessage(question, options, go)) === go;
}

interface QueryItem extends vscode.QuickPickItem {
  run: () => unknown;
}

async function offerQueries({ topic, search_queries = [] }: AcquireRequest): Promise<void> {
  const queries = search_queries.length > 0 ? search_queries : [topic];
  const items: QueryItem[] = [
    ...queries.map((query) => ({
      label: withoutIcons(query),
      description: vscode.l10n.t('in your browser'),
      iconPath: new vscode.ThemeIcon('link-external'),
      run: () => vscode.env.openExternal(vscode.Uri.parse(SEARCH_ENGINE + encodeURIComponent(query))),
    })),
    {
      label: vscode.l10n.t('Add a page that you know…'),
      iconPath: new vscode.ThemeIcon('add'),
      run: () => vscode.commands.executeCommand('kaizen.addToLibrary'),
    },
    {
      label: vscode.l10n.t('Set up a search endpoint…'),
      detail: vscode.l10n.t('SearXNG or Brave: Kaizen searches by itself then, when you ask it to.'),
      iconPath: new vscode.ThemeIcon('settings-gear'),
      run: () => vscode.commands.executeCommand('kaizen.setUpWebSearch'),
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Search the Web for the Library'),
    placeHolder: vscode.l10n.t('No search endpoint is set up. Search yourself, and add what you find.'),
  });
  await picked?.run();
}

async function tell({ log }: CommandContext, { topic }: AcquireRequest, result: AcquireResult): Promise<void> {
  const { documents_added, chunks_added, coverage_before, coverage_after, pages, message } = result;
  const left = pages.filter(({ status }) => !['added', 'updated'].includes(status));
  for (const { url, status, reason } of left) log.info(`${url}: ${status}${reason ? `: ${reason}` : ''}`);
  const percent = (score: number) => Math.round(score * 100);
  const facts = [
    addedInWords(documents_added, chunks_added),
    vscode.l10n.t(
      '“{0}” is covered by {1} % now, before by {2} %.',
      topic,
      percent(coverage_after),
      percent(coverage_before),
    ),
    left.length > 0 ? vscode.l10n.t('Left out: {0}.', leftInWords(left)) : '',
    message ?? '',
  ];
  const coverage = vscode.l10n.t('Show Coverage');
  const showLog = vscode.l10n.t('Show Log');
  const said = withoutLinks(facts.filter(Boolean).join(' '));
  const choice = await vscode.window.showInformationMessage(said, coverage, ...(left.length > 1 ? [showLog] : []));
  if (choice === coverage) await vscode.commands.executeCommand('kaizen.openCoverage', { topic });
  if (choice === showLog) log.show();
}

function addedInWords(documents: number, chunks: number): string {
  switch (documents) {
    case 0:
      return vscode.l10n.t('Nothing new came in.');
    case 1:
      return vscode.l10n.t('Added 1 page: {0}.', passageCount(chunks));
    default:
      return vscode.l10n.t('Added {0} pages: {1}.', documents, passageCount(chunks));
  }
}

function leftInWords(pages: readonly AcquiredPage[]): string {
  const [first] = pages;
  return `${pages.length}, ${cut([first?.url, first?.reason].filter(Boolean).join(': '), 160)}`;
}

interface KindItem extends vscode.QuickPickItem {
  provider: 'searxng' | 'brave' | 'none';
}

/** Asks for the endpoint that searches of the web go to, and for its key. */
export async function setUpWebSearch(context: CommandContext): Promise<void> {
  libraryChange(context);
  const { library } = context.knowledge;
  const title = vscode.l10n.t('Set Up Web Search');
  const before = configuredWeb().search;
  const items: KindItem[] = [
    {
      label: 'SearXNG',
      detail: vscode.l10n.t('Your own or a team’s. JSON has to be among its formats.'),
      provider: 'searxng',
    },
    { label: 'Brave Search', detail: vscode.l10n.t('With a key of Brave’s Search API.'), provider: 'brave' },
    { label: vscode.l10n.t('None'), detail: vscode.l10n.t('Kaizen proposes queries; you search.'), provider: 'none' },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('Where queries are sent when you, or an agent that may write, search the web'),
  });
  if (!picked) return;
  const { provider: kind } = picked;
  if (kind === 'none') {
    await library.chooseSearch(undefined);
    void vscode.window.showInformationMessage(vscode.l10n.t('No queries are sent anywhere.'));
    return;
  }
  const url = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Address of the endpoint'),
    value: before?.kind === kind ? before.url : kind === 'brave' ? BRAVE : '',
    placeHolder: kind === 'searxng' ? 'https://searx.example.org/search' : BRAVE,
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^https?:\/\//i.test(text.trim()) && URL.canParse(text.trim())
        ? undefined
        : vscode.l10n.t('An address begins with https:// or http://.'),
  });
  if (url === undefined) return;
  const { host } = new URL(url.trim());
  const key = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t(
      'Key for {0}; empty keeps the one that is known, if any. It is kept in secret storage.',
      host,
    ),
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined) return;
  await library.chooseSearch({ kind, url: url.trim(), key: key.trim() || undefined });
  const message = vscode.l10n.t('Searches of the web go to {0} from now on.', host);
  void vscode.window.showInformationMessage(withoutLinks(message));
}
