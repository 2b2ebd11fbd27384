import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createEmbedder,
  createSemanticIndex,
  type Embedder,
  fuse,
  type SemanticIndex,
  type SemanticIndexOptions,
} from '../../src/search';
import { EmbeddingServer } from '../support/embedding-server';
import { turnsDuring } from '../support/turns';

const TEXTS = {
  rollback: 'Undo a release',
  vehicles: 'Which automobile may enter the yard',
  authentication: 'How authentication works',
  colours: 'Colours of buttons',
};

describe('search by meaning', () => {
  let server: EmbeddingServer;
  let directory: string;
  const open: SemanticIndex[] = [];

  beforeEach(async () => {
    server = await new EmbeddingServer().start();
    directory = mkdtempSync(path.join(tmpdir(), 'kaizen-semantics-'));
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((index) => index.close()));
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  function index(patience?: SemanticIndexOptions['patience']): SemanticIndex {
    const made = createSemanticIndex({ cacheDirectory: directory, ...(patience ? { patience } : {}) });
    open.push(made);
    return made;
  }

  function embedder(model = 'test'): Embedder {
    return createEmbedder({ provider: 'endpoint', url: server.url, model }, { modelsDirectory: 'unused' })!;
  }

  function texts(given: Record<string, string>): { uri: string; text: string }[] {
    return Object.entries(given).map(([uri, text]) => ({ uri, text }));
  }

  /** Waits until every text has its vector, or a problem is told. */
  async function settled(made: SemanticIndex): Promise<void> {
    const isSettled = () => {
      const { state } = made;
      return state.provider === 'none' || !('done' in state) || state.done === state.total || 'problem' in state;
    };
    await new Promise<void>((resolve) => {
      const listening = made.onDidChange(() => {
        if (!isSettled()) return;
        listening.dispose();
        resolve();
      });
      if (isSettled()) resolve();
    });
  }

  async function filled(given: Record<string, string> = TEXTS): Promise<SemanticIndex> {
    const made = index();
    made.set('source', texts(given));
    made.use(embedder());
    await settled(made);
    return made;
  }

  async function uris(made: SemanticIndex, query: string, limit = 10): Promise<string[]> {
    return (await made.search(query, { limit })).map(({ uri }) => uri);
  }

  it('is empty without an embedder, and sends nothing anywhere', async () => {
    const made = index();
    made.set('source', texts(TEXTS));
    assert.deepEqual(made.state, { provider: 'none' });
    assert.deepEqual(await made.search('revert', { limit: 5 }), []);
    assert.equal(server.asked.length, 0);
  });

  it('finds what is meant, though no word is the same', async () => {
    const made = await filled();
    assert.equal((await uris(made, 'revert'))[0], 'rollback');
    assert.equal((await uris(made, 'car'))[0], 'vehicles');
    assert.equal((await uris(made, 'login'))[0], 'authentication');
    const [best, ...others] = await made.search('car', { limit: 4 });
    assert.ok(best!.similarity > 0.3 && others.every(({ score }) => score < best!.score));
    assert.ok([best!, ...others].every(({ score }) => score > 0 && score < 1));
  });

  it('gives the best that are accepted, as many as wanted', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, number) => [`n${number}`, `car number ${number}`]));
    const made = await filled({ ...TEXTS, ...many });
    assert.equal((await uris(made, 'vehicle', 7)).length, 7);
    let asked = 0;
    const accept = (uri: string) => {
      asked++;
      return uri === 'colours' || uri === 'vehicles';
    };
    const found = await made.search('automobile', { limit: 2, accept });
    assert.deepEqual(
      found.map(({ uri }) => uri),
      ['vehicles', 'colours'],
    );
    assert.ok(asked > 400);
    asked = 0;
    await made.search('automobile', { limit: 1, accept: (uri) => ++asked > 3 && uri.startsWith('n') });
    assert.ok(asked < 10);
  });

  it('says how far it has come, and tells of it', async () => {
    const made = index();
    const states: unknown[] = [];
    made.onDidChange(() => states.push(made.state));
    made.use(embedder());
    made.set('source', texts(TEXTS));
    assert.deepEqual(made.state, { provider: 'endpoint', done: 0, total: 4 });
    await settled(made);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(made.state, { provider: 'endpoint', done: 4, total: 4 });
    assert.deepEqual(states.at(-1), made.state);
    made.use(undefined);
    assert.deepEqual(made.state, { provider: 'none' });
  });

  it('embeds no text twice: not in another place, not when it is set again, not in another run', async () => {
    const made = await filled({ ...TEXTS, copy: TEXTS.rollback });
    made.set('other', texts({ elsewhere: TEXTS.colours }));
    made.set('source', texts(TEXTS));
    await settled(made);
    assert.deepEqual([...server.texts].sort(), Object.values(TEXTS).sort());
    assert.deepEqual((await uris(made, 'revert')).slice(0, 2), ['copy', 'rollback']);
    await made.close();
    server.asked.length = 0;
    const again = await filled();
    assert.equal(again.state.provider === 'none' ? 0 : 'done' in again.state && again.state.done, 4);
    assert.equal(server.asked.length, 0);
    assert.equal((await uris(again, 'revert'))[0], 'rollback');
    await again.search('revert', { limit: 1 });
    assert.deepEqual(server.texts, ['revert']);
  });

  it('follows what is changed and removed, and finds the old text as long as the new one has no vector', async () => {
    const made = await filled();
    made.set('source', texts({ vehicles: 'Undo a change' }));
    assert.equal((await uris(made, 'car'))[0], 'vehicles');
    await settled(made);
    assert.deepEqual((await uris(made, 'revert', 2)).sort(), ['rollback', 'vehicles']);
    made.remove('other', ['vehicles']);
    made.remove('source', ['rollback', 'unknown']);
    assert.equal((await uris(made, 'revert'))[0], 'vehicles');
    assert.equal((await uris(made, 'revert')).length, 3);
    made.drop('source');
    assert.deepEqual(await uris(made, 'revert'), []);
    assert.deepEqual(made.state, { provider: 'endpoint', done: 0, total: 0 });
  });

  it('takes what another process has embedded meanwhile', async () => {
    const first = await filled();
    const second = index();
    second.use(embedder());
    first.set('source', texts({ more: 'Something more' }));
    await settled(first);
    server.asked.length = 0;
    second.set('source', texts({ ...TEXTS, more: 'Something more' }));
    await settled(second);
    assert.equal(server.asked.length, 0);
    assert.equal((await uris(second, 'login'))[0], 'authentication');
  });

  it('shares the work with a process that does the same at the same time', async () => {
    const count = 6000;
    const many = Array.from({ length: count }, (_, number) => ({ uri: `n${number}`, text: `text ${number}` }));
    let embedded = 0;
    const work = () => {
      const made = index();
      made.set('source', many);
      made.use({
        id: 'fake/slow',
        embed: async (batch) => {
          embedded += batch.length;
          await sleep(2 + (embedded % 3));
          return batch.map((text) => Float32Array.from({ length: 16 }, (_, i) => text.length * i + 1));
        },
        dispose() {},
      });
      return made;
    };
    await Promise.all([work(), work()].map(settled));
    assert.ok(embedded < count * 1.6, `${embedded} embedded`);
  });

  it('keeps the vectors of models apart, and those it had come back from the cache', async () => {
    const made = await filled();
    server.dimensions = 32;
    made.use(embedder('another'));
    await settled(made);
    assert.equal((await uris(made, 'car'))[0], 'vehicles');
    assert.equal(server.texts.length, 9);
    server.dimensions = 64;
    made.use(embedder());
    await settled(made);
    assert.equal(server.texts.length, 9);
    assert.equal((await uris(made, 'car'))[0], 'vehicles');
  });

  it('gives no text a vector of the model before, whenever the model is exchanged', async () => {
    const many = Array.from({ length: 300 }, (_, number) => ({ uri: `n${number}`, text: `text ${number}` }));
    const model = (id: string, direction: number): Embedder => ({
      id,
      embed: async (batch) => batch.map(() => Float32Array.from({ length: 16 }, (_, i) => (i === direction ? 1 : 0))),
      dispose() {},
    });
    const first = index();
    first.set('source', many);
    first.use(model('fake/first', 0));
    await settled(first);
    for (let steps = 0; steps < 12; steps++) {
      const made = index();
      made.set('source', many);
      made.use(model('fake/first', 0));
      for (let step = 0; step < steps; step++) await new Promise((resolve) => setImmediate(resolve));
      made.use(model('fake/second', 1));
      await settled(made);
      const found = await made.search('anything', { limit: many.length });
      assert.deepEqual([found.length, Math.min(...found.map(({ similarity }) => Math.round(similarity)))], [300, 1]);
    }
  });

  it('answers no question with what the model before says late, be it a vector or a failure', async () => {
    for (const isFailure of [false, true]) {
      let answer = () => {};
      const asked = new Promise<void>((resolve) => {
        answer = resolve;
      });
      const late: Embedder = {
        id: 'fake/late',
        embed: async (batch, { use }) => {
          if (use === 'query') await asked;
          if (use === 'query' && isFailure) throw new Error('disposed of');
          return batch.map(() => Float32Array.of(1, 0));
        },
        dispose: () => answer(),
      };
      const made = index();
      made.set('source', texts(TEXTS));
      made.use(late);
      await settled(made);
      const waiting = made.search('car', { limit: 1 }).catch(() => []);
      made.use({
        id: `fake/${isFailure}`,
        embed: async (batch) => batch.map(() => Float32Array.of(0, 1)),
        dispose() {},
      });
      assert.deepEqual(await waiting, []);
      await settled(made);
      assert.equal((await made.search('car', { limit: 1 }))[0]?.similarity.toFixed(3), '1.000');
    }
  });

  it('goes on by itself when a server exchanges its model while it is used', async () => {
    const made = index({ pauses: [10], spared: 0 });
    made.set('source', texts(TEXTS));
    made.use(embedder());
    await settled(made);
    server.dimensions = 32;
    made.set('source', texts({ new: 'Undo something new' }));
    while (!('done' in made.state && made.state.done === 5 && !('problem' in made.state))) await sleep(5);
    assert.equal((await uris(made, 'car'))[0], 'vehicles');
    assert.equal((await uris(made, 'revert')).length, 5);
  });

  it('finds the few of 30,000 passages that are accepted, and asks about each of them once', async () => {
    const made = index();
    const many = Array.from({ length: 30_000 }, (_, number) => ({ uri: `n${number}`, text: `text ${number}` }));
    let looked = 0;
    made.set('source', many);
    made.use({
      id: 'fake/even',
      embed: async (batch) =>
        batch.map((text) => Float32Array.from({ length: 16 }, (_, i) => Math.sin(Number(text.slice(5)) * (i + 1)))),
      dispose() {},
    });
    await settled(made);
    const accept = (uri: string) => {
      looked++;
      return uri === 'n77' || uri === 'n23456';
    };
    const found = await made.search('text 5', { limit: 5, accept });
    assert.deepEqual(found.map(({ uri }) => uri).sort(), ['n23456', 'n77']);
    assert.ok(looked < many.length + 200, `${looked} looks`);
  });

  it('begins anew when a server has exchanged its model for one of another length', async () => {
    await (await filled()).close();
    server.dimensions = 32;
    const made = await filled();
    assert.equal(server.texts.length, 4);
    assert.deepEqual(await uris(made, 'car'), []);
    await settled(made);
    assert.equal((await uris(made, 'car'))[0], 'vehicles');
    assert.equal(server.texts.length, 9);
  });

  it('says why it does not go on, and still finds what it has', async () => {
    const made = await filled();
    server.misbehave = ({ input }, response) => {
      if (input.includes('car')) return false;
      response.writeHead(401).end();
      return true;
    };
    made.set('source', texts({ new: 'Something new' }));
    await settled(made);
    const { state } = made;
    assert.match(String('problem' in state && state.problem), /refuses the key \(401\)/);
    assert.deepEqual(state, { ...state, done: 4, total: 5 });
    assert.equal((await uris(made, 'car'))[0], 'vehicles');
    await assert.rejects(made.search('something else', { limit: 1 }), { code: 'embedding_failed' });
    server.misbehave = () => false;
    made.use(embedder());
    await settled(made);
    assert.deepEqual(made.state, { provider: 'endpoint', done: 5, total: 5 });
  });

  it('does not let every question wait for a server that fails, and goes on once it answers again', async () => {
    const made = index({ pauses: [60_000], spared: 200 });
    made.set('source', texts(TEXTS));
    made.use(embedder());
    await settled(made);
    server.misbehave = (_, response) => {
      response.writeHead(403).end();
      return true;
    };
    made.set('source', texts({ new: 'Undo something new' }));
    await settled(made);
    server.asked.length = 0;
    await assert.rejects(made.search('one', { limit: 1 }), { code: 'embedding_failed' });
    await assert.rejects(made.search('two', { limit: 1 }), { code: 'embedding_failed' });
    assert.deepEqual(server.texts, ['one']);
    server.misbehave = () => false;
    await sleep(250);
    assert.equal((await uris(made, 'car'))[0], 'vehicles');
    await settled(made);
    while ('problem' in made.state) await sleep(5);
    assert.deepEqual(made.state, { provider: 'endpoint', done: 5, total: 5 });
  });

  it('tries again by itself after a pause', async () => {
    let failures = 2;
    server.misbehave = (_, response) => {
      if (failures-- > 0) response.writeHead(403).end();
      return response.writableEnded;
    };
    const made = index({ pauses: [10, 20], spared: 0 });
    made.set('source', texts(TEXTS));
    made.use(embedder());
    while (!('done' in made.state && made.state.done === 4)) await sleep(5);
    assert.equal(server.asked.length, 3);
    assert.equal((await uris(made, 'car'))[0], 'vehicles');
  });

  it('leaves out what is blank and what the server does not take', async () => {
    server.misbehave = ({ input }, response) => {
      if (!input.includes('poison')) return false;
      response.writeHead(400).end();
      return true;
    };
    const made = await filled({ ...TEXTS, blank: ' \n', bad: 'poison' });
    assert.deepEqual(made.state, { provider: 'endpoint', done: 6, total: 6 });
    assert.equal((await uris(made, 'car')).length, 4);
  });

  it('asks for a text only when there is an embedder', async () => {
    const made = index();
    let asked = 0;
    const lazy = {
      uri: 'lazy',
      get text() {
        asked++;
        return 'Undo';
      },
    };
    made.set('source', [lazy]);
    assert.equal(asked, 0);
    made.use(embedder());
    await settled(made);
    assert.deepEqual(await uris(made, 'revert'), ['lazy']);
  });

  it('stops when it is closed, whatever is under way', async () => {
    let reached = () => {};
    const asked = new Promise<void>((resolve) => {
      reached = resolve;
    });
    server.misbehave = () => {
      reached();
      return new Promise(() => {});
    };
    const made = index();
    made.set('source', texts(TEXTS));
    made.use(embedder());
    await asked;
    await made.close();
    assert.deepEqual(await made.search('car', { limit: 1 }), []);
    made.set('source', texts(TEXTS));
    assert.equal(server.asked.length, 1);
  });

  it('lets others run while it takes in 20,000 texts', async () => {
    const many = Array.from({ length: 20_000 }, (_, number) => ({ uri: `n${number}`, text: `text number ${number}` }));
    const made = index();
    made.use({
      id: 'fake/fast',
      embed: async (batch) => batch.map((text) => Float32Array.from({ length: 16 }, (_, i) => (text.length * i) % 7)),
      dispose() {},
    });
    const turns = await turnsDuring(async () => {
      made.set('source', many);
      await settled(made);
    });
    assert.deepEqual(made.state, { provider: 'fake', done: 20_000, total: 20_000 });
    // One for its vector and one for its place, at least.
    assert.ok(turns > 2 * many.length, `${turns} turns`);
  });
});

