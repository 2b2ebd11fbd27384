import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { KaizenError } from '../../src/core/errors';
import { chunksOf } from '../../src/library/chunking';
import type { NormalisedDocument } from '../../src/library/model';
import { readSource } from '../../src/library/reading';
import {
  cell,
  definition,
  list,
  numbered,
  paragraph,
  startingAt,
  style,
  styled,
  table,
  type WordParts,
  wordDocument,
} from '../support/word';

function read(bytes: Uint8Array): Promise<NormalisedDocument> {
  return readSource({ bytes, name: 'made.docx' }, () => {});
}

async function textOf(parts: WordParts): Promise<string> {
  return (await read(wordDocument(parts))).text.trimEnd();
}

/** Lines that are not empty. */
async function linesOf(parts: WordParts): Promise<string[]> {
  return (await textOf(parts)).split('\n').filter((line) => line !== '');
}

/** As Word's template for standards has it: headings by German names, numbered by their styles; annexes in styles of their own. */
const STANDARD: Omit<WordParts, 'body'> = {
  styles: [
    style('Standard', 'Normal'),
    style(
      'berschrift1',
      'heading 1',
      `<w:basedOn w:val="Standard"/><w:pPr>${numbered(1)}<w:outlineLvl w:val="0"/></w:pPr>`,
    ),
    style(
      'berschrift2',
      'heading 2',
      `<w:basedOn w:val="berschrift1"/><w:pPr>${numbered(1, 1)}<w:outlineLvl w:val="1"/></w:pPr>`,
    ),
    style(
      'berschrift3',
      'heading 3',
      `<w:basedOn w:val="berschrift1"/><w:pPr>${numbered(1, 2)}<w:outlineLvl w:val="2"/></w:pPr>`,
    ),
    style('ANNEX', 'ANNEX', `<w:pPr>${numbered(2)}<w:outlineLvl w:val="0"/></w:pPr>`),
    style('a2', 'a2', `<w:basedOn w:val="berschrift2"/><w:pPr>${numbered(2, 1)}</w:pPr>`),
  ],
  numbering: [
    definition(
      0,
      ['decimal', '%1', '<w:pStyle w:val="berschrift1"/>'],
      ['decimal', '%1.%2', '<w:pStyle w:val="berschrift2"/>'],
      ['decimal', '%1.%2.%3', '<w:pStyle w:val="berschrift3"/>'],
      ['lowerLetter', '%4)'],
    ),
    definition(
      1,
      ['upperLetter', 'Annex %1', '<w:pStyle w:val="ANNEX"/>'],
      ['decimal', '%1.%2', '<w:pStyle w:val="a2"/>'],
    ),
    list(1, 0),
    list(2, 1),
  ],
};

