import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activate, call, startServer, until } from '../support/kaizen';

const SCOPE = 'checkout-api';

describe('warnings in files', () => {
  let refunds: vscode.TextDocument;

  before(async () => {
    await activate();
    await startServer();
    refunds = await open('src/payments/refunds.ts');
  });
  afterEach(async () => {
    for (const setting of ['enabled', 'dangerSeverity', 'notes']) await configure(setting, undefined);
    void vscode.commands.executeCommand('kaizen.showWarningsAgain');
    await shows(refunds, 3);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  async function open(path: string): Promise<vscode.TextDocument> {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, path));
    await vscode.window.showTextDocument(document);
    return document;
  }

  function configure(setting: string, value: unknown): Thenable<void> {
    const target = vscode.ConfigurationTarget.Workspace;
    return vscode.workspace.getConfiguration('kaizen.warnings').update(setting, value, target);
  }

  function of(document: vscode.TextDocument): vscode.Diagnostic[] {
    return vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'Kaizen');
  }

  function shows(document: vscode.TextDocument, count: number): Promise<vscode.Diagnostic[]> {
    return until(`${count} warnings in ${document.uri.path}`, () => {
      const found = of(document);
      return found.length === count ? found : undefined;
    }).catch((error: Error) => {
      throw new Error(`${error.message}; it shows ${JSON.stringify(of(document).map(({ message }) => message))}`);
    });
  }

  function store(keyword: string, content: string, metaknowledge: Record<string, string>): Promise<unknown> {
    const place = { target_scope_id: SCOPE, category: 'testing.warnings', keyword };
    return call('store_knowledge_overwrite', { ...place, content, metaknowledge, project_context: SCOPE });
  }

  function levelOf(diagnostics: vscode.Diagnostic[], level: string): vscode.DiagnosticSeverity | undefined {
    return diagnostics.find(({ message }) => message.startsWith(`${level}: `))?.severity;
  }

  async function fixes(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.CodeAction[]> {
    const found = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      range,
      vscode.CodeActionKind.QuickFix.value,
    );
    return found.filter(({ command }) => command?.command.startsWith('kaizen.'));
  }

  async function fix(document: vscode.TextDocument, range: vscode.Range, title: RegExp): Promise<void> {
    const action = (await fixes(document, range)).find((each) => title.test(each.title));
    assert.ok(action?.command, `a quick fix ${title}`);
    // Its notification stays open: what it returns is not waited for.
    void vscode.commands.executeCommand(action.command.command, ...(action.command.arguments ?? []));
  }

  it('stand at the first line, or where MATCHES occurs, with a link to the rule', async () => {
    const diagnostics = await shows(refunds, 3);
    const [danger, last, warning] = diagnostics;
    assert.match(danger?.message ?? '', /^DANGER: A positive refund line charges the customer a second time\.$/);
    assert.match(last?.message ?? '', /^LAST TIME: 38 customers/);
    assert.match(warning?.message ?? '', /^WARNING: Do not call the provider inside the transaction/);
    assert.deepEqual(danger?.range, refunds.lineAt(0).range);
    assert.equal(refunds.getText(warning?.range), 'inTransaction(');
    assert.equal(levelOf(diagnostics, 'DANGER'), vscode.DiagnosticSeverity.Warning);
    assert.equal(levelOf(diagnostics, 'WARNING'), vscode.DiagnosticSeverity.Warning);
    assert.equal(levelOf(diagnostics, 'LAST TIME'), vscode.DiagnosticSeverity.Information);
    const code = danger?.code as { value: string; target: vscode.Uri };
    assert.equal(code.value, 'refund_amounts');
    assert.match((await vscode.workspace.openTextDocument(code.target)).getText(), /A positive refund line/);
    const money = await open('src/payments/money.ts');
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.deepEqual(of(money), []);
  });

  it('follow the text as it is typed, and the knowledge as it is written', async () => {
    const document = await open('src/payments/provider.ts');
    await store('gap', 'WARNING: Mind the gap.', { APPLIES_TO: 'src/payments/provider.ts', MATCHES: 'mind_the_gap' });
    const edit = async (change: (edit: vscode.WorkspaceEdit) => void) => {
      const all = new vscode.WorkspaceEdit();
      change(all);
      await vscode.workspace.applyEdit(all);
    };
    await edit((all) => all.insert(document.uri, new vscode.Position(0, 0), '// mind_the_gap, mind_the_gap\n'));
    const ranges = (await shows(document, 2)).map(({ range }) => range.start.character);
    assert.deepEqual(ranges, [3, 17]);
    await edit((all) => all.delete(document.uri, new vscode.Range(0, 0, 0, 16)));
    await shows(document, 1);
    await store('gap', 'No risk any more.', { APPLIES_TO: 'src/payments/provider.ts' });
    await until('none', () => of(document).length === 0);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('show DANGER as an error where the person wants that, in files and in entries', async () => {
    await configure('dangerSeverity', 'error');
    await until('an error', () => levelOf(of(refunds), 'DANGER') === vscode.DiagnosticSeverity.Error);
    const code = of(refunds)[0]?.code as { target: vscode.Uri };
    const entry = await vscode.workspace.openTextDocument(code.target);
    await until('an error in the entry', () => levelOf(of(entry), 'DANGER') === vscode.DiagnosticSeverity.Error);
    assert.equal(levelOf(of(refunds), 'WARNING'), vscode.DiagnosticSeverity.Warning);
  });

  it('are all off by one setting', async () => {
    const code = of(refunds)[0]?.code as { target: vscode.Uri };
    const entry = await vscode.workspace.openTextDocument(code.target);
    await shows(entry, 2);
    await configure('enabled', false);
    await until('none in the file', () => of(refunds).length === 0);
    await until('none in the entry', () => of(entry).length === 0);
    await configure('enabled', undefined);
    await shows(refunds, 3);
    await shows(entry, 2);
  });

  it('can be acknowledged until the entry changes', async () => {
    const document = await open('src/payments/webhooks.ts');
    await store('ack', 'DANGER: First version.', { APPLIES_TO: 'src/payments/w*.ts' });
    await until('the warning', () => of(document).some(({ message }) => message.includes('First version')));
    const before = of(document).length;
    await fix(document, document.lineAt(0).range, /^Acknowledge "ack"/);
    await shows(document, before - 1);
    await store('ack', 'DANGER: Second version.', { APPLIES_TO: 'src/payments/w*.ts' });
    await until('it warns again', () => of(document).some(({ message }) => message.includes('Second version')));
    await store('ack', 'No risk.', {});
    await shows(document, before - 1);
  });

  it('can be muted for one file, and come back', async () => {
    const charges = await open('src/payments/charges.ts');
    const inCharges = (await until('warnings', () => (of(charges).length > 0 ? of(charges) : undefined))).length;
    const place = of(refunds).find(({ message }) => message.startsWith('WARNING'))?.range;
    assert.ok(place);
    await fix(refunds, place, /^Mute "locks"/);
    await shows(refunds, 2);
    assert.equal(of(charges).length, inCharges);
    void vscode.commands.executeCommand('kaizen.showWarningsAgain');
    await shows(refunds, 3);
  });

  it('offer the rule, and open it', async () => {
    const titles = (await fixes(refunds, refunds.lineAt(0).range)).map(({ title }) => title);
    assert.deepEqual(titles, [
      'Open the rule "refund_amounts"',
      'Acknowledge "refund_amounts" until it changes',
      'Mute "refund_amounts" in this file',
    ]);
    await fix(refunds, refunds.lineAt(0).range, /^Open the rule/);
    await until('the entry in front', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      const isText = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
      return isText && input.uri.path.endsWith('/refund_amounts.md');
    });
    assert.deepEqual(await fixes(refunds, refunds.lineAt(4).range), []);
  });

  it('show the whole rule on hover, harmless whatever it says', async () => {
    const document = await open('src/http/server.ts');
    const content = 'DANGER: Look. ![x](https://example.org/x.png) [run](command:workbench.action.quit)';
    const reason = '[run](command:workbench.action.quit) *why*';
    await store('hover', content, { APPLIES_TO: '**/server.ts', REASON: reason });
    await until('the warning', () => of(document).length > 0);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(0, 1),
    );
    const parts = hovers.flatMap(({ contents }) => contents as vscode.MarkdownString[]);
    const rule = parts.find(({ value }) => value.includes('DANGER: Look'));
    const about = parts.find(({ value }) => value.includes('kaizen.openEntry'));
    assert.ok(rule && about);
    assert.ok(!rule.isTrusted, 'what an entry says is not trusted');
    assert.doesNotMatch(rule.value, /!\[/);
    assert.deepEqual(about.isTrusted, { enabledCommands: ['kaizen.openEntry'] });
    assert.doesNotMatch(about.value, /\]\(command:workbench/);
    assert.match(about.value, /REASON/);
    assert.match(about.value, /checkout\\?-api/);
    await store('hover', 'No risk.', {});
  });

  it('are the gravest where very many rules name a file, and say that there are more', async () => {
    const document = await open('src/payments/provider.ts');
    const keywords = Array.from({ length: 51 }, (_, index) => `many_${index}`);
    const names = { APPLIES_TO: 'src/payments/provider.ts' };
    for (const keyword of keywords) await store(keyword, 'WARNING: One of many.', names);
    await store('grave', 'DANGER: The gravest.', names);
    const more = /^Only the 50 gravest rules/;
    // The first 51 are too many as well: the gravest comes after them.
    await until(
      '51 problems, the gravest among them',
      () =>
        of(document).length === 51 &&
        of(document).some(({ message }) => more.test(message)) &&
        of(document).some(({ message }) => message.includes('The gravest')),
    );
    for (const keyword of keywords) await store(keyword, 'No risk.', {});
    await until('no more than there are', () => !of(document).some(({ message }) => more.test(message)));
    await store('grave', 'No risk.', {});
  });

  it('stand in notes where the risk stands, and not in fenced code', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const uri = vscode.Uri.joinPath(folder!.uri, '.ai/knowledge/refunds.md');
    const head = 'zettel_id: refunds\ntitle: Refunds\nentry_type: concept\nrisk: "WARNING: not this"';
    const text = `---\n${head}\n---\n# Refunds\n\nDANGER: Mind the sign.\n\n\`\`\`\nWARNING: an example\n\`\`\`\n`;
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
    try {
      const note = await open('.ai/knowledge/refunds.md');
      const [danger] = await shows(note, 1);
      assert.equal(danger?.message, 'DANGER: Mind the sign.');
      assert.equal(danger?.range.start.line, 8);
      await configure('notes', ['docs/*.md']);
      await until('none', () => of(note).length === 0);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await vscode.workspace.fs.delete(uri);
    }
  });

  it('say in the entry what is wrong with its globs and its expression', async () => {
    await store('faulty', 'DANGER: Never shown.', { APPLIES_TO: 'src/{a', MATCHES: '(b' });
    const uri = vscode.Uri.from({
      scheme: 'knowledge',
      authority: 'scopes',
      path: `/${SCOPE}/testing.warnings/faulty.md`,
    });
    const entry = await vscode.workspace.openTextDocument(uri);
    const diagnostics = await shows(entry, 3);
    const lineOf = (message: RegExp) =>
      entry.lineAt(diagnostics.find((each) => message.test(each.message))?.range.start.line ?? 0).text;
    assert.match(lineOf(/not closed/), /^APPLIES_TO/);
    assert.match(lineOf(/cannot be read/), /^MATCHES/);
    assert.match(lineOf(/^DANGER/), /^DANGER/);
    await store('faulty', 'No risk.', {});
  });
});
