import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { KaizenError } from '../../src/core/errors';
import type { KaizenParts } from '../../src/kaizen';
import { entriesTopic } from '../../src/knowledge';
import { type AgentWrites, type KaizenHall, resolveToolsets, Surface } from '../../src/mcp';
import { fakeHall } from '../support/fake-hall';

const recommendation = {
  id: 'a',
  path: 'A.md',
  title: 'A',
  type: 'guideline',
  relevance_score: 0.9,
  reason: 'r',
  estimated_tokens: 12,
};
const warning = { id: 'w', title: 'W', risks: [{ level: 'DANGER', text: 'x' }], relevance_score: 0.5, reason: 'r' };
const discovered = { recommendations: [recommendation], total_available: 3, warnings: [warning], message: 'm' };
const node = { id: 'a', path: 'A.md', title: 'A', metadata: { tags: ['x'] }, content: 'c' };
const retrieved = { nodes: [{ ...node, children: [{ ...node, children: [] }] }], total_tokens: 1 };
const row = { id: 'a', path: 'A.md', title: 'A', type: 'entry', score: 1, snippet: 's', reason: 'r' };
const searched = { results: [row], total: 1, search_type_used: 'keyword' };
const about = { id: 'a', title: 'A', type: 'task', status: 'todo' };
const related = { node: about, upstream: [{ ...about, depth: 1, path: ['a', 'b'] }], downstream: [] };
const update = { base: 'docs', node_id: 'a', file: 'A.md', content: 'new', content_hash: 'h' };

type Case = [tool: string, args: Record<string, unknown>, method: string, given: unknown, answer: unknown];

const CASES: Case[] = [
  ['discover_context', { task_description: 't' }, 'discover', { task_description: 't' }, discovered],
  [
    'discover_context',
    { task_description: 't', task_type: 'debug', current_file: 'f', max_results: 50, token_budget: 1 },
    'discover',
    { task_description: 't', task_type: 'debug', current_file: 'f', max_results: 50, token_budget: 1 },
    { recommendations: [], total_available: 0, warnings: [] },
  ],
  ['discover_context', { task_description: 't', task_type: null }, 'discover', { task_description: 't' }, discovered],
  ['retrieve_knowledge', { ids: ['a'] }, 'retrieve', { ids: ['a'] }, retrieved],
  [
    'retrieve_knowledge',
    { ids: ['a'], include_children: true, format: 'json' },
    'retrieve',
    { ids: ['a'], include_children: true, format: 'json' },
    retrieved,
  ],
  ['search_knowledge', { query: 'q' }, 'search', { query: 'q' }, searched],
  [
    'search_knowledge',
    { query: 'q', search_type: 'semantic', scope: ['docs'], max_results: 100 },
    'search',
    { query: 'q', search_type: 'semantic', scope: ['docs'], max_results: 100 },
    searched,
  ],
  ['get_dependencies', { node_id: 'a' }, 'dependencies', 'a', related],
];

