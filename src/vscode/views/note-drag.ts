import * as vscode from 'vscode';
import { placeOfNode } from './note-branches';
import type { NoteNode, NotesNode } from './note-nodes';

/** The editor's name for what is dragged from this view. */
const OWN = 'application/vnd.code.tree.kaizen.notes';

/** Notes are dragged to another category or space, where they are moved, or onto a collection, which takes them in. */
export class NoteDrag implements vscode.TreeDragAndDropController<NotesNode> {
  readonly dropMimeTypes = [OWN];
  readonly dragMimeTypes = [OWN];

  handleDrag(source: readonly NotesNode[], data: vscode.DataTransfer): void {
    const notes = source.filter((node): node is NoteNode => node.kind === 'note');
    if (notes.length > 0) data.set(OWN, new vscode.DataTransferItem(notes));
  }

  async handleDrop(target: NotesNode | undefined, data: vscode.DataTransfer): Promise<void> {
    const notes = data.get(OWN)?.value as NoteNode[] | undefined;
    if (!notes?.length || !target) return;
    const collection = collectionOf(target);
    if (collection) {
      await vscode.commands.executeCommand('kaizen.addToCollection', collection, notes);
      return;
    }
    const place = placeOfNode(target);
    if (place) await vscode.commands.executeCommand('kaizen.moveNote', notes[0], notes, place);
  }
}

function collectionOf(node: NotesNode): NotesNode | undefined {
  if (node.kind === 'noteCollection') return node;
  return node.parent?.kind === 'noteCollection' ? node.parent : undefined;
}
