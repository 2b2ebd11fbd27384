import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { encode } from 'gpt-tokenizer/encoding/cl100k_base';
import { KaizenError } from '../../src/core/errors';
import { type AgentWrites, type KaizenHall, resolveToolsets, Surface } from '../../src/mcp';
import { HELP_TOPICS } from '../../src/mcp/notes-help-topics';
import { fakeHall } from '../support/fake-hall';
import { useHalls } from '../support/hall';

const ID = '042-email-deliverability';
const OTHER = '043-spf-records';
const note = {
  zettel_id: ID,
  title: 'Email Deliverability',
  content: '# Email',
  entry_type: 'pattern',
  tags: ['email'],
  source_location: 'project',
  category: 'patterns',
  content_hash: 'h',
};
const shared = { ...note, source_location: 'registry', version: '1.2.0' };
const hit = { ...note, relevance_score: 0.85, snippet: 's' };
const { content: _content, content_hash: _hash, ...row } = hit;
const found = { results: [row], total: 1 };
const written = { zettel_id: ID, location: 'project', path: `.ai/knowledge/patterns/${ID}.md` };
const extending = { from_zettel_id: ID, to_zettel_id: OTHER, relationship_type: 'extends' };
const collection = {
  id: 'email',
  name: 'Email',
  description: '',
  collection_type: 'topic',
  zettel_ids: [ID],
  location: 'project',
};
const creating = { action: 'create', zettel_id: ID, title: 'T', content: 'C', entry_type: 'pattern' };

type Args = Record<string, unknown>;
/** Arguments, the method of a part that they become, what it is given, what it answers, what the agent gets. */
type Case = [tool: string, args: Args, method: string, given: unknown, answer: unknown, result: unknown];

