import * as z from 'zod';
import {
  OUTCOME_STATUSES,
  PATTERN_DOMAINS,
  SEARCH_MODES,
  SEVERITIES,
  SYNTHESIS_FORMATS,
  TEMPLATE_TYPES,
  VISIBILITIES,
} from '../../learning';
import { ADD, READ } from '../annotations';
import { type CaptureArguments, capture } from '../capture-calls';
import { readingTool, writingTool } from '../envelope';
import type { AgentWrites } from '../policy';
import type { Toolset } from '../tool';
import { explore, plan, rcca, trade } from '../workflow-calls';
import { artifact, choice, count, flag, line, lines, results, share, text } from './fields';

/**
 * Finding what helps in a workflow, and capturing what came of it: the four tools of seed 003, 5.4, with its operations,
 * arguments and defaults. Beyond the seed there are `transition_project`, for which it has a state machine and no
 * operation, and limits of size. Answers come in the envelope of 4.7.
 */

const MAX_CONTENT = 262_144;
const MAX_TASKS = 500;
const MAX_RISKS = 200;

const standards = lines.optional();
const content = z.string().max(MAX_CONTENT);
const hours = z.number().min(0).max(1_000_000);
const days = z.number().min(0).max(36_500);
const items = z.array(z.string().max(4_000)).max(200);

const finding = z.looseObject({
  id: z.string(),
  uri: z.string(),
  title: z.string(),
  kind: z.string(),
  artifact_type: z.string(),
  content: z.string(),
  semantic_score: share,
  effectiveness_score: share,
  combined_score: share,
  score_confidence: share,
  source: z.looseObject({ where: z.string(), title: z.string() }),
  why: z.string(),
});

const found = {
  operation: z.string(),
  total_results: count,
  results: z.array(finding),
  confidence: share,
  confidence_rationale: z.string(),
  note: z.string(),
  message: z.string(),
};

const knowledgeRccaSupport = readingTool({
  name: 'knowledge_rcca_support',
  title: 'Root cause and corrective action',
  description:
    'For RCCA. find_similar (problem_description): past failures. trace_cause (effect_description): causal chains to root causes. find_corrective (root_cause): actions. check_compliance (situation_description): requirements that may not be met.',
  input: z.strictObject({
    operation: z.enum(['find_similar', 'trace_cause', 'find_corrective', 'check_compliance']),
    problem_description: text.optional(),
    symptom_keywords: lines.describe('[find_similar] Observable symptoms').optional(),
    effect_description: text.optional(),
    known_factors: lines.describe('[trace_cause]').optional(),
    max_chain_depth: z.int().min(1).max(10).meta({ default: 5 }).optional(),
    root_cause: text.optional(),
    ca_type: choice(['any', 'corrective', 'preventive', 'detective'], 'any'),
    situation_description: text.optional(),
    standards_filter: standards,
    domain: line.optional(),
    n_results: results.optional(),
  }),
  result: found,
  annotations: READ,
  run: rcca,
});

const knowledgeTradeSupport = readingTool({
  name: 'knowledge_trade_support',
  title: 'Trade study',
  description:
    'For decisions. extract_criteria (decision_context), find_alternatives (need_statement), find_precedents (decision_description): similar past decisions, assess_risks (alternative_description).',
  input: z.strictObject({
    operation: z.enum(['extract_criteria', 'find_alternatives', 'find_precedents', 'assess_risks']),
    decision_context: text.optional(),
    need_statement: text.optional(),
    current_approach: text.describe('[find_alternatives]').optional(),
    decision_description: text.optional(),
    key_factors: lines.describe('[find_precedents]').optional(),
    alternative_description: text.optional(),
    context: text.describe('[assess_risks]').optional(),
    domain: line.optional(),
    standards_filter: standards,
    n_results: results.optional(),
  }),
  result: found,
  annotations: READ,
  run: trade,
});

const knowledgeExplore = readingTool({
  name: 'knowledge_explore',
  title: 'Explore and analyse',
  description:
    'match_antipatterns (content): known anti-patterns in a text. gap_analysis (content): against standards. counterarguments (claim): evidence against it. synthesize (question): the best passages for several queries, cited.',
  input: z.strictObject({
    operation: z.enum(['match_antipatterns', 'gap_analysis', 'counterarguments', 'synthesize']),
    content: content.optional(),
    domains: z.array(z.enum(PATTERN_DOMAINS)).max(PATTERN_DOMAINS.length).describe('[match_antipatterns]').optional(),
    severity_threshold: choice(SEVERITIES, 'medium'),
    reference_standards: lines.describe('[gap_analysis]').optional(),
    focus_areas: lines.describe('[gap_analysis]').optional(),
    claim: text.optional(),
    search_mode: choice(SEARCH_MODES, 'all'),
    question: text.optional(),
    sub_queries: lines.describe('[synthesize]').optional(),
    synthesis_format: choice(SYNTHESIS_FORMATS, 'structured'),
    n_results: results.optional(),
  }),
  result: found,
  annotations: READ,
  run: explore,
});

