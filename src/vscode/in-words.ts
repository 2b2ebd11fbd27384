import * as vscode from 'vscode';
import { describeError, isKaizenError } from '../core/errors';
import type { Sentence } from '../core/sentence';

/** What Kaizen says outside of the editor, in the editor's language; a name as it is. */
export function inWords(said: Sentence | string): string {
  if (typeof said === 'string') return said;
  const values = said.values.map((value) => (typeof value === 'number' ? value : inWords(value)));
  return vscode.l10n.t(said.text, ...values);
}

/** As `describeError`, in the editor's language as far as the error can be said in it. */
export function errorInWords(error: unknown): string {
  return isKaizenError(error) ? error.said.map(inWords).join(' ') : describeError(error);
}
