import { html, type TemplateResult } from 'lit';
import type { CoverageSubject } from '../protocol/coverage';
import { t } from '../shared/l10n';
import { authorityName, depthName, recencyName, workflowName } from './words';

/** What the fields hold, for a topic and for a workflow: neither is lost when the other is chosen. */
export interface Fields {
  kind: CoverageSubject['kind'];
  topic: string;
  depth: NonNullable<TopicSubject['depth']>;
  authority: NonNullable<TopicSubject['authority']>;
  recency: NonNullable<TopicSubject['recency']>;
  context: NonNullable<TopicSubject['workflow']>;
  workflow: WorkflowSubject['workflow'];
  description: string;
  /** A line each. */
  topics: string;
  standards: string;
}

type TopicSubject = Extract<CoverageSubject, { kind: 'topic' }>;
type WorkflowSubject = Extract<CoverageSubject, { kind: 'workflow' }>;

/** As the domain takes them where nothing is said. */
export const EMPTY_FIELDS: Fields = {
  kind: 'topic',
  topic: '',
  depth: 'working',
  authority: 'reputable',
  recency: 'any',
  context: 'general',
  workflow: 'planning',
  description: '',
  topics: '',
  standards: '',
};

const DEPTHS = ['surface', 'working', 'expert'] as const;
const AUTHORITIES = ['any', 'reputable', 'authoritative', 'normative'] as const;
const RECENCIES = ['any', 'recent_5y', 'recent_2y', 'current'] as const;
const CONTEXTS = ['general', 'rcca', 'trade_study', 'exploration', 'planning'] as const;
const WORKFLOWS = ['rcca', 'trade_study', 'exploration', 'planning', 'gap_analysis'] as const;

/** What the fields ask; undefined as long as something is missing. */
export function subjectOf(fields: Fields): CoverageSubject | undefined {
  if (fields.kind === 'topic') {
    const topic = fields.topic.trim();
    const { depth, authority, recency, context: workflow } = fields;
    return topic === '' ? undefined : { kind: 'topic', topic, depth, authority, recency, workflow };
  }
  const description = fields.description.trim();
  if (description === '') return undefined;
  const [topics, standards] = [linesOf(fields.topics), linesOf(fields.standards)];
  return {
    kind: 'workflow',
    workflow: fields.workflow,
    description,
    ...(topics.length > 0 ? { topics } : {}),
    ...(standards.length > 0 ? { standards } : {}),
  };
}

/** The fields for what was asked. */
export function fieldsOf(subject: CoverageSubject, before: Fields): Fields {
  if (subject.kind === 'topic') {
    const { topic, depth, authority, recency, workflow } = subject;
    const { depth: working, authority: reputable, recency: any, context } = EMPTY_FIELDS;
    return {
      ...before,
      kind: 'topic',
      topic,
      depth: depth ?? working,
      authority: authority ?? reputable,
      recency: recency ?? any,
      context: workflow ?? context,
    };
  }
  const { workflow, description, topics = [], standards = [] } = subject;
  return {
    ...before,
    kind: 'workflow',
    workflow,
    description,
    topics: topics.join('\n'),
    standards: standards.join('\n'),
  };
}

export interface FormActions {
  change(changed: Partial<Fields>): void;
  ask(): void;
}

/** Asks what the library is to be enough for. */
export function form(fields: Fields, actions: FormActions): TemplateResult {
  const isTopic = fields.kind === 'topic';
  const submit = (event: Event) => {
    event.preventDefault();
    actions.ask();
  };
  return html`<form class="ask" @submit=${submit}>
    <fieldset class="kinds">
      <legend class="visually-hidden">${t('What the library is to be enough for')}</legend>
      ${(['topic', 'workflow'] as const).map(
        (kind) => html`<label class="kind">
          <input
            type="radio"
            name="kind"
            value=${kind}
            .checked=${fields.kind === kind}
            @change=${() => actions.change({ kind })}
          />${kind === 'topic' ? t('A topic') : t('A workflow')}
        </label>`,
      )}
    </fieldset>
    ${isTopic ? topicFields(fields, actions) : workflowFields(fields, actions)}
    <div class="submit">
      <vscode-button ?disabled=${!subjectOf(fields)} @click=${() => actions.ask()}>${t('Assess')}</vscode-button>
    </div>
  </form>`;
}

function topicFields(fields: Fields, { change }: FormActions): TemplateResult {
  return html`
    <label class="wide-field">
      <span>${t('Topic')}</span>
      <input
        class="field"
        autocomplete="off"
        maxlength="2000"
        placeholder=${t('such as fatigue of welded joints')}
        .value=${fields.topic}
        @input=${(event: Event) => change({ topic: textOf(event) })}
      />
    </label>
    ${select(t('Depth'), DEPTHS, fields.depth, depthName, (depth) => change({ depth }))}
    ${select(t('Authority'), AUTHORITIES, fields.authority, authorityName, (authority) => change({ authority }))}
    ${select(t('Age'), RECENCIES, fields.recency, recencyName, (recency) => change({ recency }))}
    ${select(t('Weights for'), CONTEXTS, fields.context, workflowName, (context) => change({ context }))}
  `;
}

function workflowFields(fields: Fields, { change }: FormActions): TemplateResult {
  return html`
    ${select(t('Workflow'), WORKFLOWS, fields.workflow, workflowName, (workflow) => change({ workflow }))}
    <label class="wide-field">
      <span>${t('What is to be done')}</span>
      <textarea
        class="field"
        rows="2"
        maxlength="2000"
        placeholder=${t('Topics are read from it, unless you name them.')}
        .value=${fields.description}
        @input=${(event: Event) => change({ description: textOf(event) })}
      ></textarea>
    </label>
    <label class="half-field">
      <span>${t('Topics, one a line')}</span>
      <textarea
        class="field"
        rows="3"
        maxlength="20000"
        .value=${fields.topics}
        @input=${(event: Event) => change({ topics: textOf(event) })}
      ></textarea>
    </label>
    <label class="half-field">
      <span>${t('Standards that it needs, one a line')}</span>
      <textarea
        class="field"
        rows="3"
        maxlength="20000"
        .value=${fields.standards}
        @input=${(event: Event) => change({ standards: textOf(event) })}
      ></textarea>
    </label>
  `;
}

function select<T extends string>(
  label: string,
  values: readonly T[],
  current: T,
  name: (value: T) => string,
  change: (value: T) => void,
): TemplateResult {
  return html`<label class="choice">
    <span>${label}</span>
    <select class="field" @change=${(event: Event) => change(textOf(event) as T)}>
      ${values.map((value) => html`<option value=${value} .selected=${value === current}>${name(value)}</option>`)}
    </select>
  </label>`;
}

function textOf(event: Event): string {
  return (event.target as HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement).value;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
