import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Editor } from './support/editor';
import { pictureSettings } from './support/workbench';
describe('zz', () => {
  for (let i = 0; i < 8; i++)
    it(`run ${i}`, async () => {
      const home = mkdtempSync(path.join(tmpdir(), 'kaizen-zz-'));
      const user = path.join(home, 'user');
      mkdirSync(user);
      writeFileSync(path.join(user, 'a.md'), '# Aaa\n');
      const editor = await Editor.open({ settings: { ...pictureSettings, 'kaizen.notes.userFolder': user }, workspace: 'fresh' });
      try {
        mkdirSync(path.join(editor.workspace, '.ai/knowledge'), { recursive: true });
        writeFileSync(path.join(editor.workspace, '.ai/knowledge/b.md'), '# Bbb\n');
        const start = Date.now();
        await editor.workbench.runCommand('Kaizen: Open Graph of Notes');
        const page = editor.workbench.webview();
        await page.locator('.count').waitFor();
        let said = ''; const shown = Date.now();
        while (Date.now() - shown < 7000) {
          const text = await page.locator('.count').innerText();
          if (text !== said) console.log(i, Date.now() - start, text);
          said = text;
          await new Promise((r) => setTimeout(r, 100));
        }
      } finally {
        await editor.close();
      }
    });
});
