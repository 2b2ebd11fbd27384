import * as vscode from 'vscode';
import type { RefreshReport } from '../../learning';
import type { SourceListing } from '../../library';
import { withoutIcons, withoutLinks } from '../messages';
import type { CommandContext } from './command';
import { withLibrary } from './library-failures';
import { libraryChange } from './library-given';
import { withProgress } from './long-work';

/** Pages that are offered: those that were looked at longest ago. */
const OFFERED = 1_000;

interface PageItem extends vscode.QuickPickItem {
  source: string;
}

/**
 * Looks at web pages again that are old: those that the person ticks in a list of their addresses, and no others.
 * @param given ids of sources that are ticked beforehand; all of them unless told
 */
export async function refreshStalePages(context: CommandContext, given: unknown): Promise<RefreshReport | undefined> {
  const change = libraryChange(context);
  const { administration } = await context.learning.start();
  const title = vscode.l10n.t('Look at Old Web Pages Again');
  const wanted = new Set(idsOf(given));
  const items = await withProgress(title, async ({ signal }): Promise<PageItem[]> => {
    const { documents } = await administration.stale({ limit: OFFERED, signal });
    const ages = new Map(documents.map(({ source_id, age_days }) => [source_id, age_days]));
    const pages = await administration.webSources(undefined, signal);
    const ageOf = ({ document_id }: SourceListing) => ages.get(document_id) ?? 0;
    // Those that the person saw may be old by another measure.
    return pages
      .filter(({ document_id }) => ages.has(document_id) || wanted.has(document_id))
      .sort((a, b) => ageOf(b) - ageOf(a))
      .map((page) => itemOf(page, ages.get(page.document_id), wanted.size === 0 || wanted.has(page.document_id)));
  });
  if (items.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No web page of the library is old.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('Pages that are fetched from the web now'),
    canPickMany: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  if (!picked || picked.length === 0) return undefined;
  const sources = picked.map(({ source }) => source);
  const report = await withLibrary(context, () =>
    withProgress(vscode.l10n.t('Looking at web pages'), ({ signal, onStep }) =>
      administration.refreshWeb(sources, { ...change, signal, onProgress: ({ done = 0 }) => onStep(done, '') }),
    ),
  );
  if (report) tell(context, report);
  return report;
}

function itemOf(
  { document_id, title, source_path }: SourceListing,
  age: number | undefined,
  picked: boolean,
): PageItem {
  return {
    label: withoutIcons(title),
    ...(age === undefined ? {} : { description: vscode.l10n.t('{0} days', age) }),
    detail: withoutIcons(source_path.slice(0, 200)),
    source: document_id,
    picked,
  };
}

function idsOf(given: unknown): string[] {
  return Array.isArray(given) ? given.filter((each): each is string => typeof each === 'string') : [];
}

function tell({ log }: CommandContext, { pages, checked, updated, failed }: RefreshReport): void {
  const message = vscode.l10n.t('Web pages looked at: {0}. Changed: {1}.', checked, updated);
  if (failed === 0) {
    void vscode.window.showInformationMessage(message);
    return;
  }
  const bad = pages.filter(({ status }) => status === 'failed' || status === 'refused');
  for (const { url, reason } of bad) log.warn(`${url}: ${reason ?? ''}`);
  const [first] = bad;
  const what = `${vscode.l10n.t('Not reached: {0}.', failed)} ${first?.url ?? ''}: ${first?.reason ?? ''}`;
  void vscode.window.showWarningMessage(withoutLinks(`${message} ${what}`));
}
