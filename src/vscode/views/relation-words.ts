import * as vscode from 'vscode';
import type { Provenance, RelationType } from '../../relations';
import { learnedIcon } from './learning-words';

/** What a thing is to the one that it is related to, in the person's language: `A causes B`. */
export function relationName(type: RelationType): string {
  switch (type) {
    case 'references':
      return vscode.l10n.t('references');
    case 'supersedes':
      return vscode.l10n.t('supersedes');
    case 'implements':
      return vscode.l10n.t('implements');
    case 'supports':
      return vscode.l10n.t('supports');
    case 'contradicts':
      return vscode.l10n.t('contradicts');
    case 'qualifies':
      return vscode.l10n.t('qualifies');
    case 'causes':
      return vscode.l10n.t('causes');
    case 'prevents':
      return vscode.l10n.t('prevents');
    case 'indicates':
      return vscode.l10n.t('indicates');
    case 'alternative_to':
      return vscode.l10n.t('is an alternative to');
    case 'preferred_over':
      return vscode.l10n.t('is preferred over');
    case 'extends':
      return vscode.l10n.t('extends');
    case 'depends_on':
      return vscode.l10n.t('depends on');
    case 'related':
      return vscode.l10n.t('is related to');
    case 'example_of':
      return vscode.l10n.t('is an example of');
    case 'blocked_by':
      return vscode.l10n.t('is blocked by');
  }
}

/** The other way round: what is said of a thing that others relate to. */
export function incomingRelationName(type: RelationType): string {
  switch (type) {
    case 'references':
      return vscode.l10n.t('referenced by');
    case 'supersedes':
      return vscode.l10n.t('superseded by');
    case 'implements':
      return vscode.l10n.t('implemented by');
    case 'supports':
      return vscode.l10n.t('supported by');
    case 'contradicts':
      return vscode.l10n.t('contradicted by');
    case 'qualifies':
      return vscode.l10n.t('qualified by');
    case 'causes':
      return vscode.l10n.t('caused by');
    case 'prevents':
      return vscode.l10n.t('prevented by');
    case 'indicates':
      return vscode.l10n.t('indicated by');
    case 'alternative_to':
      return vscode.l10n.t('is an alternative to');
    case 'preferred_over':
      return vscode.l10n.t('is less preferred than');
    case 'extends':
      return vscode.l10n.t('extended by');
    case 'depends_on':
      return vscode.l10n.t('needed by');
    case 'related':
      return vscode.l10n.t('is related to');
    case 'example_of':
      return vscode.l10n.t('has as an example');
    case 'blocked_by':
      return vscode.l10n.t('blocks');
  }
}

/** What is meant by it, in a sentence, for who has to choose one. */
export function relationMeaning(type: RelationType): string {
  switch (type) {
    case 'references':
      return vscode.l10n.t('It names the other one, or builds on what is written there.');
    case 'supersedes':
      return vscode.l10n.t('It is valid instead of the other one, which is out of date.');
    case 'implements':
      return vscode.l10n.t('It does what the other one demands or describes.');
    case 'supports':
      return vscode.l10n.t('It is a reason to believe the other one.');
    case 'contradicts':
      return vscode.l10n.t('Both cannot be right.');
    case 'qualifies':
      return vscode.l10n.t('It says when, or under which conditions, the other one holds.');
    case 'causes':
      return vscode.l10n.t('It has the other one happen.');
    case 'prevents':
      return vscode.l10n.t('It keeps the other one from happening.');
    case 'indicates':
      return vscode.l10n.t('Who sees it can expect the other one.');
    case 'alternative_to':
      return vscode.l10n.t('One of both is chosen.');
    case 'preferred_over':
      return vscode.l10n.t('It is the better choice of both.');
    case 'extends':
      return vscode.l10n.t('It adds to the other one.');
    case 'depends_on':
      return vscode.l10n.t('It needs the other one.');
    case 'related':
      return vscode.l10n.t('They have something to do with each other.');
    case 'example_of':
      return vscode.l10n.t('It shows the other one in a single case.');
    case 'blocked_by':
      return vscode.l10n.t('It waits until the other one is done.');
  }
}

/** How it came to be known. */
export function provenanceName(provenance: Provenance): string {
  switch (provenance) {
    case 'manual':
      return vscode.l10n.t('said by somebody');
    case 'inferred':
      return vscode.l10n.t('inferred');
    case 'extracted':
      return vscode.l10n.t('read from a text');
  }
}

/** What relations lead to: the kinds of an `End`, in the order of their shapes. */
export const END_KINDS = [
  'entry',
  'node',
  'note',
  'document',
  'chunk',
  'project',
  'template',
  'pattern',
  'decision',
  'lesson',
] as const;
export type EndKind = (typeof END_KINDS)[number];

export function endKindName(kind: EndKind): string {
  switch (kind) {
    case 'entry':
      return vscode.l10n.t('entry');
    case 'node':
      return vscode.l10n.t('node');
    case 'note':
      return vscode.l10n.t('note');
    case 'document':
      return vscode.l10n.t('document');
    case 'chunk':
      return vscode.l10n.t('passage');
    case 'project':
      return vscode.l10n.t('project');
    case 'template':
      return vscode.l10n.t('template');
    case 'pattern':
      return vscode.l10n.t('pattern');
    case 'decision':
      return vscode.l10n.t('decision');
    case 'lesson':
      return vscode.l10n.t('lesson');
  }
}

export function endKindIcon(kind: string): vscode.ThemeIcon {
  switch (kind) {
    case 'entry':
      return new vscode.ThemeIcon('symbol-key');
    case 'node':
      return new vscode.ThemeIcon('symbol-string');
    case 'note':
      return new vscode.ThemeIcon('note');
    case 'document':
      return new vscode.ThemeIcon('book');
    case 'chunk':
      return new vscode.ThemeIcon('quote');
    case 'project':
    case 'template':
    case 'pattern':
    case 'decision':
    case 'lesson':
      return learnedIcon(kind);
    default:
      return new vscode.ThemeIcon('circle-outline');
  }
}
