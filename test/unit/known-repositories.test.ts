import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KnownRepositories } from '../../src/vscode/known-repositories';

describe('the stores of repositories', () => {
  let directory: string;
  let records: string;
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'kaizen-known-'));
    records = path.join(directory, 'repositories');
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const day = (number: number) => new Date(Date.UTC(2026, 0, number));

  function remember(name: string, keys: string[], now: Date): string {
    const store = path.join(directory, name);
    mkdirSync(store, { recursive: true });
    new KnownRepositories(records).remember({ store, keys, inside: '', folder: `/code/${name}`, project: 'shop' }, now);
    return store;
  }

  const found = (...keys: string[]) =>
    new KnownRepositories(records).find({ keys, inside: '' }).map(({ folder }) => folder);

  it('are found by what their repository is known by, the same git directory before the same origin', () => {
    remember('clone', ['git:/code/clone/.git', 'remote:example.test/shop'], day(1));
    remember('main', ['git:/code/main/.git', 'remote:example.test/shop'], day(2));
    remember('other', ['git:/code/other/.git', 'remote:example.test/other'], day(3));
    assert.deepEqual(found('git:/code/main/.git', 'remote:example.test/shop'), ['/code/main', '/code/clone']);
    assert.deepEqual(found('remote:example.test/nothing'), []);
  });

  it('stand in the order in which they were first remembered, however often they are used', () => {
    remember('first', ['remote:example.test/shop'], day(1));
    remember('second', ['remote:example.test/shop'], day(2));
    remember('first', ['git:/moved/.git', 'remote:example.test/shop'], day(9));
    assert.deepEqual(found('remote:example.test/shop'), ['/code/first', '/code/second']);
    assert.deepEqual(found('git:/moved/.git'), ['/code/first']);
    assert.equal(readdirSync(records).length, 2);
  });

  it('are passed over when they are gone, or when what was written of them cannot be read', () => {
    const store = remember('gone', ['remote:example.test/shop'], day(1));
    remember('here', ['remote:example.test/shop'], day(2));
    rmSync(store, { recursive: true });
    for (const [name, text] of [
      ['0000000000000000.json', 'no JSON'],
      ['1111111111111111.json', '{"store":"/","keys":7}'],
      ['2222222222222222.json', 'null'],
    ] as const) {
      writeFileSync(path.join(records, name), text);
    }
    assert.deepEqual(found('remote:example.test/shop'), ['/code/here']);
  });

  it('are none before anything was remembered', () => {
    assert.deepEqual(found('remote:example.test/shop'), []);
  });
});
