import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { firstSentence, listBases } from '../../src/mcp/base-list';
import { complete } from '../../src/mcp/completion';
import { discoveryPrompts, sessionPrompts } from '../../src/mcp/prompts';
import { addressKey, parseAddress } from '../../src/mcp/resources/address';
import { ResourceChanges } from '../../src/mcp/resources/changes';
import { listResources } from '../../src/mcp/resources/list';
import { ENTRY_TEMPLATE, FILE_TEMPLATE, NODE_TEMPLATE, readResource } from '../../src/mcp/resources/read';
import { parseLines } from '../../src/transfer';
import { type Hall, useHalls } from '../support/hall';

const HARBOUR = path.resolve('test/fixtures/bases/harbour');
const { signal } = new AbortController();

describe('addresses of resources', () => {
  it('name entries, files and nodes, percent-encoded or not', () => {
    assert.deepEqual(parseAddress('knowledge://scopes/checkout-api/git.workflows/a%2Fb%20c'), {
      kind: 'entry',
      scope_id: 'checkout-api',
      category: 'git.workflows',
      keyword: 'a/b c',
    });
    assert.deepEqual(parseAddress('knowledge://docs/guides/%E9%85%8D.md#services.api'), {
      kind: 'file',
      base: 'docs',
      file: 'guides/配.md',
      node: 'services.api',
    });
  });

  it('are the same whatever their spelling', () => {
    const key = (uri: string) => addressKey(parseAddress(uri)!);
    assert.equal(key('knowledge://Docs/a%20b.md#x'), key('KNOWLEDGE://docs/a b.md#x'));
    assert.notEqual(key('knowledge://docs/A.md'), key('knowledge://docs/a.md'));
  });

  const refused = [
    'knowledge://docs/../secret.md',
    'knowledge://docs/a/../../secret.md',
    'knowledge://docs/%2e%2e/secret.md',
    'knowledge://docs/%2E%2E%2Fsecret.md',
    'knowledge://docs/..%5csecret.md',
    'knowledge://docs/..\\secret.md',
    'knowledge://docs/./a.md',
    'knowledge://docs//etc/passwd',
    'knowledge://docs/%2Fetc%2Fpasswd',
    'knowledge://docs/C:/secret.md',
    'knowledge://docs/C%3A%5Csecret.md',
    'knowledge://docs/a%00.md',
    'knowledge://docs/a%.md',
    'knowledge://docs/a.md?x=1',
    'knowledge://docs/',
    'knowledge:///a.md',
    'knowledge://scopes/only/two',
    'knowledge://scopes/a/b/c#d',
    'file:///etc/passwd',
    'a.md',
    '',
    `knowledge://docs/${'a'.repeat(10_000)}`,
  ];
  for (const uri of refused) {
    it(`are not ${uri.slice(0, 60)}`, () => assert.equal(parseAddress(uri), undefined));
  }
});

