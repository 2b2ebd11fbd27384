import * as vscode from 'vscode';
import type { RelationshipType } from '../../notes';

/** What is said of a note that others relate to, in the person's language: the other way round than `relationshipName`. */
export function incomingName(type: RelationshipType): string {
  switch (type) {
    case 'references':
      return vscode.l10n.t('referenced by');
    case 'contradicts':
      return vscode.l10n.t('contradicted by');
    case 'extends':
      return vscode.l10n.t('extended by');
    case 'implements':
      return vscode.l10n.t('implemented by');
    case 'supersedes':
      return vscode.l10n.t('superseded by');
    case 'depends_on':
      return vscode.l10n.t('needed by');
    case 'related':
      return vscode.l10n.t('is related to');
    case 'example_of':
      return vscode.l10n.t('has as an example');
  }
}