const CASES: Case[] = [
  [
    'search',
    { query: 'q', source: 'local' },
    'searchNotes',
    { query: 'q', sources: ['local'] },
    found,
    { query: 'q', source: 'local', results_count: 1, results: [row] },
  ],
  [
    'search',
    { query: 'q', source: ['local', 'registry'], category: 'c', entry_type: 'concept', tags: ['t'], limit: 3 },
    'searchNotes',
    { query: 'q', sources: ['local', 'registry'], category: 'c', entry_type: 'concept', tags: ['t'], limit: 3 },
    { results: [], total: 0, message: 'Nothing relevant.' },
    { query: 'q', source: ['local', 'registry'], results_count: 0, results: [], message: 'Nothing relevant.' },
  ],
  [
    'get',
    { zettel_id: ID, source: 'local', include_relationships: true, include_backlinks: true },
    'get',
    { zettel_id: ID, sources: ['local'], include_relationships: true, include_backlinks: true },
    note,
    note,
  ],
  [
    'get',
    { zettel_id: ID, source: 'registry', destination: 'user', version: '1.2.0' },
    'get',
    { zettel_id: ID, sources: ['registry'], destination: ['user'], version: '1.2.0' },
    { ...shared, downloads: [{ location: 'user', path: 'p', status: 'conflict', difference: '-a\n+b' }] },
    {
      ...shared,
      origin: { by: 'registry' },
      downloads: [{ location: 'user', path: 'p', status: 'conflict', difference: '-a\n+b' }],
    },
  ],
  [
    'manage',
    creating,
    'write',
    {
      action: 'create',
      location: 'project',
      input: { zettel_id: ID, title: 'T', content: 'C', entry_type: 'pattern' },
    },
    { action: 'create', ...written },
    { status: 'success', action: 'create', ...written },
  ],
  [
    'manage',
    { action: 'update', zettel_id: ID, tags: [], source_url: '', content_hash: 'h' },
    'write',
    { action: 'update', zettel_id: ID, patch: { tags: [], source_url: null }, content_hash: 'h' },
    { action: 'update', ...written, also: [] },
    { status: 'success', action: 'update', ...written },
  ],
  [
    'manage',
    { action: 'delete', zettel_id: ID, confirm: true, location: 'registry' },
    'write',
    { action: 'delete', zettel_id: ID, location: 'registry' },
    { action: 'delete', zettel_id: ID, location: 'registry' },
    { status: 'success', action: 'delete', zettel_id: ID, location: 'registry' },
  ],
  [
    'manage',
    { action: 'rename', zettel_id: ID, new_zettel_id: OTHER, location: 'user' },
    'write',
    { action: 'rename', zettel_id: ID, new_zettel_id: OTHER, location: 'user' },
    { action: 'rename', zettel_id: OTHER, location: 'user', also: ['a.md'] },
    { status: 'success', action: 'rename', zettel_id: OTHER, location: 'user', also: ['a.md'] },
  ],
  [
    'manage',
    { action: 'publish', zettel_id: ID },
    'write',
    { action: 'publish', zettel_id: ID },
    { action: 'publish', status: 'published', zettel_id: ID, version: '1.0.0', location: 'project' },
    { status: 'success', action: 'publish', zettel_id: ID, version: '1.0.0', location: 'project' },
  ],
  [
    'manage',
    { action: 'publish', zettel_id: ID, version: '2.0.0', location: 'project', confirm: true },
    'write',
    { action: 'publish', zettel_id: ID, version: '2.0.0', location: 'project', confirmed: true },
    { action: 'publish', status: 'unchanged', zettel_id: ID, version: '1.0.0', location: 'project' },
    {
      status: 'success',
      action: 'publish',
      zettel_id: ID,
      version: '1.0.0',
      location: 'project',
      message: 'The registry has this text already, as version 1.0.0.',
    },
  ],
  [
    'manage',
    { action: 'publish', zettel_id: ID },
    'write',
    { action: 'publish', zettel_id: ID },
    {
      action: 'publish',
      status: 'conflict',
      zettel_id: ID,
      location: 'project',
      conflict: {
        reason: 'newer_version',
        latest: { version: '2.0.0', published_by: 'ann', published_at: '2026-05-04T09:00:00Z' },
        difference: '-a\n+b',
        message: 'It is newer.',
      },
    },
    {
      status: 'conflict',
      action: 'publish',
      zettel_id: ID,
      location: 'project',
      reason: 'newer_version',
      latest: { version: '2.0.0', published_by: 'ann', published_at: '2026-05-04T09:00:00Z' },
      difference: '-a\n+b',
      message: 'It is newer.',
    },
  ],
  [
    'link',
    { action: 'link', ...extending, to_location: 'user' },
    'write',
    { action: 'link', ...extending, to_location: 'user' },
    { action: 'link', relationship: { ...extending, to_location: 'user' }, changed: true, path: 'p' },
    {
      status: 'success',
      action: 'link',
      relationship: { ...extending, to_location: 'user' },
      changed: true,
      path: 'p',
    },
  ],
  [
    'link',
    { action: 'unlink', ...extending },
    'write',
    { action: 'unlink', ...extending },
    { action: 'unlink', relationship: extending, changed: false },
    { status: 'success', action: 'unlink', relationship: extending, changed: false, message: 'There was none.' },
  ],
  [
    'link',
    { action: 'create_collection', name: 'Email', zettel_ids: [ID], collection_type: 'topic' },
    'write',
    {
      action: 'create_collection',
      location: 'project',
      input: { name: 'Email', description: '', zettel_ids: [ID], collection_type: 'topic' },
    },
    { action: 'create_collection', collection: { ...collection, file: 'collections/email.md' }, path: 'p' },
    { status: 'success', action: 'create_collection', collection, path: 'p' },
  ],
  [
    'link',
    { action: 'get_collection', collection: 'Email' },
    'collection',
    'Email',
    collection,
    { status: 'success', action: 'get_collection', collection },
  ],
  [
    'link',
    { action: 'list_collections' },
    'collections',
    undefined,
    [collection],
    { status: 'success', action: 'list_collections', collections: [collection] },
  ],
];

