import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ImportResult } from '../../../src/transfer';
import { activate } from '../support/kaizen';

const ENTRY = vscode.Uri.parse('knowledge://scopes/checkout-api/validation/refund_window.md');

describe('import and export in the window', () => {
  let folder: string;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'kaizen-transfer-'));
    await activate();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const run = (command: string, target: string, options: object) =>
    vscode.commands.executeCommand<ImportResult | undefined>(command, vscode.Uri.file(target), options);
  const stored = async () => Buffer.from(await vscode.workspace.fs.readFile(ENTRY)).toString();

  it('exports the scopes that were chosen as a folder of Markdown, and imports it with the decision that was made', async () => {
    const target = path.join(folder, 'markdown');
    await run('kaizen.exportKnowledge', target, { format: 'markdown', scopes: ['checkout-api'] });
    assert.deepEqual(readdirSync(target).sort(), ['checkout-api', 'kaizen.jsonl']);
    const file = path.join(target, 'checkout-api/validation/refund_window.md');
    const before = await stored();
    assert.equal(readFileSync(file, 'utf8'), before);

    writeFileSync(file, `${before}\nEdited outside.`);
    const kept = await run('kaizen.importKnowledge', target, { conflicts: 'keep' });
    assert.equal(kept?.entry.kept, 1);
    assert.equal(await stored(), before);
    const replaced = await run('kaizen.importKnowledge', target, { conflicts: 'replace' });
    assert.deepEqual(
      { added: replaced?.entry.added, overwritten: replaced?.entry.overwritten },
      { added: 0, overwritten: 1 },
    );
    assert.equal(await stored(), `${before}\nEdited outside.`);
    await vscode.workspace.fs.writeFile(ENTRY, Buffer.from(before));
  });

  it('exports what holds in a scope as a section of AGENTS.md and as a report, and touches nothing else', async () => {
    const agents = path.join(folder, 'AGENTS.md');
    writeFileSync(agents, '# Mine\n');
    const section = { format: 'agents', scopes: ['checkout-api'], authors: false };
    // Agreed to before: there is nobody here to be shown what would change.
    await run('kaizen.exportKnowledge', agents, { ...section, overwrite: true });
    const text = readFileSync(agents, 'utf8');
    assert.match(text, /^# Mine\n\n<!-- kaizen:knowledge:begin -->\n# What is known: /);
    assert.doesNotMatch(text, / by `/);
    const report = path.join(folder, 'report.html');
    await run('kaizen.exportKnowledge', report, { format: 'report', scopes: ['checkout-api'], authors: true });
    assert.match(readFileSync(report, 'utf8'), /<\/time> by /);
    writeFileSync(report, 'Mine.');
    await run('kaizen.exportKnowledge', report, {
      ...{ format: 'report', scopes: ['checkout-api'], authors: true },
      overwrite: true,
    });
    assert.match(readFileSync(report, 'utf8'), /^<!DOCTYPE html>/);
  });

  it('exports everything as one file, and replaces one that is there only when told to', async () => {
    const target = path.join(folder, 'knowledge.jsonl');
    await run('kaizen.exportKnowledge', target, { format: 'lines', scopes: [] });
    const text = readFileSync(target, 'utf8');
    assert.match(text, /^\{"type":"kaizen","format":1\}\n/);
    assert.match(text, /"type":"session"/);
    const result = await run('kaizen.importKnowledge', target, {});
    assert.deepEqual([result?.entry.added, result?.entry.kept, result?.entry.overwritten], [0, 0, 0]);
    writeFileSync(target, 'Mine.');
    await run('kaizen.exportKnowledge', target, { format: 'lines', scopes: [], overwrite: true });
    assert.equal(readFileSync(target, 'utf8'), text);
  });
});
