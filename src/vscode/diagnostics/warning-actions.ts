import * as vscode from 'vscode';
import type { EntryKey } from '../../knowledge';
import { keyOf } from './dismissals';
import type { ShownWarning } from './shown-warnings';

/** What the quick fixes hand to `kaizen.acknowledgeWarning` and `kaizen.muteWarning`. */
export interface WarningTarget {
  /** The address of the file that shows it. */
  file: string;
  key: EntryKey;
}

interface Warnings {
  shownIn(uri: vscode.Uri): readonly ShownWarning[];
}

/** Quick fixes for every warning at the cursor: open the rule, acknowledge it, mute it in this file. */
export function registerWarningActions(warnings: Warnings): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions: ({ uri }, range) =>
      warnings
        .shownIn(uri)
        .filter(({ places }) => places.some((place) => place.intersection(range)))
        .flatMap((shown) => actionsFor(shown, uri, range)),
  };
  return vscode.languages.registerCodeActionsProvider('*', provider, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}

function actionsFor({ warning, diagnostics }: ShownWarning, uri: vscode.Uri, range: vscode.Range): vscode.CodeAction[] {
  const key = keyOf(warning);
  const target: WarningTarget = { file: uri.toString(), key };
  const action = (title: string, command: string, argument: unknown) => {
    const each = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    each.command = { title, command, arguments: [argument] };
    each.diagnostics = diagnostics.filter((diagnostic) => diagnostic.range.intersection(range));
    return each;
  };
  return [
    action(vscode.l10n.t('Open the rule "{0}"', key.keyword), 'kaizen.openEntry', key),
    action(vscode.l10n.t('Acknowledge "{0}" until it changes', key.keyword), 'kaizen.acknowledgeWarning', target),
    action(vscode.l10n.t('Mute "{0}" in this file', key.keyword), 'kaizen.muteWarning', target),
  ];
}
