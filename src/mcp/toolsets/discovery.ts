import * as z from 'zod';
import { SEARCH_TYPES, TASK_TYPES } from '../../discovery';
import { changeBy } from '../agent-writes';
import { ADD, READ } from '../annotations';
import { listBases } from '../base-list';
import { amongNodes } from '../first-indexing';
import { withOriginsById } from '../origins';
import type { AgentWrites } from '../policy';
import { discoveryPrompts } from '../prompts';
import { defineTool, type Toolset } from '../tool';
import { count, origin, share as score } from './fields';

/**
 * Finding what a task needs: the five tools of seed 002 with exactly its names, arguments and result fields, and
 * `propose_update` for its write-back. Additions are optional fields only, as the seed's "Compatibility guarantees" ask.
 */

const MAX_IDS = 20;
const MAX_SCOPES = 50;
const MAX_TEXT = 8_192;
const MAX_QUERY = 4_096;
const MAX_CONTENT = 262_144;

const NODE_TYPES = ['guideline', 'protocol', 'context', 'agent_skill', 'log', 'plan', 'task'] as const;
const STATUSES = ['active', 'draft', 'deprecated'] as const;

const text = z.string().min(1).max(MAX_TEXT);
const id = z.string().min(1).max(4_096);
/** Left out, it is the part that knows the default: the schema only names it. */
const number = (max: number) => z.int().min(1).max(max).optional();

const discoverContext = defineTool({
  name: 'discover_context',
  title: 'Discover context',
  description:
    'Call before any non-trivial task: ranks what this team knows that the task needs, rules and documents. Present `warnings` to the user, then call retrieve_knowledge for relevance_score >= 0.7.',
  input: z.strictObject({
    task_description: text.describe('what you are about to do, in your own words'),
    task_type: z.enum(TASK_TYPES).optional(),
    current_file: z.string().max(4_096).describe('path of the file being worked on').optional(),
    max_results: number(50).meta({ default: 5 }),
    token_budget: number(1_000_000).describe('stop where estimated_tokens exceed it'),
  }),
  output: z.strictObject({
    recommendations: z.array(
      z.strictObject({
        id: z.string(),
        path: z.string(),
        title: z.string(),
        type: z.string(),
        relevance_score: score,
        reason: z.string(),
        estimated_tokens: count,
        origin,
      }),
    ),
    total_available: count,
    warnings: z.array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        risks: z.array(z.strictObject({ level: z.string(), text: z.string() })),
        relevance_score: score,
        reason: z.string(),
        origin,
      }),
    ),
    message: z.string().optional(),
  }),
  annotations: READ,
  run: async (parts, args, { signal }) => {
    const answer = await parts.discovery.discover(args, signal);
    const recommendations = withOriginsById(parts, answer.recommendations);
    return { ...answer, recommendations, warnings: withOriginsById(parts, answer.warnings) };
  },
});

const retrieveKnowledge = defineTool({
  name: 'retrieve_knowledge',
  title: 'Retrieve knowledge',
  description:
    'Get the full content of what discover_context or search_knowledge named. Cite `path` when you apply it.',
  input: z.strictObject({
    ids: z.array(id).min(1).max(MAX_IDS),
    include_children: z
      .boolean()
      .meta({ default: false })
      .describe('as the reason of a recommendation says')
      .optional(),
    format: z.enum(['markdown', 'json', 'plain']).meta({ default: 'markdown' }).optional(),
  }),
  output: z.strictObject({
    nodes: z.array(
      z.strictObject({
        id: z.string(),
        path: z.string(),
        title: z.string(),
        metadata: z.record(z.string(), z.unknown()),
        content: z.string(),
        children: z.array(z.unknown()),
        origin,
      }),
    ),
    total_tokens: count,
    message: z.string().optional(),
  }),
  annotations: READ,
  run: async (parts, args, { signal }) => {
    const answer = await parts.discovery.retrieve(args, signal);
    // What has children is a document of a base, and so are these.
    return { ...answer, nodes: withOriginsById(parts, answer.nodes) };
  },
});

const listKnowledgeBases = defineTool({
  name: 'list_knowledge_bases',
  title: 'List knowledge bases',
  description: 'List the documents that are indexed, one row a file. For a task, discover_context is better.',
  input: z.strictObject({
    filter_type: z.enum(NODE_TYPES).optional(),
    filter_status: z.enum(STATUSES).optional(),
  }),
  output: z.strictObject({
    knowledge_bases: z.array(
      z.strictObject({
        id: z.string(),
        path: z.string(),
        title: z.string(),
        type: z.string(),
        status: z.string(),
        description: z.string(),
        last_checked: z.string().optional(),
        node_count: count,
      }),
    ),
    message: z.string().optional(),
  }),
  annotations: READ,
  run: ({ bases }, args, { signal }) => listBases(bases, args, signal),
});

