import * as vscode from 'vscode';
import type { LibraryHintNode } from './library-nodes';

/** What the view says above its lines for as long as the library has no sources. */
export function firstWords(): string {
  return vscode.l10n.t(
    'Have agents cite what your documents say: PDFs, Word files, web pages and Markdown, each with its source, page and section. Drop files here, or add them. Nothing is fetched that you have not named.',
  );
}

/** What can be done then: lines of the tree, since the editor takes no drop on a view that shows its welcome instead. */
export function firstSteps(): LibraryHintNode[] {
  const step = (command: string, icon: string, text: string): LibraryHintNode => ({
    kind: 'hint',
    id: `first/${command}`,
    parent: undefined,
    text,
    tooltip: text,
    icon,
    command: { command, title: text },
  });
  return [
    step('kaizen.addToLibrary', 'add', vscode.l10n.t('Add files, a folder or a web page…')),
    step('kaizen.connectLibrary', 'database', vscode.l10n.t('Use the library of your team on PostgreSQL…')),
    step('kaizen.openCoverage', 'graph', vscode.l10n.t('Show what is covered, and what is missing…')),
  ];
}
