import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { complete } from '../../src/mcp/completion';
import { addressKey, parseAddress } from '../../src/mcp/resources/address';
import { ResourceChanges } from '../../src/mcp/resources/changes';
import { listResources } from '../../src/mcp/resources/list';
import { NOTE_TEMPLATE, readResource } from '../../src/mcp/resources/read';
import { type Hall, useHalls } from '../support/hall';
import { NoteFolders } from '../support/note-folders';

const { signal } = new AbortController();

describe('notes as resources', () => {
  const open = useHalls();
  let folders: NoteFolders;
  let hall: Hall;

  beforeEach(async () => {
    folders = new NoteFolders();
    folders.note('project', 'patterns/042-email', { title: 'Email', tags: ['email'], more: ['version: 1.2.0'] });
    folders.note('user', 'patterns/042-email', { title: 'My Email' });
    folders.note('user', 'concepts/配置', { title: 'Configuration', entry_type: 'concept' });
    hall = await open({ project: 'shop', defineProject: true, workspace: folders.workspace, notes: folders.roots });
    await hall.put('shop', 'git', 'commit');
  });
  afterEach(() => folders.remove());

  it('have addresses of a space and an id, and no others', () => {
    const address = { kind: 'note', space: 'user', zettel_id: '配置' } as const;
    assert.deepEqual(parseAddress('knowledge://notes/user/%E9%85%8D%E7%BD%AE'), address);
    assert.equal(addressKey(parseAddress('KNOWLEDGE://Notes/user/配置')!), addressKey(address));
    for (const refused of [
      'knowledge://notes/user',
      'knowledge://notes/user/',
      'knowledge://notes/user/a/b',
      'knowledge://notes/user/..',
      'knowledge://notes/../x',
      'knowledge://notes/user/%2e%2e%2fx',
      'knowledge://notes/user/a%5Cb',
      'knowledge://notes/user/a%00',
      'knowledge://notes/user/a#b',
    ]) {
      assert.equal(parseAddress(refused), undefined, refused);
    }
  });

  it('are listed behind files and entries, each with an address that reads', async () => {
    const { resources } = await listResources(hall, 'shop', undefined, signal);
    assert.deepEqual(
      resources.map(({ uri }) => uri),
      [
        'knowledge://scopes/shop/git/commit',
        'knowledge://notes/project/042-email',
        'knowledge://notes/user/%E9%85%8D%E7%BD%AE',
        'knowledge://notes/user/042-email',
      ],
    );
    assert.deepEqual(resources[1], {
      uri: 'knowledge://notes/project/042-email',
      name: 'Email',
      title: 'Email',
      description: "patterns/042-email.md of the project's notes",
      mimeType: 'text/markdown',
      _meta: { id: 'knowledge://notes/project/042-email', type: 'pattern', tags: ['email'], version: '1.2.0' },
    });
    for (const { uri } of resources) assert.equal((await readResource(hall, uri, signal)).contents.length, 1, uri);
  });

  it('come in pages, none of them twice', async () => {
    for (let each = 0; each < 150; each++) folders.note('user', `learnings/${each}-page`);
    await hall.notes.rescan();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listResources(hall, 'shop', cursor, signal);
      assert.ok(page.resources.length <= 100);
      seen.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
    } while (cursor);
    assert.equal(seen.length, 154);
    assert.equal(new Set(seen).size, 154);
  });

  it('are read as the file is now, front matter included; what is not there is named with what is near', async () => {
    const uri = 'knowledge://notes/project/042-email';
    const text = async () => ((await readResource(hall, uri, signal)).contents[0] as { text: string }).text;
    assert.match(await text(), /^---\nzettel_id: 042-email\ntitle: Email\n/);
    folders.note('project', 'patterns/042-email', { title: 'Changed' });
    assert.match(await text(), /title: Changed/);
    const near = readResource(hall, 'knowledge://notes/project/042-emial', signal);
    await assert.rejects(near, { code: -32602, message: /Resource not found: .*042-email/ });
    await assert.rejects(readResource(hall, 'knowledge://notes/registry/042-email', signal), {
      code: -32602,
      message: /There are project and user/,
    });
  });

  it('are completed by space and id', () => {
    const values = async (name: string, value: string, given = {}) =>
      (
        await complete(hall, 'shop', [], {
          ref: { type: 'ref/resource', uri: NOTE_TEMPLATE },
          argument: { name, value },
          context: { arguments: given },
        })
      ).completion.values;
    hall.notes.start();
    return hall.notes.ready(5_000).then(async () => {
      assert.deepEqual(await values('space', ''), ['project', 'user']);
      assert.deepEqual(await values('zettel_id', '04', { space: 'project' }), ['042-email']);
      assert.deepEqual(await values('zettel_id', '', { space: 'user' }), ['042-email', '配置']);
      assert.deepEqual(await values('zettel_id', 'EMAIL'), ['042-email']);
      assert.deepEqual(await values('zettel_id', 'nothing'), []);
    });
  });

  it('are told when they change, come, go or move, and the list when it shows it', async () => {
    hall.notes.start();
    await hall.notes.ready(5_000);
    const changes = new ResourceChanges();
    const early = changes.ofNotes(hall.notes, { space: 'user', files: ['concepts/配置.md'] });
    assert.deepEqual(
      [[...early.updated.values()], early.isListChanged],
      [['knowledge://notes/user/%E9%85%8D%E7%BD%AE'], true],
    );
    changes.learnNotes(hall.notes);

    const told = async () => {
      await hall.notes.rescan();
      const { updated, isListChanged } = changes.ofNotes(hall.notes, { space: 'project', files: [] });
      return [[...updated.values()], isListChanged];
    };
    const uri = 'knowledge://notes/project/042-email';
    const file = folders.note('project', 'patterns/042-email', { title: 'Email', body: 'Another text.\n' });
    assert.deepEqual(await told(), [[uri], false], 'its text is not in the list');
    assert.deepEqual(await told(), [[], false]);
    folders.note('project', 'patterns/042-email', { title: 'Emails' });
    assert.deepEqual(await told(), [[uri], true]);
    folders.note('project', 'patterns/050-new');
    assert.deepEqual(await told(), [['knowledge://notes/project/050-new'], true]);
    renameSync(file, path.join(folders.roots.project, '042-email.md'));
    assert.deepEqual(await told(), [[uri], true], 'it lies in another folder');
    rmSync(path.join(folders.roots.project, '042-email.md'));
    assert.deepEqual(await told(), [[uri], true]);
  });
});
