import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type JsonPath, jsonAt, readJson, withJson, withoutJson } from '../../src/agents/json-edit';

const ENTRY = { command: 'kaizen', args: ['mcp'] };
const PATH: JsonPath = ['mcpServers', 'kaizen'];
const put = (text: string | undefined) => withJson(text, PATH, ENTRY);
const refusal = (text: string) => {
  const read = readJson(text);
  return 'unreadable' in read ? String(read.unreadable) : undefined;
};

/** Between tokens: white space and comments, as people and programs write them. */
const gap = fc
  .array(
    fc.constantFrom(
      '',
      '',
      ' ',
      '  ',
      '\t',
      '\n',
      '\r\n',
      '\n\n',
      '// a remark\n',
      ' // é "quoted", {\r\n',
      '/* a, b */',
      '/* over\nlines */',
    ),
    { maxLength: 3 },
  )
  .map((parts) => parts.join(''));

const scalar = fc.oneof(
  fc.constantFrom('null', 'true', '-1.5e3', '""', '"//"', '"/* , */"', '"a\\"b"'),
  fc.string({ maxLength: 6 }).map((text) => JSON.stringify(text)),
);

/** Any JSON with comments; a comma behind the last member may stand there. */
const value: fc.Memo<string> = fc.memo((depth) => (depth <= 1 ? scalar : fc.oneof(scalar, list(depth), object(depth))));
const list: fc.Memo<string> = fc.memo((depth) =>
  members(
    fc.tuple(gap, value(depth - 1), gap).map((parts) => parts.join('')),
    '[',
    ']',
  ),
);
const object: fc.Memo<string> = fc.memo((depth) =>
  objectOf(fc.constantFrom('a', 'b', 'c', 'mcpServer', 'x y'), value(depth - 1)),
);

function objectOf(keys: fc.Arbitrary<string>, values: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .uniqueArray(fc.tuple(keys, gap, gap, gap, values, gap), { selector: ([key]) => key, maxLength: 4 })
    .chain((pairs) =>
      around(
        pairs.map(([key, a, b, c, inner, d]) => `${a}${JSON.stringify(key)}${b}:${c}${inner}${d}`),
        '{',
        '}',
      ),
    );
}

function members(member: fc.Arbitrary<string>, open: string, close: string): fc.Arbitrary<string> {
  return fc.array(member, { maxLength: 3 }).chain((all) => around(all, open, close));
}

function around(all: readonly string[], open: string, close: string): fc.Arbitrary<string> {
  return fc.tuple(gap, fc.boolean()).map(([last, trails]) => {
    const comma = trails && all.length > 0 ? `,${last}` : all.length > 0 ? '' : last;
    return `${open}${all.join(',')}${comma}${close}`;
  });
}

const configuration = fc
  .tuple(
    fc.constantFrom('', '\uFEFF'),
    gap,
    fc.oneof(object(3), objectOf(fc.constantFrom('mcpServers', 'a', 'inputs'), object(2))),
    gap,
  )
  .map((parts) => parts.join(''));

