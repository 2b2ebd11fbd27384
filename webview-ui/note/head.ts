import { html, nothing, type TemplateResult } from 'lit';
import { t } from '../shared/l10n';
import { ratingLine } from '../shared/rating';
import type { NoteView } from './view';
import { entryTypeName, spaceName } from './words';

const crumb = html`<span class="crumb codicon codicon-chevron-right" aria-hidden="true"></span>`;

export function head(view: NoteView) {
  const { document: shown, surroundings, draft } = view;
  const { space, category, hasRegistry } = surroundings;
  const type = draft.fields.entry_type;
  return html`<header class="head">
    <div class="name">
      <p class="path quiet">${spaceName(space)}${category.split('/').map((part) => (part ? html`${crumb}${part}` : nothing))}</p>
      <div class="title">
        <h1>${draft.fields.title}</h1>
        ${type ? html`<span class="badge">${entryTypeName(type)}</span>` : nothing}
        ${shown.note_version ? html`<span class="badge">${t('Version {0}', shown.note_version)}</span>` : nothing}
      </div>
      ${view.rating ? ratingLine(view.rating, (message) => view.post(message)) : nothing}
    </div>
    <div class="actions" role="toolbar" aria-label=${t('Actions')}>
      <vscode-button secondary icon="markdown" @click=${() => view.sayAfterEdits({ type: 'openAsText' })}>
        ${t('Open as Text')}
      </vscode-button>
      <vscode-button secondary icon="type-hierarchy" @click=${() => view.post({ type: 'run', command: 'graph' })}>
        ${t('Graph')}
      </vscode-button>
      ${
        hasRegistry && view.canWrite
          ? html`<vscode-button secondary icon="cloud-upload" @click=${() => view.sayAfterEdits({ type: 'run', command: 'publish' })}>
              ${t('Publish')}
            </vscode-button>`
          : nothing
      }
      <vscode-button secondary icon="copy" @click=${() => view.post({ type: 'run', command: 'copyReference' })}>
        ${t('Copy Reference for Agent')}
      </vscode-button>
      <vscode-button secondary icon="history" @click=${() => view.post({ type: 'run', command: 'changes' })}>
        ${t('Changes')}
      </vscode-button>
    </div>
  </header>`;
}

/** What the person has to know before the rest, and what is wrong with the document. */
export function banners(view: NoteView) {
  const { document: shown, surroundings } = view;
  return html`<div class="banners" role="status">
    ${surroundings.readOnly ? banner('lock', t('Restricted Mode: the note can be read, and not changed. Trust the workspace to edit it.')) : nothing}
    ${
      surroundings.problem
        ? banner(
            'error',
            surroundings.problem,
            'danger',
            html`<vscode-button secondary @click=${() => view.post({ type: 'ready' })}>${t('Try Again')}</vscode-button>`,
          )
        : nothing
    }
    ${shown.isReadable ? nothing : banner('error', t('The front matter cannot be read, so it can be edited as text only. The text below it can be edited here.'), 'danger')}
    ${shown.problems.map(({ message, line, offset, isGrave, broken, field }) =>
      field
        ? nothing
        : banner(
            isGrave ? 'warning' : 'info',
            t('Line {0}: {1}', line, message),
            isGrave ? 'warning' : '',
            html`${
              broken !== undefined && view.canWrite
                ? html`<vscode-button secondary @click=${() => view.sayAfterEdits({ type: 'create', target: broken })}>
                      ${t('Create Note')}
                    </vscode-button>`
                : nothing
            }
              <vscode-button secondary @click=${() => view.sayAfterEdits({ type: 'openAsText', offset })}>
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
