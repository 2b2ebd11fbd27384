import * as vscode from 'vscode';
import { type ApplicabilityFault, parseRisks } from '../../knowledge';
import {
  DIAGNOSTIC_SOURCE,
  noteGlobs,
  onDidChangeWarningSettings,
  severityOf,
  warningsEnabled,
} from '../diagnostics/settings';
import type { Log } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { contentStart } from './content-start';
import { entryOf, revisionOf } from './uris';

/** How long a person has to pause in typing. */
const PAUSE_MS = 200;
/** UTF-16 code units. No entry can be longer, and no note is. */
const MAX_LENGTH = 1_000_000;

/** Shows the risk indicators of open entries and notes where they stand, and what is wrong with an entry's globs. */
export class RiskDiagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('kaizen');
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly log: Log,
  ) {
    const lookAtAll = () => {
      for (const document of vscode.workspace.textDocuments) this.plan(document, 0);
    };
    this.disposables = [
      this.collection,
      vscode.workspace.onDidOpenTextDocument((document) => this.plan(document, 0)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.plan(document, PAUSE_MS)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
      onDidChangeWarningSettings(lookAtAll),
    ];
    lookAtAll();
  }

  dispose(): void {
    for (const timer of this.waiting.values()) clearTimeout(timer);
    for (const disposable of this.disposables) disposable.dispose();
  }

  private plan(document: vscode.TextDocument, milliseconds: number): void {
    const { uri } = document;
    clearTimeout(this.waiting.get(uri.toString()));
    const isEntry = entryOf(uri) !== undefined;
    if (!warningsEnabled() || !(isEntry || isNote(document))) {
      this.forget(uri);
      return;
    }
    const look = async () => {
      this.waiting.delete(uri.toString());
      try {
        await this.look(document, isEntry && revisionOf(uri) === undefined);
      } catch (error) {
        this.log.warn(`Risks in ${uri.path}: ${error instanceof Error ? error.message : String(error)}`);
      }
    };
    this.waiting.set(
      uri.toString(),
      setTimeout(() => void look(), milliseconds),
    );
  }

  private forget(uri: vscode.Uri): void {
    clearTimeout(this.waiting.get(uri.toString()));
    this.waiting.delete(uri.toString());
    this.collection.delete(uri);
  }

  private async look(document: vscode.TextDocument, isEntry: boolean): Promise<void> {
    const text = document.getText();
    if (text.length > MAX_LENGTH) return;
    const { version } = document;
    const faults = isEntry ? await this.faultsIn(text) : [];
    if (document.isClosed || document.version !== version) return;
    this.collection.set(document.uri, [
      ...risksIn(document, text),
      ...faults.map((fault) => faultDiagnostic(document, fault)),
    ]);
  }

  /** What is wrong with APPLIES_TO and MATCHES as they stand in the document. */
  private async faultsIn(text: string): Promise<ApplicabilityFault[]> {
    if (!/^["']?(?:APPLIES_TO|MATCHES)\b/m.test(text.slice(0, contentStart(text)))) return [];
    const { parseEntryText } = await import('../../frontmatter');
    const { metaknowledge } = parseEntryText(text);
    const { knowledge } = await this.knowledge.parts();
    return knowledge.applicabilityFaults(metaknowledge);
  }
}

/** A Markdown file of the workspace that the setting names. */
function isNote(document: vscode.TextDocument): boolean {
  if (document.languageId !== 'markdown') return false;
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  if (!folder) return false;
  const patterns = noteGlobs(document.uri).map((glob) => ({ pattern: new vscode.RelativePattern(folder, glob) }));
  return patterns.length > 0 && vscode.languages.match(patterns, document) > 0;
}

function risksIn(document: vscode.TextDocument, text: string): vscode.Diagnostic[] {
  const from = contentStart(text);
  return parseRisks(text.slice(from)).map(({ level, text: risk, range }) => {
    const place = new vscode.Range(document.positionAt(from + range.start), document.positionAt(from + range.end));
    return diagnostic(place, `${level}: ${risk}`, severityOf(level));
  });
}

function faultDiagnostic(document: vscode.TextDocument, { key, message }: ApplicabilityFault): vscode.Diagnostic {
  const line = new RegExp(`^["']?${key}\\b.*$`, 'm').exec(document.getText());
  const start = line?.index ?? 0;
  const place = new vscode.Range(document.positionAt(start), document.positionAt(start + (line?.[0].length ?? 0)));
  return diagnostic(place, message, vscode.DiagnosticSeverity.Error);
}

function diagnostic(place: vscode.Range, message: string, severity: vscode.DiagnosticSeverity): vscode.Diagnostic {
  const result = new vscode.Diagnostic(place, message, severity);
  result.source = DIAGNOSTIC_SOURCE;
  return result;
}
