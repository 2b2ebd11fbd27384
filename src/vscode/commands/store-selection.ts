import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';
import type { EntryInput, EntryKey } from '../../knowledge';
import { pathInFolder } from '../diagnostics';
import type { CommandContext } from './command';
import { announce, requireScopes, shown } from './entry-changes';
import { askInSteps, askText, keep, type Step } from './multi-step';
import { askCategory, askKeyword, askReason, askScope, type EntryAnswers } from './questions';

interface SelectionAnswers extends EntryAnswers {
  appliesTo: string;
}

/** Stores the selected text of the active editor as an entry, by questions, and proposes to have it warn in the file. */
export async function storeSelection(context: CommandContext): Promise<void> {
  const { knowledge: window } = context;
  const change = window.change();
  const editor = vscode.window.activeTextEditor;
  const content = editor ? selectedText(editor) : '';
  if (!editor || content === '') {
    throw new KaizenError(
      'invalid_argument',
      vscode.l10n.t('Nothing is selected.'),
      vscode.l10n.t('Select the text that is worth knowing, then store it.'),
    );
  }
  const { knowledge } = await window.parts();
  requireScopes(knowledge);
  const path = pathInFolder(editor.document.uri);
  const answers = await askInSteps<SelectionAnswers>(
    vscode.l10n.t('Store Selection as Knowledge'),
    [askScope(knowledge, window.project), askCategory(knowledge), askKeyword(knowledge), askAppliesTo(path), askReason],
    { content },
  );
  if (!answers) return;
  const key = { scope_id: answers.scope_id, category: answers.category.trim(), keyword: answers.keyword.trim() };
  const input: EntryInput = {
    target_scope_id: key.scope_id,
    category: key.category,
    keyword: key.keyword,
    content,
    metaknowledge: {
      ...(answers.appliesTo ? { APPLIES_TO: answers.appliesTo } : {}),
      ...(answers.reason ? { REASON: answers.reason } : {}),
    },
  };
  const withReason = { ...change, reason: answers.reason };
  const stored = await knowledge.storeIfMissing(input, withReason);
  if (!stored.success) {
    if (!(await confirmReplacing(key, stored.existing_content))) return;
    // Only the content was compared; what the old one was stored for says nothing of the new one.
    const { REASON: _, ...labels } = stored.existing_metaknowledge;
    const metaknowledge = { ...labels, ...input.metaknowledge };
    await knowledge.storeOverwrite({ ...input, metaknowledge }, withReason);
  }
  await announce(context, key, vscode.l10n.t('Stored "{0}" in {1}, {2}.', key.keyword, key.scope_id, key.category));
}

/** Line breaks kept, the indentation that all lines share taken away; several selections one below the other. */
export function selectedText({ document, selections }: vscode.TextEditor): string {
  const texts = selections.map((selection) => {
    // From the line's start, so that the first line is indented as the others are.
    const first = document.lineAt(selection.start.line);
    const isIndentOnly = selection.start.character <= first.firstNonWhitespaceCharacterIndex;
    const start = isIndentOnly ? first.range.start : selection.start;
    const lines = document.getText(new vscode.Range(start, selection.end)).split(/\r?\n/);
    const indents = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)![0].length);
    const shared = Math.min(...indents);
    return lines
      .map((line) => line.slice(Math.min(shared, line.length)).trimEnd())
      .join('\n')
      .replace(/^\n+|\n+$/g, '');
  });
  return texts.filter((text) => text !== '').join('\n\n');
}

function askAppliesTo(path: string | undefined): Step<SelectionAnswers> {
  return async (state, place) => {
    const answer = await askText({
      ...place,
      prompt: vscode.l10n.t('Files that it warns in, as globs (optional; kept as APPLIES_TO)'),
      value: state.appliesTo ?? path,
      placeholder: 'src/payments/**, !**/*.test.ts',
    });
    return keep(answer, (appliesTo) => Object.assign(state, { appliesTo: appliesTo.trim() }));
  };
}

async function confirmReplacing({ keyword, scope_id, category }: EntryKey, existing: string): Promise<boolean> {
  const replace = vscode.l10n.t('Replace');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('"{0}" is stored already in {1}, {2}.', keyword, scope_id, category),
    {
      modal: true,
      detail: vscode.l10n.t('It says:\n{0}\n\nThe old content stays in the history.', shown(existing)),
    },
    replace,
  );
  return choice === replace;
}