async function connected(hall: KaizenHall, agentWrites?: AgentWrites): Promise<Client> {
  const server = new Surface({ kaizen: hall, toolsets: resolveToolsets('notes'), agentWrites }).connect();
  const client = new Client({ name: 'Test Client', version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  // The client checks structured content against the schemas that it has listed.
  await client.listTools();
  return client;
}

const textOf = ({ content }: { content: unknown }) => (content as { text: string }[])[0]?.text ?? '';
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

describe('the notes toolset', () => {
  for (const [name, args, method, given, answer, expected] of CASES) {
    it(`${name}(${JSON.stringify(args)}) is one call of ${method} and answers by its schema`, async () => {
      const hall = fakeHall({ [method]: () => answer });
      const client = await connected(hall);
      const result = await client.callTool({ name, arguments: args });
      await client.close();
      assert.ok(!result.isError, textOf(result));
      assert.deepEqual(plain(result.structuredContent), expected);
      assert.deepEqual(JSON.parse(textOf(result)), expected);
      const [call, ...more] = hall.calls;
      assert.equal(call?.method, method);
      assert.deepEqual(call.args[0] === undefined ? undefined : plain(call.args[0]), given);
      assert.deepEqual(more, []);
    });
  }

  async function refused(name: string, args: Args, agentWrites?: AgentWrites): Promise<string> {
    const hall = fakeHall({});
    const client = await connected(hall, agentWrites);
    const result = await client.callTool({ name, arguments: args });
    await client.close();
    assert.equal(result.isError, true, textOf(result));
    assert.deepEqual(hall.calls, [], 'nothing was asked or written');
    return textOf(result);
  }

  for (const [tool, args] of [
    ['search', { query: 'email' }],
    ['search', { query: 'email', source: null }],
    ['search', { query: 'email', source: 'everywhere' }],
    ['search', { query: 'email', source: [] }],
    ['get', { zettel_id: ID }],
  ] as const) {
    it(`teaches what source is for where ${tool}(${JSON.stringify(args)}) does not say it`, async () => {
      const text = await refused(tool, args);
      assert.match(text, new RegExp(`^Bad arguments for ${tool}: source: required, and never guessed`));
      assert.match(text, /"local".*on this machine.*"registry".*over the network.*\["local", "registry"\].*both/);
      const example = new RegExp(`Example: ${tool}\\((\\{.*\\})\\)\\.$`).exec(text)?.[1] ?? '';
      assert.equal(JSON.parse(example).source, 'local');
    });
  }

  for (const [tool, args, says] of [
    [
      'manage',
      { action: 'create', zettel_id: ID },
      /manage with action "create" needs title, content and entry_type\. Example: manage\(\{"action": "create"/,
    ],
    ['manage', { action: 'update', zettel_id: ID }, /has nothing to change\. Name at least one of title, content/],
    ['manage', { action: 'rename', zettel_id: ID }, /needs new_zettel_id\. Example: manage\(\{"action": "rename"/],
    ['manage', { action: 'publish', zettel_id: ID, title: 'T' }, /"publish" does not take title\./],
    ['manage', { action: 'publish', zettel_id: ID, location: 'registry' }, /takes a note of the project or the user/],
    ['manage', { action: 'delete', zettel_id: ID }, /was not deleted.*needs confirm: true\. Ask the user first/],
    ['manage', { action: 'delete', zettel_id: ID, confirm: false }, /was not deleted/],
    [
      'link',
      { action: 'link', from_zettel_id: ID },
      /link with action "link" needs to_zettel_id and relationship_type\./,
    ],
    ['link', { action: 'create_collection' }, /needs name, zettel_ids and collection_type\. Example: /],
    ['link', { action: 'get_relationships' }, /needs zettel_id\. Example: link\(\{"action": "get_relationships"/],
    ['link', { action: 'get_collection', name: 'Email' }, /needs collection and does not take name\./],
    ['get', { zettel_id: ID, source: 'local', destination: 'user' }, /destination downloads from the registry/],
  ] as [string, Args, RegExp][]) {
    it(`says what ${tool}(${JSON.stringify(args)}) lacks, with an example`, async () => {
      assert.match(await refused(tool, args), says);
    });
  }

  it('has only what reads where agents may not write', async () => {
    const client = await connected(fakeHall({}), 'deny');
    const { tools } = await client.listTools();
    await client.close();
    const shapes = tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]);
    assert.deepEqual(Object.fromEntries(shapes), {
      search: ['query', 'source', 'category', 'entry_type', 'tags', 'limit'],
      get: ['zettel_id', 'source', 'include_relationships', 'include_backlinks', 'version'],
      link: ['action', 'zettel_id', 'collection', 'source'],
      help: ['query', 'context'],
    });
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
    assert.match(
      await refused('get', { zettel_id: ID, source: 'registry', destination: 'user' }, 'deny'),
      /destination/,
    );
    assert.match(await refused('link', { action: 'link', ...extending }, 'deny'), /action/);
    assert.doesNotMatch(client.getInstructions() ?? '', /manage/);
  });

  it('holds every write for review where that is asked for, and downloads too', async () => {
    const proposed: unknown[] = [];
    const hall = fakeHall({
      get: () => shared,
      propose: (write: unknown) => {
        proposed.push(plain(write));
        return { id: proposed.length };
      },
    });
    const client = await connected(hall, 'review');
    const use = async (name: string, args: Args) => {
      const result = await client.callTool({ name, arguments: args });
      assert.ok(!result.isError, textOf(result));
      return result.structuredContent as { status?: string; pending: string; content?: string };
    };
    for (const [name, args] of [
      ['manage', creating],
      ['manage', { action: 'publish', zettel_id: ID }],
      ['link', { action: 'link', ...extending }],
      ['link', { action: 'create_collection', name: 'Email', zettel_ids: [ID], collection_type: 'topic' }],
    ] as const) {
      const { status, pending } = await use(name, args);
      assert.equal(status, 'pending');
      assert.match(pending, /Held for review as proposal \d/);
    }
    const got = await use('get', { zettel_id: ID, source: 'registry', destination: ['user', 'project'] });
    assert.equal(got.content, note.content);
    assert.match(got.pending, /proposal 5/);
    await client.close();
    assert.ok(hall.calls.every(({ method }) => method !== 'write'));
    assert.deepEqual(
      hall.calls.filter(({ method }) => method === 'get').map(({ args }) => plain(args[0])),
      [{ zettel_id: ID, sources: ['registry'] }],
    );
    assert.deepEqual(proposed.at(-1), {
      operation: 'write_note',
      input: { action: 'download', zettel_id: ID, destination: ['user', 'project'], version: '1.2.0' },
    });
  });

  it('says of a note that it may only be unknown yet while notes are being indexed', async () => {
    const client = await connected(
      fakeHall({
        ready: () => Promise.resolve(false),
        get: () => {
          throw new KaizenError('unknown_note', 'There is no note.');
        },
      }),
    );
    const result = await client.callTool({ name: 'get', arguments: { zettel_id: ID, source: 'local' } });
    await client.close();
    assert.match(textOf(result), /There is no note\. The notes are still being indexed: try again/);
  });

  it('costs a model at most 1,500 tokens, and is not among the default toolsets', () => {
    const surface = new Surface({ kaizen: fakeHall({}), toolsets: resolveToolsets('notes') });
    const seen = surface.tools.map(({ name, title, description, inputSchema }) => ({
      name,
      title,
      description,
      inputSchema,
    }));
    const tokens = encode(JSON.stringify(seen)).length;
    assert.ok(tokens <= 1_500, `${tokens} tokens`);
    assert.ok(encode(surface.instructions).length <= 150);
    assert.ok(resolveToolsets().every(({ name }) => name !== 'notes'));
  });

  it('publishes exactly these tools, and says which may ask a network', () => {
    const { tools } = new Surface({ kaizen: fakeHall({}), toolsets: resolveToolsets('notes') });
    const signatures = tools.map(({ name, inputSchema, annotations = {} }) => {
      const required = inputSchema.required ?? [];
      const args = Object.keys(inputSchema.properties ?? {}).map((key) => (required.includes(key) ? key : `${key}?`));
      const hints = [
        annotations.readOnlyHint ? 'reads' : 'writes',
        ...(annotations.destructiveHint ? ['destroys'] : []),
        ...(annotations.openWorldHint ? ['network'] : []),
      ];
      return `${name}(${args.join(', ')}) ${hints.join(', ')}`;
    });
    assert.deepEqual(signatures, [
      'search(query, source, category?, entry_type?, tags?, limit?) reads, network',
      'get(zettel_id, source, include_relationships?, include_backlinks?, version?, destination?) writes, network',
      'manage(action, zettel_id, title?, content?, entry_type?, tags?, source_type?, source_url?, category?, location?, version?, confirm?, content_hash?, new_zettel_id?) writes, destroys, network',
      'link(action, zettel_id?, collection?, source?, from_zettel_id?, to_zettel_id?, relationship_type?, location?, to_location?, name?, description?, zettel_ids?, collection_type?) writes, destroys, network',
      'help(query, context?) reads',
    ]);
  });
});

describe('help with notes', () => {
  const open = useHalls();
  for (const [query, topic, context] of [
    ['how to create a knowledge entry', 'Creating Knowledge Entries', "I'm new to Zettelkasten"],
    ['how do I search notes', 'Searching and Reading'],
    ['which source should I use, local or registry?', 'Sources: Project, User, Registry'],
    ['connect two notes with a relationship', 'Linking Notes'],
    ['make a collection', 'Collections'],
    ['publish a new version', 'Publishing to the Registry'],
    ['download into the user space', 'Downloading from the Registry'],
    ['the registry says conflict, what now', 'Conflicts'],
    ['fields of the front matter', 'Format of a Note'],
    ['migrate my old knowledge/base folder', 'Migrating from knowledge/base'],
    ['qwertyuiop', 'Creating Knowledge Entries'],
    ['qwertyuiop', 'Collections', 'I want to group things in a collection'],
  ] as const) {
    it(`answers "${query}"${context ? ` (${context})` : ''} with ${topic}`, async () => {
      const hall = await open();
      const client = await connected(hall.kaizen);
      const result = await client.callTool({ name: 'help', arguments: { query, ...(context ? { context } : {}) } });
      await client.close();
      const answer = result.structuredContent as {
        topic: string;
        workflow: string[];
        examples: unknown[];
        other_topics: string[];
      };
      assert.equal(answer.topic, topic);
      assert.match(answer.workflow[0] ?? '', /^1\. /);
      assert.ok(answer.examples.length > 0);
      assert.equal(answer.other_topics.length, HELP_TOPICS.length - 1);
    });
  }
});
