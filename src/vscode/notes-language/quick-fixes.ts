import * as vscode from 'vscode';
import { type NoteLink, nearIds, type Range } from '../../notes';
import type { AskingLink } from './fixing';
import { missingNote } from './missing-notes';
import { placeOf, problemsOf } from './note-diagnostics';
import { linkAt, type NoteText, type NoteTexts, rangeIn } from './note-texts';
import { allowedFor } from './problem-messages';

/** Takes the address of the note, and the link in it that leads nowhere. */
export const CREATE_NOTE = 'kaizen.createMissingNote';
/** Takes the address of the note, and the field that it lacks. */
export const ADD_FIELD = 'kaizen.addNoteField';

/** What can be done about problems of notes. */
export class NoteQuickFixes implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];

  constructor(private readonly texts: NoteTexts) {}

  async provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[] | undefined> {
    const ours = diagnostics.filter(({ source, code }) => source === 'Kaizen' && typeof code === 'string');
    if (ours.length === 0 || !vscode.workspace.isTrusted) return undefined;
    const read = await this.texts.read(document);
    if (!read) return undefined;
    const problems = await problemsOf(read);
    // Its ranges are those of the text that was read.
    if (read.version !== document.version) return undefined;
    return problems.flatMap((problem) => {
      const place = placeOf(document, problem);
      const diagnostic = ours.find((each) => each.code === problem.code && each.range.isEqual(place));
      if (!diagnostic) return [];
      const actions = new Actions(document, diagnostic);
      if (problem.code === 'broken_link') linkFixes(actions, read, problem.range?.start ?? 0);
      else if (problem.code === 'bad_value' && problem.range) {
        valueFixes(actions, problem.detail ?? '', problem.range, document.getText(place));
      } else if (problem.code === 'missing_field') fieldFix(actions, read, problem.detail ?? '');
      return actions.list;
    });
  }
}

class Actions {
  readonly list: vscode.CodeAction[] = [];

  constructor(
    readonly document: vscode.TextDocument,
    private readonly diagnostic: vscode.Diagnostic,
  ) {}

  replace(title: string, range: { start: number; end: number }, text: string, isPreferred = false): void {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(this.document.uri, rangeIn(this.document, range), text);
    this.add(title, { edit, isPreferred });
  }

  command(title: string, command: string, ...values: unknown[]): void {
    this.add(title, { command: { command, title, arguments: [this.document.uri, ...values] } });
  }

  private add(title: string, values: Partial<vscode.CodeAction>): void {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.diagnostics = [this.diagnostic];
    this.list.push(Object.assign(action, values));
  }
}

function linkFixes(actions: Actions, read: NoteText, offset: number): void {
  const link = linkAt(read, offset);
  if (!link) return;
  const missing = link.isEmbed ? undefined : missingNote(link, { file: read.file, ...read.parsed.fields });
  if (missing) {
    const { target, location, alias } = link;
    const asking: AskingLink = { target, location, alias };
    actions.command(vscode.l10n.t('Create the note "{0}"', missing.input.zettel_id), CREATE_NOTE, asking);
  }
  const near = nearIds(link.target, idsFor(read, link));
  for (const [index, id] of near.entries()) {
    actions.replace(vscode.l10n.t('Change to "{0}"', id), link.targetRange, id, index === 0);
  }
  if (link.origin === 'wikilink') {
    actions.replace(vscode.l10n.t('Make the link plain text'), link.range, link.alias ?? link.target);
  }
}

/** The ids that a link could lead to as it stands. */
function idsFor({ notes }: NoteText, { location }: NoteLink): string[] {
  const spaces = location === 'project' || location === 'user' ? [location] : (['project', 'user'] as const);
  return spaces.flatMap((space) => notes.notes(space).map(({ zettel_id }) => zettel_id));
}

/** Another value of the ones that are allowed, the nearest first. */
function valueFixes(actions: Actions, field: string, range: Range, text: string): void {
  const allowed = allowedFor(field);
  const quoted = /^(\s*["']?)(.*?)["'\s]*$/s.exec(text)!;
  const start = range.start + quoted[1]!.length;
  const place = { start, end: start + quoted[2]!.length };
  const [best] = nearIds(quoted[2]!, allowed);
  for (const each of best ? [best, ...allowed.filter((other) => other !== best)] : allowed) {
    actions.replace(vscode.l10n.t('Change to "{0}"', each), place, each, each === best);
  }
}

function fieldFix(actions: Actions, read: NoteText, field: string): void {
  const value = missingValue(read, field);
  if (value) actions.command(vscode.l10n.t('Add {0}: {1}', field, value), ADD_FIELD, field, value);
}

/** What a field that is missing would say, as far as the file tells. */
function missingValue({ file, parsed }: Pick<NoteText, 'file' | 'parsed'>, field: string): string | undefined {
  switch (field) {
    case 'zettel_id':
      return missingNote({ target: parsed.fields.zettel_id }, { file })?.input.zettel_id;
    case 'title':
      return parsed.fields.title;
    case 'entry_type':
      return missingNote({ target: file }, { file })?.input.entry_type;
    default:
      return undefined;
  }
}
