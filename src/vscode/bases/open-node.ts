import * as vscode from 'vscode';
import type { KnowledgeNode } from '../../bases';
import type { KaizenParts } from '../../kaizen';

/** Opens the file of a node at its heading. Throws `unknown_node` and `outside_root` as the bases do. */
export async function openNode(
  { bases }: Pick<KaizenParts, 'bases'>,
  node: KnowledgeNode,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const file = vscode.Uri.file(await bases.locate(node.base, node.file));
  const document = await vscode.workspace.openTextDocument(file);
  const line = headingLine(document, node);
  const place = document.lineAt(line).range;
  const editor = await vscode.window.showTextDocument(document, {
    preview: true,
    ...options,
    selection: new vscode.Range(place.start, place.start),
  });
  editor.revealRange(place, vscode.TextEditorRevealType.AtTop);
}

/** Where the heading stands in the editor now: what is not saved yet may have moved it. */
function headingLine(document: vscode.TextDocument, { line, title, level }: KnowledgeNode): number {
  const last = document.lineCount - 1;
  const expected = Math.min(line, last);
  if (level === 0) return expected;
  const isThere = (at: number) => at >= 0 && at <= last && document.lineAt(at).text.includes(title);
  for (let distance = 0; distance <= last; distance += 1) {
    if (isThere(expected - distance)) return expected - distance;
    if (isThere(expected + distance)) return expected + distance;
  }
  return expected;
}