describe('resources', () => {
  const open = useHalls();
  const roots: string[] = [];

  after(() => {
    for (const root of roots) rmSync(root, { recursive: true, force: true });
  });

  function copyOfHarbour(): string {
    const root = mkdtempSync(path.join(tmpdir(), 'kaizen-resources-'));
    roots.push(root);
    cpSync(HARBOUR, root, { recursive: true });
    return root;
  }

  async function project(options: { root?: string } = {}): Promise<Hall> {
    const hall = await open({ project: 'shop', bases: [{ name: 'harbour', root: options.root ?? HARBOUR }] });
    await hall.define('general', 'GENERAL');
    await hall.define('shop', 'PROJECT');
    await hall.define('other', 'PROJECT');
    await hall.put('general', 'git', 'commit', 'Write a message');
    await hall.put('shop', 'git', 'commit', 'WARNING: include the ticket');
    await hall.put('general', 'git', 'a/b c', 'Odd');
    await hall.put('other', 'git', 'elsewhere', 'Not ours');
    return hall;
  }

  const text = async (hall: Hall, uri: string) => {
    const [content] = (await readResource(hall, uri, signal)).contents;
    return content as { uri: string; mimeType: string; text: string; _meta: Record<string, unknown> };
  };

  const rejected = (promise: Promise<unknown>, uri: string, message: RegExp) =>
    assert.rejects(promise, (error: { code: number; message: string; data: unknown }) => {
      assert.equal(error.code, -32602);
      assert.deepEqual(error.data, { uri });
      assert.match(error.message, message);
      return true;
    });

  it('list every file and every entry that holds for the project, each with an address that reads', async () => {
    const hall = await project();
    const { resources, nextCursor } = await listResources(hall, 'shop', undefined, signal);
    assert.equal(nextCursor, undefined);
    const files = resources.filter(({ uri }) => uri.startsWith('knowledge://harbour/'));
    assert.equal(files.length, 14);
    const entries = resources.filter(({ uri }) => uri.startsWith('knowledge://scopes/'));
    assert.deepEqual(
      entries.map(({ uri }) => uri),
      ['knowledge://scopes/general/git/a%2Fb%20c', 'knowledge://scopes/shop/git/commit'],
    );
    for (const { uri } of resources) assert.ok((await text(hall, uri)).text.length > 0, uri);
  });

  it('carry the metadata of seed 002', async () => {
    const hall = await project();
    const uri = 'knowledge://harbour/guidelines/SECURITY.md';
    const { resources } = await listResources(hall, 'shop', undefined, signal);
    const listed = resources.find((each) => each.uri === uri);
    const metadata = { id: 'guidelines.security', type: 'guideline', status: 'active', last_checked: '2026-01-12' };
    assert.deepEqual(
      [listed?.name, listed?.mimeType, listed?._meta],
      ['Security Guidelines', 'text/markdown', metadata],
    );
    assert.deepEqual((await text(hall, uri))._meta, metadata);
  });

  it('come in pages of 100, none of them twice, also while the list changes', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'kaizen-resources-'));
    roots.push(root);
    for (let at = 0; at < 230; at++) writeFileSync(path.join(root, `f${String(at).padStart(3, '0')}.md`), `# F${at}\n`);
    const hall = await project({ root });
    const seen: string[] = [];
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await listResources(hall, 'shop', cursor, signal);
      sizes.push(page.resources.length);
      seen.push(...page.resources.map(({ uri }) => uri));
      if (sizes.length === 1) {
        rmSync(path.join(root, 'f099.md'));
        await hall.bases.rescan();
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(sizes, [100, 100, 32]);
    assert.equal(new Set(seen).size, 232);
  });

  it('are refused a cursor that none of the pages had', async () => {
    const hall = await project();
    for (const cursor of ['', 'x', Buffer.from('{"file":1}').toString('base64url'), 'a'.repeat(9_999)]) {
      await assert.rejects(listResources(hall, 'shop', cursor, signal), { code: -32602 });
    }
  });

  it('are an entry, a whole file, and a node with what is below it, by its anchor or its id', async () => {
    const hall = await project();
    assert.equal((await text(hall, 'knowledge://scopes/general/git/commit')).text, 'Write a message');
    assert.equal((await text(hall, 'knowledge://scopes/general/git/a%2Fb%20c')).text, 'Odd');
    assert.match(
      (await text(hall, 'knowledge://harbour/guidelines/SECURITY.md')).text,
      /^# Security Guidelines\n- id:/,
    );
    const byAnchor = await text(hall, 'knowledge://harbour/guidelines/SECURITY.md#authentication');
    assert.match(byAnchor.text, /^## Authentication\n\nUsers sign in/);
    assert.match(byAnchor.text, /\n### Password Hashing\n\nHash passwords/);
    assert.doesNotMatch(byAnchor.text, /- id:|## Secrets/);
    const byId = await text(hall, 'knowledge://HARBOUR/guidelines/SECURITY.md#guidelines.security.authentication');
    assert.deepEqual([byId.text, byId._meta.id], [byAnchor.text, 'guidelines.security.authentication']);
    assert.ok((await text(hall, 'knowledge://harbour/context/%E9%85%8D%E9%80%81.md')).text.length > 0);
  });

  it('are given as the file is now', async () => {
    const root = copyOfHarbour();
    const hall = await project({ root });
    const uri = 'knowledge://harbour/guidelines/SECURITY.md';
    await text(hall, uri);
    appendFileSync(path.join(root, 'guidelines/SECURITY.md'), '\n## Just Written\n\nNew.\n');
    assert.match((await text(hall, uri)).text, /Just Written/);
    assert.match((await text(hall, `${uri}#just-written`)).text, /New\./);
  });

  it('that are not there are an error that names the URI and says why', async () => {
    const hall = await project();
    const cases: [uri: string, message: RegExp][] = [
      ['knowledge://scopes/shop/git/none', /no entry "none" in git of shop/],
      ['knowledge://scopes/shap/git/commit', /shop/],
      ['knowledge://harbour/none.md', /no file none\.md in harbour/],
      ['knowledge://none/README.md', /no knowledge base "none"/],
      ['knowledge://harbour/guidelines/SECURITY.md#none', /no node "none".*authentication/],
      ['knowledge://harbour/../harbour/README.md', /knowledge:\/\/\{base\}/],
      ['test://nowhere', /knowledge:\/\/\{base\}/],
    ];
    for (const [uri, message] of cases) await rejected(readResource(hall, uri, signal), uri, message);
  });

  it('never leave their base, by links neither', async function () {
    if (process.platform === 'win32') this.skip();
    const root = copyOfHarbour();
    const outside = mkdtempSync(path.join(tmpdir(), 'kaizen-outside-'));
    roots.push(outside);
    writeFileSync(path.join(outside, 'secret.md'), '# Secret\n');
    const { symlinkSync } = await import('node:fs');
    symlinkSync(path.join(outside, 'secret.md'), path.join(root, 'link.md'));
    mkdirSync(path.join(root, 'sub'));
    symlinkSync(outside, path.join(root, 'sub', 'out'));
    const hall = await project({ root });
    for (const file of ['link.md', 'sub/out/secret.md']) {
      const uri = `knowledge://harbour/${file}`;
      await rejected(readResource(hall, uri, signal), uri, /no file/);
    }
    const { resources } = await listResources(hall, 'shop', undefined, signal);
    assert.equal(resources.filter(({ uri }) => /secret|link/.test(uri)).length, 0);
  });
});

describe('notices of changed resources', () => {
  const open = useHalls();

  it('name the file, the nodes whose text changed and those above them, and nothing else', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'kaizen-notices-'));
    const file = path.join(root, 'a.md');
    const write = (one: string, title = 'Top') =>
      writeFileSync(file, `# ${title}\n\nText.\n\n## One\n\n### Inner\n\n${one}\n\n## Two\n\nSame.\n`);
    write('first');
    const hall = await open({ bases: [{ name: 'docs', root }] });
    hall.bases.start();
    await hall.bases.ready(5_000);
    const changes = new ResourceChanges();
    const change = { base: 'docs', files: ['a.md'] };
    const early = changes.ofFiles(hall.bases, change);
    assert.deepEqual([[...early.updated.values()], early.isListChanged], [['knowledge://docs/a.md'], true]);
    changes.learn(hall.bases);

    write('second, longer');
    await hall.bases.rescan();
    const { updated, isListChanged } = changes.ofFiles(hall.bases, change);
    const uris = [...updated.values()];
    assert.equal(isListChanged, false);
    assert.ok(uris.includes('knowledge://docs/a.md'));
    assert.ok(uris.includes('knowledge://docs/a.md#one.inner') && uris.includes('knowledge://docs/a.md#one'));
    assert.ok(!uris.some((uri) => uri.includes('two')), uris.join(' '));

    write('second, longer', 'Another');
    await hall.bases.rescan();
    assert.equal(changes.ofFiles(hall.bases, change).isListChanged, true, 'its title stands in the list');
    rmSync(root, { recursive: true });
    await hall.bases.rescan();
    const gone = changes.ofFiles(hall.bases, change);
    assert.deepEqual([[...gone.updated.values()], gone.isListChanged], [['knowledge://docs/a.md'], true]);
  });

  it('name each entry that was written since, once', async () => {
    const hall = await open();
    await hall.define('general', 'GENERAL');
    await hall.put('general', 'git', 'commit', 'One');
    const changes = new ResourceChanges();
    changes.begin(hall.knowledge);
    const told = () => {
      const { updated, isListChanged } = changes.ofEntries(hall.knowledge);
      return [[...updated.values()], isListChanged];
    };
    assert.deepEqual(told(), [[], false]);
    await hall.put('general', 'git', 'commit', 'Two');
    assert.deepEqual(told(), [['knowledge://scopes/general/git/commit'], false]);
    assert.deepEqual(told(), [[], false]);
    await hall.put('general', 'git', 'push', 'New');
    assert.deepEqual(told(), [['knowledge://scopes/general/git/push'], true]);
    await hall.knowledge.delete({ scope_id: 'general', category: 'git', keyword: 'push' }, { author: 'tester' });
    assert.deepEqual(told(), [['knowledge://scopes/general/git/push'], true]);
  });
});

