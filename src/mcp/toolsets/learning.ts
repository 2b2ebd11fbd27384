import * as z from 'zod';
import { ARTIFACT_TYPES, COLLECTIONS, OUTCOME_TYPES } from '../../learning';
import { DIRECTIONS, PROVENANCES, RELATION_TYPES } from '../../relations';
import { ADMIN_OPERATIONS, admin, isLongAdmin, READING_ADMIN_OPERATIONS, readingAdmin } from '../admin-calls';
import { ADD, overNetwork, READ, REPLACE } from '../annotations';
import { readingTool, writingTool } from '../envelope';
import { feedback } from '../feedback-calls';
import type { AgentWrites } from '../policy';
import { lookUpRelationships, relationship } from '../relation-calls';
import type { Toolset } from '../tool';
import { count, share } from './fields';

/**
 * What is learned: feedback on what was used (seed 003, 5.5), relations between pieces of knowledge (5.6), and
 * administration (5.7), with the seed's names. Beyond the seed there are the fields of its own model of relations (4.2.1) that its tool
 * leaves out, and limits of size. Answers come in the envelope of 4.7.
 */

const MAX_DEPTH = 10;
const MAX_FOUND = 1_000;
const MAX_EVIDENCE = 50;
const MAX_SUGGESTIONS = 50;
const MAX_ARTIFACTS = 100;
const MAX_DELTA = 10_000;
const MAX_TASKS = 100_000;
const MAX_AGE = 36_500;
const MAX_SOURCES = 1_000;

/** Empty is as if it were left out, as in `fields`. */
const end = z.string().max(16_384);
const ends = (max: number) => z.array(end.min(1)).max(max);
const type = z.enum(RELATION_TYPES);

const relationshipRecord = z.looseObject({
  id: z.string(),
  source_chunk_id: z.string(),
  target_chunk_id: z.string(),
  relationship_type: z.string(),
  confidence: share,
  bidirectional: z.boolean(),
  origin: z.enum(['stored', 'note', 'node']),
});

const found = {
  start: z.looseObject({ uri: z.string(), title: z.string(), kind: z.string() }),
  total_results: count,
  /** Of traverse what was reached, of find relationships. */
  results: z.array(z.looseObject({ id: z.string() })),
  relationships: z.array(relationshipRecord),
  paths: z.array(
    z.looseObject({ uris: z.array(z.string()), relationship_ids: z.array(z.string()), confidence: share }),
  ),
  truncated: z.boolean(),
  message: z.string(),
};

const lookUpInput = z.strictObject({
  operation: z.enum(['traverse', 'find']),
  source_chunk_id: end.describe('knowledge://… of anything, or the id of a passage or captured record').optional(),
  target_chunk_id: end.optional(),
  relationship_type: type.optional(),
  direction: z.enum(DIRECTIONS).meta({ default: 'both' }).optional(),
  max_depth: z.int().min(1).max(MAX_DEPTH).meta({ default: 3 }).optional(),
  relationship_types: z.array(type).max(RELATION_TYPES.length).optional(),
  min_confidence: share.optional(),
  created_by: z.enum(PROVENANCES).optional(),
  limit: z.int().min(1).max(MAX_FOUND).meta({ default: 100 }).optional(),
});

const readOnlyRelationship = readingTool({
  name: 'knowledge_relationship',
  title: 'Relationships between knowledge',
  description:
    'traverse: follow relationships from source_chunk_id to causes, contradictions, alternatives, with paths. find: relationships by end and type.',
  input: lookUpInput,
  result: found,
  annotations: READ,
  run: (parts, args, call) => lookUpRelationships(parts, args, call),
});

