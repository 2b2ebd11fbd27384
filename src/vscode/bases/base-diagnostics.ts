import path from 'node:path';
import * as vscode from 'vscode';
import type { BaseProblem } from '../../bases';
import { describeError } from '../../core/errors';
import { inWords } from '../in-words';
import type { Log } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import type { BasesAtWork } from './bases-at-work';

/** So many problems are shown of one file. */
const SHOWN = 100;

/** Shows what is wrong with files of the knowledge bases among the editor's problems. */
export class BaseDiagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('kaizen-bases');
  private readonly listener: vscode.Disposable;

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    bases: BasesAtWork,
    private readonly log: Log,
  ) {
    this.listener = bases.onDidChange(() => void this.show());
  }

  dispose(): void {
    this.listener.dispose();
    this.collection.dispose();
  }

  private async show(): Promise<void> {
    // Nothing is opened to say what may be wrong with it.
    if (!this.knowledge.isOpen) return;
    try {
      const { bases } = await this.knowledge.parts();
      const roots = new Map(bases.statuses().map(({ definition }) => [definition.name, definition.root]));
      const byFile = new Map<string, vscode.Diagnostic[]>();
      for (const problem of bases.problems()) {
        const root = roots.get(problem.base);
        if (root === undefined || problem.file === undefined) continue;
        const file = path.join(root, problem.file);
        const shown = byFile.get(file) ?? [];
        if (shown.length < SHOWN) byFile.set(file, [...shown, diagnosticOf(problem)]);
      }
      this.collection.clear();
      this.collection.set([...byFile].map(([file, diagnostics]) => [vscode.Uri.file(file), diagnostics]));
    } catch (error) {
      this.log.debug(describeError(error));
    }
  }
}

function diagnosticOf({ line = 0, message, code }: BaseProblem): vscode.Diagnostic {
  const place = new vscode.Range(line, 0, line, Number.MAX_SAFE_INTEGER);
  const isLost = code === 'unreadable' || code === 'too_large' || code === 'outside_root' || code === 'not_utf8';
  const severity = isLost ? vscode.DiagnosticSeverity.Information : vscode.DiagnosticSeverity.Warning;
  const diagnostic = new vscode.Diagnostic(place, inWords(message), severity);
  diagnostic.source = 'Kaizen';
  diagnostic.code = code;
  return diagnostic;
}
