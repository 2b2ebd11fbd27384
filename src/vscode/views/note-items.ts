import * as vscode from 'vscode';
import type { Note, RegistryHit, SpaceStatus } from '../../notes';
import { problemMessage } from '../notes-language/problem-messages';
import { highlightsIn } from './filter';
import { hintItem, moreItem } from './line-items';
import type {
  MissingNoteNode,
  NoteCategoryNode,
  NoteCollectionNode,
  NoteNode,
  NoteProblemNode,
  NoteSpaceNode,
  NotesNode,
  RegistryNoteNode,
} from './note-nodes';
import { collectionTypeName, entryTypeName, locationName, noteCount, noteIcon } from './note-words';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** A line of the view *Notes*; its tooltip comes later.
 * @param words those of the filter, which are marked in titles */
export function noteItem(node: NotesNode, words: readonly string[] = []): vscode.TreeItem {
  const item = describe(node, words);
  item.id = node.id;
  item.contextValue ??= node.kind;
  const label = typeof item.label === 'string' ? item.label : item.label?.label;
  // A screen reader would read the tooltip in place of the label otherwise.
  item.accessibilityInformation = { label: [label, item.description].filter(Boolean).join(', ') };
  return item;
}

/** What hovering over a line tells, as plain text: nothing of what files hold is followed or drawn. */
export function noteTooltip(node: NotesNode): string | undefined {
  switch (node.kind) {
    case 'noteSpace':
      return [node.status.root, ...spaceFacts(node)].join('\n');
    case 'noteCategory':
      return node.category;
    case 'note':
      return noteFacts(node.note);
    case 'noteProblem':
      return problemMessage(node.problem);
    case 'noteCollection':
      return [node.collection.name, node.collection.description].filter(Boolean).join('\n\n');
    case 'missingNote':
      return vscode.l10n.t('No note is called {0}.', node.zettel_id);
    case 'noteRegistry':
      return vscode.l10n.t('{0}. It is asked only when you search, publish or download.', node.server);
    case 'registryNote':
      return registryFacts(node.hit);
    case 'hint':
      return node.text === node.tooltip ? node.text : [node.text, node.tooltip].join('\n');
    default:
      return undefined;
  }
}

function describe(node: NotesNode, words: readonly string[]): vscode.TreeItem {
  switch (node.kind) {
    case 'noteSpace':
      return describeSpace(node);
    case 'noteCategory':
      return describeCategory(node);
    case 'note':
      return describeNote(node, words);
    case 'noteProblem':
      return describeProblem(node);
    case 'noteCollections': {
      const item = new vscode.TreeItem(vscode.l10n.t('Collections'), Collapsed);
      item.iconPath = new vscode.ThemeIcon('library');
      item.description = node.collections.toLocaleString(vscode.env.language);
      item.contextValue = `noteCollections.${node.space}`;
      return item;
    }
    case 'noteCollection':
      return describeCollection(node);
    case 'missingNote':
      return describeMissing(node);
    case 'noteRegistry': {
      const item = new vscode.TreeItem(locationName('registry'), Expanded);
      item.iconPath = new vscode.ThemeIcon('database');
      item.description = node.server;
      return item;
    }
    case 'registryNote':
      return describeRegistryNote(node);
    case 'moreNotes':
      return moreItem(node);
    case 'hint':
      return hintItem(node);
  }
}

function describeSpace(node: NoteSpaceNode): vscode.TreeItem {
  const { space, state, notes, problems } = node.status;
  const isEmpty = node.shown === undefined ? notes === 0 && problems === 0 : node.shown === 0;
  const item = new vscode.TreeItem(locationName(space), isEmpty && state !== 'indexing' ? None : Expanded);
  item.iconPath = new vscode.ThemeIcon(
    state === 'indexing' ? 'loading~spin' : space === 'project' ? 'root-folder' : 'account',
  );
  item.description = spaceFacts(node).join(' · ');
  item.contextValue = `noteSpace.${space}`;
  return item;
}

function describeCategory({ space, category, notes, filtered }: NoteCategoryNode): vscode.TreeItem {
  const item = new vscode.TreeItem(lastName(category), filtered ? Expanded : Collapsed);
  item.iconPath = new vscode.ThemeIcon('folder');
  item.description = noteCount(notes);
  item.contextValue = `noteCategory.${space}`;
  return item;
}

