import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { activate, childrenOf, labelOf, nodesBelow, until } from '../support/kaizen';

const workspace = () => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
const folder = () => path.join(workspace(), 'library');

const HANDBOOK = `# Handbook of Tide Gauges

## 1 Purpose

A tide gauge measures the height of the sea. It is read once an hour, and each reading is kept with its time.

## 2 Calibration

### 2.1 Interval

The gauge shall be calibrated every ninety days. A gauge that was not calibrated shall not be used for warnings.

### 2.2 Records

Each calibration is written into the log with the name of whoever made it.
`;

async function tree(): Promise<vscode.TreeDataProvider<unknown>> {
  return (await activate()).library;
}

/** The lines below a path of labels; none where one of them is not there. */
async function labels(...way: string[]): Promise<(string | undefined)[]> {
  const items = await childrenOf(await tree(), ...way).catch(() => []);
  return items.map(labelOf);
}

/** The labels from the top down to a source's line. */
async function wayTo(title: string): Promise<string[] | undefined> {
  for (const group of await labels()) {
    if (group && (await labels(group)).includes(title)) return [group, title];
  }
  return undefined;
}

describe('the library, on the example', () => {
  const title = 'Handbook of Tide Gauges';
  const file = () => vscode.Uri.file(path.join(folder(), 'tide-gauges.md'));
  const source = async () => {
    const way = await until(`${title} in the view`, () => wayTo(title));
    const nodes = await nodesBelow(await tree(), way[0]!);
    const items = await childrenOf(await tree(), way[0]!);
    return { way, node: nodes[items.findIndex((item) => labelOf(item) === title)] };
  };

  before(() => {
    mkdirSync(folder(), { recursive: true });
    writeFileSync(file().fsPath, HANDBOOK);
  });
  after(() => rmSync(folder(), { recursive: true, force: true }));

  it('takes a file in, and shows it with its sections', async () => {
    await vscode.commands.executeCommand('kaizen.addToLibrary', file());
    const { way } = await source();
    const [item] = (await childrenOf(await tree(), way[0]!)).filter((each) => labelOf(each) === title);
    assert.match(String(item?.description), /passages?/);
    const sections = await until('its sections', async () => {
      const found = await labels(...way);
      return found.length > 0 ? found : undefined;
    });
    assert.ok(sections.length > 0);
  });

  it('opens the stored text, which can be read and not written', async () => {
    const { node } = await source();
    await vscode.commands.executeCommand('kaizen.openLibrarySource', node);
    const editor = await until('the stored text in front', () => {
      const active = vscode.window.activeTextEditor;
      return active?.document.uri.scheme === 'knowledge' ? active : undefined;
    });
    const { document } = editor;
    assert.equal(document.uri.authority, 'library');
    assert.equal(document.languageId, 'markdown');
    assert.match(document.getText(), /calibrated every ninety days/);
    await assert.rejects(async () => vscode.workspace.fs.writeFile(document.uri, Buffer.from('Something else.')));
    const { permissions } = await vscode.workspace.fs.stat(document.uri);
    assert.equal(permissions, vscode.FilePermission.Readonly);
  });

  it('opens a section at its place', async () => {
    const { way } = await source();
    const trees = await tree();
    const [first] = await nodesBelow(trees, ...way);
    const [section] = (await trees.getChildren(first)) ?? [];
    await vscode.commands.executeCommand('kaizen.openLibrarySource', section ?? first);
    await until('a passage that is selected', () => {
      const active = vscode.window.activeTextEditor;
      return active?.document.uri.authority === 'library' && !active.selection.isEmpty;
    });
  });

  it('cites a source with its title, its file and the address for agents', async () => {
    const { node } = await source();
    await vscode.commands.executeCommand('kaizen.copyCitation', node);
    const copied = await vscode.env.clipboard.readText();
    assert.match(copied, /^Handbook of Tide Gauges/);
    assert.match(copied, /tide-gauges\.md/);
    assert.match(copied, /<knowledge:\/\/library\/[\w-]+>/);
  });

  it('reads a source again when its file has changed, and knows one that has not', async () => {
    writeFileSync(file().fsPath, `${HANDBOOK}\n## 3 Disposal\n\nA gauge that leaks mercury is handed in at once.\n`);
    const { node } = await source();
    await vscode.commands.executeCommand('kaizen.refreshSource', node);
    await vscode.commands.executeCommand('kaizen.openLibrarySource', node);
    await until('the new text', () => vscode.window.activeTextEditor?.document.getText().includes('handed in at once'));
  });

  it('leaves everything as it is when it is given what is no source', async () => {
    const before = await labels();
    for (const command of ['describeSource', 'removeFromLibrary', 'rereadSource', 'copyCitation']) {
      await vscode.commands.executeCommand(`kaizen.${command}`, { kind: 'libraryGroup' });
      await vscode.commands.executeCommand(`kaizen.${command}`, { document_id: 'nowhere' });
    }
    assert.deepEqual(await labels(), before);
  });
});
