import { useEditor } from './support/editor';
import { pictureSettings } from './support/workbench';
describe('look again', () => {
  const editor = useEditor({ settings: pictureSettings, height: 1300, theme: 'light' });
  it('looks', async () => {
    const { workbench } = editor();
    await workbench.runCommand('Kaizen: Open Project');
    const page = workbench.webview();
    await page.getByRole('tab', { name: 'Inheritance' }).click();
    await page.locator('.picture').waitFor();
    await page.getByRole('textbox', { name: 'Name of the new scope' }).focus();
    await workbench.screenshot('look-inheritance-bottom');
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight']) {
      await page.getByRole('textbox', { name: 'Name of the new scope' }).fill(`${name} and a rather long name`);
      await workbench.page.keyboard.press('Enter');
      await page.getByRole('button', { name: new RegExp(`^Place \\d+ ${name}`) }).waitFor();
    }
    await page.locator('h1').scrollIntoViewIfNeeded();
    await workbench.screenshot('look-inheritance-12');
    await page.getByRole('tab', { name: 'Progress' }).click();
    await page.locator('.lane.blocked .card').first().focus();
    await workbench.screenshot('look-card-tools');
    await workbench.runCommand('Kaizen: Set Up Project');
    await workbench.answer('Name of the project');
    await workbench.answer('Product that it belongs to');
    await workbench.page.waitForTimeout(400);
    await workbench.screenshot('look-groups');
  });
});
