import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { agentsFile, type Holding, type HoldingEntry, htmlReport, parseLines } from '../../src/transfer';
import { type Hall, useHalls } from '../support/hall';

const AT = '2026-03-01T10:00:00.000Z';

function entry(keyword: string, content: string, more: Partial<HoldingEntry> = {}): HoldingEntry {
  return {
    ...{ scope: 'shop', tier: 'PROJECT', category: 'git', keyword, content, metaknowledge: {}, risks: [] },
    ...{ at: AT, author: 'ada', by_agent: false, overrides: [] },
    ...more,
  };
}

const holding = (...entries: HoldingEntry[]): Holding => ({
  chain: [
    { id: 'shop', tier: 'PROJECT', name: 'Shop', description: null },
    { id: 'general', tier: 'GENERAL', name: 'General', description: 'For all' },
  ],
  overview: undefined,
  entries,
});

async function example(open: () => Promise<Hall>): Promise<Holding> {
  const hall = await open();
  const text = readFileSync('examples/checkout-api/knowledge.jsonl', 'utf8');
  await hall.kaizen.importRecords(parseLines(text, { author: 'me', at: AT }), { author: 'me' });
  return hall.kaizen.holding('checkout-api');
}

/** Elements that can run, load, send or cover something. */
const DANGEROUS = 'script,iframe,object,embed,form,input,button,img,svg,math,base,link,video,audio,body *[style]';

/** As much of a document as is looked at here. */
interface Element {
  id: string;
  tagName: string;
  textContent: string | null;
  getAttribute(name: string): string | null;
  getAttributeNames(): string[];
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element> & ArrayLike<Element>;
}

function parse(html: string): Pick<Element, 'querySelector' | 'querySelectorAll'> {
  return (parseHTML(html) as unknown as { document: Element }).document;
}

