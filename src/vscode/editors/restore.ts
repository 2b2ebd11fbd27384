import * as vscode from 'vscode';
import { spliceBetween } from '../../../webview-ui/protocol/text-splices';
import { KaizenError } from '../../core/errors';
import { formatEntryText, parseEntryText } from '../../frontmatter';
import type { EntryKey } from '../../knowledge';
import { documentUri } from '../documents';
import type { EditorContext } from './context';
import { applyEdits } from './document-edits';
import { editsFor, formValues } from './entry-edits';

/**
 * Puts what an entry held after a revision into its document, as an edit that can be undone; saving it is the person's.
 * A deleted entry that no editor shows has no document to edit: it is stored again at once.
 * Throws `invalid_argument` when the revision holds nothing, and in Restricted Mode.
 */
export async function restoreRevision(
  context: EditorContext,
  key: EntryKey,
  number: number,
): Promise<'document' | 'store'> {
  const change = context.knowledge.change();
  const { knowledge } = await context.knowledge.parts();
  const revision = knowledge.history(key).find((each) => each.number === number);
  if (!revision || revision.content === null) {
    throw new KaizenError(
      'invalid_argument',
      vscode.l10n.t('Revision {0} of "{1}" holds nothing that could be restored.', number, key.keyword),
      vscode.l10n.t('Choose another one.'),
    );
  }
  const held = { content: revision.content, metaknowledge: revision.metaknowledge ?? {} };
  const uri = documentUri(key);
  const isOpen = vscode.workspace.textDocuments.some((each) => each.uri.toString() === uri.toString());
  if (!isOpen && !knowledge.entry(key)) {
    await knowledge.restore(key, number, change);
    return 'store';
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const text = document.getText();
  const edits =
    parseEntryText(text).faults.length === 0
      ? editsFor(text, formValues(held))
      : [spliceBetween(text, formatEntryText(held))].filter((splice) => splice !== undefined);
  if (!(await applyEdits(document, edits))) {
    throw new KaizenError('conflict', vscode.l10n.t('The document changed meanwhile.'), vscode.l10n.t('Try again.'));
  }
  return 'document';
}
