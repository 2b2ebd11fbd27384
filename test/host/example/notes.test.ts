import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { activate, childrenOf, labelOf, until } from '../support/kaizen';

const workspace = () => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
const noteFile = (...names: string[]) => path.join(workspace(), '.ai', 'knowledge', ...names);
const settings = () => vscode.workspace.getConfiguration('kaizen.notes');

async function labels(...way: string[]): Promise<(string | undefined)[]> {
  const { notes } = await activate();
  return (await childrenOf(notes, ...way)).map(labelOf);
}

/** Waits until the view has a line, or none, of this label below others. */
async function shows(label: string, way: string[], isThere = true): Promise<void> {
  await until(`${label} ${isThere ? 'in' : 'out of'} the view`, async () => {
    const found = await labels(...way).catch((): (string | undefined)[] => []);
    return found.includes(label) === isThere;
  });
}

/** Calls a command, and cancels whatever it asks. */
async function cancelled(command: string, ...values: unknown[]): Promise<void> {
  let isDone = false;
  const running = Promise.resolve(vscode.commands.executeCommand(command, ...values)).finally(() => {
    isDone = true;
  });
  await until(`${command} ends`, async () => {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    return isDone;
  });
  await running;
}

/** Every file of the project's notes with its text. */
function everyFile(): Record<string, string> {
  const files = readdirSync(noteFile(), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map((entry) => path.join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(name, 'utf8')]));
}

/** Those that ask for something first. */
const ASKING = [
  'kaizen.newNote',
  'kaizen.openNote',
  'kaizen.openNoteAsForm',
  'kaizen.openNoteAsText',
  'kaizen.findNote',
  'kaizen.renameNote',
  'kaizen.moveNote',
  'kaizen.deleteNote',
  'kaizen.linkNotes',
  'kaizen.copyNoteReference',
  'kaizen.newCollection',
  'kaizen.addToCollection',
  'kaizen.removeFromCollection',
  'kaizen.deleteCollection',
  'kaizen.publishNote',
  'kaizen.compareWithRegistry',
  'kaizen.downloadNote',
  'kaizen.searchRegistry',
  'kaizen.connectRegistry',
  'kaizen.disconnectRegistry',
  'kaizen.showRegistryStatus',
  'kaizen.showNoteChanges',
  'kaizen.revealNotesFolder',
  'kaizen.allowNotesFolder',
  'kaizen.filterNotes',
];

function noteText(id: string, title: string, body = ''): string {
  return `---\nzettel_id: ${id}\ntitle: ${title}\nentry_type: concept\n---\n\n# ${title}\n\n${body}\n`;
}

