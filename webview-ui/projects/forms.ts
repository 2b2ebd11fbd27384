import { html, nothing, type TemplateResult } from 'lit';
import type { OutcomeStatus } from '../../src/learning/vocabulary';
import { LONGEST_TEXT } from '../protocol/limits';
import { t } from '../shared/l10n';
import { EMPTY_PLAN, faultyOutcome, faultyPlan, outcomeOf, planOf } from './fields';
import { cardSelector } from './moves';
import { openForm } from './opening';
import type { Form, Page, Question } from './page';
import { outcomeName, ratingName, VISIBILITIES, visibilityName } from './words';

const LONGEST_LINE = 200;
const OUTCOMES = ['completed', 'partial', 'abandoned'] as const satisfies readonly OutcomeStatus[];
const RATINGS = [1, 2, 3, 4, 5];

type FormOf<K extends Form['kind']> = Extract<Form, { kind: K }>;

/** The form that is open. */
export function formPart(page: Page): TemplateResult | typeof nothing {
  const { form } = page;
  switch (form?.kind) {
    case 'create':
    case 'change':
      return planForm(page, form);
    case 'end':
      return outcomeForm(page, form);
    case 'abandon':
      return reasonForm(page, form);
    case undefined:
      return nothing;
  }
}

export function openPlan(page: Page, template = ''): void {
  openForm(page, { kind: 'create', fields: { ...EMPTY_PLAN, template } });
}

function planForm(page: Page, form: FormOf<'create' | 'change'>): TemplateResult {
  const { fields } = form;
  const isNew = form.kind === 'create';
  const template = page.state.templates.find(({ id }) => id === fields.template);
  const faulty = faultyPlan(fields);
  const set = setter(page, fields);
  const submit = () => {
    const tasks = isNew ? '' : form.tasks;
    const plan = planOf(fields, tasks);
    void send(
      page,
      isNew ? { type: 'create', plan } : { type: 'change', project_id: form.project_id, base: form.base, plan },
    );
  };
  const proposed = (value: string | undefined) => (value ? t('as the template: {0}', value) : '');
  return frame(page, {
    title: isNew ? t('New Project') : t('Change "{0}"', form.name),
    action: isNew ? t('Plan Project') : t('Save'),
    ready: faulty === undefined,
    submit,
    content: html`
      ${text(t('Name'), fields.name, set('name'), { wide: true, longest: LONGEST_LINE })}
      ${
        isNew && page.state.templates.length > 0
          ? choice(
              t('Template that it follows'),
              [
                { value: '', label: t('None') },
                ...page.state.templates.map(({ id, name, tasks }) => ({
                  value: id,
                  label: tasks === 1 ? t('{0} (1 task)', name) : t('{0} ({1} tasks)', name, tasks),
                })),
              ],
              fields.template,
              set('template'),
            )
          : nothing
      }
      ${text(t('Type'), fields.type, set('type'), { options: page.state.types, placeholder: proposed(template?.project_type) || t('such as migration, release, rcca'), longest: LONGEST_LINE })}
      ${text(t('Domain'), fields.domain, set('domain'), { options: page.state.domains, placeholder: proposed(template?.domain) || t('such as payments, manufacturing'), longest: LONGEST_LINE })}
      ${text(t('Estimated days'), fields.days, set('days'), { isAmount: true, isFaulty: faulty === 'days' })}
      ${text(t('Estimated hours of work'), fields.hours, set('hours'), { isAmount: true, isFaulty: faulty === 'hours' })}
      ${choice(
        t('Who sees it'),
        VISIBILITIES.map((value) => ({ value, label: visibilityName(value) })),
        fields.visibility,
        set('visibility'),
      )}
      ${area(t('Description'), fields.description, set('description'), { rows: 2 })}
      ${area(t('Tasks, one a line, with estimated hours in brackets'), fields.tasks, set('tasks'), {
        rows: 5,
        placeholder: template && fields.tasks === '' ? t('as the template') : `${t('Rehearse the switch')} (8 h)`,
      })}
    `,
  });
}

function outcomeForm(page: Page, form: FormOf<'end'>): TemplateResult {
  const { fields } = form;
  const faulty = faultyOutcome(fields);
  const set = setter(page, fields);
  const submit = () => void send(page, { type: 'end', project_id: form.project_id, outcome: outcomeOf(fields) });
  const isAbandoned = fields.status === 'abandoned';
  return frame(page, {
    title: t('What became of "{0}"?', form.name),
    action: isAbandoned ? t('Abandon') : t('Complete'),
    ready: faulty === undefined,
    submit,
    content: html`
      ${choice(
        t('Outcome'),
        OUTCOMES.map((value) => ({ value, label: outcomeName(value) })),
        fields.status,
        set('status'),
      )}
      ${choice(
        t('How well did it go? (optional)'),
        [
          { value: '', label: t('not said') },
          ...RATINGS.map((rating) => ({ value: String(rating), label: `${rating}: ${ratingName(rating)}` })),
        ],
        fields.rating,
        set('rating'),
      )}
      ${text(t('Days that it took'), fields.days, set('days'), { isAmount: true, isFaulty: faulty === 'days' })}
      ${text(t('Hours of work that it took'), fields.hours, set('hours'), { isAmount: true, isFaulty: faulty === 'hours' })}
      ${area(isAbandoned ? t('Why it is abandoned') : t('Summary'), fields.summary, set('summary'), { rows: 3 })}
      ${area(t('Lessons, one a line'), fields.lessons, set('lessons'), { rows: 3 })}
      ${area(t('What worked, one a line'), fields.worked, set('worked'), { rows: 2, half: true })}
      ${area(t("What didn't work, one a line"), fields.failed, set('failed'), { rows: 2, half: true })}
    `,
  });
}

