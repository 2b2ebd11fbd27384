import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { resolveToolsets, Surface } from '../../src/mcp';
import { fakeHall } from '../support/fake-hall';

type Case = [
  tool: string,
  args: Record<string, unknown>,
  method: string,
  given: unknown[],
  answer: unknown,
  result?: unknown,
];

const entry = { target_scope_id: 's', category: 'git', keyword: 'commit', content: 'c' };
const done = { success: true };
const scope = { scope_id: 's', tier: 'PROJECT', name: 'S', parents: [], entry_count: 0, is_current_project: true };
const found = {
  keyword: 'commit',
  content: 'DANGER: x',
  source_tier: 'GROUP',
  metaknowledge: { REASON: 'r' },
  category: 'git',
  source_scope: 'g',
  risks: [{ level: 'DANGER', text: 'x', range: { start: 0, end: 9 } }],
  also_in: ['svn'],
};
const context = {
  project_id: 'p',
  purpose: null,
  tech_stack: [],
  compliance: [],
  current_phase: null,
  key_constraints: [],
};
const session = {
  date: '2026-01-31',
  duration_minutes: null,
  summary: 's',
  tasks_completed: ['t'],
  domain: null,
  next_planned: null,
};
const status = {
  overall_progress: '40% complete',
  current_sprint: null,
  completed_tasks: [{ name: 'a', domain: null, date: '2026-01-31' }],
  in_progress_tasks: [{ name: 'b', domain: 'd', status: null }],
  blocked_tasks: [{ name: 'c', domain: null, blocker: 'x' }],
};
const previous = { success: true, previous_content: null, previous_metaknowledge: null };
const conflict = { success: false, existing_content: 'old', existing_metaknowledge: {} };
const why = { project_context: 'p', reason: undefined };
const category = { name: 'git', subcategories: ['x'], has_entries: true, tier: 'PROJECT' };

/** `result` stands where the tool answers something else than the domain did. */
const CASES: Case[] = [
  ['list_scopes', {}, 'listScopes', [], [scope]],
  ['get_categories', { scope_id: 's' }, 'getCategories', ['s'], [category]],
  ['get_keywords', { scope_id: 's', categories: ['git'] }, 'getKeywords', ['s', ['git']], { git: ['commit'] }],
  ['get_knowledge', { scope_id: 's', keywords: ['k'] }, 'getKnowledge', ['s', ['k'], undefined], [found]],
  ['get_knowledge', { scope_id: 's', keywords: [], categories: ['c'] }, 'getKnowledge', ['s', [], ['c']], []],
  ['get_project_overview', { project_id: 'p' }, 'getProjectOverview', ['p'], context],
  ['get_session_history', { project_id: 'p', limit: 3 }, 'getSessionHistory', ['p', 3], [session]],
  ['get_progress_status', { project_id: 'p', domain: 'd' }, 'getProgressStatus', ['p', 'd'], status],
  [
    'store_session_summary',
    { project_id: 'p', summary: 's', tasks_completed: [] },
    'storeSessionSummary',
    [{ project_id: 'p', summary: 's', tasks_completed: [] }, {}],
    undefined,
    done,
  ],
  ['store_knowledge_if_missing', { ...entry, project_context: 'p' }, 'storeIfMissing', [entry, why], conflict],
  [
    'store_knowledge_overwrite',
    { ...entry, project_context: 'p', metaknowledge: { REASON: 'bug' } },
    'storeOverwrite',
    [
      { ...entry, metaknowledge: { REASON: 'bug' } },
      { project_context: 'p', reason: 'bug' },
    ],
    previous,
  ],
  [
    'delete_knowledge',
    { target_scope_id: 's', category: 'git', keyword: 'commit' },
    'delete',
    [{ scope_id: 's', category: 'git', keyword: 'commit' }, {}],
    undefined,
    done,
  ],
  [
    'define_scope',
    { scope_id: 's', tier: 'GROUP', parents: ['p'] },
    'defineScope',
    [{ scope_id: 's', tier: 'GROUP', parents: ['p'] }, {}],
    {},
    done,
  ],
  [
    'store_project_overview',
    { project_id: 'p', tech_stack: ['TypeScript'] },
    'storeProjectOverview',
    [{ project_id: 'p', tech_stack: ['TypeScript'] }, {}],
    undefined,
    done,
  ],
  [
    'update_progress',
    { project_id: 'p', tasks: [{ name: 't', state: 'blocked', blocker: 'x' }] },
    'updateProgress',
    [{ project_id: 'p', tasks: [{ name: 't', state: 'blocked', blocker: 'x' }] }, {}],
    undefined,
    done,
  ],
];

/** Author, agent and signal are the same in every change; what is left is what the tool itself decided. */
function withoutCall(given: unknown[], author: string): unknown[] {
  return given.map((arg) => {
    if (typeof arg !== 'object' || arg === null || !('signal' in arg)) return arg;
    const { signal, author: by, by_agent, ...rest } = arg as Record<'signal' | 'author' | 'by_agent', unknown>;
    assert.equal(by_agent, true);
    assert.ok(signal instanceof AbortSignal);
    assert.equal(by, author);
    return rest;
  });
}

describe('the protocol toolset', () => {
  for (const [tool, args, method, given, answer, result = answer] of CASES) {
    it(`${tool}(${Object.keys(args).join(', ')}) is one call of ${method} and answers by its schema`, async () => {
      const hall = fakeHall({ [method]: () => answer, history: () => [] });
      const server = new Surface({ kaizen: hall, toolsets: resolveToolsets() }).connect();
      const client = new Client({ name: 'Test Client', version: '1' });
      const [near, far] = InMemoryTransport.createLinkedPair();
      await Promise.all([server.connect(far), client.connect(near)]);
      // The client checks the structured content against the output schema that the server published.
      await client.listTools();
      const answered = await client.callTool({ name: tool, arguments: args });
      await client.close();
      assert.ok(!answered.isError, JSON.stringify(answered.content));
      const [content] = answered.content as { type: string; text: string }[];
      assert.deepEqual(JSON.parse(content?.text ?? ''), result);
      assert.deepEqual(answered.structuredContent, Array.isArray(result) ? { result } : result);
      // A conflict looks at the entry's history besides, to ask the person about it.
      const [call, ...more] = hall.calls.filter((each) => each.method !== 'history');
      assert.deepEqual([call?.method, more], [method, []]);
      assert.deepEqual(withoutCall(call?.args ?? [], 'Test Client'), given);
    });
  }

  it('is tested tool by tool', () => {
    const tested = new Set(CASES.map(([tool]) => tool));
    const published = resolveToolsets('protocol').flatMap((toolset) => toolset.tools.map((tool) => tool.name));
    assert.deepEqual(
      published.filter((tool) => !tested.has(tool)),
      [],
    );
  });
});
