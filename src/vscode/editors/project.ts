import * as vscode from 'vscode';
import {
  type AnsweredRequest,
  type ProjectMessage,
  type ProjectPart,
  type ProjectRequest,
  type ProjectState,
  projectRequest,
} from '../../../webview-ui/protocol/project';
import { isKaizenError, KaizenError } from '../../core/errors';
import { errorInWords } from '../in-words';
import { newScopeId } from '../new-scope-id';
import type { EditorContext } from './context';
import { productsOf, readFields, readProject } from './project-state';
import { pickOwnEntry } from './scope-entries';
import type { PageContent } from './single-page';
import { WebviewHost } from './webview-host';

/** Several changes within that time are shown as one. */
const SETTLE_MS = 60;

const COMMANDS = {
  setUpProject: 'kaizen.setUpProject',
  logSession: 'kaizen.logSession',
  openFolder: 'workbench.action.files.openFolder',
  trust: 'workbench.trust.manage',
};

export function fillProject(context: EditorContext, panel: vscode.WebviewPanel): PageContent<ProjectPart> {
  return new ProjectPage(context, panel);
}

/** The extension's side of the project's page: says what is stored and stores what the person changes. */
class ProjectPage implements PageContent<ProjectPart> {
  private readonly host: WebviewHost<typeof projectRequest, ProjectMessage>;
  private readonly listening: vscode.Disposable;
  /** Set while changes settle. */
  private timer: NodeJS.Timeout | undefined;
  /** What is to be in view once the page is there. */
  private wanted: ProjectPart | undefined;
  private ready = false;

