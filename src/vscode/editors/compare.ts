import * as vscode from 'vscode';
import type { EntryKey } from '../../knowledge';
import { documentUri, revisionUri } from '../documents';

/**
 * Shows a revision beside another state of the entry.
 * @param other `document`: what the document holds now; `before`: what the entry held before that revision
 */
export async function compareRevision(key: EntryKey, revision: number, other: 'document' | 'before'): Promise<void> {
  const { keyword } = key;
  const [left, right, title] =
    other === 'document'
      ? [revisionUri(key, revision), documentUri(key), vscode.l10n.t('{0}: Revision {1} and Now', keyword, revision)]
      : [
          revisionUri(key, revision - 1),
          revisionUri(key, revision),
          vscode.l10n.t('{0}: What Revision {1} Changed', keyword, revision),
        ];
  await vscode.commands.executeCommand('vscode.diff', left, right, title);
}
