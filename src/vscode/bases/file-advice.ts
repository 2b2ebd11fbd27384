import path from 'node:path';
import * as vscode from 'vscode';
import { KNOWLEDGE_SCHEME, parseEntryUri } from '../../core/knowledge-uri';
import type { ForFile } from '../../discovery';
import type { KaizenParts } from '../../kaizen';
import type { RiskLevel } from '../../knowledge';
import { levelsOf } from '../risk-signs';

/** So much of a file's beginning says what it is about. */
const LOOKED_AT = 16_000;

/** A file of a folder in the workspace. */
export interface FollowedFile {
  uri: vscode.Uri;
  /** Relative to its folder. */
  path: string;
}

/** What an agent would get for a file, and the file's own address where it belongs to a knowledge base. */
export interface FileAdvice extends ForFile {
  own: string | undefined;
  /** Of entries among the recommendations that carry any, gravest first, by their addresses. */
  risks: ReadonlyMap<string, readonly RiskLevel[]>;
}

/** Asks the search, with the file as it is in the editor. Reads nothing of the file but its beginning. */
export async function adviceForFile(
  { bases, discovery, knowledge }: KaizenParts,
  file: FollowedFile,
): Promise<FileAdvice> {
  const found = await discovery.forFile({ path: file.path, text: await beginningOf(file.uri) });
  const [own] = bases.statuses().flatMap(({ definition }) => {
    const relative = path.relative(definition.root, file.uri.fsPath).replaceAll('\\', '/');
    return bases.file(definition.name, relative) ? [`${KNOWLEDGE_SCHEME}://${definition.name}/${relative}`] : [];
  });
  const risks = found.recommendations.flatMap(({ uri, kind }): [string, RiskLevel[]][] => {
    const key = kind === 'entry' ? parseEntryUri(uri) : undefined;
    const levels = levelsOf((key && knowledge.entry(key)?.risks) ?? []);
    return levels.length > 0 ? [[uri, levels]] : [];
  });
  return { ...found, own, risks: new Map(risks) };
}

/** A picture or a table of measurements, which is no document of the editor, says nothing about itself. */
async function beginningOf(uri: vscode.Uri): Promise<string> {
  const isOpen = (each: vscode.TextDocument) => each.uri.toString() === uri.toString();
  try {
    const document = vscode.workspace.textDocuments.find(isOpen) ?? (await vscode.workspace.openTextDocument(uri));
    return document.getText(new vscode.Range(0, 0, LOOKED_AT, 0)).slice(0, LOOKED_AT);
  } catch {
    return '';
  }
}
