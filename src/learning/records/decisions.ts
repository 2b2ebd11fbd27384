import { isoDate } from '../../core/clock';
import { sentence } from '../../core/sentence';
import type { Decision } from '../records-model';
import type { DecisionInput } from '../workflows-model';
import {
  checkCount,
  checkDate,
  checkGiven,
  checkLine,
  checkLong,
  checkName,
  checkTags,
  checkTexts,
  checkVisibility,
} from './checks';
import { given, type Plan, putting, type Writing } from './writing';

const MOST_ALTERNATIVES = 50;

/** Throws `unknown_decision`, `unknown_project`. */
export function planDecision(input: DecisionInput, writing: Writing): Plan {
  const existing = input.id === undefined ? undefined : writing.require('decision', input.id);
  const project = input.project_id === undefined ? undefined : writing.require('project', input.project_id);
  const title = checkName(input.title, sentence('title'));
  const said = given({
    context: input.context === undefined ? undefined : checkLong(input.context, sentence('context')),
    rationale: input.rationale === undefined ? undefined : checkLong(input.rationale, sentence('rationale')),
    alternatives: input.alternatives && alternativesOf(input.alternatives),
    criteria: input.criteria && checkTexts(input.criteria, sentence('criteria')),
    consequences: input.consequences && checkTexts(input.consequences, sentence('consequences')),
    domain: checkLine(input.domain, sentence('domain')) ?? project?.domain,
    tags: input.tags && checkTags(input.tags),
    decision_date:
      input.decision_date === undefined ? undefined : checkDate(input.decision_date, sentence('decision date')),
    project_id: project?.id,
    visibility: input.visibility && checkVisibility(input.visibility),
  });
  return putting('decision', {
    ...(existing ?? emptyDecision(title, writing)),
    ...said,
    title,
    decision: checkGiven(input.decision, sentence('decision')),
    updated_at: writing.at,
  });
}

function emptyDecision(title: string, writing: Writing): Decision {
  return {
    ...writing.begun('decision', title),
    title,
    context: '',
    decision: '',
    rationale: '',
    alternatives: [],
    criteria: [],
    consequences: [],
    domain: 'general',
    tags: [],
    decision_date: isoDate(writing.now),
    visibility: 'personal',
    owner: writing.person,
  };
}

function alternativesOf(alternatives: NonNullable<DecisionInput['alternatives']>): Decision['alternatives'] {
  checkCount(alternatives, sentence('alternatives'), MOST_ALTERNATIVES);
  return alternatives.map(({ name, description, why_not }) => ({
    name: checkName(name, sentence('name of an alternative')),
    description: checkLong(description, sentence('description of an alternative')),
    why_not: checkLong(why_not, sentence('reason against an alternative')) || undefined,
  }));
}
