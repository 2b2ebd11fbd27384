import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Kaizen, type KaizenOptions } from '../../src/kaizen';
import type { KnowledgeChunk, LibraryPart } from '../../src/library';
import type { SecretPlace } from '../../src/safety';
import { LibraryFolder } from '../support/library';
import { linesOf, pdfOf } from '../support/pdf';
import { HEX, made, trueSecrets } from '../support/secret-strings';

describe('A document that holds a secret, where secrets are taken out', () => {
  const of = (id: string, at = 0) => trueSecrets().filter((each) => each.id === id)[at]!;
  const token = of('github-token');
  const other = of('gitlab-token');
  const key = of('private-key');
  const change = { author: 'ada', project_context: 'shop' };
  let folder: LibraryFolder;
  let kaizen: Kaizen;
  let told: SecretPlace[];

  const open = async (
    safety: KaizenOptions['safety'] = { policy: 'redact', onRedacted: (all) => told.push(...all) },
  ) => {
    kaizen = new Kaizen({
      data: `${folder.root}/data`,
      shared: `${folder.root}/shared`,
      project: 'shop',
      defineProject: true,
      workspace: folder.workspace,
      notes: { project: `${folder.root}/notes` },
      safety,
    });
    return (await kaizen.parts()).library;
  };

  beforeEach(() => {
    told = [];
    folder = new LibraryFolder();
  });
  afterEach(async () => {
    await kaizen.close();
    await folder.remove();
  });

  /** What is stored of a file, after it was looked at whether all of it is in its place and holds none of the secrets. */
  async function stored(library: LibraryPart, source: string, secrets: readonly string[]) {
    const { document, status } = await library.ingest({ source }, change);
    const id = document?.document_id ?? '';
    const text = (await library.text(id)) ?? '';
    const chunks = await library.chunks(id);
    let last = 0;
    for (const { content, content_hash, char_start, char_end } of chunks) {
      strictEqual(text.slice(char_start, char_end), content);
      strictEqual(createHash('sha256').update(content).digest('hex'), content_hash);
      ok(char_start >= last, 'in order, and none over another');
      ok(content.trim() !== '');
      last = char_end;
    }
    strictEqual(document?.chunk_count, chunks.length);
    const all = JSON.stringify([document, text, chunks]);
    for (const secret of secrets) ok(!all.includes(secret), 'nothing of it is left');
    return { document, status, text, chunks };
  }

  const around = (chunks: readonly KnowledgeChunk[], words: string) =>
    chunks.find(({ content }) => content.includes(words));

  it('is stored without them, however many a passage holds', async () => {
    const library = await open();
    const source = folder.write(
      'keys.md',
      `# Keys\n\nFirst ${token.text} here.\n\n## Second\n\n${other.text} and ${token.text}, then ${of('aws-access-key').text}.\n\n## Last\n\nNothing more.\n`,
    );
    const { text, chunks, status } = await stored(library, source, [token.secret, other.secret]);
    strictEqual(status, 'added');
    strictEqual(text.match(/\[redacted: /g)?.length, 4);
    strictEqual(around(chunks, 'Nothing more')?.content.includes('Nothing more.'), true);
    deepStrictEqual(
      told.map(({ line, kind }) => [line, String(kind)]),
      [
        [3, 'GitHub token'],
        [7, 'GitLab token'],
        [7, 'GitHub token'],
        [7, 'AWS access key'],
      ],
    );
  });

  it('has them in no title, section, or reference either', async () => {
    const library = await open();
    const password = of('url-password');
    const source = folder.write(
      'titled.md',
      `# Use ${token.text} here\n\nOne.\n\n## With ${other.text}\n\n${'Words that fill the section. '.repeat(120)}\n\n## Where\n\nSee ${password.text}/x for more.\n`,
    );
    const { document, chunks } = await stored(library, source, [token.secret, other.secret, password.secret]);
    strictEqual(document?.title, 'Use [redacted: GitHub token] here');
    ok(chunks.some(({ section_title }) => section_title === 'With [redacted: GitLab token]'));
  });

  it('keeps a secret that lies across the ends of passages in the first of them', async () => {
    const library = await open();
    const filling = 'Nothing to see here, only words that go on and on. ';
    const long = key.text.replace(/\n-----END/, `\n${key.text.split('\n').slice(1, -1).join('\n')}$&`);
    for (let before = 0; before < 30; before += 3) {
      const source = folder.write(
        `cut-${before}.md`,
        `# Cut\n\n${filling.repeat(before)}\n${long}\n\n${filling.repeat(40)}\nThe end.\n`,
      );
      const { text, chunks } = await stored(library, source, key.text.split('\n').slice(1, -1));
      strictEqual(text.match(/\[redacted: private key\]/g)?.length, 1);
      strictEqual(chunks.filter(({ content }) => content.includes('[redacted: private key]')).length, 1);
      ok(around(chunks, 'The end.'));
    }
  });

  it('keeps the passages of other pages on their pages', async () => {
    const library = await open();
    const page = (words: string, secret = '') =>
      linesOf([
        `A page on ${words}`,
        ...Array.from({ length: 40 }, (_, at) => `Line ${at} says something about ${words}.`),
        secret,
      ]);
    const source = folder.write(
      'pages.pdf',
      pdfOf([page('apples', other.text), page('pears', `Key ${other.text}`), page('plums')]),
    );
    const { chunks, document } = await stored(library, source, [other.secret]);
    strictEqual(document?.pages, 3);
    deepStrictEqual(around(chunks, 'Line 20 says something about plums')?.page_numbers.includes(3), true);
    deepStrictEqual(around(chunks, 'Line 2 says something about apples')?.page_numbers[0], 1);
  });

  it('says the same when it is read again, and what has changed around a secret is read anew', async () => {
    const library = await open();
    const text = `# Keys\n\nFirst ${token.text} here.\n\n## Below\n\n${'Words that stay as they are. '.repeat(120)}\n`;
    const source = folder.write('again.md', text);
    const first = await stored(library, source, [token.secret]);
    const again = await library.ingest({ source, force_refresh: true } as never, change);
    strictEqual(again.chunks.added, 0);
    folder.write('again.md', text.replace('First', 'At first,'));
    const [page] = await library.refresh([first.document?.document_id ?? ''], change);
    strictEqual(page?.status, 'updated');
    const second = await stored(library, source, [token.secret]);
    ok(second.text.includes('At first, [redacted: GitHub token] here.'));
    const ids = new Set(first.chunks.map(({ id }) => id));
    ok(
      second.chunks.some(({ id }) => ids.has(id)),
      'what says the same keeps its id',
    );
  });

  it('leaves no half of a character behind', async () => {
    const library = await open();
    const signs = Array.from({ length: 140 }, (_, at) => String.fromCodePoint(0x1f300 + at)).join('');
    const source = folder.write('pairs.md', `# Pairs\n\npassword: x9#Kq${signs} is long.\n`);
    const { text } = await stored(library, source, []);
    ok(text.includes('[redacted: password]'));
    ok(!/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text));
  });

  it('is called by the address that was asked for, where the one it came from is signed', async () => {
    const signature = made(HEX, 64, 12);
    const server = createServer(({ url = '' }, response) => {
      if (url === '/doc') response.writeHead(302, { location: `/real?X-Amz-Signature=${signature}` }).end();
      else if (!url.startsWith('/real')) response.writeHead(404).end();
      else {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
        response.end(`<title>Doc</title><article><h1>Doc</h1><p>${'Words to be read. '.repeat(60)}</p></article>`);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const asked = `http://127.0.0.1:${(server.address() as AddressInfo).port}/doc`;
      const { document } = await folder.open().ingest({ source: asked }, change);
      strictEqual(document?.source_url, asked);
      ok(!JSON.stringify(document).includes(signature));
    } finally {
      server.closeAllConnections();
      server.close();
    }
    await open();
  });

  it('is refused whole otherwise', async () => {
    const library = await open({ policy: 'refuse' });
    const source = folder.write('refused.md', `# Keys\n\n${token.text}\n`);
    const error = await library.ingest({ source }, change).catch((thrown: unknown) => thrown as { code: string });
    strictEqual((error as { code: string }).code, 'secret_found');
    strictEqual((await library.sources()).length, 0);
  });
});