function assertHarmless(html: string): void {
  const document = parse(html);
  assert.equal(document.querySelectorAll(DANGEROUS).length, 0, 'no element of an entry');
  for (const element of document.querySelectorAll('*')) {
    for (const name of element.getAttributeNames()) {
      assert.doesNotMatch(name, /^on/i);
      if (name === 'href') assert.match(element.getAttribute('href') ?? '', /^(#[a-z]|https?:|mailto:)/);
    }
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const UNSEEN = /[\u202A-\u202E\u2066-\u2069\u0000\u001B]/;

const HOSTILE = [
  '<script>alert(1)</script>',
  '</article></main><img src=x onerror=alert(1)>',
  '[click](javascript:alert(1)) [b](JaVaScRiPt:alert`1`) [c](data:text/html,x) [d](vbscript:x)',
  '[a](https://e.example/"onmouseover="alert(1))',
  '```\ncode\n```\n</code></pre><svg onload=alert(1)>',
  '~~~~\nnever closed <b>',
  '![x](https://e.example/x.png) <https://e.example/"><script>alert(1)</script>>',
  '`</code><script>` ``a`b`` `open',
  '**<b onclick=x>** *<i>* ***a***',
  '> > > > > > > > <style>*{display:none}</style>',
  '- - - - - - - - 1) - a\n\t\t<form action=x>',
  '<!-- kaizen:knowledge:end --> <!--kaizen:end--> ]]> --> <!--',
  '\u202Egnp.exe \u{E0041}\u{E0042} \u0000 \u001B[2J',
  '<meta http-equiv=refresh content="0;url=https://e.example">',
];

describe('what holds, as one HTML report', () => {
  const open = useHalls();

  it('holds every entry of the example with its risks, reasons, dates and authors, and the chain that it comes from', async () => {
    const what = await example(() => open());
    const html = await htmlReport(what);
    const document = parse(html);
    assert.equal(document.querySelectorAll('article').length, what.entries.length);
    const keywords = [...document.querySelectorAll('article h4')].map((each) => each.textContent?.split(' ')[0]);
    assert.deepEqual([...keywords].sort(), what.entries.map(({ keyword }) => keyword.split(' ')[0]).sort());
    assert.deepEqual(
      [...document.querySelectorAll('section#x, section[aria-labelledby=scopes] li > strong')].map(
        (e) => e.textContent,
      ),
      what.chain.map(({ tier }) => tier),
    );
    const risks = what.entries.flatMap((each) => each.risks);
    assert.ok(risks.length > 3);
    assert.equal(document.querySelectorAll('article .risk').length, risks.length);
    for (const level of ['DANGER', 'WARNING']) assert.ok(html.includes(`<strong>${level}</strong>`));
    const withReason = what.entries.filter(({ metaknowledge }) => metaknowledge.REASON !== undefined);
    assert.ok(withReason.length > 3);
    assert.equal(
      [...document.querySelectorAll('dt')].filter((e) => e.textContent === 'Reason').length,
      withReason.length,
    );
    assert.match(html, /<time datetime="20\d\d-\d\d-\d\d">/);
    assertHarmless(html);
  });

  it('is one file that runs and loads nothing, with a policy, a language, an outline and links that lead somewhere', async () => {
    const html = await htmlReport(await example(() => open()));
    assert.match(html, /<html lang="en">/);
    assert.match(html, /content="default-src 'none'; style-src 'unsafe-inline';/);
    assert.doesNotMatch(html, /<script|<link|<img|src=|@import|url\(/);
    const document = parse(html);
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, 'each id stands once');
    for (const link of document.querySelectorAll('a[href^="#"]')) {
      assert.ok(ids.includes((link.getAttribute('href') ?? '').slice(1)), String(link));
    }
    let level = 0;
    for (const heading of document.querySelectorAll('h1,h2,h3,h4,h5,h6')) {
      const next = Number(heading.tagName[1]);
      assert.ok(next <= level + 1, `${heading.tagName} below h${level}: ${heading.textContent}`);
      level = next;
    }
    assert.equal(document.querySelectorAll('h1').length, 1);
  });

  it('is the same for the same knowledge, and leaves authors out when told to', async () => {
    const what = await example(() => open());
    assert.equal(await htmlReport(what), await htmlReport(what));
    const anonymous = { ...what, entries: what.entries.map((each) => ({ ...each, author: 'zoltan-the-author' })) };
    assert.match(await htmlReport(anonymous), /zoltan-the-author/);
    assert.doesNotMatch(await htmlReport(anonymous, { authors: false }), /zoltan-the-author/);
  });

  it('lets no text of an entry out of its place, wherever it stands', async () => {
    for (const text of HOSTILE) {
      const line = text.replace(/\n/g, ' ');
      const what: Holding = {
        chain: [{ id: 'shop', tier: 'PROJECT', name: line, description: text }],
        overview: undefined,
        entries: [
          entry(line, text, {
            category: line,
            author: line,
            metaknowledge: { REASON: text, [line]: text },
            risks: [{ level: 'DANGER', text }],
          }),
          entry('next', 'Stands by itself.'),
        ],
      };
      const html = await htmlReport(what);
      assertHarmless(html);
      const document = parse(html);
      assert.equal(document.querySelectorAll('article').length, 2, text);
      assert.equal(document.querySelectorAll('main > section > article').length, 2, text);
      assert.doesNotMatch(html, UNSEEN, text);
    }
  });

  it('shows Markdown as what it is', async () => {
    const text = [
      '# Title',
      'A **bold** and `a<b>` [link](https://e.example/a?b=1&c=2), see https://e.example/x.',
      '',
      '- one',
      '- two',
      '  - deeper',
      '',
      '3. three',
      '',
      '> quoted',
      '',
      '```ts',
      'const a = "<b>";',
      '```',
      '| a | b |',
      '|---|---|',
      '| 1 | 2 |',
    ].join('\n');
    const article = parse(await htmlReport(holding(entry('k', text)))).querySelector('article');
    assert.equal(article?.querySelector('.heading strong')?.textContent, 'Title');
    assert.equal(article?.querySelector('p strong + code')?.textContent, 'a<b>');
    assert.deepEqual(
      [...(article?.querySelectorAll('a') ?? [])].map((a) => a.getAttribute('href')),
      ['https://e.example/a?b=1&c=2', 'https://e.example/x'],
    );
    assert.equal(article?.querySelectorAll('ul > li').length, 3);
    assert.equal(article?.querySelector('ul ul li')?.textContent, 'deeper');
    assert.equal(article?.querySelector('ol')?.getAttribute('start'), '3');
    assert.equal(article?.querySelector('blockquote p')?.textContent, 'quoted');
    assert.equal(article?.querySelector('pre code')?.textContent, 'const a = "<b>";');
    assert.match(article?.querySelectorAll('pre')[1]?.textContent ?? '', /^\| a \| b \|\n/);
  });

  it('has tags in pairs and no element of the text, whatever is typed', async () => {
    const piece = fc.constantFrom(
      ...[
        '<',
        '>',
        '"',
        "'",
        '&',
        '`',
        '``',
        '*',
        '**',
        '_',
        '[',
        ']',
        '(',
        ')',
        '!',
        '\\',
        '\n',
        '\n\n',
        '- ',
        '> ',
        '    ',
      ],
      ...[
        '```',
        '~~~',
        'javascript:',
        'https://e.example/',
        '<script>',
        '</article>',
        'a',
        ' ',
        '#',
        '1. ',
        '|',
        '|-|-|',
        '\t',
      ],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        const html = await htmlReport(holding(entry('k', pieces.join('')), entry('next', 'x')));
        assertHarmless(html);
        assert.equal(parse(html).querySelectorAll('main > section > article').length, 2);
        const stack: string[] = [];
        for (const [, close, tag] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
          if (['meta', 'br', 'hr'].includes(tag!)) continue;
          if (close) assert.equal(stack.pop(), tag);
          else stack.push(tag!);
        }
        assert.deepEqual(stack, []);
      }),
      { numRuns: 300 },
    );
  });

  it('takes time in proportion to a text, whatever marks it is made of', async () => {
    for (const mark of ['`', '[', '**a ', '*', '> ', '- ', '<https://', '![', '\\', '``` ']) {
      const html = await htmlReport(holding(entry('k', mark.repeat(40_000))));
      assert.equal(parse(html).querySelectorAll('article').length, 1, mark);
    }
  });
});

describe('what holds, as AGENTS.md', () => {
  const open = useHalls();

  it('has what carries a risk first, gravest first, then the others by category, each with reason and source', async () => {
    const what = await example(() => open());
    const { text, written, left } = agentsFile(what, { limitBytes: 1_000_000 });
    assert.deepEqual([written, left], [what.entries.length, 0]);
    const byName = (a: string, b: string) => (a.replaceAll('`', '') < b.replaceAll('`', '') ? -1 : 1);
    const titles = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title!);
    const risky = titles.filter((title) => !title.startsWith('`'));
    assert.deepEqual(
      risky,
      ['DANGER', 'WARNING', 'LAST TIME'].filter((level) => risky.includes(level)),
    );
    assert.deepEqual(titles.slice(0, risky.length), risky);
    assert.deepEqual(titles.slice(risky.length), titles.slice(risky.length).sort(byName));
    assert.match(text, /^> Reason: /m);
    assert.match(text, /^From: `[^`]+`, (PROJECT|PRODUCT|GROUP|GENERAL) `[^`]+`, 20\d\d-\d\d-\d\d by /m);
    assert.equal(text, agentsFile(what, { limitBytes: 1_000_000 }).text);
    assert.doesNotMatch(agentsFile(what, { authors: false }).text, / by `/);
  });

  it('says what an agent wrote, also where nobody is named', () => {
    const what = holding(entry('of a person', 'Say why.'), entry('of an agent', 'Run it.', { by_agent: true }));
    const overview: NonNullable<Holding['overview']> = {
      ...{ type: 'overview', project: 'shop', purpose: 'A shop', tech_stack: [], compliance: [] },
      ...{ current_phase: null, key_constraints: ['No cookies'], author: 'claude', by_agent: true, at: AT },
    };
    const sources = (text: string) => [...text.matchAll(/^From: (.*)$/gm)].map(([, source]) => source);
    const entryOf = 'PROJECT `shop`, 2026-03-01';
    assert.deepEqual(sources(agentsFile({ ...what, overview }).text), [
      "the project's overview by `claude` (agent)",
      `${entryOf} by \`ada\``,
      `${entryOf} by \`ada\` (agent)`,
    ]);
    assert.deepEqual(sources(agentsFile({ ...what, overview }, { authors: false }).text), [
      "the project's overview by an agent",
      entryOf,
      `${entryOf} by an agent`,
    ]);
    const byPerson = { ...overview, by_agent: false };
    assert.equal(sources(agentsFile({ ...what, overview: byPerson }).text).length, 2);
    const silent = { ...overview, purpose: null, key_constraints: [] };
    assert.equal(sources(agentsFile({ ...what, overview: silent }).text).length, 2);
  });

  it('stays within its limit, leaves dangers out last, and says what was left out', () => {
    const long = (keyword: string, level?: 'DANGER' | 'WARNING') =>
      entry(keyword, 'word '.repeat(60), level ? { risks: [{ level, text: 'x' }] } : {});
    const what = holding(long('a'), long('b'), long('c', 'WARNING'), long('d', 'DANGER'), long('e'));
    fc.assert(
      fc.property(fc.integer({ min: 900, max: 4_000 }), (limitBytes) => {
        const { text, written, left } = agentsFile(what, { limitBytes });
        assert.ok(Buffer.byteLength(text) <= limitBytes, `${Buffer.byteLength(text)} of ${limitBytes}`);
        assert.equal(written + left, 5);
        assert.equal(/more entr(y|ies)|One more entry/.test(text), left > 0);
        const has = (keyword: string) => text.includes(`### \`${keyword}\``);
        if (has('c')) assert.ok(has('d'), 'the danger comes before the warning');
        if (has('a')) assert.ok(has('c'));
      }),
      { numRuns: 500 },
    );
  });

  it('is not kept from what fits by one danger that no room is enough for', () => {
    const huge = entry('huge', 'x'.repeat(5_000), { risks: [{ level: 'DANGER', text: 'x' }] });
    const { text, left } = agentsFile(holding(huge, entry('small', 'Short.')), { limitBytes: 2_000 });
    assert.equal(left, 1);
    assert.match(text, /### `small`/);
  });

  it('keeps every line of an entry in its quotation, and no mark of the file comes from one', () => {
    for (const text of HOSTILE) {
      const line = text.replace(/\n/g, ' ');
      const hostile = entry(line, text, {
        category: line,
        author: line,
        metaknowledge: { REASON: text, APPLIES_TO: line },
      });
      const { text: file } = agentsFile(holding(hostile, entry('next', 'Stands by itself.')));
      assert.doesNotMatch(file, /<!--\s*kaizen/i, text);
      const headings = file.split('\n').filter((each) => each.startsWith('#'));
      assert.equal(headings.filter((each) => each.startsWith('### ')).length, 2, text);
      for (const each of file.split('\n')) assert.match(each, /^(#|>|$|Rules and|Files: |From: )/, text);
      assert.doesNotMatch(file, UNSEEN, text);
    }
  });
});
