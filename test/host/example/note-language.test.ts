import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { activate, until } from '../support/kaizen';

/** A note as the seed has them. */
function note(id: string, title: string, body: string, more: string[] = []): string {
  const head = [`zettel_id: ${id}`, `title: ${title}`, 'entry_type: pattern', ...more];
  return `---\n${head.join('\n')}\n---\n\n# ${title}\n\n${body}\n`;
}

describe('the text of a note in the editor', () => {
  let project: string;
  let user: string;
  const file = (name: string) => vscode.Uri.file(path.join(project, name));
  const read = (name: string) => readFileSync(path.join(project, name), 'utf8');
  const write = (root: string, name: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  };
  const open = async (name: string) => {
    const document = await vscode.workspace.openTextDocument(file(name));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  };
  const behind = (document: vscode.TextDocument, text: string) =>
    document.positionAt(document.getText().indexOf(text) + text.length);
  const ours = (uri: vscode.Uri) => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Kaizen');
  const type = async (document: vscode.TextDocument, at: vscode.Position, text: string) => {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, at, text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  };
  const completions = async (document: vscode.TextDocument, at: vscode.Position) => {
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      at,
    );
    return items.filter(({ kind }) => kind !== vscode.CompletionItemKind.Text);
  };
  const labels = (items: readonly vscode.CompletionItem[]) =>
    items.map(({ label }) => (typeof label === 'string' ? label : label.label));
  const quickFixes = (document: vscode.TextDocument, range: vscode.Range) =>
    vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      range,
      vscode.CodeActionKind.QuickFix.value,
    );

  before(async () => {
    const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    project = path.join(workspace, 'notes-in-hand');
    user = path.join(tmpdir(), `kaizen-user-notes-${process.pid}`);
    const setting = vscode.workspace.getConfiguration('kaizen.notes');
    write(
      project,
      'patterns/901-delivery.md',
      note('901-delivery', 'Delivery of Mail', 'See [[902-spf#Records]] and [[903-dkmi|keys]].\n'),
    );
    write(
      project,
      'patterns/902-spf.md',
      note(
        '902-spf',
        'SPF',
        'What it is. ![no](http://example.com/a.png)\n\n## Records\n\n- ![x](command:x)\n- one\n\n## Other\n\ntwo',
      ),
    );
    write(project, 'patterns/903-dkim.md', note('903-dkim', 'DKIM', 'Goes with [[902-spf]].', ['tags: [mail, keys]']));
    write(user, 'apis/904-mine.md', note('904-mine', 'My Own', 'For [[project:902-spf]].'));
    await activate();
    await setting.update('userFolder', user, vscode.ConfigurationTarget.Global);
    await setting.update('projectFolder', 'notes-in-hand', vscode.ConfigurationTarget.Global);
    const document = await open('patterns/901-delivery.md');
    await until('the notes to be indexed', async () =>
      labels(await completions(document, behind(document, '[['))).includes('904-mine'),
    );
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const setting = vscode.workspace.getConfiguration('kaizen.notes');
    await setting.update('userFolder', undefined, vscode.ConfigurationTarget.Global);
    await setting.update('projectFolder', undefined, vscode.ConfigurationTarget.Global);
    for (const root of [project, user]) rmSync(root, { recursive: true, force: true });
  });

  it('completes [[ with notes by id and title, their sections, and what the front matter may say', async () => {
    const document = await open('patterns/901-delivery.md');
    await type(document, document.positionAt(document.getText().length), '\n[[user:\n[[902-spf#\n[[dk\n');
    assert.deepEqual(labels(await completions(document, behind(document, '[[user:'))), ['904-mine']);
    assert.deepEqual(labels(await completions(document, behind(document, '\n[[902-spf#'))), [
      'SPF',
      'Records',
      'Other',
    ]);
    const [best] = await completions(document, behind(document, '[[dk'));
    assert.equal(labels([best!])[0], '903-dkim');
    assert.equal(best!.insertText, '903-dkim]]');
    await type(document, behind(document, 'entry_type: pattern'), '\nsource_type:\n');
    const values = labels(await completions(document, behind(document, 'source_type:')));
    assert.ok(values.includes('experiment') && values.includes('course'), values.join());
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('previews where a link leads, and goes there, to its section', async () => {
    const document = await open('patterns/901-delivery.md');
    const at = behind(document, '[[902');
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      at,
    );
    const texts = hovers.flatMap(({ contents }) => contents as vscode.MarkdownString[]);
    const said = texts.map(({ value }) => value).join('\n');
    assert.match(said, /\*\*SPF\*\*/);
    assert.match(said, /## Records/);
    assert.doesNotMatch(said, /## Other|!\[/);
    assert.ok(texts.every(({ isTrusted }) => !isTrusted));
    const places = await vscode.commands.executeCommand<vscode.LocationLink[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      at,
    );
    const ours = places.find(({ targetUri }) => targetUri?.path.endsWith('902-spf.md'));
    assert.equal(ours?.targetRange.start.line, readLines('patterns/902-spf.md').indexOf('## Records'));
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    assert.ok(links.some(({ target }) => target?.path.endsWith('902-spf.md') && target.fragment.startsWith('L')));
  });

  const readLines = (name: string) => read(name).split('\n');

  it('finds all links to a note, of both spaces', async () => {
    const document = await open('patterns/902-spf.md');
    const found = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      document.uri,
      behind(document, 'zettel_id: 90'),
    );
    const files = found.map(({ uri }) => path.basename(uri.path)).filter((name) => name !== '902-spf.md');
    assert.deepEqual(files.sort(), ['901-delivery.md', '903-dkim.md', '904-mine.md']);
  });

  it('tells of a broken link while it is typed, and mends it by a quick fix', async () => {
    const document = await open('patterns/901-delivery.md');
    const [broken] = await until('the broken link', () => {
      const found = ours(document.uri).filter(({ code }) => code === 'broken_link');
      return found.length > 0 ? found : undefined;
    });
    assert.equal(document.getText(broken!.range), '903-dkmi');
    const fixes = await quickFixes(document, broken!.range);
    const titles = fixes.map(({ title }) => title);
    assert.ok(titles.includes('Create the note "903-dkmi"'), titles.join());
    const change = fixes.find(({ title }) => title === 'Change to "903-dkim"');
    assert.ok(change?.edit && change.isPreferred);
    await vscode.workspace.applyEdit(change.edit);
    await until('no problem to be left', () => ours(document.uri).length === 0);
    assert.match(document.getText(), /\[\[903-dkim\|keys\]\]/);
    await document.save();
  });

  it('makes the note that a link asks for', async () => {
    const document = await open('patterns/903-dkim.md');
    await type(document, document.positionAt(document.getText().length), '\nMore in [[Key Rotation]].\n');
    const [broken] = await until('the broken link', () => {
      const found = ours(document.uri).filter(({ code }) => code === 'broken_link');
      return found.length > 0 ? found : undefined;
    });
    const create = (await quickFixes(document, broken!.range)).find(({ title }) => title.startsWith('Create'));
    assert.ok(create?.command);
    await vscode.commands.executeCommand(create.command.command, ...(create.command.arguments ?? []));
    const made = await until('the new note to be shown', () => {
      const { document: shown } = vscode.window.activeTextEditor ?? {};
      return shown?.uri.path.endsWith('Key-Rotation.md') ? shown : undefined;
    });
    assert.match(made.getText(), /^zettel_id: Key-Rotation$/m);
    assert.match(made.getText(), /^title: Key Rotation$/m);
    assert.match(document.getText(), /\[\[Key-Rotation\|Key Rotation\]\]/);
    await document.save();
    await until('the link to lead there', () => ours(document.uri).length === 0);
  });

  it('marks wrong values at their place, and offers the ones that are allowed', async () => {
    write(
      project,
      'patterns/905-wrong.md',
      note('905-wrong', 'Wrong', 'Text.').replace('entry_type: pattern', 'entry_type: patern'),
    );
    const document = await open('patterns/905-wrong.md');
    const [wrong] = await until('the problem', () => {
      const found = ours(document.uri).filter(({ code }) => code === 'bad_value');
      return found.length > 0 ? found : undefined;
    });
    assert.equal(document.getText(wrong!.range), 'patern');
    const fix = (await quickFixes(document, wrong!.range)).find(({ isPreferred }) => isPreferred);
    assert.equal(fix?.title, 'Change to "pattern"');
    await vscode.workspace.applyEdit(fix.edit!);
    await document.save();
    await until('no problem to be left', () => ours(document.uri).length === 0);
  });

  it('renames a note where it is linked: its file and all links follow', async () => {
    const document = await open('patterns/901-delivery.md');
    assert.ok(!document.isDirty);
    const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      document.uri,
      behind(document, '[[902'),
      '902-sender-policy',
    );
    assert.equal(edit.size, 0, 'the files are written already');
    await until('the links to follow', () =>
      read('patterns/901-delivery.md').includes('[[902-sender-policy#Records]]'),
    );
    assert.match(read('patterns/903-dkim.md'), /\[\[902-sender-policy\]\]/);
    assert.match(readFileSync(path.join(user, 'apis/904-mine.md'), 'utf8'), /\[\[project:902-sender-policy\]\]/);
    assert.match(read('patterns/902-sender-policy.md'), /^zettel_id: 902-sender-policy$/m);
  });

  it('says what is wrong with a value, adds a field that is missing, and takes that back on request', async () => {
    const text = note('906-values', 'Values', 'Text.', ['source_url: ftp://a', 'created_at: soon', 'tags: {a: b}']);
    write(project, 'patterns/906-values.md', text.replace('title: Values\n', ''));
    const document = await open('patterns/906-values.md');
    const found = await until('the problems', () => {
      const now = ours(document.uri);
      return now.length > 2 ? now : undefined;
    });
    const said = found.map(({ message }) => message).join('\n');
    assert.match(said, /source_url is no address that begins with http/);
    assert.match(said, /created_at is no time as ISO 8601 has it/);
    const missing = found.find(({ code }) => code === 'missing_field')!;
    const fix = (await quickFixes(document, missing.range)).find(({ title }) => title === 'Add title: Values');
    assert.ok(fix?.command);
    await vscode.commands.executeCommand(fix.command.command, ...(fix.command.arguments ?? []));
    assert.match(document.getText(), /^title: Values$/m);
    await vscode.commands.executeCommand('undo');
    assert.doesNotMatch(document.getText(), /^title:/m);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('changes the links that ask for a note while it is made and the text goes on being typed', async () => {
    write(
      project,
      'patterns/907-typing.md',
      note('907-typing', 'Typing', 'See [[A New One]] there, and [[A New One|there]].'),
    );
    const document = await open('patterns/907-typing.md');
    const [broken] = await until('the broken link', () => {
      const now = ours(document.uri).filter(({ code }) => code === 'broken_link');
      return now.length > 0 ? now : undefined;
    });
    const create = (await quickFixes(document, broken!.range)).find(({ title }) => title.startsWith('Create'))!;
    const making = vscode.commands.executeCommand(create.command!.command, ...(create.command!.arguments ?? []));
    await type(document, behind(document, '# Typing\n'), 'More.\n');
    await making;
    assert.match(
      document.getText(),
      /^More\.\n\nSee \[\[A-New-One\|A New One\]\] there, and \[\[A-New-One\|there\]\]\.$/m,
    );
    await document.save();
  });

  it('forgets the problems of an open note whose folder is none of notes any more', async () => {
    write(project, 'patterns/908-left.md', note('908-left', 'Left', 'See [[nowhere-at-all]].'));
    const document = await open('patterns/908-left.md');
    await until('the broken link', () => ours(document.uri).length > 0);
    const setting = vscode.workspace.getConfiguration('kaizen.notes');
    await setting.update('projectFolder', 'notes-elsewhere', vscode.ConfigurationTarget.Global);
    await until('no problem to be left', () => ours(document.uri).length === 0);
    await setting.update('projectFolder', 'notes-in-hand', vscode.ConfigurationTarget.Global);
  });

  it('puts no field into a document that is no note', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: 'Text.\n' });
    await vscode.commands.executeCommand('kaizen.addNoteField', document.uri, 'title', 'Title');
    assert.equal(document.getText(), 'Text.\n');
  });

  it('says nothing about Markdown that lies in no space', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: '[[nothing]]\n' });
    const at = document.positionAt(4);
    const found = await completions(document, at);
    assert.ok(!labels(found).some((label) => label.startsWith('90')));
    assert.deepEqual(ours(document.uri), []);
  });
});
