import type { ProjectItem, ProjectRecord, ProjectTemplate } from '../records-model';
import type { Finding, Findings, PlanningRequest } from '../workflows-model';
import { dangers, isOfCategory } from './dangers';
import { isDemand } from './demands';
import type { Passage } from './evidence';
import { because, becauseOf, type Inquiry } from './inquiry';
import { relatedBy } from './related';
import { risksIn } from './risks';
import { planned, similarProjects, similarTemplates } from './similar-projects';
import { bySeverity, once } from './trade';
import { named, sentencesOf, shared, stemSet, stemsOf } from './words';

type Of<O extends PlanningRequest['operation']> = Extract<PlanningRequest, { operation: O }>;

/** Structures that fit (5.4.4): templates first, then checklists and work breakdowns that documents have. */
export async function findTemplates(request: Of<'find_templates'>, inquiry: Inquiry): Promise<Findings> {
  const { template_type = 'any' } = request;
  const findings: Finding[] = [];
  for (const passage of await similarTemplates(request, inquiry)) {
    const template = passage.record.record;
    const forms = formsOf(template);
    if (template_type !== 'any' && !forms.includes(template_type)) continue;
    findings.push(inquiry.finding(passage, { why: because(passage), details: { forms, ...outlineOf(template) } }));
    await inquiry.turns.pause();
  }
  const documents = await inquiry.evidence.search({
    query: `${planned(request)} ${WORDS_FOR[template_type]}`,
    limit: inquiry.deep,
    places: ['library', 'knowledge'],
  });
  for (const passage of documents) {
    const items = passage.text.match(/^\s*(?:[-*+]|\d{1,3}[.)])\s+\S/gmu)?.length ?? 0;
    // What is to serve as a structure has one.
    if (items < 3) continue;
    const forms = /\[[ xX]\]|checklist/iu.test(`${passage.title}\n${passage.text}`) ? ['checklist'] : ['task_list'];
    if (template_type !== 'any' && !forms.includes(template_type)) continue;
    findings.push(
      inquiry.finding(passage, {
        semantic: passage.semantic * 0.7,
        why: because(passage, `a list of ${items} items`),
        details: { forms, items },
      }),
    );
  }
  return inquiry.answer(inquiry.best(findings), {
    operation: request.operation,
    extra: { template_type },
    nothing:
      'There is no template for such a project yet. Make one of a project that was completed with capture_template.',
  });
}

type Form = 'wbs' | 'checklist' | 'task_list' | 'phase_structure';

const WORDS_FOR: Readonly<Record<Form | 'any', string>> = {
  wbs: 'work breakdown structure',
  checklist: 'checklist',
  task_list: 'task list steps',
  phase_structure: 'phases',
  any: 'checklist steps',
};

function formsOf({ task_template, phase_template, checkpoint_template }: ProjectTemplate): Form[] {
  const forms: Form[] = [];
  if (task_template.some(({ parent }) => parent !== undefined)) forms.push('wbs');
  if (task_template.length > 0) forms.push('task_list');
  if (checkpoint_template.length > 0) forms.push('checklist');
  if (phase_template.length > 0) forms.push('phase_structure');
  return forms;
}

function outlineOf(template: ProjectTemplate): Record<string, unknown> {
  return {
    project_type: template.project_type,
    tasks: template.task_template.map(({ name, parent, phase, estimated_hours, depends_on }) => ({
      name,
      parent,
      phase,
      estimated_hours,
      depends_on,
    })),
    phases: template.phase_template,
    checkpoints: template.checkpoint_template,
    typical_duration_range: template.typical_duration_range,
    typical_task_count: template.typical_task_count,
    prerequisites: template.prerequisites,
    abstracted_from: template.abstracted_from_project_ids.length,
  };
}

/** How similar projects were structured, and what came of them (5.4.4). */
export async function findProjectPrecedents(request: Of<'find_precedents'>, inquiry: Inquiry): Promise<Findings> {
  const { similarity_factors = [], include_outcomes = true } = request;
  const findings: Finding[] = [];
  for (const passage of await similarProjects(request, inquiry, similarity_factors)) {
    const project = passage.record.record;
    const said = stemSet(passage.text);
    const factors = similarity_factors.filter((factor) => shared(stemsOf(factor), said).length > 0);
    findings.push(
      inquiry.finding(passage, {
        why: because(passage, factors.length > 0 ? `alike in ${named(factors, 3)}` : undefined),
        details: {
          ...structureOf(project),
          similarity_factors: factors,
          ...(include_outcomes ? outcomeOf(project) : {}),
        },
      }),
    );
    await inquiry.turns.pause();
  }
  return inquiry.answer(inquiry.best(findings), {
    operation: request.operation,
    nothing: 'No similar project was captured.',
  });
}

