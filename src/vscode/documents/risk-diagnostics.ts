import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import { type ApplicabilityFault, type LabelNotice, labelNotices, parseRisks } from '../../knowledge';
import { OpenDocuments } from '../diagnostics/open-documents';
import {
  DIAGNOSTIC_SOURCE,
  noteGlobs,
  onDidChangeWarningSettings,
  severityOf,
  warningsEnabled,
} from '../diagnostics/settings';
import { inWords } from '../in-words';
import type { Log } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { contentStart } from './content-start';
import { entryOf, isWritableEntry } from './uris';

/** UTF-16 code units. No entry can be longer, and no note is. */
const MAX_LENGTH = 1_000_000;

/** What metaknowledge begins with that may be wrong, or look like a risk: most entries need no YAML to be loaded. */
const LOOKED_AT = /^["']?(?:applies|matches|danger|warn|caution|last|risk|severity)/im;

/**
 * Shows the risk indicators of open entries and notes where they stand, what is wrong with an entry's globs, and what of
 * its metaknowledge looks like a risk and is none.
 */
export function showRisks(knowledge: WorkspaceKnowledge, log: Log): vscode.Disposable {
  const documents = new OpenDocuments(vscode.languages.createDiagnosticCollection('kaizen'), {
    isMeant: (document) => warningsEnabled() && (entryOf(document.uri) !== undefined || isNote(document)),
    look: async (document) => {
      const text = document.getText();
      if (text.length > MAX_LENGTH) return undefined;
      const risks = risksIn(document, text);
      if (!isWritableEntry(document.uri)) return risks;
      const { faults, notices } = await metaknowledgeIn(text, knowledge);
      return [
        ...risks,
        ...faults.map(({ key, message }) =>
          diagnostic(lineOf(key, document), message, vscode.DiagnosticSeverity.Error),
        ),
        ...notices.map(({ key, message }) =>
          diagnostic(lineOf(key, document), inWords(message), vscode.DiagnosticSeverity.Warning),
        ),
      ];
    },
    failed: (error, { uri }) => log.warn(`Risks in ${uri.path}: ${describeError(error)}`),
  });
  return vscode.Disposable.from(
    documents,
    onDidChangeWarningSettings(() => documents.planAll()),
  );
}

/** What is wrong with APPLIES_TO and MATCHES as they stand in the document, and with labels that look like a risk. */
async function metaknowledgeIn(
  text: string,
  workspace: WorkspaceKnowledge,
): Promise<{ faults: ApplicabilityFault[]; notices: LabelNotice[] }> {
  if (!LOOKED_AT.test(text.slice(0, contentStart(text)))) return { faults: [], notices: [] };
  const { parseEntryText } = await import('../../frontmatter');
  const { metaknowledge, content } = parseEntryText(text);
  const { knowledge } = await workspace.parts();
  return { faults: knowledge.applicabilityFaults(metaknowledge), notices: labelNotices(metaknowledge, content) };
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

/** Where the front matter says it; the document's beginning where that cannot be told. */
function lineOf(key: string, document: vscode.TextDocument): vscode.Range {
  const escaped = key.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const line = new RegExp(`^["']?${escaped}["']?[ \\t]*:.*$`, 'm').exec(document.getText());
  const start = line?.index ?? 0;
  return new vscode.Range(document.positionAt(start), document.positionAt(start + (line?.[0].length ?? 0)));
}

function diagnostic(place: vscode.Range, message: string, severity: vscode.DiagnosticSeverity): vscode.Diagnostic {
  const result = new vscode.Diagnostic(place, message, severity);
  result.source = DIAGNOSTIC_SOURCE;
  return result;
}
