import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { isKaizenError } from '../../src/core/errors';
import { libraryUri } from '../../src/core/knowledge-uri';
import type { ChunkFilter, KeeperChange, KeeperSurroundings, LibraryKeeper } from '../../src/library/keeping/model';
import { EmbeddingServer } from './embedding-server';
import { madeDocument, madeRequest, sha256, uuidOf } from './library-documents';
import { turnsDuring } from './turns';

/** One place where a library may be kept, empty at first. */
export interface KeeperPlace {
  /** Opens it, once more each time, as another process would. */
  open(surroundings?: Partial<KeeperSurroundings>): Promise<LibraryKeeper>;
  /** Nothing can be found by meaning here: what tests of that would take is missing. */
  withoutMeaning?: boolean;
  /** Takes it away, once all that were opened are closed. */
  remove(): Promise<void>;
}

const LATER = '2026-02-02T00:00:00.000Z';
/** Changes of other processes are heard of within about a second: this is more than enough. */
const PATIENCE = 15_000;

const isRefused =
  (...codes: readonly string[]) =>
  (error: unknown) =>
    isKaizenError(error) && codes.includes(error.code);

/** What every keeper promises, whatever it is made of. */
export function describeKeeper(name: string, makePlace: () => Promise<KeeperPlace>): void {
  describe(`${name} keeps a library`, () => {
    let place: KeeperPlace;
    const opened: LibraryKeeper[] = [];

    beforeEach(async () => {
      place = await makePlace();
    });
    afterEach(async () => {
      for (const keeper of opened.splice(0)) await keeper.close();
      await place.remove();
    });

    async function open(surroundings?: Partial<KeeperSurroundings>): Promise<LibraryKeeper> {
      const keeper = await place.open(surroundings);
      opened.push(keeper);
      return keeper;
    }

    /** Contents of what is found, best first, once all can be searched. */
    async function found(keeper: LibraryKeeper, query: string, filter?: ChunkFilter): Promise<string[]> {
      assert.ok(await keeper.ready(PATIENCE));
      const { hits } = await keeper.search(query, { limit: 20, filter });
      return hits.map(({ chunk }) => chunk.content);
    }

    async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
      const until = Date.now() + PATIENCE;
      while (!(await isSo())) {
        assert.ok(Date.now() < until, 'it has not come about');
        await sleep(10);
      }
    }

    const valves = madeDocument(
      'valves-1',
      [
        {
          content: 'The relief valve shall open at five bar.',
          section_hierarchy: ['6', '6.4', '6.4.7'],
          section_title: 'Relief valves',
          clause_number: '6.4.7',
          page_numbers: [12, 13],
          chunk_type: 'requirement',
          normative: true,
          references: ['ISO 4126-1', 'https://example.org/valves'],
        },
        {
          content: 'Valves are painted red by custom.',
          section_title: 'Colours',
          normative: false,
          chunk_type: 'guidance',
        },
      ],
      {
        title: 'Pressure equipment',
        document_type: 'standard',
        standard_id: 'EN 13445',
        authority_level: 'normative',
        authority_score: 1,
        pages: 40,
        publication_date: '2023-05',
      },
    );
    const gardens = madeDocument(
      'gardens-2',
      [
        { content: 'Water the roses in the evening.', section_title: 'Roses' },
        { content: 'A leaking valve wastes water.', section_title: 'Taps' },
      ],
      {
        title: 'Gardening',
        document_type: 'web',
        format: 'web',
        source_type: 'web',
        source_url: 'https://example.org/gardens',
        source_domain: 'example.org',
        source_path: 'https://example.org/gardens',
        crawled_at: '2026-01-01T00:00:00.000Z',
        etag: '"abc"',
      },
    );

    it('is empty at first', async () => {
      const keeper = await open();
      assert.ok(await keeper.ready(PATIENCE));
      const { documents, chunks, tokens } = await keeper.counts();
      assert.deepEqual({ documents, chunks, tokens }, { documents: 0, chunks: 0, tokens: 0 });
      assert.deepEqual(await keeper.documents(), []);
      assert.deepEqual(await keeper.requests(), []);
      assert.equal(await keeper.document('valves-1'), undefined);
      assert.equal(await keeper.content('valves-1'), undefined);
      assert.equal(await keeper.text('valves-1'), undefined);
      assert.equal(await keeper.chunk('valves-1', uuidOf('x')), undefined);
      assert.deepEqual((await keeper.search('valve', { limit: 5 })).hits, []);
    });

    it('gives back what was put into it, also after it was closed', async () => {
      const first = await open();
      await first.put(valves.document, valves.content);
      await first.put(gardens.document, gardens.content, null);
      for (const keeper of [first, await open()]) {
        assert.deepEqual(await keeper.documents(), [gardens.document, valves.document]);
        assert.deepEqual(await keeper.document('valves-1'), valves.document);
        assert.deepEqual(await keeper.content('valves-1'), valves.content);
        assert.deepEqual(await keeper.content('gardens-2'), gardens.content);
        assert.equal(await keeper.text('gardens-2'), gardens.content.text);
        const [chunk, other] = valves.content.chunks;
        assert.deepEqual(await keeper.chunk('valves-1', chunk!.id), chunk);
        assert.deepEqual(await keeper.chunk('valves-1', other!.id), other);
        assert.equal(await keeper.chunk('gardens-2', chunk!.id), undefined);
        assert.equal(await keeper.documentOf(chunk!.id), 'valves-1');
        assert.equal(await keeper.documentOf(uuidOf('x')), undefined);
        assert.equal(await keeper.documentOf('no id at all'), undefined);
        for (const wrong of [
          'no id at all',
          `${chunk!.id}0`,
          `${chunk!.id}\u001b`,
          chunk!.id.replaceAll('-', ''),
          chunk!.id.toUpperCase(),
        ])
          assert.equal(await keeper.chunk('valves-1', wrong), undefined, wrong);
        const { documents, chunks, tokens } = await keeper.counts();
        const all = valves.document.token_count + gardens.document.token_count;
        assert.deepEqual({ documents, chunks, tokens }, { documents: 2, chunks: 4, tokens: all });
        await first.close();
      }
    });

    it('keeps any text as it is', async () => {
      const sections = ['\uFEFFBOM, é and 😀', 'a\\u0000b "quoted" \\', '\t\r\n \u2028 ', '漢字 ﷽', ''];
      const { document, content } = madeDocument('odd-0', sections, { title: '😀 \\u0000 "x"' });
      const keeper = await open();
      await keeper.put(document, content);
      assert.deepEqual(await keeper.content('odd-0'), content);
      assert.deepEqual(await keeper.document('odd-0'), document);
      const again = await open();
      assert.equal(await again.text('odd-0'), content.text);
      for (const chunk of content.chunks) assert.deepEqual(await again.chunk('odd-0', chunk.id), chunk);
    });

    it('keeps a long document, and one that says nothing', async () => {
      const sections = Array.from({ length: 1_500 }, (_, number) => `Paragraph ${number} é. ${'word '.repeat(200)}`);
      const long = madeDocument('long-1', sections);
      const empty = madeDocument('empty-1', []);
      const keeper = await open();
      await keeper.put(long.document, long.content);
      await keeper.put(empty.document, empty.content);
      assert.deepEqual(await keeper.content('long-1'), long.content);
      assert.deepEqual(await keeper.content('empty-1'), { text: '', chunks: [] });
      assert.equal(await keeper.text('empty-1'), '');
      assert.equal((await keeper.counts()).chunks, 1_500);
      assert.equal((await found(keeper, 'paragraph 1234'))[0], sections[1234]);
    });

    it('keeps what a document says where only the document is put, and tells it by what it is now', async () => {
      const keeper = await open();
      await keeper.put(valves.document, valves.content);
      const described = {
        ...valves.document,
        title: 'Renamed entirely',
        document_type: 'handbook',
        authority_score: 0.7,
        authority_level: 'reputable' as const,
        updated_at: LATER,
      };
      await keeper.put(described, undefined, valves.document.updated_at);
      const content = (await keeper.content('valves-1'))!;
      assert.equal(content.text, valves.content.text);
      const said = { document_title: 'Renamed entirely', document_type: 'handbook', authority_score: 0.7 };
      assert.deepEqual(
        content.chunks,
        valves.content.chunks.map((chunk) => ({ ...chunk, ...said })),
      );
      assert.equal((await keeper.counts()).chunks, 2);
      assert.equal((await found(keeper, 'renamed entirely')).length, 2);
      assert.deepEqual(await found(keeper, 'pressure equipment'), []);
      assert.equal((await found(keeper, 'valve', { document_type: ['handbook'] })).length, 2);
      assert.deepEqual(await found(keeper, 'valve', { document_type: ['standard'] }), []);
    });

    it('knows a new document without content as one that says nothing', async () => {
      const keeper = await open();
      const { document } = madeDocument('failed-1', [], {
        processing_status: 'failed',
        processing_error: 'It has no text. Recognise its text first.',
      });
      await keeper.put(document);
      assert.deepEqual(await keeper.document('failed-1'), document);
      assert.equal(await keeper.content('failed-1'), undefined);
      assert.equal(await keeper.text('failed-1'), undefined);
      assert.equal((await keeper.counts()).documents, 1);
      assert.equal((await keeper.counts()).chunks, 0);
      const read = madeDocument('failed-1', ['Now it can be read.'], { updated_at: LATER });
      await keeper.put(read.document, read.content, document.updated_at);
      assert.deepEqual(await found(keeper, 'read'), ['Now it can be read.']);
    });

    it('replaces what a document said', async () => {
      const keeper = await open();
      await keeper.put(valves.document, valves.content);
      const [kept] = valves.content.chunks;
      const { id, content, section_title, clause_number } = kept!;
      const next = madeDocument('valves-1', ['A preface on turbines.', { content, section_title, clause_number }], {
        ...valves.document,
        updated_at: LATER,
      });
      assert.ok(next.content.chunks.some((chunk) => chunk.id === id));
      await keeper.put(next.document, next.content, valves.document.updated_at);
      for (const each of [keeper, await open()]) {
        assert.deepEqual(await each.content('valves-1'), next.content);
        assert.deepEqual(await found(each, 'custom colours'), []);
        assert.deepEqual(await found(each, 'turbines'), ['A preface on turbines.']);
        assert.deepEqual(await found(each, 'relief valve five bar'), [content]);
        assert.equal(await each.chunk('valves-1', valves.content.chunks[1]!.id), undefined);
        assert.equal((await each.chunk('valves-1', id))!.char_start, next.content.chunks[1]!.char_start);
        assert.equal((await each.counts()).chunks, 2);
      }
    });

    it('replaces only what is expected', async () => {
      const keeper = await open();
      await keeper.put(valves.document, valves.content, null);
      const later = { ...valves.document, title: 'Another title', updated_at: LATER };
      const content = madeDocument('valves-1', ['Other words.']).content;
      for (const expected of [null, LATER]) {
        await assert.rejects(keeper.put(later, content, expected), isRefused('conflict'));
      }
      assert.deepEqual(await keeper.document('valves-1'), valves.document);
      assert.deepEqual(await keeper.content('valves-1'), valves.content);
      assert.deepEqual(await found(keeper, 'other words'), []);
      await keeper.put(later, content, valves.document.updated_at);
      await assert.rejects(keeper.put(later, content, valves.document.updated_at), isRefused('conflict'));
      const { document } = madeDocument('new-1', []);
      await assert.rejects(keeper.put(document, undefined, LATER), isRefused('conflict'));
      assert.equal(await keeper.document('new-1'), undefined);
    });

    it('lets one of several at once replace a document', async () => {
      const keepers = [await open(), await open()];
      await keepers[0]!.put(valves.document, valves.content);
      const tries = Array.from({ length: 6 }, (_, number) => {
        const updated_at = `2026-03-0${number + 1}T00:00:00.000Z`;
        return madeDocument('valves-1', [`Said by ${number}.`], { title: `Title ${number}`, updated_at });
      });
      const done = await Promise.allSettled(
        tries.map(({ document, content }, number) =>
          keepers[number % 2]!.put(document, content, valves.document.updated_at),
        ),
      );
      const winners = tries.filter((_, number) => done[number]!.status === 'fulfilled');
      assert.equal(winners.length, 1);
      for (const each of done) if (each.status === 'rejected') assert.ok(isRefused('conflict')(each.reason));
      for (const keeper of [...keepers, await open()]) {
        assert.deepEqual(await keeper.document('valves-1'), winners[0]!.document);
        assert.deepEqual(await keeper.content('valves-1'), winners[0]!.content);
      }
    });

    it('notes what was seen again of many in one step, but of those that are others by now', async () => {
      const keeper = await open();
      const roses = madeDocument('roses-3', ['Roses need sun.']);
      for (const { document, content } of [valves, gardens, roses]) await keeper.put(document, content);
      const retitled = { ...roses.document, title: 'Roses', updated_at: LATER };
      await keeper.put(retitled, undefined, roses.document.updated_at);
      const changes: KeeperChange[] = [];
      keeper.onDidChange((change) => changes.push(change));
      const seen = [gardens, valves, roses, madeDocument('nowhere-4', ['Nothing.'])].map(({ document }) => ({
        document: { ...document, last_verified_at: LATER, updated_at: LATER },
        expected: document.updated_at,
      }));
      assert.deepEqual(await keeper.putSeen(seen), ['roses-3', 'nowhere-4']);
      const told = () => changes.flatMap(({ documents }) => documents ?? []);
      await eventually(() => ['gardens-2', 'valves-1'].every((id) => told().includes(id)));
      assert.ok(!told().includes('nowhere-4'));
      for (const each of [keeper, await open()]) {
        assert.deepEqual(await each.documents(), [seen[0]!.document, retitled, seen[1]!.document]);
        assert.deepEqual(await each.text('valves-1'), valves.content.text);
        assert.equal(await each.document('nowhere-4'), undefined);
        assert.deepEqual(await found(each, 'relief'), [valves.content.chunks[0]!.content]);
      }
      assert.deepEqual(await keeper.putSeen([]), []);
    });

    it('gives way to others at every passage of a long document that it puts and reads', async () => {
      const keeper = await open();
      const sections = Array.from({ length: 300 }, (_, at) => `Section ${at} speaks of gate ${at % 7}.`);
      const long = madeDocument('long-1', sections);
      const turns = await turnsDuring(() => keeper.put(long.document, long.content));
      assert.ok(turns >= 3 * sections.length, `${turns} turns`);
      const reading = await turnsDuring(() => keeper.content('long-1'));
      assert.ok(reading >= sections.length, `${reading} turns`);
    });

    it('knows the oldest document of some content', async () => {
      const keeper = await open();
      const made = (id: string, created_at: string) =>
        madeDocument(id, ['The same.'], { created_at, updated_at: created_at, content_hash: sha256('the same') });
      const [middle, oldest, youngest] = [made('a', '2026-02-01'), made('b', '2026-01-01'), made('c', '2026-03-01')];
      for (const { document, content } of [middle!, oldest!, youngest!]) await keeper.put(document, content);
      const unread = made('unread', '2020-01-01').document;
      await keeper.put({ ...unread, processing_status: 'failed' });
      assert.equal((await keeper.documentWithHash(sha256('the same')))?.document_id, 'b');
      await keeper.remove(['b']);
      assert.equal((await keeper.documentWithHash(sha256('the same')))?.document_id, 'a');
      assert.equal(await keeper.documentWithHash(sha256('another')), undefined);
    });

    it('forgets a document entirely', async () => {
      const keeper = await open();
      await keeper.put(valves.document, valves.content);
      await keeper.put(gardens.document, gardens.content);
      await keeper.remove(['valves-1', 'nobody', 'valves-1']);
      for (const each of [keeper, await open()]) {
        assert.deepEqual(await each.documents(), [gardens.document]);
        assert.equal(await each.content('valves-1'), undefined);
        assert.equal(await each.chunk('valves-1', valves.content.chunks[0]!.id), undefined);
        assert.deepEqual(await found(each, 'relief valve'), ['A leaking valve wastes water.']);
        assert.equal((await each.counts()).chunks, 2);
      }
      await keeper.remove([]);
      await keeper.put(valves.document, valves.content, null);
      assert.equal((await found(keeper, 'valve')).length, 3);
    });

    it('finds chunks by what they say, where they stand and what they belong to', async () => {
      const keeper = await open();
      await keeper.put(valves.document, valves.content);
      await keeper.put(gardens.document, gardens.content);
      const [relief] = valves.content.chunks;
      assert.equal((await found(keeper, '6.4.7'))[0], relief!.content);
      assert.equal((await found(keeper, 'relief valve pressure'))[0], relief!.content);
      assert.equal((await found(keeper, 'EN 13445')).length, 2);
      assert.equal((await found(keeper, 'gardening')).length, 2);
      assert.equal((await found(keeper, 'valve')).length, 3);
      assert.deepEqual(await found(keeper, 'submarine'), []);
      assert.deepEqual(await found(keeper, '  '), []);
      const { hits, total } = await keeper.search('relief valve', { limit: 2 });
      assert.equal(hits.length, 2);
      assert.ok(total >= 2);
      assert.deepEqual(hits[0]!.chunk, relief);
      assert.ok(hits[0]!.matched.some(({ word }) => word === 'relief'));
      assert.equal(hits[0]!.byMeaning, false);
      for (const { score } of hits) assert.ok(score > 0 && score <= 1);
      assert.ok(hits[0]!.score >= hits[1]!.score);
      assert.deepEqual((await keeper.search('valve', { limit: 0 })).hits, []);
    });

    it('lets somebody choose among what was found, by addresses', async () => {
      const keeper = await open();
      await keeper.put(valves.document, valves.content);
      const { hits } = await keeper.search('valve', { limit: 10 });
      assert.ok(hits.length > 1);
      const seen: string[] = [];
      const chosen = await keeper.search('valve', {
        limit: 10,
        choose: (candidates) => {
          seen.push(...candidates.map(({ uri }) => uri));
          assert.deepEqual(
            candidates.map(({ score }) => score),
            hits.map(({ score }) => score),
          );
          return [candidates.at(-1)!, candidates[0]!, { uri: 'knowledge://library/none#none', score: 1 }];
        },
      });
      assert.deepEqual(
        seen,
        hits.map(({ chunk }) => libraryUri(chunk.document_id, chunk.id)),
      );
      assert.deepEqual(chosen.hits, [hits.at(-1), hits[0]]);
      assert.equal(chosen.total, hits.length);
    });

    it('narrows what is found', async () => {
      const keeper = await open();
      await keeper.put(valves.document, valves.content);
      await keeper.put(gardens.document, gardens.content);
      const [relief, red] = valves.content.chunks.map(({ content }) => content);
      const leaking = gardens.content.chunks[1]!.content;
      const sorted = async (filter: ChunkFilter) => (await found(keeper, 'valve', filter)).sort();
      assert.deepEqual(await sorted({}), [leaking, relief, red]);
      assert.deepEqual(await sorted({ documents: ['valves-1'] }), [relief, red]);
      assert.deepEqual(await sorted({ documents: ['valves-1', 'gardens-2', 'nobody'] }), [leaking, relief, red]);
      assert.deepEqual(await sorted({ documents: [] }), []);
      assert.deepEqual(await sorted({ documents: ['valves'] }), []);
      assert.deepEqual(await sorted({ document_type: ['standard', 'paper'] }), [relief, red]);
      assert.deepEqual(await sorted({ document_type: ['paper'] }), []);
      assert.deepEqual(await sorted({ source_type: 'web' }), [leaking]);
      assert.deepEqual(await sorted({ source_type: 'document' }), [relief, red]);
      assert.deepEqual(await sorted({ normative_only: true }), [relief]);
      assert.deepEqual(await sorted({ normative_only: false }), [leaking, relief, red]);
      assert.deepEqual(await sorted({ min_authority: 0.6 }), [relief, red]);
      assert.deepEqual(await sorted({ min_authority: 1 }), [relief, red]);
      assert.deepEqual(await sorted({ min_authority: 0 }), [leaking, relief, red]);
      assert.deepEqual(await sorted({ source_type: 'web', normative_only: true }), []);
      assert.deepEqual(await sorted({ documents: ['valves-1'], min_authority: 0.9, normative_only: true }), [relief]);
    });

    it('keeps document requests, oldest first', async () => {
      const keeper = await open();
      const second = madeRequest('r-2', { created_at: '2026-01-03T00:00:00.000Z', workflow_context: 'rcca' });
      const first = madeRequest('r-9', { created_at: '2026-01-02T00:00:00.000Z', example_documents: ['ISO 9001'] });
      await keeper.putRequest(second);
      await keeper.putRequest(first);
      assert.deepEqual(await keeper.requests(), [first, second]);
      const answered = { ...second, status: 'answered' as const, answered_by: 'valves-1', updated_at: LATER };
      await keeper.putRequest(answered);
      for (const each of [keeper, await open()]) assert.deepEqual(await each.requests(), [first, answered]);
    });

    it('tells of changes, its own and those of others', async () => {
      const [one, other] = [await open(), await open()];
      await other.ready(PATIENCE);
      const heard = new Map<LibraryKeeper, KeeperChange[]>();
      for (const keeper of [one, other]) {
        heard.set(keeper, []);
        keeper.onDidChange((change) => heard.get(keeper)!.push(change));
      }
      const hears = (keeper: LibraryKeeper, is: (change: KeeperChange) => boolean) =>
        eventually(() => heard.get(keeper)!.some(is));
      const concerns = (id: string) => (change: KeeperChange) =>
        change.documents === undefined || change.documents.includes(id);
      await one.put(valves.document, valves.content);
      for (const keeper of [one, other]) await hears(keeper, concerns('valves-1'));
      await eventually(async () => (await found(other, 'relief')).length === 1);
      await other.putRequest(madeRequest('r-1'));
      for (const keeper of [one, other]) await hears(keeper, ({ requests }) => requests);
      for (const keeper of [one, other]) heard.set(keeper, []);
      await other.remove(['valves-1']);
      for (const keeper of [one, other]) await hears(keeper, concerns('valves-1'));
      await eventually(async () => (await found(one, 'relief')).length === 0);
    });

    it('sees at once what another has put', async () => {
      const [one, other] = [await open(), await open()];
      await one.put(valves.document, valves.content);
      assert.deepEqual(await other.document('valves-1'), valves.document);
      assert.deepEqual(await found(other, 'relief'), [valves.content.chunks[0]!.content]);
      const next = madeDocument('valves-1', ['Nothing but turbines.'], { updated_at: LATER });
      await other.put(next.document, next.content, valves.document.updated_at);
      assert.deepEqual(await one.content('valves-1'), next.content);
      assert.deepEqual(await found(one, 'relief turbines'), ['Nothing but turbines.']);
    });

    it('refuses what could not be kept as it is, and nothing changes', async () => {
      const keeper = await open();
      await keeper.put(valves.document, valves.content);
      const { document, content } = madeDocument('valves-1', ['One.', 'Two.'], { updated_at: LATER });
      const [one, two] = content.chunks;
      const bad: [string, () => Promise<void>][] = [
        ['an id with a slash', () => keeper.put({ ...document, document_id: 'a/b' })],
        ['an empty id', () => keeper.put({ ...document, document_id: '' })],
        ['a long id', () => keeper.put({ ...document, document_id: 'a'.repeat(121) })],
        ['NUL in a title', () => keeper.put({ ...document, title: 'a\0b' }, content)],
        ['half a character in a title', () => keeper.put({ ...document, title: 'a\uD800b' }, content)],
        ['NUL in the text', () => keeper.put(document, { text: 'a\0b', chunks: [] })],
        ['half a character in the text', () => keeper.put(document, { text: 'a\uDC00b', chunks: [] })],
        ['chunks out of order', () => keeper.put(document, { ...content, chunks: [two!, one!] })],
        ['a chunk twice', () => keeper.put(document, { ...content, chunks: [one!, one!] })],
        ['a chunk that stands elsewhere', () => keeper.put(document, { text: 'One. Two!', chunks: content.chunks })],
        ["another document's chunk", () => keeper.put(document, valves.content && { ...gardens.content })],
        ['a chunk without a UUID', () => keeper.put(document, { ...content, chunks: [{ ...one!, id: 'one' }] })],
        [
          'a wrong hash',
          () => keeper.put(document, { ...content, chunks: [{ ...one!, content_hash: sha256('another') }] }),
        ],
        ['a request without an id', () => keeper.putRequest(madeRequest(''))],
        ['a request with NUL', () => keeper.putRequest(madeRequest('r', { topic: 'a\0b' }))],
        ['too much of a request', () => keeper.putRequest(madeRequest('r', { rationale: 'x'.repeat(100_001) }))],
      ];
      for (const [what, put] of bad) await assert.rejects(put(), isRefused('invalid_argument'), what);
      assert.deepEqual(await keeper.documents(), [valves.document]);
      assert.deepEqual(await keeper.content('valves-1'), valves.content);
      assert.deepEqual(await keeper.requests(), []);
      assert.equal((await found(keeper, 'valve')).length, 2);
    });

    it('makes nothing where nothing may be made', async () => {
      const reader = await open({ mayCreate: false });
      assert.ok(await reader.ready(PATIENCE));
      assert.deepEqual(await reader.documents(), []);
      assert.deepEqual(await reader.requests(), []);
      assert.equal((await reader.counts()).documents, 0);
      assert.equal(await reader.text('valves-1'), undefined);
      assert.deepEqual(await reader.search('valve', { limit: 5 }), { hits: [], total: 0 });
      await reader.remove(['valves-1']);
      await assert.rejects(reader.put(valves.document, valves.content), isKaizenError);
      await assert.rejects(reader.putRequest(madeRequest('r-1')), isKaizenError);
      const writer = await open();
      await writer.put(valves.document, valves.content);
      // Once it is there, it is one like any other.
      await eventually(async () => (await reader.documents()).length === 1);
      assert.deepEqual(await found(reader, 'relief'), [valves.content.chunks[0]!.content]);
    });

    it('finds by meaning, where there is an embedder', async function () {
      if (place.withoutMeaning) this.skip();
      this.timeout(60_000);
      const server = await new EmbeddingServer().start();
      try {
        const embeddings = { provider: 'endpoint', url: server.url, model: 'stub' } as const;
        const filler = Array.from({ length: 40 }, (_, n) => `Paragraph ${n} on the habits of penguins and whales.`);
        const cars = madeDocument('cars-1', [
          { content: 'The automobile stands in the garage.', normative: true },
          ...filler,
        ]);
        const keeper = await open({ embeddings });
        await keeper.put(cars.document, cars.content);
        await keeper.put(valves.document, valves.content);
        assert.ok(await keeper.ready(PATIENCE));
        const isEmbedded = (each: LibraryKeeper) => {
          const state = each.embeddings;
          return 'total' in state && state.total === 43 && state.done === 43;
        };
        await eventually(() => isEmbedded(keeper));
        for (const filter of [{}, { normative_only: true }, { documents: ['cars-1'] }]) {
          const { hits, message } = await keeper.search('vehicle', { limit: 3, filter });
          assert.equal(hits[0]?.chunk.content, 'The automobile stands in the garage.');
          assert.equal(hits[0].byMeaning, true);
          assert.deepEqual(hits[0].matched, []);
          assert.equal(message, undefined);
          const isLetThrough = ({ normative, document_id }: { normative?: boolean | undefined; document_id: string }) =>
            (normative === true || !('normative_only' in filter)) &&
            (document_id === 'cars-1' || !('documents' in filter));
          assert.ok(hits.every(({ chunk }) => isLetThrough(chunk)));
        }
        const { hits } = await keeper.search('vehicle', { limit: 50, filter: { documents: ['valves-1'] } });
        for (const { chunk } of hits) assert.equal(chunk.document_id, 'valves-1');
        // Another one comes to the same without asking for any text again.
        const texts = server.texts.length;
        const other = await open({ embeddings });
        assert.ok(await other.ready(PATIENCE));
        await eventually(() => isEmbedded(other));
        assert.equal(server.texts.length, texts);
        other.useEmbeddings(undefined);
        assert.deepEqual(other.embeddings, { provider: 'none' });
        assert.deepEqual((await other.search('vehicle', { limit: 3 })).hits, []);
        other.useEmbeddings(embeddings);
        await eventually(() => isEmbedded(other));
        assert.equal((await other.search('vehicle', { limit: 1 })).hits[0]?.byMeaning, true);
      } finally {
        await server.stop();
      }
    });

    it('searches by words, and says so, where the embedder does not answer', async () => {
      const server = await new EmbeddingServer().start();
      const embeddings = { provider: 'endpoint', url: server.url, model: 'stub' } as const;
      await server.stop();
      const keeper = await open({ embeddings });
      await keeper.put(valves.document, valves.content);
      assert.ok(await keeper.ready(PATIENCE));
      const { hits, message } = await keeper.search('relief', { limit: 3 });
      assert.deepEqual(hits[0]?.chunk, valves.content.chunks[0]);
      assert.match(String(message), /words only/i);
    });

    it('ends a search that nobody waits for any more', async () => {
      const keeper = await open();
      await keeper.put(valves.document, valves.content);
      const signal = AbortSignal.abort(new Error('enough'));
      await assert.rejects(keeper.search('valve', { limit: 3, signal }));
    });

    it('has after any changes what a simple model has', async function () {
      this.timeout(120_000);
      const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];
      const section = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((all) => all.join(' '));
      const id = fc.constantFrom('d1', 'd2', 'd3');
      const change = fc.oneof(
        { weight: 3, arbitrary: fc.record({ put: id, sections: fc.array(section, { maxLength: 5 }) }) },
        fc.record({ describe: id, title: section }),
        fc.record({ remove: fc.array(id, { maxLength: 2 }) }),
        fc.constant('reopen' as const),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
          const here = await makePlace();
          let keeper = await here.open();
          const model = new Map<string, ReturnType<typeof madeDocument>>();
          try {
            for (const [number, each] of changes.entries()) {
              const updated_at = `2026-01-01T00:00:00.${String(number).padStart(3, '0')}Z`;
              if (each === 'reopen') {
                await keeper.close();
                keeper = await here.open();
              } else if ('put' in each) {
                const made = madeDocument(each.put, each.sections, { updated_at });
                await keeper.put(made.document, made.content, model.get(each.put)?.document.updated_at ?? null);
                model.set(each.put, made);
              } else if ('describe' in each) {
                const known = model.get(each.describe);
                if (!known) continue;
                const document = { ...known.document, title: each.title, updated_at };
                const chunks = known.content.chunks.map((chunk) => ({ ...chunk, document_title: each.title }));
                await keeper.put(document, undefined, known.document.updated_at);
                model.set(each.describe, { document, content: { ...known.content, chunks } });
              } else {
                await keeper.remove(each.remove);
                for (const gone of each.remove) model.delete(gone);
              }
            }
            const ids = [...model.keys()].sort();
            assert.deepEqual(
              await keeper.documents(),
              ids.map((known) => model.get(known)!.document),
            );
            assert.ok(await keeper.ready(PATIENCE));
            for (const known of ids) assert.deepEqual(await keeper.content(known), model.get(known)!.content);
            for (const word of words) {
              const { hits } = await keeper.search(word, { limit: 100 });
              const expected = ids.flatMap((known) => {
                const { document, content } = model.get(known)!;
                return content.chunks.filter((chunk) => `${document.title} ${chunk.content}`.includes(word));
              });
              assert.deepEqual(hits.map(({ chunk }) => chunk.id).sort(), expected.map((chunk) => chunk.id).sort());
            }
          } finally {
            await keeper.close();
            await here.remove();
          }
        }),
        { numRuns: 15 },
      );
    });
  });
}
