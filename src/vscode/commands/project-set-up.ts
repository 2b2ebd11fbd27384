import * as vscode from 'vscode';
import { withoutLinks } from '../messages';
import type { CommandContext } from './command';
import { requireFolder } from './current-project';
import { askInSteps } from './multi-step';
import { type SetUpAnswers, SetUpQuestions } from './set-up-questions';

/** Defines the project and what it inherits from, question by question; one that exists is edited. */
export async function setUpProject({ knowledge: window, editors }: CommandContext): Promise<void> {
  const proposed = await requireFolder(window);
  if (!proposed) return;
  window.change(); // Says so right away where nothing can be written.
  const { knowledge, continuity } = await window.parts();
  const scopes = knowledge.listScopes();
  const existing = scopes.find(({ scope_id, tier }) => scope_id === proposed && tier === 'PROJECT');
  const overview = existing && continuity.projectOverview(proposed);
  const asking = new SetUpQuestions(knowledge, scopes, proposed, existing, {
    purpose: overview?.purpose ?? '',
    phase: overview?.current_phase ?? '',
  });
  const answers = await askInSteps<SetUpAnswers>(vscode.l10n.t('Set Up Project'), (state) => asking.steps(state));
  if (!answers) return;

  // What agents, the status bar and the page take for the current project goes by this setting.
  if (answers.id !== proposed) {
    await vscode.workspace
      .getConfiguration('kaizen')
      .update('project', answers.id, vscode.ConfigurationTarget.Workspace);
  }
  await store(window, answers);
  const openProject = vscode.l10n.t('Open Project');
  const storeKnowledge = vscode.l10n.t('Store Knowledge');
  const choice = await vscode.window.showInformationMessage(
    withoutLinks(vscode.l10n.t('The project "{0}" is set up.', answers.name)),
    openProject,
    storeKnowledge,
  );
  if (choice === openProject) editors.openProject();
  else if (choice === storeKnowledge) await vscode.commands.executeCommand('kaizen.storeKnowledge');
}

async function store(window: CommandContext['knowledge'], answers: SetUpAnswers): Promise<void> {
  const change = window.change();
  // Asked for anew: another id has opened the stores anew.
  const { knowledge, continuity } = await window.parts();
  const scopes = knowledge.listScopes();
  if (!scopes.some(({ tier }) => tier === 'GENERAL')) {
    await knowledge.defineScope({ scope_id: 'general', tier: 'GENERAL', name: 'General' }, change);
  }
  const { id, name, description, product, purpose, phase } = answers;
  if (product?.isNew) {
    await knowledge.defineScope({ scope_id: product.id, tier: 'PRODUCT', name: product.name }, change);
  }
  for (const group of answers.newGroups) {
    await knowledge.defineScope({ scope_id: group.id, tier: 'GROUP', name: group.name }, change);
  }
  const parents = [...(product ? [product.id] : []), ...answers.groups, ...answers.newGroups.map((group) => group.id)];
  await knowledge.defineScope({ scope_id: id, tier: 'PROJECT', name, description, parents }, change);
  await continuity.storeProjectOverview({ project_id: id, purpose, current_phase: phase }, change);
}
