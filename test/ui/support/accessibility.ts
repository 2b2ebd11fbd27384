import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Workbench } from './workbench';

/** Fails when axe finds a serious or critical fault in a part of the window. */
export async function assertAccessible({ page }: Workbench, selector: string): Promise<void> {
  const axe = new AxeBuilder({ page })
    .include(selector)
    // The editor draws label and description without a space between them, so no name ever holds what is visible.
    .disableRules('label-content-name-mismatch');
  await assertNothingGrave(axe, selector);
}

/** The same for the page inside the webview in front. */
export async function assertWebviewAccessible({ page }: Workbench, selector = 'html'): Promise<void> {
  const axe = new AxeBuilder({ page }).include({
    fromFrames: ['iframe.webview.ready', 'iframe#active-frame', selector],
  });
  await assertNothingGrave(axe, `${selector} in the webview`);
}

async function assertNothingGrave(axe: AxeBuilder, what: string): Promise<void> {
  const { violations, passes } = await axe.analyze();
  assert.ok(passes.length > 0, `axe looked at ${what}`);
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(
    grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join('\n')}`),
    [],
  );
}
