import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { useEditor } from './support/editor';
import { pictureSettings, type Workbench } from './support/workbench';

describe('scratch', () => {
  const editor = useEditor({
    settings: { ...pictureSettings, 'kaizen.embeddings.provider': 'endpoint', 'kaizen.embeddings.url': 'http://127.0.0.1:9/v1', 'kaizen.embeddings.model': 'x' },
    width: 1280, height: 900, language: 'de', theme: 'contrast',
  });
  let workbench: Workbench;
  it('pictures', async () => {
    workbench = editor().workbench;
    const root = editor().workspace;
    mkdirSync(path.join(root, 'many'));
    for (let i = 0; i < 1000; i++) writeFileSync(path.join(root, 'many', `note-${i}.md`), `# Note ${i}\n\nText ${i}.\n`);
    writeFileSync(path.join(root, '.vscode/settings.json'), JSON.stringify({ 'kaizen.bases': { docs: { path: 'docs' }, many: { path: 'many' }, gone: { path: 'gone' }, 'bad name': { path: 'x' }, ssh: { path: '~/.ssh' } } }));
    await workbench.openContainer('Kaizen');
    await workbench.openFile('refunds.ts');
    const headers = workbench.page.locator('.part.sidebar .pane-header');
    console.log(await headers.allInnerTexts());
        await workbench.page.waitForTimeout(6000);
    await workbench.screenshot('zz-1');
    await workbench.setWidth('sidebar', 230);
    await headers.nth(0).locator('.pane-header-title, h3').first().click();
    await headers.nth(2).locator('h3').first().click();
    await workbench.page.waitForTimeout(1500);
    await workbench.screenshot('zz-2');
    const row = workbench.treeRow(/^many/);
    await row.click();
    await workbench.page.waitForTimeout(3000);
    await workbench.screenshot('zz-3');
    await workbench.runCommand('Kaizen: Wissen suchen').catch(() => {});
    await workbench.page.waitForTimeout(500);
    await workbench.screenshot('zz-4');
    await workbench.page.keyboard.press('Escape');
    await workbench.treeRow(/^ssh:/).click().catch(() => {});
    await workbench.page.waitForTimeout(1000);
    await workbench.screenshot('zz-5');
  });
});
describe('scratch restricted', () => {
  const editor = useEditor({ trustWorkspaces: false, settings: { ...pictureSettings, 'security.workspace.trust.startupPrompt': 'never' } });
  it('pictures', async () => {
    const { workbench } = editor();
    await workbench.openContainer('Kaizen');
    await workbench.view('Knowledge Bases').locator('.pane-header').click();
    await workbench.page.waitForTimeout(2500);
    await workbench.screenshot('zz-6');
  });
});
