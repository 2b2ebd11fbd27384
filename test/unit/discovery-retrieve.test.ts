import assert from 'node:assert/strict';
import path from 'node:path';
import { plainText } from '../../src/discovery/plain-text';
import { BaseFolders, HARBOUR } from '../support/base-folders';
import { error, type Hall, useHalls } from '../support/hall';

describe('retrieving', () => {
  const open = useHalls();
  let hall: Hall;

  beforeEach(async () => {
    hall = await open({ project: 'shop', countReads: true, bases: [{ name: 'harbour', root: HARBOUR }] });
    await hall.define('general', 'GENERAL');
    await hall.define('shop', 'PROJECT');
    await hall.put('shop', 'git', 'branch/naming', '**Branches**: `feature/x`. WARNING: no spaces.', { REASON: 'CI' });
  });

  const URI = 'knowledge://scopes/shop/git/branch%2Fnaming';

  it('gives a node by id, by path and by address, its content as it is written', async () => {
    const references = [
      'guidelines.security.authentication',
      'harbour:guidelines.security.authentication',
      'guidelines/SECURITY.md#authentication',
      'knowledge://harbour/guidelines/SECURITY.md#authentication',
    ];
    for (const id of references) {
      const { nodes, total_tokens, message } = await hall.discovery.retrieve({ ids: [id] });
      assert.equal(nodes.length, 1, id);
      const [node] = nodes;
      assert.equal(node!.id, 'guidelines.security.authentication');
      assert.equal(node!.path, 'guidelines/SECURITY.md#authentication');
      assert.match(node!.content, /^Users sign in with a password/);
      assert.deepEqual(node!.metadata.keywords, ['jwt', 'login', 'session']);
      assert.equal(node!.metadata.type, 'guideline');
      assert.deepEqual(node!.children, []);
      assert.ok(total_tokens > 10);
      assert.equal(message, undefined);
    }
    const { nodes } = await hall.discovery.retrieve({ ids: references });
    assert.equal(nodes.length, 1, 'the same only once');
  });

  it('gives children nested when asked', async () => {
    const { nodes, total_tokens } = await hall.discovery.retrieve({
      ids: ['guidelines/SECURITY.md'],
      include_children: true,
    });
    const [file] = nodes;
    const authentication = file!.children.find(({ title }) => title === 'Authentication');
    assert.deepEqual(
      authentication!.children.map(({ title }) => title),
      ['Signing JWT Tokens', 'Password Hashing'],
    );
    const alone = await hall.discovery.retrieve({ ids: ['guidelines/SECURITY.md'] });
    assert.ok(total_tokens > alone.total_tokens);
  });

  it('gives an entry by address, by path and by keyword', async () => {
    for (const id of [URI, 'shop/git/branch/naming', 'branch/naming']) {
      const { nodes } = await hall.discovery.retrieve({ ids: [id] });
      assert.deepEqual(nodes, [
        {
          id: URI,
          path: 'shop/git/branch/naming',
          title: 'branch/naming',
          metadata: { REASON: 'CI', type: 'entry', scope: 'shop', tier: 'PROJECT', category: 'git' },
          content: '**Branches**: `feature/x`. WARNING: no spaces.',
          children: [],
        },
      ]);
    }
  });

  it('gives structured metadata as json and no marks as plain', async () => {
    const ids = ['guidelines.security.authentication.jwt', URI];
    const json = await hall.discovery.retrieve({ ids, format: 'json' });
    const [node, entry] = json.nodes;
    assert.equal(node!.metadata.parent_id, 'guidelines.security.authentication');
    assert.deepEqual(node!.metadata.blocked_by, []);
    assert.equal(typeof node!.metadata.content_hash, 'string');
    assert.deepEqual(entry!.metadata.metaknowledge, { REASON: 'CI' });
    assert.deepEqual(entry!.metadata.risks, [{ level: 'WARNING', text: 'no spaces.' }]);
    const plain = await hall.discovery.retrieve({ ids, format: 'plain' });
    assert.match(plain.nodes[0]!.content, /^Sign tokens with EdDSA\./);
    assert.match(plain.nodes[0]!.content, /const token = await new SignJWT/);
    assert.equal(plain.nodes[1]!.content, 'Branches: feature/x. WARNING: no spaces.');
  });

  it('gives the rest when some ids are unknown, and names those with near ones', async () => {
    const { nodes, message } = await hall.discovery.retrieve({ ids: ['guidelines.securty', URI, 'zzz'] });
    assert.equal(nodes.length, 1);
    assert.match(message ?? '', /guidelines\.securty.*guidelines\.security/);
    assert.match(message ?? '', /zzz/);
    await assert.rejects(hall.discovery.retrieve({ ids: ['guidelines.securty'] }), error('unknown_node', /security/));
    await assert.rejects(hall.discovery.retrieve({ ids: ['yyy', 'zzz'] }), error('unknown_node', /yyy/, /zzz/));
  });

  it('refuses too many ids, none, and other formats', async () => {
    const { discovery } = hall;
    const many = Array.from({ length: 21 }, (_, n) => `node-${n}`);
    await assert.rejects(discovery.retrieve({ ids: many }), error('invalid_argument', /21.*20/));
    await assert.rejects(discovery.retrieve({ ids: [] }), error('invalid_argument'));
    const odd = { ids: [URI], format: 'pdf' as 'plain' };
    await assert.rejects(discovery.retrieve(odd), error('invalid_argument', /markdown, json, plain/));
  });

  it('leaves out what one answer has no room for, and names it', async () => {
    const folders = new BaseFolders();
    try {
      const section = (n: number) => `## Part ${n}\n\n${'word '.repeat(30_000)}\n`;
      folders.write({ 'docs/big.md': `# Big\n\n${[1, 2, 3, 4].map(section).join('\n')}` });
      const big = await open({ bases: [{ name: 'docs', root: path.join(folders.path, 'docs') }] });
      const { nodes, message } = await big.discovery.retrieve({ ids: ['big'], include_children: true });
      assert.equal(nodes[0]!.children.length, 2);
      assert.match(message ?? '', /left out: big\.part-3, big\.part-4/);
    } finally {
      await folders.remove();
    }
  });

  describe('counts', () => {
    const counted = ({ discovery }: Pick<Hall, 'discovery'>) =>
      discovery.usage().map(({ title, recommended, retrieved }) => [title, recommended, retrieved]);

    it('what agents were given, over restarts', async () => {
      await hall.discovery.discover({ task_description: 'branch naming' });
      await hall.discovery.retrieve({ ids: [URI, 'guidelines.security.authentication'] });
      await hall.discovery.retrieve({ ids: [URI] });
      assert.deepEqual(hall.discovery.usage(), [], 'written down now and then');
      const { data, shared, clock } = hall;
      await hall.kaizen.close();
      hall = await open({ data, shared, clock, project: 'shop', countReads: true });
      const [first, second] = hall.discovery.usage(2);
      assert.deepEqual(first, {
        uri: URI,
        title: 'branch/naming',
        recommended: 1,
        retrieved: 2,
        last_at: '2026-05-04T09:00:00.000Z',
      });
      assert.equal(second!.title, 'Authentication');
      const { never_read } = await hall.knowledge.statistics();
      assert.deepEqual(never_read, [], 'the dashboard knows that the entry was read');
    });

    it('nothing unless it is wanted, and nothing for people', async () => {
      await hall.discovery.find('branch');
      await hall.discovery.search({ query: 'branch' });
      await hall.discovery.forFile({ path: 'src/a.ts', text: 'branch naming' });
      const { data, shared } = hall;
      await hall.kaizen.close();
      const quiet = await open({ data, shared, project: 'shop' });
      assert.deepEqual(counted(quiet), []);
      await quiet.discovery.discover({ task_description: 'branch naming' });
      await quiet.discovery.retrieve({ ids: [URI] });
      await quiet.kaizen.close();
      assert.deepEqual(counted(await open({ data, shared, project: 'shop' })), []);
    });

    it('are in no export', async () => {
      await hall.discovery.retrieve({ ids: [URI] });
      const { data, shared } = hall;
      await hall.kaizen.close();
      const again = await open({ data, shared, project: 'shop' });
      assert.equal(counted(again).length, 1);
      const types = new Set((await again.kaizen.exportRecords()).map(({ type }) => type));
      assert.deepEqual([...types].sort(), ['entry', 'scope']);
    });
  });
});