describe('JSON with comments, edited', () => {
  it('has what was put in, beside everything that was there; without it, it is byte for byte what it was', () => {
    fc.assert(
      fc.property(configuration, (text) => {
        fc.pre(refusal(text) === undefined && isObject(jsonAt(text, ['mcpServers'])));
        const written = put(text);
        assert.deepEqual(jsonAt(written, PATH), ENTRY);
        const { kaizen, ...others } = (jsonAt(written, ['mcpServers']) ?? {}) as Record<string, unknown>;
        assert.ok(kaizen);
        assert.deepEqual(others, jsonAt(text, ['mcpServers']) ?? {});
        assert.equal(put(written), written);
        assert.equal(withoutJson(written, PATH), text);
      }),
      { numRuns: 800 },
    );
  });

  it('takes out what was brought up to date in the meantime', () => {
    fc.assert(
      fc.property(configuration, (text) => {
        fc.pre(refusal(text) === undefined && isObject(jsonAt(text, ['mcpServers'])));
        const written = withJson(withJson(text, PATH, 'old'), PATH, ENTRY);
        assert.equal(withoutJson(written, PATH), text);
      }),
      { numRuns: 300 },
    );
  });

  it('puts elements at the end of lists, and takes them out again', () => {
    fc.assert(
      fc.property(configuration, (text) => {
        fc.pre(refusal(text) === undefined && Array.isArray(jsonAt(text, ['a'])));
        const before = jsonAt(text, ['a']) as unknown[];
        const written = withJson(text, ['a', -1], ENTRY);
        assert.deepEqual(jsonAt(written, ['a']), [...before, ENTRY]);
        assert.equal(withoutJson(written, ['a', before.length]), text);
      }),
      { numRuns: 800 },
    );
  });

  it('makes a file, and leaves none', () => {
    const made = put(undefined);
    assert.equal(made, `${JSON.stringify({ mcpServers: { kaizen: ENTRY } }, null, 2)}\n`);
    assert.equal(withoutJson(made, PATH), undefined);
  });

  for (const empty of [
    '',
    '\n',
    '\uFEFF',
    '{}',
    '{}\n',
    '{ }',
    '{\n}\n',
    '{\r\n}\r\n',
    '{ // nothing yet\n}',
    '{"mcpServers":{}}',
  ])
    it(`keeps ${JSON.stringify(empty)}, which was there`, () => assert.equal(withoutJson(put(empty), PATH), empty));

  it('stands behind the remark of the last member, indented as its neighbours, with their line ends', () => {
    const text = '{\r\n\t"mcpServers": {\r\n\t\t"other": {} // the other one\r\n\t}\r\n}\r\n';
    const written = withJson(text, PATH, { command: 'kaizen' });
    assert.equal(
      written,
      '{\r\n\t"mcpServers": {\r\n\t\t"other": {}, // the other one\r\n\t\t"kaizen": {\r\n\t\t\t"command": "kaizen"\r\n\t\t}\r\n\t}\r\n}\r\n',
    );
  });

  it('leaves what somebody wrote behind it, and before it', () => {
    const written = put('{\n  "mcpServers": {\n    "one": {}\n  }\n}\n');
    const grown = written
      .replace(/(\n {4}\})(\n {2}\})/, '$1,\n    "two": {}$2')
      .replace('    "kaizen"', '    // ours\n    "kaizen"');
    assert.equal(
      withoutJson(grown, PATH),
      '{\n  "mcpServers": {\n    "one": {},\n    // ours\n    "two": {}\n  }\n}\n',
    );
  });

  it('refuses what is no JSON, no object, or has a key twice', () => {
    assert.match(refusal('{"a": 1,, }')!, /not JSON: the name of a property is missing, in line 1\./);
    assert.match(refusal('{\n"a": }')!, /not JSON: a value is missing, in line 2\./);
    assert.match(refusal('{"a" 1}')!, /a colon is missing/);
    for (const text of [
      '{"a": tru}',
      '{"a": 1 "b": 2}',
      '{"a": "x}',
      '{"a": /* }',
      '{"a": "\\q"}',
      '{"a": 1e}',
      '{a: 1}',
    ])
      assert.match(refusal(text)!, /not JSON: [a-z ]+, in line 1\. Mend/, text);
    assert.match(refusal('{"a": 1')!, /not JSON/);
    assert.match(refusal('{} {}')!, /not JSON/);
    assert.match(refusal('[]')!, /not an object/);
    for (const text of ['// only', '\uFEFF\n/* only */\n', '// one\r\n// two'])
      assert.match(refusal(text)!, /^It holds nothing but comments\. Write \{\} below them first/, text);
    assert.match(refusal('{"mcpServers": {}, "mcpServers": {}}')!, /"mcpServers" twice/);
    assert.match(refusal(`{"a": ${'['.repeat(200_000)}`)!, /nested too deep|not JSON/);
    assert.throws(() => put('{"mcpServers": 3}'), TypeError);
  });
});

function isObject(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value));
}
