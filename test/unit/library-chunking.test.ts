import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { estimateTokens } from '../../src/core/tokens';
import { CHUNKING_LIMITS, chunksOf } from '../../src/library/chunking';
import type { ChunkDraft, NormalisedDocument } from '../../src/library/model';
import { readSource } from '../../src/library/reading';

function documentOf(text: string, more: Partial<NormalisedDocument> = {}): NormalisedDocument {
  return { format: 'markdown', text, pages: [], outline: [], remarks: [], ...more };
}

function chunks(text: string, more: Partial<NormalisedDocument> = {}): ChunkDraft[] {
  return chunksOf(documentOf(text, more));
}

/** A sentence of about so many tokens. */
function sentence(tokens: number, word = 'parcel'): string {
  return `The ${`${word} `.repeat(Math.max(1, tokens - 3))}stops.`;
}

function paragraph(tokens: number, word?: string): string {
  return Array.from({ length: Math.ceil(tokens / 20) }, () => sentence(20, word)).join(' ');
}

/** What holds for the chunks of any document. */
function check(document: NormalisedDocument, found: readonly ChunkDraft[]): void {
  const { text } = document;
  let end = 0;
  for (const [index, chunk] of found.entries()) {
    assert.ok(chunk.char_start >= end, `chunk ${index} begins behind the one before`);
    assert.equal(text.slice(end, chunk.char_start).trim(), '', `between the chunks before ${index} stands nothing`);
    assert.equal(chunk.content, text.slice(chunk.char_start, chunk.char_end));
    assert.notEqual(chunk.content.trim(), '');
    assert.equal(chunk.content_hash, createHash('sha256').update(chunk.content).digest('hex'));
    assert.equal(chunk.token_count, estimateTokens(chunk.content));
    assert.ok(chunk.token_count <= CHUNKING_LIMITS.most, `chunk ${index} has ${chunk.token_count} tokens`);
    assert.ok(chunk.parent === undefined || (chunk.parent >= 0 && chunk.parent < index));
    assert.doesNotMatch(chunk.content, /^\p{Cs}|\p{Cs}$/u, 'no half of a character');
    end = chunk.char_end;
  }
  assert.equal(text.slice(end).trim(), '', 'nothing is left');
}

const word = fc.constantFrom(
  'parcel',
  'The',
  'belt',
  '6.4',
  'e.g.',
  'shall',
  'Größe',
  '包裹',
  '🚚',
  'ISO',
  '9001',
  '|',
  'x'.repeat(300),
  '`code`',
  'https://example.com/a',
);
const line = fc.array(word, { minLength: 1, maxLength: 60 }).map((words) => words.join(' '));
const prose = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => lines.join('. '));
const piece = fc.oneof(
  { weight: 4, arbitrary: prose },
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), line)
    .map(([level, title]) => `${'#'.repeat(level)} ${[...title].slice(0, 80).join('')}`),
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
    .map(([one, two]) => `## ${one}.${two} Clause`),
  fc.array(line, { maxLength: 30 }).map((lines) => ['```', ...lines, '```'].join('\n')),
  fc
    .array(line, { maxLength: 30 })
    .map((lines) => ['| a | b |', '| --- | --- |', ...lines.map((each) => `| ${each} | x |`)].join('\n')),
  fc.array(line, { minLength: 1, maxLength: 10 }).map((lines) => lines.map((each) => `- ${each}`).join('\n')),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.constantFrom('```\nnever closed', '   ', '<div>\n', '\t\tindented', '---', 'Title\n====='),
);
const text = fc
  .array(piece, { maxLength: 14 })
  .chain((pieces) => fc.constantFrom('\n\n', '\n', '\n \n').map((separator) => pieces.join(separator)));

