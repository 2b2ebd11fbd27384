import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { Client } from 'pg';
import { HELP_TOPICS } from '../../src/mcp/notes-help-topics';
import { openRegistry } from '../../src/notes/registry';
import { NoteFolders } from '../support/note-folders';
import { type DatabaseServer, startDatabaseServer } from '../support/postgres';
import { CLIENTS, type ContractClient } from './support/clients';
import { type Stores, temporaryStores } from './support/kaizen-process';

interface Row {
  zettel_id: string;
  source_location: string;
  relevance_score: number;
  snippet: string;
}

interface Search {
  query: string;
  source: unknown;
  results_count: number;
  results: Row[];
  message?: string;
}

interface Related {
  zettel_id: string;
  relationship_type: string;
  direction: string;
  source_location?: string;
}

interface Got extends Row {
  content: string;
  content_hash: string;
  path?: string;
  version?: string;
  relationships?: Related[];
  backlinks?: Related[];
  downloads?: { location: string; path: string; status: string; difference?: string }[];
}

interface Managed {
  status: string;
  zettel_id: string;
  location?: string;
  path: string;
  version?: string;
  reason?: string;
  difference?: string;
  pending?: string;
}

const EMAIL = '042-email-deliverability';
const SPF = '043-spf-records';
const BOTH = ['local', 'registry'];

/** The two notes that the examples of the seed are about, one in each space. */
function writeNotes(folders: NoteFolders): void {
  folders.note('project', `patterns/${EMAIL}`, {
    title: 'Email Deliverability',
    tags: ['email'],
    body: `# Email Deliverability\n\nWarm up addresses slowly. See [[${SPF}]].\n`,
  });
  folders.note('project', `references/${SPF}`, { title: 'SPF Records', entry_type: 'reference', tags: ['email'] });
  folders.note('user', 'apis/001-apify-basics', {
    title: 'Apify Basics',
    entry_type: 'api_fact',
    body: 'Actors scrape.',
  });
  folders.note('user', `patterns/${EMAIL}`, { title: 'Email, as I see it', body: 'My email deliverability.' });
}

/** Calls a tool that has to succeed; its structured content is what its text says. */
async function use<Result>(client: ContractClient, tool: string, args: Record<string, unknown>): Promise<Result> {
  const { text, isError, structured } = await client.call(tool, args);
  assert.equal(isError, false, `${tool}(${JSON.stringify(args)}): ${text}`);
  assert.deepEqual(structured, JSON.parse(text));
  return structured as Result;
}

async function refused(client: ContractClient, tool: string, args: Record<string, unknown>): Promise<string> {
  const { text, isError } = await client.call(tool, args);
  assert.equal(isError, true, text);
  return text;
}

const places = ({ results }: Search) =>
  results.map(({ source_location, zettel_id }) => `${source_location}:${zettel_id}`);