const knowledgeRelationship = writingTool({
  name: 'knowledge_relationship',
  title: 'Relationships between knowledge',
  description:
    'Relationships between entries, notes, nodes, passages and captured records. add (source_chunk_id, target_chunk_id, relationship_type), remove (relationship_id), traverse (source_chunk_id): causes, contradictions, alternatives, with paths; find by end and type.',
  input: lookUpInput.extend({
    operation: z.enum(['add', 'remove', 'traverse', 'find']),
    context: z.string().max(4_096).describe('[add] Why this relationship exists').optional(),
    bidirectional: z.boolean().meta({ default: false }).optional(),
    confidence: share.meta({ default: 1 }).describe('[add] below 1 what you infer').optional(),
    evidence_chunk_ids: ends(MAX_EVIDENCE).describe('[add]').optional(),
    relationship_id: z.string().max(65_536).describe('[remove]').optional(),
  }),
  result: {
    ...found,
    status: z.enum(['added', 'updated', 'unchanged', 'removed', 'pending']),
    relationship_id: z.string(),
    relationship: relationshipRecord,
    pending: z.string(),
  },
  annotations: REPLACE,
  run: relationship,
  reading: readOnlyRelationship,
});

const score = z.looseObject({ artifact_type: z.string(), composite_score: share, confidence: share });
const suggestions = z.array(z.string().min(1).max(2_000)).max(MAX_SUGGESTIONS);

const knowledgeFeedback = writingTool({
  name: 'knowledge_feedback',
  title: 'Feedback on what was used',
  description:
    'Say how a template, pattern, project, decision or passage served, so that what works ranks higher. rate (rating or helpful), rate_specific (aspect_ratings), report_outcome (outcome_type), suggest_improvement (suggestions or missing_elements).',
  input: z.strictObject({
    operation: z.enum(['rate', 'rate_specific', 'report_outcome', 'suggest_improvement']),
    artifact_id: end.describe('uri or id of a result'),
    artifact_type: z.enum(ARTIFACT_TYPES).describe('chunk: any passage, entry, node, note, lesson'),
    usage_context: z.string().max(4_096).describe('What were you trying to accomplish?').optional(),
    rating: share.optional(),
    helpful: z.boolean().optional(),
    aspect_ratings: z
      .strictObject({
        relevance: share.optional(),
        completeness: share.optional(),
        accuracy: share.optional(),
        usefulness: share.optional(),
      })
      .optional(),
    outcome_type: z.enum(OUTCOME_TYPES).optional(),
    outcome_details: z
      .strictObject({
        tasks_added: count.max(MAX_TASKS).optional(),
        tasks_removed: count.max(MAX_TASKS).optional(),
        estimate_delta_percent: z.number().min(-MAX_DELTA).max(MAX_DELTA).optional(),
        risks_that_occurred: suggestions.optional(),
        risks_missed: suggestions.optional(),
        modifications_made: suggestions.optional(),
      })
      .describe('[report_outcome]')
      .optional(),
    suggestions: suggestions.optional(),
    missing_elements: suggestions.optional(),
    comment: z.string().max(8_192).optional(),
  }),
  result: {
    operation: z.string(),
    feedback_id: z.string(),
    artifact_id: z.string(),
    uri: z.string(),
    score_update: z.looseObject({
      previous_score: share,
      new_score: share,
      previous_confidence: share,
      new_confidence: share,
      factors_updated: z.array(z.string()),
    }),
    propagation: z.looseObject({ propagated_to: z.array(z.string()), note: z.string() }),
    status: z.literal('pending'),
    message: z.string(),
    pending: z.string(),
  },
  annotations: ADD,
  run: feedback,
});

const adminInput = z.strictObject({
  operation: z.enum(READING_ADMIN_OPERATIONS),
  include_recommendations: z.boolean().meta({ default: true }).optional(),
  max_age_days: z.int().min(1).max(MAX_AGE).meta({ default: 365 }).optional(),
  limit: z.int().min(1).max(MAX_FOUND).optional(),
  artifact_id: end.optional(),
  artifact_type: z.enum(ARTIFACT_TYPES).optional(),
  artifact_ids: ends(MAX_ARTIFACTS).describe('[scores_view]').optional(),
});

