import { html, nothing, type TemplateResult } from 'lit';
import { LONGEST_TEXT } from '../protocol/limits';
import type { ParentChoice } from '../protocol/project';
import { t } from '../shared/l10n';
import { standingSign, textField, textOf, trouble } from './field';
import type { Page } from './page';
import { chainTable, picture } from './picture';

/** Where the project's rules come from: the picture of its chain, and what it inherits from. */
export function inheritancePart(page: Page): TemplateResult {
  return html`
    <p class="lead">${t('Of one keyword, the entry of the lowest number holds. Choose a scope to see its entries.')}</p>
    ${picture(page)}
    <div class="columns">
      <div class="column">
        <h2>${t('This project')}</h2>
        ${textField(page, 'name', { label: t('Name') })}
        ${textField(page, 'description', { label: t('Description'), rows: 3 })}
        <h2>${t('Inherits from')} ${standingSign(page.fields.list('parents').standing)}</h2>
        ${parentsField(page)}
      </div>
      <div class="column">
        <h2>${t('The chain as a table')}</h2>
        ${chainTable(page.project.chain)}
      </div>
    </div>
  `;
}

function parentsField(page: Page): TemplateResult {
  const { choices } = page.project;
  const view = page.fields.list('parents');
  const ofTier = (tier: ParentChoice['tier']) => choices.filter((choice) => choice.tier === tier);
  const choose = (id: string, chosen: boolean) => {
    const parents = chosen ? [...view.value, id] : view.value.filter((each) => each !== id);
    page.fields.type('parents', parents);
    const refusal = refusalOf(choices, parents);
    if (refusal) page.fields.refuse('parents', refusal);
    else void page.fields.save('parents');
  };
  const list = (tier: ParentChoice['tier'], title: string, none: string) => html`
    <fieldset class="choices">
      <legend>${title}</legend>
      ${ofTier(tier).length === 0 ? html`<p class="hint">${none}</p>` : nothing}
      ${ofTier(tier).map(
        ({ scope_id, name, products }) => html`<div class="choice">
          <vscode-checkbox
            .checked=${view.value.includes(scope_id)}
            ?disabled=${!page.state.writable}
            .label=${name}
            @change=${(event: Event) => choose(scope_id, (event.currentTarget as HTMLInputElement).checked)}
          ></vscode-checkbox>
          <span class="hint"><code>${scope_id}</code>${
            tier === 'GROUP' && products.length > 0 ? html` · ${t('of the product {0}', products.join(', '))}` : nothing
          }</span>
        </div>`,
      )}
    </fieldset>
  `;
  return html`<div class="edited" data-field="parents">
    ${list('PRODUCT', t('Product'), t('There is no product yet. A product holds what several of its projects share.'))}
    ${list('GROUP', t('Groups'), t('There is no group yet. A group holds what projects of one kind share.'))}
    ${trouble(page, 'parents', view)}
    ${page.state.writable ? newParentForm(page) : nothing}
  </div>`;
}

/** Why the project cannot inherit from all of these; undefined when it can. */
function refusalOf(choices: readonly ParentChoice[], parents: readonly string[]): string | undefined {
  const products = new Set(
    choices.filter(({ scope_id }) => parents.includes(scope_id)).flatMap((each) => each.products),
  );
  if (products.size < 2) return undefined;
  const names = [...products].map((id) => `"${id}"`).join(', ');
  return t('The project would inherit from several products: {0}. One is the most: leave the others out.', names);
}

function newParentForm(page: Page): TemplateResult {
  const { newParent } = page;
  const add = async () => {
    if (newParent.name.trim() === '') return;
    const { error } = await page.ask({ type: 'addParent', tier: newParent.tier, name: newParent.name.trim() });
    newParent.error = error ?? '';
    if (error === undefined) newParent.name = '';
    page.changed();
  };
  return html`<div class="new-parent" role="group" aria-label=${t('Add a scope')}>
      <vscode-single-select
        .label=${t('Tier of the new scope')}
        .value=${newParent.tier}
        @change=${(event: Event) => {
          newParent.tier = textOf(event) === 'PRODUCT' ? 'PRODUCT' : 'GROUP';
          page.changed();
        }}
      >
        <vscode-option value="GROUP" ?selected=${newParent.tier === 'GROUP'}>${t('New group')}</vscode-option>
        <vscode-option value="PRODUCT" ?selected=${newParent.tier === 'PRODUCT'}>${t('New product')}</vscode-option>
      </vscode-single-select>
      <input
        class="field" maxlength=${LONGEST_TEXT}
        aria-label=${t('Name of the new scope')}
        placeholder=${t('Name')}
        .value=${newParent.name}
        @input=${(event: Event) => {
          newParent.name = textOf(event);
          newParent.error = '';
          page.changed();
        }}
        @keydown=${(event: KeyboardEvent) => event.key === 'Enter' && add()}
      />
      <vscode-button secondary icon="add" ?disabled=${newParent.name.trim() === ''} @click=${add}>${t('Add')}</vscode-button>
    </div>
    ${
      newParent.error
        ? html`<p class="refusal" role="alert">
            <span class="codicon codicon-error" aria-hidden="true"></span><span>${newParent.error}</span>
          </p>`
        : nothing
    }`;
}
