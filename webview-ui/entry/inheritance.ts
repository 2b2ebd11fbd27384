import { html, nothing } from 'lit';
import type { Place, SurroundingsMessage } from '../protocol/entry';
import { t } from '../shared/l10n';
import type { EntryView } from './view';

export function inheritanceSection(view: EntryView, surroundings: SurroundingsMessage) {
  const { overrides, overridden_by, beside } = surroundings;
  return html`<section class="inheritance" aria-labelledby="inheritance-heading">
    <h2 id="inheritance-heading">${t('Inheritance')}</h2>
    <p class="verdict">
      <span class="codicon codicon-${holds(surroundings) ? 'pass' : 'info'}" aria-hidden="true"></span>
      <span>${verdict(surroundings)}</span>
    </p>
    ${places(view, t('Overridden by'), overridden_by)} ${places(view, t('Overrides'), overrides)}
    ${places(view, t('Beside it, in other categories'), beside)}
    ${
      overrides.length + overridden_by.length === 0
        ? html`<p class="quiet">${t('No other scope along the chain has this keyword.')}</p>`
        : nothing
    }
  </section>`;
}

function holds({ project, overridden_by, stored }: SurroundingsMessage): boolean {
  return project?.inherits === true && overridden_by.length === 0 && stored === 'stored';
}

function verdict({ project, overridden_by, stored, scope, key }: SurroundingsMessage): string {
  const scopeName = scope?.name ?? key.scope_id;
  const winner = overridden_by.at(-1);
  if (!project) return t('This window has no project with knowledge of its own, so none is said to hold.');
  if (!project.inherits)
    return t('{0} does not inherit from {1}: this entry does not hold there.', project.name, scopeName);
  if (winner) return t('In {0} the entry of {1} holds instead of this one.', project.name, winner.scope_name);
  if (stored !== 'stored') return t('Once it is saved, this entry holds in {0}.', project.name);
  return t('This entry holds in {0}.', project.name);
}

function places(view: EntryView, title: string, list: readonly Place[]) {
  if (list.length === 0) return nothing;
  return html`<h3>${title}</h3>
    <ul class="places">
      ${list.map(
        ({ tier, scope_name, scope_id, category, keyword }) =>
          html`<li>
            <span class="badge tier">${tier}</span>
            <button type="button" class="link" @click=${() => view.post({ type: 'openEntry', key: { scope_id, category, keyword } })}>
              ${scope_name}<span class="crumb codicon codicon-chevron-right" aria-hidden="true"></span>${category}<span class="crumb codicon codicon-chevron-right" aria-hidden="true"></span>${keyword}
            </button>
          </li>`,
      )}
    </ul>`;
}
