import * as vscode from 'vscode';
import type { LibraryNode } from './library-nodes';

/** Files of the editor's explorer, of other programs, and addresses of a browser come as such lists. */
const URIS = 'text/uri-list';
const TEXT = 'text/plain';
/** Nobody drops more on purpose. */
const MOST = 1_000;

/** Files, folders and addresses that are dropped onto the view are added to the library. */
export class LibraryDrag implements vscode.TreeDragAndDropController<LibraryNode> {
  readonly dropMimeTypes = [URIS, 'files', TEXT];
  readonly dragMimeTypes: readonly string[] = [];

  async handleDrop(_target: LibraryNode | undefined, data: vscode.DataTransfer): Promise<void> {
    const uris = urisIn((await data.get(URIS)?.asString()) ?? '');
    const files = uris.length > 0 ? [] : filesIn(data);
    const texts = uris.length + files.length > 0 ? [] : urisIn((await data.get(TEXT)?.asString()) ?? '');
    const dropped = [...uris, ...files, ...texts.filter(({ scheme }) => /^https?$/.test(scheme))].slice(0, MOST);
    if (dropped.length > 0) await vscode.commands.executeCommand('kaizen.addToLibrary', dropped[0], dropped);
  }
}

function urisIn(list: string): vscode.Uri[] {
  const lines = list.split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => /^[a-z][\w+.-]+:/i.test(line)).map((line) => vscode.Uri.parse(line));
}

function filesIn(data: vscode.DataTransfer): vscode.Uri[] {
  return [...data].flatMap(([, item]) => item.asFile()?.uri ?? []);
}
