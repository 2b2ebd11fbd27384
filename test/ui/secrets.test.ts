import assert from 'node:assert/strict';
import { useEditor } from './support/editor';
import { pictureSettings, type Workbench } from './support/workbench';

const PLACE = ['checkout-api', 'testing.ui', 'deploying'];
/** By its form only; put together so that nothing that scans this repository takes it for a leak. */
const SECRET = ['gh', 'p_', 'Zk81mQw72Lx0', 'Rt5Yv93Hn6Cd', 'Pj4Sb7Uf1Ea8'].join('');

for (const policy of ['refuse', 'redact'] as const) {
  describe(`a secret that a person saves, with the setting ${policy}`, () => {
    const settings = { 'kaizen.entries.openAs': 'text', 'files.autoSave': 'off', 'kaizen.safety.secrets': policy };
    const editor = useEditor({ settings: { ...pictureSettings, ...settings } });
    let workbench: Workbench;

    async function revisions(): Promise<{ content: string | null; reason: string | null }[]> {
      return JSON.parse(await editor().kaizen('history', ...PLACE, '--json'));
    }

    const tab = () => workbench.page.locator('.tab', { hasText: 'deploying.md' }).first();
    const text = () => workbench.page.locator('.editor-instance .view-lines').last();
    const isDirty = async () => /\bdirty\b/.test((await tab().getAttribute('class')) ?? '');

    before(async () => {
      workbench = editor().workbench;
      await editor().kaizen('store', ...PLACE, 'Push with care');
      await workbench.openContainer('Kaizen');
      await workbench.treeRow('testing.ui').waitFor();
      await workbench.unfold('testing.ui');
      await workbench.treeRow('deploying').click();
      await tab().waitFor();
      await text().click();
      await workbench.page.keyboard.press('ControlOrMeta+End');
      await workbench.page.keyboard.type(` and ${SECRET}`);
      await workbench.until(isDirty, 'the document to be dirty');
    });

    if (policy === 'redact') {
      it('is taken out, and a notification says where it was', async () => {
        await workbench.page.keyboard.press('ControlOrMeta+s');
        await workbench
          .notification(/Stored without what looks like a secret: content, line 1, column \d+: GitHub/)
          .waitFor();
        await workbench.screenshot('secrets-redacted');
        assert.deepEqual(
          (await revisions()).map(({ content }) => content),
          ['Push with care', 'Push with care and [redacted: GitHub token]'],
        );
        await text().getByText('[redacted: GitHub token]').waitFor();
        assert.ok(!(await text().innerText()).includes(SECRET), 'the document shows what is stored');
      });
      return;
    }

    it('is asked about, and stays unsaved when the person cancels', async () => {
      await workbench.page.keyboard.press('ControlOrMeta+s');
      await workbench.dialog.getByText('This looks as if it held a secret.').waitFor();
      const said = await workbench.dialog.innerText();
      assert.match(said, /content, line 1, column \d+: GitHub token/);
      assert.ok(!said.includes(SECRET), 'the secret is not said');
      await workbench.screenshot('secrets-asked');
      await workbench.dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
      await workbench.dialog.waitFor({ state: 'detached' });
      assert.ok(await isDirty());
      assert.equal((await revisions()).length, 1);
      await workbench.clearNotifications();
    });

    it('stays unsaved when the person presses Enter without a look', async () => {
      await text().click();
      await workbench.page.keyboard.press('ControlOrMeta+s');
      await workbench.dialog.getByRole('button', { name: 'Do Not Store', exact: true }).waitFor();
      await workbench.page.keyboard.press('Enter');
      await workbench.dialog.waitFor({ state: 'detached' });
      assert.ok(await isDirty());
      assert.equal((await revisions()).length, 1);
      await workbench.clearNotifications();
    });

    it('is stored by "Store Anyway", and the history says so', async () => {
      await text().click();
      await workbench.page.keyboard.press('ControlOrMeta+s');
      await workbench.dialog.getByRole('button', { name: 'Store Anyway', exact: true }).click();
      await workbench.until(async () => !(await isDirty()), 'the document to be saved');
      const last = (await revisions()).at(-1);
      assert.equal(last?.content, `Push with care and ${SECRET}`);
      assert.match(last?.reason ?? '', /^Stored although it looks as if it held a secret: content, line 1/);
    });
  });
}
