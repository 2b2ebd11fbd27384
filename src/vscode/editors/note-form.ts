import * as vscode from 'vscode';
import { type NoteMessage, type NoteRequest, noteRequest, type Problem } from '../../../webview-ui/protocol/note';
import type { RatingRequest } from '../../../webview-ui/protocol/rating';
import { spliceBetween } from '../../../webview-ui/protocol/text-splices';
import { describeError } from '../../core/errors';
import { type Note, type NoteLink, type NotesPart, noteFormat, type Space } from '../../notes';
import { errorInWords } from '../in-words';
import { openNoteFile } from '../notes';
import {
  type DocumentText,
  noteChoices,
  problemMessage,
  problemSeverity,
  problemsOf,
  sectionChoices,
} from '../notes-language';
import type { EditorContext } from './context';
import { type Answer, DocumentForm } from './document-form';
import { contentOf, editsFor, formFields, formLink, type NoteValues } from './note-edits';
import { fieldOf, linkEnds, passagesOf } from './note-passages';
import { surroundingsOf, unknownSurroundings } from './note-surroundings';
import { doRating, ratingOf } from './rating';

/** More than a person looks through while typing. */
const SHOWN_COMPLETIONS = 50;
const SHOWN_PROBLEMS = 50;

const COMMANDS: Readonly<Record<Extract<NoteRequest, { type: 'run' }>['command'], string>> = {
  rename: 'kaizen.renameNote',
  move: 'kaizen.moveNote',
  publish: 'kaizen.publishNote',
  graph: 'kaizen.openNoteGraph',
  copyReference: 'kaizen.copyNoteReference',
  addToCollection: 'kaizen.addToCollection',
  changes: 'kaizen.showNoteChanges',
};
/** What these change is the file: what is typed has to be in it. */
const OF_THE_FILE = new Set(['rename', 'move', 'publish', 'addToCollection']);

/** The form of a note: what its front matter says, its text, and what stands around it. */
export class NoteForm extends DocumentForm<typeof noteRequest, NoteMessage> {
  /** What the page has of the text, so that it is not sent again. */
  private known: string | undefined;
  /** Whether something was edited here since the document was saved. */
  private isTouched = false;
  private showing: Promise<void> = Promise.resolve();

  constructor(
    context: EditorContext,
    document: vscode.TextDocument,
    panel: vscode.WebviewPanel,
    private readonly place: { space: Space; file: string },
  ) {
    super({ context, document, panel, name: 'note', incoming: noteRequest });
    this.disposables.push(
      context.notes.onDidChange(() => {
        this.showDocument();
        this.follow();
      }),
      context.learning.onDidChange(() => this.follow()),
    );
  }