describe('the acceptance criteria of seed 004', function () {
  this.timeout(60_000);
  let database: DatabaseServer;
  before(async () => {
    database = await startDatabaseServer();
  });
  after(() => database?.stop());

  for (const { name, connect } of CLIENTS) {
    describe(`for ${name}`, () => {
      let stores: Stores;
      let folders: NoteFolders;
      let client: ContractClient;

      before(async () => {
        const url = await database.createDatabase();
        const registry = openRegistry({ url });
        await registry.init();
        await registry.close();
        stores = temporaryStores();
        folders = new NoteFolders();
        writeNotes(folders);
        client = await connect([
          ...stores.flags,
          ...['--toolsets', 'notes', '--project-notes', folders.roots.project, '--user-notes', folders.roots.user],
          ...['--registry', url],
        ]);
        await client.toolNames();
        await use(client, 'manage', {
          action: 'create',
          zettel_id: '100-team-email',
          title: 'Email of the Team',
          content: 'How the team sends email.',
          entry_type: 'concept',
          location: 'registry',
        });
      });
      after(async () => {
        await client?.close();
        stores?.remove();
        folders?.remove();
      });

      const search = (query: string, source: unknown, more = {}) =>
        use<Search>(client, 'search', { query, source, ...more });
      const get = (zettel_id: string, source: unknown, more = {}) =>
        use<Got>(client, 'get', { zettel_id, source, ...more });
      const manage = (args: Record<string, unknown>) => use<Managed>(client, 'manage', args);
      const link = <Result>(args: Record<string, unknown>) => use<Result>(client, 'link', args);

      it('explicit source selection works: "local" checks project, then user; "registry" checks the registry', async () => {
        assert.equal((await get(EMAIL, 'local')).source_location, 'project');
        assert.equal((await get('001-apify-basics', 'local')).source_location, 'user');
        assert.equal((await get('100-team-email', 'registry')).source_location, 'registry');
        for (const [tool, args] of [
          ['search', { query: 'email' }],
          ['get', { zettel_id: EMAIL }],
        ] as const) {
          assert.match(await refused(client, tool, args), /source: required, and never guessed.*Example: /);
        }
      });

      it('search with source "local" finds entries in project and user space, and reports source_location', async () => {
        const answer = await search('email deliverability', 'local');
        assert.equal(answer.query, 'email deliverability');
        assert.equal(answer.source, 'local');
        assert.equal(answer.results_count, answer.results.length);
        assert.equal(places(answer)[0], `project:${EMAIL}`);
        assert.ok(!places(answer).includes(`user:${EMAIL}`), "the project's is meant");
        assert.deepEqual(places(await search('actors scrape', 'local')), ['user:001-apify-basics']);
        assert.ok(answer.results.every(({ relevance_score }) => relevance_score >= 0 && relevance_score <= 1));
        assert.match(answer.results[0]?.snippet ?? '', /Warm up addresses|Email Deliverability/);
      });

      it('search with source "registry" searches the registry only', async () => {
        assert.deepEqual(places(await search('email', 'registry')), ['registry:100-team-email']);
        assert.deepEqual(places(await search('actors scrape', 'registry')), []);
      });

      it('search with source ["local", "registry"] searches both and prioritises what is local', async () => {
        const found = places(await search('email', BOTH));
        assert.ok(found.includes('registry:100-team-email') && found.includes(`project:${EMAIL}`), found.join());
        assert.equal(found.length, new Set(found.map((place) => place.split(':')[1])).size, 'an id once');
        assert.deepEqual(await search('email', BOTH, { limit: 1 }).then(({ results_count }) => results_count), 1);
      });

      it('get with source "local" resolves project, then user, and reports where it was found', async () => {
        const note = await get(EMAIL, 'local', { include_relationships: true, include_backlinks: true });
        assert.equal(note.source_location, 'project');
        assert.match(note.content, /^\s*# Email Deliverability\n/);
        const [relationship] = note.relationships ?? [];
        assert.equal(relationship?.zettel_id, SPF);
        assert.equal(relationship.relationship_type, 'references');
        assert.equal(relationship.direction, 'outgoing');
        const { backlinks } = await get(SPF, 'local', { include_backlinks: true });
        assert.deepEqual(
          backlinks?.map(({ zettel_id, direction }) => [zettel_id, direction]),
          [[EMAIL, 'incoming']],
        );
        assert.match(await refused(client, 'get', { zettel_id: '100-team-email', source: 'local' }), /100-team-email/);
      });

      it('get with source "registry" fetches from the registry only', async () => {
        const note = await get('100-team-email', 'registry');
        assert.equal(note.version, '1.0.0');
        assert.match(note.content, /How the team sends email/);
        assert.match(await refused(client, 'get', { zettel_id: EMAIL, source: 'registry' }), new RegExp(EMAIL));
      });

      it('get with source ["local", "registry"] checks local first and the registry if it is not found', async () => {
        assert.equal((await get(SPF, BOTH)).source_location, 'project');
        assert.equal((await get('100-team-email', BOTH)).source_location, 'registry');
      });

      it('get with destination downloads, and what differs there stays', async () => {
        const { downloads } = await get('100-team-email', 'registry', { destination: ['user', 'project'] });
        assert.deepEqual(
          downloads?.map(({ location, status }) => [location, status]),
          [
            ['user', 'written'],
            ['project', 'written'],
          ],
        );
        const file = folders.file('user', 'concepts/100-team-email.md', 'mine\n');
        const again = await get('100-team-email', 'registry', { destination: 'user' });
        assert.equal(again.downloads?.[0]?.status, 'conflict');
        assert.match(again.downloads[0].difference ?? '', /^-mine$/m);
        assert.equal(readFileSync(file, 'utf8'), 'mine\n');
      });

      it('manage creates, updates and deletes in the appropriate tier', async () => {
        const input = {
          action: 'create',
          zettel_id: '200-tier',
          title: 'Tier',
          content: 'One.',
          entry_type: 'learning',
        };
        const created = await manage(input);
        assert.deepEqual([created.status, created.location], ['success', 'project']);
        const file = path.join(folders.roots.project, 'learnings', '200-tier.md');
        assert.match(readFileSync(file, 'utf8'), /^---\nzettel_id: 200-tier\ntitle: Tier\nentry_type: learning\n/);
        assert.match(await refused(client, 'manage', input), /200-tier/);
        await manage({ ...input, zettel_id: '201-mine', location: 'user' });
        assert.ok(existsSync(path.join(folders.roots.user, 'learnings', '201-mine.md')));
        const updated = await manage({ action: 'update', zettel_id: '201-mine', content: 'Two.' });
        assert.equal(updated.location, 'user', 'where it lies');
        assert.match(readFileSync(path.join(folders.roots.user, 'learnings', '201-mine.md'), 'utf8'), /Two\./);
        const renamed = await manage({ action: 'rename', zettel_id: '200-tier', new_zettel_id: '200-tiers' });
        assert.equal(renamed.zettel_id, '200-tiers');
        assert.match(await refused(client, 'manage', { action: 'delete', zettel_id: '200-tiers' }), /confirm: true/);
        await manage({ action: 'delete', zettel_id: '200-tiers', confirm: true });
        assert.ok(!existsSync(path.join(folders.roots.project, 'learnings', '200-tiers.md')));
        await manage({ action: 'update', zettel_id: '100-team-email', location: 'registry', title: 'Team Email' });
        assert.equal((await get('100-team-email', 'registry')).version, '1.0.1');
      });

      it('an agent never writes over a text that it has not seen', async () => {
        await get(SPF, 'local');
        const file = folders.note('project', `references/${SPF}`, {
          title: 'SPF Records',
          entry_type: 'reference',
          body: 'By hand.\n',
        });
        const args = { action: 'update', zettel_id: SPF, content: 'By the agent.' };
        assert.match(await refused(client, 'manage', args), /changed|another/i);
        assert.match(readFileSync(file, 'utf8'), /By hand\./);
        const { content_hash } = await get(SPF, 'local');
        assert.equal((await manage({ ...args, content_hash })).status, 'success');
      });

      it('publish uploads entries from local to the registry, and refuses what it is not based on', async () => {
        const first = await manage({ action: 'publish', zettel_id: EMAIL });
        assert.deepEqual([first.status, first.version, first.location], ['success', '1.0.0', 'project']);
        assert.match((await get(EMAIL, 'registry')).content, /Warm up addresses slowly/);
        assert.match(
          readFileSync(path.join(folders.roots.project, 'patterns', `${EMAIL}.md`), 'utf8'),
          /^version: 1\.0\.0$/m,
        );
        assert.equal((await manage({ action: 'publish', zettel_id: EMAIL })).version, '1.0.0', 'the same text');
        const both = places(await search('email', BOTH));
        assert.ok(both.includes(`project:${EMAIL}`) && !both.includes(`registry:${EMAIL}`), 'what is local goes first');
        const conflict = await manage({ action: 'publish', zettel_id: EMAIL, location: 'user' });
        assert.equal(conflict.status, 'conflict');
        assert.equal(conflict.reason, 'never_seen');
        assert.match(conflict.difference ?? '', /^\+My email deliverability\.$/m);
        assert.equal((await get(EMAIL, 'registry')).version, '1.0.0', 'nothing has changed');
        const forced = await manage({
          action: 'publish',
          zettel_id: EMAIL,
          location: 'user',
          version: '2.0.0',
          confirm: true,
        });
        assert.deepEqual([forced.status, forced.version], ['success', '2.0.0']);
        assert.match((await get(EMAIL, 'registry', { version: '1.0.0' })).content, /Warm up addresses slowly/);
      });

      it('link creates relationships, also to entries of other tiers', async () => {
        interface Linked {
          status: string;
          relationship: Record<string, string>;
        }
        const relationship = {
          from_zettel_id: EMAIL,
          to_zettel_id: '001-apify-basics',
          relationship_type: 'depends_on',
        };
        const linked = await link<Linked>({ action: 'link', ...relationship, to_location: 'user' });
        assert.equal(linked.status, 'success');
        for (const [key, value] of Object.entries(relationship)) assert.equal(linked.relationship[key], value);
        await link({
          action: 'link',
          from_zettel_id: EMAIL,
          to_zettel_id: '100-team-email',
          relationship_type: 'extends',
          to_location: 'registry',
        });
        const related = async (zettel_id: string) =>
          (await link<{ relationships: Related[] }>({ action: 'get_relationships', zettel_id })).relationships.map(
            (each) => `${each.direction} ${each.relationship_type} ${each.zettel_id}`,
          );
        const found = await related(EMAIL);
        for (const expected of [`references ${SPF}`, 'depends_on 001-apify-basics', 'extends 100-team-email']) {
          assert.ok(found.includes(`outgoing ${expected}`), found.join());
        }
        assert.ok((await related('001-apify-basics')).includes(`incoming depends_on ${EMAIL}`));
        await link({ action: 'unlink', ...relationship, to_location: 'user' });
        assert.ok(!(await related('001-apify-basics')).some((each) => each.includes('depends_on')));
      });

      it('link groups entries into collections, in a space and in the registry', async () => {
        interface Collected {
          collection: { id: string; name: string; zettel_ids: string[]; location: string };
        }
        const input = {
          name: 'Email Infrastructure',
          description: 'All about email',
          zettel_ids: [SPF, EMAIL],
          collection_type: 'topic',
        };
        await link({ action: 'create_collection', ...input });
        const { collection } = await link<Collected>({ action: 'get_collection', collection: 'Email Infrastructure' });
        assert.deepEqual(collection.zettel_ids, [SPF, EMAIL], 'in their order');
        assert.equal(collection.location, 'project');
        assert.ok(existsSync(path.join(folders.roots.project, 'collections', `${collection.id}.md`)));
        await link({
          action: 'create_collection',
          ...input,
          name: 'Shared',
          zettel_ids: ['100-team-email'],
          location: 'registry',
        });
        const { collections } = await link<{ collections: { name: string; location: string }[] }>({
          action: 'list_collections',
          source: BOTH,
        });
        assert.deepEqual(
          collections.map(({ name: called, location }) => [called, location]),
          [
            ['Email Infrastructure', 'project'],
            ['Shared', 'registry'],
          ],
        );
      });

      it('the file format is plain Markdown with front matter, kept byte for byte', async () => {
        const text =
          '---\r\n# by hand\r\nzettel_id: 300-format\r\ntitle: "Format"\r\nentry_type: concept\r\nmine: [1, 2]\r\n---\r\nBody.\r\n';
        const file = folders.file('project', 'concepts/300-format.md', text);
        await waitFor(async () => places(await search('format', 'local')).includes('project:300-format'));
        await manage({ action: 'update', zettel_id: '300-format', title: 'Formats' });
        const [before, after] = [text, readFileSync(file, 'utf8')].map((each) =>
          each.replace(/^(title|updated_at):.*\r\n/gm, ''),
        );
        assert.equal(after, before);
      });

      it('its resources can be listed, read and completed', async () => {
        const { resources } = await client.listResources();
        const uri = `knowledge://notes/project/${EMAIL}`;
        assert.ok(resources.some((each) => each.uri === uri));
        const { contents } = await client.readResource({ uri });
        assert.match((contents[0] as { text: string }).text, /^---\nzettel_id: 042-email-deliverability\n/);
        const ref = { type: 'ref/resource', uri: 'knowledge://notes/{space}/{zettel_id}' } as const;
        const { completion } = await client.complete({
          ref,
          argument: { name: 'zettel_id', value: '042' },
          context: { arguments: { space: 'user' } },
        });
        assert.deepEqual(completion.values, [EMAIL]);
        await assert.rejects(client.readResource({ uri: 'knowledge://notes/project/..%2F..%2Fsecret' }));
        await assert.rejects(client.readResource({ uri: 'knowledge://notes/project/nothing' }), /nothing/);
      });

      it('tells clients when a note changes', async () => {
        const uri = `knowledge://notes/project/${SPF}`;
        const followed = await client.follow(uri);
        await manage({ action: 'update', zettel_id: SPF, title: 'Records for SPF' });
        await waitFor(() => followed.updated.includes(uri) && followed.listChanges > 0);
      });
    });
  }

  it('there are no embeddings: the registry has words only, and is an ordinary database', async () => {
    const url = await database.createDatabase();
    const registry = openRegistry({ url });
    await registry.init();
    await registry.close();
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      const types = await client.query(
        "SELECT DISTINCT udt_name FROM information_schema.columns WHERE table_schema = 'kaizen'",
      );
      const names = types.rows.map(({ udt_name }) => udt_name as string);
      assert.ok(names.includes('tsvector'));
      assert.deepEqual(
        names.filter((name) => /^_?(float|numeric|bytea|vector|halfvec|sparsevec)/.test(name)),
        [],
      );
      const extensions = await client.query("SELECT extname FROM pg_extension WHERE extname <> 'plpgsql'");
      assert.deepEqual(extensions.rows, []);
    } finally {
      await client.end();
    }
  });

  describe('help', () => {
    for (const { topic, examples } of HELP_TOPICS) {
      it(`gives examples for "${topic}" that run as they stand`, async () => {
        const url = await database.createDatabase();
        const registry = openRegistry({ url });
        await registry.init();
        await registry.close();
        const stores = temporaryStores();
        const folders = new NoteFolders();
        writeNotes(folders);
        const flags = [
          '--toolsets',
          'notes',
          '--project-notes',
          folders.roots.project,
          '--user-notes',
          folders.roots.user,
        ];
        const client = await CLIENTS[0]!.connect([...stores.flags, ...flags, '--registry', url]);
        try {
          await client.toolNames();
          // What the examples about the registry take for granted.
          const publishing = { action: 'publish', zettel_id: EMAIL };
          if (!topic.startsWith('Publishing')) await use(client, 'manage', publishing);
          if (topic === 'Conflicts') {
            await use(client, 'manage', { action: 'update', zettel_id: EMAIL, location: 'registry', title: 'Theirs' });
            await use(client, 'manage', { action: 'update', zettel_id: EMAIL, title: 'Ours' });
            assert.equal((await use<Managed>(client, 'manage', publishing)).status, 'conflict');
          }
          assert.ok(examples.length > 0);
          for (const { code } of examples) {
            const [, tool = '', args = ''] = /^(\w+)\((\{.*\})\)$/.exec(code) ?? [];
            const { status, results_count } = await use<Partial<Managed & Search>>(client, tool, JSON.parse(args));
            if (tool === 'manage' || tool === 'link') assert.equal(status, 'success', code);
            if (tool === 'search') assert.ok((results_count ?? 0) > 0, code);
          }
        } finally {
          await client.close();
          stores.remove();
          folders.remove();
        }
      });
    }
  });
});

