import { t } from '../shared/l10n';
import { opened } from './drafts';
import type { Form, Page } from './page';

/**
 * Opens a form. One in which something was typed stays: asking for the same brings it back, and before another is opened
 * the person ends it.
 * @param focus what is typed into first
 */
export function openForm(page: Page, wanted: Form, focus = '.form .field'): void {
  const { form, refused } = opened(page.form, wanted);
  page.form = form;
  page.error = refused ? t('Another form is open, and something was typed into it. Save or cancel that first.') : '';
  page.changed();
  void page.focusOn(focus);
}