function structureOf(project: ProjectRecord): Record<string, unknown> {
  return {
    project_type: project.project_type,
    status: project.status,
    phases: project.phases,
    tasks: project.tasks.map(({ name, phase }) => (phase === undefined ? name : `${phase}: ${name}`)),
    checkpoints: project.checkpoints,
    estimated_duration_days: project.estimated_duration_days,
    estimated_effort_hours: project.estimated_effort_hours,
  };
}

function outcomeOf(project: ProjectRecord): Record<string, unknown> {
  const { outcome_status, outcome_summary, success_rating, lessons_learned, what_worked, what_didnt_work } = project;
  const { actual_duration_days, actual_effort_hours } = project;
  return {
    outcome: {
      outcome_status,
      outcome_summary,
      success_rating,
      actual_duration_days,
      actual_effort_hours,
      lessons_learned,
      what_worked,
      what_didnt_work,
    },
  };
}

/** What may go wrong in such a project (5.4.4). */
export async function identifyRisks(request: Of<'identify_risks'>, inquiry: Inquiry): Promise<Findings> {
  const { risk_categories: categories } = request;
  const [found, projects] = [
    await dangers(inquiry, { query: planned(request), categories }),
    await similarProjects(request, inquiry),
  ];
  const known = new Set(found.map(({ uri, content }) => `${uri}\n${content}`));
  for (const passage of projects) {
    const { identified_risks, what_didnt_work } = passage.record.record;
    const items = [
      ...identified_risks.map(({ description }) => ({
        text: description,
        from: 'a risk that a similar project named',
      })),
      ...what_didnt_work.map((text) => ({ text, from: "what didn't work in a similar project" })),
    ];
    for (const { text, from } of items) {
      if (known.has(`${passage.uri}\n${text}`) || !isOfCategory(text, categories ?? [])) continue;
      found.push(
        inquiry.finding(passage, { content: text, why: because(passage, from), details: { risk: text, from } }),
      );
    }
    await inquiry.turns.pause();
  }
  const results = inquiry.best(once(inquiry.sorted(found)));
  return inquiry.answer(results, {
    operation: request.operation,
    extra: { by_severity: bySeverity(results) },
    nothing: 'No risks of such projects are documented. That does not say that there are none.',
  });
}

interface Item {
  text: string;
  from: string;
  type?: string | undefined;
  /** Of a sentence: how much of the passage's fit it has. */
  share?: number | undefined;
}

/** The sentences of a text that say something of what is asked, each with how much of it beside the one that says most. */
function saying(text: string, asked: ReadonlySet<string>, isMeant: (sentence: string) => boolean) {
  const all = sentencesOf(text)
    .map(({ text: sentence }) => ({ sentence, both: shared(stemsOf(sentence), asked).length }))
    .filter(({ sentence, both }) => both > 0 && isMeant(sentence));
  const most = Math.max(1, ...all.map(({ both }) => both));
  return all.map(({ sentence, both }) => ({ text: sentence, share: both / most }));
}

/** What such a project waits for (5.4.4): what projects and templates named, between tasks, and recorded relations. */
export async function identifyDependencies(request: Of<'identify_dependencies'>, inquiry: Inquiry): Promise<Findings> {
  const { dependency_types: types = [] } = request;
  const [projects, templates] = [await similarProjects(request, inquiry), await similarTemplates(request, inquiry)];
  const findings = await itemsOf(inquiry, [...projects, ...templates], types, ({ record }) => {
    if (record?.kind === 'project') {
      const { identified_dependencies, tasks } = record.record;
      const names = new Map(tasks.map(({ id, name }) => [id, name]));
      return [
        ...identified_dependencies.map((item) => ({
          text: item.description,
          from: 'a dependency that a project named',
          type: typeOf(item),
        })),
        ...tasks.flatMap(({ name, depends_on, dependency_type }) =>
          depends_on.map((id) => ({
            text: `${name} ← ${names.get(id) ?? id}`,
            from: 'between tasks of a project',
            type: dependency_type ?? 'finish_to_start',
          })),
        ),
      ];
    }
    if (record?.kind !== 'template') return [];
    const { prerequisites, task_template } = record.record;
    return [
      ...prerequisites.map((text) => ({ text, from: 'a prerequisite of a template', type: 'prerequisite' })),
      ...task_template.flatMap(({ name, depends_on }) =>
        depends_on.map((other) => ({
          text: `${name} ← ${other}`,
          from: 'between tasks of a template',
          type: 'finish_to_start',
        })),
      ),
    ];
  });
  const near = await inquiry.evidence.search({ query: planned(request), limit: 10 });
  for (const { passage, relation, near: from } of await relatedBy(inquiry, near, {
    types: ['depends_on', 'blocked_by'],
    direction: 'outgoing',
  })) {
    if (!isOfCategory(`${relation.type} ${passage.title}`, types)) continue;
    findings.push(
      inquiry.finding(passage, {
        content: passage.title,
        why: `"${from.title}" is recorded to ${relation.type === 'depends_on' ? 'depend on' : 'be blocked by'} it.`,
        details: { dependency: passage.title, from: 'relation', type: relation.type, relation_id: relation.id },
      }),
    );
  }
  return inquiry.answer(inquiry.best(once(inquiry.sorted(findings))), {
    operation: request.operation,
    nothing: 'No dependencies of such projects were captured.',
  });
}

