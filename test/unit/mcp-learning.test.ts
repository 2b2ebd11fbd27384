import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { encode } from 'gpt-tokenizer/encoding/cl100k_base';
import { entryUri } from '../../src/core/knowledge-uri';
import { type AgentWrites, type KaizenHall, resolveToolsets, Surface } from '../../src/mcp';
import { RELATION_TYPES } from '../../src/relations';
import { fakeHall } from '../support/fake-hall';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';

type Args = Record<string, unknown>;

interface Envelope {
  tool: string;
  success: boolean;
  // Each operation has its own.
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it by what it asked for
  result: any;
  error: string | null;
  error_code: string | null;
}

async function connected(kaizen: KaizenHall, agentWrites?: AgentWrites) {
  const surface = new Surface({ kaizen, toolsets: resolveToolsets('learning'), agentWrites });
  const [left, right] = InMemoryTransport.createLinkedPair();
  await surface.connect().connect(right);
  const client = new Client({ name: 'Scripted Agent', version: '1' });
  await client.connect(left);
  // Fetched once, so that the client checks each result by its schema.
  await client.listTools();
  return client;
}

const at = (keyword: string) => entryUri({ scope_id: 'general', category: 'rules', keyword });

describe('the learning toolset', () => {
  const open = useHalls();

  async function withEntries(...keywords: string[]): Promise<Hall> {
    const hall = await open();
    await hall.define('general', 'GENERAL');
    for (const keyword of keywords) await hall.put('general', 'rules', keyword);
    return hall;
  }

  async function use(hall: Hall, args: Args, agentWrites?: AgentWrites): Promise<Envelope> {
    const client = await connected(hall.kaizen, agentWrites);
    try {
      const result = await client.callTool({ name: 'knowledge_relationship', arguments: args });
      const [content] = result.content as { text: string }[];
      assert.deepEqual(JSON.parse(content?.text ?? ''), result.structuredContent, 'text and structure say the same');
      const answer = result.structuredContent as unknown as Envelope;
      assert.equal(result.isError === true, answer.error !== null);
      return answer;
    } finally {
      await client.close();
    }
  }

  it('adds, finds, follows and removes with the names of seed 003', async () => {
    const hall = await withEntries('cavitation', 'wear', 'report');
    const added = await use(hall, {
      operation: 'add',
      source_chunk_id: at('cavitation'),
      target_chunk_id: at('wear'),
      relationship_type: 'causes',
      context: 'Seen in the field.',
      confidence: 0.8,
      evidence_chunk_ids: [at('report')],
      created_by: 'inferred',
    });
    assert.equal(added.success, true);
    const { status, relationship_id: id, relationship } = added.result;
    assert.equal(status, 'added');
    assert.deepEqual(relationship, {
      id,
      confidence: 0.8,
      bidirectional: false,
      context: 'Seen in the field.',
      created_by: 'inferred',
      author: 'Scripted Agent',
      origin: 'stored',
      source_chunk_id: at('cavitation'),
      target_chunk_id: at('wear'),
      relationship_type: 'causes',
      evidence_chunk_ids: [at('report')],
      created_at: '2026-05-04T09:00:00.000Z',
    });
    const again = { operation: 'add', source_chunk_id: at('cavitation'), target_chunk_id: at('wear') };
    assert.equal((await use(hall, { ...again, relationship_type: 'causes' })).result.status, 'unchanged');

    const found = await use(hall, { operation: 'find', relationship_type: 'causes' });
    assert.deepEqual(found.result, { total_results: 1, results: [relationship] });
    for (const [args, expected] of [
      [{ target_chunk_id: at('wear') }, 1],
      [{ target_chunk_id: at('cavitation') }, 0],
      [{ target_chunk_id: at('cavitation'), direction: 'both' }, 1],
      [{ source_chunk_id: at('cavitation'), target_chunk_id: at('wear') }, 1],
      [{ source_chunk_id: at('cavitation'), target_chunk_id: at('report') }, 0],
      [{ source_chunk_id: at('wear'), direction: 'outgoing' }, 0],
      [{ relationship_types: ['supports', 'prevents'] }, 0],
      [{ min_confidence: 0.9 }, 0],
    ] as const) {
      assert.equal((await use(hall, { operation: 'find', ...args })).result.total_results, expected, String(args));
    }

    const walked = await use(hall, { operation: 'traverse', source_chunk_id: at('cavitation'), max_depth: 2 });
    assert.deepEqual(walked.result, {
      start: { uri: at('cavitation'), title: 'cavitation', kind: 'entry', depth: 0 },
      total_results: 1,
      results: [{ id: at('wear'), uri: at('wear'), title: 'wear', kind: 'entry', depth: 1 }],
      relationships: [relationship],
      paths: [{ uris: [at('cavitation'), at('wear')], relationship_ids: [id], confidence: 0.8 }],
      truncated: false,
    });

    const removed = await use(hall, { operation: 'remove', relationship_id: id });
    assert.deepEqual([removed.result.status, removed.result.relationship], ['removed', relationship]);
    assert.deepEqual((await use(hall, { operation: 'find' })).result.results, []);
  });

  it('names the operation that needs a missing argument', async () => {
    const hall = await withEntries('a', 'b');
    for (const [args, needs] of [
      [{ operation: 'add' }, /^add needs source_chunk_id\. An address/],
      [{ operation: 'add', source_chunk_id: at('a') }, /^add needs target_chunk_id\. An address/],
      [{ operation: 'add', source_chunk_id: at('a'), target_chunk_id: at('b') }, /^add needs relationship_type\./],
      [{ operation: 'remove' }, /^remove needs relationship_id\./],
      // As many models send what they have nothing to say of.
      [{ operation: 'add', source_chunk_id: ' ', target_chunk_id: at('b') }, /^add needs source_chunk_id\./],
      [{ operation: 'remove', relationship_id: '' }, /^remove needs relationship_id\./],
      [{ operation: 'traverse' }, /^traverse needs source_chunk_id\./],
    ] as const) {
      const { success, error, error_code } = await use(hall, args);
      assert.deepEqual([success, error_code], [false, 'invalid_argument']);
      assert.match(error ?? '', needs);
    }
  });

  it('says what is wrong in the envelope', async () => {
    const hall = await withEntries('a', 'b');
    const refused = async (args: Args) => {
      const { success, result, error_code } = await use(hall, args);
      assert.deepEqual([success, result], [false, null]);
      return error_code;
    };
    const add = { operation: 'add', source_chunk_id: at('a'), relationship_type: 'causes' };
    assert.equal(await refused({ ...add, target_chunk_id: at('nothing') }), 'unknown_end');
    assert.equal(await refused({ ...add, target_chunk_id: at('a') }), 'invalid_relation');
    assert.equal(await refused({ ...add, target_chunk_id: at('b'), relationship_type: 'eats' }), 'invalid_argument');
    assert.equal(await refused({ operation: 'remove', relationship_id: 'nothing' }), 'unknown_relation');
    assert.equal(await refused({ operation: 'traverse', source_chunk_id: at('a'), max_depth: 11 }), 'invalid_argument');
  });

  it('holds what it would write for review, and writes it as the agent’s once a person accepts', async () => {
    const hall = await withEntries('a', 'b');
    const args = {
      operation: 'add',
      source_chunk_id: at('a'),
      target_chunk_id: at('b'),
      relationship_type: 'contradicts',
      context: 'One says always, the other never.',
    };
    const held = await use(hall, args, 'review');
    assert.deepEqual([held.success, held.error, held.result.status], [false, null, 'pending']);
    assert.match(held.result.pending, /proposal 1/);
    assert.match((await use(hall, args, 'review')).result.pending, /proposal 1:/);
    assert.deepEqual(await hall.relations.find({}), []);
    assert.deepEqual(await hall.review.preview(1), {
      title: 'a → b (contradicts)',
      before: '',
      after: `# Relation\n\nFrom: a (${at('a')})\n\nType: contradicts\n\nTo: b (${at('b')})\n\n## Why\n\nOne says always, the other never.\n`,
    });
    await hall.review.accept(1, { confirmed: false }, BY_TESTER);
    const [relation] = await hall.relations.find({});
    assert.deepEqual([relation?.type, relation?.author], ['contradicts', 'Scripted Agent']);

    const removing = { operation: 'remove', relationship_id: relation!.id };
    await use(hall, removing, 'review');
    const preview = await hall.review.preview(2);
    assert.deepEqual([preview?.title, preview?.after], ['a → b (contradicts)', '']);
    assert.match(preview?.before ?? '', /One says always/);
    await hall.review.accept(2, { confirmed: false }, BY_TESTER);
    assert.deepEqual(await hall.relations.find({}), []);
  });

  it('refuses at once what could not be written', async () => {
    const hall = await withEntries('a');
    const args = { operation: 'add', source_chunk_id: at('a'), target_chunk_id: at('b'), relationship_type: 'causes' };
    assert.equal((await use(hall, args, 'review')).error_code, 'unknown_end');
    assert.deepEqual(hall.review.proposals(), []);
  });

  it('offers what reads alone where agents may not write', async () => {
    const hall = await withEntries('a', 'b');
    await hall.relations.add({ source: at('a'), target: at('b'), type: 'causes' }, BY_TESTER);
    const walked = await use(hall, { operation: 'traverse', source_chunk_id: at('a') }, 'deny');
    assert.equal(walked.result.total_results, 1);
    const add = { operation: 'add', source_chunk_id: at('a'), target_chunk_id: at('b'), relationship_type: 'supports' };
    assert.equal((await use(hall, add, 'deny')).error_code, 'invalid_argument');
    const { tools } = new Surface({ kaizen: fakeHall({}), toolsets: resolveToolsets('learning'), agentWrites: 'deny' });
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
      [
        ['knowledge_relationship', true],
        ['knowledge_admin', true],
      ],
    );
  });

  it('has the arguments, defaults and choices of seed 003', () => {
    const surface = new Surface({ kaizen: fakeHall({}), toolsets: resolveToolsets('learning') });
    const tool = surface.tools.find(({ name }) => name === 'knowledge_relationship')!;
    const properties = tool.inputSchema.properties as Record<string, Record<string, unknown>>;
    assert.deepEqual(tool.inputSchema.required, ['operation']);
    assert.deepEqual(properties.operation!.enum, ['add', 'remove', 'traverse', 'find']);
    assert.deepEqual(properties.relationship_type!.enum, [...RELATION_TYPES]);
    assert.deepEqual(properties.direction!.enum, ['outgoing', 'incoming', 'both']);
    assert.deepEqual(
      ['bidirectional', 'direction', 'max_depth'].map((name) => properties[name]!.default),
      [false, 'both', 3],
    );
    const names = ['source_chunk_id', 'target_chunk_id', 'context', 'relationship_id', 'relationship_types'];
    for (const name of names) assert.ok(properties[name], name);
    const tokens = encode(JSON.stringify({ ...tool, outputSchema: undefined })).length;
    assert.ok(tokens <= 800, `${tokens} tokens`);
    assert.ok(resolveToolsets().every(({ name }) => name !== 'learning'));
  });
});
