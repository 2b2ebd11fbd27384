import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { describeError, isKaizenError, KaizenError } from '../../core/errors';
import type { IngestResult, LibraryPart, MetadataOverrides } from '../../library';
import { errorInWords } from '../in-words';
import { configuredWeb, WEB_SETTING } from '../library';
import { showError } from '../log';
import { withoutLinks } from '../messages';
import { passageCount } from '../views';
import type { CommandContext } from './command';
import { isRecord } from './given';
import { withLibrary } from './library-failures';
import { libraryChange } from './library-given';
import { showPassage } from './library-open';
import { withProgress } from './long-work';

/** What the library reads, by the files' endings. */
const ENDINGS = ['pdf', 'docx', 'md', 'markdown', 'html', 'htm'];
/** Of a folder; more are taken by the command line. */
const MOST_FILES = 2_000;
/** From so many on, the person is asked whether all of them are meant. */
const MANY = 25;
/** Failures that a notification names. */
const SHOWN = 3;
/** What another try may get right: the file is mended, the server is back. */
const MAY_PASS: readonly string[] = ['unreadable_source', 'fetch_failed'];
/** Folders that hold what others made. */
const LEFT_OUT = new Set(['node_modules', 'bower_components', '__pycache__']);

/**
 * Adds files, folders and web pages to the library: those that were given (by the explorer, a drop, or as `{ url }`), or
 * what the person chooses. Nothing is fetched that the person has not named.
 */
export async function addToLibrary(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  libraryChange(context);
  const given = sourcesIn(Array.isArray(others) && others.length > 0 ? others : [first]);
  const sources = given.length > 0 ? given : await chooseWhat();
  if (!sources || sources.length === 0) return;
  await addSources(context, sources);
}

/** Adds sources, says what came of it, and gives what was added or was there already; undefined on cancel. */
export async function addSources(
  context: CommandContext,
  sources: readonly string[],
  overrides?: MetadataOverrides,
): Promise<IngestResult[] | undefined> {
  const change = libraryChange(context);
  const wanted = await filesOf(sources);
  if (wanted.some(isWeb) && !(await webIsAllowed())) return undefined;
  if (wanted.length === 0) {
    throw new KaizenError(
      'invalid_argument',
      vscode.l10n.t('There is nothing in it that the library reads.'),
      vscode.l10n.t('It reads PDF, Word (.docx), Markdown and HTML.'),
    );
  }
  if (wanted.length > MANY && !(await agreesToMany(wanted.length))) return undefined;
  const part = await context.library.start();
  const failures: { source: string; error: unknown }[] = [];
  const results: IngestResult[] = [];
  const title =
    wanted.length === 1
      ? vscode.l10n.t('Adding to the library')
      : vscode.l10n.t('Adding {0} sources to the library', wanted.length);
  const work = () =>
    withProgress(title, async ({ signal, onStep }) => {
      for (const [index, source] of wanted.entries()) {
        const name = nameOf(source);
        const tell = (done = 0) => onStep((index + done) / wanted.length, name);
        tell();
        const onProgress = ({ done }: { done?: number | undefined }) => tell(done);
        try {
          const request = { source, ...(overrides ? { metadata_overrides: overrides } : {}) };
          results.push(await part.ingest(request, { ...change, signal, onProgress }));
        } catch (error) {
          if (signal.aborted || wanted.length === 1 || !isKaizenError(error)) throw error;
          failures.push({ source, error });
        }
      }
      return true;
    });
  const isDone = await withLibrary(context, work).catch((error: unknown) => {
    if (isKaizenError(error) && MAY_PASS.includes(error.code)) {
      void offerAgain(context, sources, overrides, error);
      return undefined;
    }
    // What was added until then stays, and is told.
    const isCancelled = isKaizenError(error) && error.code === 'cancelled';
    if (!isCancelled || results.length === 0) throw error;
    return true;
  });
  if (!isDone) return undefined;
  for (const { source, error } of failures) context.log.warn(`${source}: ${describeError(error)}`);
  void announce(context, part, results, failures);
  return results;
}

