import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isKaizenError } from '../../src/core/errors';
import type { LibraryKeeper } from '../../src/library/keeping/model';
import { LibraryDirectory } from '../support/library-directory';
import { madeDocument } from '../support/library-documents';
import { describeKeeper } from '../support/library-keeper';

describeKeeper('a directory', async () => new LibraryDirectory());

const isDamage = (error: unknown) => isKaizenError(error) && error.code === 'store_damaged';

describe('a library in a directory', () => {
  let place: LibraryDirectory;
  const opened: LibraryKeeper[] = [];
  beforeEach(() => {
    place = new LibraryDirectory();
  });
  afterEach(async () => {
    for (const keeper of opened.splice(0)) await keeper.close();
    await place.remove();
  });

  async function open(surroundings?: Parameters<LibraryDirectory['open']>[0]): Promise<LibraryKeeper> {
    const keeper = await place.open(surroundings);
    opened.push(keeper);
    assert.ok(await keeper.ready(15_000));
    return keeper;
  }

  const one = madeDocument('one', ['Penguins eat herring.', 'Whales eat krill.']);
  const two = madeDocument('two', ['Penguins cannot fly.']);
  const files = () => readdirSync(place.content).sort();
  const fileOf = (id: string) => path.join(place.content, files().find((name) => name.startsWith(`${id}.`))!);
  const penguins = async (keeper: LibraryKeeper) => {
    const { hits, total } = await keeper.search('penguins', { limit: 10 });
    return { contents: hits.map(({ chunk }) => chunk.content).sort(), total };
  };
  const all = { contents: ['Penguins cannot fly.', 'Penguins eat herring.'], total: 2 };

  async function filled(): Promise<LibraryKeeper> {
    const keeper = await open();
    for (const { document, content } of [one, two]) await keeper.put(document, content);
    assert.ok(await keeper.ready(15_000));
    return keeper;
  }

  it('does not read what documents say to know its index again', async () => {
    await (await filled()).close();
    const aside = path.join(place.home, 'aside');
    renameSync(place.content, aside);
    const keeper = await open();
    assert.equal(keeper.indexed, undefined);
    // The index knows both; what they say is not there to be shown.
    assert.deepEqual(await penguins(keeper), { contents: [], total: 2 });
    renameSync(aside, place.content);
    assert.deepEqual(await penguins(keeper), all);
    assert.deepEqual(place.log, []);
  });

  it('reads a long text as it was, wherever its characters are cut in two', async () => {
    const keeper = await open();
    for (let more = 0; more < 9; more++) {
      // 9 bytes that repeat: one of these is cut at each of them.
      const text = `\uFEFF${'x'.repeat(more)}${'é🚚漢'.repeat(150_000)}`;
      const { document } = madeDocument('long', []);
      await keeper.put(document, { text, chunks: [] });
      assert.ok((await keeper.text('long')) === text, `${more}`);
    }
  });

  it('indexes anew what was not kept, or was damaged', async () => {
    await (await filled()).close();
    for (const name of readdirSync(place.index, { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith('.segment')) writeFileSync(path.join(place.index, name), 'nothing of use');
    }
    const damaged = await open();
    assert.deepEqual(await penguins(damaged), all);
    await damaged.close();
    rmSync(place.index, { recursive: true });
    const lost = await open({ cacheDirectory: undefined });
    assert.deepEqual(await penguins(lost), all);
    await lost.close();
    assert.equal(existsSync(place.index), false);
  });

  it('notices what others did while its index lay on the disk', async () => {
    await (await filled()).close();
    const other = await open({ cacheDirectory: undefined });
    await other.remove(['two']);
    const next = madeDocument('one', ['Penguins swim.'], { updated_at: '2026-05-05T00:00:00.000Z' });
    await other.put(next.document, next.content);
    const three = madeDocument('three', ['Penguins waddle.']);
    await other.put(three.document, three.content);
    await other.close();
    const keeper = await open();
    assert.deepEqual(await penguins(keeper), { contents: ['Penguins swim.', 'Penguins waddle.'], total: 2 });
    assert.equal((await keeper.search('krill', { limit: 5 })).total, 0);
  });

  it('has one file for each document that says something, and none for others', async () => {
    const keeper = await filled();
    await keeper.put(madeDocument('failed', [], { processing_status: 'failed' }).document);
    assert.equal(files().length, 2);
    const before = files();
    const next = madeDocument('one', ['Anew.'], { updated_at: '2026-05-05T00:00:00.000Z' });
    await assert.rejects(keeper.put(next.document, next.content, null));
    assert.deepEqual(files(), before);
    await keeper.put(next.document, next.content);
    assert.equal(files().length, 2);
    assert.equal(files().filter((name) => before.includes(name)).length, 1);
    await keeper.put({ ...next.document, title: 'Another' });
    assert.equal(files().length, 2);
    await keeper.remove(['one', 'two', 'failed']);
    assert.deepEqual(files(), []);
  });

  it('deletes what nobody names any more, once it is old, and nothing that is not its own', async () => {
    await (await filled()).close();
    const named = files();
    const orphans = ['one.0123456789abcdef.content', 'gone.0123456789abcdef.content', '.kaizen-0123456789abcdef.tmp'];
    const others = ['notes.txt', 'one.content'];
    const young = ['young.0123456789abcdef.content'];
    for (const name of [...orphans, ...others, ...young]) writeFileSync(path.join(place.content, name), 'x');
    for (const name of [...named, ...orphans, ...others]) utimesSync(path.join(place.content, name), 0, 0);
    const reader = await open({ mayCreate: false });
    await reader.close();
    assert.equal(files().length, named.length + orphans.length + others.length + young.length);
    const keeper = await open();
    const left = [...named, ...others, ...young].sort();
    for (let turn = 0; turn < 500 && files().length > left.length; turn++) await sleep(10);
    await keeper.close();
    assert.deepEqual(files(), left);
  });

  it('tells of a file that is damaged or gone, goes on with the others, and is mended by reading the source again', async () => {
    for (const harm of ['text', 'chunks', 'end', 'gone'] as const) {
      await filled();
      const file = fileOf('one');
      const bytes = readFileSync(file);
      // The file stands open in this keeper: another one has to read it anew.
      const at = { text: 3, chunks: Buffer.byteLength(one.content.text) + 10, end: bytes.length - 3, gone: 0 }[harm];
      bytes[at]! ^= 0x01;
      if (harm === 'gone') rmSync(file);
      else writeFileSync(file, bytes);
      const other = await open();
      // The text alone does not show what is wrong with its chunks.
      await assert.rejects(other.content('one'), isDamage);
      if (harm !== 'chunks') await assert.rejects(other.text('one'), isDamage);
      await assert.rejects(other.chunk('one', one.content.chunks[0]!.id), isDamage);
      assert.deepEqual((await penguins(other)).contents, ['Penguins cannot fly.']);
      assert.equal(await other.text('two'), two.content.text);
      await other.put(one.document, one.content);
      assert.deepEqual((await penguins(other)).contents, all.contents);
      assert.deepEqual(await other.content('one'), one.content);
      await other.remove(['one', 'two']);
      for (const each of opened.splice(0)) await each.close();
    }
  });

  it('writes nothing where nothing may be made', async () => {
    const reader = await open({ mayCreate: false, cacheDirectory: undefined });
    await reader.search('penguins', { limit: 5 });
    await assert.rejects(
      reader.put(one.document, one.content),
      (error) => isKaizenError(error) && error.code === 'read_only',
    );
    await reader.close();
    assert.deepEqual(readdirSync(place.home), []);
    await assert.rejects(reader.documents(), (error) => isKaizenError(error) && error.code === 'store_closed');
  });

  it('counts its bytes', async () => {
    const keeper = await filled();
    const { size } = await keeper.counts();
    assert.ok(size !== undefined && size > one.content.text.length + two.content.text.length);
    await keeper.remove(['one', 'two']);
    assert.ok((await keeper.counts()).size! > 0);
  });

  it('can be closed while it is still indexing, and goes on the next time', async () => {
    const long = madeDocument(
      'long',
      Array.from({ length: 3_000 }, (_, number) => `Passage ${number} on penguins.`),
    );
    const first = await place.open();
    await first.put(long.document, long.content);
    await first.close();
    const keeper = await open();
    assert.equal((await keeper.search('penguins', { limit: 10 })).total, 3_000);
    assert.equal((await keeper.counts()).chunks, 3_000);
    assert.deepEqual(place.log, []);
  });
});