describe('no automatic fallback to the registry', function () {
  this.timeout(60_000);
  let server: Server;
  let connections = 0;
  let client: ContractClient;
  let stores: Stores;
  let folders: NoteFolders;

  before(async () => {
    server = createServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    stores = temporaryStores();
    folders = new NoteFolders();
    writeNotes(folders);
    client = await CLIENTS[0]!.connect([
      ...stores.flags,
      ...['--toolsets', 'all', '--project-notes', folders.roots.project, '--user-notes', folders.roots.user],
      ...['--registry', `postgres://team:secret-word@127.0.0.1:${port}/notes`],
    ]);
    await client.toolNames();
  });
  after(async () => {
    await client?.close();
    server?.close();
    stores?.remove();
    folders?.remove();
  });

  it('no call connects that does not name it, whether or not it finds what it looks for', async () => {
    const calls: [string, Record<string, unknown>][] = [
      ['search', { query: 'email', source: 'local' }],
      ['search', { query: 'nothing like it', source: ['local'] }],
      ['get', { zettel_id: EMAIL, source: 'local', include_relationships: true, include_backlinks: true }],
      ['get', { zettel_id: 'nowhere', source: 'local' }],
      [
        'manage',
        { action: 'create', zettel_id: '400-a', title: 'A', content: 'See [[registry:b]].', entry_type: 'concept' },
      ],
      ['manage', { action: 'update', zettel_id: '400-a', title: 'AA' }],
      ['manage', { action: 'rename', zettel_id: '400-a', new_zettel_id: '401-a' }],
      ['link', { action: 'link', from_zettel_id: '401-a', to_zettel_id: EMAIL, relationship_type: 'related' }],
      ['link', { action: 'get_relationships', zettel_id: '401-a' }],
      ['link', { action: 'list_collections' }],
      ['link', { action: 'get_collection', collection: 'nowhere' }],
      ['manage', { action: 'delete', zettel_id: '401-a', confirm: true }],
      ['manage', { action: 'update', zettel_id: 'nowhere', title: 'X' }],
      ['help', { query: 'publish to the registry' }],
      ['discover_context', { task_description: 'email deliverability' }],
      ['search_knowledge', { query: 'email' }],
    ];
    for (const [tool, args] of calls) await client.call(tool, args);
    await client.listResources();
    await client.readResource({ uri: `knowledge://notes/project/${EMAIL}` });
    assert.equal(connections, 0);
  });

  it('one that names it connects, and its failure is told without the secret while local work goes on', async () => {
    const text = await refused(client, 'search', { query: 'email', source: 'registry' });
    assert.ok(connections > 0);
    const { results_count, message } = await use<Search>(client, 'search', { query: 'email', source: BOTH });
    assert.ok(results_count > 0);
    assert.match(message ?? '', /The registry was not searched: /);
    for (const each of [text, message ?? '']) assert.doesNotMatch(each, /secret-word/);
  });

  it('what is local is told where the registry cannot be asked for the rest of links and collections', async () => {
    const looked = await use<{ relationships: Related[]; message?: string }>(client, 'link', {
      action: 'get_relationships',
      zettel_id: EMAIL,
      source: BOTH,
    });
    assert.deepEqual(
      looked.relationships.map(({ zettel_id }) => zettel_id),
      [SPF],
    );
    const listed = await use<{ collections: unknown[]; message?: string }>(client, 'link', {
      action: 'list_collections',
      source: BOTH,
    });
    assert.deepEqual(listed.collections, []);
    for (const { message } of [looked, listed]) {
      assert.match(message ?? '', /^What the registry has is missing: /);
      assert.doesNotMatch(message ?? '', /secret-word/);
    }
    await refused(client, 'link', { action: 'get_relationships', zettel_id: EMAIL, source: 'registry' });
    await refused(client, 'link', { action: 'get_relationships', zettel_id: 'nowhere', source: BOTH });
    await refused(client, 'link', { action: 'list_collections', source: 'registry' });
  });

  it('discovery finds notes beside everything else', async () => {
    const { recommendations } = await use<{ recommendations: { id: string }[] }>(client, 'discover_context', {
      task_description: 'email deliverability: warm up addresses',
    });
    assert.equal(recommendations[0]?.id, `knowledge://notes/project/${EMAIL}`);
    const { nodes } = await use<{ nodes: { content: string }[] }>(client, 'retrieve_knowledge', {
      ids: [recommendations[0].id],
    });
    assert.match(nodes[0]?.content ?? '', /Warm up addresses slowly/);
  });
});

