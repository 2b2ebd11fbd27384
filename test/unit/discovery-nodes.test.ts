import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BaseFolders, eventually } from '../support/base-folders';
import { EmbeddingServer } from '../support/embedding-server';
import { type Hall, useHalls } from '../support/hall';

const ZOO = `# Zoo
- id: zoo
- type: context
<!-- content -->
How the zoo is run.

## Giraffes
- id: zoo.giraffes
- type: guideline
<!-- content -->
They eat at noon.

## Walruses
- id: zoo.walruses
- type: guideline
<!-- content -->
They are washed at night.
`;

async function found({ discovery }: Pick<Hall, 'discovery'>, task: string): Promise<string[]> {
  const { recommendations } = await discovery.discover({ task_description: task, max_results: 20 });
  return recommendations.map(({ id }) => id).sort();
}

describe('discovery of nodes', () => {
  const open = useHalls();
  let folders: BaseFolders;
  let root: string;
  let file: string;

  beforeEach(() => {
    folders = new BaseFolders();
    folders.write({ 'docs/ZOO.md': ZOO, 'docs/park/TREES.md': '# Trees\n\nThe oak is watered on Mondays.\n' });
    root = path.join(folders.path, 'docs');
    file = path.join(root, 'ZOO.md');
  });
  afterEach(() => folders.remove());

  const zoo = (options = {}) => open({ bases: [{ name: 'docs', root }], ...options });

  /** As whoever watches tells it. */
  async function changed({ bases }: Hall, what = file): Promise<void> {
    bases.touched(what);
    await bases.rescan();
  }

  it('finds nodes by title, headings and text', async () => {
    const hall = await zoo();
    assert.deepEqual(await found(hall, 'giraffes'), ['zoo.giraffes']);
    assert.deepEqual(await found(hall, 'washed at night'), ['zoo.walruses']);
    assert.deepEqual(await found(hall, 'watering an oak'), ['park.trees']);
    const { results } = await hall.discovery.search({ query: 'walruses' });
    assert.equal(results[0]?.id, 'zoo.walruses');
    assert.deepEqual(hall.discovery.state.nodes, 4);
  });

  it('follows a changed, a new, a removed and a renamed file', async () => {
    const hall = await zoo();
    assert.deepEqual(await found(hall, 'okapi'), []);
    writeFileSync(file, ZOO.replace('They eat at noon', 'They share it with the okapi'));
    await changed(hall);
    assert.deepEqual(await found(hall, 'okapi'), ['zoo.giraffes']);
    folders.write({ 'docs/park/PONDS.md': '# Ponds\n\nThe heron fishes.\n' });
    await changed(hall, path.join(root, 'park'));
    assert.deepEqual(await found(hall, 'heron fishing'), ['park.ponds']);
    rmSync(path.join(root, 'park', 'PONDS.md'));
    await changed(hall, path.join(root, 'park', 'PONDS.md'));
    assert.deepEqual(await found(hall, 'heron fishing'), []);
    rmSync(file);
    folders.write({ 'docs/ANIMALS.md': ZOO });
    await changed(hall, root);
    const { recommendations } = await hall.discovery.discover({ task_description: 'giraffes' });
    assert.deepEqual(
      recommendations.map(({ id, path: where }) => [id, where]),
      [['zoo.giraffes', 'ANIMALS.md#giraffes']],
    );
    assert.equal(hall.discovery.state.nodes, 4);
  });

  it('follows bases that come and go', async () => {
    const hall = await open({ bases: [] });
    assert.deepEqual(await found(hall, 'giraffes'), []);
    hall.bases.define([{ name: 'docs', root }]);
    await hall.bases.ready(5_000);
    assert.deepEqual(await found(hall, 'giraffes'), ['zoo.giraffes']);
    hall.bases.define([]);
    assert.deepEqual(await found(hall, 'giraffes'), []);
    assert.equal(hall.discovery.state.nodes, 0);
  });

  it('finds after a restart what was changed and removed meanwhile', async () => {
    const hall = await zoo();
    assert.deepEqual(await found(hall, 'giraffes'), ['zoo.giraffes']);
    await hall.kaizen.close();
    writeFileSync(file, ZOO.replace('Giraffes', 'Okapis').replace('zoo.giraffes', 'zoo.okapis'));
    rmSync(path.join(root, 'park'), { recursive: true });
    const again = await zoo({ data: hall.data, shared: hall.shared });
    assert.deepEqual(await found(again, 'okapis'), ['zoo.okapis']);
    assert.deepEqual(await found(again, 'giraffes'), []);
    assert.deepEqual(await found(again, 'oak'), []);
    assert.equal(again.discovery.state.nodes, 3);
  });

  it('names the base in paths and ids where there are several', async () => {
    folders.write({ 'other/ZOO.md': ZOO.replaceAll('Giraffes', 'Okapis') });
    const other = path.join(folders.path, 'other');
    const hall = await open({
      bases: [
        { name: 'docs', root },
        { name: 'other', root: other },
      ],
    });
    const { recommendations } = await hall.discovery.discover({ task_description: 'okapis' });
    assert.deepEqual(
      recommendations.map(({ id, path: where }) => [id, where]),
      [['other:zoo.giraffes', 'other/ZOO.md#okapis']],
    );
  });

  describe('by meaning', () => {
    let server: EmbeddingServer;

    beforeEach(async () => {
      server = await new EmbeddingServer().start();
    });
    afterEach(() => server.stop());

    const embeddings = () => ({ provider: 'endpoint' as const, url: server.url, model: 'few-synonyms' });

    async function embedded({ discovery }: Hall): Promise<void> {
      await discovery.discover({ task_description: 'zoo' });
      await eventually(() => {
        const { state } = discovery;
        return 'total' in state.embeddings && state.embeddings.done === state.total && state.total > 0;
      });
    }

    it('finds with hybrid search what shares no word with the query', async () => {
      folders.write({ 'docs/FLEET.md': '# Automobile\n\nautomobile automobile automobile\n' });
      const hall = await zoo({ embeddings: embeddings() });
      await embedded(hall);
      const { results, search_type_used } = await hall.discovery.search({ query: 'vehicle', search_type: 'hybrid' });
      assert.equal(search_type_used, 'hybrid');
      assert.equal(results[0]?.id, 'fleet');
      assert.match(results[0]?.reason ?? '', /meaning/);
      const words = await hall.discovery.search({ query: 'vehicle', search_type: 'keyword' });
      assert.deepEqual(words.results, []);
      assert.ok((await found(hall, 'vehicle')).includes('fleet'));
    });

    it('embeds only nodes that have changed', async () => {
      const hall = await zoo({ embeddings: embeddings() });
      await embedded(hall);
      const before = server.texts.length;
      appendFileSync(file, '\n## Okapis\n- id: zoo.okapis\n<!-- content -->\nThey hide.\n');
      await changed(hall);
      await embedded(hall);
      const passages = server.texts.slice(before).filter((text) => text.includes('\n'));
      assert.deepEqual(
        passages.map((text) => text.split('\n')[0]),
        ['Zoo › Okapis'],
      );
      await hall.kaizen.close();
      const asked = server.texts.length;
      const again = await zoo({ data: hall.data, shared: hall.shared, embeddings: embeddings() });
      await embedded(again);
      assert.deepEqual(
        server.texts.slice(asked).filter((text) => text.includes('\n')),
        [],
      );
    });

    it('finds by words until there are vectors, then by those that there are, and says so each time', async () => {
      const sections = Array.from({ length: 160 }, (_, index) => `## Berth ${index}\n\nFor ships of class ${index}.\n`);
      folders.write({ 'docs/PORT.md': `# Port\n\n${sections.join('\n')}` });
      // Requests with texts of nodes are let through in turn, as many as may.
      let allowed = 0;
      let asked = 0;
      server.misbehave = async ({ input }) => {
        if (!input[0]!.includes('\n')) return false;
        const turn = asked++;
        await eventually(() => turn < allowed, 15_000);
        return false;
      };
      const hall = await zoo({ embeddings: embeddings() });
      try {
        for (const search_type of ['hybrid', 'semantic'] as const) {
          const none = await hall.discovery.search({ query: 'giraffes', search_type });
          assert.deepEqual([none.search_type_used, none.results[0]?.id], ['keyword', 'zoo.giraffes']);
          assert.match(none.message ?? '', /words only: vectors of 165 texts are still being made/);
        }
        const { recommendations, message } = await hall.discovery.discover({ task_description: 'wash walruses' });
        assert.equal(recommendations[0]?.id, 'zoo.walruses');
        assert.match(message ?? '', /words only: vectors of 165 texts are still being made/);

        allowed = 3;
        await eventually(() => 'done' in hall.discovery.state.embeddings && hall.discovery.state.embeddings.done > 0);
        const some = await hall.discovery.search({ query: 'giraffes' });
        assert.deepEqual([some.search_type_used, some.results[0]?.id], ['hybrid', 'zoo.giraffes']);
        assert.match(some.message ?? '', /by meaning among \d+ of 165 texts/);
      } finally {
        allowed = Number.POSITIVE_INFINITY;
      }
      await embedded(hall);
      const all = await hall.discovery.search({ query: 'giraffes' });
      assert.deepEqual([all.search_type_used, all.message], ['hybrid', undefined]);
    });

    it('falls back to words and says why, when there is no model or it does not answer', async () => {
      const hall = await zoo();
      const without = await hall.discovery.search({ query: 'giraffes' });
      assert.equal(without.search_type_used, 'keyword');
      assert.match(without.message ?? '', /words only: no embedding model is set up/);
      const asked = await hall.discovery.discover({ task_description: 'giraffes' });
      assert.equal(asked.message, undefined);
      const keyword = await hall.discovery.search({ query: 'giraffes', search_type: 'keyword' });
      assert.deepEqual({ ...keyword, message: without.message }, without);
      assert.equal(keyword.message, undefined);

      hall.discovery.useEmbeddings(embeddings());
      await embedded(hall);
      assert.equal((await hall.discovery.search({ query: 'giraffes' })).search_type_used, 'hybrid');
      server.misbehave = (_asked, response) => {
        response.writeHead(401).end('{}');
        return true;
      };
      const refused = await hall.discovery.search({ query: 'walruses now' });
      assert.equal(refused.search_type_used, 'keyword');
      assert.match(refused.message ?? '', /words only/);
      assert.equal(refused.results[0]?.id, 'zoo.walruses');

      hall.discovery.useEmbeddings({ provider: 'none' });
      assert.deepEqual(hall.discovery.state.embeddings, { provider: 'none' });
      assert.equal((await hall.discovery.search({ query: 'giraffes' })).search_type_used, 'keyword');
    });

    it('says what is wrong with an embedder that cannot be made, and searches by words', async () => {
      const hall = await zoo({ embeddings: { provider: 'local' } });
      const { message, recommendations } = await hall.discovery.discover({ task_description: 'giraffes' });
      assert.equal(recommendations[0]?.id, 'zoo.giraffes');
      assert.match(message ?? '', /words only/);
      const { embeddings: state } = hall.discovery.state;
      assert.equal(state.provider, 'local');
      assert.ok('problem' in state && state.problem);
    });
  });

  it('leaves the files of a base as they are', async () => {
    const before = readFileSync(file, 'utf8');
    const hall = await zoo();
    await found(hall, 'giraffes');
    await hall.kaizen.close();
    assert.equal(readFileSync(file, 'utf8'), before);
  });
});
