import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { Kaizen, type KaizenOptions } from '../../src/kaizen';
import type { NotesPart, NoteWrite } from '../../src/notes';
import { asAgent } from '../../src/safety';
import { type DatabaseServer, startDatabaseServer } from '../support/postgres';
import { trueSecrets } from '../support/secret-strings';

const ALICE = { author: 'alice' };
const BOB = { author: 'bob', by_agent: true };
/** Line ends, unknown keys, comments and a byte order mark, all of which are to stay. */
const MAIL =
  '\uFEFF---\r\nzettel_id: 042-mail\r\ntitle: Mail # a title\r\nentry_type: pattern\r\ntags: [email]\r\nowner: ops # ours\r\n---\r\n\r\n# Mail\r\n\r\nSee [[043-spf]].\r\n';

describe('notes and the registry', function () {
  this.timeout(60_000);
  let server: DatabaseServer;
  let url: string;
  let root: string;
  const open: Kaizen[] = [];

  before(async () => {
    server = await startDatabaseServer();
  });
  beforeEach(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'kaizen-registry-notes-'));
    url = await server.createDatabase();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((kaizen) => kaizen.close()));
    rmSync(root, { recursive: true, force: true });
  });
  after(() => server.stop());

  /** A person's machine: a workspace and a home. */
  async function machine(name: string, registry = true, safety?: KaizenOptions['safety']): Promise<NotesPart> {
    const at = (folder: string) => path.join(root, name, folder);
    const kaizen = new Kaizen({
      data: at('data'),
      shared: at('shared'),
      workspace: at('project'),
      notes: { project: at('project/.ai/knowledge'), user: at('home/.knowledge-kiwi') },
      registry: registry ? { url } : undefined,
      safety,
    });
    open.push(kaizen);
    const { notes } = await kaizen.parts();
    notes.start();
    if (registry) await (await notes.registry()).init();
    return notes;
  }

  function put(file: string, text: string): string {
    const where = path.join(root, file);
    mkdirSync(path.dirname(where), { recursive: true });
    writeFileSync(where, text);
    return where;
  }

  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const mailFile = 'a/project/.ai/knowledge/patterns/042-mail.md';
  const publish = (more: object = {}) => ({ action: 'publish', zettel_id: '042-mail', ...more }) as const;

  it('publishes a note, tells its file the version, and hands out the very same bytes elsewhere', async () => {
    put(mailFile, MAIL);
    const a = await machine('a');
    const done = await a.write(publish(), ALICE);
    assert.deepEqual(done, {
      action: 'publish',
      status: 'published',
      zettel_id: '042-mail',
      version: '1.0.0',
      location: 'project',
    });
    const text = read(mailFile);
    assert.equal(text, MAIL.replace('owner: ops', 'version: 1.0.0\r\nowner: ops'));

    const b = await machine('b');
    const got = await b.get({ zettel_id: '042-mail', sources: ['registry'], destination: ['project', 'user'] }, BOB);
    assert.deepEqual(got.downloads, [
      { location: 'project', path: '.ai/knowledge/patterns/042-mail.md', status: 'written' },
      { location: 'user', path: path.join(root, 'b/home/.knowledge-kiwi/patterns/042-mail.md'), status: 'written' },
    ]);
    assert.equal(read('b/project/.ai/knowledge/patterns/042-mail.md'), text);
    assert.equal(read('b/home/.knowledge-kiwi/patterns/042-mail.md'), text);
    assert.deepEqual(
      [got.source_location, got.title, got.version, got.category, got.content],
      ['registry', 'Mail', '1.0.0', 'patterns', '# Mail\n\nSee [[043-spf]].'],
    );
    // Another time there is nothing to do.
    const again = await b.write({ action: 'download', zettel_id: '042-mail', destination: ['project'] }, BOB);
    assert.equal(again.downloads[0]?.status, 'unchanged');
  });

  it('looks in the registry only when it is named, and there only for what the spaces do not have', async () => {
    put(mailFile, MAIL);
    const a = await machine('a');
    await a.write(publish(), ALICE);
    const b = await machine('b');
    const id = { zettel_id: '042-mail' };
    await assert.rejects(b.get({ ...id, sources: ['local'] }, BOB), { code: 'unknown_note' });
    assert.equal((await b.get({ ...id, sources: ['local', 'registry'] }, BOB)).source_location, 'registry');
    assert.equal((await a.get({ ...id, sources: ['local', 'registry'] }, ALICE)).source_location, 'project');
    assert.equal((await a.get({ ...id, sources: ['registry'] }, ALICE)).source_location, 'registry');
    await assert.rejects(a.get({ zettel_id: 'nothing', sources: ['local', 'registry'] }, ALICE), {
      code: 'unknown_note',
    });
    await assert.rejects(b.get({ ...id, sources: ['local'], destination: ['user'] }, BOB), {
      code: 'invalid_argument',
    });
    await assert.rejects(b.get({ ...id, sources: [] }, BOB), { code: 'invalid_argument' });

    const alone = await machine('c', false);
    assert.equal(alone.hasRegistry, false);
    await assert.rejects(alone.get({ ...id, sources: ['registry'] }, BOB), { code: 'registry_not_configured' });
    await assert.rejects(alone.get({ ...id, sources: ['local'] }, BOB), { code: 'unknown_note' });
  });

  it('works on with files when the registry cannot be reached', async () => {
    put(mailFile, MAIL);
    const a = await machine('a', false);
    a.useRegistry({ url: 'postgres://me:secret@127.0.0.1:1/none' });
    const request = { zettel_id: '042-mail', sources: ['local', 'registry'], include_relationships: true } as const;
    const got = await a.get(request, ALICE);
    assert.deepEqual(got.relationships, [
      { zettel_id: '043-spf', relationship_type: 'references', direction: 'outgoing', missing: true },
    ]);
    assert.match(got.message ?? '', /cannot be reached/);
    await assert.rejects(a.get({ zettel_id: 'other', sources: ['local', 'registry'] }, ALICE), {
      code: 'registry_unreachable',
    });
    assert.ok(!inspect(a, { depth: 12, showHidden: true }).includes('secret'));
  });

  it('refuses to publish or to download a note with a secret, unless a person wants it', async () => {
    const { text = '', secret = '' } = trueSecrets().find(({ id }) => id === 'github-token') ?? {};
    const file = 'a/project/.ai/knowledge/patterns/042-mail.md';
    const written = `${MAIL}\nPush with ${text}.\n`;
    put(file, written);
    const refused = (error: Error & { code?: string }) => {
      assert.equal(error.code, 'secret_found');
      assert.match(error.message, /the note, line \d+, column \d+: GitHub token/);
      assert.ok(!error.message.includes(secret));
      return true;
    };
    const a = await machine('a');
    await assert.rejects(a.write(publish(), ALICE), refused);
    assert.equal(await (await a.registry()).get('042-mail'), undefined);
    assert.equal(read(file), written);
    const willing = await machine('a2', true, { onFound: () => true });
    put('a2/project/.ai/knowledge/patterns/042-mail.md', written);
    await willing.rescan();
    await assert.rejects(
      asAgent(() => willing.write(publish(), BOB)),
      refused,
    );
    assert.equal((await willing.write(publish(), ALICE)).status, 'published');
    const b = await machine('b');
    const download = { action: 'download', zettel_id: '042-mail', destination: ['project'] } as const;
    await assert.rejects(b.write(download, BOB), refused);
    assert.ok(!existsSync(path.join(root, 'b/project/.ai/knowledge/patterns/042-mail.md')));
  });

  it('refuses to publish over what the text does not come from, and shows the difference', async () => {
    put(mailFile, MAIL);
    const a = await machine('a');
    await a.write(publish(), ALICE);
    put('b/project/.ai/knowledge/patterns/042-mail.md', MAIL.replace('# Mail\r\n', '# Letters\r\n'));
    const b = await machine('b');
    const refused = await b.write(publish(), BOB);
    assert.ok(refused.status === 'conflict');
    assert.equal(refused.conflict.reason, 'never_seen');
    assert.match(
      refused.conflict.difference,
      /^--- registry\/042-mail@1\.0\.0\n\+\+\+ project\/patterns\/042-mail\.md\n/,
    );
    assert.match(refused.conflict.difference, /^-# Mail$/m);
    assert.match(refused.conflict.difference, /^\+# Letters$/m);
    assert.doesNotMatch(refused.conflict.difference, /version/);
    assert.match(String(refused.conflict.message), /1\.0\.0, published by alice/);
    assert.ok(!read('b/project/.ai/knowledge/patterns/042-mail.md').includes('version'));

    const confirmed = await b.write(publish({ confirmed: true }), BOB);
    assert.deepEqual([confirmed.status, confirmed.status === 'published' && confirmed.version], ['published', '1.0.1']);
    // Whoever has the older one now hears of it.
    writeFileSync(path.join(root, mailFile), read(mailFile).replace('# Mail\r\n', '# Post\r\n'));
    const late = await a.write(publish(), ALICE);
    assert.ok(late.status === 'conflict');
    assert.equal(late.conflict.reason, 'changed_since');
    const twice = await a.write(publish({ version: '1.0.1', confirmed: true }), ALICE);
    assert.equal(twice.status === 'conflict' && twice.conflict.reason, 'version_exists');
    const lower = await a.write(publish({ version: '0.9.0', confirmed: true }), ALICE);
    assert.equal(lower.status === 'conflict' && lower.conflict.reason, 'newer_version');
  });

  it('heals a file that was not told its version before everything stopped', async () => {
    put(mailFile, MAIL);
    const a = await machine('a');
    await a.write(publish(), ALICE);
    writeFileSync(path.join(root, mailFile), MAIL);
    const again = await a.write(publish(), ALICE);
    assert.deepEqual([again.status, again.status === 'unchanged' && again.version], ['unchanged', '1.0.0']);
    assert.match(read(mailFile), /version: 1\.0\.0/);
    assert.equal((await (await a.registry()).versions('042-mail')).length, 1);
  });

  it('keeps what is there and differs when it downloads, unless it is to be overwritten', async () => {
    put(mailFile, MAIL);
    const a = await machine('a');
    await a.write(publish(), ALICE);
    const mine = MAIL.replace('# Mail\r\n', '# Mine\r\n');
    const file = 'b/project/.ai/knowledge/inbox/042-mail.md';
    put(file, mine);
    const b = await machine('b');
    const download = {
      action: 'download',
      zettel_id: '042-mail',
      destination: ['project', 'user'],
    } as const satisfies NoteWrite;
    const { downloads } = await b.write(download, BOB);
    assert.deepEqual(
      downloads.map(({ status }) => status),
      ['conflict', 'written'],
    );
    assert.match(downloads[0]!.difference!, /^-# Mine$/m);
    assert.equal(read(file), mine);
    const forced = await b.write({ ...download, overwrite: true }, BOB);
    assert.deepEqual(
      forced.downloads.map(({ status }) => status),
      ['written', 'unchanged'],
    );
    assert.equal(read(file), read(mailFile));
    const [revision] = b.revisions({ zettel_id: '042-mail' });
    assert.deepEqual([revision?.action, revision?.author, revision?.by_agent], ['download', 'bob', true]);
    await b.undo(revision!.id, ALICE);
    assert.equal(read(file), mine);
  });

  it('downloads into both spaces or into none', async () => {
    put(mailFile, MAIL);
    const a = await machine('a');
    await a.write(publish(), ALICE);
    const b = await machine('b');
    // A file where the folder is to be.
    put('b/home/.knowledge-kiwi/patterns', '');
    const destination = ['project', 'user'] as const;
    await assert.rejects(b.write({ action: 'download', zettel_id: '042-mail', destination }, BOB));
    assert.ok(!existsSync(path.join(root, 'b/project/.ai/knowledge/patterns/042-mail.md')));
    assert.deepEqual(b.revisions(), []);
    rmSync(path.join(root, 'b/home/.knowledge-kiwi/patterns'));
    await b.write({ action: 'download', zettel_id: '042-mail', destination }, BOB);
    const [revision] = b.revisions();
    await b.undo(revision!.id, BOB);
    for (const folder of ['project/.ai/knowledge', 'home/.knowledge-kiwi']) {
      assert.ok(!existsSync(path.join(root, 'b', folder, 'patterns/042-mail.md')), folder);
    }
  });

  it('downloads to where it is found again, whatever folder it was published from', async () => {
    put(mailFile, MAIL);
    const a = await machine('a');
    await a.write(publish(), ALICE);
    await server.administer(url, "UPDATE kaizen.knowledge_entry_versions SET category = 'node_modules/mail'");
    const b = await machine('b');
    await b.write({ action: 'download', zettel_id: '042-mail', destination: ['user'] }, BOB);
    assert.equal(b.note('user', '042-mail')?.file, 'patterns/042-mail.md');
  });

  it('says which folders differ where the text of a version is the same', async () => {
    put(mailFile, MAIL);
    const a = await machine('a');
    await a.write(publish(), ALICE);
    await a.write({ action: 'update', zettel_id: '042-mail', patch: { category: 'apis/mail' } }, ALICE);
    const again = await a.write(publish({ version: '1.0.0' }), ALICE);
    assert.equal(again.status === 'conflict' && again.conflict.reason, 'version_exists');
    assert.match(String(again.status === 'conflict' && again.conflict.message), /in "patterns", here in "apis\/mail"/);
    assert.equal((await a.write(publish(), ALICE)).status, 'published');
  });

  it('downloads an older version by its number', async () => {
    put(mailFile, MAIL);
    const a = await machine('a');
    await a.write(publish(), ALICE);
    const old = read(mailFile);
    writeFileSync(path.join(root, mailFile), old.replace('# Mail\r\n', '# Post\r\n'));
    await a.write(publish(), ALICE);
    const b = await machine('b');
    await b.write({ action: 'download', zettel_id: '042-mail', version: '1.0.0', destination: ['user'] }, BOB);
    assert.equal(read('b/home/.knowledge-kiwi/patterns/042-mail.md'), old);
    const nothing = b.get({ zettel_id: '042-mail', version: '9.9.9', sources: ['registry'] }, BOB);
    await assert.rejects(nothing, { code: 'unknown_note', message: /9\.9\.9/ });
  });

  it('writes nowhere but into the space, whatever the registry calls a note', async () => {
    put(mailFile, MAIL);
    const a = await machine('a');
    await a.write(publish(), ALICE);
    await server.administer(url, "UPDATE kaizen.knowledge_entry_versions SET category = '../../../outside'");
    const b = await machine('b');
    const { downloads } = await b.write({ action: 'download', zettel_id: '042-mail', destination: ['project'] }, BOB);
    assert.equal(downloads[0]?.path, '.ai/knowledge/patterns/042-mail.md');
    assert.ok(!existsSync(path.join(root, 'outside')));
  });

  it('downloads no file that says it is another note, nor one that nobody could have published', async () => {
    put(mailFile, MAIL);
    const a = await machine('a');
    await a.write(publish(), ALICE);
    const b = await machine('b');
    const download = () =>
      b.write({ action: 'download', zettel_id: '042-mail', destination: ['project'] }, BOB).then(
        () => assert.fail('it was downloaded'),
        (error) => error as { code: string; message: string },
      );
    const versions = 'UPDATE kaizen.knowledge_entry_versions SET document =';
    await server.administer(url, `${versions} replace(document, 'zettel_id: 042-mail', 'zettel_id: 001-rules')`);
    const other = await download();
    assert.deepEqual([other.code, /says that it is "001-rules"/.test(other.message)], ['registry_failed', true]);
    await server.administer(url, `${versions} repeat('x', 5000000)`);
    const long = await download();
    assert.deepEqual([long.code, /more than 4000000/.test(long.message)], ['registry_failed', true]);
  });

  it('refuses to publish what others could not read', async () => {
    put('a/project/.ai/knowledge/patterns/x.md', '---\nzettel_id: x\ntitle: [\n---\nText\n');
    put('a/project/.ai/knowledge/patterns/y.md', '---\nzettel_id: y\ntitle: Y\n---\nText\n');
    writeFileSync(put('a/project/.ai/knowledge/patterns/z.md', ''), Buffer.from([0x2d, 0xff, 0xfe]));
    const a = await machine('a');
    await assert.rejects(a.write(publish({ zettel_id: 'x' }), ALICE), { code: 'unreadable_note' });
    await assert.rejects(a.write(publish({ zettel_id: 'y' }), ALICE), {
      code: 'invalid_argument',
      message: /entry_type/,
    });
    await assert.rejects(a.write(publish({ zettel_id: 'z' }), ALICE), { code: 'unreadable_note' });
    await assert.rejects(a.write(publish({ zettel_id: 'nothing' }), ALICE), { code: 'unknown_note' });
  });

  it('publishes relationships of text and front matter by the ids that they lead to', async () => {
    put(
      'a/project/.ai/knowledge/patterns/043-spf.md',
      '---\nzettel_id: 043-spf\ntitle: SPF\nentry_type: concept\n---\n',
    );
    put(
      mailFile,
      '---\nzettel_id: 042-mail\ntitle: Mail\nentry_type: pattern\nrelationships:\n  extends: [user:044-dns]\n---\nSee [[../patterns/043-spf|SPF]].\n',
    );
    const a = await machine('a');
    await a.write(publish(), ALICE);
    const { relationships } = await a.get(
      { zettel_id: '042-mail', sources: ['registry'], include_relationships: true },
      ALICE,
    );
    assert.deepEqual(
      relationships?.map(({ zettel_id, relationship_type, created_by }) => [zettel_id, relationship_type, created_by]),
      [
        ['044-dns', 'extends', 'alice'],
        ['043-spf', 'references', 'alice'],
      ],
    );
    const { backlinks } = await a.get({ zettel_id: '042-mail', sources: ['registry'], include_backlinks: true }, ALICE);
    assert.deepEqual(backlinks, []);
  });

  it('shows what publishing and downloading would do to files, and does nothing', async () => {
    put(mailFile, MAIL);
    const a = await machine('a');
    const [file] = (await a.preview(publish())).files;
    assert.equal(file?.after, MAIL.replace('owner: ops', 'version: 1.0.0\r\nowner: ops'));
    assert.equal(read(mailFile), MAIL);
    assert.equal(await (await a.registry()).get('042-mail'), undefined);
    await a.write(publish(), ALICE);
    const download = { action: 'download', zettel_id: '042-mail', destination: ['user'] } as const;
    assert.equal((await a.preview(download)).files[0]?.after, read(mailFile));
    assert.ok(!existsSync(path.join(root, 'a/home/.knowledge-kiwi/patterns')));
  });

  it('creates, updates and deletes notes of the registry itself, each change a version', async () => {
    const a = await machine('a');
    const input = {
      zettel_id: '045-queue',
      title: 'Queues',
      content: 'Use [[042-mail]].',
      entry_type: 'concept',
    } as const;
    const made = await a.write({ action: 'create', location: 'registry', input }, ALICE);
    assert.deepEqual([made.location, made.version, made.path], ['registry', '1.0.0', undefined]);
    await assert.rejects(
      a.write({ action: 'create', location: 'registry', input: { ...input, title: 'Other' } }, BOB),
      { code: 'conflict' },
    );
    const where = { location: 'registry', zettel_id: '045-queue' } as const;
    const updated = await a.write({ action: 'update', ...where, patch: { content: 'Never.' } }, ALICE);
    assert.equal(updated.version, '1.0.1');
    const got = await a.get({ zettel_id: '045-queue', sources: ['registry'] }, BOB);
    assert.deepEqual([got.title, got.content, got.category], ['Queues', 'Never.', 'concepts']);
    // Bob has seen this one; Alice writes another, which he must not write over unseen.
    await a.write({ action: 'update', ...where, patch: { content: 'Always.' } }, ALICE);
    await assert.rejects(a.write({ action: 'update', ...where, patch: { content: 'Bob.' } }, BOB), {
      code: 'conflict',
    });
    await assert.rejects(a.write({ action: 'delete', ...where, content_hash: 'other' }, ALICE), { code: 'conflict' });
    await a.write({ action: 'delete', ...where }, ALICE);
    await assert.rejects(a.write({ action: 'delete', ...where }, ALICE), { code: 'unknown_note' });
  });

  it('links and collects notes of the registry itself, with who and when', async () => {
    put(mailFile, MAIL);
    const a = await machine('a');
    await a.write(publish(), ALICE);
    const link = {
      action: 'link',
      location: 'registry',
      from_zettel_id: '042-mail',
      to_zettel_id: '044-dns',
      relationship_type: 'extends',
    } as const;
    assert.equal((await a.write(link, BOB)).changed, true);
    const request = { zettel_id: '042-mail', sources: ['registry'], include_relationships: true } as const;
    const made = (await a.get(request, ALICE)).relationships?.find(({ zettel_id }) => zettel_id === '044-dns');
    assert.deepEqual([made?.relationship_type, made?.created_by], ['extends', 'bob']);
    assert.ok(made?.created_at);
    assert.equal((await a.write({ ...link, action: 'unlink' }, ALICE)).changed, true);

    const input = {
      name: 'Mail',
      description: 'All of it',
      zettel_ids: ['042-mail'],
      collection_type: 'topic',
    } as const;
    const { collection } = await a.write({ action: 'create_collection', location: 'registry', input }, ALICE);
    assert.deepEqual([collection.location, collection.zettel_ids], ['registry', ['042-mail']]);
    assert.deepEqual(await (await a.registry()).collections(), [collection]);
  });
});
