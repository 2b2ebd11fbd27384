import assert from 'node:assert/strict';
import path from 'node:path';
import { readBasesConfig } from '../../src/bases';
import { checkDefinitions } from '../../src/bases/definitions';

const PROJECT = path.resolve('/home/ada/harbour');
const read = (text: string, file = path.join(PROJECT, 'kaizen.yaml'), environment = {}) =>
  readBasesConfig(text, { file, environment });
const told = async (text: string) =>
  (await read(text)).problems.map(({ line, severity, message }) => `${line} ${severity} ${message}`);

/** With every key that seed 002 has. */
const DEFAULT = `# config/default.yaml
knowledge_base:
  root_path: "./knowledge_bases"
  file_patterns:
    - "**/*.md"
  exclude_patterns:
    - "**/node_modules/**"
    - "**/.git/**"

index:
  storage_path: "./.meta_mcp_index"
  embedding_model: "sentence-transformers/all-MiniLM-L6-v2"
  embedding_dimensions: 384
  similarity_metric: "cosine"

discovery:
  default_max_results: 7
  min_relevance_threshold: 0.4
  boost_active_status: 1.3
  boost_recent_update_days: 14
  boost_recent_update_factor: 1.2

server:
  transport: "http"  # or "stdio"
  host: "127.0.0.1"
  port: 8765
  log_level: "info"
`;

