import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DocumentMetadata, DocumentRequestInput, LibraryPart } from '../../src/library';
import { DocumentRequests } from '../../src/library/acquiring/document-requests';
import { openKeeper } from '../../src/library/keeping';
import type { LibraryKeeper } from '../../src/library/keeping/model';
import { LibraryFolder } from '../support/library';
import { madeDocument } from '../support/library-documents';

const AGENT = { author: 'agent', by_agent: true };
const PERSON = { author: 'person' };
const TEXT = 'The inspection of relief valves begins with the seat. Relief valves are inspected once a year. '.repeat(
  12,
);

describe('document requests', () => {
  let root: string;
  let keeper: LibraryKeeper;
  let requests: DocumentRequests;
  let now: number;

  beforeEach(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'kaizen-requests-')));
    now = Date.parse('2026-03-01T12:00:00.000Z');
    const clock = { now: () => now };
    keeper = await openKeeper(
      { directory: join(root, 'library') },
      { cacheDirectory: undefined, embeddingsDirectory: root, modelsDirectory: root, clock, log: () => undefined },
    );
    requests = new DocumentRequests({ keeper: async () => keeper, clock });
  });
  afterEach(async () => {
    await keeper.close();
    rmSync(root, { recursive: true, force: true });
  });

  const add = (input: Partial<DocumentRequestInput> = {}) =>
    requests.add({ topic: 'Relief valve inspection', rationale: 'The review needs it.', ...input }, AGENT);

  it('are kept with what the seed gives them', async () => {
    const request = await add();
    assert.match(request.id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(
      { ...request, id: '' },
      {
        ...{ id: '', topic: 'Relief valve inspection', rationale: 'The review needs it.', document_type: 'any' },
        ...{
          example_documents: [],
          urgency: 'important',
          can_proceed_without: true,
          status: 'open',
          requested_by: 'agent',
        },
        ...{ created_at: '2026-03-01T12:00:00.000Z', updated_at: '2026-03-01T12:00:00.000Z' },
      },
    );
    assert.deepEqual(await requests.list(), [request]);
    const all = await add({
      ...{ topic: 'Other', document_type: 'standard', example_documents: [' ISO 4126-1 ', ''], urgency: 'blocking' },
      ...{ workflow_context: 'rcca', can_proceed_without: false, workaround_if_unavailable: 'Ask the vendor.' },
    });
    assert.deepEqual(
      [all.example_documents, all.workflow_context, all.workaround_if_unavailable],
      [...[['ISO 4126-1'], 'rcca', 'Ask the vendor.']],
    );
  });

  it('for the same are one, with the higher urgency and the examples of both', async () => {
    const first = await add({ example_documents: ['API 520'], urgency: 'nice_to_have' });
    now += 1_000;
    const [second, third] = await Promise.all([
      add({
        topic: ' relief VALVE  inspection ',
        example_documents: ['api 520', 'ISO 4126'],
        urgency: 'blocking',
        workflow_context: 'rcca',
      }),
      add({ urgency: 'important' }),
    ]);
    assert.deepEqual([second.id, third.id], [first.id, first.id]);
    const [kept, ...others] = await requests.list();
    assert.deepEqual(others, []);
    assert.deepEqual([kept!.urgency, kept!.workflow_context, kept!.created_at], ['blocking', 'rcca', first.created_at]);
    assert.equal(kept!.example_documents.length, 2);
    assert.equal(kept!.updated_at, '2026-03-01T12:00:01.000Z');
    // Another type is something else; and so is what was settled.
    assert.notEqual((await add({ document_type: 'standard' })).id, first.id);
    await requests.settle(first.id, 'dismissed', PERSON);
    assert.notEqual((await add()).id, first.id);
  });

  it('are listed as they are needed: open ones first, by urgency, then by time', async () => {
    for (const [topic, urgency] of [
      ['a', 'nice_to_have'],
      ['b', 'important'],
      ['c', 'blocking'],
      ['d', 'important'],
      ['e', 'blocking'],
    ] as const) {
      now += 1_000;
      await add({ topic, urgency });
    }
    const [c] = await requests.list();
    await requests.settle(c!.id, 'dismissed', PERSON);
    assert.deepEqual(
      (await requests.list()).map(({ topic }) => topic),
      ['e', 'b', 'd', 'a', 'c'],
    );
    assert.deepEqual(
      (await requests.list('dismissed')).map(({ topic }) => topic),
      ['c'],
    );
    assert.deepEqual(await requests.list('answered'), []);
  });

  it('are answered by a document that there is, dismissed, and opened again', async () => {
    const { document, content } = madeDocument('valves-1', ['Valves.']);
    await keeper.put(document, content);
    const { id } = await add();
    const answered = await requests.settle(id, { answered_by: 'valves-1' }, PERSON);
    assert.deepEqual([answered.status, answered.answered_by], ['answered', 'valves-1']);
    const open = await requests.settle(id, 'open', PERSON);
    assert.deepEqual([open.status, 'answered_by' in open], ['open', false]);
    await assert.rejects(requests.settle(id, { answered_by: 'nothing-2' }, PERSON), { code: 'unknown_document' });
    await assert.rejects(requests.settle('none', 'dismissed', PERSON), { code: 'unknown_request' });
    assert.equal((await requests.list('open')).length, 1);
  });

  it('take what can be kept only', async () => {
    for (const wrong of [
      { topic: '' },
      { rationale: ' ' },
      { topic: 'a\u0007b' },
      { topic: 'x'.repeat(2_001) },
      { document_type: 'book' as never },
      { urgency: 'now' as never },
      { example_documents: Array.from({ length: 21 }, String) },
    ]) {
      await assert.rejects(add(wrong), { code: 'invalid_argument' }, JSON.stringify(wrong));
    }
    assert.deepEqual(await requests.list(), []);
  });

  describe('are closed', () => {
    const valves: Partial<DocumentMetadata> = {
      title: 'Inspection of relief valves',
      document_type: 'handbook',
      token_count: 300,
    };

    async function closes(
      asked: Partial<DocumentRequestInput>,
      particulars: Partial<DocumentMetadata>,
      text = TEXT,
      change: { author: string; by_agent?: boolean } = PERSON,
    ): Promise<boolean> {
      const { id } = await add(asked);
      const { document } = madeDocument('new-1', [text], { ...valves, ...particulars });
      const closed = await requests.closeBy({ ...document, token_count: 300, ...particulars }, text, change);
      const [request] = (await requests.list()).filter((each) => each.id === id);
      assert.deepEqual(
        [request!.status, request!.answered_by],
        closed.includes(id) ? ['answered', 'new-1'] : ['open', undefined],
      );
      if (request!.status === 'open') await requests.settle(id, 'dismissed', PERSON);
      return closed.includes(id);
    }

    it('by the standard that was named, in its edition', async () => {
      const standard = { title: 'Safety devices', document_type: 'standard', standard_id: 'ISO 4126-1:2013' };
      assert.equal(await closes({ topic: 'x', example_documents: ['ISO 4126-1'] }, standard, 'Nothing.'), true);
      assert.equal(
        await closes({ topic: 'What EN ISO 4126-1 says of valves', document_type: 'standard' }, standard, ''),
        true,
      );
      assert.equal(await closes({ topic: 'x', example_documents: ['ISO 4126-1:2004'] }, standard), false);
      assert.equal(await closes({ topic: 'x', example_documents: ['ISO 4126-2'] }, standard), false);
    });

    it('by the title that was named', async () => {
      const handbook = { title: 'NASA Systems Engineering Handbook (Rev 2)', document_type: 'report' };
      assert.equal(await closes({ topic: 'x', example_documents: ['Systems Engineering Handbook'] }, handbook), true);
      assert.equal(
        await closes({ topic: 'x', example_documents: ['systems-engineering-handbook.pdf'] }, handbook),
        true,
      );
      assert.equal(await closes({ topic: 'x', example_documents: ['Handbook'] }, handbook), false);
    });

    it('by a text of the type that was wanted, about the topic, and called so', async () => {
      assert.equal(await closes({ document_type: 'handbook' }, {}), true);
      assert.equal(await closes({ document_type: 'any' }, {}), true);
      assert.equal(await closes({ document_type: 'standard' }, {}), false);
      assert.equal(await closes({}, { title: 'Minutes of a meeting' }), false);
      assert.equal(await closes({}, {}, 'Bread is made of flour. '.repeat(30)), false);
      assert.equal(await closes({}, { token_count: 20 }), false);
      const page = { document_type: 'web', source_type: 'web' } as const;
      assert.equal(await closes({ document_type: 'guide' }, page), true);
      assert.equal(await closes({ document_type: 'standard' }, page), false);
    });

    it('not by text that an agent gave: it would answer its own question', async () => {
      const content = { source_path: 'content:', standard_id: 'ISO 4126-1' };
      assert.equal(await closes({ example_documents: ['ISO 4126-1'] }, content, TEXT, AGENT), false);
      assert.equal(await closes({ example_documents: ['ISO 4126-1'] }, content, TEXT, PERSON), true);
    });
  });

  it('are closed when a matching file comes in, and listed until then', async () => {
    const folder = new LibraryFolder();
    try {
      const library: LibraryPart = folder.open();
      const changes: boolean[] = [];
      library.onDidChange(({ requests: changed }) => changes.push(changed));
      const asked = await library.requestDocument(
        { topic: 'Relief valve inspection', rationale: 'It is needed.' },
        AGENT,
      );
      const other = await library.requestDocument({ topic: 'Bread', rationale: 'It is needed.' }, AGENT);
      while (!changes.includes(true)) await sleep(5);
      folder.write('valves.md', `# Inspection of relief valves\n\n${TEXT}`);
      const { requests_closed, document } = await library.ingest({ source: 'valves.md' }, PERSON);
      assert.deepEqual(requests_closed, [asked.id]);
      const [open, answered] = await library.requests();
      assert.deepEqual([open!.id, answered!.answered_by], [other.id, document!.document_id]);
      assert.equal((await library.stats()).open_requests, 1);
    } finally {
      await folder.remove();
    }
  });

  it('are closed as well by what was there before, once somebody brings it again or says what it is', async () => {
    const folder = new LibraryFolder();
    try {
      const library = folder.open();
      folder.write('norm.md', '# Relief\n\nThe valve shall open at the set pressure.\n');
      folder.write('again.md', '# Relief\n\nThe valve shall open at the set pressure.\n');
      folder.write('empty.md', '');
      const { document } = await library.ingest({ source: 'norm.md' }, PERSON);
      const ask = (name: string) =>
        library.requestDocument({ topic: name, rationale: 'Needed.', example_documents: [name] }, AGENT);
      const first = await ask('ISO 4126-1');
      await library.describe(document!.document_id, { standard_id: 'ISO 4126-1:2013' }, PERSON);
      assert.deepEqual(
        (await library.requests()).map(({ id, status, answered_by }) => [id, status, answered_by]),
        [[first.id, 'answered', document!.document_id]],
      );
      const second = await ask('ISO 4126-1');
      assert.notEqual(second.id, first.id);
      const same = await library.ingest({ source: 'norm.md' }, PERSON);
      assert.deepEqual([same.status, same.requests_closed], ['unchanged', [second.id]]);
      const third = await ask('ISO 4126-1');
      const twin = await library.ingest({ source: 'again.md' }, PERSON);
      assert.deepEqual([twin.status, twin.requests_closed], ['duplicate', [third.id]]);
      // Of what cannot be read nobody knows what it says, whatever it is called.
      const fourth = await ask('ISO 9999');
      const said = { source: 'empty.md', metadata_overrides: { standard_id: 'ISO 9999' } };
      await assert.rejects(library.ingest(said, PERSON), { code: 'unreadable_source' });
      const failed = (await library.sources()).find(({ processing_status }) => processing_status === 'failed');
      await library.describe(failed!.document_id, { version: '2' }, PERSON);
      assert.deepEqual(
        (await library.requests('open')).map(({ id }) => id),
        [fourth.id],
      );
    } finally {
      await folder.remove();
    }
  });
});