describe('words and meaning together', () => {
  it('keep the score of what one of them found, and raise that of what both found', () => {
    const fused = fuse(
      [
        { uri: 'both', score: 0.8 },
        { uri: 'words', score: 0.9 },
      ],
      [
        { uri: 'both', score: 0.7 },
        { uri: 'meaning', score: 0.6 },
      ],
    );
    assert.deepEqual(
      fused.map(({ uri }) => uri),
      ['words', 'both', 'meaning'],
    );
    assert.deepEqual(
      fused.map(({ score }) => score.toFixed(2)),
      ['0.90', '0.87', '0.60'],
    );
  });

  it('are best first, equals by uri, and the same whichever side found what', () => {
    const some = ['b', 'c', 'a'].map((uri) => ({ uri, score: 0.5 }));
    assert.deepEqual(fuse(some, []), fuse([], some));
    assert.deepEqual(
      fuse(some, []).map(({ uri }) => uri),
      ['a', 'b', 'c'],
    );
    const other = [{ uri: 'c', score: 0.1 }];
    assert.deepEqual(fuse(some, other), fuse(other, some));
    assert.equal(fuse(some, other)[0]!.uri, 'c');
    assert.deepEqual(fuse([{ uri: 'x', score: 1 }], [{ uri: 'x', score: 1 }]), [{ uri: 'x', score: 1 }]);
  });
});