  constructor(
    private readonly context: EditorContext,
    private readonly panel: vscode.WebviewPanel,
  ) {
    const { knowledge, log, extensionUri } = context;
    this.host = new WebviewHost({
      panel,
      name: 'project',
      extensionUri,
      log,
      incoming: projectRequest,
      onMessage: (message) => this.receive(message),
    });
    this.listening = vscode.Disposable.from(
      knowledge.onDidChange(() => this.refreshSoon()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.refreshSoon()),
      // A page that is hidden is gone; it asks anew when it comes back.
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.ready = false;
      }),
    );
  }

  show(part: ProjectPart): void {
    if (this.ready) this.host.post({ type: 'show', part });
    else this.wanted = part;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listening.dispose();
    this.host.dispose();
  }

  private refreshSoon(): void {
    if (!this.ready) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.refresh();
    }, SETTLE_MS);
  }

  /** Never throws: the page says why there is nothing to show. */
  private async refresh(): Promise<void> {
    try {
      const state = await this.read();
      if (this.host.isDisposed) return;
      const name = state.project?.texts.name;
      this.panel.title = name ? vscode.l10n.t('Project: {0}', name) : vscode.l10n.t('Project');
      this.host.post({ type: 'state', state });
    } catch (error) {
      this.logUnlessRefused(error);
      this.host.post({ type: 'failed', error: errorInWords(error) });
    }
  }

  /** A refusal says all there is to know; a log would add nothing. */
  private logUnlessRefused(error: unknown): void {
    if (isKaizenError(error) && !error.code.startsWith('store_')) return;
    this.context.log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  private async read(): Promise<ProjectState> {
    const { knowledge } = this.context;
    const project_id = knowledge.project ?? null;
    const state = { project_id, writable: vscode.workspace.isTrusted, project: null };
    // What has no store yet has nothing to show, and must not get one in Restricted Mode.
    if (project_id === null || (!state.writable && !knowledge.exists)) return state;
    return { ...state, project: await readProject(await knowledge.parts(), project_id) };
  }

  private async receive(message: ProjectRequest): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.ready = true;
        await this.refresh();
        if (this.wanted) this.host.post({ type: 'show', part: this.wanted });
        this.wanted = undefined;
        return;
      case 'openScope':
        await this.openScope(message.scope_id);
        return;
      case 'run':
        await vscode.commands.executeCommand(COMMANDS[message.command]);
        return;
      default:
        await this.answer(message);
    }
  }

  private async openScope(scopeId: string): Promise<void> {
    const { knowledge } = await this.context.knowledge.parts();
    const entry = await pickOwnEntry(knowledge, scopeId);
    if (entry) await this.context.openEntry(entry, { preview: false });
  }

  /** Tells the page how it went: what it shows is up to date before it learns that. */
  private async answer(message: AnsweredRequest): Promise<void> {
    const { request } = message;
    try {
      await this.store(message);
      await this.refresh();
      this.host.post({ type: 'answer', request });
    } catch (error) {
      this.logUnlessRefused(error);
      await this.refresh();
      const conflict = error instanceof ChangedMeanwhile;
      this.host.post({ type: 'answer', request, error: errorInWords(error), ...(conflict ? { conflict } : {}) });
    }
  }

  private async store(message: AnsweredRequest): Promise<void> {
    const change = this.context.knowledge.change();
    const { knowledge, continuity } = await this.context.knowledge.parts();
    const { project_id } = message;
    if (project_id !== this.context.knowledge.project) throw new ChangedMeanwhile();
    switch (message.type) {
      case 'saveText':
      case 'saveList':
        return this.storeField(message);
      case 'addParent': {
        const ids = knowledge.listScopes().map((scope) => scope.scope_id);
        const scope_id = newScopeId(message.name, message.tier, ids);
        if (ids.includes(scope_id)) {
          throw new KaizenError(
            'conflict',
            vscode.l10n.t('There is a scope "{0}" already.', scope_id),
            vscode.l10n.t('Choose another name.'),
          );
        }
        // Found now and not by the domain afterwards, when the new scope would stay without a child.
        const [product] = productsOf(knowledge, project_id);
        if (message.tier === 'PRODUCT' && product) {
          throw new KaizenError(
            'conflict',
            vscode.l10n.t('The project inherits from the product "{0}" already; there can be one only.', product),
            vscode.l10n.t('Leave that one out first.'),
          );
        }
        await knowledge.defineScope({ scope_id, tier: message.tier, name: message.name }, change);
        const parents = [...knowledge.scope(project_id).parents, scope_id];
        await knowledge.defineScope({ scope_id: project_id, tier: 'PROJECT', parents }, change);
        return;
      }
      case 'saveTask': {
        const { name, state, status, blocker } = message;
        const task = { name, domain: message.domain ?? undefined, state, status, blocker };
        return continuity.updateProgress({ project_id, tasks: [task] }, change);
      }
      case 'removeTask':
        return this.removeTask(message);
    }
  }

  private async storeField(message: Extract<AnsweredRequest, { base: unknown }>): Promise<void> {
    const change = this.context.knowledge.change();
    const parts = await this.context.knowledge.parts();
    const { project_id } = message;
    const { texts, lists } = readFields(parts, project_id);
    const stored = message.type === 'saveText' ? texts[message.field] : lists[message.field];
    if (JSON.stringify(stored) !== JSON.stringify(message.base)) throw new ChangedMeanwhile();
    const changed = { [message.field]: message.value };
    switch (message.field) {
      case 'name':
      case 'description':
      case 'parents':
        await parts.knowledge.defineScope({ scope_id: project_id, tier: 'PROJECT', ...changed }, change);
        return;
      case 'overall_progress':
      case 'current_sprint':
        return parts.continuity.updateProgress({ project_id, ...changed }, change);
      default:
        return parts.continuity.storeProjectOverview({ project_id, ...changed }, change);
    }
  }

  private async removeTask({
    project_id,
    name,
    domain,
  }: Extract<AnsweredRequest, { type: 'removeTask' }>): Promise<void> {
    const remove = vscode.l10n.t('Remove');
    const choice = await vscode.window.showWarningMessage(
      vscode.l10n.t('Remove the task "{0}"?', name),
      { modal: true, detail: vscode.l10n.t('It is taken off the board for good. Sessions keep naming it.') },
      remove,
    );
    if (choice !== remove) return;
    const { continuity } = await this.context.knowledge.parts();
    await continuity.removeTask(project_id, { name, domain }, this.context.knowledge.change());
  }
}

/** Somebody else stored something while the person was typing. */
class ChangedMeanwhile extends KaizenError {
  constructor() {
    super('conflict', vscode.l10n.t('This was changed elsewhere meanwhile.'));
  }
}
