import * as vscode from 'vscode';
import type { CoverageSubject } from '../../../webview-ui/protocol/coverage';
import type { DashboardTab } from '../../../webview-ui/protocol/dashboard-reports';
import type { ProjectsPart } from '../../../webview-ui/protocol/projects';
import type { RelationsSubject } from '../../../webview-ui/protocol/relations';
import type { EntryKey } from '../../knowledge';
import { documentUri } from '../documents';
import type { LearningAtWork } from '../learning';
import type { LibraryAtWork } from '../library';
import type { Log } from '../log';
import { NOTE_EDITOR, type NotesAtWork } from '../notes';
import type { NoteLanguage } from '../notes-language';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { type EditorContext, ENTRY_EDITOR, type ProjectPart } from './context';
import { SinglePage } from './single-page';

export { compareRevision } from './compare';
export { PROJECT_PARTS, type ProjectPart } from './context';

const PROJECT_PAGE = 'kaizen.project';
const DASHBOARD_PAGE = 'kaizen.dashboard';
const GRAPH_PAGE = 'kaizen.noteGraph';
const COVERAGE_PAGE = 'kaizen.coverage';
const SCORE_PAGE = 'kaizen.score';
const PROJECTS_PAGE = 'kaizen.projects';
const RELATIONS_PAGE = 'kaizen.relations';

/** Opens entries, the project, the dashboard and reports. The webviews' own code is loaded when the first one opens. */
export class Editors implements EditorContext, vscode.Disposable {
  private readonly project: SinglePage<ProjectPart>;
  private readonly dashboard: SinglePage<DashboardTab>;
  private readonly graph: SinglePage<string>;
  private readonly coverage: SinglePage<CoverageSubject>;
  private readonly score: SinglePage<string>;
  private readonly projects: SinglePage<ProjectsPart>;
  private readonly relations: SinglePage<RelationsSubject>;
  private readonly disposables: vscode.Disposable[];

  constructor(
    readonly knowledge: WorkspaceKnowledge,
    readonly notes: NotesAtWork,
    readonly library: LibraryAtWork,
    readonly learning: LearningAtWork,
    readonly language: NoteLanguage,
    readonly log: Log,
    readonly extensionUri: vscode.Uri,
    readonly memory: vscode.Memento,
  ) {
    const media = (file: string) => vscode.Uri.joinPath(extensionUri, 'media', file);
    const icon = { light: media('kaizen-light.svg'), dark: media('kaizen-dark.svg') };
    this.project = new SinglePage(
      PROJECT_PAGE,
      icon,
      () => vscode.l10n.t('Project'),
      async (panel) => (await import('./webviews')).fillProject(this, panel),
    );
    this.dashboard = new SinglePage(
      DASHBOARD_PAGE,
      icon,
      () => vscode.l10n.t('Dashboard'),
      async (panel) => (await import('./webviews')).fillDashboard(this, panel),
    );
    this.graph = new SinglePage(
      GRAPH_PAGE,
      icon,
      () => vscode.l10n.t('Graph of Notes'),
      async (panel) => (await import('./webviews')).fillGraph(this, panel),
    );
    this.coverage = new SinglePage(
      COVERAGE_PAGE,
      icon,
      () => vscode.l10n.t('Coverage of the Library'),
      async (panel) => (await import('./webviews')).fillCoverage(this, panel),
    );
    this.score = new SinglePage(
      SCORE_PAGE,
      icon,
      () => vscode.l10n.t('Score'),
      async (panel) => (await import('./webviews')).fillScore(this, panel),
    );
    this.projects = new SinglePage(
      PROJECTS_PAGE,
      icon,
      () => vscode.l10n.t('Projects'),
      async (panel) => (await import('./webviews')).fillProjects(this, panel),
    );
    this.relations = new SinglePage(
      RELATIONS_PAGE,
      icon,
      () => vscode.l10n.t('Relations'),
      async (panel) => (await import('./webviews')).fillRelations(this, panel),
    );
    this.disposables = [
      this.project,
      this.dashboard,
      this.graph,
      this.coverage,
      this.score,
      this.projects,
      this.relations,
      vscode.window.registerCustomEditorProvider(
        ENTRY_EDITOR,
        {
          resolveCustomTextEditor: async (document, panel) =>
            (await import('./webviews')).fillEntry(this, document, panel),
        },
        { supportsMultipleEditorsPerDocument: true },
      ),
      vscode.window.registerCustomEditorProvider(
        NOTE_EDITOR,
        {
          resolveCustomTextEditor: async (document, panel) =>
            (await import('./webviews')).fillNote(this, document, panel),
        },
        { supportsMultipleEditorsPerDocument: true },
      ),
    ];
  }

  async openEntry(key: EntryKey, options: { preview?: boolean } = {}): Promise<void> {
    const uri = documentUri(key);
    const setting = vscode.workspace.getConfiguration('kaizen').get<'form' | 'text'>('entries.openAs');
    if (setting === 'text') await this.openAsText(uri, options);
    else await this.openAsForm(uri, options);
  }

  async openAsForm(uri: vscode.Uri, { preview = true }: vscode.TextDocumentShowOptions = {}): Promise<void> {
    await vscode.commands.executeCommand('vscode.openWith', uri, ENTRY_EDITOR, { preview });
  }

  async openAsText(uri: vscode.Uri, options: vscode.TextDocumentShowOptions = {}): Promise<void> {
    await vscode.window.showTextDocument(uri, { preview: true, ...options });
  }

  /** Puts a past revision into the entry's document, shows that, and says what is left to do. */
  async restore(key: EntryKey, revision: number): Promise<void> {
    const { restoreRevision } = await import('./webviews');
    const where = await restoreRevision(this, key, revision);
    await this.openEntry(key, { preview: false });
    void vscode.window.showInformationMessage(
      where === 'document'
        ? vscode.l10n.t('Revision {0} is in the editor now. Save to keep it, or undo to take it back.', revision)
        : vscode.l10n.t('Restored as revision {0} had it.', revision),
    );
  }

  /** @param part what to show first */
  async openProject(part?: ProjectPart): Promise<void> {
    await this.project.open(part);
  }

  /** @param tab what is shown of it; without one, what was shown last */
  async openDashboard(tab?: DashboardTab): Promise<void> {
    await this.dashboard.open(tab);
  }

  /** @param note the address of a note that is to be shown with its neighbours */
  async openGraph(note?: string): Promise<void> {
    await this.graph.open(note);
  }

  /** @param subject what is asked about; without one, the page asks the person */
  async openCoverage(subject?: CoverageSubject): Promise<void> {
    await this.coverage.open(subject);
  }

  /** @param part the project that is shown with its details, and the form that is opened */
  async openProjects(part?: ProjectsPart): Promise<void> {
    await this.projects.open(part);
  }

  /** @param subject where the graph begins, and where a way is to lead; without one it is as it was */
  async openRelations(subject?: RelationsSubject): Promise<void> {
    await this.relations.open(subject);
  }

  /** @param artifact the address of what is explained */
  async openScore(artifact: string): Promise<void> {
    await this.score.open(artifact);
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }
}
