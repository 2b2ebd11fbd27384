import * as vscode from 'vscode';

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

/** Asks one question after the other, with a way back; undefined when the person cancels. */
export async function askInSteps<State>(
  title: string,
  steps: readonly Step<State>[],
  initial: Partial<State> = {},
): Promise<State | undefined> {
  const state = { ...initial };
  for (let index = 0; index < steps.length; ) {
    const outcome = await steps[index]!(state, { title, step: index + 1, totalSteps: steps.length });
    if (outcome === 'back') index = Math.max(0, index - 1);
    else if (outcome) index++;
    else return undefined;
  }
  return state as State;
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
  if (active) input.activeItems = active;
  const { fromText } = options;
  if (fromText) {
    input.onDidChangeValue((text) => {
      const typed = text.trim();
      const known = typed === '' || options.items.some(({ label }) => label === typed);
      const own = { label: fromText.label(typed), value: fromText.value(typed), alwaysShow: true };
      input.items = known ? options.items : [...options.items, own];
    });
  }
  return show(input, options, () => input.selectedItems[0]?.value);
}

export function pickMany<T>(options: PickOptions<T>): Promise<Answer<T[]>> {
  const input = vscode.window.createQuickPick<vscode.QuickPickItem & { value: T }>();
  input.placeholder = options.placeholder;
  input.canSelectMany = true;
  input.items = options.items;
  input.selectedItems = options.items.filter(({ value }) => options.active?.(value));
  return show(input, options, () => input.selectedItems.map(({ value }) => value));
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