/** Says why the one source could not be read, and reads it again once the person has seen to it. */
async function offerAgain(
  context: CommandContext,
  sources: readonly string[],
  overrides: MetadataOverrides | undefined,
  error: KaizenError,
): Promise<void> {
  const message = withoutLinks(errorInWords(error));
  context.log.warn(message);
  const again = vscode.l10n.t('Try Again');
  if ((await vscode.window.showWarningMessage(message, again)) !== again) return;
  await addSources(context, sources, overrides).catch((failure) => showError(context.log, failure));
}

/** Asks for an address on the web; undefined on cancel. */
export function askAddress(title: string): Thenable<string | undefined> {
  return vscode.window
    .showInputBox({
      title,
      prompt: vscode.l10n.t('Address of the page or PDF. It is fetched once you confirm, and obeys robots.txt.'),
      placeHolder: 'https://',
      ignoreFocusOut: true,
      validateInput: (text) =>
        isWeb(text.trim()) && URL.canParse(text.trim())
          ? undefined
          : vscode.l10n.t('An address begins with https:// or http://.'),
    })
    .then((text) => text?.trim());
}

export async function askFiles(title: string, options: vscode.OpenDialogOptions = {}): Promise<string[]> {
  const uris = await vscode.window.showOpenDialog({
    title,
    openLabel: vscode.l10n.t('Add to Library'),
    canSelectMany: true,
    ...options,
  });
  return (uris ?? []).map(({ fsPath }) => fsPath);
}

export function documentFilters(): Record<string, string[]> {
  return { [vscode.l10n.t('Documents')]: ENDINGS };
}

async function chooseWhat(): Promise<string[] | undefined> {
  const title = vscode.l10n.t('Add to Library');
  const items = [
    {
      label: vscode.l10n.t('Files…'),
      detail: vscode.l10n.t('PDF, Word, Markdown, HTML. The text is kept in the library; the files stay as they are.'),
      iconPath: new vscode.ThemeIcon('file-add'),
      ask: () => askFiles(title, { filters: documentFilters() }),
    },
    {
      label: vscode.l10n.t('Folder…'),
      detail: vscode.l10n.t('All that the library reads in a folder and the folders below it.'),
      iconPath: new vscode.ThemeIcon('folder-opened'),
      ask: () => askFiles(title, { canSelectFolders: true, canSelectFiles: false }),
    },
    {
      label: vscode.l10n.t('Web page…'),
      detail: vscode.l10n.t('One page or PDF by its address. Nothing else of the site is fetched.'),
      iconPath: new vscode.ThemeIcon('globe'),
      ask: async () => [await askAddress(title)].filter((each) => each !== undefined),
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('What it is to be read from'),
  });
  return picked?.ask();
}

function sourcesIn(values: readonly unknown[]): string[] {
  const sources = values.flatMap((value) => {
    if (value instanceof vscode.Uri) return sourceOf(value);
    if (typeof value === 'string') return value;
    return isRecord(value) && typeof value.url === 'string' ? value.url : [];
  });
  return [...new Set(sources)];
}

function sourceOf(uri: vscode.Uri): string {
  if (uri.scheme === 'file' || uri.scheme === 'vscode-remote') return uri.fsPath;
  if (/^https?$/.test(uri.scheme)) return uri.toString(true);
  throw new KaizenError(
    'invalid_argument',
    vscode.l10n.t('{0} is neither a file of this machine nor a web page.', uri.toString(true)),
  );
}

function isWeb(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

function nameOf(source: string): string {
  return isWeb(source) ? source : path.basename(source);
}

/** Folders become the files in them. */
async function filesOf(sources: readonly string[]): Promise<string[]> {
  const files = new Set<string>();
  for (const source of sources) {
    const isFolder =
      !isWeb(source) &&
      (await stat(source)
        .then((found) => found.isDirectory())
        .catch(() => false));
    if (isFolder) for (const file of await filesBelow(source)) files.add(file);
    else files.add(source);
  }
  return [...files];
}

/** Neither hidden folders nor links are followed. Throws when there are too many. */
async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = path.join(next, entry.name);
      const isOpen = !entry.name.startsWith('.') && !LEFT_OUT.has(entry.name);
      if (entry.isDirectory() && isOpen) folders.push(file);
      if (entry.isFile() && ENDINGS.includes(path.extname(entry.name).slice(1).toLowerCase())) files.push(file);
    }
    if (files.length > MOST_FILES) {
      throw new KaizenError(
        'invalid_argument',
        vscode.l10n.t('The folder holds more than {0} documents.', MOST_FILES),
        vscode.l10n.t('Add its folders one by one.'),
      );
    }
  }
  return files;
}

