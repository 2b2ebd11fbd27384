import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findSection, markOf, withoutSection, withSection } from '../../src/agents/marked-section';

const BEGIN = '<!-- kaizen:begin -->';
const END = '<!-- kaizen:end -->';
const BODY = '## Heading\n\nTwo paragraphs.\n\n- a list';

const problem = (text: string) => {
  const found = findSection(text);
  return found && 'unreadable' in found ? String(found.unreadable) : undefined;
};

/** Markdown with all that may swallow what stands below, every line end, marks that are talked about. */
const markdown = fc
  .tuple(
    fc.constantFrom('', '\uFEFF'),
    fc.array(
      fc.oneof(
        fc.constantFrom(
          '# Title',
          'text',
          '',
          '```',
          '~~~ts',
          '<!--',
          '-->',
          '<details>',
          '<script>',
          '- item',
          '  - below',
          '> quoted',
          '---',
          '\tcode',
          `see \`${BEGIN}\``,
          `${END} is the mark`,
        ),
        fc.string({ maxLength: 8 }),
      ),
      { maxLength: 8 },
    ),
    fc.array(fc.constantFrom('\n', '\r\n', '\r', '\n\n'), { minLength: 8, maxLength: 8 }),
    fc.boolean(),
  )
  .map(([mark, lines, ends, isEnded]) => {
    const text = lines.map((line, at) => `${line}${at < lines.length - 1 || isEnded ? ends[at] : ''}`).join('');
    return mark + text;
  });

describe('a marked section', () => {
  it('comes and goes, and the file is byte for byte what it was', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        fc.pre(findSection(text) === undefined);
        const written = withSection(text, BODY);
        assert.equal(withSection(written, BODY), written);
        const found = findSection(written);
        assert.ok(found && !('unreadable' in found));
        assert.equal(found.body, BODY);
        assert.ok(written.startsWith(text));
        assert.equal(withoutSection(written), text);
        assert.equal(withoutSection(withSection(written, 'another\n\nbody')), text);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is all there is in a file of its own, which goes with it', () => {
    const made = withSection(undefined, BODY);
    assert.equal(made, `${BEGIN}\n${BODY}\n${END}\n`);
    assert.equal(withoutSection(made), undefined);
    assert.equal(withoutSection(withSection('', BODY)), '');
  });

  it('has neighbours of another name', () => {
    const guide = withSection('Mine.\n', BODY);
    const both = withSection(guide, 'Exported.', 'kaizen:knowledge');
    assert.ok(both.includes(`${markOf('begin', 'kaizen:knowledge')}\nExported.\n`));
    assert.equal(withSection(both, BODY), both);
    assert.equal(withoutSection(both, 'kaizen:knowledge'), guide);
    assert.equal(withoutSection(both), withSection('Mine.\n', 'Exported.', 'kaizen:knowledge'));
  });

  it('takes the line ends of the file', () => {
    const text = '# Title\r\n\r\nText.\r\n';
    assert.equal(withSection(text, 'a\nb'), `${text}\r\n${BEGIN}\r\na\r\nb\r\n${END}\r\n`);
  });

  it('is brought up to date where it stands, and what is around it stays', () => {
    const text = `# Mine\n\n${BEGIN}\nold, and a person's remark\n${END}\n\n## Also mine\n`;
    assert.equal(withSection(text, 'new'), `# Mine\n\n${BEGIN}\nnew\n${END}\n\n## Also mine\n`);
    assert.equal(withoutSection(text), '# Mine\n\n## Also mine\n');
    assert.equal(withoutSection(`${BEGIN}\nold\n${END}\n\nMine\n`), 'Mine\n');
  });

  it('says what is wrong with damaged marks, and where', () => {
    const whole = `${BEGIN}\nbody\n${END}\n`;
    assert.match(problem(`one\n${BEGIN}\nbody\n`)!, /kaizen:begin --> \(line 2\) without <!-- kaizen:end -->/);
    assert.match(problem(`body\n${END}\n`)!, /kaizen:end --> \(line 2\) without <!-- kaizen:begin -->/);
    assert.match(problem(`${whole}\n${whole}`)!, /not one pair \(line 1, 3, 5, 7\)/);
    assert.match(problem(`${BEGIN}\n${whole}${END}\n`)!, /not one pair/);
    assert.match(problem(`${END}\nbody\n${BEGIN}\n`)!, /not one pair/);
    assert.match(problem(`\`\`\`\n${whole}\`\`\`\n`)!, /in a block of code or in a comment \(line 2, 4\)/);
    assert.match(problem(`<!--\n${BEGIN}\n`)!, /in a block of code/);
    for (const open of ['```\ncode\n', 'text\n\n<!-- a remark\n', '<script>\n'])
      assert.match(problem(open)!, /not closed/, open);
    assert.equal(problem(`The marks are \`${BEGIN}\` and \`${END}\`.\n`), undefined);
    assert.throws(() => withSection(`${BEGIN}\n`, BODY), TypeError);
  });
});
