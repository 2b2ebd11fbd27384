import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ImportConflict, ImportResult } from '../../src/transfer';

const CLI = resolve('dist/cli.js');
const EXAMPLE = resolve('examples/checkout-api/knowledge.jsonl');

describe('kaizen, at a terminal: Markdown', function () {
  this.timeout(60_000);
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kaizen-cli-'));
    mkdirSync(join(root, 'work'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** Runs the command line on the stores of that name. */
  function run(stores: string, ...args: string[]) {
    const { PATH = '', SystemRoot = '' } = process.env;
    const home = join(root, 'home');
    const [KAIZEN_DATA, KAIZEN_SHARED] = [join(root, stores, 'd'), join(root, stores, 's')];
    const env = { PATH, SystemRoot, HOME: home, USERPROFILE: home, KAIZEN_DATA, KAIZEN_SHARED, KAIZEN_PROJECT: 'shop' };
    const options = { cwd: join(root, 'work'), env, input: '', encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], options);
    assert.doesNotMatch(stderr, /^\s+at .+:\d+:\d+\)?$/m, 'no stack trace is shown to a person');
    return { status, stdout, stderr };
  }

  function succeed(stores: string, ...args: string[]): string {
    const { status, stdout, stderr } = run(stores, ...args);
    assert.equal(status, 0, `kaizen ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  const json = <T>(stores: string, ...args: string[]) => JSON.parse(succeed(stores, ...args, '--json')) as T;

  function tree(folder: string): Record<string, string> {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(md|jsonl)$/.test(name),
    );
    return Object.fromEntries(files.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  }

  it('exports what is known to a folder, and a store that imports it exports the same folder', () => {
    succeed('one', 'import', EXAMPLE);
    const [first, second] = [join(root, 'first'), join(root, 'second')];
    assert.match(succeed('one', 'export', first, '--markdown'), /files? written to/);
    assert.match(readFileSync(join(first, 'checkout-api/validation/refund_amounts.md'), 'utf8'), /^---\n.*: .*\n/);
    const result = json<ImportResult>('two', 'import', first);
    assert.ok(result.entry.added > 50);
    assert.equal(result.entry.kept, 0);
    succeed('two', 'export', second, '--markdown');
    assert.deepEqual(tree(second), tree(first));
    assert.match(succeed('one', 'export', first, '--markdown'), /^0 files written to .*, \d+ unchanged\.$/m);
  });

  it('does not replace files with another text unless told to', () => {
    succeed('one', 'import', EXAMPLE);
    const folder = join(root, 'out');
    succeed('one', 'export', folder, '--markdown');
    const [some] = Object.keys(tree(folder)).filter((name) => name.endsWith('.md'));
    const edited = join(folder, some!);
    writeFileSync(edited, 'Edited.');
    const { status, stderr } = run('one', 'export', folder, '--markdown');
    assert.equal(status, 1);
    assert.ok(stderr.includes(some!), stderr);
    assert.equal(readFileSync(edited, 'utf8'), 'Edited.');
    succeed('one', 'export', folder, '--markdown', '--overwrite');
    assert.notEqual(readFileSync(edited, 'utf8'), 'Edited.');
  });

  it('tells conflicts first with --dry-run, and changes nothing', () => {
    succeed('one', 'import', EXAMPLE);
    const notes = join(root, 'notes');
    mkdirSync(join(notes, 'validation'), { recursive: true });
    writeFileSync(join(notes, 'validation/refund_amounts.md'), 'Another text.');
    writeFileSync(join(notes, 'validation/new.md'), '---\ntags: [a, b]\n---\nNew.');
    const before = succeed('one', 'export');
    const said = run('one', 'import', notes, '--scope', 'checkout-api', '--dry-run');
    assert.equal(said.status, 0, said.stderr);
    assert.match(said.stdout, /^1 conflict.*\n {2}entry {2}checkout-api \/ validation \/ refund_amounts\n/);
    assert.match(said.stderr, /new\.md: The list "tags" became text/);
    const { conflicts, result } = json<{ conflicts: ImportConflict[]; result: ImportResult }>(
      'one',
      ...['import', notes, '--scope', 'checkout-api', '--dry-run'],
    );
    assert.deepEqual(
      conflicts.map(({ place, incoming }) => [place, incoming.content]),
      [[['checkout-api', 'validation', 'refund_amounts'], 'Another text.']],
    );
    assert.match(conflicts[0]?.stored.content ?? '', /refund as a positive amount/);
    assert.deepEqual(result.entry, { added: 1, identical: 0, kept: 1, overwritten: 0 });
    assert.equal(succeed('one', 'export'), before);

    const kept = json<ImportResult>('one', 'import', notes, '--scope', 'checkout-api');
    assert.deepEqual(kept.entry, { added: 1, identical: 0, kept: 1, overwritten: 0 });
    const taken = json<ImportResult>('one', 'import', notes, '--scope', 'checkout-api', '--overwrite');
    assert.deepEqual(taken.entry, { added: 0, identical: 1, kept: 0, overwritten: 1 });
  });

  it('imports one note, and asks for the scope that it does not name', () => {
    succeed('one', 'import', EXAMPLE);
    const note = join(root, 'deploying.md');
    writeFileSync(note, '---\nSEVERITY: High\n---\nWARNING: Not on Fridays.');
    const { status, stderr } = run('one', 'import', note);
    assert.equal(status, 1);
    assert.match(stderr, /--scope/);
    succeed('one', 'import', note, '--scope', 'checkout-api', '--category', 'operations');
    assert.match(succeed('one', 'get', 'checkout-api', 'deploying'), /Not on Fridays/);
  });

  it('names file and line of what it cannot read, runs nothing of it, and stores nothing', () => {
    succeed('one', 'import', EXAMPLE);
    const before = succeed('one', 'export');
    const notes = join(root, 'notes/a');
    mkdirSync(notes, { recursive: true });
    writeFileSync(join(notes, 'fine.md'), 'Fine.');
    const cases: [text: string, said: RegExp][] = [
      ['---js\nrequire("fs").writeFileSync("ran", "x")\n---\nText', /a\/bad\.md, line 1: /],
      ['---\nA: &a [x]\nB: [*a, *a]\n---\nText', /a\/bad\.md, line 2: /],
      ['---\nA: b\n', /a\/bad\.md, line 1: .*no end/],
      [`---\n${'# x\n'.repeat(100_000)}---\nText`, /a\/bad\.md, line \d+: /],
      ['x'.repeat(70_000), /a\/bad\.md: The content has 70000 characters/],
      [`---\nA: ${'x'.repeat(9_000)}\n---\nText`, /a\/bad\.md: The metaknowledge A/],
    ];
    for (const [text, said] of cases) {
      writeFileSync(join(notes, 'bad.md'), text);
      const { status, stderr } = run('one', 'import', join(root, 'notes'), '--scope', 'checkout-api');
      assert.equal(status, 1, stderr);
      assert.match(stderr, said);
    }
    assert.equal(succeed('one', 'export'), before);
    assert.deepEqual(readdirSync(join(root, 'work')), []);
  });
});