describe('the numbers of a Word document', () => {
  it('stand in front of headings that are numbered by their styles, annexes too', async () => {
    const lines = await linesOf({
      ...STANDARD,
      body: [
        paragraph('Scope', styled('berschrift1')),
        paragraph('Terms', styled('berschrift1')),
        paragraph('General', styled('berschrift2')),
        paragraph('Belts', styled('berschrift3')),
        paragraph('Lamps', styled('berschrift3')),
        paragraph('Readers', styled('berschrift2')),
        paragraph('Sources', styled('ANNEX')),
        paragraph('Books', styled('a2')),
        paragraph('Pages', styled('a2')),
        paragraph('Forms', styled('ANNEX')),
        paragraph('Orders', styled('a2')),
      ],
    });
    assert.deepEqual(lines, [
      '# 1 Scope',
      '# 2 Terms',
      '## 2.1 General',
      '### 2.1.1 Belts',
      '### 2.1.2 Lamps',
      '## 2.2 Readers',
      '# Annex A Sources',
      '## A.1 Books',
      '## A.2 Pages',
      '# Annex B Forms',
      '## B.1 Orders',
    ]);
  });

  it('stand in front of clauses without a heading, and letters in front of what is listed in them', async () => {
    const lines = await linesOf({
      ...STANDARD,
      body: [
        paragraph('Reviews', styled('berschrift1')),
        paragraph('Technical reviews', styled('berschrift2')),
        paragraph('The supplier shall hold reviews:', numbered(1, 2)),
        paragraph('of requirements,', numbered(1, 3)),
        paragraph('of the design.', numbered(1, 3)),
        paragraph('Minutes shall be kept.', numbered(1, 2)),
        paragraph('by the supplier,', numbered(1, 3)),
      ],
    });
    assert.deepEqual(lines, [
      '# 1 Reviews',
      '## 1.1 Technical reviews',
      '1.1.1 The supplier shall hold reviews:',
      '- a) of requirements,',
      '- b) of the design.',
      '1.1.2 Minutes shall be kept.',
      '- a) by the supplier,',
    ]);
  });

  it('are what chunks are cited by', async () => {
    const filler = 'It is held with all who have to agree to it, and what they say is written down and kept. '.repeat(
      5,
    );
    const document = await read(
      wordDocument({
        ...STANDARD,
        body: [
          paragraph('Processes', styled('berschrift1')),
          paragraph('Reviews', styled('berschrift2')),
          paragraph('Technical reviews', styled('berschrift3')),
          paragraph(`The first is held early. ${filler}`),
          paragraph(`The supplier shall hold a review. ${filler}`, numbered(1, 2)),
        ],
      }),
    );
    const [chunk] = chunksOf(document).slice(-1);
    assert.equal(chunk!.clause_number, '1.1.2');
    assert.equal(chunk!.normative, true);
  });

  it('go on, begin anew and begin elsewhere as the lists say', async () => {
    const items = [
      ['decimal', '%1.'],
      ['lowerLetter', '%2)'],
      ['lowerRoman', '(%3)'],
    ] as const;
    const text = await textOf({
      numbering: [
        definition(0, ...items),
        definition(1, ['bullet', '•']),
        list(1, 0),
        list(2, 0, startingAt(0, 7)),
        list(3, 1),
      ],
      body: [
        paragraph('one', numbered(1)),
        paragraph('two', numbered(1)),
        paragraph('letter', numbered(1, 1)),
        paragraph('roman', numbered(1, 2)),
        paragraph('letter', numbered(1, 1)),
        paragraph('between'),
        paragraph('three', numbered(1)),
        paragraph('letter', numbered(1, 1)),
        paragraph('between'),
        paragraph('seven', numbered(2)),
        paragraph('eight', numbered(2)),
        paragraph('between'),
        paragraph('bullet', numbered(3)),
      ],
    });
    assert.equal(
      text,
      [
        '1. one\n2. two\n   - a) letter\n     - (i) roman\n   - b) letter',
        'between',
        '3. three\n   - a) letter',
        'between',
        '7. seven\n8. eight',
        'between',
        '- bullet',
      ].join('\n\n'),
    );
  });

  it('are written as legal numbering has them, and begin again where a level says', async () => {
    const lines = await linesOf({
      numbering: [
        definition(
          0,
          ['upperRoman', 'Article %1'],
          ['decimalZero', 'Section %1.%2', '<w:isLgl/>'],
          ['lowerLetter', '(%3)', '<w:lvlRestart w:val="1"/>'],
        ),
        list(1, 0),
      ],
      body: [0, 1, 2, 1, 2, 0, 1, 2].map((level) => paragraph(`level ${level}`, numbered(1, level))),
    });
    assert.deepEqual(lines, [
      'Article I level 0',
      'Section 1.01 level 1',
      '- (a) level 2',
      'Section 1.02 level 1',
      '- (b) level 2',
      'Article II level 0',
      'Section 2.01 level 1',
      '- (a) level 2',
    ]);
  });

  it('count what is empty, and neither what was deleted nor what has number 0', async () => {
    const lines = await linesOf({
      ...STANDARD,
      body: [
        paragraph('First', styled('berschrift1')),
        `<w:p><w:pPr>${styled('berschrift1')}</w:pPr></w:p>`,
        paragraph('Foreword', styled('berschrift1') + numbered(0)),
        `<w:p><w:pPr>${styled('berschrift1')}<w:rPr><w:del w:id="1" w:author="A"/></w:rPr></w:pPr></w:p>`,
        paragraph('Third', styled('berschrift1')),
      ],
    });
    assert.deepEqual(lines, ['# 1 First', '# Foreword', '# 3 Third']);
  });

  it('take a level that was left out for begun', async () => {
    const lines = await linesOf({
      ...STANDARD,
      body: [
        paragraph('One', styled('berschrift1')),
        paragraph('Deep', styled('berschrift3')),
        paragraph('Next', styled('berschrift2')),
      ],
    });
    assert.deepEqual(lines, ['# 1 One', '### 1.1.1 Deep', '## 1.2 Next']);
  });

  it('come from a definition that is kept in a style', async () => {
    const lines = await linesOf({
      styles: [
        `<w:style w:type="numbering" w:styleId="Clauses"><w:name w:val="Clauses"/><w:pPr>${numbered(2)}</w:pPr></w:style>`,
      ],
      numbering: [
        '<w:abstractNum w:abstractNumId="5"><w:numStyleLink w:val="Clauses"/></w:abstractNum>',
        definition(6, ['decimal', '%1.'], ['decimal', '%1.%2']),
        list(1, 5),
        list(2, 6),
      ],
      body: [paragraph('Outer', numbered(1, 0)), paragraph('Inner', numbered(1, 1))],
    });
    assert.deepEqual(lines, ['1. Outer', '1.1 Inner']);
  });

  it('do without what is missing, endless or wrong', async () => {
    const loop = `<w:style w:type="paragraph" w:styleId="A"><w:name w:val="A"/><w:basedOn w:val="B"/></w:style><w:style w:type="paragraph" w:styleId="B"><w:name w:val="B"/><w:basedOn w:val="A"/></w:style>`;
    const body = [
      paragraph('no list', numbered(77)),
      paragraph('no style', styled('Gone')),
      paragraph('in a circle', styled('A')),
      paragraph('linked in a circle', numbered(3)),
    ];
    const numbering = [
      '<w:abstractNum w:abstractNumId="9"><w:numStyleLink w:val="A"/></w:abstractNum>',
      '<w:num w:numId="3"><w:abstractNumId w:val="9"/></w:num>',
      '<!-- <w:num w:numId="77"> -->',
    ];
    assert.deepEqual(await linesOf({ styles: [loop], numbering, body }), [
      'no list',
      'no style',
      'in a circle',
      'linked in a circle',
    ]);
  });

  it('do not take what a number says for markup', async () => {
    const lines = await linesOf({
      numbering: [definition(0, ['decimal', 'Rule &lt;b&gt; &amp; %1:']), list(1, 0)],
      body: [paragraph('text', numbered(1))],
    });
    assert.deepEqual(lines, ['Rule <b> & 1: text']);
  });

  it('are cut where they are too long, and not within a character', async () => {
    for (const last of ['&amp;&amp;', '\u{1F600}']) {
      const [line] = await linesOf({
        numbering: [definition(0, ['decimal', `%1. ${'Rule '.repeat(23)}${last}`]), list(1, 0)],
        body: [paragraph('text', numbered(1))],
      });
      assert.match(line!, /^1\. (?:Rule ){23}text$/);
    }
  });

  it('count once what Word keeps twice for older programs', async () => {
    const box = (name: string) =>
      `<mc:${name}><w:pict><w:txbxContent>${paragraph('boxed', numbered(1))}</w:txbxContent></w:pict></mc:${name}>`;
    const compatibility = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';
    const lines = await linesOf({
      numbering: [definition(0, ['decimal', '%1.']), list(1, 0)],
      body: [
        `<w:p ${compatibility}><w:r><mc:AlternateContent>${box('Choice')}${box('Fallback')}</mc:AlternateContent></w:r></w:p>`,
        paragraph('after', numbered(1)),
      ],
    });
    assert.deepEqual(lines, ['1. boxed', '2. after']);
  });

  it('lose no word of any document', async () => {
    const anyParagraph = fc
      .tuple(
        fc.integer({ min: 0, max: 4 }),
        fc.integer({ min: 0, max: 9 }),
        fc.constantFrom('', 'berschrift1', 'berschrift2', 'ANNEX', 'a2'),
      )
      .map(
        ([listed, level, name]) => (name === '' ? '' : styled(name)) + (listed === 0 ? '' : numbered(listed, level)),
      );
    await fc.assert(
      fc.asyncProperty(fc.array(anyParagraph, { minLength: 1, maxLength: 25 }), async (properties) => {
        const text = await textOf({
          styles: STANDARD.styles!,
          numbering: [
            ...STANDARD.numbering!,
            definition(2, ['decimal', '%1.'], ['upperLetter', '%2.'], ['bullet', '-']),
            list(3, 2),
            list(4, 2, startingAt(1, 3)),
          ],
          body: properties.map((each, index) => paragraph(`word${index} here`, each)),
        });
        assert.deepEqual(
          text.match(/word\d+/g),
          properties.map((_, index) => `word${index}`),
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('what else a Word document says', () => {
  it('is a heading where its style has a level and it is short, and text where a heading is a paragraph', async () => {
    const long = `The supplier shall ${'again and again '.repeat(20)}report.`;
    const lines = await linesOf({
      ...STANDARD,
      styles: [...STANDARD.styles!, style('Kopf', 'Kopf', '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>')],
      body: [
        paragraph('Reports', styled('berschrift1')),
        paragraph(long, styled('berschrift2')),
        paragraph('A short one', styled('Kopf')),
        paragraph('A sentence that ends.', styled('Kopf')),
        paragraph('By itself', '<w:outlineLvl w:val="2"/>'),
      ],
    });
    assert.deepEqual(lines, ['# 1 Reports', `1.1 ${long}`, '## A short one', 'A sentence that ends.', '### By itself']);
  });

  it('is a heading, or in a list, by its style alone where its own properties are empty', async () => {
    const styles = (properties: string) => [
      `<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="N"/><w:pPr>${properties}</w:pPr></w:style>`,
    ];
    const body = ['<w:p><w:pPr/><w:r><w:t>one</w:t></w:r></w:p>'];
    assert.equal(await textOf({ styles: styles('<w:outlineLvl w:val="0"/>'), body }), '# one');
    const numbering = [definition(0, ['bullet', '•']), list(1, 0)];
    assert.equal(await textOf({ styles: styles(numbered(1)), numbering, body }), '- one');
  });

  it('has what reaches over rows in each of them, and over columns in the first', async () => {
    const text = await textOf({
      body: [
        table(
          [cell('Belt', '<w:vMerge w:val="restart"/>'), cell('Load', '<w:gridSpan w:val="2"/>')],
          [cell('', '<w:vMerge/>'), cell('least'), cell('most')],
          [cell('North'), cell('1', '<w:vMerge w:val="restart"/>'), cell('2')],
          [cell('South'), cell('', '<w:vMerge/>'), cell('3')],
        ),
      ],
    });
    assert.equal(
      text,
      '| Belt | Load |  |\n| --- | --- | --- |\n| Belt | least | most |\n| North | 1 | 2 |\n| South | 1 | 3 |',
    );
  });

  it('has its footnotes below what refers to them', async () => {
    const bytes = readFileSync('test/fixtures/library/notes.docx');
    const { text } = await read(bytes);
    assert.ok(text.includes('before it is cleaned.[1]\n\n[1] Once a week, or more often.\n\n# Lamps'), text);
    assert.ok(!text.includes('↑'));
  });

  it('is refused in a sentence where its parts are none', async () => {
    const broken = wordDocument({ body: ['<w:p><w:r><w:t>never closed'] });
    await assert.rejects(read(broken), (error) => error instanceof KaizenError && error.code === 'unreadable_source');
  });
});
