import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import '@vscode-elements/elements/dist/vscode-option/index.js';
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import '@vscode-elements/elements/dist/vscode-single-select/index.js';
import '@vscode-elements/elements/dist/vscode-tab-header/index.js';
import '@vscode-elements/elements/dist/vscode-tab-panel/index.js';
import '@vscode-elements/elements/dist/vscode-tabs/index.js';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { ProjectDetails, ProjectMessage, ProjectPart, ProjectRequest, ProjectState } from '../protocol/project';
import { connect } from '../shared/host';
import { t } from '../shared/l10n';
import { boardPart } from './board';
import { type Answer, type Drafts, FieldDrafts, type Question } from './fields';
import { inheritancePart } from './inheritance';
import { overviewPart } from './overview';
import type { BoardUse, NewParent, Page } from './page';
import { sessionsPart } from './sessions';
import { failurePart, startPart } from './start';

interface Kept {
  part: ProjectPart;
  /** The project that all of the following belongs to. */
  project_id: string | null;
  drafts: Drafts;
  board: BoardUse;
  newParent: NewParent;
}

const PARTS: { id: ProjectPart; title: () => string; content: (page: Page) => TemplateResult }[] = [
  { id: 'overview', title: () => t('Overview'), content: overviewPart },
  { id: 'inheritance', title: () => t('Inheritance'), content: inheritancePart },
  { id: 'progress', title: () => t('Progress'), content: boardPart },
  { id: 'sessions', title: () => t('Sessions'), content: sessionsPart },
];

const host = connect<ProjectRequest, ProjectMessage, Kept>();

const newBoard = (): BoardUse => ({
  domain: '',
  editing: undefined,
  adding: undefined,
  error: '',
  allCompleted: false,
});
const noParent = (): NewParent => ({ tier: 'GROUP', name: '', error: '' });

/** The whole page. It is drawn without a shadow root, so that `project.css` holds for all of it. */
class ProjectElement extends LitElement implements Page {
  static override properties = { pictureWidth: { state: true } };

  pictureWidth = 0;
  readonly fields: FieldDrafts;
  readonly board: BoardUse;
  readonly newParent: NewParent;
  private current: ProjectState | undefined;
  private shown: ProjectPart;
  private announced = '';
  private failure = '';
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private lastRequest = 0;

  constructor() {
    super();
    const { part, drafts, board, newParent } = host.state();
    this.shown = part ?? 'overview';
    this.board = board ?? newBoard();
    this.newParent = newParent ?? noParent();
    this.fields = new FieldDrafts(
      (question) => this.ask(question),
      (changed) => {
        host.keep({ drafts: changed });
        this.requestUpdate();
      },
      drafts,
    );
    host.onMessage((message) => this.receive(message));
    new ResizeObserver(([entry]) => {
      this.pictureWidth = Math.floor(entry?.contentRect.width ?? 0);
    }).observe(this);
    this.addEventListener('keydown', (event) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void this.fields.saveAll();
    });
  }

  get state(): ProjectState {
    return this.current!;
  }

  get project(): ProjectDetails {
    return this.state.project!;
  }

  ask(question: Question): Promise<Answer> {
    const request = ++this.lastRequest;
    host.post({ ...question, request, project_id: this.state.project_id ?? '' } as ProjectRequest);
    return new Promise((resolve) => this.waiting.set(request, resolve));
  }

  post(message: ProjectRequest): void {
    host.post(message);
  }

  changed(): void {
    host.keep({ part: this.shown, board: this.board, newParent: this.newParent });
    this.requestUpdate();
  }

  async focusOn(selector: string): Promise<void> {
    await this.updateComplete;
    this.querySelector<HTMLElement>(selector)?.focus();
  }

  announce(text: string): void {
    this.announced = text;
    this.requestUpdate();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render() {
    if (this.failure) return failurePart(this, this.failure);
    if (!this.current) return nothing;
    if (!this.current.project) return startPart(this);
    const selected = PARTS.findIndex(({ id }) => id === this.shown);
    return html`
      ${this.head()}
      <vscode-tabs .selectedIndex=${selected} @vsc-tabs-select=${this.select}>
        ${PARTS.map(({ title }) => html`<vscode-tab-header slot="header">${title()}</vscode-tab-header>`)}
        ${PARTS.map(
          ({ id, content }) =>
            html`<vscode-tab-panel class="part" data-part=${id}>
              ${id === this.shown ? content(this) : nothing}
            </vscode-tab-panel>`,
        )}
      </vscode-tabs>
      <div class="visually-hidden" role="status">${this.announced}</div>
    `;
  }

  private head() {
    const { writable, project_id } = this.state;
    const { name, description } = this.project.texts;
    return html`
      <header class="head">
        <span class="codicon codicon-project" aria-hidden="true"></span>
        <div class="names">
          <h1>${name}</h1>
          <p><code>${project_id}</code>${description ? html` · ${description}` : nothing}</p>
        </div>
        ${
          writable
            ? nothing
            : html`<p class="notice">
                <span class="codicon codicon-lock" aria-hidden="true"></span>
                ${t('Restricted Mode: nothing can be changed.')}
                <vscode-button secondary @click=${() => this.post({ type: 'run', command: 'trust' })}>
                  ${t('Manage Trust')}
                </vscode-button>
              </p>`
        }
      </header>
    `;
  }

  private select(event: CustomEvent<{ selectedIndex: number }>): void {
    this.show(PARTS[event.detail.selectedIndex]?.id ?? 'overview');
  }

  private show(part: ProjectPart): void {
    this.shown = part;
    this.changed();
  }

  /** What was typed for one project is not for another. */
  private startOver(project: string | null): void {
    const before = host.state().project_id;
    if (project === before) return;
    host.keep({ project_id: project });
    if (before === undefined) return;
    this.fields.forgetAll();
    Object.assign(this.board, newBoard());
    Object.assign(this.newParent, noParent());
    this.changed();
  }

  private receive(message: ProjectMessage): void {
    switch (message.type) {
      case 'state':
        this.current = message.state;
        this.failure = '';
        this.startOver(message.state.project_id);
        if (message.state.project) this.fields.update(message.state.project);
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
}

customElements.define('kaizen-project', ProjectElement);
document.body.append(document.createElement('kaizen-project'));
host.post({ type: 'ready' });
