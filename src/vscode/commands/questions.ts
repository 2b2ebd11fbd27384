import * as vscode from 'vscode';
import type { KnowledgePart } from '../../knowledge';
import { withoutIcons } from '../messages';
import { levelsOf } from '../risk-signs';
import { askText, keep, pick, type Step } from './multi-step';
import { scopeItem } from './scope-item';

/** What the commands ask about an entry. */
export interface EntryAnswers {
  scope_id: string;
  category: string;
  keyword: string;
  content: string;
  reason: string;
  /** The person would rather change it where it has all its lines. */
  edit?: boolean;
}

const DETAIL_CHARACTERS = 120;

/** @param current the scope to begin with when none was given, the current project as a rule */
export function askScope(knowledge: KnowledgePart, current: string | undefined): Step<EntryAnswers> {
  return async (state, place) => {
    const items = knowledge.listScopes().map((scope) => ({
      ...scopeItem(scope),
      detail: scope.entry_count === 1 ? vscode.l10n.t('1 entry') : vscode.l10n.t('{0} entries', scope.entry_count),
      value: scope.scope_id,
    }));
    const wanted = state.scope_id ?? current;
    const answer = await pick({
      ...place,
      placeholder: vscode.l10n.t('Scope: where it holds'),
      items,
      active: (id) => id === wanted,
    });
    return keep(answer, (scope_id) => Object.assign(state, { scope_id }));
  };
}

export function askCategory(knowledge: KnowledgePart): Step<EntryAnswers> {
  return async (state, place) => {
    const own = new Map(knowledge.ownCategories(state.scope_id!).map((each) => [each.category, each.entries]));
    const names = new Set([...knowledge.getCategories(state.scope_id!).map(({ name }) => name)]);
    // A category that was given and is not there yet is offered as well.
    if (state.category) names.add(state.category);
    const items = [...names].map((name) => ({
      label: name,
      description: own.has(name) ? vscode.l10n.t('{0} here', own.get(name) ?? 0) : '',
      value: name,
    }));
    const answer = await pick({
      ...place,
      placeholder: vscode.l10n.t('Category, for example git.workflows: pick one or type a new one'),
      items,
      active: (name) => name === state.category,
      fromText: { label: (text) => vscode.l10n.t('New category "{0}"', text), value: (text) => text },
    });
    return keep(answer, (category) => Object.assign(state, { category }));
  };
}

/** Known keywords of one category that are offered: who wants another one types it. */
const OFFERED_KEYWORDS = 500;

export function askKeyword(knowledge: KnowledgePart): Step<EntryAnswers> {
  return async (state, place) => {
    const page = { offset: 0, limit: OFFERED_KEYWORDS };
    const items = knowledge.ownEntries(state.scope_id!, state.category!, page).map(({ keyword, content, risks }) => ({
      label: keyword,
      description: levelsOf(risks).join(', '),
      detail: withoutIcons(content.slice(0, DETAIL_CHARACTERS)),
      value: keyword,
    }));
    if (state.keyword && !items.some(({ value }) => value === state.keyword)) {
      items.unshift({ label: state.keyword, description: '', detail: '', value: state.keyword });
    }
    const answer = await pick({
      ...place,
      placeholder: vscode.l10n.t('Keyword, for example commit: type a new one or pick one'),
      items,
      active: (keyword) => keyword === state.keyword,
      fromText: { label: (text) => vscode.l10n.t('New keyword "{0}"', text), value: (text) => text },
    });
    return keep(answer, (keyword) => Object.assign(state, { keyword }));
  };
}

/**
 * Asks for one line. What has several, as given, selected in the editor or stored before, is offered whole first: an
 * input box would run its lines together.
 * @param stored what the entry holds now, where it is to be changed
 */
export function askContent(stored: (state: Partial<EntryAnswers>) => string | undefined): Step<EntryAnswers> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor ? editor.document.getText(editor.selection).trim() : '';
  return async (state, place) => {
    const offered = state.content ?? (selected || undefined);
    const before = stored(state);
    const whole = [offered, before].find((text) => text?.includes('\n'));
    if (whole !== undefined) {
      const answer = await pick<WholeText>({
        ...place,
        placeholder: vscode.l10n.t('What it is to say'),
        items: whole === offered ? keepItems(whole) : editItems(whole),
      });
      if (answer !== 'type') {
        const edit = answer === 'edit';
        return keep(answer, () => Object.assign(state, edit ? { edit } : { content: whole }));
      }
    }
    const answer = await askText({
      ...place,
      prompt: vscode.l10n.t('The rule or fact. Mark risks with WARNING:, DANGER: or LAST TIME:'),
      value: whole === undefined ? (offered ?? before) : undefined,
      placeholder: vscode.l10n.t('Include the ticket number in each commit message'),
      validate: (text) => (text.trim() === '' ? vscode.l10n.t('An entry needs content.') : undefined),
    });
    return keep(answer, (content) => Object.assign(state, { content }));
  };
}

type WholeText = 'keep' | 'edit' | 'type';
type WholeItem = vscode.QuickPickItem & { value: WholeText };

function keepItems(text: string): WholeItem[] {
  const label = vscode.l10n.t('Store these {0} lines', lineCount(text));
  return [{ label: `$(selection) ${label}`, detail: firstLine(text), value: 'keep' }, typeItem()];
}

function editItems(text: string): WholeItem[] {
  const label = vscode.l10n.t('Edit its {0} lines in the editor', lineCount(text));
  return [{ label: `$(edit) ${label}`, detail: firstLine(text), value: 'edit' }, typeItem()];
}

function typeItem(): WholeItem {
  return { label: `$(pencil) ${vscode.l10n.t('Type one line instead')}`, value: 'type' };
}

export const askReason: Step<EntryAnswers> = async (state, place) => {
  const prompt = vscode.l10n.t('Why? (optional; kept as REASON)');
  const answer = await askText({ ...place, prompt, value: state.reason });
  return keep(answer, (reason) => Object.assign(state, { reason: reason.trim() }));
};

function lineCount(text: string): number {
  return text.split('\n').length;
}

function firstLine(text: string): string {
  return withoutIcons(text.trim().split('\n', 1)[0]!.slice(0, DETAIL_CHARACTERS));
}