describe('the notes, on the example', () => {
  it('follow what others do to the files: make, change, rename, delete', async () => {
    await shows('How long the sandbox keeps idempotency keys', ['Project', 'experiments']);
    mkdirSync(noteFile('concepts'), { recursive: true });
    const [file, moved] = [noteFile('concepts', '050-made.md'), noteFile('concepts', '051-moved.md')];
    writeFileSync(file, noteText('050-made', 'Made outside'));
    await shows('Made outside', ['Project', 'concepts']);
    writeFileSync(file, noteText('050-made', 'Changed outside'));
    await shows('Changed outside', ['Project', 'concepts']);
    renameSync(file, moved);
    writeFileSync(moved, noteText('051-moved', 'Moved outside'));
    await shows('Moved outside', ['Project', 'concepts']);
    rmSync(noteFile('concepts'), { recursive: true });
    await shows('concepts', ['Project'], false);
  });

  it('follow what comes later into folders that were made in one go, and their end', async () => {
    const folders = ['one', 'two', 'three', 'four'].map((name) => ['made', 'at', 'once', name]);
    for (const names of folders) {
      mkdirSync(noteFile(...names), { recursive: true });
      writeFileSync(noteFile(...names, `${names.at(-1)}-first.md`), noteText(`${names.at(-1)}-first`, 'First'));
    }
    for (const names of folders) await shows('First', ['Project', ...names]);
    for (const names of folders) {
      writeFileSync(noteFile(...names, `${names.at(-1)}-later.md`), noteText(`${names.at(-1)}-later`, 'Later'));
    }
    for (const names of folders) await shows('Later', ['Project', ...names]);
    rmSync(noteFile('made'), { recursive: true });
    for (const names of folders) await shows(names.at(-1)!, ['Project', ...names.slice(0, -1)], false);
  });

  it('show what is wrong with a note below it, and in words', async () => {
    writeFileSync(noteFile('patterns', '060-faulty.md'), noteText('060-faulty', 'Faulty', 'See [[nowhere-at-all]].'));
    try {
      await shows('Faulty', ['Project', 'patterns']);
      const { notes } = await activate();
      const line = (await childrenOf(notes, 'Project', 'patterns')).find((item) => labelOf(item) === 'Faulty');
      assert.match(String(line?.description), /^1 problem · 060-faulty/);
      assert.match(String((await labels('Project', 'patterns', 'Faulty'))[0]), /nowhere-at-all/);
    } finally {
      rmSync(noteFile('patterns', '060-faulty.md'));
    }
    await shows('Faulty', ['Project', 'patterns'], false);
  });

  it('are renamed by a command, and links and collections follow', async () => {
    const before = readFileSync(noteFile('patterns', '002-charge-once.md'), 'utf8');
    const collection = readFileSync(noteFile('collections', 'charging-safely.md'), 'utf8');
    const [old, id] = ['001-provider-idempotency-keys', '001-provider-keys'];
    const rename = (from: string, to: string) =>
      vscode.commands.executeCommand('kaizen.renameNote', { space: 'project', zettel_id: from }, undefined, to);
    await rename(old, id);
    await until('the new file', () => existsSync(noteFile('apis', `${id}.md`)));
    await until('the links', () =>
      readFileSync(noteFile('patterns', '002-charge-once.md'), 'utf8').includes(`[[${id}]]`),
    );
    assert.match(
      readFileSync(noteFile('patterns', '002-charge-once.md'), 'utf8'),
      new RegExp(`depends_on: \\[${id}\\]`),
    );
    await until('the collection', () =>
      readFileSync(noteFile('collections', 'charging-safely.md'), 'utf8').includes(`[[${id}]]`),
    );
    await rename(id, old);
    await until('the old file', () => existsSync(noteFile('apis', `${old}.md`)));
    const back = (file: string) => readFileSync(file, 'utf8').replace(/^updated_at: .*$/m, '');
    await until(
      'the links as they were',
      () => back(noteFile('patterns', '002-charge-once.md')) === before.replace(/^updated_at: .*$/m, ''),
    );
    await until(
      'the collection as it was',
      () => readFileSync(noteFile('collections', 'charging-safely.md'), 'utf8') === collection,
    );
  });

  it('are handed to an agent with the call that gets them', async () => {
    const note = { space: 'project', zettel_id: '002-charge-once' };
    await vscode.commands.executeCommand('kaizen.copyNoteReference', note);
    const copied = await vscode.env.clipboard.readText();
    assert.match(copied, /get\(zettel_id="002-charge-once", source="local"\)/);
  });

  it('stay as they are when a command is cancelled, or is given what is no note', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const before = everyFile();
    for (const command of ASKING) {
      await cancelled(command);
      await cancelled(command, { kind: 'note' });
      await cancelled(command, { space: 'project', zettel_id: 'nowhere' }, ['nonsense', null]);
    }
    assert.deepEqual(everyFile(), before);
  });

  it('lie where the settings say, and nowhere outside of the workspace unless that is allowed', async () => {
    const { Workspace } = vscode.ConfigurationTarget;
    mkdirSync(path.join(workspace(), 'zettel'));
    writeFileSync(path.join(workspace(), 'zettel', '070-there.md'), noteText('070-there', 'There'));
    try {
      await settings().update('projectFolder', 'zettel', Workspace);
      await shows('There', ['Project']);
      const outside = path.join(path.dirname(workspace()), 'outside');
      await settings().update('projectFolder', outside, Workspace);
      await shows('Project: not used, it lies outside of the workspace', []);
      assert.ok(!(await labels()).includes('Project'));
      assert.ok(!existsSync(outside), 'nothing was made there');
    } finally {
      await settings().update('projectFolder', undefined, Workspace);
      rmSync(path.join(workspace(), 'zettel'), { recursive: true });
    }
    await shows('patterns', ['Project']);
  });
});
