import { once } from 'node:events';
import * as vscode from 'vscode';
import type { LibraryPart } from '../../library';
import { type DatabaseAddress, serverOf } from '../database-connection';
import { withoutIcons, withoutLinks } from '../messages';
import { passageCount, sourceCount } from '../views';
import type { CommandContext } from './command';
import { askForDatabase, connectTo, disconnectFrom } from './database-connect';
import { libraryChange } from './library-given';
import { withProgress } from './long-work';

/**
 * Asks for the address of a PostgreSQL database, tries it, and keeps it in secret storage once it works: the library is
 * there from then on. Sources of the folder stay in the folder.
 */
export async function connectLibrary(context: CommandContext): Promise<void> {
  libraryChange(context);
  const { connection } = context.knowledge.library;
  const before = await connection.options();
  const tried = await askForDatabase(vscode.l10n.t('Connect Library to PostgreSQL'), before);
  if (!tried || !(await agreesToUse(tried.url))) return;
  const part = await context.library.start();
  let worked: DatabaseAddress | undefined;
  try {
    worked = await tryOut(part, tried);
  } finally {
    // What was tried and not kept is not used any further.
    if (!worked) await context.library.useConfigured();
  }
  if (!worked) return;
  await connection.choose(worked);
  const message = vscode.l10n.t('The library is in {0} now: {1}.', serverOf(worked.url), contents(part));
  void vscode.window.showInformationMessage(withoutLinks(message));
}

export async function disconnectLibrary(context: CommandContext): Promise<void> {
  libraryChange(context);
  await disconnectFrom(context, context.knowledge.library.connection, {
    none: vscode.l10n.t('The library is in a folder of this machine.'),
    inEnvironment: vscode.l10n.t('The address of the library comes from KAIZEN_LIBRARY in the environment.'),
    done: (server) => vscode.l10n.t('Disconnected from {0}. Sources there stay.', server),
  });
}

/** Where the library is and what it holds, in a few words. */
export async function showLibraryStatus(context: CommandContext): Promise<void> {
  const part = await context.library.start();
  const { size, health, open_requests } = await withProgress(vscode.l10n.t('Opening the library'), () => part.stats());
  const facts = [
    vscode.l10n.t('Library: {0}.', part.state.place),
    `${contents(part)}.`,
    size === undefined ? '' : vscode.l10n.t('{0} MB.', Math.ceil(size / 1e6).toLocaleString(vscode.env.language)),
    open_requests > 0 ? vscode.l10n.t('Documents asked for: {0}.', open_requests) : '',
    ...health,
  ];
  void vscode.window.showInformationMessage(withoutLinks(withoutIcons(facts.filter(Boolean).join(' '))));
}

function contents({ state: { documents, chunks } }: LibraryPart): string {
  return [sourceCount(documents), passageCount(chunks)].join(', ');
}

/** Gives what worked; undefined when the person would rather not. */
function tryOut(part: LibraryPart, options: DatabaseAddress): Promise<DatabaseAddress | undefined> {
  const danger = vscode.l10n.t(
    'Without checking it, somebody else could answer in its place, and read the password and all sources. Do that only in a network that you trust.',
  );
  return connectTo(options, danger, (address) =>
    withProgress(vscode.l10n.t('Connecting to the library'), async ({ signal }) => {
      await Promise.race([use(part, address), aborted(signal)]);
      return address;
    }),
  );
}

async function use(part: LibraryPart, address: DatabaseAddress): Promise<void> {
  await part.usePlace(address);
  await part.stats();
}

/** A server that does not answer is not waited for any longer than the person wants. */
async function aborted(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort');
  throw signal.reason;
}

/** Tables may be made there, and others see what is added. */
async function agreesToUse(url: string): Promise<boolean> {
  const use = vscode.l10n.t('Use It');
  const question = vscode.l10n.t('Use {0} for the library?', serverOf(url));
  const detail = vscode.l10n.t(
    'Where it has no library yet, tables are made in the schema kaizen_library; nothing else is touched. Whoever may use that database sees the texts of all sources that you add. Sources of the folder on this machine stay there.',
  );
  return (await vscode.window.showInformationMessage(question, { modal: true, detail }, use)) === use;
}
