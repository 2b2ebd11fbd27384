import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSearchIndex, createSemanticIndex, HybridSearch } from '../../src/search';

describe('finding by meaning', () => {
  it('gives as many as are wanted, however few of the nearest may be given', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'kaizen-finding-'));
    const semantic = createSemanticIndex({ cacheDirectory: directory });
    try {
      // The higher the number, the nearer to the question.
      const texts = Array.from({ length: 400 }, (_, number) => ({ uri: `n${number}`, text: String(number) }));
      let questions = 0;
      semantic.set('source', texts);
      semantic.use({
        id: 'fake/angles',
        embed: async (batch, { use }) => {
          if (use === 'query') questions++;
          return batch.map((text) => Float32Array.of(Math.sin(Number(text) / 500), Math.cos(Number(text) / 500)));
        },
        dispose() {},
      });
      while (!('done' in semantic.state && semantic.state.done === texts.length)) await sleep(5);
      const hybrid = new HybridSearch(createSearchIndex(), semantic, () => undefined);
      const admit = (uris: readonly string[]) => uris.filter((uri) => /^n\d\d?$/.test(uri));
      const { hits } = await hybrid.find('400', 'semantic', { limit: 3, admit });
      assert.deepEqual(
        hits.map(({ uri }) => uri),
        ['n99', 'n98', 'n97'],
      );
      assert.equal(questions, 1);
    } finally {
      await semantic.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