const searchKnowledge = defineTool({
  name: 'search_knowledge',
  title: 'Search knowledge',
  description: 'Search rules and documents, when a question comes up during a task or discover_context found nothing.',
  input: z.strictObject({
    query: z.string().min(1).max(MAX_QUERY),
    search_type: z.enum(SEARCH_TYPES).meta({ default: 'hybrid' }).optional(),
    scope: z.array(id).max(MAX_SCOPES).describe('only in these ids, bases or scopes').optional(),
    max_results: number(100).meta({ default: 10 }),
  }),
  output: z.strictObject({
    results: z.array(
      z.strictObject({
        id: z.string(),
        path: z.string(),
        title: z.string(),
        type: z.string(),
        score,
        snippet: z.string(),
        reason: z.string(),
        origin,
      }),
    ),
    total: count,
    search_type_used: z.enum(SEARCH_TYPES),
    message: z.string().optional(),
  }),
  annotations: READ,
  run: async (parts, args, { signal }) => {
    const answer = await parts.discovery.search(args, signal);
    return { ...answer, results: withOriginsById(parts, answer.results) };
  },
});

const dependency = z.strictObject({
  id: z.string(),
  title: z.string(),
  type: z.string(),
  status: z.string(),
  depth: z.int().min(1),
  path: z.array(z.string()),
});

const getDependencies = defineTool({
  name: 'get_dependencies',
  title: 'Get dependencies',
  description: 'What a node waits for (blocked_by, upstream) and what waits for it (downstream).',
  input: z.strictObject({
    node_id: id,
    direction: z.enum(['upstream', 'downstream', 'both']).meta({ default: 'both' }).optional(),
    depth: number(20).meta({ default: 1 }),
  }),
  output: z.strictObject({
    node: z.strictObject({ id: z.string(), title: z.string(), type: z.string(), status: z.string() }),
    upstream: z.array(dependency),
    downstream: z.array(dependency),
    message: z.string().optional(),
  }),
  annotations: READ,
  run: ({ bases }, { node_id, direction = 'both', depth = 1 }, { signal }) =>
    amongNodes(bases, signal, () => bases.dependencies(node_id, { direction, depth })),
});

const proposeUpdate = defineTool({
  name: 'propose_update',
  title: 'Propose update',
  description:
    'Propose a better text for a document node that is outdated or has a gap. Writes nothing: the user sees the difference and decides.',
  input: z.strictObject({
    id,
    content: z.string().max(MAX_CONTENT).describe("replaces the node's own text, children stay"),
    reason: text,
  }),
  output: z.strictObject({ success: z.literal(true), proposal: z.int(), pending: z.string() }),
  annotations: ADD,
  run: async ({ bases, review }, args, call) => {
    const input = await amongNodes(bases, call.signal, () => bases.prepareUpdate(args.id, args.content));
    const { id: proposal } = await review.propose(
      { operation: 'update_node', input },
      changeBy(call, { reason: args.reason }),
    );
    return {
      success: true as const,
      proposal,
      pending: `Proposal ${proposal} waits for the user, who decides on it in Kaizen. The file is unchanged: go on without it, and do not propose it again.`,
    };
  },
});

const NEXT_STEPS = `Before a non-trivial task (not for a typo or a simple rename): call discover_context with a clear task_description and its task_type. Present its warnings to the user. Then retrieve_knowledge by relevance_score: from 0.9 always, from 0.7 usually, from 0.5 if it looks useful, below that not; with include_children where the reason says so; keep the sum of estimated_tokens in your budget. Cite what you apply as [path]. If nothing relevant comes, try search_knowledge in other words, then say that nothing is known about it.`;

/** What an agent does when (seed 002, "Agent Behavior Guidelines"). */
function instructions(_project: string | undefined, agentWrites: AgentWrites): string {
  if (agentWrites === 'deny') return NEXT_STEPS;
  return `${NEXT_STEPS} Where a document is wrong or lacks something, propose_update.`;
}

export const discoveryToolset: Toolset = {
  name: 'discovery',
  tools: [discoverContext, retrieveKnowledge, listKnowledgeBases, searchKnowledge, getDependencies, proposeUpdate],
  prompts: discoveryPrompts,
  instructions,
};
