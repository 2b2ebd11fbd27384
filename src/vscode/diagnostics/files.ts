import * as vscode from 'vscode';
import { KNOWLEDGE_SCHEME } from '../../core/knowledge-uri';

/**
 * The path of a workspace folder's file as rules name it: relative to the folder, `/` between its parts. Undefined for
 * what stands in no folder of the workspace: entries, outputs, settings, old revisions.
 */
export function pathInFolder(uri: vscode.Uri): string | undefined {
  if (uri.scheme === KNOWLEDGE_SCHEME || !vscode.workspace.getWorkspaceFolder(uri)) return undefined;
  return vscode.workspace.asRelativePath(uri, false);
}
