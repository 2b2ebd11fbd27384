import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Workbench } from './workbench';

/** Fails when axe finds a serious or critical fault in a part of the window. */
export async function assertAccessible(workbench: Workbench, selector: string): Promise<void> {
  const axe = new AxeBuilder({ page: workbench.page })
    .include(selector)
    // The editor draws label and description without a space between them, so no name ever holds what is visible.
    .disableRules('label-content-name-mismatch');
  await assertNothingGrave(workbench, axe, selector);
}

/** The same for the page inside the webview in front. */
export async function assertWebviewAccessible(workbench: Workbench, selector = 'html'): Promise<void> {
  const axe = new AxeBuilder({ page: workbench.page }).include({
    fromFrames: ['iframe.webview.ready', 'iframe#active-frame', selector],
  });
  await assertNothingGrave(workbench, axe, `${selector} in the webview`);
}

async function assertNothingGrave(workbench: Workbench, axe: AxeBuilder, what: string): Promise<void> {
  let results = await axe.analyze();
  // A frame that is drawn anew at that moment is passed over.
  await workbench.until(async () => {
    if (results.passes.length === 0) results = await axe.analyze();
    return results.passes.length > 0;
  }, `axe to look at ${what}`);
  const grave = results.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(
    grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join('\n')}`),
    [],
  );
}