  protected async receive(message: NoteRequest): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        this.known = undefined;
        this.showDocument();
        return this.showSurroundings();
      case 'edit':
        return this.change(message.version, message);
      case 'undo':
      case 'redo':
        return this.undoOrRedo(message.type);
      case 'flushed':
        return this.hasFlushed();
      case 'openAsText':
        return this.openAsText(message.offset);
      case 'run':
        return this.run(message.command);
      case 'openLink':
        return this.openLink(message.target);
      case 'openFile':
        return this.openFile(message);
      case 'create':
        return this.create(message.target);
      case 'complete':
        return this.complete(message.number, message.typed, message.section);
      case 'rate':
      case 'takeBackRating':
      case 'explainScore':
        return this.rate(message);
    }
  }

  /** What is asked for while something is being read is shown once that was, so that the page is told in order. */
  protected override showDocument(answer?: Answer): void {
    this.showing = this.showing.then(async () => {
      try {
        await this.show(await this.read(), answer);
      } catch (error) {
        this.context.log.warn(describeError(error));
      }
    });
  }

  protected override async showSurroundings(): Promise<void> {
    const readOnly = !this.isWritable();
    const { atWork } = this.context.notes;
    // The person reads and writes while the stores are being opened, and where they cannot be.
    if (!atWork) this.post(unknownSurroundings(this.place, { readOnly }));
    try {
      const { notes } = await this.context.notes.start();
      this.post(surroundingsOf(notes, this.place, { readOnly }));
      if (notes !== atWork) this.showDocument();
      await this.showRating();
    } catch (error) {
      this.context.log.warn(describeError(error));
      this.post(unknownSurroundings(this.place, { readOnly, problem: errorInWords(error) }));
    }
  }

  private change(version: number, values: NoteValues): Promise<void> {
    this.known = values.content ?? this.known;
    this.isTouched = true;
    return this.edit(version, async () => {
      const { text, parsed } = await this.read();
      const { editFrontMatter } = await noteFormat();
      return editsFor(text, parsed, values, editFrontMatter);
    });
  }

  /** What is saved says when it was changed, if it says so at all. */
  protected override async flush(): Promise<void> {
    await super.flush();
    if (!this.isTouched || !this.document.isDirty) return;
    this.isTouched = false;
    await this.amend(async () => {
      const { text, parsed } = await this.read();
      if (parsed.fields.updated_at === undefined || !isReadable(parsed)) return [];
      const { editFrontMatter, noteTime } = await noteFormat();
      const splice = spliceBetween(text, editFrontMatter(text, { updated_at: noteTime(Date.now()) }));
      return splice ? [splice] : [];
    });
  }

  /** As the document is, whether the notes are at work or not, and whatever the settings say by now. */
  private read(): Promise<DocumentText> {
    return this.context.language.texts.parseAt(this.document, this.place);
  }

  private async show(read: DocumentText, answer: Answer | undefined): Promise<void> {
    const { text, parsed } = read;
    const content = contentOf(text, parsed);
    const { zettel_id, created_at, updated_at, version } = parsed.fields;
    const links = parsed.links.filter(({ origin }) => origin === 'front_matter');
    const { atWork } = this.context.notes;
    const endOf = linkEnds(atWork, read);
    const problems = atWork ? await problemsOf({ ...read, notes: atWork }) : parsed.problems;
    if (!this.isReady) return;
    this.post({
      type: 'document',
      version: read.version,
      ...(answer && { answer }),
      ...(content !== this.known && { content }),
      fields: formFields(parsed),
      zettel_id,
      ...(created_at !== undefined && { created_at }),
      ...(updated_at !== undefined && { updated_at }),
      ...(version !== undefined && { note_version: version }),
      isReadable: isReadable(parsed),
      passages: passagesOf(read, endOf, text.length - text.slice(parsed.bodyStart).trimStart().length),
      problems: shownProblems(read, problems),
      ends: links.map(endOf),
    });
    this.known = content;
  }

  private async showRating(): Promise<void> {
    const { learning, log } = this.context;
    try {
      const parts = await learning.start();
      const { uri } = this.noteIn(parts.notes) ?? {};
      this.post({ type: 'rating', ...(uri !== undefined && { rating: ratingOf(learning, parts, uri) }) });
    } catch (error) {
      // What was shown of the note itself stays.
      log.warn(describeError(error));
    }
  }

  private async rate(message: RatingRequest): Promise<void> {
    const { notes } = await this.context.notes.start();
    const note = this.noteIn(notes);
    if (note) await doRating(note.uri, message);
  }

  /** Undefined as long as it is not known. */
  private noteIn(notes: NotesPart): Note | undefined {
    return notes.notes(this.place.space).find(({ file }) => file === this.place.file);
  }

  private async run(command: keyof typeof COMMANDS): Promise<void> {
    if (OF_THE_FILE.has(command)) {
      await this.flush();
      if (this.document.isDirty && !(await this.document.save())) return;
      const { notes } = await this.context.notes.start();
      notes.touched(this.document.uri.fsPath);
      await notes.rescan();
    }
    await vscode.commands.executeCommand(COMMANDS[command], this.document.uri);
  }

  private async openFile({ space, file }: { space: Space; file: string }): Promise<void> {
    const { notes } = await this.context.notes.start();
    const known = [...notes.notes(space), ...notes.collections(space)];
    if (known.some((each) => each.file === file))
      await openNoteFile(this.context.language.texts.uriOf({ space, file }));
  }

  private async openLink(target: string): Promise<void> {
    const read = await this.context.language.texts.read(this.document);
    const link = read && findLink(read, target);
    const found = link && read.notes.resolveLink(read, link);
    const { texts } = this.context.language;
    if (found?.kind === 'note') await openNoteFile(texts.uriOf(found.note));
    else if (found?.kind === 'file') await vscode.commands.executeCommand('vscode.open', texts.uriOf(found));
    else if (
      found?.kind === 'collection' &&
      found.collection.file !== undefined &&
      found.collection.location !== 'registry'
    ) {
      await openNoteFile(texts.uriOf({ space: found.collection.location, file: found.collection.file }));
    } else if (found?.kind === 'registry')
      await vscode.commands.executeCommand('kaizen.searchRegistry', found.zettel_id);
  }

  private async create(target: string): Promise<void> {
    await this.edits;
    const link = findLink(await this.read(), target);
    const { fixing } = this.context.language;
    const made = link && (await fixing.createMissing(this.document.uri, link));
    if (made) await openNoteFile(made, { preview: false });
  }

  private async complete(number: number, typed: string, section: boolean): Promise<void> {
    const read = await this.read();
    const { atWork } = this.context.notes;
    const found = atWork
      ? section
        ? sectionChoices(atWork, read, typed, read.parsed.headings)
        : notesFor(atWork, read, typed)
      : [];
    const items = found
      .slice(0, SHOWN_COMPLETIONS)
      .map(({ text, label, description = '' }) => ({ text, label, description }));
    this.post({ type: 'completions', number, items });
  }
}

function notesFor(notes: NotesPart, read: DocumentText, typed: string) {
  const [, prefix, word] = /^(?:(project|user|registry):\s*)?(.*)$/s.exec(typed)!;
  const choices = noteChoices(notes, read, word!, prefix);
  return prefix === undefined ? choices : choices.map((choice) => ({ ...choice, text: `${prefix}:${choice.text}` }));
}

/** Whether the front matter can be read, and so be edited. */
function isReadable({ problems }: DocumentText['parsed']): boolean {
  return !problems.some(({ code }) => code === 'front_matter');
}

function shownProblems(read: DocumentText, problems: DocumentText['parsed']['problems']): Problem[] {
  return problems.slice(0, SHOWN_PROBLEMS).map((problem) => ({
    message: problemMessage(problem),
    line: (problem.line ?? 0) + 1,
    offset: problem.range?.start ?? 0,
    isGrave: problemSeverity(problem.code) <= vscode.DiagnosticSeverity.Warning,
    ...(problem.code === 'broken_link' ? brokenAt(read, problem.range?.start) : fieldOf(problem)),
  }));
}

/** The link that leads nowhere, as the page names it when it asks for the note. */
function brokenAt({ parsed }: DocumentText, start: number | undefined): { broken?: string } {
  const link = parsed.links.find(({ targetRange }) => targetRange.start === start);
  return link ? { broken: formLink(link).target } : {};
}

function findLink({ parsed }: DocumentText, target: string): NoteLink | undefined {
  return parsed.links.find((link) => formLink(link).target === target);
}
