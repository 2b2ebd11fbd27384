import { html, type TemplateResult } from 'lit';

/** In the place of a chart or list that has nothing to show: why, and what would fill it. */
export function emptyNote(text: string, action?: TemplateResult): TemplateResult {
  return html`<div class="empty"><p>${text}</p>${action}</div>`;
}
