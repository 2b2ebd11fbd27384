import * as vscode from 'vscode';
import type { CollectionType, EntryType, Location, NoteWrite, RelationshipType } from '../../notes';

/** What notes are made of, in the person's language: for every place that shows it. */

export function entryTypeName(type: EntryType): string {
  switch (type) {
    case 'api_fact':
      return vscode.l10n.t('API fact');
    case 'pattern':
      return vscode.l10n.t('pattern');
    case 'concept':
      return vscode.l10n.t('concept');
    case 'learning':
      return vscode.l10n.t('learning');
    case 'experiment':
      return vscode.l10n.t('experiment');
    case 'reference':
      return vscode.l10n.t('reference');
    case 'template':
      return vscode.l10n.t('template');
    case 'workflow':
      return vscode.l10n.t('workflow');
  }
}

const TYPE_ICON: Readonly<Record<EntryType, string>> = {
  api_fact: 'plug',
  pattern: 'symbol-structure',
  concept: 'lightbulb',
  learning: 'mortar-board',
  experiment: 'beaker',
  reference: 'references',
  template: 'file-code',
  workflow: 'list-ordered',
};

/** Icons tell types apart; words say the same. */
export function noteIcon(type: EntryType | undefined): vscode.ThemeIcon {
  return new vscode.ThemeIcon(type ? TYPE_ICON[type] : 'note');
}

export function locationName(location: Location): string {
  switch (location) {
    case 'project':
      return vscode.l10n.t('Project');
    case 'user':
      return vscode.l10n.t('User');
    case 'registry':
      return vscode.l10n.t('Registry');
  }
}

export function relationshipName(type: RelationshipType): string {
  switch (type) {
    case 'references':
      return vscode.l10n.t('references');
    case 'contradicts':
      return vscode.l10n.t('contradicts');
    case 'extends':
      return vscode.l10n.t('extends');
    case 'implements':
      return vscode.l10n.t('implements');
    case 'supersedes':
      return vscode.l10n.t('supersedes');
    case 'depends_on':
      return vscode.l10n.t('depends on');
    case 'related':
      return vscode.l10n.t('is related to');
    case 'example_of':
      return vscode.l10n.t('is an example of');
  }
}

export function collectionTypeName(type: CollectionType): string {
  switch (type) {
    case 'topic':
      return vscode.l10n.t('topic');
    case 'project':
      return vscode.l10n.t('project');
    case 'learning_path':
      return vscode.l10n.t('learning path');
    case 'reference':
      return vscode.l10n.t('reference');
    case 'archive':
      return vscode.l10n.t('archive');
  }
}

export function noteCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 note') : vscode.l10n.t('{0} notes', count.toLocaleString(vscode.env.language));
}

/** What a write is about, on one line: the note, or the collection's name. */
export function subjectOfWrite(write: NoteWrite): string {
  switch (write.action) {
    case 'create':
      return write.input.zettel_id;
    case 'create_collection':
      return write.input.name;
    case 'link':
    case 'unlink':
      return write.from_zettel_id;
    case 'update_collection':
    case 'delete_collection':
      return write.id;
    default:
      return write.zettel_id;
  }
}

/** Who wants what of a note. */
export function proposedInWords(write: NoteWrite, author: string): string {
  switch (write.action) {
    case 'create':
      return vscode.l10n.t('create the note, by {0}', author);
    case 'update':
      return vscode.l10n.t('change the note, by {0}', author);
    case 'delete':
      return vscode.l10n.t('delete the note, by {0}', author);
    case 'rename':
      return vscode.l10n.t('rename the note to {0}, by {1}', write.new_zettel_id, author);
    case 'publish':
      return vscode.l10n.t('publish the note, by {0}', author);
    case 'download':
      return vscode.l10n.t('download the note, by {0}', author);
    case 'link':
      return vscode.l10n.t('link to {0} ({1}), by {2}', write.to_zettel_id, write.relationship_type, author);
    case 'unlink':
      return vscode.l10n.t('unlink from {0} ({1}), by {2}', write.to_zettel_id, write.relationship_type, author);
    case 'create_collection':
      return vscode.l10n.t('make the collection, by {0}', author);
    case 'update_collection':
      return vscode.l10n.t('change the collection, by {0}', author);
    case 'delete_collection':
      return vscode.l10n.t('delete the collection, by {0}', author);
  }
}
