import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createWeb, FETCHING_LIMITS, privateNetwork } from '../../src/library/fetching';
import { turnsDuring } from '../support/turns';

describe('links of a page', () => {
  const web = createWeb({}, { clock: { now: () => 0 } });

  function links(
    html: string | Buffer,
    { url = 'https://www.example.org/docs/', mediaType = 'text/html' } = {},
  ): Promise<readonly string[]> {
    return web.links({ url, status: 'fetched', bytes: Buffer.from(html as string), mediaType, fetched_at: '' });
  }

  it('are those to the same site, in order, each once, without fragments', async () => {
    const html = `<a href="b">1</a> <A HREF='/c?x=1&amp;y=2#part'>2</A><a href=d>3</a><a href="b#again">4</a>
      <a href="#here">5</a><a href="https://example.org/e">6</a><a href="https://other.org/">7</a>
      <a href="https://sub.example.org/">8</a><a href="mailto:a@example.org">9</a><a href="javascript:x()">10</a>
      <a href="https://www.example.org:8443/">11</a><area href="/f"><a name="x">12</a><a href="">13</a>`;
    assert.deepEqual(await links(html), [
      'https://www.example.org/docs/b',
      'https://www.example.org/c?x=1&y=2',
      'https://www.example.org/docs/d',
      'https://example.org/e',
      'https://www.example.org/f',
    ]);
  });

  it('are not what stands in comments, scripts and the like, or leads to what is no page', async () => {
    const html = `<!-- <a href="/1"> --><script>'<a href="/2">'</script><style><a href="/3"></style>
      <template><a href="/4"></template><a href="/5.png"></a><a href="/6.zip?x"></a><a title="<a href='/7'>" href="/8"></a>
      <a href="/9.pdf"></a><abbr href="/10"></abbr><svg><a href="/11"></a></svg><a href="/12" rel="noopener nofollow"></a>`;
    assert.deepEqual(await links(html), ['https://www.example.org/8', 'https://www.example.org/9.pdf']);
  });

  it('are looked for in short turns, whatever the page is made of', async () => {
    for (const [piece, turns] of [
      ['<!-- -->', 2_000],
      ['<p>', 2_000],
      ['<', 20],
      ['<script></script>', 2_000],
    ] as const) {
      const taken = await turnsDuring(() => links(`${piece.repeat(2_000)} <a href="/x">`));
      assert.ok(taken >= turns, `${piece}: ${taken} turns`);
    }
    assert.deepEqual(await links(`${'<'.repeat(500)}<${'a'.repeat(500)} <!--<a href="/y">--><a href="/x">`), [
      'https://www.example.org/x',
    ]);
  });

  it('are relative to the base that the page names, the first one', async () => {
    assert.deepEqual(await links('<base href="/v2/"><base href="/v3/"><a href="x">'), ['https://www.example.org/v2/x']);
    assert.deepEqual(await links('<base href="https://other.org/"><a href="x"><a href="https://www.example.org/y">'), [
      'https://www.example.org/y',
    ]);
  });

  it('lead on as safely as the page came', async () => {
    assert.deepEqual(await links('<a href="http://example.org/x">'), ['https://example.org/x']);
    assert.deepEqual(await links('<a href="https://example.org/x">', { url: 'http://example.org/' }), [
      'https://example.org/x',
    ]);
  });

  it('are none where the page does not want to be followed, or is no page', async () => {
    assert.deepEqual(await links('<meta name="robots" content="noindex, nofollow"><a href="/x">'), []);
    assert.deepEqual(await links('<meta content="none" name=ROBOTS><a href="/x">'), []);
    assert.deepEqual(await links('<a href="/x">', { mediaType: 'text/plain' }), []);
    assert.equal((await links('<meta name="robots" content="index"><a href="/x">')).length, 1);
  });

  it('are read as the page is written', async () => {
    assert.deepEqual(await links(Buffer.from('<a href="/café">')), ['https://www.example.org/caf%C3%A9']);
    assert.deepEqual(
      await links(Buffer.from('<a href="/caf\xe9">', 'latin1'), { mediaType: 'text/html; charset=iso-8859-1' }),
      ['https://www.example.org/caf%C3%A9'],
    );
    assert.deepEqual(await links(Buffer.from('\uFEFF<a href="/x">', 'utf16le')), ['https://www.example.org/x']);
  });

  it('are no more than a page may have', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `<a href="/${at}">`).join('');
    assert.equal((await links(many)).length, FETCHING_LIMITS.links);
    assert.equal((await links(`<a href="/${'x'.repeat(10_000)}">`)).length, 0);
  });

  it('come to an end, however a page is made', async () => {
    const pieces = [
      '<a href="/x"',
      '<p ',
      "<a href='/y'>",
      '<script></script>',
      '<a =" ',
      '<!--',
      '<svg>',
      '<a href="/z" ',
    ];
    for (const piece of pieces) assert.ok((await links(piece.repeat(2_000_000 / piece.length))).length <= 1, piece);
  });

  it('are taken from anything without a fault, and stay on the site', async () => {
    const piece = fc.constantFrom(
      '<a ',
      '<',
      '>',
      '"',
      "'",
      'href=',
      '/x',
      '<!--',
      '-->',
      '<script>',
      '</script>',
      ' ',
      '&amp;',
      '//',
      'é',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        for (const link of await links(pieces.join('')))
          assert.equal(new URL(link).hostname.replace('www.', ''), 'example.org');
      }),
      { numRuns: 500 },
    );
  });
});

describe('addresses of private networks', () => {
  it('stay private in every form of IPv6 that carries them, and public ones public', () => {
    fc.assert(
      fc.property(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)), (parts) => {
        const address = parts.join('.');
        const hex = parts.map((part) => part.toString(16).padStart(2, '0'));
        const what = privateNetwork(address);
        const [high, low] = [hex.slice(0, 2).join(''), hex.slice(2).join('')];
        for (const form of [
          ...[`::ffff:${address}`, `::ffff:${high}:${low}`, `0:0:0:0:0:ffff:${high}:${low}`],
          ...[`64:ff9b::${address}`, `2002:${high}:${low}::1`, `::ffff:0:${address}`],
        ]) {
          assert.equal(privateNetwork(form), what, form);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are known at their borders', () => {
    const inside = [
      '10.255.255.255',
      '172.16.0.0',
      '172.31.255.255',
      '100.64.0.0',
      '100.127.255.255',
      '169.254.0.0',
      '239.0.0.1',
    ];
    const outside = [
      '9.255.255.255',
      '11.0.0.0',
      '172.15.255.255',
      '100.63.255.255',
      '100.128.0.0',
      '192.169.0.0',
      '223.255.255.255',
    ];
    for (const address of inside) assert.notEqual(privateNetwork(address), undefined, address);
    for (const address of outside) assert.equal(privateNetwork(address), undefined, address);
    for (const address of [
      'fe80::1%eth0',
      'febf::1',
      'fec0::1',
      'fc00::',
      'fdff::1',
      'ff05::2',
      '::',
      '::1',
      '3fff::1',
      '5f00::1',
      'x',
    ]) {
      assert.notEqual(privateNetwork(address), undefined, address);
    }
    for (const address of ['2a00:1450::1', '2400:cb00::', '2001:4860:4860::8888'])
      assert.equal(privateNetwork(address), undefined);
  });
});
