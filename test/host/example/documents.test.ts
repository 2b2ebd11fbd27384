import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { activate, EXTENSION_ID, until } from '../support/kaizen';

const SCOPE = 'checkout-api';

/** As the extension makes them: these tests look from outside. */
function address(category: string, keyword: string): vscode.Uri {
  const segment = (name: string) =>
    name.replaceAll('%', '%25').replaceAll('/', '%2F').replaceAll('\\', '%5C').replace(/^\.+$/, '%2E');
  const file = `${keyword.replaceAll('%', '%25').replaceAll('/', '%2F').replaceAll('\\', '%5C')}.md`;
  return vscode.Uri.from({
    scheme: 'knowledge',
    authority: 'scopes',
    path: `/${SCOPE}/${segment(category)}/${file}`,
  });
}

const { fs } = vscode.workspace;
const write = (uri: vscode.Uri, text: string) => fs.writeFile(uri, Buffer.from(text));
const read = async (uri: vscode.Uri) => Buffer.from(await fs.readFile(uri)).toString();
const exists = async (uri: vscode.Uri) =>
  (await fs.stat(uri).then(
    () => true,
    () => false,
  )) as boolean;

/** Runs the command line on the window's stores, as another process. */
async function kaizen(...args: string[]): Promise<string> {
  const extension = vscode.extensions.getExtension(EXTENSION_ID);
  const cli = path.join(extension?.extensionPath ?? '', 'dist/cli.js');
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...args], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  return stdout;
}

interface StoredRevision {
  content: string | null;
  metaknowledge: Record<string, string> | null;
  author: string;
}

/** The entry's revisions, as another process sees them. */
async function stored(category: string, keyword: string): Promise<StoredRevision[]> {
  return JSON.parse(await kaizen('history', SCOPE, category, keyword, '--json')) as StoredRevision[];
}