describe('completion', () => {
  const open = useHalls();
  const prompts = [...sessionPrompts, ...discoveryPrompts];

  async function hallWithBase(): Promise<Hall> {
    const hall = await open({ project: 'shop', bases: [{ name: 'harbour', root: HARBOUR }] });
    await hall.define('shop', 'PROJECT');
    await hall.put('shop', 'git.workflows', 'commit');
    await hall.put('shop', 'api', 'tokens');
    hall.bases.start();
    await hall.bases.ready(5_000);
    return hall;
  }

  type Ref = Parameters<typeof complete>[3]['ref'];

  async function values(
    hall: Hall,
    ref: Ref,
    name: string,
    value: string,
    given?: Record<string, string>,
  ): Promise<string[]> {
    const context = given ? { context: { arguments: given } } : {};
    const answer = await complete(hall, 'shop', prompts, { ref, argument: { name, value }, ...context });
    return answer.completion.values;
  }

  const template = (uri: string): Ref => ({ type: 'ref/resource', uri });
  const prompt = (name: string): Ref => ({ type: 'ref/prompt', name });

  it('proposes what an address needs, by what was filled in before', async () => {
    const hall = await hallWithBase();
    const entry = template(ENTRY_TEMPLATE);
    assert.deepEqual(await values(hall, entry, 'scope_id', 's'), ['shop']);
    assert.deepEqual(await values(hall, entry, 'category', '', { scope_id: 'shop' }), ['api', 'git.workflows']);
    assert.deepEqual(await values(hall, entry, 'keyword', '', { scope_id: 'shop', category: 'api' }), ['tokens']);
    assert.deepEqual(await values(hall, entry, 'keyword', 'o', { scope_id: 'shop' }), ['commit', 'tokens']);
    assert.deepEqual(await values(hall, entry, 'category', '', { scope_id: 'nowhere' }), []);
    assert.deepEqual(await values(hall, template(FILE_TEMPLATE), 'base', 'HAR'), ['harbour']);
    assert.deepEqual(await values(hall, template(FILE_TEMPLATE), 'file', 'secur', { base: 'harbour' }), [
      'guidelines/SECURITY.md',
    ]);
    const file = { base: 'harbour', file: 'guidelines/SECURITY.md' };
    assert.deepEqual(await values(hall, template(NODE_TEMPLATE), 'node', 'secr', file), [
      'secrets',
      'guidelines.security.secrets',
    ]);
  });

  it('proposes keywords however many there are, without reading all of them', async () => {
    const hall = await open({ project: 'shop' });
    await hall.define('shop', 'PROJECT');
    const entries = Array.from({ length: 6_000 }, (_, n) => ({
      type: 'entry',
      scope: 'shop',
      category: 'many',
      keyword: `keyword ${n}`,
      content: 'Rule',
    }));
    const lines = [{ type: 'kaizen', format: 1 }, ...entries].map((record) => JSON.stringify(record));
    const records = parseLines(lines.join('\n'), { author: 'tester', at: '2026-01-01T00:00:00.000Z' });
    await hall.kaizen.importRecords(records, { author: 'tester' });
    const reader = { ...hall, knowledge: Object.create(hall.knowledge, { ownEntries: { value: assert.fail } }) };
    const found = await values(reader, template(ENTRY_TEMPLATE), 'keyword', 'keyword 5999', { scope_id: 'shop' });
    assert.deepEqual(found, ['keyword 5999']);
    const holding = await values(reader, template(ENTRY_TEMPLATE), 'keyword', 'WORD', { scope_id: 'shop' });
    assert.equal(holding.length, 100);
  });

  it('proposes projects, and ids for the last of a list', async () => {
    const hall = await hallWithBase();
    assert.deepEqual(await values(hall, prompt('session_start'), 'project_id', ''), ['shop']);
    assert.deepEqual(
      await values(hall, prompt('knowledge_audit'), 'loaded_context', 'harbour, guidelines.security.sec'),
      ['harbour, guidelines.security.secrets'],
    );
    assert.deepEqual(await values(hall, prompt('task_preparation'), 'task', 'x'), []);
  });

  it('refuses what there is not', async () => {
    const hall = await hallWithBase();
    for (const [ref, name] of [
      [template('test://{x}'), 'x'],
      [template(ENTRY_TEMPLATE), 'constructor'],
      [prompt('none'), 'x'],
      [prompt('session_start'), 'x'],
    ] as const) {
      await assert.rejects(values(hall, ref, name, ''), { code: -32602 });
    }
  });
});

