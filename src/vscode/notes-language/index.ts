import * as vscode from 'vscode';
import { type Log, showError } from '../log';
import type { NotesAtWork } from '../notes';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { COMPLETION_TRIGGERS, NoteCompletion } from './completion';
import { type AskingLink, NoteFixing } from './fixing';
import { NoteHover } from './hover';
import { NoteNavigation } from './navigation';
import { NoteDiagnostics } from './note-diagnostics';
import { NoteTexts } from './note-texts';
import { ADD_FIELD, CREATE_NOTE, NoteQuickFixes } from './quick-fixes';
import { followFileRenames, NoteRename } from './rename';

export { knownTags, noteChoices, sectionChoices } from './completion-list';
export { problemsOf } from './note-diagnostics';
export type { DocumentText } from './note-texts';
export { problemMessage, problemSeverity } from './problem-messages';

/** Notes are files; those that are compared or shown of the past have other schemes. */
const NOTES: vscode.DocumentSelector = { language: 'markdown', scheme: 'file' };

/**
 * What the editor knows of the text of a note: completion, previews, where links lead and come from, renaming, problems
 * with their fixes. Nothing is opened, and no file read, for Markdown that lies in no space.
 */
export class NoteLanguage implements vscode.Disposable {
  readonly texts: NoteTexts;
  readonly fixing: NoteFixing;
  private readonly registration: vscode.Disposable;

  constructor(knowledge: WorkspaceKnowledge, notes: NotesAtWork, log: Log) {
    const texts = new NoteTexts(notes, log);
    this.texts = texts;
    const navigation = new NoteNavigation(texts);
    this.fixing = new NoteFixing(knowledge, texts);
    const attempt = (work: () => Promise<unknown>) => work().catch((error) => showError(log, error));
    const { languages, commands } = vscode;
    this.registration = vscode.Disposable.from(
      languages.registerCompletionItemProvider(NOTES, new NoteCompletion(texts), ...COMPLETION_TRIGGERS),
      languages.registerHoverProvider(NOTES, new NoteHover(texts)),
      languages.registerDefinitionProvider(NOTES, navigation),
      languages.registerDocumentLinkProvider(NOTES, navigation),
      languages.registerReferenceProvider(NOTES, navigation),
      languages.registerRenameProvider(NOTES, new NoteRename(texts, log)),
      languages.registerCodeActionsProvider(NOTES, new NoteQuickFixes(texts), {
        providedCodeActionKinds: NoteQuickFixes.kinds,
      }),
      followFileRenames(texts, notes, log),
      new NoteDiagnostics(knowledge, notes, texts, log),
      // Quick fixes run them; nobody else needs a name for them.
      commands.registerCommand(CREATE_NOTE, (uri: vscode.Uri, link: AskingLink) =>
        attempt(async () => {
          const made = await this.fixing.createMissing(uri, link);
          if (made) await vscode.window.showTextDocument(made, { preview: false });
        }),
      ),
      commands.registerCommand(ADD_FIELD, (uri: vscode.Uri, field: string, value: string) =>
        attempt(() => this.fixing.addField(uri, field, value)),
      ),
    );
  }

  dispose(): void {
    this.registration.dispose();
  }
}
