import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isAllowed, parseRobots } from '../../src/library/fetching/robots';
import { turnsDuring } from '../support/turns';

describe('robots rules (RFC 9309)', () => {
  async function allowed(robots: string, ...paths: readonly string[]): Promise<boolean[]> {
    const rules = await parseRobots(robots, 'Kaizen');
    return Promise.all(paths.map((path) => isAllowed(rules, new URL(path, 'https://example.org'))));
  }

  it('are those of the groups that name us, else those for all, else none', async () => {
    const groups =
      'User-agent: *\nDisallow: /\n\nUser-agent: kaizen\nDisallow: /a\n\nUser-agent: KAIZEN/2.0\nDisallow: /b';
    assert.deepEqual(await allowed(groups, '/a', '/b', '/c'), [false, false, true]);
    assert.deepEqual(await allowed('User-agent: kaizenbot\nDisallow: /\n', '/a'), [true]);
    assert.deepEqual(await allowed('User-agent: other\nDisallow: /\nUser-agent: *\nDisallow: /x', '/a', '/x'), [
      true,
      false,
    ]);
    assert.deepEqual(await allowed('Disallow: /', '/a'), [true]);
    assert.deepEqual(await allowed('', '/a'), [true]);
  });

  it('are read a line after the other, however lines end, with a turn for others at each', async () => {
    const ended = '\r\r\n\nUser-agent: *\r\rDisallow: /a\n\n\nDisallow: /b\r\nDisallow: /c';
    assert.deepEqual(await allowed(ended, '/a', '/b', '/c', '/d'), [false, false, false, true]);
    const lines = 'User-agent: *\n'.repeat(500);
    assert.ok((await turnsDuring(() => parseRobots(lines, 'Kaizen'))) >= 500);
  });

  it('are shared by names that stand one below the other', async () => {
    const shared = 'User-agent: a\nUser-agent: kaizen # us\nUser-agent: b\nDisallow: /x\nUser-agent: c\nDisallow: /';
    assert.deepEqual(await allowed(shared, '/x', '/y'), [false, true]);
  });

  it('hold by the longest that matches; of two of one length, the one that allows', async () => {
    const rules =
      'User-agent: *\nDisallow: /a\nAllow: /a/public\nDisallow: /a/public/not\nAllow: /page\nDisallow: /page';
    assert.deepEqual(await allowed(rules, '/a', '/ab', '/a/public/x', '/a/public/not', '/page', '/'), [
      ...[false, false, true, false, true, true],
    ]);
    assert.deepEqual(await allowed('User-agent: *\nAllow: /\nDisallow: /*.htm', '/a.htm', '/a'), [false, true]);
  });

  it('take * for anything and $ for the end', async () => {
    const rules = 'User-agent: *\nDisallow: /*.gif$\nDisallow: /a*b*c\nDisallow: /end$\nDisallow: *?session=';
    assert.deepEqual(await allowed(rules, '/x/y.gif', '/x.gif?a', '/a1b2c3', '/acb', '/end', '/end/'), [
      ...[false, true, false, true, false, true],
    ]);
    assert.deepEqual(await allowed(rules, '/q?session=1', '/q?x=session'), [false, true]);
    // What must end so begins behind what stands before it.
    assert.deepEqual(await allowed('User-agent: *\nDisallow: /ab*ba$', '/aba', '/abba', '/abxba'), [
      true,
      false,
      false,
    ]);
  });

  it('compare addresses in one form', async () => {
    const rules =
      'User-agent: *\nDisallow: /caf%C3%A9\nDisallow: /täglich\nDisallow: /a%2fb\nDisallow: /%7Eme\nDisallow: /lit%2Aeral';
    assert.deepEqual(
      await allowed(rules, '/café', '/caf%c3%a9', '/t%C3%A4glich', '/a%2Fb', '/a/b', '/~me', '/lit*eral'),
      [...[false, false, false, false, true, false, false]],
    );
  });

  it('are read through marks, comments, odd line ends and what is not known', async () => {
    const odd =
      '\uFEFFuser-agent : * # all\r# nothing\rSITEMAP: https://example.org/map\r\n\tDISALLOW :/x # so\nNoindex: /y\n:::\nDisallow\n';
    assert.deepEqual(await allowed(odd, '/x', '/y'), [false, true]);
    assert.deepEqual(await allowed('User-agent: *\nDisallow:\n', '/x'), [true]);
    assert.deepEqual(await allowed('User-agent: *\nDisallow: x\n', '/x'), [false]);
  });

  it('never forbid themselves', async () => {
    assert.deepEqual(await allowed('User-agent: *\nDisallow: /', '/robots.txt', '/'), [true, false]);
  });

  it('may ask for a pause', async () => {
    assert.equal((await parseRobots('User-agent: *\nCrawl-delay: 2.5', 'Kaizen')).crawlDelay, 2.5);
    assert.equal((await parseRobots('User-agent: *\nCrawl-delay: -1', 'Kaizen')).crawlDelay, undefined);
    assert.equal((await parseRobots('User-agent: other\nCrawl-delay: 9', 'Kaizen')).crawlDelay, undefined);
  });

  it('match as the pattern means it, whatever it is', async () => {
    const letter = fc.constantFrom('a', 'b', '/', '*');
    const pattern = fc
      .tuple(fc.array(letter, { maxLength: 7 }), fc.boolean())
      .map(([text, end]) => `/${text.join('')}${end ? '$' : ''}`);
    const path = fc.array(fc.constantFrom('a', 'b', 'x'), { maxLength: 9 }).map((text) => `/${text.join('')}`);
    await fc.assert(
      fc.asyncProperty(pattern, path, async (said, asked) => {
        const meant = new RegExp(`^${said.replace(/\*/g, '.*')}`).test(asked);
        assert.deepEqual(await allowed(`User-agent: *\nDisallow: ${said}`, asked), [!meant]);
      }),
      { numRuns: 500 },
    );
  });

  it('are read from anything without a fault', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.webUrl({ withQueryParameters: true }),
        async (robots, url) => {
          const rules = await parseRobots(`User-agent: *\nDisallow: ${robots}\n${robots}`, 'Kaizen');
          assert.equal(typeof (await isAllowed(rules, new URL(url))), 'boolean');
        },
      ),
      { numRuns: 200 },
    );
  });

  it('let others have their turn, however many there are', async () => {
    const rules = Array.from({ length: 20_000 }, (_, at) => `Disallow: /${'*a'.repeat(5)}${at}b`).join('\n');
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    const parsed = await parseRobots(`User-agent: *\n${rules}`, 'Kaizen');
    assert.equal(await isAllowed(parsed, new URL(`https://example.org/${'a'.repeat(4_000)}`)), true);
    clearInterval(counting);
    assert.ok(turns > 1, `${turns} turns`);
  });
});