/** What binds such a project (5.4.4): what others were bound by, what standards demand, what rules warn of. */
export async function findConstraints(request: Of<'find_constraints'>, inquiry: Inquiry): Promise<Findings> {
  const { constraint_sources: wanted = [] } = request;
  const findings = await itemsOf(inquiry, await similarProjects(request, inquiry), wanted, ({ record }) =>
    record?.kind === 'project'
      ? record.record.constraints_applied.map((item) => ({
          text: item.description,
          from: 'a constraint of a similar project',
          type: typeOf(item),
        }))
      : [],
  );
  const query = planned(request);
  const asked = stemSet(query);
  const [normative, rules] = await Promise.all([
    inquiry.evidence.search({ query, limit: inquiry.deep, places: ['library'], normative_only: true }),
    inquiry.evidence.search({ query, limit: inquiry.deep, places: ['knowledge'] }),
  ]);
  findings.push(
    ...(await itemsOf(inquiry, normative, wanted, ({ text }) =>
      saying(text, asked, isDemand).map((each) => ({ ...each, from: 'what a document demands', type: 'standard' })),
    )),
    ...(await itemsOf(inquiry, rules, wanted, ({ text }) =>
      risksIn(text).map(({ level, text: each }) => ({
        text: `${level}: ${each}`,
        from: 'a rule that warns',
        type: 'policy',
      })),
    )),
  );
  return inquiry.answer(inquiry.best(once(inquiry.sorted(findings))), {
    operation: request.operation,
    nothing: 'Nothing is known that binds such a project. That does not say that nothing does.',
  });
}

const REVIEWS =
  /\b(?:review|gate|milestone|checkpoint|sign-?off|approval|acceptance|audit|inspection|baseline|go\/no-?go|readiness|SRR|SDR|PDR|CDR|TRR|FCA|PCA)\b/iu;

/** Where such a project is looked at (5.4.4): checkpoints of templates and projects, reviews and gates that documents ask for. */
export async function findCheckpoints(request: Of<'find_checkpoints'>, inquiry: Inquiry): Promise<Findings> {
  const { lifecycle_model = '' } = request;
  const [projects, templates] = [await similarProjects(request, inquiry), await similarTemplates(request, inquiry)];
  const findings = await itemsOf(inquiry, [...templates, ...projects], [], ({ record }) => {
    if (record?.kind === 'template') {
      return record.record.checkpoint_template.map((text) => ({ text, from: 'a checkpoint of a template' }));
    }
    if (record?.kind !== 'project') return [];
    return record.record.checkpoints.map((text) => ({ text, from: 'a checkpoint of a similar project' }));
  });
  const query = planned(request, lifecycle_model, 'review gate milestone');
  const asked = stemSet(planned(request, lifecycle_model));
  const passages = await inquiry.evidence.search({ query, limit: inquiry.deep, places: ['library', 'knowledge'] });
  findings.push(
    ...(await itemsOf(inquiry, passages, [], ({ text, title }) =>
      sentencesOf(text)
        .filter(({ text: each }) => REVIEWS.test(each) && shared(stemsOf(`${title} ${each}`), asked).length > 0)
        .map(({ text: each }) => ({ text: each, from: 'a review or gate in a text' })),
    )),
  );
  return inquiry.answer(inquiry.best(once(inquiry.sorted(findings))), {
    operation: request.operation,
    extra: lifecycle_model === '' ? {} : { lifecycle_model },
    nothing: 'No reviews, gates or milestones of such projects are known.',
  });
}

/** Each item of each passage as a result; where types are asked for, those that name one of them. */
async function itemsOf(
  inquiry: Inquiry,
  passages: readonly Passage[],
  types: readonly string[],
  items: (passage: Passage) => readonly Item[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const passage of passages) {
    for (const { text, from, type, share } of items(passage)) {
      if (!isOfCategory(`${text} ${type ?? ''} ${passage.source.title} ${from}`, types)) continue;
      const details = { item: text, from, ...(type === undefined ? {} : { type }) };
      const semantic = passage.semantic * (share ?? 1);
      const why = share === undefined ? because(passage, from) : becauseOf(text, inquiry.asks, from);
      findings.push(inquiry.finding(passage, { content: text, semantic, why, details }));
    }
    await inquiry.turns.pause();
  }
  return findings;
}

function typeOf(item: ProjectItem): string | undefined {
  const type = item.type ?? item.source ?? item.category;
  return typeof type === 'string' ? type : undefined;
}
