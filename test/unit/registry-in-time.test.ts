import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { Registry } from '../../src/notes';
import { type Downloading, Getting, InRegistry } from '../../src/notes/publishing';
import type { LocalSpaces } from '../../src/notes/publishing/local-note';
import { SharedRegistry } from '../../src/notes/publishing/shared-registry';
import type { RegistryEntry } from '../../src/notes/registry/model';
import { HandedOut } from '../../src/notes/writing';

const DOCUMENT = '---\nzettel_id: a\ntitle: A\nentry_type: pattern\nversion: 1.0.0\n---\n\nText.\n';
const ENTRY = { zettel_id: 'a', version: '1.0.0', category: 'patterns', document: DOCUMENT } as RegistryEntry;

describe('What a registry is asked in several calls', () => {
  afterEach(() => mock.timers.reset());

  it('is given up on after no more than 5 s in all, however the time is shared among them', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const never = (signal: AbortSignal | undefined) =>
      new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const slow: Partial<Registry> = {
      get: () => new Promise((resolve) => setTimeout(() => resolve(ENTRY), 4_000)),
      publish: (_, signal) => never(signal),
      remove: (_, signal) => never(signal),
    };
    const shared = Object.assign(new SharedRegistry(undefined), { open: async () => slow as Registry });
    const notes = new InRegistry(shared, new HandedOut(), { now: () => 0 });
    const ada = { author: 'Ada' };
    const content_hash = '8d0c1f2a';
    const updating = notes.perform(
      { action: 'update', location: 'registry', zettel_id: 'a', patch: { title: 'B' } },
      ada,
    );
    const removing = notes.perform({ action: 'delete', location: 'registry', zettel_id: 'a' }, ada);
    const given = Promise.all(
      [updating, removing].map((asked) => assert.rejects(asked, { code: 'registry_unreachable' })),
    );
    const changed = notes.perform({ action: 'delete', location: 'registry', zettel_id: 'a', content_hash }, ada);
    const refused = assert.rejects(changed, { code: 'conflict' });
    for (let passed = 0; passed < 5_000; passed += 500) {
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
      mock.timers.tick(500);
    }
    await Promise.all([given, refused]);
  });

  it('is asked at once where the one does not depend on the other', async () => {
    let bothAsked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      bothAsked = resolve;
    });
    const registry: Partial<Registry> = {
      get: () => isAsked.then(() => ENTRY),
      relationships: async () => {
        bothAsked();
        return [{ zettel_id: 'b', relationship_type: 'extends', direction: 'outgoing' }];
      },
    };
    const shared = Object.assign(new SharedRegistry(undefined), { open: async () => registry as Registry });
    // Neither files nor downloads are asked for.
    const getting = new Getting({} as LocalSpaces, shared, {} as Downloading, new HandedOut());
    const got = await getting.get(
      { zettel_id: 'a', sources: ['registry'], include_relationships: true },
      { author: 'Ada' },
    );
    assert.deepEqual(
      got.relationships?.map(({ zettel_id }) => zettel_id),
      ['b'],
    );
  });
});
