import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { DoctorFinding } from '../../../src/doctor';
import { activate } from '../support/kaizen';

describe('Diagnose in the window', () => {
  before(activate);

  const diagnose = () => vscode.commands.executeCommand<DoctorFinding[]>('kaizen.diagnose', { show: false });

  it("looks at this window's stores and says what runs here", async () => {
    const findings = await diagnose();
    const codes = findings.map(({ code }) => code);
    assert.deepEqual(
      [...new Set(findings.map(({ area }) => area))],
      ['versions', 'stores', 'locks', 'index', 'clients', 'hooks', 'registry'],
    );
    assert.ok(codes.includes('store_sound'), codes.join(', '));
    assert.ok(!codes.includes('check_failed'), JSON.stringify(findings));
    const [version] = findings;
    assert.ok(`${version?.message}`.includes(vscode.version), `${version?.message}`);
  });

  it('finds a configuration that is broken, and leaves it as it is', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const file = path.join(folder, '.mcp.json');
    writeFileSync(file, '{ broken');
    try {
      const broken = (await diagnose()).find(({ code }) => code === 'server_unreadable');
      assert.match(`${broken?.message}`, /\.mcp\.json/);
      assert.ok(broken?.mend?.command);
    } finally {
      rmSync(file);
    }
  });
});
