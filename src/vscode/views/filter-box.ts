import * as vscode from 'vscode';

/** Long enough for who types fast, short enough to feel immediate. */
const PAUSE_MS = 80;

export interface FilterBox {
  title: string;
  placeholder: string;
  /** The filter that is set already. */
  value: string;
  /** Shows what a filter leaves; called as it is typed. */
  preview: (query: string) => void;
}

/** Asks for a filter and shows its effect with each key.
 * @returns what was typed, or what was set before when the person cancels */
export async function askFilter({ title, placeholder, value, preview }: FilterBox): Promise<string> {
  const input = vscode.window.createInputBox();
  input.title = title;
  input.placeholder = placeholder;
  input.prompt = vscode.l10n.t('Only what holds every word is shown.');
  input.value = value;
  // What the filter leaves can be clicked meanwhile.
  input.ignoreFocusOut = true;
  let timer: NodeJS.Timeout | undefined;
  input.onDidChangeValue((query) => {
    clearTimeout(timer);
    timer = setTimeout(() => preview(query), PAUSE_MS);
  });
  try {
    return await new Promise<string>((resolve) => {
      input.onDidAccept(() => {
        resolve(input.value);
        input.hide();
      });
      input.onDidHide(() => resolve(value));
      input.show();
    });
  } finally {
    clearTimeout(timer);
    input.dispose();
  }
}
