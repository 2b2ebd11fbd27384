import * as vscode from 'vscode';
import { isKaizenError, KaizenError } from '../../core/errors';
import { type DatabaseAddress, type DatabaseConnection, isDatabaseUrl, serverOf } from '../database-connection';
import { inWords } from '../in-words';
import type { CommandContext } from './command';
import { announceWithUndo } from './note-writes';

/** What registry and library have in common where a person connects them to a PostgreSQL database. */

const EXAMPLE = 'postgres://kaizen@db.example.com:5432/knowledge';

/**
 * Asks for the address of a database, hidden like a password, for it holds one.
 * @param before the one that is used now: an empty answer keeps it
 * @returns undefined on cancel
 */
export async function askForDatabase(
  title: string,
  before: DatabaseAddress | undefined,
): Promise<DatabaseAddress | undefined> {
  const known = before && serverOf(before.url);
  const answer = await vscode.window.showInputBox({
    title,
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
      const isGood = (text.trim() === '' && known !== undefined) || isDatabaseUrl(text.trim());
      return isGood ? undefined : vscode.l10n.t('An address looks like this: {0}', EXAMPLE);
    },
  });
  if (answer === undefined) return undefined;
  const url = answer.trim();
  // The same one again keeps what was agreed on for it.
  return url === '' || url === before?.url ? before : { url };
}

/**
 * Connects by `work`. Where the server does not prove whose it is, the person is asked, and it is done once more without
 * checking the certificate.
 * @param danger what somebody who answers in its place could do, in a sentence or two
 * @returns undefined when the person would rather not
 */
export async function connectTo<T>(
  address: DatabaseAddress,
  danger: string,
  work: (address: DatabaseAddress) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work(address);
  } catch (error) {
    const isUnproven = isKaizenError(error) && error.code === 'registry_unverified' && !address.allowUnverifiedTls;
    if (!isUnproven) throw error;
    if (!(await acceptsUnverified(address, [inWords(error.said[0] ?? error.message), danger]))) return undefined;
    return work({ ...address, allowUnverifiedTls: true });
  }
}

/** What is said when a database is let go of. */
export interface DisconnectWords {
  /** None was connected. */
  none: string;
  /** It stands in the environment, where it cannot be taken away from here. */
  inEnvironment: string;
  done(server: string): string;
}

/** Forgets the address of a database, and offers to take that back. Throws where the environment names it. */
export async function disconnectFrom(
  context: CommandContext,
  connection: Pick<DatabaseConnection, 'choose' | 'forget' | 'options'>,
  words: DisconnectWords,
): Promise<void> {
  const before = await connection.options();
  if (!before) {
    void vscode.window.showInformationMessage(words.none);
    return;
  }
  await connection.forget();
  if (await connection.options()) {
    throw new KaizenError('registry_refused', words.inEnvironment, vscode.l10n.t('Take it out there.'));
  }
  announceWithUndo(context, words.done(serverOf(before.url)), () => connection.choose(before));
}

async function acceptsUnverified({ url }: DatabaseAddress, detail: readonly string[]): Promise<boolean> {
  const accept = vscode.l10n.t('Connect Without Checking');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('The certificate of {0} cannot be verified.', serverOf(url)),
    { modal: true, detail: detail.join('\n\n') },
    accept,
  );
  return choice === accept;
}
