import { html, type TemplateResult } from 'lit';
import { t } from '../shared/l10n';
import { listField, textField } from './field';
import type { Page } from './page';

/** What the project is about: an agent reads it when it begins to work. */
export function overviewPart(page: Page): TemplateResult {
  return html`
    <p class="lead">${t('An agent reads this first, each time it begins to work. What you change is saved when you leave a field.')}</p>
    <div class="columns">
      <div class="column">
        ${textField(page, 'purpose', {
          label: t('Purpose'),
          hint: t('What the project is for, and for whom.'),
          rows: 5,
        })}
        ${textField(page, 'current_phase', {
          label: t('Current phase'),
          placeholder: t('For example: beta, hardening before launch'),
          rows: 2,
        })}
        ${listField(page, 'key_constraints', {
          label: t('Key constraints'),
          hint: t('What every solution has to respect.'),
          placeholder: t('Add a constraint'),
        })}
      </div>
      <div class="column">
        ${listField(page, 'tech_stack', {
          label: t('Tech stack'),
          hint: t('Languages, frameworks and services, with versions where they matter.'),
          placeholder: t('Add a technology'),
        })}
        ${listField(page, 'compliance', {
          label: t('Compliance'),
          hint: t('Standards and laws that hold here.'),
          placeholder: t('Add a standard'),
        })}
      </div>
    </div>
  `;
}