async function agreesToMany(count: number): Promise<boolean> {
  const add = vscode.l10n.t('Add');
  const question = vscode.l10n.t('Add {0} documents to the library?', count.toLocaleString(vscode.env.language));
  return (await vscode.window.showInformationMessage(question, { modal: true }, add)) === add;
}

/** Where the web is switched off, the person may switch it on. */
async function webIsAllowed(): Promise<boolean> {
  if (configuredWeb().enabled) return true;
  const allow = vscode.l10n.t('Switch On');
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t('Fetching from the web is switched off.'),
    {
      modal: true,
      detail: vscode.l10n.t(
        'With it, agents may fetch pages as well, as far as they may write (setting {0}).',
        `${WEB_SETTING}.enabled`,
      ),
    },
    allow,
  );
  if (choice !== allow) return false;
  await vscode.workspace.getConfiguration(WEB_SETTING).update('enabled', true, vscode.ConfigurationTarget.Global);
  return true;
}

async function announce(
  context: CommandContext,
  part: LibraryPart,
  results: readonly IngestResult[],
  failures: readonly { source: string; error: unknown }[],
): Promise<void> {
  const open = vscode.l10n.t('Open');
  const describe = vscode.l10n.t('Describe…');
  const showLog = vscode.l10n.t('Show Log');
  const [only] = results.length === 1 && failures.length === 0 ? results : [];
  const closed = results.reduce((sum, { requests_closed }) => sum + requests_closed.length, 0);
  const answered =
    closed === 0
      ? ''
      : closed === 1
        ? vscode.l10n.t('It answers a request.')
        : vscode.l10n.t('{0} requests are answered by it.', closed);
  if (only) {
    const message = withoutLinks([outcomeOf(only), answered].filter(Boolean).join(' '));
    const { document } = only;
    const choices = document ? [open, describe] : [];
    const choice = await vscode.window.showInformationMessage(message, ...choices);
    if (choice === open && document) await showPassage(part, document);
    if (choice === describe && document)
      await vscode.commands.executeCommand('kaizen.describeSource', { document_id: document.document_id });
    return;
  }
  const count = (status: IngestResult['status']) => results.filter((each) => each.status === status).length;
  const facts = [
    vscode.l10n.t('Added: {0}', count('added')),
    count('updated') > 0 ? vscode.l10n.t('read again: {0}', count('updated')) : '',
    count('unchanged') + count('duplicate') > 0
      ? vscode.l10n.t('there already: {0}', count('unchanged') + count('duplicate'))
      : '',
    failures.length > 0 ? vscode.l10n.t('failed: {0}', failures.length) : '',
  ];
  const why = failures.slice(0, SHOWN).map(({ source, error }) => `${nameOf(source)}: ${errorInWords(error)}`);
  const message = withoutLinks([`${facts.filter(Boolean).join(', ')}.`, answered, ...why].filter(Boolean).join(' '));
  if (failures.length === 0) {
    void vscode.window.showInformationMessage(message);
    return;
  }
  if ((await vscode.window.showWarningMessage(message, showLog)) === showLog) context.log.show();
}

function outcomeOf({ status, document, chunks, message }: IngestResult): string {
  const title = document?.title ?? '';
  switch (status) {
    case 'added':
      return vscode.l10n.t('Added "{0}": {1}.', title, passageCount(chunks.total));
    case 'updated':
      return vscode.l10n.t(
        'Read "{0}" again: {1} new, {2} gone.',
        title,
        passageCount(chunks.added),
        passageCount(chunks.removed),
      );
    case 'unchanged':
      return vscode.l10n.t('"{0}" has not changed.', title);
    case 'duplicate':
      return vscode.l10n.t('The library has this text already: "{0}".', title);
    case 'skipped':
      return message ?? vscode.l10n.t('It was left out.');
  }
}
