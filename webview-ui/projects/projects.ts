import '@vscode-elements/elements/dist/vscode-button/index.js';
import '../charts';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { ProjectsMessage, ProjectsPart, ProjectsRequest, ProjectsState, ProjectsView } from '../protocol/projects';
import { connect } from '../shared/host';
import { t } from '../shared/l10n';
import { board, CARDS_A_PAGE } from './board';
import { details } from './details';
import { rebased } from './drafts';
import { estimates } from './estimates';
import { EMPTY_OUTCOME, planFieldsOf } from './fields';
import { formPart, openPlan, textOf } from './forms';
import { openForm } from './opening';
import type { Answer, Form, Page, Question } from './page';

interface Kept {
  view: ProjectsView;
  form: Form | null;
  comparing: boolean;
}

const host = connect<ProjectsRequest, ProjectsMessage, Kept>();

/** Letters that follow each other quickly are looked for at once. */
const TYPING_PAUSE_MS = 150;
const EMPTY_VIEW: ProjectsView = {
  text: '',
  type: '',
  domain: '',
  shown: { planning: CARDS_A_PAGE, active: CARDS_A_PAGE, completed: CARDS_A_PAGE, abandoned: CARDS_A_PAGE },
  project: null,
};

/** The whole page. It is drawn without a shadow root, so that `projects.css` holds for all of it. */
class ProjectsElement extends LitElement implements Page {
  view: ProjectsView = { ...EMPTY_VIEW, ...host.state().view };
  form: Form | undefined = host.state().form ?? undefined;
  error = '';
  comparing = host.state().comparing ?? false;
  private current: ProjectsState | undefined;
  private failure = '';
  private announced = '';
  /** A form that waits for the details of its project. */
  private pending: ProjectsPart | undefined;
  private pause: number | undefined;
  private lastRequest = 0;
  private readonly waiting = new Map<number, (answer: Answer) => void>();

  constructor() {
    super();
    host.onMessage((message) => this.receive(message));
  }

  get state(): ProjectsState {
    return this.current!;
  }

  look(changed: Partial<ProjectsView>, pause = 0): void {
    this.view = { ...this.view, ...changed };
    this.changed();
    window.clearTimeout(this.pause);
    this.pause = window.setTimeout(() => host.post({ type: 'look', view: this.view }), pause);
  }

  ask(question: Question): Promise<Answer> {
    const request = ++this.lastRequest;
    const before = this.current?.details?.record;
    host.post({ ...question, request } as ProjectsRequest);
    return new Promise((resolve) =>
      this.waiting.set(request, (answer) => {
        if (answer.error === undefined && this.form) rebased(this.form, before, this.current?.details?.record);
        resolve(answer);
      }),
    );
  }

  post(message: ProjectsRequest): void {
    host.post(message);
  }

  changed(): void {
    host.keep({ view: this.view, form: this.form ?? null, comparing: this.comparing });
    this.requestUpdate();
  }

  /** What is not there yet may be in what the extension says next. */
  async focusOn(selector: string): Promise<void> {
    for (let left = 10; left > 0; left--) {
      await this.updateComplete;
      const found = this.querySelector<HTMLElement>(selector);
      if (found) return found.focus();
      await new Promise((resolve) => window.setTimeout(resolve, 50));
    }
  }

