import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import type { Change } from '../../src/knowledge';
import { type LibraryWrite, libraryTitle } from '../../src/review';
import { error, type Hall, useHalls } from '../support/hall';

const AGENT: Change = { author: 'agent', by_agent: true, reason: 'Missing' };
const ALICE: Change = { author: 'alice' };
const TEXT = '# Reviews\n\nThe review shall be held before the design begins.\n';
const ingest: LibraryWrite = {
  action: 'ingest',
  request: { source: `content:${TEXT}`, metadata_overrides: { title: 'Reviews', authority_level: 'reputable' } },
};
const request: LibraryWrite = {
  action: 'request_document',
  request: { topic: 'ISO 26262', rationale: 'It is binding.', urgency: 'blocking', can_proceed_without: false },
};
const acquire: LibraryWrite = {
  action: 'acquire',
  request: { topic: 'reviews', urls: ['https://example.org/reviews'], max_pages: 3 },
};

describe('What an agent wants to bring into the library', () => {
  const open = useHalls();
  let folder: string;
  beforeEach(() => {
    folder = realpathSync.native(mkdtempSync(path.join(tmpdir(), 'kaizen-review-library-')));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

  const openHall = () => open({ workspace: folder, web: { enabled: false } });
  const propose = ({ review }: Hall, input: LibraryWrite) =>
    review.propose({ operation: 'write_library', input }, AGENT);

  it('waits, once, and is read and stored by accepting it, as the agent’s', async () => {
    const hall = await openHall();
    const { id } = await propose(hall, ingest);
    assert.equal((await propose(hall, ingest)).id, id);
    assert.deepEqual(await hall.library.sources(), []);
    await hall.review.accept(id, { confirmed: false }, ALICE);
    const [source] = await hall.library.sources();
    assert.deepEqual(
      [source?.title, source?.authority_level, source?.added_by, source?.processing_status],
      ['Reviews', 'reputable', 'agent', 'complete'],
    );
    assert.equal(hall.review.proposal(id)?.decision?.action, 'accepted');
  });

  it('is shown whole before anything is read or fetched', async () => {
    const hall = await openHall();
    const shown = async (input: LibraryWrite) => {
      const preview = await hall.review.preview((await propose(hall, input)).id);
      assert.equal(preview?.before, '');
      return preview;
    };
    const source = await shown(ingest);
    assert.equal(source?.title, 'Reviews');
    assert.match(source?.after ?? '', /^# Add to the library\n\nTitle: Reviews\n\nAuthority: reputable\n\n## Text\n/);
    assert.match(source?.after ?? '', /The review shall be held/);
    const asked = await shown(request);
    assert.equal(asked?.title, 'ISO 26262');
    assert.match(asked?.after ?? '', /Urgency: blocking[\s\S]*## Why\n\nIt is binding\.[\s\S]*without it: no/);
    const fetched = await shown(acquire);
    assert.match(fetched?.after ?? '', /Topic: reviews[\s\S]*- https:\/\/example\.org\/reviews[\s\S]*at most: 3/);
  });

  it('can be sources to look at again, and accepting it looks', async () => {
    const hall = await openHall();
    const { document } = await hall.library.ingest({ source: `content:${TEXT}` }, { author: 'ada' });
    const { document_id, title } = document!;
    const { id } = await propose(hall, { action: 'refresh', request: { sources: [document_id], titles: [title] } });
    const shown = await hall.review.preview(id);
    assert.deepEqual(
      [shown?.title, shown?.after],
      [title, `# Look at web sources again\n\n## Sources\n\n- ${title}\n`],
    );
    await hall.review.accept(id, { confirmed: false }, ALICE);
    assert.equal(hall.review.proposal(id)?.decision?.action, 'accepted');
  });

  it('is forgotten by rejecting it', async () => {
    const hall = await openHall();
    const { id } = await propose(hall, ingest);
    await hall.review.reject(id, ALICE);
    assert.deepEqual(await hall.library.sources(), []);
    assert.deepEqual(hall.review.proposals(), []);
  });

  it('is asked for in the name of the agent', async () => {
    const hall = await openHall();
    const { id } = await propose(hall, request);
    await hall.review.accept(id, { confirmed: false }, ALICE);
    const [asked] = await hall.library.requests('open');
    assert.deepEqual([asked?.topic, asked?.urgency, asked?.requested_by], ['ISO 26262', 'blocking', 'agent']);
  });

  it('goes on waiting where it cannot be read, and where it has too little to do with the topic', async () => {
    const hall = await openHall();
    const missing = await propose(hall, { action: 'ingest', request: { source: 'later.md' } });
    const confirmed = { confirmed: false };
    await assert.rejects(hall.review.accept(missing.id, confirmed, ALICE), error('unreadable_source'));
    assert.equal(hall.review.proposals().length, 1);
    writeFileSync(path.join(folder, 'later.md'), TEXT);
    await hall.review.accept(missing.id, confirmed, ALICE);
    assert.deepEqual(
      (await hall.library.sources()).map(({ title, processing_status }) => [title, processing_status]),
      [['Reviews', 'complete']],
    );

    const other = { ...ingest.request, source: 'content:# Bread\n\nKnead it.' };
    const relevance = { assess_relevance: true, relevance_context: 'system reviews' };
    const irrelevant = await propose(hall, { action: 'ingest', request: { ...other, ...relevance } });
    await assert.rejects(hall.review.accept(irrelevant.id, confirmed, ALICE), error('conflict', /Nothing was added/));
  });

  it('stays within the workspace, whoever accepts it', async () => {
    const hall = await openHall();
    const outside: LibraryWrite = { action: 'ingest', request: { source: path.join(folder, '..', 'secret.md') } };
    await assert.rejects(propose(hall, outside), error('outside_root'));
    assert.deepEqual(hall.review.proposals(), []);
  });

  it('is fetched by accepting it, and goes on waiting where nothing came in', async () => {
    const hall = await openHall();
    const { id } = await propose(hall, acquire);
    const refused = error('conflict', /Nothing came in\. .*Nothing was added/);
    await assert.rejects(hall.review.accept(id, { confirmed: false }, ALICE), refused);
    assert.deepEqual(await hall.library.sources(), []);
    assert.equal(hall.review.proposals().length, 1);
  });

  it('has a title of one line, however long it is', () => {
    const source = `content:# A\n\n${'long '.repeat(100)}`;
    const title = libraryTitle({ action: 'ingest', request: { source } });
    assert.ok(title.length <= 120 && !title.includes('\n') && title.endsWith('…'), title);
  });
});

describe('Accepting what takes long', () => {
  const open = useHalls();
  let server: Server;
  /** Answers the page that was asked for last. */
  let answer: () => void;
  /** Answers it, and whoever asks for it from now on. */
  let answerAll: () => void;
  let asked: Promise<void>;
  let source: string;

  beforeEach(async () => {
    let isAsked = () => {};
    asked = new Promise((resolve) => {
      isAsked = resolve;
    });
    let isOpen = false;
    answerAll = () => {
      isOpen = true;
      answer();
    };
    server = createServer((request, response: ServerResponse) => {
      if (request.url !== '/reviews') {
        response.writeHead(404).end();
        return;
      }
      answer = () => void response.writeHead(200, { 'content-type': 'text/markdown' }).end(TEXT);
      if (isOpen) answer();
      isAsked();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/reviews`;
  });
  afterEach(() => {
    mock.timers.reset();
    server.closeAllConnections();
    server.close();
  });

  const openHall = () => open({ web: { enabled: true, allowPrivateAddresses: true, rateLimit: 100 } });
  const proposed = async ({ review }: Hall, input: LibraryWrite) =>
    (await review.propose({ operation: 'write_library', input }, AGENT)).id;

  it('keeps it in hand as long as it takes, and tells how far it has come', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    const hall = await openHall();
    const id = await proposed(hall, { action: 'ingest', request: { source } });
    const told: string[] = [];
    const options = { confirmed: false, onProgress: ({ message }: { message: string }) => void told.push(message) };
    const accepting = hall.review.accept(id, options, ALICE);
    await asked;
    for (let minutes = 0; minutes < 5; minutes += 1 / 3) {
      hall.clock.advanceMinutes(1 / 3);
      mock.timers.tick(20_000);
      // What is written next is written after the renewal.
      await proposed(hall, { ...request, request: { ...request.request, topic: `Topic ${minutes}` } });
      const second = hall.review.accept(id, { confirmed: false }, { author: 'bob' });
      await assert.rejects(second, error('conflict', /just being accepted by alice/));
    }
    answer();
    await accepting;
    assert.equal(hall.review.proposal(id)?.decision?.by, 'alice');
    assert.ok(told.length > 0, 'progress is told');
  });

  it('lets go of its own claim only, where somebody else has taken it in hand since', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    const hall = await openHall();
    const id = await proposed(hall, { action: 'ingest', request: { source } });
    const stopping = new AbortController();
    const first = hall.review.accept(id, { confirmed: false }, { ...ALICE, signal: stopping.signal });
    const stopped = assert.rejects(first, error('cancelled'));
    await asked;
    // As after a machine slept: nothing was renewed.
    hall.clock.advanceMinutes(5);
    const second = hall.review.accept(id, { confirmed: false }, { author: 'bob' });
    await proposed(hall, request);
    stopping.abort();
    await stopped;
    const third = hall.review.accept(id, { confirmed: false }, { author: 'carol' });
    await assert.rejects(third, error('conflict', /just being accepted by bob/));
    answerAll();
    await second;
    assert.equal(hall.review.proposal(id)?.decision?.by, 'bob');
  });

  it('is stopped by who accepts it: it waits again, and nothing came in', async () => {
    const hall = await openHall();
    for (const input of [
      { action: 'ingest', request: { source } },
      { action: 'acquire', request: { topic: 'design reviews', urls: [source] } },
    ] as const) {
      const id = await proposed(hall, input);
      const stopping = new AbortController();
      const accepting = hall.review.accept(id, { confirmed: false }, { ...ALICE, signal: stopping.signal });
      const refused = assert.rejects(accepting, error('cancelled'));
      await asked;
      stopping.abort();
      await refused;
      assert.equal(hall.review.proposal(id)?.decision, undefined);
      assert.deepEqual(await hall.library.sources(), []);
      // At once: nobody holds it any more.
      await hall.review.reject(id, ALICE);
    }
  });
});
