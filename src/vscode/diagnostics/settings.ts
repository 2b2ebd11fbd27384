import * as vscode from 'vscode';
import type { RiskLevel } from '../../knowledge';

/** Stands before the message of every problem that Kaizen shows. */
export const DIAGNOSTIC_SOURCE = 'Kaizen';

const SECTION = 'kaizen.warnings';

/** Whether risks are shown among the problems at all. */
export function warningsEnabled(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get('enabled', true);
}

/** How a risk is shown among the problems. DANGER is an error only where the person has it so. */
export function severityOf(level: RiskLevel): vscode.DiagnosticSeverity {
  switch (level) {
    case 'DANGER':
      return vscode.workspace.getConfiguration(SECTION).get('dangerSeverity') === 'error'
        ? vscode.DiagnosticSeverity.Error
        : vscode.DiagnosticSeverity.Warning;
    case 'WARNING':
      return vscode.DiagnosticSeverity.Warning;
    case 'LAST TIME':
      return vscode.DiagnosticSeverity.Information;
  }
}

/** Globs of the notes in which risk indicators are shown, relative to the folder of `uri`. */
export function noteGlobs(uri: vscode.Uri): string[] {
  const globs: unknown = vscode.workspace.getConfiguration(SECTION, uri).get('notes');
  return Array.isArray(globs) ? globs.filter((glob) => typeof glob === 'string' && glob !== '') : [];
}

export function onDidChangeWarningSettings(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SECTION)) listener();
  });
}
