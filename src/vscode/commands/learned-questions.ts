import * as vscode from 'vscode';
import { type LearningPart, VISIBILITIES, type Visibility } from '../../learning';
import { withoutIcons } from '../messages';
import { projectStatusName, visibilityName } from '../views';
import { askList, askText, keep, pick, type Step } from './multi-step';

/** What is asked about captured records of every kind, and how texts and lists of them are. */

const LONGEST_NAME = 200;
/** Stands for a line break in an input, which has one line. */
const LINE_BREAK = ' ⏎ ';

/** The names of those answers that are texts. */
type TextsOf<State> = { [K in keyof State & string]: State[K] extends string | undefined ? K : never }[keyof State &
  string];
type ListsOf<State> = { [K in keyof State & string]: State[K] extends readonly string[] ? K : never }[keyof State &
  string];

export interface TextQuestion {
  prompt: string;
  placeholder?: string;
  /** What is said where it is empty; it may be empty without. */
  missing?: string;
  /** A name: shorter, and without line breaks. */
  isName?: boolean;
}

/** @param proposed what is in the input at first where nothing was answered yet */
export function askFor<State>(
  name: TextsOf<State>,
  { prompt, placeholder, missing, isName = false }: TextQuestion,
  proposed?: (state: Partial<State>) => string | undefined,
): Step<State> {
  return async (state, place) => {
    const value = (state[name] as string | undefined) ?? proposed?.(state) ?? '';
    const hasLines = value.includes('\n');
    const answer = await askText({
      ...place,
      prompt: hasLines ? vscode.l10n.t('{0} ⏎ stands for a line break.', prompt) : prompt,
      value: value.replace(/\r?\n/g, LINE_BREAK),
      ...(placeholder ? { placeholder } : {}),
      validate: (text) => {
        if (missing && text.trim() === '') return missing;
        return isName && text.trim().length > LONGEST_NAME
          ? vscode.l10n.t('That is longer than {0} characters.', LONGEST_NAME)
          : undefined;
      },
    });
    return keep(answer, (text) => {
      const lines = hasLines ? text.split(LINE_BREAK.trim()).map((line) => line.replace(/^ | $/g, '')) : [text];
      Object.assign(state as object, { [name]: lines.join('\n').trim() });
    });
  };
}

export function askListFor<State>(
  name: ListsOf<State>,
  { placeholder, missing }: { placeholder: string; missing?: string },
): Step<State> {
  return async (state, place) => {
    const answer = await askList({
      ...place,
      placeholder,
      value: state[name] as readonly string[] | undefined,
      refuse: (items) => (items.length === 0 ? missing : undefined),
    });
    return keep(answer, (items) => Object.assign(state as object, { [name]: items }));
  };
}

/** One of a few words. */
export function askOneOf<State, T extends string>(
  name: keyof State & string,
  placeholder: string,
  values: readonly T[],
  nameOf: (value: T) => string,
  usual: T,
): Step<State> {
  return async (state, place) => {
    const wanted = (state[name] as T | undefined) ?? usual;
    const answer = await pick<T>({
      ...place,
      placeholder,
      items: values.map((value) => ({ label: nameOf(value), value })),
      active: (value) => value === wanted,
    });
    return keep(answer, (value) => Object.assign(state as object, { [name]: value }));
  };
}

export function askVisibility<State extends { visibility: Visibility }>(): Step<State> {
  const placeholder = vscode.l10n.t('Who sees it');
  return askOneOf<State, Visibility>('visibility', placeholder, VISIBILITIES, visibilityName, 'personal');
}

/** Where something holds: a project of which it is known, a domain, or everywhere. */
export interface AppliesTo {
  project_id?: string;
  domain?: string;
}

/** @param given what holds already, when something is changed: it may stay */
export function askAppliesTo<State extends { appliesTo: AppliesTo }>(
  learning: LearningPart,
  given?: AppliesTo,
): Step<State> {
  return async (state, place) => {
    const wanted = state.appliesTo ?? given;
    const projects = learning.list('project');
    const domains = new Set(
      [...projects, ...learning.list('lesson'), ...learning.list('decision')].flatMap(({ domain }) => domain ?? []),
    );
    if (given?.domain) domains.add(given.domain);
    const everywhere = given
      ? { label: vscode.l10n.t('As it is'), value: {} }
      : { label: vscode.l10n.t('Everything'), value: {} };
    const answer = await pick<AppliesTo>({
      ...place,
      placeholder: vscode.l10n.t('What it applies to: choose a project or a domain, or type a domain'),
      items: [
        everywhere,
        ...projects.map(({ id, name, status }) => ({
          label: withoutIcons(name),
          description: vscode.l10n.t('project, {0}', projectStatusName(status)),
          value: { project_id: id },
        })),
        ...[...domains].sort().map((domain) => ({
          label: withoutIcons(domain),
          description: vscode.l10n.t('domain'),
          value: { domain },
        })),
      ],
      active: ({ project_id, domain }) =>
        wanted?.project_id ? project_id === wanted.project_id : domain !== undefined && domain === wanted?.domain,
      fromText: {
        label: (text) => vscode.l10n.t('The domain “{0}”', text),
        value: (text) => ({ domain: text }),
      },
    });
    return keep(answer, (appliesTo) => Object.assign(state, { appliesTo }));
  };
}
