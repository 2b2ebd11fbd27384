import * as vscode from 'vscode';
import type { KnowledgePart } from '../../knowledge';
import { levelsOf } from '../risk-signs';
import { askText, keep, pick, type Step } from './multi-step';

/** What the commands ask about an entry. */
export interface EntryAnswers {
  scope_id: string;
  category: string;
  keyword: string;
  content: string;
  reason: string;
}

export function askScope(
  knowledge: KnowledgePart,
  project: string | undefined,
  { existing }: { existing: boolean },
): Step<EntryAnswers> {
  return async (state, place) => {
    const scopes = knowledge.listScopes().filter(({ entry_count }) => !existing || entry_count > 0);
    const items = scopes.map(({ scope_id, tier, name, entry_count }) => ({
      label: scope_id,
      description: name === scope_id ? tier : `${tier} · ${name}`,
      detail: `${entry_count} ${entry_count === 1 ? 'entry' : 'entries'}`,
      value: scope_id,
    }));
    const wanted = state.scope_id ?? project;
    const answer = await pick({
      ...place,
      placeholder: existing ? 'Scope' : 'Scope: where it holds',
      items,
      active: (id) => id === wanted,
    });
    return keep(answer, (scope_id) => Object.assign(state, { scope_id }));
  };
}

export function askCategory(knowledge: KnowledgePart, { existing }: { existing: boolean }): Step<EntryAnswers> {
  return async (state, place) => {
    const own = new Map(knowledge.ownCategories(state.scope_id!).map((each) => [each.category, each.entries]));
    const names = existing ? [...own.keys()] : knowledge.getCategories(state.scope_id!).map(({ name }) => name);
    const items = names.map((name) => ({
      label: name,
      description: own.has(name) ? `${own.get(name)} here` : '',
      value: name,
    }));
    const answer = await pick({
      ...place,
      placeholder: existing ? 'Category' : 'Category, for example git.workflows: pick one or type a new one',
      items,
      active: (name) => name === state.category,
      fromText: existing ? undefined : { label: (text) => `New category "${text}"`, value: (text) => text },
    });
    return keep(answer, (category) => Object.assign(state, { category }));
  };
}

export function askKeyword(knowledge: KnowledgePart, { existing }: { existing: boolean }): Step<EntryAnswers> {
  return async (state, place) => {
    const items = knowledge.ownEntries(state.scope_id!, state.category!).map(({ keyword, content, risks }) => ({
      label: keyword,
      description: levelsOf(risks).join(', '),
      detail: content.slice(0, 120),
      value: keyword,
    }));
    const answer = await pick({
      ...place,
      placeholder: existing ? 'Keyword' : 'Keyword, for example commit: type a new one or pick one',
      items,
      active: (keyword) => keyword === state.keyword,
      fromText: existing ? undefined : { label: (text) => `New keyword "${text}"`, value: (text) => text },
    });
    return keep(answer, (keyword) => Object.assign(state, { keyword }));
  };
}

/** Offers the selected text of the editor, which may have several lines, before it asks for one line. */
export function askContent(current: (state: Partial<EntryAnswers>) => string | undefined): Step<EntryAnswers> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor ? editor.document.getText(editor.selection).trim() : '';
  return async (state, place) => {
    const prompt = 'The rule or fact. Mark risks with WARNING:, DANGER: or LAST TIME:';
    const answer = await askText({
      ...place,
      prompt,
      value: state.content ?? (selected || current(state)),
      placeholder: 'Include the ticket number in each commit message',
      validate: (text) => (text.trim() === '' ? 'An entry needs content.' : undefined),
    });
    return keep(answer, (typed) => {
      // An input box shows several lines as one: what was left untouched is taken as it was.
      const untouched = [selected, current(state)].find((text) => text && oneLine(text) === oneLine(typed));
      Object.assign(state, { content: untouched ?? typed });
    });
  };
}

export const askReason: Step<EntryAnswers> = async (state, place) => {
  const answer = await askText({ ...place, prompt: 'Why? (optional; kept as REASON)', value: state.reason });
  return keep(answer, (reason) => Object.assign(state, { reason: reason.trim() }));
};

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