function reasonForm(page: Page, form: FormOf<'abandon'>): TemplateResult {
  const submit = () =>
    void send(page, { type: 'move', project_id: form.project_id, transition: 'abandon', reason: form.reason.trim() });
  return frame(page, {
    title: t('Abandon "{0}"', form.name),
    action: t('Abandon'),
    ready: form.reason.trim() !== '',
    submit,
    content: area(
      t('Why is it abandoned? Others plan by it.'),
      form.reason,
      (value) => {
        form.reason = value;
        form.touched = true;
        page.changed();
      },
      { rows: 3 },
    ),
  });
}

interface Frame {
  title: string;
  action: string;
  ready: boolean;
  submit: () => void;
  content: TemplateResult;
}

function frame(page: Page, { title, action, ready, submit, content }: Frame): TemplateResult {
  const cancel = () => close(page);
  return html`<form
    class="form panel"
    aria-label=${title}
    @submit=${(event: Event) => {
      event.preventDefault();
      if (ready) submit();
    }}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Escape') cancel();
      else if (event.key === 'Enter' && ready && isSubmitting(event)) {
        event.preventDefault();
        submit();
      }
    }}
  >
    <h2>${title}</h2>
    ${content}
    <div class="buttons">
      <vscode-button ?disabled=${!ready} @click=${submit}>${action}</vscode-button>
      <vscode-button secondary @click=${cancel}>${t('Cancel')}</vscode-button>
    </div>
  </form>`;
}

/** In a text of several lines, Enter alone begins the next one. */
function isSubmitting({ target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || target instanceof HTMLInputElement;
}

/** Those that were sent and not answered yet: a second click does not plan a project twice. */
const sent = new WeakSet<Form>();

/** Closes the form when it was done; keeps what was typed when it was refused. */
async function send(page: Page, question: Question): Promise<void> {
  const { form } = page;
  if (!form || sent.has(form)) return;
  sent.add(form);
  const { error, project_id } = await page.ask(question);
  sent.delete(form);
  page.error = error ?? '';
  if (error !== undefined || page.form !== form) {
    page.changed();
    return;
  }
  page.form = undefined;
  if (project_id) page.look({ project: project_id });
  page.changed();
  if (project_id) await page.focusOn(cardSelector(project_id));
}

function close(page: Page): void {
  const { form } = page;
  page.form = undefined;
  page.error = '';
  page.changed();
  void page.focusOn(form && form.kind !== 'create' ? cardSelector(form.project_id) : '.new');
}

/** Keeps what is typed. */
function setter<T extends object>(page: Page, fields: T) {
  return <K extends keyof T>(name: K) =>
    (value: string) => {
      (fields as Record<K, string>)[name] = value;
      if (page.form) page.form.touched = true;
      page.changed();
    };
}

interface TextOptions {
  wide?: boolean;
  options?: readonly string[];
  placeholder?: string;
  longest?: number;
  isAmount?: boolean;
  isFaulty?: boolean;
}

function text(label: string, value: string, set: (value: string) => void, options: TextOptions = {}): TemplateResult {
  const { wide, options: known, placeholder, longest = 20, isAmount, isFaulty } = options;
  const list = known?.length ? `known-${label.replace(/\W/g, '')}` : undefined;
  return html`<label class=${wide ? 'wide' : ''}>
    <span>${label}</span>
    <input
      class="field"
      autocomplete="off"
      maxlength=${longest}
      inputmode=${isAmount ? 'decimal' : 'text'}
      placeholder=${placeholder ?? ''}
      list=${list ?? nothing}
      aria-invalid=${isFaulty ? 'true' : 'false'}
      .value=${value}
      @input=${(event: Event) => set(textOf(event))}
    />
    ${list ? html`<datalist id=${list}>${known?.map((each) => html`<option value=${each}></option>`)}</datalist>` : nothing}
    ${isFaulty ? html`<span class="fault" role="alert">${t('A number of 0 or more is needed.')}</span>` : nothing}
  </label>`;
}

interface AreaOptions {
  rows: number;
  placeholder?: string;
  half?: boolean;
}

function area(label: string, value: string, set: (value: string) => void, options: AreaOptions): TemplateResult {
  const { rows, placeholder = '', half } = options;
  return html`<label class=${half ? 'half' : 'wide'}>
    <span>${label}</span>
    <textarea
      class="field"
      rows=${rows}
      maxlength=${LONGEST_TEXT}
      placeholder=${placeholder}
      .value=${value}
      @input=${(event: Event) => set(textOf(event))}
    ></textarea>
  </label>`;
}

function choice(
  label: string,
  options: readonly { value: string; label: string }[],
  current: string,
  set: (value: string) => void,
): TemplateResult {
  return html`<label>
    <span>${label}</span>
    <select class="field" @change=${(event: Event) => set(textOf(event))}>
      ${options.map(
        ({ value, label: name }) => html`<option value=${value} .selected=${value === current}>${name}</option>`,
      )}
    </select>
  </label>`;
}

export function textOf(event: Event): string {
  return (event.target as HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement).value;
}
