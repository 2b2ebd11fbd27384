import * as vscode from 'vscode';
import {
  type AnsweredProjectsRequest,
  type PlanInput,
  type ProjectsMessage,
  type ProjectsPart,
  type ProjectsRequest,
  type ProjectsView,
  projectsRequest,
} from '../../../webview-ui/protocol/projects';
import { isKaizenError, KaizenError } from '../../core/errors';
import { learningUri } from '../../core/knowledge-uri';
import type { LearningWrite, ProjectRecord } from '../../learning';
import { errorInWords } from '../in-words';
import { announceWithUndo, asksOnCompletion } from '../learning';
import { showError } from '../log';
import type { EditorContext } from './context';
import { noProjects, readProjects } from './projects-state';
import type { PageContent } from './single-page';
import { WebviewHost } from './webview-host';

/** Several changes within that time are shown as one. */
const SETTLE_MS = 60;
/** Projects of which the person did not want to say how they went, the last ones. */
const DISMISSED = 'kaizen.projects.notAsked';
const MOST_DISMISSED = 500;

const COMMANDS = {
  open: 'kaizen.openArtifact',
  explain: 'kaizen.explainScore',
  relations: 'kaizen.openRelations',
  template: 'kaizen.captureTemplate',
};

export function fillProjects(context: EditorContext, panel: vscode.WebviewPanel): PageContent<ProjectsPart> {
  return new ProjectsPage(context, panel);
}

/** What a write comes to: what is said of it, and how it is taken back. */
interface Done {
  project_id: string;
  message?: string;
  revision?: number;
}

/** The extension's side of the page of projects: says what was captured, and writes what the person changes. */
class ProjectsPage implements PageContent<ProjectsPart> {
  private readonly host: WebviewHost<typeof projectsRequest, ProjectsMessage>;
  private readonly listening: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;
  private view: ProjectsView | undefined;
  /** What is to be shown once the page is there. */
  private wanted: ProjectsPart | undefined;
  private isReady = false;
  private reading = 0;