async function edit(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

describe('entries as documents', () => {
  before(async () => {
    await activate();
  });

  it('are found in folders: scopes, their categories, their entries', async () => {
    const root = vscode.Uri.parse('knowledge://scopes/');
    const names = async (uri: vscode.Uri) => (await fs.readDirectory(uri)).map(([name]) => name);
    assert.ok((await names(root)).includes(SCOPE));
    assert.ok((await names(vscode.Uri.joinPath(root, SCOPE))).includes('validation'));
    const entries = await fs.readDirectory(vscode.Uri.joinPath(root, SCOPE, 'validation'));
    assert.deepEqual(
      entries.find(([name]) => name === 'refund_amounts.md'),
      ['refund_amounts.md', vscode.FileType.File],
    );
    await assert.rejects(async () => fs.readDirectory(vscode.Uri.joinPath(root, 'nowhere')), { code: 'FileNotFound' });
    await assert.rejects(async () => fs.stat(vscode.Uri.joinPath(root, SCOPE, '.vscode')), { code: 'FileNotFound' });
  });

  it('show metaknowledge as front matter, and the content below it', async () => {
    const document = await vscode.workspace.openTextDocument(address('validation', 'refund_amounts'));
    assert.equal(document.languageId, 'markdown');
    assert.match(document.getText(), /^---\n(?:.*\n)*SEVERITY: Critical\n(?:.*\n)*---\nCallers ask for a refund/);
  });

  it('are edited and saved: the metaknowledge and the content as they were typed, by the person', async () => {
    const uri = address('testing.documents', 'typed');
    await write(uri, 'First.');
    const document = await vscode.workspace.openTextDocument(uri);
    await edit(document, '---\nREASON: "a: b"\nDATE_ADDED: 2024-01-10\n---\nSecond.\n');
    assert.ok(document.isDirty);
    assert.ok(await document.save());
    const revisions = await stored('testing.documents', 'typed');
    assert.deepEqual(
      revisions.map(({ content }) => content),
      ['First.', 'Second.\n'],
    );
    assert.deepEqual(revisions[1]?.metaknowledge, { REASON: 'a: b', DATE_ADDED: '2024-01-10' });
    assert.equal(revisions[1]?.author, process.env.USER || process.env.USERNAME || 'person');
  });

  it('make no revision when what is saved is what is stored', async () => {
    const uri = address('testing.documents', 'same');
    await write(uri, '---\nA: b\n---\nText');
    const before = await fs.stat(uri);
    await write(uri, '---\nA: "b"\n---\nText');
    assert.equal((await stored('testing.documents', 'same')).length, 1);
    assert.deepEqual(await fs.stat(uri), before);
  });

  it('are newer with each revision, even within one millisecond, and of another size even when as long', async () => {
    const uri = address('testing.documents', 'clock');
    const stats: vscode.FileStat[] = [];
    for (const text of ['1', '2', '3', '4']) {
      await write(uri, text);
      stats.push(await fs.stat(uri));
    }
    for (const [at, stat] of stats.entries()) {
      assert.equal(Math.floor(stat.size), 1);
      assert.equal(stat.ctime, stats[0]?.ctime);
      if (at === 0) continue;
      assert.ok(stat.mtime > stats[at - 1]!.mtime);
      assert.notEqual(stat.size, stats[at - 1]!.size);
    }
  });

  it('say the line that cannot be read, store nothing and stay dirty', async () => {
    const uri = address('testing.documents', 'unreadable');
    await write(uri, 'Text');
    await assert.rejects(
      async () => write(uri, '---\nA: b\nAPPLIES_TO: **/*.ts\n---\nText'),
      /Line 3: .*"\*\*\/\*\.ts"/,
    );
    await assert.rejects(async () => write(uri, '---\nA: b # why\n---\nText'), /Line 2: A comment/);
    await assert.rejects(async () => write(uri, '---js\nprocess.exit(3)\n---\nText'), /Line 1: .*"js"/);
    await assert.rejects(async () => write(uri, `---\nA: ${'x'.repeat(9_000)}\n---\nText`), /metaknowledge A/);
    await assert.rejects(async () => fs.writeFile(uri, Buffer.from([0xff, 0xfe, 0x41])), /UTF-8/);
    await assert.rejects(async () => write(uri, ''), /content is empty/);
    assert.equal((await stored('testing.documents', 'unreadable')).length, 1);

    const document = await vscode.workspace.openTextDocument(uri);
    await edit(document, '---\nA: "b\n---\nText');
    assert.equal(await document.save(), false);
    assert.ok(document.isDirty);
    const [fault] = await until('a diagnostic', () => {
      const found = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Kaizen');
      return found.length > 0 ? found : undefined;
    });
    assert.equal(fault?.severity, vscode.DiagnosticSeverity.Error);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until('the document is as stored', () => document.getText() === 'Text' && !document.isDirty);
    await until('the diagnostic is gone', () => vscode.languages.getDiagnostics(uri).length === 0);
  });

  for (const keyword of ['a/b', '50%', 'two words', '🙂', '..', 'C:\\x', 'q?a#b', 'dots.in.name']) {
    it(`may be called ${keyword}`, async () => {
      const uri = address('testing.names', keyword);
      await write(uri, `About ${keyword}.`);
      const [revision] = await stored('testing.names', keyword);
      assert.equal(revision?.content, `About ${keyword}.`);
      assert.equal(await read(uri), `About ${keyword}.`);
      const folder = uri.with({ path: uri.path.slice(0, uri.path.lastIndexOf('/')) });
      const names = (await fs.readDirectory(folder)).map(([name]) => name);
      assert.ok(names.includes(uri.path.slice(uri.path.lastIndexOf('/') + 1)), names.join());
      await fs.delete(uri);
    });
  }

  it('are moved by renaming, and overwrite another entry only when told to', async () => {
    const from = address('testing.documents', 'old_name');
    const to = address('testing.moved', 'new_name');
    await write(from, 'Moves.');
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(from, to);
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.equal(await read(to), 'Moves.');
    assert.equal(await exists(from), false);
    assert.equal((await stored('testing.documents', 'old_name')).at(-1)?.content, null);

    const other = address('testing.documents', 'in_the_way');
    await write(other, 'Stays.');
    await assert.rejects(async () => fs.rename(to, other), { code: 'FileExists' });
    assert.equal(await read(other), 'Stays.');
    await fs.rename(to, other, { overwrite: true });
    assert.equal(await read(other), 'Moves.');
    await assert.rejects(async () => fs.rename(to, from), { code: 'FileNotFound' });

    // To another tier, which is kept in another store.
    const general = other.with({ path: '/general/testing.moved/everywhere.md' });
    await fs.rename(other, general);
    assert.equal(await read(general), 'Moves.');
    assert.equal(await exists(other), false);
    await fs.delete(general);
  });

  it('are deleted, and refuse what is no entry', async () => {
    const uri = address('testing.documents', 'short_lived');
    await write(uri, 'Goes.');
    const edit = new vscode.WorkspaceEdit();
    edit.deleteFile(uri);
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.equal(await exists(uri), false);
    await assert.rejects(async () => fs.delete(uri), { code: 'FileNotFound' });
    const scope = vscode.Uri.parse(`knowledge://scopes/${SCOPE}`);
    await assert.rejects(async () => fs.delete(scope, { recursive: true }), { code: 'NoPermissions' });
    await assert.rejects(async () => write(scope.with({ path: '/nowhere/a/b.md' }), 'x'), /nowhere/);
    assert.ok(await exists(scope));
  });

  it('follow what another process writes while they are open and not dirty', async () => {
    const uri = address('testing.documents', 'followed');
    await write(uri, 'Mine 1.');
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    await kaizen('store', '--overwrite', SCOPE, 'testing.documents', 'followed', 'Your 2.');
    await until('the new text', () => document.getText() === 'Your 2.');
    assert.equal(document.isDirty, false);
  });

  it('show their revisions, and those cannot be written', async () => {
    const uri = address('testing.documents', 'revised');
    await write(uri, 'One');
    await write(uri, '---\nA: b\n---\nTwo');
    const revision = (number: number) => uri.with({ query: `revision=${number}` });
    assert.equal(await read(revision(0)), '');
    assert.equal(await read(revision(1)), 'One');
    assert.equal(await read(revision(2)), '---\nA: b\n---\nTwo');
    await assert.rejects(async () => read(revision(3)), { code: 'FileNotFound' });
    await assert.rejects(async () => write(revision(1), 'x'));
    assert.equal((await fs.stat(revision(1))).permissions, vscode.FilePermission.Readonly);
    const proposal = vscode.Uri.parse('knowledge://proposals/999/nothing.md');
    await assert.rejects(async () => read(proposal), { code: 'FileNotFound' });
  });
});
