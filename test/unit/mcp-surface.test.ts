import assert from 'node:assert/strict';
import { encode } from 'gpt-tokenizer/encoding/cl100k_base';
import { type AgentWrites, resolveToolsets, Surface, toolsetNames } from '../../src/mcp';
import { fakeHall } from '../support/fake-hall';

function surface(options: { agentWrites?: AgentWrites; project?: string } = {}): Surface {
  return new Surface({
    kaizen: fakeHall({}, options.project),
    toolsets: resolveToolsets(),
    agentWrites: options.agentWrites,
  });
}

/** What is published: name, arguments (`?` optional), and what the annotations say beside `openWorldHint: false`. */
const PROTOCOL = [
  'list_scopes() read',
  'get_categories(scope_id) read',
  'get_keywords(scope_id, categories) read',
  'get_knowledge(scope_id, keywords, categories?) read',
  'get_project_overview(project_id) read',
  'get_session_history(project_id, limit?) read',
  'get_progress_status(project_id, domain?) read',
  'store_session_summary(project_id, summary, tasks_completed, domain?, next_planned?) write, not idempotent',
  'store_knowledge_if_missing(target_scope_id, category, keyword, content, project_context, metaknowledge?) write',
  'store_knowledge_overwrite(target_scope_id, category, keyword, content, project_context, metaknowledge?) write, destructive',
  'delete_knowledge(target_scope_id, category, keyword) write, destructive',
  'define_scope(scope_id, tier, name?, description?, parents?) write',
  'store_project_overview(project_id, purpose?, tech_stack?, compliance?, current_phase?, key_constraints?) write',
  'update_progress(project_id, overall_progress?, current_sprint?, tasks?) write',
];

const DISCOVERY = [
  'discover_context(task_description, task_type?, current_file?, max_results?, token_budget?) read',
  'retrieve_knowledge(ids, include_children?, format?) read',
  'list_knowledge_bases(filter_type?, filter_status?) read',
  'search_knowledge(query, search_type?, scope?, max_results?) read',
  'get_dependencies(node_id, direction?, depth?) read',
  'propose_update(id, content, reason) write',
];

const PUBLISHED = [...PROTOCOL, ...DISCOVERY];

function signature(tool: Surface['tools'][number]): string {
  const required = tool.inputSchema.required ?? [];
  const args = Object.keys(tool.inputSchema.properties ?? {}).map((key) => (required.includes(key) ? key : `${key}?`));
  const { readOnlyHint, destructiveHint, idempotentHint } = tool.annotations ?? {};
  const hints = [readOnlyHint ? 'read' : 'write'];
  if (destructiveHint) hints.push('destructive');
  if (!idempotentHint) hints.push('not idempotent');
  return `${tool.name}(${args.join(', ')}) ${hints.join(', ')}`;
}

