import assert from 'node:assert/strict';
import path from 'node:path';
import { CLIENTS } from './support/clients';
import { temporaryStores } from './support/kaizen-process';

/** The headings and the metadata of seed 002, which describes the schema in the schema, over texts of our own. */
const SCHEMA = path.resolve('test/fixtures/bases/schema');
const NODES = 41;
const PHASES = 'meta_mcp_agent.implementation';

interface Related {
  node: Record<string, unknown>;
  upstream: Record<string, unknown>[];
  downstream: Record<string, unknown>[];
}

describe('the specification of the schema as a knowledge base', () => {
  it('is a tree of its headings, and knows what its phases wait for', async () => {
    const stores = temporaryStores();
    const client = await CLIENTS[0]!.connect([...stores.flags, '--base', `seed=${SCHEMA}`]);
    try {
      const { structured: listed } = await client.call('list_knowledge_bases', {});
      const [file, ...others] = (listed as { knowledge_bases: Record<string, unknown>[] }).knowledge_bases;
      assert.deepEqual(others, []);
      assert.equal(file?.id, 'meta_mcp_agent');
      assert.equal(file?.title, 'Meta MCP Agent Protocol');
      assert.equal(file?.type, 'protocol');
      assert.equal(file?.last_checked, '2025-01-29');
      assert.equal(file?.node_count, NODES);

      const related = async (depth: number) => {
        const { structured } = await client.call('get_dependencies', { node_id: `${PHASES}.server_core`, depth });
        return structured as unknown as Related;
      };
      const task = { type: 'task', status: 'todo' };
      const core = `${PHASES}.server_core`;
      const matcher = `${PHASES}.semantic_matcher`;
      const builder = `${PHASES}.index_builder`;
      const examples = `${PHASES}.client_examples`;
      const near = {
        node: { id: core, title: 'Phase 3: MCP Server Core', ...task },
        upstream: [{ id: matcher, title: 'Phase 2: Semantic Matcher', ...task, depth: 1, path: [core, matcher] }],
        downstream: [
          {
            id: examples,
            title: 'Phase 5: Client Integration Examples',
            ...task,
            depth: 1,
            path: [core, examples],
          },
        ],
      };
      assert.deepEqual(await related(1), near);
      const first = {
        id: builder,
        title: 'Phase 1: Index Builder',
        ...task,
        depth: 2,
        path: [core, matcher, builder],
      };
      assert.deepEqual(await related(5), { ...near, upstream: [...near.upstream, first] });
    } finally {
      await client.close();
      stores.remove();
    }
  });
});