describe('a configuration file', () => {
  it('in the form of seed 002 is read with all its keys, paths from the project', async () => {
    assert.deepEqual(await read(DEFAULT, path.join(PROJECT, 'config', 'default.yaml')), {
      bases: [
        {
          name: 'knowledge_bases',
          root: path.join(PROJECT, 'knowledge_bases'),
          include: ['**/*.md'],
          exclude: ['**/node_modules/**', '**/.git/**'],
        },
      ],
      cacheDirectory: path.join(PROJECT, '.meta_mcp_index'),
      discovery: {
        default_max_results: 7,
        min_relevance_threshold: 0.4,
        boost_active_status: 1.3,
        boost_recent_update_days: 14,
        boost_recent_update_factor: 1.2,
      },
      embeddings: { model: 'sentence-transformers/all-MiniLM-L6-v2', isLocal: true, dimensions: 384 },
      server: { transport: 'http', host: '127.0.0.1', port: 8765, log_level: 'info' },
      problems: [],
    });
  });

  it('may have several bases under their names', async () => {
    const { bases, problems } = await read(
      'knowledge_bases:\n  docs: docs\n  rules:\n    root_path: /srv/rules\n    file_patterns: "**/*.mdc"\n    exclude_patterns: []\n',
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(bases, [
      { name: 'docs', root: path.join(PROJECT, 'docs') },
      { name: 'rules', root: path.resolve('/srv/rules'), include: ['**/*.mdc'], exclude: [] },
    ]);
  });

  it('gives a base without a name that of its folder, as far as it may have it', async () => {
    const name = async (text: string) => (await read(text)).bases.map((base) => base.name);
    assert.deepEqual(await name('knowledge_base: {root_path: ./Wissen & mehr}'), ['Wissen-mehr']);
    assert.deepEqual(await name('knowledge_base: {root_path: ./notes}'), ['notes-base']);
    assert.deepEqual(await name('knowledge_base: {root_path: /}'), ['base']);
    const twins = 'knowledge_bases: {docs: a}\nknowledge_base: {root_path: docs}';
    assert.deepEqual([await name(twins), (await read(twins)).problems], [['docs', 'docs-2'], []]);
  });

  it('has names that no base may have refused with their line, and the other bases count', async () => {
    for (const bad of ['library', 'Scopes', '..', '"a b"', 'a'.repeat(101)]) {
      const text = `knowledge_bases:\n  ${bad}: a\n  docs: b`;
      const { bases, problems } = await read(text);
      assert.deepEqual([bases.map(({ name }) => name), problems.map(({ line }) => line)], [['docs'], [2]], bad);
      assert.doesNotThrow(() => checkDefinitions(bases));
    }
  });

  it('may have the boost matrix at discovery, on top, or alone in a file', async () => {
    const matrix = { implement: { guideline: 1.5, my_type: 2 }, debug: { context: 0.8 } };
    const yaml = 'implement: {guideline: 1.5, my_type: 2}\ndebug:\n  context: 0.8\n';
    const indented = (by: string) => yaml.replace(/^(?=.)/gm, by);
    for (const text of [yaml, `boost_matrix:\n${indented('  ')}`, `discovery:\n  boost_matrix:\n${indented('    ')}`]) {
      const { discovery, problems } = await read(text);
      assert.deepEqual([discovery.boosts, problems], [matrix, []], text);
    }
  });

  it('takes paths from its folder, the home directory and the environment', async () => {
    const root = async (written: string, file?: string) =>
      (await read(`knowledge_base: {root_path: "${written}"}`, file, { HOME: '/home/ada', NOTES: '/srv/notes' }))
        .bases[0]?.root;
    assert.equal(await root('kb'), path.join(PROJECT, 'kb'));
    assert.equal(await root('../kb'), path.join(PROJECT, '..', 'kb'));
    assert.equal(await root('kb', path.join(PROJECT, 'settings', 'k.yaml')), path.join(PROJECT, 'settings', 'kb'));
    assert.equal(await root('~/kb'), path.resolve('/home/ada/kb'));
    assert.equal(await root('$' + '{NOTES}/kb'), path.resolve('/srv/notes/kb'));
    assert.equal(await root('/abs'), path.resolve('/abs'));
  });

  it('has unknown keys told with their line, and the rest counts', async () => {
    const text =
      'knowledge_base:\n  root_path: kb\n  rot_path: x\n\nindexx: {}\ndiscovery:\n  default_max_results: 3\n  boost: 2\n';
    const { bases, discovery } = await read(text);
    assert.deepEqual([bases.length, discovery], [1, { default_max_results: 3 }]);
    const problems = await told(text);
    assert.equal(problems.length, 3);
    assert.match(
      problems[0]!,
      /^3 warning The key "rot_path" means nothing in knowledge_base\. Its keys are: name, root_path/,
    );
    assert.match(problems[1]!, /^5 warning The key "indexx" means nothing in the file/);
    assert.match(problems[2]!, /^8 warning The key "boost" means nothing in discovery/);
  });

  it('has bad values refused with their line and what is allowed', async () => {
    const cases: [string, RegExp][] = [
      [
        'discovery:\n  default_max_results: many',
        /^2 error discovery\.default_max_results is a whole number from 1 to 50, not "many"/,
      ],
      ['discovery:\n  default_max_results: 2.5', /^2 error/],
      ['discovery:\n  min_relevance_threshold: 1.5', /from 0 to 1, not "1\.5"/],
      ['discovery:\n  boost_active_status: 0', /from 0\.1 to 10/],
      ['discovery:\n  boost_active_status: 1e3', /from 0\.1 to 10/],
      ['discovery: [1]', /^1 error In discovery stand keys/],
      ['index:\n  similarity_metric: euclid', /^2 error index\.similarity_metric is cosine, not "euclid"/],
      ['index:\n  embedding_model: all-MiniLM-L6-v2\n  embedding_dimensions: 512', /has 384 dimensions, not 512/],
      ['server:\n  host: 0.0.0.0', /^2 error server\.host is 127\.0\.0\.1 or localhost/],
      ['server:\n  transport: sse', /stdio or http, not "sse"/],
      ['server:\n  port: 70000', /from 0 to 65535/],
      [
        'knowledge_base:\n  file_patterns: []',
        /^1 error knowledge_base has no root_path|^2 error knowledge_base\.file_patterns/,
      ],
      ['knowledge_base:\n  file_patterns: [a]', /^1 error knowledge_base has no root_path/],
      ['knowledge_base:\n  root_path: "$' + '{MISSING}/x"', /^2 error .*MISSING is not set/],
      ['knowledge_bases:\n  "a b": x', /^2 error "a b" is not a name/],
      ['knowledge_bases:\n  a: x\n  A: y', /^3 error There is a knowledge base "A" already/],
      ['boost_matrix:\n  cook: {guideline: 1}', /^2 error "cook" is not a task type: implement, debug/],
      ['implement:\n  guideline: high', /^2 error implement\.guideline is a number from 0\.1 to 10/],
      ['a: b: c', /^1 error .*not YAML/],
      ['- a\n- b', /^1 error In the file stand keys/],
      ['discovery: {}\ndiscovery: {}', /^2 error The key "discovery" stands here twice/],
      ['index: *x', /^1 error/],
    ];
    for (const [text, expected] of cases) assert.match((await told(text))[0] ?? '', expected, text);
  });

  it('does no harm: nothing of it is run, and bombs are refused', async () => {
    const bombs = [
      // Written out, it would fill any memory.
      `a0: &a0 [x]\n${Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n},*a${n},*a${n},*a${n}]\n`).join('')}`,
      `index: ${'['.repeat(100_000)}`,
      'a: !!js/function "x"',
      `${'k: v\n'.repeat(60_000)}`,
      `# ${'x'.repeat(1_000_000)}`,
      '__proto__:\n  polluted: 1\nconstructor: 1',
    ];
    for (const bomb of bombs) {
      const { bases, problems } = await read(bomb);
      assert.deepEqual(bases, []);
      assert.ok(problems.length > 0 && problems.length <= 101);
    }
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });

  it('may be empty, or begin with a mark of YAML or of its bytes', async () => {
    const nothing = { bases: [], discovery: {}, embeddings: {}, server: {}, problems: [] };
    for (const text of ['', '# nothing\n', '---\n', 'knowledge_base:\n']) {
      const { problems, ...rest } = await read(text);
      assert.deepEqual(rest, { bases: [], discovery: {}, embeddings: {}, server: {} });
      assert.ok(problems.length <= 1);
    }
    assert.deepEqual(await read('---\nserver:\n  port: 1\n'), { ...nothing, server: { port: 1 } });
    assert.deepEqual(await read('\uFEFFserver:\r\n  port: 1\r\n'), { ...nothing, server: { port: 1 } });
  });
});
