import { readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';
import type { Imported } from '../../learning';
import { announceWithUndo } from '../learning';
import { showError } from '../log';
import { withoutLinks } from '../messages';
import type { CommandContext } from './command';
import { isRecord } from './given';
import { withProgress } from './long-work';
import { pathOnDisk } from './on-disk';

const MOST_BYTES = 128 * 1024 * 1024;
/** Names in a dialog, which does not scroll. */
const NAMED = 8;

/**
 * Takes in a file with what was learned: what it would change is shown first, and nothing is changed before that. What
 * came of it; undefined where nothing was taken in.
 */
export async function importLearning(
  context: CommandContext,
  target: unknown,
  given: unknown,
): Promise<Imported | undefined> {
  const change = context.learning.change();
  const uri = target instanceof vscode.Uri ? target : await askSource();
  if (!uri) return undefined;
  const name = withoutLinks(uri.path.split('/').at(-1) ?? uri.path);
  const { administration } = await context.learning.start();
  const { content, before } = await withProgress(vscode.l10n.t('Reading {0}', name), async ({ signal }) => {
    const bytes = await bytesOf(pathOnDisk(uri));
    return {
      content: bytes,
      before: await administration.import(bytes, { overwrite: false }, { ...change, rehearse: true, signal }),
    };
  });
  const settled = isRecord(given) ? given.conflicts : undefined;
  const overwrite = settled === 'keep' || settled === 'replace' ? settled === 'replace' : await decide(name, before);
  if (overwrite === undefined) return undefined;
  const imported = await withProgress(vscode.l10n.t('Importing {0}', name), ({ signal }) =>
    administration.import(content, { overwrite }, { ...change, signal }),
  );
  announce(context, imported);
  return imported;
}

async function askSource(): Promise<vscode.Uri | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      openLabel: vscode.l10n.t('Import'),
      filters: { [vscode.l10n.t('What was learned')]: ['json', 'parquet'] },
    })) ?? [];
  return uri;
}

async function bytesOf(path: string): Promise<Buffer> {
  const stats = await stat(path);
  // What is no file, such as a device, may never end.
  if (!stats.isFile()) throw new KaizenError('unreadable_source', vscode.l10n.t('This is no file.'));
  if (stats.size > MOST_BYTES)
    throw new KaizenError('unreadable_source', vscode.l10n.t('The file is larger than 128 MB.'));
  return readFile(path);
}

/** Whether what differs is to be taken from the file; undefined when the person gives up, or there is nothing to do. */
async function decide(name: string, before: Imported): Promise<boolean | undefined> {
  const { kept, relationships } = before;
  const differing = kept.length + relationships.kept;
  const added = before.added + before.feedback + before.counts + relationships.added;
  if (added + differing === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Everything that {0} holds is here already. Nothing was changed.', name),
    );
    return undefined;
  }
  const question = vscode.l10n.t('Import {0}?', name);
  if (differing === 0) {
    const go = vscode.l10n.t('Import');
    const options = { modal: true, detail: inWords(before).join('\n') };
    return (await vscode.window.showInformationMessage(question, options, go)) === go ? false : undefined;
  }
  const [keep, replace] = [vscode.l10n.t('Import, Keep What Differs'), vscode.l10n.t('Import, Replace What Differs')];
  const detail = [...inWords(before), '', ...differingInWords(before)].join('\n');
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, keep, replace);
  if (answer === keep) return false;
  return answer === replace ? true : undefined;
}

function inWords({ added, updated, unchanged, feedback, counts, relationships }: Imported): string[] {
  const number = (count: number) => count.toLocaleString(vscode.env.language);
  return [
    vscode.l10n.t('Records: {0} new, {1} replaced, {2} as they are', number(added), number(updated), number(unchanged)),
    vscode.l10n.t(
      'Relations: {0} new, {1} replaced, {2} as they are',
      ...[relationships.added, relationships.updated, relationships.unchanged].map(number),
    ),
    vscode.l10n.t('New feedback: {0}; counts that rise: {1}', number(feedback), number(counts)),
    ...(relationships.left_out > 0
      ? [vscode.l10n.t('Relations left out, since what they lead to is not here: {0}', number(relationships.left_out))]
      : []),
  ];
}

function differingInWords({ kept, relationships }: Imported): string[] {
  const titles = kept.slice(0, NAMED).map(({ title }) => `– ${title.slice(0, 80)}`);
  const more = kept.length - titles.length;
  return [
    vscode.l10n.t('Here already, and different: {0}', kept.length + relationships.kept),
    ...titles,
    ...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : []),
    ...(relationships.kept > 0 ? [vscode.l10n.t('Relations among them: {0}', relationships.kept)] : []),
  ];
}

/** Records are taken back together; feedback, counts and relations stay. */
function announce({ learning, log }: CommandContext, imported: Imported): void {
  const differing = imported.kept.length + imported.relationships.kept;
  const message = [
    vscode.l10n.t('Imported.'),
    `${inWords(imported).slice(0, 2).join('. ')}.`,
    ...(differing > 0 ? [vscode.l10n.t('Kept, although the file says something else: {0}.', differing)] : []),
  ].join(' ');
  const { revision } = imported;
  if (revision === undefined) void vscode.window.showInformationMessage(withoutLinks(message));
  else announceWithUndo(learning, message, revision).catch((error) => showError(log, error));
}