async function connected(hall: KaizenHall, agentWrites?: AgentWrites): Promise<Client> {
  const server = new Surface({ kaizen: hall, toolsets: resolveToolsets('discovery'), agentWrites }).connect();
  const client = new Client({ name: 'Test Client', version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  // The client checks structured content against the schemas that it has listed.
  await client.listTools();
  return client;
}

const textOf = ({ content }: { content: unknown }) => (content as { text: string }[])[0]?.text ?? '';

describe('the discovery toolset', () => {
  for (const [name, args, method, given, answer] of CASES) {
    it(`${name}(${Object.keys(args).join(', ')}) is one call of ${method} and answers by its schema`, async () => {
      const hall = fakeHall({ [method]: () => answer });
      const client = await connected(hall);
      const result = await client.callTool({ name, arguments: args });
      await client.close();
      assert.ok(!result.isError, textOf(result));
      assert.deepEqual(result.structuredContent, answer);
      assert.deepEqual([hall.calls.length, hall.calls[0]?.method, hall.calls[0]?.args[0]], [1, method, given]);
    });
  }

  it('asks for both directions and one step unless told otherwise', async () => {
    const hall = fakeHall({ dependencies: () => related });
    const client = await connected(hall);
    await client.callTool({ name: 'get_dependencies', arguments: { node_id: 'a' } });
    await client.callTool({
      name: 'get_dependencies',
      arguments: { node_id: 'a', direction: 'upstream', depth: 20 },
    });
    await client.close();
    assert.deepEqual(
      hall.calls.map(({ args }) => args[1]),
      [
        { direction: 'both', depth: 1 },
        { direction: 'upstream', depth: 20 },
      ],
    );
  });

  it('refuses more than the limits before anything is asked', async () => {
    const hall = fakeHall({});
    const client = await connected(hall);
    const cases: [name: string, args: Record<string, unknown>, message: RegExp][] = [
      ['discover_context', { task_description: '' }, /task_description/],
      ['discover_context', { task_description: 'x'.repeat(8_193) }, /task_description.*8192/],
      ['discover_context', { task_description: 't', max_results: 51 }, /max_results.*50/],
      ['discover_context', { task_description: 't', max_results: 1.5 }, /max_results/],
      ['retrieve_knowledge', { ids: [] }, /ids/],
      ['retrieve_knowledge', { ids: Array(21).fill('a') }, /ids.*20/],
      ['retrieve_knowledge', { ids: 'a' }, /: ids: expected array, received string\.$/],
      ['retrieve_knowledge', { ids: ['a'], format: 'html' }, /format.*"plain"/],
      ['search_knowledge', { query: 'x'.repeat(4_097) }, /query.*4096/],
      ['search_knowledge', { query: 'q', scope: Array(51).fill('a') }, /scope.*50/],
      ['search_knowledge', { query: 'q', max_results: 101 }, /max_results.*100/],
      ['get_dependencies', { node_id: 'a', depth: 21 }, /depth.*20/],
      ['list_knowledge_bases', { filter_type: 'poem' }, /filter_type.*"agent_skill"/],
      ['search_knowledge', { query: 'q', limit: 5 }, /unknown argument limit.*max_results/],
    ];
    for (const [name, args, message] of cases) {
      const result = await client.callTool({ name, arguments: args });
      assert.equal(result.isError, true, name);
      assert.match(textOf(result), message);
    }
    await client.close();
    assert.deepEqual(hall.calls, []);
  });

  it('stops what is cancelled', async () => {
    let stopped: unknown;
    const search = (_request: unknown, signal: AbortSignal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped = signal.reason;
          reject(signal.reason);
        });
      });
    const client = await connected(fakeHall({ search }));
    const controller = new AbortController();
    const asked = client.callTool(
      { name: 'search_knowledge', arguments: { query: 'q' } },
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(), 20);
    await assert.rejects(asked);
    while (stopped === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    await client.close();
    assert.match(String((stopped as Error).message), /search_knowledge was cancelled/);
  });

  it('says of a node that is unknown while nodes are still being indexed that it may come', async () => {
    const dependencies = () => {
      throw new KaizenError('unknown_node', 'There is no node "a".', 'Near is "b".');
    };
    for (const [isReady, hint] of [
      [false, /There is no node "a"\. .*still being indexed/],
      [true, /There is no node "a"\. Near is "b"\./],
    ] as const) {
      const client = await connected(fakeHall({ dependencies, ready: async () => isReady }));
      const result = await client.callTool({ name: 'get_dependencies', arguments: { node_id: 'a' } });
      await client.close();
      assert.match(textOf(result), hint);
    }
  });

  for (const policy of ['allow', 'review'] as const) {
    it(`only ever proposes to change a document, with agent writes ${policy}`, async () => {
      const hall = fakeHall({ prepareUpdate: async () => update, propose: async () => ({ id: 12 }) });
      const client = await connected(hall, policy);
      const args = { id: 'a', content: 'new', reason: 'It moved.' };
      const result = await client.callTool({ name: 'propose_update', arguments: args });
      await client.close();
      const answer = result.structuredContent as { success: boolean; proposal: number; pending: string };
      assert.deepEqual([answer.success, answer.proposal], [true, 12], textOf(result));
      assert.match(answer.pending, /^Proposal 12 waits for the user.*unchanged/);
      assert.deepEqual(
        hall.calls.map(({ method }) => method),
        ['prepareUpdate', 'propose'],
      );
      const [write, change] = (hall.calls[1]?.args ?? []) as unknown as [
        unknown,
        { author: string; by_agent: boolean; reason: string },
      ];
      assert.deepEqual(write, { operation: 'update_node', input: update });
      assert.deepEqual([change.author, change.by_agent, change.reason], ['Test Client', true, 'It moved.']);
    });
  }

  it('offers no proposals where agents may write nothing', async () => {
    const client = await connected(fakeHall({}), 'deny');
    assert.ok(!(await client.listTools()).tools.some(({ name }) => name === 'propose_update'));
    assert.doesNotMatch(client.getInstructions() ?? '', /propose_update/);
    await client.close();
  });

  it('tells the thresholds and the order of calls in its instructions', async () => {
    const client = await connected(fakeHall({}));
    assert.match(client.getInstructions() ?? '', /discover_context.*warnings.*retrieve_knowledge.*0\.9.*0\.7.*0\.5/s);
    await client.close();
  });
});