describe('plain text', () => {
  it('is markdown without its marks, fenced code as it is', () => {
    const markdown = [
      '# Title',
      '',
      'A [link](https://example.org "title"), ![picture](a.png), **bold**, *slanted*, `code` and ~~gone~~.',
      '> quoted <b>html</b> <!-- comment -->',
      '- item\\*',
      '| a | b |',
      '|---|---|',
      '| 1 | 2 |',
      '```md',
      '# **kept** [as](it)',
      '```',
      'snake_case_name stays, _this_ goes',
    ].join('\n');
    assert.equal(
      plainText(markdown),
      [
        'Title',
        '',
        'A link, picture, bold, slanted, code and gone.',
        'quoted html',
        '- item*',
        ' a | b',
        ' 1 | 2',
        '# **kept** [as](it)',
        'snake_case_name stays, this goes',
      ].join('\n'),
    );
  });

  it('is made of any text, whatever stands in it', () => {
    // Anything quadratic would take longer than a test may.
    for (const monster of ['[', '![', '](', '<', '<!--', '`', '*', '_', '**a', '[a](', '|', '> ', '\\', '~~', '[[]']) {
      const text = monster.repeat(1_000_000 / monster.length);
      assert.ok(plainText(text).length <= text.length, monster);
    }
  });
});
