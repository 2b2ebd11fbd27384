import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import { Turns } from '../../core/turns';
import type { NoteProblem, NotesPart } from '../../notes';
import { OpenDocuments } from '../diagnostics/open-documents';
import type { Log } from '../log';
import type { NotesAtWork } from '../notes';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { areLinksKnown } from './known-links';
import { type NoteText, type NoteTexts, rangeIn } from './note-texts';
import { problemMessage, problemSeverity } from './problem-messages';

/** So many problems are shown of one file. */
const SHOWN = 100;
/** Links that are looked up before others get a turn. */
const RESOLVED_AT_ONCE = 200;
/** What only the index of all files knows, and a text on its own does not. */
const OF_THE_INDEX: ReadonlySet<NoteProblem['code']> = new Set(['duplicate_id', 'id_and_name_differ']);

export type Problem = Omit<NoteProblem, 'space' | 'file'>;

/**
 * Shows what is wrong with notes among the editor's problems: of files as the index has them, of documents that are open as
 * they are typed. Nothing is opened or indexed for it that is not at work already.
 */
export class NoteDiagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('kaizen-notes');
  private readonly documents: OpenDocuments;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    notes: NotesAtWork,
    private readonly texts: NoteTexts,
    private readonly log: Log,
  ) {
    this.documents = new OpenDocuments(this.collection, {
      isMeant: (document) => this.knowledge.isOpen && this.texts.isNote(document),
      look: (document) => this.look(document),
      failed: (error) => this.log.debug(describeError(error)),
    });
    this.disposables = [
      this.documents,
      notes.onDidChange(() => void this.show()),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (this.texts.isNote(document)) void this.show();
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  /** All that the index knows, and the open documents as they are. */
  private async show(): Promise<void> {
    if (!this.knowledge.isOpen) return;
    try {
      const { notes } = await this.knowledge.parts();
      const documents = vscode.workspace.textDocuments.filter((document) => this.texts.isNote(document));
      const open = new Set(documents.map(({ uri }) => uri.toString()));
      const byFile = new Map<string, { uri: vscode.Uri; problems: vscode.Diagnostic[] }>();
      for (const problem of areLinksKnown(notes) ? notes.problems() : []) {
        if (problem.file === undefined) continue;
        const uri = this.texts.uriOf({ space: problem.space, file: problem.file });
        const id = uri.toString();
        if (open.has(id)) continue;
        const file = byFile.get(id) ?? { uri, problems: [] };
        if (file.problems.length < SHOWN) file.problems.push(this.ofFile(notes, problem));
        byFile.set(id, file);
      }
      this.collection.forEach((uri) => {
        const id = uri.toString();
        if (!byFile.has(id) && !open.has(id)) this.collection.delete(uri);
      });
      this.collection.set([...byFile.values()].map(({ uri, problems }) => [uri, problems]));
      this.documents.planAll();
    } catch (error) {
      this.log.debug(describeError(error));
    }
  }

  private ofFile(notes: NotesPart, problem: NoteProblem): vscode.Diagnostic {
    const line = problem.line ?? 0;
    const diagnostic = diagnosticOf(problem, new vscode.Range(line, 0, line, Number.MAX_SAFE_INTEGER));
    return this.related(notes, problem, diagnostic);
  }

  private async look(document: vscode.TextDocument): Promise<vscode.Diagnostic[] | undefined> {
    const read = await this.texts.read(document);
    if (!read) return undefined;
    const { space, file } = read;
    return (await problemsOf(read)).slice(0, SHOWN).map((problem) => {
      const diagnostic = diagnosticOf(problem, placeOf(document, problem));
      return this.related(read.notes, { ...problem, space, file }, diagnostic);
    });
  }

  /** Where else an id stands. */
  private related(
    notes: NotesPart,
    { code, detail, space, file }: Pick<NoteProblem, 'code' | 'detail' | 'space' | 'file'>,
    diagnostic: vscode.Diagnostic,
  ): vscode.Diagnostic {
    if (code !== 'duplicate_id' || detail === undefined) return diagnostic;
    const id = detail.toLowerCase();
    const others = notes.notes(space).filter((note) => note.zettel_id.toLowerCase() === id && note.file !== file);
    diagnostic.relatedInformation = others.map(
      (note) =>
        new vscode.DiagnosticRelatedInformation(
          new vscode.Location(this.texts.uriOf(note), new vscode.Position(0, 0)),
          vscode.l10n.t('This note is called "{0}", too.', note.zettel_id),
        ),
    );
    return diagnostic;
  }
}

function diagnosticOf(problem: Problem, place: vscode.Range): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(place, problemMessage(problem), problemSeverity(problem.code));
  diagnostic.source = 'Kaizen';
  diagnostic.code = problem.code;
  return diagnostic;
}

/** Where a problem is marked: at its range, else at its line. */
export function placeOf(document: vscode.TextDocument, { range, line = 0 }: Problem): vscode.Range {
  return range ? rangeIn(document, range) : document.lineAt(Math.min(line, document.lineCount - 1)).range;
}

/** What is wrong with a text as it stands in the editor, links that lead nowhere with it. */
export async function problemsOf({
  notes,
  space,
  file,
  parsed,
}: Pick<NoteText, 'notes' | 'space' | 'file' | 'parsed'>): Promise<Problem[]> {
  const isCollection = notes.collections(space).some((collection) => collection.file === file);
  const own = isCollection ? [] : parsed.problems;
  if (!areLinksKnown(notes)) return [...own];
  const indexed = notes.problems().filter((problem) => problem.space === space && problem.file === file);
  const broken: Problem[] = [];
  const turns = new Turns();
  for (const [index, link] of parsed.links.entries()) {
    if (index % RESOLVED_AT_ONCE === 0) await turns.pause();
    if (notes.resolveLink({ space, file }, link).kind !== 'broken') continue;
    broken.push({
      code: 'broken_link',
      message: `No note is called "${link.target}".`,
      detail: link.target,
      range: link.targetRange,
      line: link.line,
    });
    if (broken.length === SHOWN) break;
  }
  const ofIndex = indexed.filter(({ code }) => OF_THE_INDEX.has(code) || (isCollection && code !== 'broken_link'));
  return [...own, ...ofIndex.map(({ range: _, ...problem }) => problem), ...broken].sort(
    (a, b) => (a.line ?? 0) - (b.line ?? 0),
  );
}
