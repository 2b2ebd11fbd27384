import assert from 'node:assert/strict';
import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { LibraryChange, LibraryPart } from '../../src/library';
import { originOf } from '../../src/library/ingesting/origin';
import { LibraryFolder, PageServer } from '../support/library';
import { turnsDuring } from '../support/turns';

const ADA: LibraryChange = { author: 'Ada' };
const AGENT: LibraryChange = { author: 'agent', by_agent: true };
const refused = (code: string, message?: RegExp) => ({ name: 'KaizenError', code, ...(message ? { message } : {}) });

/** A text of a few sections that are large enough to be chunks of their own. */
function manual(changed = 'The pump starts when the pressure falls.'): string {
  const filling = (word: string) =>
    Array.from({ length: 40 }, (_, at) => `The ${word} has part number ${at}, which is checked once a year.`).join(' ');
  return [
    '# Pump manual',
    '',
    '## Starting',
    '',
    `${changed} ${filling('motor')}`,
    '',
    '## Maintenance',
    '',
    `Bearings are greased every month. ${filling('bearing')}`,
    '',
    '## Faults',
    '',
    `A red lamp means that the pump is dry. ${filling('lamp')}`,
    '',
  ].join('\n');
}

describe('Adding sources to the library', () => {
  let folder: LibraryFolder;
  let library: LibraryPart;

  beforeEach(() => {
    folder = new LibraryFolder();
    library = folder.open();
  });
  afterEach(() => folder.remove());

  it('stores a file with its text, its chunks and what is known of it', async () => {
    const file = folder.write('docs/pump.md', manual());
    const messages: string[] = [];
    const result = await library.ingest(
      { source: 'docs/pump.md', metadata_overrides: { document_type: 'handbook', version: '3' } },
      { ...ADA, onProgress: ({ message }) => messages.push(message) },
    );
    assert.equal(result.status, 'added');
    const { document } = result;
    assert.ok(document);
    assert.match(document.document_id, /^pump-[0-9a-f]{8}$/);
    assert.equal(document.title, 'Pump manual');
    assert.equal(document.source_path, file);
    assert.equal(document.document_type, 'handbook');
    assert.equal(document.authority_level, 'authoritative');
    assert.equal(document.version, '3');
    assert.equal(document.processing_status, 'complete');
    assert.equal(document.added_by, 'Ada');
    assert.equal(document.chunk_count, result.chunks.total);
    assert.deepEqual(await library.source(document.document_id).then(({ title }) => title), 'Pump manual');
    const text = await library.text(document.document_id);
    const chunks = await library.chunks(document.document_id);
    assert.ok(chunks.length >= 3);
    for (const chunk of chunks) {
      assert.equal(chunk.content, text.slice(chunk.char_start, chunk.char_end));
      assert.match(chunk.id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.equal(chunk.authority_score, 0.85);
    }
    assert.ok(messages.some((message) => message.startsWith('Storing')));
    const { results } = await library.search({ query: 'greased bearings' });
    assert.match(results[0]!.content, /Bearings are greased/);
  });

  it('reads text that is given directly in short turns, however its lines end', async () => {
    const asking = { workspace: undefined, byAgent: true };
    const empty = await turnsDuring(() => originOf(`content:${'# \n'.repeat(3_000)}# Pumps`, asking));
    assert.ok(empty >= 3_000, `${empty} turns`);
    const returns = await turnsDuring(() => originOf(`content:${'\r'.repeat(1_000_000)}Pumps`, asking));
    assert.ok(returns >= 10, `${returns} turns`);
    for (const end of ['\r', '\n', '\r\n']) {
      const lines = `x${end}`.repeat(70_001);
      const origin = await originOf(`content:${lines}# Pumps ##${end}`, asking);
      assert.ok(origin.kind === 'content' && origin.text === `${'x\n'.repeat(70_001)}# Pumps ##\n`);
      assert.equal(origin.name, 'Pumps');
    }
  });

  it('is not opened again and again by who asks it whenever its state changes', async () => {
    const file = folder.write('no-folder', 'A file where the library is to be.');
    const broken = folder.open({ place: { directory: file } });
    let asked = 0;
    let told = 0;
    const ask = () => {
      asked++;
      return broken.sources().then(
        () => assert.fail('it cannot be opened'),
        () => undefined,
      );
    };
    broken.onDidChangeState(() => {
      told++;
      assert.ok(told < 20, 'it goes in circles');
      void ask();
    });
    await ask();
    const before = told;
    for (let round = 0; round < 5; round++) await ask();
    assert.equal(told, before);
    assert.equal(broken.state.state, 'failed');
    assert.ok(asked < 20);
    await broken.usePlace({ directory: join(folder.root, 'elsewhere') });
    assert.deepEqual(await broken.sources(), []);
    assert.equal(broken.state.state, 'ready');
  });

  it('replaces only what has changed when a source is another', async () => {
    folder.write('pump.md', manual());
    const first = await library.ingest({ source: 'pump.md' }, ADA);
    const before = await library.chunks(first.document!.document_id);
    folder.now += 60_000;
    folder.write('pump.md', manual('The pump starts when a person presses the button.'));
    const second = await library.ingest({ source: 'pump.md' }, ADA);
    assert.equal(second.status, 'updated');
    const after = await library.chunks(first.document!.document_id);
    const kept = after.filter(({ id }) => before.some((chunk) => chunk.id === id));
    assert.equal(second.chunks.kept, kept.length);
    assert.equal(second.chunks.added, after.length - kept.length);
    assert.equal(second.chunks.removed, before.length - kept.length);
    assert.ok(kept.length > 0 && second.chunks.added > 0);
    for (const chunk of kept) assert.equal(chunk.created_at, before[0]!.created_at);
    assert.equal(second.document!.created_at, first.document!.created_at);
    const { results } = await library.search({ query: 'presses the button' });
    assert.match(results[0]!.content, /presses the button/);
    const old = await library.search({ query: 'pressure falls', score_threshold: 0 });
    assert.ok(old.results.every(({ content }) => !content.includes('pressure falls')));
  });

  it('does not read again what has not changed, and keeps what was said of it', async () => {
    folder.write('pump.md', manual());
    await library.ingest({ source: 'pump.md', metadata_overrides: { title: 'The pump' } }, ADA);
    folder.now += 60_000;
    const again = await library.ingest({ source: 'pump.md' }, ADA);
    assert.equal(again.status, 'unchanged');
    assert.equal(again.document!.title, 'The pump');
    assert.equal(again.document!.last_verified_at, '2026-03-01T12:01:00.000Z');
    folder.write('pump.md', manual('It starts by itself.'));
    const changed = await library.ingest({ source: 'pump.md' }, ADA);
    assert.equal(changed.status, 'updated');
    assert.equal(changed.document!.title, 'The pump');
    const touched = join(folder.workspace, 'pump.md');
    utimesSync(touched, new Date(), new Date(Date.now() + 10_000));
    assert.equal((await library.ingest({ source: 'pump.md' }, ADA)).status, 'unchanged');
    assert.equal((await library.ingest({ source: 'pump.md', force: true }, ADA)).status, 'updated');
  });

  it('recognises the same content under another name', async () => {
    folder.write('pump.md', manual());
    folder.write('copy.md', manual());
    const first = await library.ingest({ source: 'pump.md' }, ADA);
    const second = await library.ingest({ source: 'copy.md' }, ADA);
    assert.equal(second.status, 'duplicate');
    assert.equal(second.document!.document_id, first.document!.document_id);
    assert.equal((await library.stats()).documents, 1);
  });

  it('takes Markdown that is given directly', async () => {
    const given = await library.ingest({ source: 'content:# Valves\n\nA valve closes at 3 bar.' }, AGENT);
    assert.equal(given.status, 'added');
    assert.match(given.document!.document_id, /^valves-[0-9a-f]{8}$/);
    assert.equal(given.document!.source_path, 'content:');
    assert.equal(given.document!.authority_level, 'unverified');
    const again = await library.ingest({ source: 'content:# Valves\n\nA valve closes at 3 bar.' }, AGENT);
    assert.equal(again.status, 'unchanged');
    await assert.rejects(library.ingest({ source: 'content:  \n' }, ADA), refused('invalid_argument'));
  });

  it('keeps a file that cannot be read with the reason, and nothing else of it', async () => {
    folder.write('scan.pdf', Buffer.from('%PDF-1.7\nnothing that could be read'));
    await assert.rejects(library.ingest({ source: 'scan.pdf' }, ADA), refused('unreadable_source'));
    const [listed] = await library.sources();
    assert.equal(listed!.processing_status, 'failed');
    assert.ok(listed!.processing_error);
    assert.equal(listed!.chunk_count, 0);
    assert.match((await library.stats()).health.join(), /could not be read/);
    folder.write('scan.pdf', manual());
    const repaired = await library.ingest({ source: 'scan.pdf' }, ADA);
    assert.equal(repaired.status, 'added');
    assert.equal(repaired.document!.processing_error, undefined);
    assert.equal((await library.stats()).documents, 1);
  });

  it('lets a source say what it said before when it cannot be read again', async () => {
    folder.write('pump.md', manual());
    const { document } = await library.ingest({ source: 'pump.md' }, ADA);
    rmSync(join(folder.workspace, 'pump.md'));
    const [page] = await library.refresh([document!.document_id], ADA);
    assert.equal(page!.status, 'failed');
    const after = await library.source(document!.document_id);
    assert.equal(after.processing_status, 'complete');
    assert.match(after.processing_error!, /no file/);
    assert.ok((await library.chunks(document!.document_id)).length > 0);
  });

  it('lists nothing for a path where there is no file', async () => {
    await assert.rejects(library.ingest({ source: 'nowhere.md' }, ADA), refused('unreadable_source', /no file/));
    assert.equal((await library.stats()).documents, 0);
  });

  it('lets agents name files of the workspace only, and people any', async () => {
    const outside = join(folder.root, 'secret.md');
    writeFileSync(outside, manual());
    symlinkSync(outside, join(folder.workspace, 'link.md'));
    for (const source of [
      outside,
      '../secret.md',
      'link.md',
      'a/../../secret.md',
      `file://${outside}`,
      '/etc/passwd',
      '',
    ]) {
      const code = source === '' ? 'invalid_argument' : 'outside_root';
      await assert.rejects(library.ingest({ source }, AGENT), refused(code), source);
    }
    assert.equal((await library.stats()).documents, 0);
    assert.equal((await library.ingest({ source: outside }, ADA)).status, 'added');
    folder.write('deep/own.md', '# Own\n\nA file of the workspace.');
    assert.equal((await library.ingest({ source: 'deep/own.md' }, AGENT)).status, 'added');
    const withoutFolder = folder.open({ workspace: undefined });
    await assert.rejects(withoutFolder.ingest({ source: 'deep/own.md' }, AGENT), refused('outside_root'));
  });

  it('never lets an agent out of the workspace, whatever it names', async () => {
    const part = fc.constantFrom('..', '.', '', 'a', 'link', '%2e%2e', '...', '~', '\\', 'C:', '\u0000', 'x.md', '/');
    symlinkSync(folder.root, join(folder.workspace, 'link'));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), fc.boolean(), async (parts, fromRoot) => {
        const source = (fromRoot ? `${folder.workspace}/` : '') + parts.join('/');
        try {
          const origin = await originOf(source, { workspace: folder.workspace, byAgent: true });
          if (origin.kind === 'file') assert.ok(origin.source_path.startsWith(`${folder.workspace}/`), source);
        } catch (error) {
          assert.equal((error as Error).name, 'KaizenError', String(error));
        }
      }),
    );
  });

  it('leaves out what has too little to do with a topic', async () => {
    folder.write('pump.md', manual());
    const request = { source: 'pump.md', assess_relevance: true };
    await assert.rejects(library.ingest(request, ADA), refused('invalid_argument', /relevance_context/));
    const skipped = await library.ingest({ ...request, relevance_context: 'orbital mechanics of satellites' }, ADA);
    assert.equal(skipped.status, 'skipped');
    assert.equal(skipped.document, undefined);
    assert.equal((await library.stats()).documents, 0);
    const taken = await library.ingest({ ...request, relevance_context: 'greasing the bearings of a pump' }, ADA);
    assert.equal(taken.status, 'added');
    assert.ok(taken.relevance!.score > 0.9);
    const [chunk] = await library.chunks(taken.document!.document_id);
    assert.equal(chunk!.relevance_score, taken.relevance!.score);
  });

  it('stops when it is cancelled, and stores nothing', async () => {
    folder.write('pump.md', manual());
    for (const step of ['Reading', 'Storing']) {
      const abort = new AbortController();
      const onProgress = ({ message }: { message: string }) => {
        if (message.startsWith(step)) abort.abort();
      };
      const adding = library.ingest({ source: 'pump.md' }, { ...ADA, signal: abort.signal, onProgress });
      await assert.rejects(adding, refused('cancelled'), step);
    }
    assert.equal((await library.stats()).documents, 0);
  });

  it('agrees with another process that adds the same source at once', async () => {
    folder.write('pump.md', manual());
    const other = folder.open();
    const results = await Promise.all([
      library.ingest({ source: 'pump.md' }, ADA),
      other.ingest({ source: 'pump.md' }, ADA),
    ]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ['added', 'unchanged']);
    assert.equal((await library.stats()).documents, 1);
  });

  it('says of a source what a person says of it', async () => {
    folder.write('pump.md', manual());
    const { document } = await library.ingest({ source: 'pump.md' }, ADA);
    const id = document!.document_id;
    const before = await library.chunks(id);
    folder.now += 1_000;
    const described = await library.describe(
      id,
      { title: 'ISO 4413:2010 Hydraulics', authority_level: 'normative' },
      ADA,
    );
    assert.equal(described.authority_score, 1);
    assert.equal(described.standard_id, 'ISO 4413:2010');
    const after = await library.chunks(id);
    assert.deepEqual(
      after.map(({ id: chunk }) => chunk),
      before.map(({ id: chunk }) => chunk),
    );
    assert.ok(after.every((chunk) => chunk.authority_score === 1 && chunk.document_title === described.title));
    const back = await library.describe(id, { title: '' }, ADA);
    assert.equal(back.title, 'Pump manual');
    assert.equal(back.authority_level, 'normative');
    await assert.rejects(library.describe('nothing', { title: 'x' }, ADA), refused('unknown_document'));
  });

  it('removes a source with all that it said, or none of several', async () => {
    folder.write('pump.md', manual());
    const { document } = await library.ingest({ source: 'pump.md' }, ADA);
    await assert.rejects(library.remove([document!.document_id, 'nothing'], ADA), refused('unknown_document'));
    assert.equal((await library.stats()).documents, 1);
    await library.remove([document!.document_id], ADA);
    assert.equal((await library.search({ query: 'bearings' })).total_results, 0);
    await assert.rejects(library.text(document!.document_id), refused('unknown_document'));
  });

  it('refuses what no source can be', async () => {
    for (const source of ['ftp://example.org/a.pdf', 'https://', 'https://name:word@example.org/', 'a\nb']) {
      await assert.rejects(library.ingest({ source }, ADA), refused('invalid_argument'), source);
    }
    folder.write('pump.md', manual());
    for (const wrong of [{ relevance_threshold: 2 }, { metadata_overrides: { title: 'x'.repeat(400) } }]) {
      await assert.rejects(library.ingest({ source: 'pump.md', ...wrong }, ADA), refused('invalid_argument'));
    }
    await assert.rejects(library.ingest({ source: '.' }, ADA), refused('unreadable_source', /folder/));
  });
});

