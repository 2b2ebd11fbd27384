import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { DiscoverResult, KnowledgeSearchAnswer, RetrieveResult } from '../../../src/discovery';
import { activate, call, startServer, toolNamed, until } from '../support/kaizen';

const TASK = { task_description: 'Calibrate the gravimetric thermocouple before a burn-in run' };

function fileOf(...names: string[]): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return vscode.Uri.joinPath(folder.uri, ...names);
}

async function recommendedIds(): Promise<string[]> {
  const { recommendations } = await call<DiscoverResult>('discover_context', TASK);
  return recommendations.map(({ id }) => id);
}

describe('discovery in the editor, on the example', () => {
  before(async () => {
    await activate();
    await startServer();
    await until('the docs of the example are indexed', async () => {
      const { results } = await call<KnowledgeSearchAnswer>('search_knowledge', { query: 'refund limits' });
      return results.some(({ id }) => id === 'guidelines.payments.refund_limits');
    });
  });

  it('offers both toolsets to agents, without any configuration', () => {
    for (const name of ['get_knowledge', 'discover_context', 'retrieve_knowledge', 'get_dependencies']) {
      assert.ok(toolNamed(name), name);
    }
  });

  it('recommends rules and documentation together, and hands them out', async () => {
    const task = { task_description: 'Refund part of a charge', task_type: 'implement', max_results: 10 };
    const { recommendations, warnings } = await call<DiscoverResult>('discover_context', task);
    assert.ok(recommendations.some(({ path: place }) => place.includes('PAYMENTS.md')));
    assert.ok(warnings.length > 0, 'the example warns about refunds');
    const ids = recommendations.map(({ id }) => id);
    const { nodes } = await call<RetrieveResult>('retrieve_knowledge', { ids });
    assert.equal(nodes.length, ids.length);
    assert.ok(nodes.every(({ content }) => content !== ''));
  });

  it('finds what was changed in the editor once it is saved, within about a second, and not before', async () => {
    const uri = fileOf('docs', 'ARCHITECTURE.md');
    const before = await recommendedIds();
    assert.ok(!before.includes('checkout.architecture.calibration'));
    const document = await vscode.workspace.openTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    const heading = '\n## Calibration\n- id: checkout.architecture.calibration\n- type: protocol\n<!-- content -->\n';
    const text = 'Calibrate the gravimetric thermocouple before each burn-in run.\n';
    edit.insert(uri, document.lineAt(document.lineCount - 1).range.end, `${heading}${text}`);
    await vscode.workspace.applyEdit(edit);
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.ok(!(await recommendedIds()).includes('checkout.architecture.calibration'), 'unsaved edits do not count');

    await document.save();
    await until(
      'the new heading is recommended',
      async () => (await recommendedIds()).includes('checkout.architecture.calibration'),
      3_000,
    );
  });

  it('follows files that come and go outside of the editor', async () => {
    const uri = fileOf('docs', 'guidelines', 'NEW.md');
    const text =
      '# Sidereal clocks\n- id: guidelines.sidereal\n<!-- content -->\nSidereal clocks drift by four minutes.\n';
    const finds = async () => {
      const { results } = await call<KnowledgeSearchAnswer>('search_knowledge', { query: 'sidereal clocks' });
      return results.some(({ id }) => id === 'guidelines.sidereal');
    };
    writeFileSync(uri.fsPath, text);
    await until('the file is found', finds);
    rmSync(uri.fsPath);
    await until('the file is gone', async () => !(await finds()));
  });

  it('takes a base when the setting names it, and lets it go, without reopening anything', async () => {
    const settings = vscode.workspace.getConfiguration('kaizen');
    const before = settings.inspect<Record<string, unknown>>('bases')?.workspaceValue;
    const finds = async () => {
      const { results } = await call<KnowledgeSearchAnswer>('search_knowledge', { query: 'cart paid order README' });
      return results.some(({ path: place }) => place.includes('README.md'));
    };
    const readme = { path: '.', include: ['README.md'] };
    await settings.update('bases', { ...before, readme }, vscode.ConfigurationTarget.Workspace);
    await until('the README is found', finds);
    await settings.update('bases', before, vscode.ConfigurationTarget.Workspace);
    await until('the README is not found any more', async () => !(await finds()));
  });

  it('shows what is wrong with a file among its problems, until it is right', async () => {
    const uri = fileOf('docs', 'guidelines', 'TWICE.md');
    const twice =
      '# Twice\n- id: guidelines.twice\n<!-- content -->\nA.\n\n## Again\n- id: guidelines.twice\n<!-- content -->\nB.\n';
    await vscode.workspace.fs.writeFile(uri, Buffer.from(twice));
    const problems = () => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Kaizen');
    const [problem] = await until('the problem', () => (problems().length > 0 ? problems() : undefined));
    assert.match(problem?.message ?? '', /guidelines\.twice/);
    assert.equal(path.basename(uri.fsPath), 'TWICE.md');
    await vscode.workspace.fs.writeFile(
      uri,
      Buffer.from(twice.replace('guidelines.twice\n<!-- content -->\nB', 'other\n<!-- content -->\nB')),
    );
    await until('the problem is gone', () => problems().length === 0);
    await vscode.workspace.fs.delete(uri);
  });
});