const record = z.looseObject({});
const records = z.array(record);

const adminResult = {
  operation: z.string(),
  total_results: count,
  results: z.array(z.looseObject({ artifact_id: z.string(), score })),
  artifact_id: z.string(),
  title: z.string(),
  score,
  samples: z.array(z.looseObject({ factor: z.string(), value: z.number(), weight: z.number() })),
  steps: z.array(z.string()),
  artifacts: count,
  changed: z.array(z.string()),
  message: z.string(),
  status: z.string(),
  assessed_at: z.string(),
  findings: z.array(z.looseObject({ severity: z.string(), area: z.string(), message: z.string() })),
  recommendations: z.array(z.looseObject({ priority: count, action: z.string() })),
  unanswered: z.array(z.looseObject({ tool: z.string(), query: z.string(), unanswered: count })),
  asked: records,
  used_most: records,
  never_used: records,
  by_tool: records,
  by_day: records,
  totals: record,
  max_age_days: count,
  /** Of stale_content lists by kind. */
  documents: records,
  entries: records,
  nodes: records,
  scores: records,
  counts: record,
};

const readOnlyAdmin = readingTool({
  name: 'knowledge_admin',
  title: 'Administer what is known',
  description:
    'health_report; usage_analytics: what was asked and not found, what is never used; stale_content (max_age_days). scores_view: of artifact_ids, or of all that was rated or used. scores_explain (artifact_id): to recompute by hand. scores_recalculate.',
  input: adminInput,
  result: adminResult,
  annotations: READ,
  run: readingAdmin,
});

const knowledgeAdmin = writingTool({
  name: 'knowledge_admin',
  title: 'Administer what is known',
  description:
    'health_report; usage_analytics: what was asked and not found, what is never used; stale_content (max_age_days); refresh_web: look at web sources again. scores_view: of artifact_ids, or of all that was rated or used. scores_explain (artifact_id): to recompute by hand. scores_recalculate. export, import (path in the workspace): what was learned.',
  input: adminInput.extend({
    operation: z.enum(ADMIN_OPERATIONS),
    source_ids: ends(MAX_SOURCES).describe('[refresh_web] all unless told').optional(),
    format: z.enum(['json', 'parquet']).meta({ default: 'json' }).describe('[export]').optional(),
    path: z.string().max(4_096).optional(),
    collections: z.array(z.string().max(60)).max(COLLECTIONS.length).describe(COLLECTIONS.join(', ')).optional(),
    include_personal: z.boolean().meta({ default: false }).optional(),
    overwrite: z.boolean().meta({ default: false }).describe('[import]').optional(),
  }),
  result: {
    ...adminResult,
    pages: z.array(z.looseObject({ url: z.string(), status: z.string() })),
    checked: count,
    updated: count,
    failed: count,
    path: z.string(),
    format: z.string(),
    kept: records,
    relationships: record,
    revision: count,
    pending: z.string(),
  },
  annotations: overNetwork(REPLACE),
  isLong: ({ operation }) => isLongAdmin(operation),
  run: admin,
  reading: readOnlyAdmin,
});

function instructions(_project: string | undefined, agentWrites: AgentWrites): string {
  const reading =
    'Learning: knowledge_relationship follows causes, contradictions and alternatives between entries, notes, nodes, passages and captured records: traverse from what you found.';
  if (agentWrites === 'deny') return reading;
  const writing = `${reading} What you find out to cause, contradict or support something else, add: with why, and a confidence below 1 where you infer it. knowledge_feedback: say how what you used served, once you know.`;
  return agentWrites === 'review' ? `${writing} It waits for the user: \`pending\` says so; go on.` : writing;
}

export const learningToolset: Toolset = {
  name: 'learning',
  usesLearning: true,
  tools: [knowledgeFeedback, knowledgeRelationship, knowledgeAdmin],
  instructions,
};