function describeNote(node: NoteNode, words: readonly string[]): vscode.TreeItem {
  const { note } = node;
  const isFaulty = note.problems.length > 0;
  const isMember = node.parent?.kind === 'noteCollection';
  const item = new vscode.TreeItem(
    { label: note.title, highlights: highlightsIn(note.title, words) },
    isFaulty && !isMember ? Collapsed : None,
  );
  item.iconPath = isFaulty ? warningIcon() : noteIcon(note.entry_type);
  const type = note.entry_type && entryTypeName(note.entry_type);
  item.description = [problemCount(note.problems.length), note.zettel_id, type].filter(Boolean).join(' · ');
  item.contextValue = isMember ? `note.${note.space}.member` : `note.${note.space}`;
  item.command = opening(node);
  return item;
}

function describeProblem(node: NoteProblemNode): vscode.TreeItem {
  const item = new vscode.TreeItem(problemMessage(node.problem), None);
  item.iconPath = warningIcon();
  if (node.problem.file !== undefined) item.command = opening(node);
  return item;
}

function describeCollection({ collection }: NoteCollectionNode): vscode.TreeItem {
  const item = new vscode.TreeItem(collection.name, collection.zettel_ids.length > 0 ? Collapsed : None);
  item.iconPath = new vscode.ThemeIcon('list-selection');
  const { zettel_ids, collection_type, location } = collection;
  item.description = [noteCount(zettel_ids.length), collectionTypeName(collection_type)].join(' · ');
  item.contextValue = `noteCollection.${location}`;
  return item;
}

function describeMissing({ zettel_id }: MissingNoteNode): vscode.TreeItem {
  const item = new vscode.TreeItem(zettel_id, None);
  item.iconPath = warningIcon();
  item.description = vscode.l10n.t('missing');
  return item;
}

function describeRegistryNote(node: RegistryNoteNode): vscode.TreeItem {
  const { title, zettel_id, version, entry_type } = node.hit;
  const item = new vscode.TreeItem(title, None);
  item.iconPath = noteIcon(entry_type);
  item.description = [zettel_id, version].join(' · ');
  item.command = opening(node);
  return item;
}

function opening(node: NotesNode): vscode.Command {
  return { command: 'kaizen.openNote', title: vscode.l10n.t('Open Note'), arguments: [node] };
}

function spaceFacts({ status, shown }: NoteSpaceNode): string[] {
  return [spaceText(status, shown), status.state === 'missing' ? '' : problemCount(status.problems)].filter(Boolean);
}

function spaceText({ state, notes }: SpaceStatus, shown: number | undefined): string {
  if (shown !== undefined) {
    const numbers = [shown, notes].map((count) => count.toLocaleString(vscode.env.language));
    return vscode.l10n.t('{0} of {1} notes', ...numbers);
  }
  if (state === 'indexing') return notes === 0 ? vscode.l10n.t('indexing…') : noteCount(notes);
  return notes === 0 ? vscode.l10n.t('no notes yet') : noteCount(notes);
}

function problemCount(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? vscode.l10n.t('1 problem')
    : vscode.l10n.t('{0} problems', count.toLocaleString(vscode.env.language));
}

function noteFacts(note: Note): string {
  const { title, file, problems } = note;
  return [title, [file, ...fieldFacts(note)].join('\n'), problems.map((problem) => problemMessage(problem)).join('\n')]
    .filter(Boolean)
    .join('\n\n');
}

function registryFacts(hit: RegistryHit): string {
  return [hit.title, fieldFacts(hit).join('\n'), hit.snippet].filter(Boolean).join('\n\n');
}

function fieldFacts(note: Note | RegistryHit): string[] {
  const { zettel_id, entry_type, tags, source_type, source_url, version, updated_at, created_at } = note;
  const fact = (name: string, value: string | undefined) => (value ? [`${name}: ${value}`] : []);
  return [
    ...fact(vscode.l10n.t('Id'), zettel_id),
    ...fact(vscode.l10n.t('Type'), entry_type && entryTypeName(entry_type)),
    ...fact(vscode.l10n.t('Tags'), tags.join(', ')),
    ...fact(vscode.l10n.t('Source'), [source_type, source_url].filter(Boolean).join(', ')),
    ...fact(vscode.l10n.t('Version'), version),
    ...fact(vscode.l10n.t('Changed'), updated_at ?? created_at),
  ];
}

function warningIcon(): vscode.ThemeIcon {
  return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
