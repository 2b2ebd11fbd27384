import * as vscode from 'vscode';
import { withoutIcons, withoutLinks } from '../messages';

/** What a step may answer beside its value. */
const BACK = Symbol('back');
type Answer<T> = T | typeof BACK | undefined;

/** One question of a multi-step input, told which step of how many it is. */
export type Step<State> = (state: Partial<State>, place: StepPlace) => Promise<boolean | 'back'>;

export interface StepPlace {
  title: string;
  step: number;
  totalSteps: number;
}

/** Asks one question after the other, with a way back; undefined when the person cancels.
 * @param steps or what tells them from the answers so far, where a question does not always apply */
export async function askInSteps<State>(
  title: string,
  steps: readonly Step<State>[] | ((state: Partial<State>) => readonly Step<State>[]),
  initial: Partial<State> = {},
): Promise<State | undefined> {
  const state = { ...initial };
  for (let index = 0; ; ) {
    const all = typeof steps === 'function' ? steps(state) : steps;
    const ask = all[index];
    if (!ask) return state as State;
    const outcome = await ask(state, { title, step: index + 1, totalSteps: all.length });
    if (outcome === 'back') index = Math.max(0, index - 1);
    else if (outcome) index++;
    else return undefined;
  }
}

/** Puts an answer into the state: the common end of a step. */
export function keep<T>(answer: Answer<T>, set: (value: T) => void): boolean | 'back' {
  if (answer === BACK) return 'back';
  if (answer === undefined) return false;
  set(answer);
  return true;
}

export interface PickOptions<T> extends StepPlace {
  placeholder: string;
  items: readonly (vscode.QuickPickItem & { value: T })[];
  active?: ((value: T) => boolean) | undefined;
  /** Makes a value from what was typed and is in no item's label. */
  fromText?: { label: (text: string) => string; value: (text: string) => T } | undefined;
}

export function pick<T>(options: PickOptions<T>): Promise<Answer<T>> {
  const input = vscode.window.createQuickPick<vscode.QuickPickItem & { value: T }>();
  input.placeholder = options.placeholder;
  input.matchOnDescription = true;
  input.items = options.items;
  const active = options.active && options.items.filter(({ value }) => options.active!(value));
  // Setting none would leave the list without an active line, and Enter without an effect.
  if (active?.length) input.activeItems = active;
  const { fromText } = options;
  if (fromText) {
    input.onDidChangeValue((text) => {
      const typed = text.trim();
      const known = typed === '' || options.items.some(({ label }) => label === typed);
      const own = { label: fromText.label(typed), value: fromText.value(typed), alwaysShow: true };
      input.items = known ? options.items : [...options.items, own];
    });
  }
  return show(input, options, () => {
    const [selected] = input.selectedItems;
    if (selected) return selected.value;
    // Who types fast presses Enter before the line for the new text is there.
    const typed = input.value.trim();
    return fromText && typed !== '' ? fromText.value(typed) : undefined;
  });
}

export interface PickManyOptions<T> extends PickOptions<T> {
  /** Says why these cannot be chosen together, or nothing. */
  refuse?: (values: readonly T[]) => string | undefined;
}

export function pickMany<T>(options: PickManyOptions<T>): Promise<Answer<T[]>> {
  const input = vscode.window.createQuickPick<vscode.QuickPickItem & { value: T }>();
  input.placeholder = options.placeholder;
  input.canSelectMany = true;
  input.items = options.items;
  input.selectedItems = options.items.filter(({ value }) => options.active?.(value));
  return show(input, options, () => {
    const values = input.selectedItems.map(({ value }) => value);
    const refusal = options.refuse?.(values);
    if (refusal) void vscode.window.showWarningMessage(withoutLinks(refusal));
    return refusal ? undefined : values;
  });
}

export interface TextOptions extends StepPlace {
  prompt: string;
  value?: string | undefined;
  placeholder?: string;
  /** Says what is wrong with the text, or nothing. */
  validate?: (text: string) => string | undefined;
}

export function askText(options: TextOptions): Promise<Answer<string>> {
  const input = vscode.window.createInputBox();
  input.prompt = options.prompt;
  input.value = options.value ?? '';
  input.placeholder = options.placeholder;
  const check = () => {
    input.validationMessage = options.validate?.(input.value);
    return !input.validationMessage;
  };
  input.onDidChangeValue(check);
  return show(input, options, () => (check() ? input.value : undefined));
}

export interface ListOptions extends StepPlace {
  placeholder: string;
  value?: readonly string[] | undefined;
  /** Says what is missing before one can go on, or nothing. */
  refuse?: ((items: readonly string[]) => string | undefined) | undefined;
}

/**
 * Texts, one after the other: Enter adds what was typed, Enter on one of them takes it back into the input to be changed,
 * a button removes it, and Enter with nothing typed goes on.
 */
export function askList(options: ListOptions): Promise<Answer<string[]>> {
  const items = [...(options.value ?? [])];
  const input = vscode.window.createQuickPick<vscode.QuickPickItem & { text?: string }>();
  const remove = { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Remove') };
  input.placeholder = options.placeholder;
  const draw = () => {
    const typed = input.value.trim();
    const onward = { label: `$(arrow-right) ${vscode.l10n.t('Go on')}`, alwaysShow: true };
    const line = (text: string) => ({ label: withoutIcons(text), buttons: [remove], alwaysShow: true, text });
    input.items =
      typed === ''
        ? [onward, ...items.map(line)]
        : [{ label: `$(add) ${withoutIcons(vscode.l10n.t('Add “{0}”', typed))}`, alwaysShow: true }];
  };
  draw();
  input.onDidChangeValue(draw);
  const takeOut = (text: string) => items.splice(items.indexOf(text), 1);
  input.onDidTriggerItemButton(({ item: { text } }) => {
    if (text !== undefined) takeOut(text);
    draw();
  });
  return show(input, options, () => {
    const typed = input.value.trim();
    const chosen = typed === '' ? input.selectedItems[0]?.text : undefined;
    if (typed !== '' && !items.includes(typed)) items.push(typed);
    if (chosen !== undefined) takeOut(chosen);
    if (typed !== '' || chosen !== undefined) {
      input.value = chosen ?? '';
      draw();
      return undefined;
    }
    const refusal = options.refuse?.(items);
    if (refusal) void vscode.window.showWarningMessage(withoutLinks(refusal));
    return refusal ? undefined : items;
  });
}

/** Shows the input and waits for an answer, the back button, or its being hidden. */
function show<T>(
  input: vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox,
  { title, step, totalSteps }: StepPlace,
  answer: () => T | undefined,
): Promise<Answer<T>> {
  input.title = title;
  input.step = step;
  input.totalSteps = totalSteps;
  input.ignoreFocusOut = true;
  if (step > 1) input.buttons = [vscode.QuickInputButtons.Back];
  return new Promise<Answer<T>>((resolve) => {
    input.onDidAccept(() => {
      const value = answer();
      if (value === undefined) return;
      resolve(value);
      input.hide();
    });
    input.onDidTriggerButton(() => {
      resolve(BACK);
      input.hide();
    });
    input.onDidHide(() => resolve(undefined));
    input.show();
  }).finally(() => input.dispose());
}