describe('what agents write to notes', function () {
  this.timeout(60_000);
  let stores: Stores;
  let folders: NoteFolders;
  let client: ContractClient | undefined;
  const creating = { action: 'create', zettel_id: '500-new', title: 'New', content: 'New.', entry_type: 'concept' };

  beforeEach(() => {
    stores = temporaryStores();
    folders = new NoteFolders();
    writeNotes(folders);
  });
  afterEach(async () => {
    await client?.close();
    client = undefined;
    stores.remove();
    folders.remove();
  });

  const spaces = () => ['--project-notes', folders.roots.project, '--user-notes', folders.roots.user];

  async function connected(...flags: string[]): Promise<ContractClient> {
    client = await CLIENTS[0]!.connect([...stores.flags, '--toolsets', 'notes', ...spaces(), ...flags]);
    return client;
  }

  it('is nothing with --read-only: manage is not there, link and get only read', async () => {
    const reading = await connected('--read-only');
    assert.deepEqual(await reading.toolNames(), ['search', 'get', 'link', 'help']);
    const { relationships } = await use<{ relationships: Related[] }>(reading, 'link', {
      action: 'get_relationships',
      zettel_id: EMAIL,
    });
    assert.equal(relationships[0]?.zettel_id, SPF);
    await refused(reading, 'link', {
      action: 'link',
      from_zettel_id: EMAIL,
      to_zettel_id: SPF,
      relationship_type: 'extends',
    });
    await refused(reading, 'get', { zettel_id: EMAIL, source: 'registry', destination: 'user' });
  });

  it('waits for a person with --agent-writes review, checked as if it were written', async () => {
    const held = await connected('--agent-writes', 'review');
    await held.toolNames();
    const { status, pending } = await use<Managed>(held, 'manage', creating);
    assert.equal(status, 'pending');
    assert.match(pending ?? '', /Held for review as proposal \d+/);
    const linking = { action: 'link', from_zettel_id: EMAIL, to_zettel_id: SPF, relationship_type: 'extends' };
    assert.equal((await use<Managed>(held, 'link', linking)).status, 'pending');
    const file = path.join(folders.roots.project, 'concepts', '500-new.md');
    assert.ok(!existsSync(file));
    assert.match(await refused(held, 'manage', { ...creating, zettel_id: '../escape' }), /escape/);
    assert.match(await refused(held, 'manage', { ...creating, zettel_id: EMAIL }), new RegExp(EMAIL));

    const id = /proposal (\d+)/.exec(pending ?? '')?.[1] ?? '';
    const review = ['review', ...stores.flags, ...spaces(), '--accept', id];
    execFileSync(process.execPath, [path.resolve('dist/cli.js'), ...review], { encoding: 'utf8' });
    assert.match(readFileSync(file, 'utf8'), /^---\nzettel_id: 500-new\ntitle: New\n[\s\S]*New\.\n?$/);
    await waitFor(async () => !(await held.call('get', { zettel_id: '500-new', source: 'local' })).isError);
  });

  it('never leaves a space', async () => {
    const writing = await connected();
    await writing.toolNames();
    for (const zettel_id of [
      '../x',
      'a/b',
      '..',
      'con',
      'NUL.txt',
      'x.md',
      'a\\b',
      `${'x'.repeat(121)}`,
      EMAIL.toUpperCase(),
    ]) {
      await refused(writing, 'manage', { ...creating, zettel_id });
    }
    for (const category of ['../x', '/etc', 'a/../../b', 'C:\\x', 'con']) {
      await refused(writing, 'manage', { ...creating, category });
    }
    assert.match(
      await refused(writing, 'search', { query: 'email', source: 'registry' }),
      /[Nn]o registry|not configured/,
    );
  });
});

async function waitFor(holds: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> {
  for (const end = performance.now() + ms; !(await holds()); ) {
    if (performance.now() > end) throw new Error(`It did not come true within ${ms} ms: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
