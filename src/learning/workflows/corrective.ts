import type { Relation } from '../../relations';
import type { Finding, Findings, RccaRequest } from '../workflows-model';
import type { Passage } from './evidence';
import { causesOf, isIncident } from './incidents';
import { because, becauseOf, type Inquiry } from './inquiry';
import { relatedBy } from './related';
import { sentencesOf, shared, stemSet, stemsOf } from './words';

type FindCorrective = Extract<RccaRequest, { operation: 'find_corrective' }>;
export type ActionKind = 'corrective' | 'preventive' | 'detective';

/**
 * By its words: what finds out is detective (watch, alarm, log, test, audit …), what keeps a thing from happening (again)
 * is preventive (prevent, forbid, limit, train, check before …), and what is left puts right what is wrong. What finds
 * out goes before what prevents where an action does both, unless it says that it prevents.
 */
const PREVENTS =
  /\b(?:prevent|forbid|refuse|reject|disallow|prohibit|never|always|avoid|require|enforce|limit|guard|lock|validat|train|checklist|before (?:each|every|the|a)|by design|must not|do not|don['’]t|rule|policy|standard|schema|type|constraint|unique|idempoten|redundan|separate|isolate|rotate|plausib)\w*/iu;
const DETECTS =
  /\b(?:detect|monitor|alert|alarm|watch|log|trace|measure|metric|dashboard|probe|audit|inspect|review|test|verif|reconcil|compare|report|observe|notice|scan|health.?check)\w*/iu;
const SAYS_PREVENTS = /\b(?:prevent|forbid|refuse|disallow|prohibit|avoid)\w*/iu;

function kindOfAction(action: string): ActionKind {
  if (SAYS_PREVENTS.test(action)) return 'preventive';
  if (DETECTS.test(action)) return 'detective';
  return PREVENTS.test(action) ? 'preventive' : 'corrective';
}

/** A text that tells what to do. */
const ACTS =
  /\b(?:shall|should|must|correct(?:ive|ed)?|mitigat\w+|prevent\w*|fix(?:ed|es)?|solv\w+|resolv\w+|remed\w+|replac\w+|recommend\w*|counter-?measure\w*|action)\b/iu;

/** Actions against a root cause (5.4.1): what worked, what patterns and relations name, what documents say. */
export async function findCorrective(request: FindCorrective, inquiry: Inquiry): Promise<Findings> {
  const { root_cause, ca_type = 'any' } = request;
  const { evidence, deep, turns } = inquiry;
  const asked = stemSet(root_cause);
  const passages = await evidence.search({ query: root_cause, limit: deep, standards: request.standards_filter });
  const findings: Finding[] = [];
  const others = new Map<ActionKind, number>();
  for (const passage of passages) {
    for (const { action, from, share } of actionsOf(passage, asked)) {
      const kind = kindOfAction(action);
      if (ca_type !== 'any' && ca_type !== kind) {
        others.set(kind, (others.get(kind) ?? 0) + 1);
        continue;
      }
      const why = share === undefined ? because(passage, from) : becauseOf(action, asked, from);
      const semantic = passage.semantic * (share ?? 1);
      findings.push(inquiry.finding(passage, { content: action, semantic, why, details: { action_type: kind, from } }));
    }
    await turns.pause();
  }
  const relations = await relatedBy(inquiry, passages.slice(0, 10), { types: ['prevents'], direction: 'incoming' });
  for (const { passage, relation, near } of relations) {
    const why = `It is recorded that it prevents "${near.title}"${contextOf(relation)}.`;
    const action = `${passage.title}`;
    const kind: ActionKind = 'preventive';
    if (ca_type !== 'any' && ca_type !== kind) continue;
    findings.push(
      inquiry.finding(passage, {
        why,
        details: { action_type: kind, action, from: 'relation', relation_id: relation.id },
      }),
    );
  }
  return inquiry.answer(inquiry.best(oncePerAction(inquiry.sorted(findings))), {
    operation: request.operation,
    extra: { ca_type },
    nothing: `Nothing is known that was done against this cause${ca_type === 'any' ? '' : ` (${ca_type})`}.`,
    remarks: [
      findings.length === 0 && others.size > 0
        ? `Of another kind there is something: ${[...others].map(([kind, count]) => `${kind} ${count}`).join(', ')}.`
        : undefined,
    ],
  });
}

interface Action {
  action: string;
  from: string;
  /** Of a sentence: how much of the passage's fit it has. */
  share?: number;
}

function actionsOf({ record: found, text, source }: Passage, asked: ReadonlySet<string>): Action[] {
  switch (found?.kind) {
    case 'project': {
      const { record } = found;
      // What worked elsewhere is an action against this cause only where the case is one.
      if (!isIncident(record) && causesOf(record).length === 0) {
        return record.lessons_learned
          .filter((lesson) => shared(stemsOf(lesson), asked).length > 0)
          .map((action) => ({ action, from: 'a lesson of the project' }));
      }
      return [
        ...record.what_worked.map((action) => ({ action, from: 'what worked' })),
        ...record.lessons_learned.map((action) => ({ action, from: 'a lesson of the case' })),
      ];
    }
    case 'pattern':
      return found.record.mitigations.map((action) => ({ action, from: 'a mitigation of the pattern' }));
    case 'lesson':
      return [{ action: found.record.recommendation || found.record.lesson, from: 'a captured lesson' }];
    case 'decision':
    case 'template':
      return [];
    default: {
      const said = sentencesOf(text)
        .map(({ text: action }) => ({ action, both: shared(stemsOf(action), asked).length }))
        .filter(({ action, both }) => ACTS.test(action) && both > 0)
        .sort((one, other) => other.both - one.both)
        .slice(0, 3);
      return said.map(({ action, both }) => ({
        action,
        from: source.where === 'library' ? 'a document' : 'what is written down',
        share: both / said[0]!.both,
      }));
    }
  }
}

function contextOf({ context }: Relation): string {
  return context === '' ? '' : ` (${context})`;
}

/** The same action, said in several places, is answered once: where it fits best. */
function oncePerAction(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ content, uri, details }) => {
    const key = details?.from === 'relation' ? uri : content.toLowerCase().replace(/\W+/g, ' ').trim();
    return !seen.has(key) && seen.add(key);
  });
}
