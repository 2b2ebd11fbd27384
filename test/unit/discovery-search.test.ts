import assert from 'node:assert/strict';
import path from 'node:path';
import { BaseFolders } from '../support/base-folders';
import { error, type Hall, useHalls } from '../support/hall';

describe('searching', () => {
  const open = useHalls();
  let folders: BaseFolders;
  let hall: Hall;

  beforeEach(async () => {
    folders = new BaseFolders();
    const harbour = folders.copyHarbour();
    folders.write({ 'other/NOTES.md': '# Rollback Notes\n\nWhat * we * learned of a rollback.\n' });
    const other = path.join(folders.path, 'other');
    hall = await open({
      project: 'shop',
      bases: [
        { name: 'harbour', root: harbour },
        { name: 'other', root: other },
      ],
    });
    await hall.define('general', 'GENERAL');
    await hall.define('shop', 'PROJECT');
    await hall.define('blog', 'PROJECT');
    await hall.put(
      'shop',
      'deploy',
      'rollback-first',
      'Roll back first, then look for the cause. A rollback takes minutes.',
    );
    await hall.put('general', 'deploy', 'rollback-first', 'Ask before a rollback.');
    await hall.put('blog', 'deploy', 'blog-rollback', 'A rollback of the blog.');
  });
  afterEach(() => folders.remove());

  const ids = async (query: string, scope?: string[]) => {
    const { results } = await hall.discovery.search({ query, scope, max_results: 100 });
    return results.map(({ id }) => id).sort();
  };

  describe('of search_knowledge', () => {
    it('finds nodes and entries of all scopes, and says where they stand', async () => {
      const { results, total, search_type_used } = await hall.discovery.search({ query: 'rollback' });
      assert.equal(search_type_used, 'keyword');
      assert.equal(total, results.length);
      const paths = results.map((row) => row.path);
      for (const expected of [
        'shop/deploy/rollback-first',
        'general/deploy/rollback-first',
        'blog/deploy/blog-rollback',
        'other/NOTES.md',
        'harbour/protocols/RELEASE.md#rollback',
      ]) {
        assert.ok(paths.includes(expected), `${expected} in ${paths.join(', ')}`);
      }
      const scores = results.map(({ score }) => score);
      assert.deepEqual(
        scores,
        [...scores].sort((a, b) => b - a),
      );
      assert.ok(scores.every((score) => score >= 0 && score <= 1));
    });

    it('shows what was found between two asterisks, and escapes those of the text', async () => {
      const { results } = await hall.discovery.search({ query: 'rollback', scope: ['other'] });
      assert.equal(results[0]!.snippet, 'What \\* we \\* learned of a **rollback**.');
      assert.match(results[0]!.reason, /"rollback" in its title/);
    });

    it('is narrowed by bases, scopes, files and nodes with what is below them', async () => {
      assert.deepEqual(
        await ids('rollback', ['other']),
        ['other:notes'].map((id) => id.replace('other:', '')),
      );
      assert.deepEqual(await ids('rollback', ['blog']), ['knowledge://scopes/blog/deploy/blog-rollback']);
      assert.deepEqual(await ids('rollback', ['protocols/RELEASE.md']), ['protocols.release.rollback']);
      assert.deepEqual(await ids('rollback', ['protocols.release']), ['protocols.release.rollback']);
      assert.deepEqual(await ids('rollback', ['protocols.release.canary']), []);
      const both = await ids('rollback', ['blog', 'protocols.release']);
      assert.deepEqual(both, ['knowledge://scopes/blog/deploy/blog-rollback', 'protocols.release.rollback']);
      assert.deepEqual(await ids('rollback', ['OTHER']), await ids('rollback', ['other']), 'bases have no case');
      await assert.rejects(ids('rollback', ['protocols.relaese']), error('unknown_node', 'protocols.release'));
      await assert.rejects(ids('rollback', ['othar']), error('unknown_node', /Knowledge bases: .*other/));
    });

    it('finds what lies in a part, however much fits better elsewhere', async () => {
      const loud = (file: number) =>
        Array.from({ length: 400 }, (_, n) => `## Zeppelin ${file} ${n}\n\nZeppelin zeppelin.\n`).join('\n');
      folders.write({
        ...Object.fromEntries([1, 2, 3].map((file) => [`sky/loud-${file}.md`, loud(file)])),
        'sky/quiet.md': `# Hangars\n\n## Doors\n\n${'They are wide enough. '.repeat(50)} For any zeppelin.\n`,
      });
      const large = await open({ bases: [{ name: 'sky', root: path.join(folders.path, 'sky') }] });
      const { results, total } = await large.discovery.search({ query: 'zeppelin', scope: ['quiet.md'] });
      assert.deepEqual([results.map(({ title }) => title), total], [['Doors'], 1]);
    });

    it('refuses what cannot be', async () => {
      const { discovery } = hall;
      await assert.rejects(discovery.search({ query: '  ' }), error('invalid_argument', /query/));
      await assert.rejects(
        discovery.search({ query: 'x', max_results: 101 }),
        error('invalid_argument', /max_results/),
      );
      const odd = { query: 'x', search_type: 'magic' as 'hybrid' };
      await assert.rejects(discovery.search(odd), error('invalid_argument', /semantic, keyword, hybrid/));
    });

    it('ends when it is cancelled', async () => {
      const cancelled = AbortSignal.abort(new Error('enough'));
      await assert.rejects(hall.discovery.search({ query: 'rollback' }, cancelled), /enough/);
      await assert.rejects(hall.discovery.discover({ task_description: 'rollback' }, cancelled), /enough/);
    });
  });

  describe('of people', () => {
    const titles = async (query: string, limit?: number) =>
      (await hall.discovery.find(query, limit)).map(({ title }) => title);

    beforeEach(async () => {
      await hall.discovery.discover({ task_description: 'anything' });
    });

    it('finds half-typed words, entries with that keyword first', async () => {
      const found = await titles('rollb');
      assert.equal(found[0], 'rollback-first');
      assert.ok(found.includes('Rollback'));
      await hall.put('shop', 'x', 'roll', 'Nothing of the kind.');
      await hall.discovery.discover({ task_description: 'anything' });
      assert.equal((await titles('roll'))[0], 'roll');
      assert.equal((await titles('ROLLBACK FIRST'))[0], 'rollback-first');
    });

    it('takes its query syntax', async () => {
      assert.deepEqual(await titles('rollback in:other'), ['Rollback Notes']);
      assert.deepEqual(await titles('rollback in:blog'), ['blog-rollback']);
      assert.ok((await titles('rollback type:protocol')).every((title) => title === 'Rollback'));
      assert.deepEqual(await titles('"learned of a rollback"'), ['Rollback Notes']);
    });

    it('shows where it stands and a part of the text with the marks', async () => {
      const [found] = await hall.discovery.find('rollback in:other');
      assert.deepEqual(
        { ...found, score: 1 },
        {
          uri: 'knowledge://other/NOTES.md',
          kind: 'node',
          title: 'Rollback Notes',
          path: 'other/NOTES.md',
          type: 'context',
          score: 1,
          snippet: { text: 'What * we * learned of a rollback.', marks: [{ start: 25, end: 33 }] },
        },
      );
    });

    it('finds nothing for nothing, and no more than was asked for', async () => {
      assert.deepEqual(await titles('  '), []);
      assert.equal((await titles('rollback', 2)).length, 2);
    });
  });

  describe('for a file', () => {
    it('gives the rules that name it, and what is about it', async () => {
      await hall.put('shop', 'auth', 'tokens-expire', 'WARNING: tokens expire.', { APPLIES_TO: 'src/auth/**' });
      await hall.discovery.discover({ task_description: 'anything' });
      const text = 'export async function authenticate(user: User) {\n  // sign a JWT token for the session\n}';
      const { rules, recommendations } = await hall.discovery.forFile({ path: 'src/auth/authentication.ts', text });
      assert.deepEqual(
        rules.map(({ keyword, applies_to }) => [keyword, applies_to]),
        [['tokens-expire', ['src/auth/**']]],
      );
      assert.ok(
        recommendations.some(({ uri }) => uri.includes('SECURITY.md#authentication')),
        recommendations.map(({ uri }) => uri).join(', '),
      );
      assert.ok(recommendations.every(({ title }) => title !== 'tokens-expire'));
      assert.deepEqual(hall.discovery.usage(), []);
      // As many as an agent gets that names no number.
      hall.discovery.configure({ default_max_results: 1 });
      const few = await hall.discovery.forFile({ path: 'src/auth/authentication.ts', text });
      assert.equal(few.recommendations.length, 1);
    });
  });
});
