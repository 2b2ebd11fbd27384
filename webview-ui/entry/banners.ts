import { html, nothing, type TemplateResult } from 'lit';
import type { SurroundingsMessage } from '../protocol/entry';
import { t } from '../shared/l10n';
import type { EntryView } from './view';

/** What the person has to know before the rest: that nothing can be written, or that the document is not a stored entry. */
export function banners(view: EntryView, { stored, readOnly, scope, key, problem }: SurroundingsMessage) {
  return html`<div class="banners" role="status">
    ${readOnly ? banner('lock', t('Restricted Mode: the entry can be read, and not changed. Trust the workspace to edit it.')) : nothing}
    ${
      problem
        ? banner(
            'error',
            problem,
            'danger',
            html`<vscode-button secondary @click=${() => view.post({ type: 'ready' })}>${t('Try Again')}</vscode-button>`,
          )
        : nothing
    }
    ${scope || problem ? nothing : banner('error', t('There is no scope {0} any more. Saving this entry would fail.', key.scope_id), 'danger')}
    ${scope && stored === 'deleted' ? banner('trash', t('This entry was deleted. Saving stores it again; its history is below.'), 'warning') : nothing}
    ${scope && stored === 'new' ? banner('sparkle', t('This entry is new. It counts once it is saved.')) : nothing}
    ${view.document.faults.map((fault) =>
      banner(
        'error',
        t('Line {0}: {1}', fault.line, fault.message),
        'danger',
        html`<vscode-button secondary @click=${() => view.post({ type: 'openAsText', offset: fault.offset })}>
          ${t('Open as Text')}
        </vscode-button>`,
      ),
    )}
  </div>`;
}

function banner(icon: string, text: string, kind = '', action: TemplateResult | typeof nothing = nothing) {
  return html`<div class="banner ${kind}">
    <span class="codicon codicon-${icon}" aria-hidden="true"></span><span class="grow">${text}</span>${action}
  </div>`;
}
