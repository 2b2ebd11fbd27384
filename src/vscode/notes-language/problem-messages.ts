import * as vscode from 'vscode';
import { COLLECTION_TYPES, ENTRY_TYPES, type NoteProblem, RELATIONSHIP_TYPES, SOURCE_TYPES } from '../../notes';
import { faultMessage } from '../documents/fault-messages';
import { inWords } from '../in-words';

/** Characters. As `LIMITS` of the format, which YAML comes with, has them. */
const LONGEST = { title: 300, version: 100, zettel_id: 120, name: 300, description: 2_000 } as const;

/** What is wrong with a note, in the person's language. */
export function problemMessage({
  code,
  detail = '',
  message,
  fault,
}: Pick<NoteProblem, 'code' | 'detail' | 'message' | 'fault'>): string {
  switch (code) {
    case 'missing_field':
      return vscode.l10n.t('The front matter has no {0}.', detail);
    case 'broken_link':
      return vscode.l10n.t('No note is called "{0}".', detail);
    case 'duplicate_id':
      return vscode.l10n.t('Another note of this space is called "{0}", too. Links to it lead to one of them.', detail);
    case 'id_and_name_differ':
      return vscode.l10n.t('The file has another name than the note, "{0}".', detail);
    case 'not_utf8':
      return vscode.l10n.t('The file is not UTF-8. Save it with that encoding to have it read.');
    case 'too_large':
      return vscode.l10n.t('The file is too large to be a note, and is not read.');
    case 'outside_root':
      return vscode.l10n.t('The file leads out of its space, and is not read.');
    case 'bad_value':
      return valueMessage(detail) ?? inWords(message);
    case 'bad_id':
      return vscode.l10n.t(
        '"{0}" cannot be the id of a note. Ids are letters, digits, dots, hyphens and underscores, at most 120 of them, begin with a letter or a digit, and are no names that Windows keeps for itself.',
        detail,
      );
    case 'front_matter':
      return fault ? faultMessage({ code: fault, detail }) : inWords(message);
    case 'unreadable':
    case 'too_many_files':
    case 'too_deep':
      return inWords(message);
  }
}

/** What a field of the front matter has to say. */
function valueMessage(field: string): string | undefined {
  const allowed = allowedFor(field);
  if (allowed.length > 0) return vscode.l10n.t('{0} is none of these: {1}', field, allowed.join(', '));
  switch (field) {
    case 'title':
    case 'version':
    case 'zettel_id':
    case 'name':
    case 'description':
      return vscode.l10n.t('{0} is one line of text, and no longer than {1} characters.', field, LONGEST[field]);
    case 'tags':
      return vscode.l10n.t('A note has at most 50 tags, each of at most 60 characters.');
    case 'source_url':
      return vscode.l10n.t('{0} is no address that begins with http:// or https://.', field);
    case 'created_at':
    case 'updated_at':
      return vscode.l10n.t('{0} is no time as ISO 8601 has it, such as 2025-01-15T10:00:00Z.', field);
    case 'relationships':
      return vscode.l10n.t(
        '{0} has one list for each type of link, such as extends: [042-email-deliverability].',
        field,
      );
    default:
      return undefined;
  }
}

/** The values that a field of the front matter may have; none where anything of its kind may stand. */
export function allowedFor(field: string): readonly string[] {
  if (field.startsWith('relationships.')) return RELATIONSHIP_TYPES;
  if (field === 'entry_type') return ENTRY_TYPES;
  if (field === 'collection_type') return COLLECTION_TYPES;
  return field === 'source_type' ? SOURCE_TYPES : [];
}

/** What is wrong, and hides nothing of what is there, is told quietly. */
export function problemSeverity(code: NoteProblem['code']): vscode.DiagnosticSeverity {
  switch (code) {
    case 'missing_field':
    case 'id_and_name_differ':
    case 'unreadable':
    case 'too_large':
    case 'outside_root':
    case 'not_utf8':
      return vscode.DiagnosticSeverity.Information;
    case 'bad_value':
    case 'bad_id':
    case 'front_matter':
    case 'duplicate_id':
    case 'broken_link':
    case 'too_many_files':
    case 'too_deep':
      return vscode.DiagnosticSeverity.Warning;
  }
}