describe('indexing for clients', () => {
  /** A hall whose parts only say what was begun. */
  function hallThatTells() {
    const begun: string[] = [];
    const part = (name: string) => ({
      start: () => void begun.push(name),
      onDidChange: () => ({ dispose: () => void begun.push(`${name} ended`) }),
      ready: async () => true,
      files: () => [],
      spaces: () => [],
      changes: () => [],
    });
    const names = ['bases', 'notes', 'discovery', 'knowledge'];
    const parts = Object.fromEntries(names.map((name) => [name, part(name)]));
    const hall: KaizenHall = {
      project: undefined,
      parts: async () => parts as unknown as KaizenParts,
      onDidChange: () => ({ dispose: () => void begun.push('stores ended') }),
    };
    return { hall, begun };
  }

  it('follows stores that were opened anew, even when an entry was changed the moment before', async () => {
    const { hall, begun } = hallThatTells();
    let changed: (topics: ReadonlySet<string>) => void = () => {};
    const surface = new Surface({
      kaizen: {
        ...hall,
        onDidChange: (listener) => {
          changed = listener;
          return { dispose: () => {} };
        },
      },
      toolsets: resolveToolsets(),
    });
    surface.notices.begin();
    await new Promise((resolve) => setTimeout(resolve, 150));
    changed(new Set([entriesTopic('shop')]));
    changed(new Set(['*']));
    await new Promise((resolve) => setTimeout(resolve, 100));
    surface.close();
    const all = ['bases', 'notes', 'discovery'];
    assert.deepEqual(begun.slice(0, 8), [...all, 'bases ended', 'notes ended', ...all]);
  });

  it('begins once a client has initialised, not before, and once for all of them', async () => {
    const { hall, begun } = hallThatTells();
    const surface = new Surface({ kaizen: hall, toolsets: resolveToolsets() });
    surface.connect();
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.deepEqual(begun, []);
    for (let each = 0; each < 2; each++) {
      const client = new Client({ name: 'test', version: '1' });
      const [near, far] = InMemoryTransport.createLinkedPair();
      await Promise.all([surface.connect().connect(far), client.connect(near)]);
      if (each === 0) assert.deepEqual(begun, [], 'connecting comes first');
      await new Promise((resolve) => setTimeout(resolve, 150));
      assert.deepEqual(begun, ['bases', 'notes', 'discovery']);
      await client.close();
    }
    surface.close();
    assert.deepEqual(begun.slice(-3), ['bases ended', 'notes ended', 'stores ended']);
  });
});
