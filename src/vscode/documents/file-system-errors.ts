import * as vscode from 'vscode';
import { isKaizenError } from '../../core/errors';
import type { EntryText } from '../../frontmatter';
import { errorInWords } from '../in-words';
import { faultMessage } from './fault-messages';

/** What the editor understands of an error: some are part of its own flow, of the others it shows the text. */
export function fileSystemError(error: unknown, uri: vscode.Uri): Error {
  if (error instanceof vscode.FileSystemError || !isKaizenError(error)) return error as Error;
  if (['unknown_entry', 'unknown_scope', 'unknown_document'].includes(error.code)) {
    return vscode.FileSystemError.FileNotFound(errorInWords(error));
  }
  if (error.code === 'read_only') return vscode.FileSystemError.NoPermissions(errorInWords(error));
  if (error.code === 'store_closed') return vscode.FileSystemError.Unavailable(uri);
  return refusal(errorInWords(error));
}

/** The document cannot be an entry: which line, why, and what to do. Nothing was stored, and the document stays as it is. */
export function unreadable(line: number, fault: EntryText['faults'][number]): Error {
  return refusal(vscode.l10n.t('Line {0}: {1} Nothing was saved.', line, faultMessage(fault)));
}

/** The editor shows name and message; of a `FileSystemError` without a code it would say that it is unknown. */
export function refusal(message: string): Error {
  const error = new Error(message);
  error.name = 'Kaizen';
  return error;
}
