import { html, type TemplateResult } from 'lit';
import { t } from '../shared/l10n';
import type { Page } from './page';

/** What the page says as long as there is no project: what one is, and how to get it. */
export function startPart(page: Page): TemplateResult {
  const { project_id, writable } = page.state;
  if (project_id === null) {
    return start('folder-opened', t('No folder is open'), [t('A project belongs to a folder. Open one to begin.')], {
      label: t('Open Folder'),
      run: () => page.post({ type: 'run', command: 'openFolder' }),
    });
  }
  if (!writable) {
    const text = t('There is nothing to see here yet, and nothing is written in Restricted Mode.');
    return start('lock', t('Restricted Mode'), [text], {
      label: t('Manage Trust'),
      run: () => page.post({ type: 'run', command: 'trust' }),
    });
  }
  const texts = [
    t('A project says what it is for, inherits the rules of its groups and its product, and keeps track of the work.'),
    t(
      'Rules that hold for this project only stay in it. What several projects share goes into a group, what a whole product shares into the product, and what always holds into General.',
    ),
  ];
  return start('rocket', t('Set up "{0}"', project_id), texts, {
    label: t('Set Up Project'),
    run: () => page.post({ type: 'run', command: 'setUpProject' }),
  });
}

/** What it says when what is stored cannot be read. */
export function failurePart(page: Page, error: string): TemplateResult {
  return start('error', t('The project cannot be shown'), [error], {
    label: t('Try Again'),
    run: () => page.post({ type: 'ready' }),
  });
}

function start(icon: string, title: string, texts: string[], action: { label: string; run: () => void }) {
  return html`<section class="start">
    <span class="codicon codicon-${icon}" aria-hidden="true"></span>
    <h1>${title}</h1>
    ${texts.map((text) => html`<p>${text}</p>`)}
    <vscode-button @click=${action.run}>${action.label}</vscode-button>
  </section>`;
}
