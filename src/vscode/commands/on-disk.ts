import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';

/** The path of a file or folder that this process can reach; throws for one of a virtual workspace. */
export function pathOnDisk(uri: vscode.Uri): string {
  if (uri.scheme === 'file') return uri.fsPath;
  throw new KaizenError(
    'invalid_argument',
    vscode.l10n.t('{0} is not on a disk of this machine.', uri.path),
    vscode.l10n.t('Choose a file or folder that is.'),
  );
}
