import * as vscode from 'vscode';
import { described, type SecretPlace, type WriteSafetyOptions } from '../../safety';
import { inWords } from '../in-words';
import { withoutLinks } from '../messages';
import { secretPolicy } from './settings';

/** What becomes of secrets in what this window writes: the setting, and the person, who may know better. */
export function writeSafety(): WriteSafetyOptions {
  return {
    // Asked anew for each write, so that a setting holds at once.
    get policy() {
      return secretPolicy();
    },
    onFound: storeAnyway,
    onRedacted: (places) => {
      const message = vscode.l10n.t('Stored without what looks like a secret: {0}.', inWords(described(places)));
      void vscode.window.showWarningMessage(withoutLinks(message));
    },
  };
}

/**
 * Whether this one text is stored all the same. Only ever asked for what a person writes. The editor gives the first
 * button the focus and puts Cancel last: so that Enter stores no secret, the first one says that it does not.
 */
async function storeAnyway(places: readonly SecretPlace[]): Promise<boolean> {
  const [keep, store] = [vscode.l10n.t('Do Not Store'), vscode.l10n.t('Store Anyway')];
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('This looks as if it held a secret.'),
    {
      modal: true,
      detail: vscode.l10n.t(
        '{0}. Whoever reads this knowledge could read it, agents as well: say where it is kept instead. If it is no secret, store it anyway; the history says so.',
        inWords(described(places)),
      ),
    },
    keep,
    store,
  );
  return answer === store;
}