  announce(text: string): void {
    this.announced = text;
    this.requestUpdate();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.failure) return this.failed();
    if (!this.current) return nothing;
    const { total, details: shown, writable } = this.current;
    return html`<main>
      <header class="head">
        <div>
          <h1>${t('Projects')}</h1>
          <p class="quiet">${t('What was planned, what became of it, and what it took.')}</p>
        </div>
        ${writable ? nothing : this.restricted()}
      </header>
      ${
        this.error
          ? html`<div class="banner refusal" role="alert">
              <span class="codicon codicon-error" aria-hidden="true"></span><span class="grow">${this.error}</span>
            </div>`
          : nothing
      }
      ${total === 0 && !this.form ? this.empty() : this.full(shown)}
      <div class="visually-hidden" role="status">${this.announced}</div>
    </main>`;
  }

  private full(shown: ProjectsState['details']): TemplateResult {
    return html`${formPart(this)} ${estimates(this)} ${this.filter()}
      <div class=${shown ? 'split' : ''}>
        <div>${board(this)}</div>
        ${shown ? details(this, shown) : nothing}
      </div>`;
  }

  private filter(): TemplateResult {
    const { types, domains, writable } = this.state;
    const { text, type, domain } = this.view;
    // Cards that were asked for with another filter are not all wanted with this one.
    const filterBy = (changed: Partial<ProjectsView>, pause = 0) =>
      this.look({ ...changed, shown: EMPTY_VIEW.shown }, pause);
    const choice = (label: string, all: string, names: readonly string[], current: string, key: 'type' | 'domain') =>
      html`<select class="field" aria-label=${label} @change=${(event: Event) => filterBy({ [key]: textOf(event) })}>
        <option value="" .selected=${current === ''}>${all}</option>
        ${names.map((name) => html`<option value=${name} .selected=${name === current}>${name}</option>`)}
      </select>`;
    return html`<div class="filter" role="search">
      <input
        class="field"
        type="search"
        maxlength="200"
        aria-label=${t('Filter projects by words')}
        placeholder=${t('Filter by words')}
        .value=${text}
        @input=${(event: Event) => filterBy({ text: textOf(event) }, TYPING_PAUSE_MS)}
      />
      ${choice(t('Filter by type'), t('All types'), types, type, 'type')}
      ${choice(t('Filter by domain'), t('All domains'), domains, domain, 'domain')}
      ${writable ? html`<vscode-button class="new" icon="add" @click=${() => openPlan(this)}>${t('New Project…')}</vscode-button>` : nothing}
    </div>`;
  }

  private empty(): TemplateResult {
    const { writable } = this.state;
    return html`<section class="start">
      <span class="codicon codicon-project" aria-hidden="true"></span>
      <p>
        ${t('A project that is captured here keeps what was estimated, what it took and what became of it. The next one can be planned by that: from its template, its risks and its lessons.')}
      </p>
      ${
        writable
          ? html`<vscode-button class="new" @click=${() => openPlan(this)}>${t('New Project…')}</vscode-button>`
          : html`<p class="quiet">${t('In Restricted Mode nothing is added.')}</p>`
      }
    </section>`;
  }

  private restricted(): TemplateResult {
    return html`<p class="notice">
      <span class="codicon codicon-lock" aria-hidden="true"></span>
      ${t('Restricted Mode: nothing can be changed.')}
      <vscode-button secondary @click=${() => this.post({ type: 'trust' })}>${t('Manage Trust')}</vscode-button>
    </p>`;
  }

  private failed(): TemplateResult {
    return html`<section class="start">
      <span class="codicon codicon-error" aria-hidden="true"></span>
      <h1>${t('The projects cannot be shown')}</h1>
      <p>${this.failure}</p>
      <vscode-button @click=${() => host.post({ type: 'ready', view: this.view })}>${t('Try Again')}</vscode-button>
    </section>`;
  }

  private receive(message: ProjectsMessage): void {
    switch (message.type) {
      case 'state':
        this.current = message.state;
        this.failure = '';
        this.openPending();
        this.requestUpdate();
        return;
      case 'failed':
        this.failure = message.error;
        this.requestUpdate();
        return;
      case 'show':
        this.show(message.part);
        return;
      case 'answer':
        this.waiting.get(message.request)?.(message);
        this.waiting.delete(message.request);
        return;
    }
  }

  private show(part: ProjectsPart): void {
    this.error = '';
    if (part.form === 'create') {
      openPlan(this, part.template);
      return;
    }
    if (!this.form?.touched) this.form = undefined;
    // Nothing hides it.
    this.pending = part;
    this.look({ project: part.project ?? this.view.project, text: '', type: '', domain: '' });
    if (!part.form) void this.focusOn('.details h2');
  }

  private openPending(): void {
    const record = this.current?.details?.record;
    const { pending } = this;
    if (!pending?.form || !record || record.id !== pending.project || !this.state.writable) return;
    this.pending = undefined;
    const { id: project_id, name } = record;
    if (pending.form === 'change') {
      const fields = planFieldsOf(record);
      openForm(this, { kind: 'change', project_id, name, base: record.updated_at, tasks: fields.tasks, fields });
    } else if (pending.form === 'end') {
      openForm(this, { kind: 'end', project_id, name, fields: { ...EMPTY_OUTCOME } });
    } else {
      openForm(this, { kind: 'abandon', project_id, name, reason: '' });
    }
  }
}

customElements.define('kaizen-projects', ProjectsElement);
document.body.append(document.createElement('kaizen-projects'));
host.post({ type: 'ready', view: { ...EMPTY_VIEW, ...host.state().view } });
