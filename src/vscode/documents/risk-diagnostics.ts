import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import { type ApplicabilityFault, parseRisks } from '../../knowledge';
import { OpenDocuments } from '../diagnostics/open-documents';
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
import { entryOf, isWritableEntry } from './uris';

/** UTF-16 code units. No entry can be longer, and no note is. */
const MAX_LENGTH = 1_000_000;

/** Shows the risk indicators of open entries and notes where they stand, and what is wrong with an entry's globs. */
export function showRisks(knowledge: WorkspaceKnowledge, log: Log): vscode.Disposable {
  const documents = new OpenDocuments(vscode.languages.createDiagnosticCollection('kaizen'), {
    isMeant: (document) => warningsEnabled() && (entryOf(document.uri) !== undefined || isNote(document)),
    look: async (document) => {
      const text = document.getText();
      if (text.length > MAX_LENGTH) return undefined;
      const risks = risksIn(document, text);
      if (!isWritableEntry(document.uri)) return risks;
      const faults = await faultsIn(text, knowledge);
      return [...risks, ...faults.map((fault) => faultDiagnostic(document, fault))];
    },
    failed: (error, { uri }) => log.warn(`Risks in ${uri.path}: ${describeError(error)}`),
  });
  return vscode.Disposable.from(
    documents,
    onDidChangeWarningSettings(() => documents.planAll()),
  );
}

/** What is wrong with APPLIES_TO and MATCHES as they stand in the document. */
async function faultsIn(text: string, workspace: WorkspaceKnowledge): Promise<ApplicabilityFault[]> {
  if (!/^["']?(?:APPLIES_TO|MATCHES)\b/m.test(text.slice(0, contentStart(text)))) return [];
  const { parseEntryText } = await import('../../frontmatter');
  const { metaknowledge } = parseEntryText(text);
  const { knowledge } = await workspace.parts();
  return knowledge.applicabilityFaults(metaknowledge);
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
