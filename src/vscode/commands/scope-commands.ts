import * as vscode from 'vscode';
import { isKaizenError } from '../../core/errors';
import { checkScopeId, mayInherit, type ScopeDefinition, TIERS, type Tier } from '../../knowledge';
import { errorInWords, inWords } from '../in-words';
import { withoutLinks } from '../messages';
import type { KnowledgeNode } from '../views';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import type { CommandContext, CommandHandlers } from './command';
import { isRecord } from './given';
import { askInSteps, askText, keep, pick, pickMany, type Step } from './multi-step';

export function scopeCommands({ knowledge }: CommandContext): CommandHandlers {
  return {
    'kaizen.defineScope': (given?: unknown) => defineScope(knowledge, proposalOf(given)),
    'kaizen.deleteScope': (node?: KnowledgeNode) => deleteScope(knowledge, node),
    'kaizen.describeCategory': (node?: KnowledgeNode) => describeCategory(knowledge, node),
  };
}

/** A line of the view stands for the scope that it shows: that one is then edited. Others name an id and a tier. */
function proposalOf(given: unknown): Partial<ScopeDefinition> | undefined {
  if (!isRecord(given)) return undefined;
  const { scope_id, tier } = given.kind === 'scope' && isRecord(given.scope) ? given.scope : given;
  const known = TIERS.find((each) => each === tier);
  return typeof scope_id === 'string' && known ? { scope_id, tier: known } : undefined;
}

function tierDetail(tier: Tier): string {
  switch (tier) {
    case 'PROJECT':
      return vscode.l10n.t('One project; stays in this workspace');
    case 'GROUP':
      return vscode.l10n.t('Several projects that share rules, such as all that take payments');
    case 'PRODUCT':
      return vscode.l10n.t('Everything that belongs to one product');
    case 'GENERAL':
      return vscode.l10n.t('Everything; there is at most one such scope');
  }
}

interface Answers extends ScopeDefinition {
  name: string;
  description: string;
  parents: string[];
}

async function defineScope(window: WorkspaceKnowledge, proposal?: Partial<ScopeDefinition>): Promise<void> {
  const change = window.change();
  const { knowledge } = await window.parts();
  const scopes = knowledge.listScopes();

  // GENERAL stands above everything without being named.
  const candidates = ({ tier }: Partial<Answers>) =>
    scopes.filter((scope) => tier && scope.tier !== 'GENERAL' && mayInherit(tier, scope.tier));
  const existingParents = (state: Partial<Answers>) =>
    scopes.find(({ scope_id }) => scope_id === state.scope_id)?.parents ?? [];

  const askTier: Step<Answers> = async (state, place) => {
    const items = [...TIERS].reverse().map((tier) => ({ label: tier, detail: tierDetail(tier), value: tier }));
    const answer = await pick({
      ...place,
      placeholder: vscode.l10n.t('Tier'),
      items,
      active: (tier) => tier === state.tier,
    });
    return keep(answer, (tier) => Object.assign(state, { tier }));
  };
  const askId: Step<Answers> = async (state, place) => {
    const proposed = state.tier === 'PROJECT' ? window.project : state.tier === 'GENERAL' ? 'general' : '';
    const answer = await askText({
      ...place,
      prompt: vscode.l10n.t('Scope id: letters, digits, dots, underscores and hyphens'),
      value: state.scope_id ?? proposed,
      validate: (id) => {
        const taken = scopes.find(({ scope_id, tier }) => scope_id === id && tier !== state.tier);
        return taken
          ? vscode.l10n.t('"{0}" is a {1} scope already.', id, taken.tier)
          : refusalOf(() => checkScopeId(id));
      },
    });
    return keep(answer, (scope_id) => Object.assign(state, { scope_id }));
  };
  const askName: Step<Answers> = async (state, place) => {
    const existing = scopes.find(({ scope_id }) => scope_id === state.scope_id);
    const answer = await askText({
      ...place,
      prompt: vscode.l10n.t('Name'),
      value: state.name ?? existing?.name ?? state.scope_id,
    });
    return keep(answer, (name) => Object.assign(state, { name: name.trim() || state.scope_id }));
  };
  const askParents: Step<Answers> = async (state, place) => {
    const existing = existingParents(state);
    const answer = await pickMany({
      ...place,
      placeholder: vscode.l10n.t('Inherits from (none, one or several)'),
      items: candidates(state).map(({ scope_id, tier, name }) => ({
        label: scope_id,
        description: `${tier} · ${name}`,
        value: scope_id,
      })),
      active: (id) => (state.parents ?? existing).includes(id),
    });
    return keep(answer, (parents) => Object.assign(state, { parents }));
  };
  const askDescription: Step<Answers> = async (state, place) => {
    const existing = scopes.find(({ scope_id }) => scope_id === state.scope_id);
    const value = state.description ?? existing?.description ?? '';
    const answer = await askText({ ...place, prompt: vscode.l10n.t('Description (optional)'), value });
    return keep(answer, (description) => Object.assign(state, { description: description.trim() }));
  };

  // A proposal answers the first two questions; the person can still go back to change them in a new run.
  const first = proposal?.tier && proposal.scope_id ? [] : [askTier, askId];
  const steps = (state: Partial<Answers>) => {
    const parents = candidates(state).length > 0 ? [askParents] : [];
    return [...first, askName, ...parents, askDescription];
  };
  const answers = await askInSteps<Answers>(vscode.l10n.t('Define Scope'), steps, proposal);
  if (!answers) return;
  const scope = await knowledge.defineScope(
    { ...answers, parents: answers.parents ?? existingParents(answers) },
    change,
  );
  void vscode.window.showInformationMessage(vscode.l10n.t('Defined the {0} scope "{1}".', scope.tier, scope.id));
}