describe('the published MCP surface', () => {
  it('is exactly the knowledge protocol and discovery, in a fixed order', () => {
    assert.deepEqual(surface().tools.map(signature), PUBLISHED);
  });

  it('leaves out every tool that writes when it is read-only', () => {
    const reading = PUBLISHED.filter((row) => row.endsWith(' read'));
    assert.deepEqual(surface({ agentWrites: 'deny' }).tools.map(signature), reading);
  });

  function tokens(...toolsets: string[]): number {
    const { tools } = new Surface({ kaizen: fakeHall({}), toolsets: resolveToolsets(toolsets.join(',')) });
    const seen = tools.map(({ name, title, description, inputSchema }) => ({ name, title, description, inputSchema }));
    return encode(JSON.stringify(seen)).length;
  }

  it('costs a model at most 4,500 tokens, and at most 3,000 with the knowledge protocol alone', () => {
    const [both, protocol] = [tokens('protocol', 'discovery'), tokens('protocol')];
    assert.ok(both <= 3_600, `${both} tokens; 4,500 is the promise, 3,600 what keeps it with room to spare`);
    assert.ok(protocol <= 2_500, `${protocol} tokens; 3,000 is the promise, 2,500 what keeps it with room to spare`);
  });

  it('has the arguments of seed 002 with its kinds, choices and defaults', () => {
    const args = (name: string) => surface().tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
    const shape = (name: string) =>
      Object.fromEntries(
        Object.entries(args(name) as Record<string, Record<string, unknown>>).map(([key, schema]) => [
          key,
          [schema.type, ...('default' in schema ? [schema.default] : []), ...((schema.enum as string[]) ?? [])],
        ]),
      );
    assert.deepEqual(shape('discover_context'), {
      task_description: ['string'],
      task_type: ['string', 'implement', 'debug', 'refactor', 'document', 'review', 'design', 'test'],
      current_file: ['string'],
      max_results: ['integer', 5],
      token_budget: ['integer'],
    });
    assert.deepEqual(shape('retrieve_knowledge'), {
      ids: ['array'],
      include_children: ['boolean', false],
      format: ['string', 'markdown', 'markdown', 'json', 'plain'],
    });
    assert.deepEqual(shape('list_knowledge_bases'), {
      filter_type: ['string', 'guideline', 'protocol', 'context', 'agent_skill', 'log', 'plan', 'task'],
      filter_status: ['string', 'active', 'draft', 'deprecated'],
    });
    assert.deepEqual(shape('search_knowledge'), {
      query: ['string'],
      search_type: ['string', 'hybrid', 'semantic', 'keyword', 'hybrid'],
      scope: ['array'],
      max_results: ['integer', 10],
    });
    assert.deepEqual(shape('get_dependencies'), {
      node_id: ['string'],
      direction: ['string', 'both', 'upstream', 'downstream', 'both'],
      depth: ['integer', 1],
    });
  });

  it('says of each tool what it is for, what it takes and what it gives, and that it stays on this machine', () => {
    for (const tool of surface().tools) {
      assert.ok(tool.title && tool.description, tool.name);
      assert.equal(tool.annotations?.openWorldHint, false, tool.name);
      assert.equal(tool.inputSchema.type, 'object', tool.name);
      assert.equal(tool.inputSchema.additionalProperties, false, tool.name);
      assert.ok(!('$schema' in tool.inputSchema) && !('$schema' in (tool.outputSchema ?? {})), tool.name);
    }
  });

  it('gives lists as lists and everything else as objects', () => {
    const { tools } = surface();
    const lists = tools.filter((tool) => tool.outputSchema?.type === 'array');
    assert.ok(tools.every((tool) => lists.includes(tool) || tool.outputSchema?.type === 'object'));
    assert.deepEqual(
      lists.map((tool) => tool.name),
      ['list_scopes', 'get_categories', 'get_knowledge', 'get_session_history'],
    );
  });

  it('opens no store before a tool is called', () => {
    const hall = fakeHall({}, 'checkout-api');
    new Surface({ kaizen: hall, toolsets: resolveToolsets() }).connect();
    assert.equal(hall.opened, 0);
  });

  it('instructs an agent in the order of a session and names the current project', () => {
    const { instructions } = surface({ project: 'checkout-api' });
    assert.match(instructions, /`checkout-api`/);
    const steps = ['get_project_overview', 'get_categories', 'store_knowledge_if_missing', 'store_session_summary'];
    const places = steps.map((step) => instructions.indexOf(step));
    assert.deepEqual(
      [...places].sort((a, b) => a - b),
      places,
    );
    assert.ok(places.every((place) => place >= 0));
  });

  it('tells an agent how to find a project when there is none', () => {
    assert.match(surface().instructions, /list_scopes.*define_scope/);
  });

  it('tells an agent of no tool that it does not offer, read-only or not', () => {
    const policies = [undefined, 'review', 'deny'] as const;
    for (const options of policies.flatMap((agentWrites) => [{ agentWrites }, { agentWrites, project: 'shop' }])) {
      const { instructions, tools } = surface(options);
      const named = [
        ...instructions.matchAll(/\b(?:get|list|store|define|delete|update|discover|retrieve|search|propose)_\w+/g),
      ].map(([name]) => name);
      assert.ok(named.includes('get_knowledge'));
      assert.deepEqual(
        named.filter((name) => !tools.some((tool) => tool.name === name)),
        [],
        JSON.stringify(options),
      );
    }
  });
});

describe('toolsets', () => {
  const names = (wanted?: string) => resolveToolsets(wanted).map((toolset) => toolset.name);

  it('are the default ones unless others are asked for', () => {
    assert.deepEqual(names(), ['protocol', 'discovery']);
    assert.deepEqual(names(' '), ['protocol', 'discovery']);
    assert.deepEqual(names('all'), [...toolsetNames]);
    assert.deepEqual(names(' protocol ,'), ['protocol']);
  });

  it('that do not exist are refused, naming those that do', () => {
    assert.throws(() => resolveToolsets('protocol,magic'), {
      code: 'invalid_argument',
      message: 'There is no toolset magic.',
      hint: 'Known are: protocol, discovery, notes, library, workflows, learning, all.',
    });
  });
});
