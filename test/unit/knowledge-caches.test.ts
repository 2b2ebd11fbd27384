import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';

/** All three steps and the rest of what is remembered, so that stale answers have nowhere to hide. */
function answers({ knowledge }: Hall, scope = 'shop') {
  return {
    categories: knowledge.getCategories(scope).map(({ name, tier }) => `${name} ${tier}`),
    keywords: knowledge.getKeywords(scope, ['git']).git,
    content: knowledge.getKnowledge(scope, ['commit']).map(({ content }) => content)[0],
    risks: knowledge.getRisks(scope).map(({ keyword }) => keyword),
    chain: knowledge.chain(scope).map(({ id }) => id),
  };
}

for (const place of ['two directories', 'one directory']) {
  describe(`what is remembered, with the stores in ${place}, is forgotten`, () => {
    const open = useHalls();
    let hall: Hall;
    let peer: Hall;

    beforeEach(async () => {
      const { data, shared } = await open();
      const directories = { data, shared: place === 'one directory' ? data : shared };
      hall = await open(directories);
      peer = await open(directories);
      await hall.define('general', 'GENERAL');
      await hall.define('team', 'GROUP');
      await hall.define('shop', 'PROJECT', ['team']);
      await hall.put('team', 'git', 'commit', 'team rule');
      answers(hall);
      answers(peer);
    });

    it('when this process writes, at every tier', async () => {
      for (const scope of ['general', 'team', 'shop']) {
        await hall.put(scope, `git.of-${scope}`, `k-${scope}`, `DANGER: ${scope}`);
        const { categories, keywords, risks } = answers(hall);
        assert.ok(categories.some((category) => category.startsWith(`git.of-${scope}`)));
        assert.ok(keywords?.includes(`k-${scope}`) && risks.includes(`k-${scope}`));
      }
      await hall.put('shop', 'git', 'commit', 'own rule');
      assert.equal(answers(hall).content, 'own rule');
      await hall.knowledge.delete({ scope_id: 'shop', category: 'git', keyword: 'commit' }, BY_TESTER);
      assert.equal(answers(hall).content, 'team rule');
      await hall.knowledge.restore({ scope_id: 'shop', category: 'git', keyword: 'commit' }, 1, BY_TESTER);
      assert.equal(answers(hall).content, 'own rule');
    });

    it('when another hall on the same directories writes', async () => {
      await peer.put('team', 'git', 'commit', 'changed');
      assert.equal(answers(hall).content, 'changed');
      await peer.put('general', 'git', 'push', 'x');
      assert.deepEqual(answers(hall).keywords, ['commit', 'push']);
      await hall.put('shop', 'git', 'commit', 'own rule');
      assert.equal(answers(peer).content, 'own rule');
    });

    it('when scopes are redefined, renamed or deleted, here or there', async () => {
      for (const [writer, reader] of [
        [hall, hall],
        [hall, peer],
        [peer, hall],
      ] as [Hall, Hall][]) {
        await writer.define('shop', 'PROJECT', ['team']);
        assert.equal(answers(reader).content, 'team rule');
        await writer.define('shop', 'PROJECT', []);
        assert.deepEqual(answers(reader), {
          categories: [],
          keywords: [],
          content: undefined,
          risks: [],
          chain: ['shop', 'general'],
        });
      }
      await hall.define('a-team', 'GROUP');
      await hall.put('a-team', 'git', 'commit', 'a-team rule');
      await hall.define('shop', 'PROJECT', ['team', 'a-team']);
      assert.equal(answers(peer).content, 'a-team rule');
      await peer.define('a-team', 'GROUP', undefined, 'z-team');
      assert.equal(answers(hall).content, 'team rule');
      await peer.knowledge.deleteScope('team', { confirmed: true }, BY_TESTER);
      assert.equal(answers(hall).content, 'a-team rule');
    });

    it('however often scopes and entries change in turn', async () => {
      // Whatever the caches count, there is a moment here in which the counts of two states meet.
      for (let changes = 0; changes < 12; changes++) {
        for (let n = 0; n <= changes; n++) await hall.put('team', 'git', 'commit', `team rule ${changes} ${n}`);
        await hall.define('shop', 'PROJECT', ['team']);
        assert.equal(answers(hall).content, `team rule ${changes} ${changes}`);
        assert.equal(answers(peer).content, `team rule ${changes} ${changes}`);
        await hall.define('shop', 'PROJECT', []);
        assert.equal(answers(hall).content, undefined);
        assert.equal(answers(peer).content, undefined);
      }
    });

    it('when another process writes', () => {
      const script = `
        const { Kaizen } = require(${JSON.stringify(path.resolve('src/kaizen.ts'))});
        const kaizen = new Kaizen(${JSON.stringify({ data: hall.data, shared: hall.shared })});
        const entry = { target_scope_id: 'team', category: 'git', keyword: 'commit', content: 'from afar' };
        kaizen.parts()
          .then(({ knowledge }) => knowledge.storeOverwrite(entry, { author: 'other' }))
          .then(() => kaizen.close());`;
      execFileSync(process.execPath, ['--import', 'tsx', '--input-type=commonjs', '-e', script], { stdio: 'pipe' });
      assert.equal(answers(hall).content, 'from afar');
    }).timeout(30_000);

    it('and listeners are told which scopes changed, by this hall or another', async () => {
      const told: string[] = [];
      const listening = await hall.kaizen.onDidChange((topics) => told.push(...topics));
      const until = async (topic: string) => {
        const deadline = Date.now() + 10_000;
        while (!told.includes(topic) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
        assert.ok(told.includes(topic), `${topic} was not among ${told}`);
      };
      await hall.put('shop', 'git', 'commit');
      await until('entries:shop');
      await peer.put('team', 'git', 'commit');
      await until('entries:team');
      await peer.define('new', 'GROUP');
      await until('scopes');
      listening.dispose();
    });
  });
}
