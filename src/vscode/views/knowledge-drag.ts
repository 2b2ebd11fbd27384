import * as vscode from 'vscode';
import { documentUri } from '../documents';
import type { EntryNode, KnowledgeNode } from './nodes';

/** The editor's name for what is dragged from this view. */
const OWN = 'application/vnd.code.tree.kaizen.knowledge';

/** Where entries are dropped: parts that are left out stay as they are. */
interface DropTarget {
  scope_id?: string;
  category?: string;
}

/** Entries are dragged to another scope or category, or into an editor, which opens them or inserts their address. */
export class KnowledgeDrag implements vscode.TreeDragAndDropController<KnowledgeNode> {
  readonly dropMimeTypes = [OWN];
  readonly dragMimeTypes = ['text/uri-list'];

  handleDrag(source: readonly KnowledgeNode[], data: vscode.DataTransfer): void {
    const entries = source.filter((node): node is EntryNode => node.kind === 'entry');
    if (entries.length === 0) return;
    data.set(OWN, new vscode.DataTransferItem(entries));
    const uris = entries.map(({ entry }) => documentUri(entry).toString());
    data.set('text/uri-list', new vscode.DataTransferItem(uris.join('\r\n')));
  }

  async handleDrop(target: KnowledgeNode | undefined, data: vscode.DataTransfer): Promise<void> {
    const entries = data.get(OWN)?.value as EntryNode[] | undefined;
    const place = target && placeOf(target);
    if (!entries?.length || !place) return;
    await vscode.commands.executeCommand('kaizen.moveEntry', entries[0], entries, place);
  }
}

/** What dropping on a line means. In the effective view entries keep their scope. */
export function placeOf(node: KnowledgeNode): DropTarget | undefined {
  switch (node.kind) {
    case 'scope':
      return { scope_id: node.scope.scope_id };
    case 'category':
      return node.effective ? { category: node.category } : { scope_id: node.scope_id, category: node.category };
    case 'hint':
    case 'more':
    case 'entry':
      return node.parent && placeOf(node.parent);
    default:
      return undefined;
  }
}
