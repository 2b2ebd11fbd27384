import * as vscode from 'vscode';
import { ENTRY_TYPES, type NoteProblem, RELATIONSHIP_TYPES, SOURCE_TYPES } from '../../notes';

/** What is wrong with a note, in the person's language. */
export function problemMessage({
  code,
  detail = '',
  message,
}: Pick<NoteProblem, 'code' | 'detail' | 'message'>): string {
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
    case 'bad_value': {
      const allowed = allowedFor(detail);
      return allowed.length > 0 ? vscode.l10n.t('{0} is none of these: {1}', detail, allowed.join(', ')) : message;
    }
    case 'bad_id':
    case 'front_matter':
    case 'unreadable':
    case 'too_many_files':
    case 'too_deep':
      return message;
  }
}

/** The values that a field of the front matter may have; none where anything of its kind may stand. */
export function allowedFor(field: string): readonly string[] {
  if (field.startsWith('relationships.')) return RELATIONSHIP_TYPES;
  if (field === 'entry_type') return ENTRY_TYPES;
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
