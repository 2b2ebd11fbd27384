import * as vscode from 'vscode';
import { isKaizenError, KaizenError } from '../../core/errors';
import type { LibraryPart } from '../../library';
import { type DatabaseAddress, isDatabaseUrl, serverOf } from '../database-connection';
import { withoutIcons, withoutLinks } from '../messages';
import { passageCount, sourceCount } from '../views';
import type { CommandContext } from './command';
import { libraryChange } from './library-given';
import { withProgress } from './long-work';
import { announceWithUndo } from './note-writes';

const EXAMPLE = 'postgres://kaizen@db.example.com:5432/knowledge';

/**
 * Asks for the address of a PostgreSQL database, tries it, and keeps it in secret storage once it works: the library is
 * there from then on. Sources of the folder stay in the folder.
 */
export async function connectLibrary(context: CommandContext): Promise<void> {
  libraryChange(context);
  const { connection } = context.knowledge.library;
  const before = await connection.options();
  const url = await askAddress(before);
  if (url === undefined) return;
  const tried: DatabaseAddress = before?.url === url ? before : { url };
  if (!(await agreesToUse(url))) return;
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
  const { connection } = context.knowledge.library;
  const before = await connection.options();
  if (!before) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The library is in a folder of this machine.'));
    return;
  }
  await connection.forget();
  if (await connection.options()) {
    throw new KaizenError(
      'registry_refused',
      vscode.l10n.t('The address of the library comes from KAIZEN_LIBRARY in the environment.'),
      vscode.l10n.t('Take it out there.'),
    );
  }
  const message = vscode.l10n.t('Disconnected from {0}. Sources there stay.', serverOf(before.url));
  announceWithUndo(context, withoutLinks(message), () => connection.choose(before));
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
async function tryOut(part: LibraryPart, address: DatabaseAddress): Promise<DatabaseAddress | undefined> {
  try {
    await withProgress(vscode.l10n.t('Connecting to the library'), async () => {
      await part.usePlace(address);
      await part.stats();
    });
    return address;
  } catch (error) {
    const isUnproven = isKaizenError(error) && error.code === 'registry_unverified' && !address.allowUnverifiedTls;
    if (!isUnproven) throw error;
    if (!(await acceptsUnverified(address.url, error))) return undefined;
    return tryOut(part, { ...address, allowUnverifiedTls: true });
  }
}

async function askAddress(before: DatabaseAddress | undefined): Promise<string | undefined> {
  const known = before && serverOf(before.url);
  const answer = await vscode.window.showInputBox({
    title: vscode.l10n.t('Connect Library to PostgreSQL'),
    prompt: known
      ? vscode.l10n.t(
          'Address of the PostgreSQL database, with user and password. Empty keeps {0}. It is kept in secret storage.',
          known,
        )
      : vscode.l10n.t('Address of the PostgreSQL database, with user and password. It is kept in secret storage.'),
    placeHolder: EXAMPLE,
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const isGood = (text.trim() === '' && known) || isDatabaseUrl(text.trim());
      return isGood ? undefined : vscode.l10n.t('An address looks like this: {0}', EXAMPLE);
    },
  });
  return answer === undefined ? undefined : answer.trim() || before?.url;
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

/** Whoever answers in the server's place could read and change everything, the password included. */
async function acceptsUnverified(url: string, { message }: KaizenError): Promise<boolean> {
  const accept = vscode.l10n.t('Connect Without Checking');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('The certificate of {0} cannot be verified.', serverOf(url)),
    {
      modal: true,
      detail: [
        message,
        vscode.l10n.t(
          'Without checking it, somebody else could answer in its place, and read the password and all sources. Do that only in a network that you trust.',
        ),
      ].join('\n\n'),
    },
    accept,
  );
  return choice === accept;
}