const FINDING = [
  'find_templates',
  'find_precedents',
  'identify_risks',
  'identify_dependencies',
  'find_constraints',
  'find_checkpoints',
  'estimate_scope',
] as const;
const CAPTURING = [
  'capture_project',
  'transition_project',
  'capture_outcome',
  'capture_template',
  'capture_lesson',
] as const;

const planningInput = z.strictObject({
  operation: z.enum(FINDING),
  project_type: line.describe("e.g. 'mcp_server', 'trade_study', 'rcca'").optional(),
  project_description: text.optional(),
  domain: line.optional(),
  template_type: choice(TEMPLATE_TYPES, 'any'),
  similarity_factors: lines.describe('[find_precedents]').optional(),
  include_outcomes: flag(true),
  risk_categories: lines.optional(),
  dependency_types: lines.optional(),
  constraint_sources: lines.optional(),
  lifecycle_model: line.describe('[find_checkpoints]').optional(),
  scope_factors: lines.describe('[estimate_scope]').optional(),
  n_results: results.optional(),
});

const readOnlyPlanning = readingTool({
  name: 'knowledge_planning_support',
  title: 'Project planning',
  description:
    'For a plan, by project_type or project_description: find_templates, find_precedents, identify_risks, identify_dependencies, find_constraints, find_checkpoints, estimate_scope (ranges from what projects took).',
  input: planningInput,
  result: found,
  annotations: READ,
  run: plan,
});

const project = z.strictObject({
  name: line.optional(),
  description: text.optional(),
  project_type: line.optional(),
  domain: line.optional(),
  tasks: z
    .array(
      z.strictObject({
        name: line.optional(),
        description: text.optional(),
        parent_task: line.optional(),
        estimated_hours: hours.optional(),
        depends_on: lines.optional(),
      }),
    )
    .max(MAX_TASKS)
    .optional(),
  context_factors: z.looseObject({}).optional(),
  identified_risks: z.array(z.unknown()).max(MAX_RISKS).optional(),
  estimated_duration_days: days.optional(),
  source_template_id: artifact.optional(),
  visibility: choice(VISIBILITIES, 'personal'),
});

const outcome = z.strictObject({
  status: z.enum(OUTCOME_STATUSES).optional(),
  actual_duration_days: days.optional(),
  actual_effort_hours: hours.optional(),
  success_rating: share.optional(),
  outcome_summary: text.optional(),
  lessons_learned: items.optional(),
  what_worked: items.optional(),
  what_didnt_work: items.optional(),
});

const lesson = z.strictObject({
  title: line.optional(),
  context: text.optional(),
  lesson: text.optional(),
  recommendation: text.optional(),
  project_type: line.optional(),
  domain: line.optional(),
});

const knowledgePlanningSupport = writingTool({
  name: 'knowledge_planning_support',
  title: 'Project planning',
  description: `${readOnlyPlanning.description} Capture: capture_project (project), transition_project (project_id, transition), capture_outcome (project_id, outcome) when it ends, capture_template (project_id, template_name), capture_lesson (lesson).`,
  input: planningInput.extend({
    operation: z.enum([...FINDING, ...CAPTURING]),
    project: project.describe('[capture_project]').optional(),
    project_id: artifact.optional(),
    transition: z.enum(['activate', 'abandon', 'reopen']).optional(),
    reason: text.describe('[transition_project] required to abandon').optional(),
    outcome: outcome.describe('[capture_outcome]').optional(),
    template_name: line.optional(),
    generalization_notes: text.describe('[capture_template]').optional(),
    lesson: lesson.describe('[capture_lesson]').optional(),
  }),
  result: {
    ...found,
    project_id: z.string(),
    template_id: z.string(),
    lesson_id: z.string(),
    uri: z.string(),
    status: z.string(),
    summary: z.looseObject({}),
    next_steps: z.array(z.string()),
    pending: z.string(),
  },
  annotations: ADD,
  run: async (parts, args, call) => {
    const { operation, ...more } = args;
    return isFinding(operation)
      ? plan(parts, { ...more, operation }, call)
      : capture(parts, { ...more, operation } satisfies CaptureArguments, call);
  },
  reading: readOnlyPlanning,
});

function isFinding(operation: string): operation is (typeof FINDING)[number] {
  return (FINDING as readonly string[]).includes(operation);
}

function instructions(_project: string | undefined, agentWrites: AgentWrites): string {
  const reading =
    'Workflows: before planning, knowledge_planning_support finds templates, precedents, risks and what similar projects took; knowledge_rcca_support for failures, knowledge_trade_support for decisions, knowledge_explore for anti-patterns, gaps and evidence against a claim. `confidence` says how far to rely on it.';
  if (agentWrites === 'deny') return reading;
  const writing = `${reading} Capture what you plan (capture_project), its outcome when it ends (capture_outcome), and what it taught (capture_lesson).`;
  return agentWrites === 'review' ? `${writing} It waits for the user: \`pending\` says so; go on.` : writing;
}

export const workflowsToolset: Toolset = {
  name: 'workflows',
  usesLearning: true,
  tools: [knowledgeRccaSupport, knowledgeTradeSupport, knowledgeExplore, knowledgePlanningSupport],
  instructions,
};