describe('the catalogue of knowledge bases', () => {
  const open = useHalls();

  it('has a row for each file, described by its metadata or its first sentence', async () => {
    const hall = await open({ bases: [{ name: 'harbour', root: HARBOUR }] });
    const { knowledge_bases: rows, message } = await listBases(hall.bases, {}, signal);
    assert.equal(message, undefined);
    assert.deepEqual(
      rows.map(({ path }) => path),
      hall.bases.files().map(({ file }) => file),
    );
    assert.deepEqual(
      rows.find(({ id }) => id === 'guidelines.security'),
      {
        id: 'guidelines.security',
        path: 'guidelines/SECURITY.md',
        title: 'Security Guidelines',
        type: 'guideline',
        status: 'active',
        description: 'Rules for everything that is reachable from outside.',
        last_checked: '2026-01-12',
        node_count: hall.bases.file('harbour', 'guidelines/SECURITY.md')?.nodes.length,
      },
    );
  });

  it('has only rows of the type and the status that were asked for, and misses no file that has such a node', async () => {
    const hall = await open({ bases: [{ name: 'harbour', root: HARBOUR }] });
    const { knowledge_bases: tasks } = await listBases(hall.bases, { filter_type: 'task' }, signal);
    assert.ok(tasks.length > 0 && tasks.every(({ type }) => type === 'task'));
    const withTasks = hall.bases.files().filter(({ nodes }) => nodes.some(({ type }) => type === 'task'));
    assert.equal(tasks.length, withTasks.length);
    const old = await listBases(hall.bases, { filter_type: 'guideline', filter_status: 'deprecated' }, signal);
    assert.ok(old.knowledge_bases.some(({ id }) => id === 'guidelines.api.versioning'));
    const kinds = old.knowledge_bases.map(({ type, status }) => `${type} ${status}`);
    assert.deepEqual([...new Set(kinds)], ['guideline deprecated']);
  });

  it('tells no bases, nothing of that kind, and too many apart', async () => {
    const none = await open();
    assert.match((await listBases(none.bases, {}, signal)).message ?? '', /No knowledge base is configured/);
    const hall = await open({ bases: [{ name: 'harbour', root: HARBOUR }] });
    const empty = await listBases(hall.bases, { filter_type: 'log', filter_status: 'deprecated' }, signal);
    const gone = await open({ bases: [{ name: 'docs', root: path.join(HARBOUR, 'nowhere') }] });
    assert.match(
      (await listBases(gone.bases, {}, signal)).message ?? '',
      /folder of docs is not there: .*nowhere\. .*no documents/,
    );
    assert.deepEqual([empty.knowledge_bases, empty.message], [[], 'No document has a node of that type and status.']);
  });

  it('names the base in the path where there are several', async () => {
    const hall = await open({
      bases: [
        { name: 'a', root: path.join(HARBOUR, 'plans') },
        { name: 'b', root: path.join(HARBOUR, 'skills') },
      ],
    });
    const { knowledge_bases: rows } = await listBases(hall.bases, {}, signal);
    assert.ok(rows.some(({ path }) => path === 'a/ROADMAP.md') && rows.some(({ path }) => path === 'b/CODE_REVIEW.md'));
  });

  it('takes the first sentence of prose, without its markup', () => {
    assert.equal(
      firstSentence('```sh\nrun. it\n```\n\n> quote.\n\n- item.\n\nUse **bold** [links](x). More.'),
      'Use bold links.',
    );
    assert.equal(firstSentence('One line without end'), 'One line without end');
    assert.equal(firstSentence('| a | b |\n| - | - |'), '');
    assert.equal(firstSentence('x'.repeat(500)).length, 200);
  });
});
