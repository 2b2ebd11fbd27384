import * as vscode from 'vscode';
import { describeError, isKaizenError } from '../../core/errors';
import { checkScopeId, mayInherit, type ScopeDefinition, TIERS, type Tier } from '../../knowledge';
import type { KnowledgeNode } from '../views';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import type { CommandContext, CommandHandlers } from './command';
import { askInSteps, askText, keep, pick, pickMany, type Step } from './multi-step';

export function scopeCommands({ knowledge }: CommandContext): CommandHandlers {
  return {
    'kaizen.defineScope': (proposal?: Partial<ScopeDefinition>) => defineScope(knowledge, proposal),
    'kaizen.deleteScope': (node?: KnowledgeNode) => deleteScope(knowledge, node),
  };
}

const TIER_DETAILS: Record<Tier, string> = {
  PROJECT: 'One project; stays in this workspace',
  GROUP: 'Several projects that share rules, such as all that take payments',
  PRODUCT: 'Everything that belongs to one product',
  GENERAL: 'Everything; there is at most one such scope',
};

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
    const items = [...TIERS].reverse().map((tier) => ({ label: tier, detail: TIER_DETAILS[tier], value: tier }));
    const answer = await pick({ ...place, placeholder: 'Tier', items, active: (tier) => tier === state.tier });
    return keep(answer, (tier) => Object.assign(state, { tier }));
  };
  const askId: Step<Answers> = async (state, place) => {
    const proposed = state.tier === 'PROJECT' ? window.project : state.tier === 'GENERAL' ? 'general' : '';
    const answer = await askText({
      ...place,
      prompt: 'Scope id: letters, digits, dots, underscores and hyphens',
      value: state.scope_id ?? proposed,
      validate: (id) => {
        const taken = scopes.find(({ scope_id, tier }) => scope_id === id && tier !== state.tier);
        return taken ? `"${id}" is a ${taken.tier} scope already.` : refusalOf(() => checkScopeId(id));
      },
    });
    return keep(answer, (scope_id) => Object.assign(state, { scope_id }));
  };
  const askName: Step<Answers> = async (state, place) => {
    const existing = scopes.find(({ scope_id }) => scope_id === state.scope_id);
    const answer = await askText({ ...place, prompt: 'Name', value: state.name ?? existing?.name ?? state.scope_id });
    return keep(answer, (name) => Object.assign(state, { name: name.trim() || state.scope_id }));
  };
  const askParents: Step<Answers> = async (state, place) => {
    const existing = existingParents(state);
    const answer = await pickMany({
      ...place,
      placeholder: 'Inherits from (none, one or several)',
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
    const answer = await askText({ ...place, prompt: 'Description (optional)', value });
    return keep(answer, (description) => Object.assign(state, { description: description.trim() }));
  };

  // A proposal answers the first two questions; the person can still go back to change them in a new run.
  const first = proposal?.tier && proposal.scope_id ? [] : [askTier, askId];
  const steps = (state: Partial<Answers>) => {
    const parents = candidates(state).length > 0 ? [askParents] : [];
    return [...first, askName, ...parents, askDescription];
  };
  const answers = await askInSteps<Answers>('Define Scope', steps, proposal);
  if (!answers) return;
  const scope = await knowledge.defineScope(
    { ...answers, parents: answers.parents ?? existingParents(answers) },
    change,
  );
  void vscode.window.showInformationMessage(`Defined the ${scope.tier} scope "${scope.id}".`);
}

/** What a check says against it, in words for a person. */
function refusalOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return describeError(error);
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
    const detail = `${error.message} Its entries are deleted with it; children stay and no longer inherit from it.`;
    const choice = await vscode.window.showWarningMessage(
      `Delete the scope "${scopeId}"?`,
      { modal: true, detail },
      'Delete',
    );
    if (choice !== 'Delete') return;
    await knowledge.deleteScope(scopeId, { confirmed: true }, change);
  }
  void vscode.window.showInformationMessage(`Deleted the scope "${scopeId}".`);

  async function askWhich(): Promise<string | undefined> {
    const items = knowledge.listScopes().map(({ scope_id, tier }) => ({ label: scope_id, description: tier }));
    return (await vscode.window.showQuickPick(items, { title: 'Delete Scope', placeHolder: 'Scope' }))?.label;
  }
}