describe('the chunks of any text', () => {
  it('are in order, whole, within the limit, and say where they stand', () => {
    fc.assert(
      fc.property(text, fc.constantFrom<'pdf' | 'markdown'>('pdf', 'markdown'), (source, format) => {
        const document = documentOf(source, { format, title: 'A title' });
        check(document, chunksOf(document));
      }),
      { numRuns: 300 },
    );
  });

  it('stand on the pages that their offsets lie on', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(4_000), { maxLength: 8 }), (source, cuts) => {
        const starts = [0, ...cuts.map((cut) => Math.min(cut, source.length)).sort((a, b) => a - b)];
        const pages = starts.map((start, index) => ({ page: index + 1, start }));
        for (const { page_numbers, char_start, char_end } of chunks(source, { format: 'pdf', pages })) {
          const expected = pages
            .filter(
              ({ start }, index) =>
                Math.min(starts[index + 1] ?? Number.POSITIVE_INFINITY, char_end) > Math.max(start, char_start),
            )
            .map(({ page }) => page);
          assert.deepEqual(page_numbers, expected);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('begin and end where sentences, items, tables and sections do, and are neither small nor large where the text is long', () => {
    const sentences = fc
      .array(fc.integer({ min: 5, max: 60 }), { minLength: 1, maxLength: 9 })
      .map((sizes) => sizes.map((size) => sentence(size)).join(' '));
    const listed = fc
      .array(fc.integer({ min: 4, max: 30 }), { minLength: 2, maxLength: 9 })
      .map((sizes) => `What follows is needed:\n\n${sizes.map((size) => `- ${sentence(size)}`).join('\n')}`);
    const rows = fc
      .integer({ min: 2, max: 12 })
      .map((count) => ['| Belt | Load |', '| --- | --- |', ...Array(count).fill('| north | 30 |')].join('\n'));
    const section = fc
      .tuple(fc.integer({ min: 2, max: 4 }), fc.array(fc.oneof(sentences, sentences, listed, rows), { maxLength: 8 }))
      .map(([level, blocks]) => [`${'#'.repeat(level)} Section`, ...blocks].join('\n\n'));
    fc.assert(
      fc.property(fc.array(section, { minLength: 1, maxLength: 8 }), (sections) => {
        const source = `${sections.join('\n\n')}\n`;
        const document = documentOf(source);
        const found = chunks(source);
        check(document, found);
        for (const [index, { content, char_start, token_count }] of found.entries()) {
          assert.match(content, /^(?:The |What |- The |\| |#+ Section)/, `chunk ${index} begins with a sentence`);
          assert.match(content, /(?:[.:]|\||# Section)$/, `chunk ${index} ends with one`);
          if (index === found.length - 1) continue;
          const next = found[index + 1]!;
          const isHeadingNext = next.content.startsWith('#');
          assert.ok(isHeadingNext || !/(?::|# Section)$/.test(content), `what chunk ${index} announces is cut from it`);
          // Of one section, none is small that would fit to its neighbour.
          const together = estimateTokens(source.slice(char_start, next.char_end));
          assert.ok(isHeadingNext || together > CHUNKING_LIMITS.most || token_count >= CHUNKING_LIMITS.least);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('are the same for the same text', () => {
    fc.assert(
      fc.property(text, (source) => assert.deepEqual(chunks(source), chunks(source))),
      { numRuns: 50 },
    );
  });

  it('stay within the limit where nothing says where to part', () => {
    for (const source of [
      'x'.repeat(20_000),
      '包'.repeat(5_000),
      '🚚'.repeat(3_000),
      '0123456789abcdef'.repeat(2_000),
      '|'.repeat(9_000),
    ]) {
      check(documentOf(source), chunks(source));
    }
  });
});

describe('where chunks end', () => {
  it('is where sections end, and within long ones where paragraphs do', () => {
    const source = [
      '# Belts',
      paragraph(300),
      '## North',
      paragraph(340),
      paragraph(340),
      '## South',
      paragraph(250),
    ].join('\n\n');
    const found = chunks(source);
    check(documentOf(source), found);
    assert.deepEqual(
      found.map(({ section_title }) => section_title),
      ['Belts', 'North', 'North', 'South'],
    );
    for (const { content, token_count } of found) {
      assert.match(content, /stops\.$/);
      assert.ok(token_count >= CHUNKING_LIMITS.least);
    }
    assert.match(found[2]!.content, /^The parcel/);
  });

  it('is where sentences end, whatever full stops stand within them', () => {
    const tricky = 'Belts of e.g. 3.5 m, cf. Fig. 2 and J. Doe et al. in No. 5, approx. 0.85 of them, run. ';
    const found = chunks(tricky.repeat(60));
    assert.ok(found.length > 2);
    for (const { content } of found) assert.match(content, /^Belts of [\s\S]*, run\.$/);
  });

  it('is between the items of a list, and not behind an item’s number', () => {
    const items = Array.from({ length: 60 }, (_, item) => `${item + 1}. ${sentence(20)}`).join('\n');
    for (const { content } of chunks(`# Steps\n\n${items}`))
      assert.match(content, /^(# Steps\n\n)?\d+\. The[\s\S]*stops\.$/);
  });

  it('is never between a heading and what stands below it', () => {
    const source = Array.from({ length: 30 }, (_, at) => `## Part ${at}\n\n${paragraph(180 + at * 20)}`).join('\n\n');
    for (const { content } of chunks(source)) assert.doesNotMatch(content.trimEnd().split('\n').at(-1)!, /^#/);
  });

  it('is around tables and code that fit, and between rows and lines of those that do not', () => {
    const table = (rows: number) =>
      [
        '| Belt | Gaps |',
        '| --- | --- |',
        ...Array.from({ length: rows }, (_, row) => `| belt ${row} | ${row} |`),
      ].join('\n');
    const small = chunks([paragraph(350), table(25), paragraph(350)].join('\n\n'));
    assert.ok(small.some(({ content }) => content.includes(table(25))));
    const large = chunks(table(300));
    assert.ok(large.length > 2);
    for (const { content } of large) assert.match(content, /^\|[\s\S]*\|$/);
    const code = [
      '```ts',
      ...Array.from({ length: 20 }, (_, at) => `  const value${at} = compute(${at});`),
      '```',
    ].join('\n');
    assert.ok(
      chunks([paragraph(350), code, paragraph(350)].join('\n\n')).some(({ content }) => content.includes(code)),
    );
  });

  it('takes small sections together as far as they are under one heading', () => {
    const small = (title: string) => `### ${title}\n\n${sentence(90)}`;
    const source = [
      '# Guide',
      paragraph(250),
      '## Belts',
      small('North'),
      small('South'),
      small('Return'),
      '## Lamps',
      small('Cold'),
      small('Warm'),
    ].join('\n\n');
    const found = chunks(source);
    check(documentOf(source), found);
    assert.deepEqual(
      found.map(({ section_hierarchy, section_title }) => [section_hierarchy, section_title]),
      [
        [[], 'Guide'],
        [['Belts'], 'Belts'],
        [['Lamps'], 'Lamps'],
      ],
    );
  });

  it('is not between headings that follow each other, nor between them and the text', () => {
    const source = ['# Belts', paragraph(150), '## Care', '### Weekly', paragraph(300)].join('\n\n');
    const found = chunks(source);
    assert.deepEqual(
      found.map(({ content }) => content.split('\n')[0]),
      ['# Belts', '## Care'],
    );
    assert.deepEqual(found[1]!.section_hierarchy, ['Care', 'Weekly']);
  });

  it('is in front of the sentence that announces a list or code', () => {
    const code = ['```', ...Array(30).fill('belt stop --now # and wait'), '```'].join('\n');
    const source = [paragraph(460), `${sentence(15)} This is how:`, code].join('\n\n');
    const found = chunks(source);
    assert.match(found.at(-1)!.content, /This is how:\n\n```/);
  });

  it('keeps clauses apart that have a number of their own', () => {
    const source = [
      '# 6 Acceptance',
      '## 6.1 Trial',
      paragraph(120),
      '## 6.2 Report',
      paragraph(120),
      '### 6.2.1 Content',
      paragraph(120),
    ].join('\n\n');
    assert.deepEqual(
      chunks(source).map(({ clause_number, section_hierarchy }) => [clause_number, section_hierarchy]),
      [
        ['6.1', ['6', '6.1']],
        ['6.2', ['6', '6.2']],
        ['6.2.1', ['6', '6.2', '6.2.1']],
      ],
    );
  });
});

describe('what a chunk says of itself', () => {
  it('is the section that it lies in, by number where it has one, and the chunk above it', () => {
    const source = [
      '# Standard',
      '# 1 Scope',
      paragraph(220),
      '# 6 Technical processes',
      paragraph(220),
      '## 6.4 Requirements',
      paragraph(220),
      '### 6.4.7 Transition',
      paragraph(220),
      '#### Notes',
      paragraph(220),
      '# Annex A (informative)',
      '## A.2 Forms',
      paragraph(220),
    ].join('\n\n');
    const found = chunks(source, { title: 'Standard' });
    assert.deepEqual(
      found.map(({ section_hierarchy, section_title, clause_number, parent }) => ({
        section_hierarchy,
        section_title,
        clause_number,
        parent,
      })),
      [
        { section_hierarchy: ['1'], section_title: '1 Scope', clause_number: '1', parent: undefined },
        { section_hierarchy: ['6'], section_title: '6 Technical processes', clause_number: '6', parent: 0 },
        { section_hierarchy: ['6', '6.4'], section_title: '6.4 Requirements', clause_number: '6.4', parent: 1 },
        {
          section_hierarchy: ['6', '6.4', '6.4.7'],
          section_title: '6.4.7 Transition',
          clause_number: '6.4.7',
          parent: 2,
        },
        {
          section_hierarchy: ['6', '6.4', '6.4.7', 'Notes'],
          section_title: 'Notes',
          clause_number: undefined,
          parent: 3,
        },
        { section_hierarchy: ['Annex A', 'A.2'], section_title: 'A.2 Forms', clause_number: 'A.2', parent: 0 },
      ],
    );
    assert.deepEqual(
      found.map(({ normative }) => normative),
      [undefined, undefined, undefined, undefined, undefined, false],
    );
  });

  it('is the clause that a paragraph begins with, in the section that has a title', () => {
    const source = [
      '## 6.4.7 Technical reviews',
      `6.4.7.1 The supplier shall hold reviews. ${paragraph(90)}`,
      `6.4.7.2 The System Requirements Review (SRR) shall confirm them. ${paragraph(90)}`,
      'NOTE It may be held in parts.',
      '3.5 Million parcels are no clause, and neither is 6.4.7.9 in a sentence.',
      `6.4.8 The next clause has no title. ${paragraph(90)}`,
      '## 6.5 Belts',
      'The belt runs.',
    ].join('\n\n');
    const found = chunks(`# 6 Processes\n\n${source}`);
    assert.deepEqual(
      found.map(({ clause_number, section_title, section_hierarchy }) => [
        clause_number,
        section_title,
        section_hierarchy.join(' '),
      ]),
      [
        ['6.4.7.1', '6.4.7 Technical reviews', '6 6.4.7'],
        ['6.4.7.2', '6.4.7 Technical reviews', '6 6.4.7'],
        ['6.4.8', '6 Processes', '6'],
        ['6.5', '6.5 Belts', '6 6.5'],
      ],
    );
    assert.match(found[1]!.content, /is no clause|are no clause/);
  });

  it('does not cite two clauses of different depth by what is around both', () => {
    const source = ['# 6 Processes', '## 6.4 Reviews', '### 6.4.7 Last', 'It is held.', '## 6.5 Belts', 'They run.'];
    assert.deepEqual(
      chunks(source.join('\n\n')).map(({ clause_number }) => clause_number),
      ['6.4.7', '6.5'],
    );
  });

  it('goes by numbers where the marks say less: all clauses of one level', () => {
    const source = [
      '# 6 Processes',
      '# 6.4 Technical',
      '# 6.4.7 Transition',
      paragraph(220),
      '# 6.5 Other',
      paragraph(220),
    ].join('\n\n');
    assert.deepEqual(
      chunks(source).map(({ section_hierarchy }) => section_hierarchy),
      [
        ['6', '6.4', '6.4.7'],
        ['6', '6.5'],
      ],
    );
  });

  it('takes a number for one only where it counts', () => {
    const source = ['# 3 Ways to fail', paragraph(220), '# 2023 in review', paragraph(220)].join('\n\n');
    assert.deepEqual(
      chunks(source).map(({ clause_number }) => clause_number),
      [undefined, undefined],
    );
  });

  it('finds clauses of a PDF that stand there as lines, and those of which only the outline tells', () => {
    const source = [
      '6.4.7 Transition',
      paragraph(220),
      '6.4.8 Validation',
      paragraph(220),
      paragraph(220, 'belt'),
    ].join('\n\n');
    const start = source.indexOf('The belt');
    const found = chunks(source, { format: 'pdf', outline: [{ title: 'Afterwards', depth: 1, start }] });
    assert.deepEqual(
      found.map(({ clause_number, section_title }) => [clause_number, section_title]),
      [
        ['6.4.7', '6.4.7 Transition'],
        ['6.4.8', '6.4.8 Validation'],
        [undefined, 'Afterwards'],
      ],
    );
    assert.equal(found[2]!.char_start, start);
  });

  const said = (body: string, title = 'Belts') => {
    const [chunk, ...more] = chunks(`# ${title}\n\n${body}`);
    assert.deepEqual(more, []);
    return { chunk_type: chunk!.chunk_type, normative: chunk!.normative };
  };

  it('is what it requires, recommends, defines or only tells', () => {
    assert.deepEqual(said('The belt shall stop.'), { chunk_type: 'requirement', normative: true });
    assert.deepEqual(said('Guards MUST NOT be open.'), { chunk_type: 'requirement', normative: true });
    assert.deepEqual(said('Das Band muss anhalten.'), { chunk_type: 'requirement', normative: true });
    assert.deepEqual(said('The belt should be cleaned.'), { chunk_type: 'guidance', normative: undefined });
    assert.deepEqual(said('A belt is cleaned weekly.'), { chunk_type: 'content', normative: undefined });
    assert.deepEqual(said('Gap means a parcel without a reading.'), { chunk_type: 'definition', normative: undefined });
    assert.deepEqual(said('moving surface that carries parcels', '3 Terms and definitions'), {
      chunk_type: 'definition',
      normative: undefined,
    });
    assert.deepEqual(said('The word `shall` in code:\n\n```\nshall()\n```', 'Code').normative, true);
    assert.deepEqual(said('Only code:\n\n```\nshall()\n```', 'Code'), { chunk_type: 'content', normative: undefined });
  });

  it('takes a definition of words for one, and neither a process of that name nor words that are only named', () => {
    const title = (of: string) => said('The belt shall stop.', of).chunk_type;
    for (const each of [
      'Definitions',
      '3 Terms and definitions',
      '3 Terms, definitions and symbols',
      'Glossary',
      'Abbreviated terms',
    ])
      assert.equal(title(each), 'definition', each);
    for (const each of [
      '6.4.4 Architecture definition process',
      'Problem definition',
      'Terms and conditions',
      'Reviews',
    ])
      assert.equal(title(each), 'requirement', each);
    const words = 'The key words "MUST", "MUST NOT" and “SHALL” are to be read as RFC 2119 has them.';
    assert.deepEqual(said(words), { chunk_type: 'content', normative: undefined });
    assert.deepEqual(said(`${words} Belts MUST stop.`), { chunk_type: 'requirement', normative: true });
  });

  it('is informative in notes, examples and informative annexes, whatever words stand there', () => {
    assert.deepEqual(said('NOTE The belt must be levelled.'), { chunk_type: 'content', normative: false });
    assert.deepEqual(said('EXAMPLE 2 — A belt that shall stop.').normative, false);
    assert.deepEqual(said('It must be levelled.', 'Annex A (informative)'), {
      chunk_type: 'content',
      normative: false,
    });
    assert.deepEqual(said('Readings are counted.', 'Annex B (normative)').normative, true);
    assert.deepEqual(said('It shall run.\n\nNOTE It need not be loaded.').normative, true);
  });

  it('names the standards, clauses and addresses that it refers to', () => {
    const [chunk] = chunks(
      'See ISO/IEC/IEEE 15288:2023, clause 6.4.2 (and Section 3.1), MIL-STD-882E, NASA/SP-2016-6105, RFC 9110, ' +
        'DIN EN ISO 9001, Annex B, https://example.com/a(b)?c=1. Again: RFC 9110. Nothing: in ISO, section x, version 6.4.2.',
    );
    assert.deepEqual(chunk!.references, [
      'ISO/IEC/IEEE 15288:2023',
      'clause 6.4.2',
      'Section 3.1',
      'MIL-STD-882E',
      'NASA/SP-2016-6105',
      'RFC 9110',
      'DIN EN ISO 9001',
      'Annex B',
      'https://example.com/a(b)?c=1',
    ]);
    const many = Array.from({ length: 80 }, (_, at) => `RFC ${1000 + at}`).join(', ');
    assert.equal(chunks(many)[0]!.references.length, CHUNKING_LIMITS.references);
  });
});

describe('the chunks of real files', () => {
  for (const name of ['clauses.pdf', 'two-columns.pdf', 'report.pdf', 'report.docx', 'page.html']) {
    it(`of ${name} hold all of it`, async () => {
      const bytes = readFileSync(path.resolve('test/fixtures/library', name));
      const document = await readSource({ bytes, name }, () => {});
      const found = chunksOf(document);
      assert.ok(found.length > 0);
      check(document, found);
    });
  }

  it('cite clause and page', async () => {
    const bytes = readFileSync(path.resolve('test/fixtures/library/clauses.pdf'));
    const found = chunksOf(await readSource({ bytes, name: 'clauses.pdf' }, () => {}));
    const report = found.find(({ content }) => content.includes('approved within 5 working days'))!;
    assert.deepEqual(
      [report.section_hierarchy, report.clause_number, report.page_numbers, report.chunk_type, report.normative],
      [['6', '6.4', '6.4.2'], '6.4.2', [2], 'requirement', true],
    );
    const annex = found.find(({ content }) => content.includes('levelled again'))!;
    assert.deepEqual([annex.clause_number, annex.page_numbers, annex.normative], ['Annex A', [3], false]);
    assert.ok(
      found.every(({ content, chunk_type }) => !content.includes('moving surface') || chunk_type === 'definition'),
    );
  });
});
