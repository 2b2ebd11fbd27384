import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import { libraryUri, parseLibraryUri } from '../../core/knowledge-uri';
import type { KaizenParts } from '../../kaizen';
import { learnedIn, libraryDocumentOf } from '../documents';
import { thumbOf } from '../learning';
import { artifactGiven, artifactInFront } from './artifact-given';
import type { CommandContext } from './command';

const KEY = 'kaizen.ratingInFront';
/** The cursor moves with each key. */
const PAUSE_MS = 150;
/** The editor's own preview of Markdown says which file it shows in its title alone. */
const PREVIEW = /markdown\.preview$/;
const RECORD_FILE = /(?:^|\s)((?:proj|tmpl|pat|dec|less)-[\p{L}\p{N}_-]+)\.md$/u;

/**
 * The address of what a command was given or, without anything, of what is in front: of a stored text of the library the
 * passage in which the cursor is, of a preview the record that it shows.
 */
export async function artifactToRate(
  context: CommandContext,
  parts: KaizenParts,
  given?: unknown,
): Promise<string | undefined> {
  // What the editor passes for its title is the document, not the place in it.
  const isInFront = given === undefined || given instanceof vscode.Uri;
  if (!isInFront) return artifactGiven(parts, given);
  const artifact = artifactInFront(context, parts, given) ?? previewed(parts);
  const place = artifact === undefined ? undefined : parseLibraryUri(artifact);
  if (!place || place.chunk !== undefined) return artifact;
  const editor = vscode.window.activeTextEditor;
  if (!editor || libraryDocumentOf(editor.document.uri) !== place.document_id) return artifact;
  const offset = editor.document.offsetAt(editor.selection.active);
  const library = await context.library.start();
  const around = (await library.chunks(place.document_id)).filter(
    ({ char_start, char_end }) => char_start <= offset && offset < char_end,
  );
  const passage = around.sort((a, b) => b.char_start - a.char_start)[0];
  return passage ? libraryUri(place.document_id, passage.id) : artifact;
}

/** Keeps the thumbs in the title of what is in front as they are: which of them this person gave. */
export class RatingInFront implements vscode.Disposable {
  private told: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isDisposed = false;
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly context: CommandContext) {
    const soon = () => this.lookSoon();
    this.disposables = [
      vscode.window.tabGroups.onDidChangeTabs(soon),
      vscode.window.tabGroups.onDidChangeTabGroups(soon),
      vscode.window.onDidChangeActiveTextEditor(soon),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (libraryDocumentOf(textEditor.document.uri) !== undefined) soon();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(soon),
      context.learning.onDidChange(soon),
    ];
    soon();
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    for (const disposable of this.disposables) disposable.dispose();
  }

  private lookSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), PAUSE_MS);
  }

  private async look(): Promise<void> {
    const state = await this.state().catch((error: unknown) => {
      this.context.log.warn(describeError(error));
      return undefined;
    });
    if (this.isDisposed || state === this.told) return;
    this.told = state;
    await vscode.commands.executeCommand('setContext', KEY, state);
  }

  /** Opens no store for what was not read from one. */
  private async state(): Promise<'none' | 'helpful' | 'not_helpful' | undefined> {
    if (!vscode.workspace.isTrusted || !isInFront()) return undefined;
    const parts = await this.context.learning.start();
    const artifact = await artifactToRate(this.context, parts);
    if (artifact === undefined) return undefined;
    return thumbOf(this.context.learning, parts, artifact) ?? 'none';
  }
}

/** Whether a document of the library or a captured record is in front, as text or as its preview. */
function isInFront(): boolean {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (!(input instanceof vscode.TabInputText)) return previewedId() !== undefined;
  return libraryDocumentOf(input.uri) !== undefined || learnedIn(input.uri) !== undefined;
}

function previewed({ learning }: KaizenParts): string | undefined {
  const id = previewedId();
  return id === undefined ? undefined : learning.find(id)?.uri;
}

function previewedId(): string | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  if (!(tab?.input instanceof vscode.TabInputWebview) || !PREVIEW.test(tab.input.viewType)) return undefined;
  return RECORD_FILE.exec(tab.label)?.[1];
}