describe('Adding pages of the web to the library', () => {
  let folder: LibraryFolder;
  let library: LibraryPart;
  let server: PageServer;
  const article = (word: string) =>
    `<p>${Array.from({ length: 30 }, (_, at) => `The ${word} number ${at} is described in this sentence of the article.`).join(' ')}</p>`;

  beforeEach(async () => {
    folder = new LibraryFolder();
    library = folder.open();
    server = new PageServer();
    await server.start();
  });
  afterEach(async () => {
    await folder.remove();
    await server.stop();
  });

  it('stores a page with where and when it was had', async () => {
    server.page('/valves.html', 'Valves', article('valve'), '"1"');
    const { document, status } = await library.ingest({ source: server.url('/valves.html#top') }, AGENT);
    assert.equal(status, 'added');
    assert.equal(document!.source_type, 'web');
    assert.equal(document!.document_type, 'web');
    assert.equal(document!.source_url, server.url('/valves.html'));
    assert.equal(document!.source_domain, '127.0.0.1');
    assert.equal(document!.etag, '"1"');
    assert.equal(document!.authority_level, 'unverified');
    assert.ok(document!.crawled_at);
    const [chunk] = await library.chunks(document!.document_id);
    assert.equal(chunk!.source_url, server.url('/valves.html'));
    const [listed] = await library.sources({ source_type: 'web' });
    assert.equal(listed!.freshness.level, 'current');
  });

  it('asks whether a page has changed before it reads it again', async () => {
    server.page('/valves.html', 'Valves', article('valve'), '"1"');
    const { document } = await library.ingest({ source: server.url('/valves.html') }, ADA);
    const [same] = await library.refresh(undefined, ADA);
    assert.equal(same!.status, 'unchanged');
    assert.equal(server.asked.at(-1)!.headers['if-none-match'], '"1"');
    server.page('/valves.html', 'Valves', article('gate'), '"2"');
    const [changed] = await library.refresh([document!.document_id], ADA);
    assert.equal(changed!.status, 'updated');
    assert.match(await library.text(document!.document_id), /The gate number/);
    server.forget('/valves.html');
    const [gone] = await library.refresh([document!.document_id], ADA);
    assert.equal(gone!.status, 'failed');
    assert.match(await library.text(document!.document_id), /The gate number/);
    await assert.rejects(library.refresh(['nothing'], ADA), refused('unknown_document'));
  });

  it('notes with one write that many say what they said, and what it answers stays', async () => {
    for (let at = 0; at < 5; at++) {
      server.page(`/${at}.html`, `Page ${at}`, article(`valve${at}`), `"${at}"`);
      await library.ingest({ source: server.url(`/${at}.html`) }, ADA);
    }
    folder.now += 60_000;
    server.page('/2.html', 'Page 2', article('gate'), '"new"');
    server.forget('/4.html');
    const changes: (readonly string[] | undefined)[] = [];
    // What came in before was told by then.
    await sleep(50);
    library.onDidChange(({ documents }) => changes.push(documents));
    const pages = await library.refresh(undefined, ADA);
    const statusOf = (path: string) => pages.find(({ url }) => url === server.url(path))?.status;
    assert.deepEqual(['/0.html', '/1.html', '/2.html', '/3.html', '/4.html'].map(statusOf), [
      'unchanged',
      'unchanged',
      'updated',
      'unchanged',
      'failed',
    ]);
    while (changes.flat().length < 5) await sleep(5);
    // One for the page that is another, one for the one that is gone, one for the rest; some may be told together.
    assert.ok(changes.length <= 3 && changes.some((documents) => documents!.length >= 3), `${changes.length} changes`);
    const looked = new Date(folder.now).toISOString();
    const there = await folder.open().sources();
    assert.equal(there.filter(({ last_verified_at }) => last_verified_at === looked).length, 4);
  });

  it('keeps what it has looked at when it is cancelled, and what somebody else made of a source meanwhile', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      server.page(`/${name}.html`, `Page ${name}`, article(`valve${name}`), `"${name}"`);
      ids.push((await library.ingest({ source: server.url(`/${name}.html`) }, ADA)).document!.document_id);
    }
    folder.now += 60_000;
    const verified = async (id: string) =>
      (await library.source(id)).last_verified_at === new Date(folder.now).toISOString();
    const cancelling = new AbortController();
    let looks = 0;
    const onProgress = () => {
      if (++looks === 3) cancelling.abort();
    };
    await assert.rejects(library.refresh(ids, { ...ADA, signal: cancelling.signal, onProgress }));
    assert.deepEqual(await Promise.all(ids.map(verified)), [true, true, false]);

    folder.now += 60_000;
    let renaming: Promise<unknown> | undefined;
    const rename = () => {
      renaming ??= library.describe(ids[0]!, { title: 'Mine' }, ADA);
    };
    const pages = await library.refresh([ids[1]!, ids[0]!], {
      ...ADA,
      onProgress: ({ message }) => message.includes('Page a') && rename(),
    });
    await renaming;
    assert.deepEqual(
      pages.map(({ status }) => status),
      ['unchanged', 'unchanged'],
    );
    assert.equal((await library.source(ids[0]!)).title, 'Mine');
    assert.deepEqual(await Promise.all(ids.slice(0, 2).map(verified)), [true, true]);
  });

  it('does not bring back what is removed while many are looked at', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      server.page(`/${name}.html`, `Page ${name}`, article(`valve${name}`), `"${name}"`);
      ids.push((await library.ingest({ source: server.url(`/${name}.html`) }, ADA)).document!.document_id);
    }
    folder.now += 60_000;
    let removing: Promise<unknown> | undefined;
    // The first was looked at by then, the last is still to come.
    const onProgress = ({ message }: { message: string }) => {
      if (message.includes('Page b')) removing ??= library.remove([ids[0]!, ids[2]!], ADA);
    };
    const pages = await library.refresh(ids, { ...ADA, onProgress });
    await removing;
    assert.deepEqual(
      (await library.sources()).map(({ document_id }) => document_id),
      [ids[1]],
    );
    assert.deepEqual(
      pages.map(({ status }) => status),
      ['unchanged', 'unchanged', 'unchanged'],
    );
  });

  it('takes a page for unchanged whose bytes are others and whose text is not', async () => {
    server.page('/valves.html', 'Valves', `${article('valve')}<script>visit(1)</script>`);
    const { document } = await library.ingest({ source: server.url('/valves.html') }, ADA);
    server.page('/valves.html', 'Valves', `${article('valve')}<script>visit(2)</script>`);
    const again = await library.ingest({ source: server.url('/valves.html') }, ADA);
    assert.equal(again.status, 'unchanged');
    assert.notEqual(again.document!.content_hash, document!.content_hash);
    assert.equal(again.chunks.kept, document!.chunk_count);
  });

  it('tells a page that is refused from one that cannot be had', async () => {
    await assert.rejects(library.ingest({ source: server.url('/nowhere') }, ADA), refused('fetch_failed'));
    const [failed] = await library.sources();
    assert.equal(failed!.processing_status, 'failed');
    const closed = folder.open({ web: { enabled: false } });
    await assert.rejects(closed.ingest({ source: server.url('/other') }, ADA), refused('fetch_refused'));
    assert.equal((await closed.sources()).length, 1);
  });
});
