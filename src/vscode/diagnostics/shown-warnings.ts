import * as vscode from 'vscode';
import type { FileWarning, KnowledgePart } from '../../knowledge';
import { documentUri } from '../documents';
import { keyOf } from './dismissals';
import { DIAGNOSTIC_SOURCE, severityOf } from './settings';

/** In one file: nobody reads more. Who has more has globs that name everything. */
const MAX_RULES = 50;
const MAX_DIAGNOSTICS = 500;

/** A rule as it is shown in a file. */
export interface ShownWarning {
  warning: FileWarning;
  /** Where it stands: each occurrence of MATCHES, or the file's first line. */
  places: vscode.Range[];
  /** One for each risk at each place. */
  diagnostics: vscode.Diagnostic[];
}

/** What a file shows of the rules that apply to it. */
export interface FileShows {
  shown: ShownWarning[];
  /** Says that there are more; only where there are. */
  more?: vscode.Diagnostic;
}

/**
 * Where each rule stands in a document. Rules whose MATCHES does not occur are left out.
 * @param warnings the gravest first, for the last ones may not be shown
 */
export async function placeWarnings(
  document: vscode.TextDocument,
  warnings: readonly FileWarning[],
  knowledge: KnowledgePart,
  signal: AbortSignal,
): Promise<FileShows> {
  const shown: ShownWarning[] = [];
  const text = warnings.some(({ matches }) => matches !== undefined) ? document.getText() : '';
  let left = MAX_DIAGNOSTICS;
  for (const warning of warnings) {
    if (signal.aborted) break;
    if (left <= 0 || shown.length === MAX_RULES) return { shown, more: thereAreMore(document, shown.length) };
    const places = await placesOf(warning, text, document, knowledge, signal);
    const diagnostics = places.flatMap((place) => diagnosticsOf(warning, place)).slice(0, left);
    left -= diagnostics.length;
    if (diagnostics.length > 0) shown.push({ warning, places, diagnostics });
  }
  return { shown };
}

function thereAreMore(document: vscode.TextDocument, shown: number): vscode.Diagnostic {
  const message = vscode.l10n.t(
    'Only the {0} gravest rules for this file are shown. Show Knowledge for This File has all of them.',
    shown,
  );
  const diagnostic = new vscode.Diagnostic(document.lineAt(0).range, message, vscode.DiagnosticSeverity.Information);
  diagnostic.source = DIAGNOSTIC_SOURCE;
  return diagnostic;
}

async function placesOf(
  { matches }: FileWarning,
  text: string,
  document: vscode.TextDocument,
  knowledge: KnowledgePart,
  signal: AbortSignal,
): Promise<vscode.Range[]> {
  const firstLine = document.lineAt(0).range;
  if (matches === undefined) return [firstLine];
  const { ranges, unsearched } = await knowledge.findOccurrences(text, matches, { signal });
  if (ranges.length === 0) return unsearched ? [firstLine] : [];
  return ranges.map(({ start, end }) => new vscode.Range(document.positionAt(start), document.positionAt(end)));
}

function diagnosticsOf(warning: FileWarning, place: vscode.Range): vscode.Diagnostic[] {
  const { keyword, risks } = warning;
  const target = documentUri(keyOf(warning));
  return risks.map(({ level, text }) => {
    const diagnostic = new vscode.Diagnostic(place, `${level}: ${text || keyword}`, severityOf(level));
    diagnostic.source = DIAGNOSTIC_SOURCE;
    diagnostic.code = { value: keyword, target };
    return diagnostic;
  });
}