  constructor(
    private readonly context: EditorContext,
    panel: vscode.WebviewPanel,
  ) {
    const { learning, log, extensionUri } = context;
    this.host = new WebviewHost({
      panel,
      name: 'projects',
      extensionUri,
      log,
      incoming: projectsRequest,
      onMessage: (message) => this.receive(message),
    });
    this.listening = vscode.Disposable.from(
      learning.onDidChange(() => this.refreshSoon()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.refreshSoon()),
      // A page that is hidden is gone; it asks anew when it comes back.
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.isReady = false;
      }),
    );
  }

  show(part: ProjectsPart): void {
    if (this.isReady) this.host.post({ type: 'show', part });
    else this.wanted = part;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listening.dispose();
    this.host.dispose();
  }

  private refreshSoon(): void {
    if (!this.isReady) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.refresh();
    }, SETTLE_MS);
  }

  /** Never throws: the page says why there is nothing to show. */
  private async refresh(): Promise<void> {
    const { view } = this;
    if (!view) return;
    const reading = ++this.reading;
    try {
      const state = await this.read(view);
      // Something else is looked at by now.
      if (reading === this.reading) this.host.post({ type: 'state', state });
    } catch (error) {
      this.logUnlessRefused(error);
      this.host.post({ type: 'failed', error: errorInWords(error) });
    }
  }

  private async read(view: ProjectsView) {
    const { knowledge, learning } = this.context;
    const writable = vscode.workspace.isTrusted;
    // What has no store yet has nothing to show, and must not get one in Restricted Mode.
    if (!writable && !knowledge.exists) return noProjects(view, writable);
    return readProjects(await learning.start(), view, { writable, mayAsk: (project) => this.mayAsk(project) });
  }

  private mayAsk({ id, status_history }: ProjectRecord): boolean {
    if (!asksOnCompletion() || this.dismissed().includes(id)) return false;
    return status_history.at(-1)?.author === this.context.knowledge.person;
  }

  private dismissed(): string[] {
    return this.context.memory.get<string[]>(DISMISSED, []);
  }

  /** A refusal says all there is to know; a log would add nothing. */
  private logUnlessRefused(error: unknown): void {
    if (isKaizenError(error) && !error.code.startsWith('store_')) return;
    this.context.log.error(error instanceof Error ? error : String(error));
  }

  private async receive(message: ProjectsRequest): Promise<void> {
    switch (message.type) {
      case 'ready':
      case 'look':
        this.view = message.view;
        if (message.type === 'ready') this.isReady = true;
        await this.refresh();
        if (this.wanted) this.host.post({ type: 'show', part: this.wanted });
        this.wanted = undefined;
        return;
      case 'run':
        await vscode.commands.executeCommand(COMMANDS[message.command], message.uri);
        return;
      case 'trust':
        await vscode.commands.executeCommand('workbench.trust.manage');
        return;
      case 'dismiss':
        await this.dismiss(message.project_id);
        return;
      default:
        await this.answer(message);
    }
  }

  private async dismiss(projectId: string): Promise<void> {
    const others = this.dismissed().filter((each) => each !== projectId);
    await this.context.memory.update(DISMISSED, [...others, projectId].slice(-MOST_DISMISSED));
    await this.refresh();
  }

  /** Tells the page how it went: what it shows is up to date before it learns that. */
  private async answer(message: AnsweredProjectsRequest): Promise<void> {
    const { request } = message;
    try {
      const { project_id, message: said, revision } = await this.store(message);
      await this.refresh();
      this.host.post({ type: 'answer', request, project_id });
      if (said !== undefined && revision !== undefined) this.announce(said, revision);
    } catch (error) {
      this.logUnlessRefused(error);
      await this.refresh();
      this.host.post({ type: 'answer', request, error: errorInWords(error) });
    }
  }

  private announce(message: string, revision: number): void {
    const { learning, log } = this.context;
    announceWithUndo(learning, message, revision).catch((error) => showError(log, error));
  }

  private async store(message: AnsweredProjectsRequest): Promise<Done> {
    switch (message.type) {
      case 'create': {
        const done = await this.write({ operation: 'capture_project', project: message.plan });
        return { ...done, message: vscode.l10n.t('"{0}" is planned.', done.name) };
      }
      case 'change':
        return this.change(message);
      case 'move': {
        const { project_id, transition, reason } = message;
        const done = await this.write({ operation: 'transition_project', project_id, transition, reason });
        return { ...done, message: movedText(transition, done.name) };
      }
      case 'end': {
        const { project_id, outcome } = message;
        const done = await this.write({ operation: 'capture_outcome', project_id, outcome });
        const text =
          outcome.status === 'abandoned'
            ? vscode.l10n.t('"{0}" is abandoned.', done.name)
            : vscode.l10n.t('"{0}" is completed.', done.name);
        return { ...done, message: text };
      }
      case 'saveTask':
        return this.saveTask(message);
      case 'rate':
        return this.rate(message);
      case 'remove': {
        const done = await this.write({ operation: 'delete', kind: 'project', id: message.project_id });
        return { ...done, message: vscode.l10n.t('"{0}" is deleted.', done.name) };
      }
    }
  }

  private async write(write: LearningWrite): Promise<Done & { name: string; revision: number }> {
    const change = this.context.learning.change();
    const { learning } = await this.context.learning.start();
    const { record, revision } = await learning.write(write, change);
    return { project_id: record.id, name: (record as ProjectRecord).name, revision };
  }

  private async change({
    project_id,
    base,
    plan,
  }: Extract<AnsweredProjectsRequest, { type: 'change' }>): Promise<Done> {
    const before = await this.project(project_id);
    if (before.updated_at !== base) {
      throw new KaizenError(
        'conflict',
        vscode.l10n.t('This was changed elsewhere meanwhile.'),
        vscode.l10n.t('Copy what you typed, cancel, and change it as it is now.'),
      );
    }
    const done = await this.write({ operation: 'update_project', project_id, project: plan satisfies PlanInput });
    return { ...done, message: vscode.l10n.t('"{0}" is changed.', done.name) };
  }

  /** One task; of the others nothing is said, and so they stay as they are. */
  private async saveTask(message: Extract<AnsweredProjectsRequest, { type: 'saveTask' }>): Promise<Done> {
    const { project_id, task_id, status, actual_hours } = message;
    const { tasks } = await this.project(project_id);
    if (!tasks.some(({ id }) => id === task_id)) {
      throw new KaizenError('conflict', vscode.l10n.t('This was changed elsewhere meanwhile.'));
    }
    const said = tasks.map(({ id, name }) => (id === task_id ? { name, status, actual_hours } : { name }));
    return this.write({ operation: 'update_project', project_id, project: { tasks: said } }).then(({ project_id }) => ({
      project_id,
    }));
  }

  private async rate({ project_id, rating }: Extract<AnsweredProjectsRequest, { type: 'rate' }>): Promise<Done> {
    const change = this.context.learning.change();
    const { learning } = await this.context.learning.start();
    const artifact_id = learningUri('project', project_id);
    // 1 to 5 are the ends and quarters of what a rating can be. A second click, or one in another window, says it anew.
    await learning.feedback(
      { operation: 'rate', artifact_id, artifact_type: 'project', rating: (rating - 1) / 4 },
      { ...change, instead: true },
    );
    return { project_id };
  }

  private async project(id: string): Promise<ProjectRecord> {
    const { learning } = await this.context.learning.start();
    const project = learning.get('project', id);
    if (!project) throw new KaizenError('unknown_project', vscode.l10n.t('This project is not there any more.'));
    return project;
  }
}

function movedText(transition: 'activate' | 'abandon' | 'reopen', name: string): string {
  switch (transition) {
    case 'activate':
      return vscode.l10n.t('"{0}" is active.', name);
    case 'abandon':
      return vscode.l10n.t('"{0}" is abandoned.', name);
    case 'reopen':
      return vscode.l10n.t('"{0}" is open again.', name);
  }
}
