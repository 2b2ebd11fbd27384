import * as vscode from 'vscode';
import { type EntryKey, entriesTopic, type FileWarning, SCOPES_TOPIC, scopeOfRules } from '../../knowledge';
import type { Log } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { Dismissals, keyOf } from './dismissals';
import { pathInFolder } from './files';
import { onDidChangeWarningSettings, warningsEnabled } from './settings';
import { type FileShows, placeWarnings, type ShownWarning } from './shown-warnings';
import { registerWarningActions } from './warning-actions';
import { registerWarningHover } from './warning-hover';

/** How long a person has to pause in typing, and how long changes of the knowledge are gathered. */
const PAUSE_MS = 200;

/** So many rules are looked at for a file, the gravest first, beside those that the person does not want to see. */
const MAX_LOOKED_AT = 500;

/** Shows rules with a risk in the open files that they apply to. */
export class FileWarnings implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('kaizen-files');
  private readonly dismissals: Dismissals;
  /** By the address of the document. */
  private readonly shown = new Map<string, ShownWarning[]>();
  /** Looks that are planned or under way, by the address of the document. */
  private readonly looks = new Map<string, AbortController>();
  private refreshing: NodeJS.Timeout | undefined;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly log: Log,
    state: vscode.Memento,
  ) {
    this.dismissals = new Dismissals(state);
    this.disposables = [
      this.collection,
      vscode.workspace.onDidOpenTextDocument((document) => this.plan(document, 0)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.plan(document, PAUSE_MS);
      }),
      vscode.workspace.onDidSaveTextDocument((document) => this.plan(document, 0)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.refresh()),
      knowledge.onDidChange((topics) => {
        if (concernsRules(topics)) this.refresh();
      }),
      onDidChangeWarningSettings(() => this.refresh()),
      registerWarningHover(this, knowledge),
      registerWarningActions(this),
    ];
    this.refresh();
  }

  /** What a document shows now. */
  shownIn(uri: vscode.Uri): readonly ShownWarning[] {
    return this.shown.get(uri.toString()) ?? [];
  }

  /** Keeps a rule's warnings back, in all files, until its entry changes. */
  async acknowledge(warning: FileWarning): Promise<void> {
    await this.prune();
    await this.dismissals.acknowledge(keyOf(warning), warning.revision);
    this.refresh();
  }

  /** Keeps a rule's warnings back in one file. */
  async mute(warning: FileWarning, file: vscode.Uri): Promise<void> {
    await this.prune();
    await this.dismissals.mute(keyOf(warning), file);
    this.refresh();
  }

  /** Takes an acknowledgement back, or with `file` a rule's being muted there. */
  async takeBack(key: EntryKey, file?: vscode.Uri): Promise<void> {
    await this.dismissals.takeBack(key, file);
    this.refresh();
  }

  /** Shows everything again that was acknowledged or muted in this workspace; gives how many that were. */
  async showAgain(): Promise<number> {
    const count = await this.dismissals.clear();
    this.refresh();
    return count;
  }

  dispose(): void {
    clearTimeout(this.refreshing);
    for (const look of this.looks.values()) look.abort();
    for (const disposable of this.disposables) disposable.dispose();
  }

  /** Looks at all open documents again: changes that come together are gathered. */
  private refresh(): void {
    this.refreshing ??= setTimeout(() => {
      this.refreshing = undefined;
      for (const document of vscode.workspace.textDocuments) this.plan(document, 0);
    }, PAUSE_MS);
  }

  private plan(document: vscode.TextDocument, milliseconds: number): void {
    const id = document.uri.toString();
    this.looks.get(id)?.abort();
    this.looks.delete(id);
    const path = pathInFolder(document.uri);
    if (path === undefined || !warningsEnabled()) {
      this.show(document.uri, { shown: [] });
      return;
    }
    const look = new AbortController();
    this.looks.set(id, look);
    const run = async () => {
      if (look.signal.aborted) return;
      try {
        const shown = await this.look(document, path, look.signal);
        if (!look.signal.aborted && !document.isClosed) this.show(document.uri, shown);
      } catch (error) {
        this.log.warn(`Warnings for ${path}: ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        if (this.looks.get(id) === look) this.looks.delete(id);
      }
    };
    setTimeout(() => void run(), milliseconds);
  }

  private async look(document: vscode.TextDocument, path: string, signal: AbortSignal): Promise<FileShows> {
    // Where nothing was stored yet, opening a file is no reason to begin.
    if (!this.knowledge.exists) return { shown: [] };
    const { knowledge } = await this.knowledge.parts();
    const scope = scopeOfRules(knowledge, this.knowledge.project);
    if (scope === undefined) return { shown: [] };
    await knowledge.prepareWarnings(scope);
    if (signal.aborted || document.isClosed) return { shown: [] };
    const warnings = knowledge
      .warningsFor(scope, path, MAX_LOOKED_AT + this.dismissals.size)
      .filter((warning) => !this.dismissals.isDismissed(warning, document.uri));
    return warnings.length === 0 ? { shown: [] } : placeWarnings(document, warnings, knowledge, signal);
  }

  private show(uri: vscode.Uri, { shown, more }: FileShows): void {
    const id = uri.toString();
    if (shown.length === 0) {
      if (!this.shown.delete(id)) return;
      this.collection.delete(uri);
      return;
    }
    this.shown.set(id, shown);
    const diagnostics = shown.flatMap((each) => each.diagnostics);
    this.collection.set(uri, more ? [...diagnostics, more] : diagnostics);
  }

  private forget(uri: vscode.Uri): void {
    this.looks.get(uri.toString())?.abort();
    this.looks.delete(uri.toString());
    this.show(uri, { shown: [] });
  }

  private async prune(): Promise<void> {
    const { knowledge } = await this.knowledge.parts();
    const scopes = new Set(knowledge.listScopes().map(({ scope_id }) => scope_id));
    await this.dismissals.prune((key) => scopes.has(key.scope_id) && knowledge.entry(key) !== undefined);
  }
}

/** Counts, sessions and proposals change no rule. */
function concernsRules(topics: ReadonlySet<string>): boolean {
  const entries = entriesTopic('');
  return [...topics].some((topic) => topic === '*' || topic === SCOPES_TOPIC || topic.startsWith(entries));
}