/** What a check says against it, in words for a person. */
function refusalOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return errorInWords(error);
  }
}

async function deleteScope(window: WorkspaceKnowledge, node?: KnowledgeNode): Promise<void> {
  const change = window.change();
  const { knowledge } = await window.parts();
  const scopeId = node?.kind === 'scope' ? node.scope.scope_id : await askWhich();
  if (!scopeId) return;
  try {
    await knowledge.deleteScope(scopeId, { confirmed: false }, change);
  } catch (error) {
    if (!isKaizenError(error) || error.code !== 'confirmation_required') throw error;
    const detail = vscode.l10n.t(
      '{0} Its entries are deleted with it; children stay and no longer inherit from it.',
      inWords(error.said[0] ?? error.message),
    );
    const remove = vscode.l10n.t('Delete');
    const choice = await vscode.window.showWarningMessage(
      vscode.l10n.t('Delete the scope "{0}"?', scopeId),
      { modal: true, detail },
      remove,
    );
    if (choice !== remove) return;
    await knowledge.deleteScope(scopeId, { confirmed: true }, change);
  }
  void vscode.window.showInformationMessage(vscode.l10n.t('Deleted the scope "{0}".', scopeId));

  async function askWhich(): Promise<string | undefined> {
    const items = knowledge.listScopes().map(({ scope_id, tier }) => ({ label: scope_id, description: tier }));
    const title = vscode.l10n.t('Delete Scope');
    return (await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Scope') }))?.label;
  }
}

interface CategoryAnswers {
  scope_id: string;
  category: string;
  description: string;
}

/** Says what a category of a scope is about; agents read it when they look for categories. */
async function describeCategory(window: WorkspaceKnowledge, node?: KnowledgeNode): Promise<void> {
  const change = window.change();
  const { knowledge } = await window.parts();
  const given = node?.kind === 'category' ? { scope_id: node.scope_id, category: node.category } : undefined;
  const scopes = knowledge.listScopes().filter(({ entry_count }) => entry_count > 0);
  if (scopes.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There are no categories yet: store an entry first.'));
    return;
  }
  const askScope: Step<CategoryAnswers> = async (state, place) => {
    const items = scopes.map(({ scope_id, tier, name }) => ({
      label: name,
      description: `${tier} · ${scope_id}`,
      value: scope_id,
    }));
    const wanted = state.scope_id ?? window.project;
    const placeholder = vscode.l10n.t('Scope');
    const answer = await pick({ ...place, placeholder, items, active: (id) => id === wanted });
    return keep(answer, (scope_id) => Object.assign(state, { scope_id }));
  };
  const askCategory: Step<CategoryAnswers> = async (state, place) => {
    const items = knowledge
      .ownCategories(state.scope_id!)
      .map(({ category }) => ({ label: category, description: described(state.scope_id!, category), value: category }));
    const placeholder = vscode.l10n.t('Category');
    const answer = await pick({ ...place, placeholder, items, active: (each) => each === state.category });
    return keep(answer, (category) => Object.assign(state, { category }));
  };
  const askDescription: Step<CategoryAnswers> = async (state, place) => {
    const { scope_id = '', category = '' } = state;
    const answer = await askText({
      ...place,
      prompt: vscode.l10n.t('What "{0}" is about, in one sentence; empty removes it', category),
      value: state.description ?? described(scope_id, category),
    });
    return keep(answer, (description) => Object.assign(state, { description: description.trim() }));
  };
  const steps = given ? [askDescription] : [askScope, askCategory, askDescription];
  const answers = await askInSteps<CategoryAnswers>(vscode.l10n.t('Describe Category'), steps, given);
  if (!answers) return;
  await knowledge.describeCategory(answers.scope_id, answers.category, answers.description, change);
  void vscode.window.showInformationMessage(
    answers.description === ''
      ? vscode.l10n.t('Removed the description of "{0}".', withoutLinks(answers.category))
      : vscode.l10n.t('Described "{0}".', withoutLinks(answers.category)),
  );

  function described(scopeId: string, category: string): string {
    return knowledge.getCategories(scopeId).find(({ name }) => name === category)?.description ?? '';
  }
}
